"""What a looker sees of a game."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from app.game.dice import DICE_VERSION, Addressing
from app.game.state import Score, State
from app.play.course import Course, Event, replay, scores_of
from app.play.errors import NotYourSeat
from app.play.plan import Kind
from app.store import GameRow, Status


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits there: the name shown, or the computer's level."""

    name: str | None = None
    computer: str | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """A game as one looker sees it.

    `viewer` is the seat that the looker plays, None for a read-only view; `key` is open after the end. `last` is what the
    request just did, `others` what the other seats did since the viewer's last score.
    """

    id: str
    kind: Kind
    state: State
    version: int
    status: Status
    addressing: Addressing
    commitment: str
    seats: tuple[SeatInfo, ...]
    viewer: int | None
    created_at: datetime
    finished_at: datetime | None = None
    key: bytes | None = None
    dice_version: int = DICE_VERSION
    last: tuple[Event, ...] = ()
    others: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """What a move led to. Nothing happened when it is `repeated` (the same move had been made already) or `armed`.

    `armed` names the box that a score of 0 was asked for while another open box would bring points: a confirmation is waited for.
    """

    look: Look
    repeated: bool = False
    armed: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game among the player's own of the same rules: `best` of the earlier ones, `mean` and `count` with this one.

    Only games without corrections or hints count; `new_best` is never set for an assisted game.
    """

    best: int | None
    new_best: bool
    mean: float | None
    count: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A projection that was not what the log says."""

    game: str
    what: str
    stored: str
    counted: str


def look_of(row: GameRow, course: Course, player_id: str | None) -> Look:
    """Look at a game with a player's eyes; None looks as a stranger."""
    viewer = next((seat.seat for seat in row.seats if player_id is not None and seat.player_id == player_id), None)
    return Look(
        id=row.id,
        kind=Kind(row.kind),
        state=course.state,
        version=course.version,
        status=row.status,
        addressing=Addressing(row.addressing),
        commitment=hashlib.sha256(row.key).hexdigest(),
        seats=tuple(SeatInfo(seat.name, seat.computer) for seat in row.seats),
        viewer=viewer,
        created_at=row.created_at,
        finished_at=row.finished_at,
        key=row.key if row.finished_at is not None else None,
        dice_version=row.dice_version,
        others=_others(course.events, viewer),
    )


def _others(events: tuple[Event, ...], viewer: int | None) -> tuple[Event, ...]:
    """Give what the other seats did since the viewer's last score."""
    scores = [place for place, event in enumerate(events) if event.seat == viewer and isinstance(event.move, Score)]
    return tuple(event for event in events[scores[-1] + 1 if scores else 0 :] if event.seat != viewer)


def check_may_see(row: GameRow, look: Look) -> None:
    """Let those with a seat look, and everybody once the game is finished.

    Raises:
        NotYourSeat: the game is none of the looker's business yet.

    """
    if look.viewer is None and row.finished_at is None:
        raise NotYourSeat


def differences(row: GameRow, moves: list[str]) -> list[Difference]:
    """Hold the projections of a game against its log."""
    state = replay(row, moves).state
    pairs: dict[str, tuple[object, object]] = {
        "finished": (row.finished_at is not None, state.over),
        "assisted": (row.assisted, state.over and state.assisted),
    }
    scores = scores_of(state)
    pairs |= {f"score of seat {seat.seat}": (seat.score, scores[seat.seat]) for seat in row.seats}
    return [Difference(row.id, what, str(old), str(new)) for what, (old, new) in pairs.items() if old != new]
