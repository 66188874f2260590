"""A game and its log, as JSON carries them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel

from app.game.errors import Reason
from app.game.notation import write_move
from app.game.state import Legal, Score, legal, outcome
from app.play import Event, Look
from app.store import Status


class LegalModel(BaseModel):
    """What may be done now; `boxes` gives the points of each box that may be chosen."""

    roll: bool
    undo: bool
    boxes: dict[str, int]


class SeatModel(BaseModel):
    """One card: points of every box (null: open), the sum of the upper boxes, the bonuses, the total."""

    seat: int
    name: str | None
    computer: str | None
    card: dict[str, int | None]
    upper: int
    upper_bonus: int
    extra_bonus: int
    total: int


class OutcomeModel(BaseModel):
    """Who won."""

    winners: list[int]
    draw: bool


class GameModel(BaseModel):
    """A game as it stands."""

    id: str
    kind: str
    ruleset: str
    options: dict[str, bool | int | str]
    addressing: str
    commitment: str
    version: int
    status: Literal["playing", "finished", "abandoned"]
    to_play: int | None
    turn: int
    roll: int
    rolls_left: int
    pool: int | None
    dice: list[int] | None
    kept: list[int]
    locked: list[int]
    legal: LegalModel
    closed: dict[str, str]
    seats: list[SeatModel]
    assisted: bool
    day: str | None
    outcome: OutcomeModel | None


def game_json(look: Look) -> dict[str, Any]:
    """Write a game as JSON carries it; see `GameModel`."""
    state = look.state
    playing = look.status is Status.PLAYING
    allowed = legal(state) if playing else _nothing_legal(look)
    ended = outcome(state) if look.status is Status.FINISHED else None
    return {
        "id": look.id,
        "kind": look.kind.value,
        "ruleset": state.ruleset.id,
        "options": dict(state.ruleset.options),
        "addressing": look.addressing.value,
        "commitment": look.commitment,
        "version": look.version,
        "status": look.status.value,
        "to_play": state.to_play if playing else None,
        "turn": state.turn,
        "roll": state.roll,
        "rolls_left": state.rolls_left if playing else 0,
        "pool": state.seat.pool if state.ruleset.saved_rolls else None,
        "dice": list(state.dice) if state.dice is not None else None,
        "kept": list(state.kept),
        "locked": list(state.locked),
        "legal": {"roll": allowed.roll, "undo": allowed.undo, "boxes": dict(allowed.boxes)},
        "closed": {box: reason.value for box, reason in allowed.closed.items()},
        "seats": [_seat_json(look, seat) for seat in range(len(state.seats))],
        "assisted": state.assisted,
        "day": look.day.isoformat() if look.day is not None else None,
        "outcome": {"winners": list(ended.winners), "draw": ended.draw} if ended else None,
    }


def _nothing_legal(look: Look) -> Legal:
    closed = {
        box.key: Reason.GAME_OVER if points is None else Reason.FILLED
        for box, points in zip(look.state.ruleset.boxes, look.state.card.points, strict=True)
    }
    return Legal(roll=False, undo=False, boxes={}, closed=closed)


def _seat_json(look: Look, seat: int) -> dict[str, Any]:
    info, card = look.seats[seat], look.state.seats[seat].card
    return {
        "seat": seat,
        "name": info.name,
        "computer": info.computer,
        "card": {box.key: points for box, points in zip(card.ruleset.boxes, card.points, strict=True)},
        "upper": card.upper_sum,
        "upper_bonus": card.upper_bonus,
        "extra_bonus": card.extra,
        "total": card.total,
    }


class EntryModel(BaseModel):
    """One entry of the log: the move in short notation, and the dice after it (a score: the dice that were scored)."""

    version: int
    seat: int
    turn: int
    roll: int
    move: str
    dice: list[int] | None
    box: str | None
    points: int | None
    extra: int | None


class LogModel(BaseModel):
    """How the dice of a game came about; `key` is null until the end."""

    id: str
    ruleset: str
    options: dict[str, bool | int | str]
    dice_version: int
    addressing: str
    commitment: str
    key: str | None
    moves: list[EntryModel]


def log_model(look: Look, events: Sequence[Event]) -> LogModel:
    """Write the log of a game as JSON carries it."""
    rules = look.state.ruleset
    return LogModel(
        id=look.id,
        ruleset=rules.id,
        options=dict(rules.options),
        dice_version=look.dice_version,
        addressing=look.addressing.value,
        commitment=look.commitment,
        key=look.key.hex() if look.key is not None else None,
        moves=[_entry(look, version, event) for version, event in enumerate(events, start=1)],
    )


def _entry(look: Look, version: int, event: Event) -> EntryModel:
    box = event.move.box if isinstance(event.move, Score) else None
    return EntryModel(
        version=version,
        seat=event.seat,
        turn=event.turn,
        roll=event.roll,
        move=write_move(look.state.ruleset, event.move),
        dice=list(event.dice) if event.dice is not None else None,
        box=box,
        points=event.points if box else None,
        extra=event.extra if box else None,
    )
