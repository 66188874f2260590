"""Games as pages look at them, without a store: what `app.play` would hand over."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from app.game.dice import Addressing
from app.game.rules import Ruleset
from app.game.state import Move, Roll, Score, State, apply
from app.play import Event, Kind, Look, SeatInfo
from app.store import Status
from app.web.words import Words

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def look_at(state: State, *last: Event, **more: Any) -> Look:
    """Look at a state from the first seat; `last` is what the request did, `more` are fields of the look."""
    over = state.over
    look = Look(
        id="game",
        kind=Kind.SOLO,
        state=state,
        version=7,
        status=Status.FINISHED if over else Status.PLAYING,
        addressing=Addressing.BY_TURN,
        commitment="c0" * 32,
        seats=(SeatInfo(),) * len(state.seats),
        viewer=0,
        created_at=NOON,
        finished_at=NOON if over else None,
        last=last,
    )
    return replace(look, **more)


def after(state: State, move: Move, faces: Any) -> Look:
    """Make a move, and look at what it led to."""
    seat, turn = state.to_play, state.turn
    done = apply(state, move, faces)
    match move:
        case Roll():
            return look_at(done, Event(seat, turn, done.roll, move, done.dice))
        case Score(box):
            old, new = state.card, done.seats[seat].card
            points = new.points[state.ruleset.place(box)] or 0
            return look_at(done, Event(seat, turn, state.roll, move, state.dice, points, new.extra - old.extra))
        case _:
            return look_at(done, Event(seat, done.turn, done.roll, move, done.dice))


def labels(rules: Ruleset, words: Words) -> set[str]:
    """Name every box of a ruleset."""
    return {words.box(box.key, rules.id) for box in rules.boxes}


class Marked(Words):
    """A language in which every translated text is put between « and », so that one can see what was not translated."""

    def __init__(self) -> None:
        """Begin with English."""
        super().__init__("en")
        self.gettext = lambda text: f"«{text}»"  # type: ignore[assignment]
        self.ngettext = lambda one, many, number: f"«{one if number == 1 else many}»"  # type: ignore[assignment]
        self.pgettext = lambda _context, text: f"«{text}»"  # type: ignore[assignment]
