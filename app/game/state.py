"""The turn machine: states, moves, and what follows from a move.

A state holds no key and no die to come, so it can be printed, cached, sent to a page or to a computer player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from app.game.card import Card
from app.game.dice import Dice
from app.game.errors import IllegalMove, Reason, Unreadable
from app.game.rules import Ruleset, TieBreak

MAX_SEATS = 6


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll all dice but those at the kept positions (from 0); nothing is kept on the first roll of a turn."""

    keep: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """Write the dice into the box of this key."""

    box: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the entry just written back, to choose another box for the same dice."""


Move: TypeAlias = Roll | Score | Undo


class Faces(Protocol):
    """Where dice come from; `app.game.dice.Stream` is the real one."""

    def faces(self, count: int, seat: int, turn: int, roll: int, nth: int) -> Dice:
        """Give the faces of one roll."""
        ...


@dataclass(frozen=True, slots=True)
class Seat:
    """One place at the table: its card, saved rolls, rolls in the whole game, and entries it still loses to a penalty."""

    card: Card
    pool: int = 0
    rolled: int = 0
    penalties: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """A position of a game between two moves.

    `turn` counts from 1. `roll` is the number of rolls made in this turn; `kept` the positions kept at the last roll,
    `locked` those that may not be rolled again. `winner` is set when the game is won at once. `before` is what an undo goes
    back to, `corrected` says that the present turn was reopened by one.
    """

    ruleset: Ruleset
    seats: tuple[Seat, ...]
    shared_dice: bool = False
    corrections: bool = False
    to_play: int = 0
    roll: int = 0
    dice: Dice | None = None
    kept: tuple[int, ...] = ()
    locked: tuple[int, ...] = ()
    winner: int | None = None
    before: State | None = None
    corrected: bool = False
    assisted: bool = False

    @property
    def seat(self) -> Seat:
        """The seat whose turn it is."""
        return self.seats[self.to_play]

    @property
    def card(self) -> Card:
        """The card of the seat whose turn it is."""
        return self.seat.card

    @property
    def turn(self) -> int:
        """The turn of the seat to play, from 1; after the end the last turn."""
        return min(self.card.filled + 1, len(self.ruleset.boxes))

    @property
    def over(self) -> bool:
        """Tell whether the game has ended."""
        return self.winner is not None or all(seat.card.full for seat in self.seats)

    @property
    def rolls_left(self) -> int:
        """Count the rolls still allowed in this turn, saved ones included."""
        if self.over or self.corrected:
            return 0
        return max(self.ruleset.rolls - self.roll, 0) + self.seat.pool


@dataclass(frozen=True, slots=True)
class Legal:
    """What the seat to play may do: roll, undo, boxes with the points they would bring, and the closed boxes with the reason."""

    roll: bool
    undo: bool
    boxes: Mapping[str, int]
    closed: Mapping[str, Reason]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won: one seat, or several with a draw."""

    winners: tuple[int, ...]
    draw: bool


def start(
    ruleset: Ruleset, seats: int = 1, *, first: int = 0, shared_dice: bool = False, corrections: bool = False
) -> State:
    """Set up a table of 1 to 6 seats; `first` begins, then clockwise.

    Raises:
        Unreadable: `bad_seats`.

    """
    if not 1 <= seats <= MAX_SEATS or not 0 <= first < seats:
        raise Unreadable("bad_seats", f"A table has 1 to {MAX_SEATS} seats, and one of them begins.")
    if corrections and seats > 1:
        raise Unreadable("bad_seats", "Corrections are for games alone.")
    empty = Seat(Card.empty(ruleset))
    return State(ruleset, (empty,) * seats, shared_dice, corrections, to_play=first)


def legal(state: State) -> Legal:
    """Say what may be done now."""
    boxes: dict[str, int] = {}
    closed: dict[str, Reason] = {}
    previews = {} if state.dice is None or state.over else state.card.previews(state.dice, state.roll)
    for box, points in zip(state.ruleset.boxes, state.card.points, strict=True):
        if points is not None:
            closed[box.key] = Reason.FILLED
        elif box.key not in previews:
            closed[box.key] = Reason.GAME_OVER if state.over else Reason.ROLL_FIRST
        elif (reason := previews[box.key].reason) is not None:
            closed[box.key] = reason
        else:
            boxes[box.key] = previews[box.key].points
    return Legal(state.rolls_left > 0, state.before is not None and not state.over, boxes, closed)


def apply(state: State, move: Move, stream: Faces) -> State:
    """Make a move of the seat to play.

    Raises:
        IllegalMove: the rules refuse it; the state is unchanged.
        Unreadable: `bad_keep`, `unknown_box`.

    """
    if state.over:
        raise IllegalMove(Reason.GAME_OVER)
    match move:
        case Roll(keep):
            return _roll(state, keep, stream)
        case Score(box):
            return _score(state, box)
        case Undo():
            return _undo(state)


def replay(state: State, moves: Iterable[Move], stream: Faces) -> State:
    """Make moves one after the other."""
    for move in moves:
        state = apply(state, move, stream)
    return state


def outcome(state: State) -> Outcome | None:
    """Say who won, None while the game goes on."""
    if not state.over:
        return None
    if state.winner is not None:
        return Outcome((state.winner,), draw=False)

    def rank(seat: Seat) -> tuple[int, int]:
        upper = [seat.card.points[place] for place in state.ruleset.upper.values()]
        scored = sum(1 for points in upper if points) if state.ruleset.tie_break is TieBreak.UPPER_COUNT else 0
        return seat.card.total, scored

    ranks = [rank(seat) for seat in state.seats]
    winners = tuple(seat for seat, found in enumerate(ranks) if found == max(ranks))
    return Outcome(winners, draw=len(winners) > 1)


def _roll(state: State, keep: tuple[int, ...], stream: Faces) -> State:
    _check_keep(state, keep)
    rules, seat, nth = state.ruleset, state.seat, state.roll + 1
    faces = iter(stream.faces(rules.dice, 0 if state.shared_dice else state.to_play, state.turn, nth, seat.rolled))
    old = state.dice or (0,) * rules.dice
    dice = tuple(old[place] if place in keep else next(faces) for place in range(rules.dice))
    pool = seat.pool - 1 if nth > rules.rolls else seat.pool
    kept = tuple(sorted(keep))
    # Written out, not `replace`d: a game is replayed for every request, and this is most of the work.
    after = State(
        rules,
        _seated(state, Seat(seat.card, pool, seat.rolled + 1, seat.penalties)),
        state.shared_dice,
        state.corrections,
        state.to_play,
        nth,
        dice,
        kept,
        kept if rules.locked_dice else (),
        assisted=state.assisted,
    )
    return replace(after, winner=state.to_play) if rules.served_wins and _wins_at_once(after) else after


def _check_keep(state: State, keep: tuple[int, ...]) -> None:
    count = state.ruleset.dice
    if len(set(keep)) != len(keep) or any(place not in range(count) for place in keep):
        raise Unreadable("bad_keep", f"Kept positions are different numbers from 0 to {count - 1}.")
    if not state.rolls_left:
        raise IllegalMove(Reason.NO_ROLLS_LEFT)
    if state.dice is None and keep:
        raise IllegalMove(Reason.ROLL_FIRST)
    if len(keep) == count:
        raise IllegalMove(Reason.NOTHING_TO_ROLL)
    if not set(state.locked) <= set(keep):
        raise IllegalMove(Reason.LOCKED_DIE)


def _wins_at_once(state: State) -> bool:
    """Tell whether five of a kind on the first roll wins: among several, unless the seat has struck its five-of-a-kind box.

    Not with shared dice: the others would roll the same, so being first to move would decide.
    """
    rules = state.ruleset
    if len(state.seats) == 1 or state.shared_dice or state.roll != 1 or state.dice is None:
        return False
    return rules.five_alike(state.dice, state.roll) and state.card.points[rules.index[rules.five_box]] != 0


def _score(state: State, key: str) -> State:
    place = state.ruleset.place(key)
    if state.card.points[place] is not None:
        raise IllegalMove(Reason.FILLED)
    if state.dice is None:
        raise IllegalMove(Reason.ROLL_FIRST)
    reason = state.card.closed(state.dice, state.roll).get(place)
    if reason is not None:
        raise IllegalMove(reason)
    rules, seat = state.ruleset, state.seat
    pool = seat.pool + max(rules.rolls - state.roll, 0) if rules.saved_rolls else seat.pool
    written = Seat(seat.card.write(place, state.dice, state.roll), pool, seat.rolled, seat.penalties)
    # An entry can be taken back once: a turn that was reopened leaves nothing to go back to.
    before = replace(state, before=None) if state.corrections and not state.corrected else None
    if rules.penalty:
        state = _penalize(state)
    return _next_seat(
        State(
            rules,
            _seated(state, written),
            state.shared_dice,
            state.corrections,
            state.to_play,
            before=before,
            assisted=state.assisted,
        )
    )


def _penalize(state: State) -> State:
    """Give every other seat a lost entry when a further five of a kind is scored under the penalty rule."""
    rules = state.ruleset
    if state.dice is None or not rules.five_alike(state.dice, state.roll):
        return state
    if not state.card.points[rules.index[rules.five_box]]:
        return state
    seats = tuple(
        seat if place == state.to_play else replace(seat, penalties=seat.penalties + 1)
        for place, seat in enumerate(state.seats)
    )
    return replace(state, seats=seats)


def _next_seat(state: State) -> State:
    """Pass the turn on; a seat that loses its entry writes 0 in its topmost open box, which is its turn."""
    if len(state.seats) == 1:
        return state
    while True:
        state = replace(state, to_play=(state.to_play + 1) % len(state.seats))
        seat = state.seat
        if state.over or not seat.penalties or seat.card.full:
            return state
        topmost = next(seat.card.open_places())
        state = replace(
            state, seats=_seated(state, replace(seat, card=seat.card.put(topmost, 0), penalties=seat.penalties - 1))
        )


def _undo(state: State) -> State:
    if state.before is None:
        raise IllegalMove(Reason.NOTHING_TO_UNDO)
    return replace(state.before, corrected=True, assisted=True)


def _seated(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Give the seats with another one in the place of the one to play."""
    return (*state.seats[: state.to_play], seat, *state.seats[state.to_play + 1 :])
