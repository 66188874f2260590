"""How a game went: its log, replayed."""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from threading import Lock

from app.game.dice import Addressing, Dice, Stream
from app.game.notation import read_move
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from app.game.state import Move, Roll, Score, State, apply, start
from app.play.errors import UnknownGame
from app.play.plan import Kind, Plan, Start
from app.store import DayRow, GameRow, Reading


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the log as it happened: the dice as they lay after a roll, or as they were scored for `points` and `extra`."""

    seat: int
    turn: int
    roll: int
    move: Move
    dice: Dice | None
    points: int = 0
    extra: int = 0


@dataclass(frozen=True, slots=True)
class Course:
    """How a game went: the state after all entries, and the entries."""

    state: State
    events: tuple[Event, ...] = ()

    @property
    def version(self) -> int:
        """The number of entries."""
        return len(self.events)

    def and_then(self, move: Move, stream: Stream) -> Course:
        """Make one more move."""
        after = apply(self.state, move, stream)
        return Course(after, (*self.events, event_of(self.state, move, after)))


def load(tx: Reading, game_id: str) -> tuple[GameRow, list[str]]:
    """Give a stored game and its log.

    Raises:
        UnknownGame: there is none of this id.

    """
    loaded = tx.load(game_id)
    if loaded is None:
        raise UnknownGame(game_id)
    return loaded


def replay(row: GameRow, moves: list[str], known: Course | None = None) -> Course:
    """Replay a log, noting down what happened; `known` is how its first entries went."""
    course = known or Course(begin(row))
    state, stream, events = course.state, stream_of(row), list(course.events)
    for text in moves[course.version :]:
        move = read_move(state.ruleset, text)
        after = apply(state, move, stream)
        events.append(event_of(state, move, after))
        state = after
    return Course(state, tuple(events))


@dataclass(frozen=True, slots=True)
class Courses:
    """How the games went that were asked for last, so that only what is new in a log is replayed; threads may share it.

    What is remembered is held against the log every time: it makes a replay short, and never another one.
    """

    most: int = 512
    _known: OrderedDict[str, tuple[GameRow, list[str], Course]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def replay(self, row: GameRow, moves: list[str]) -> Course:
        """Replay a log, as the function of that name does."""
        with self._lock:
            known = self._known.get(row.id)
        course = replay(row, moves, known[2] if known and _goes_on(known, row, moves) else None)
        with self._lock:
            self._known[row.id] = row, moves, course
            self._known.move_to_end(row.id)
            if len(self._known) > self.most:
                self._known.popitem(last=False)
        return course


def _goes_on(known: tuple[GameRow, list[str], Course], row: GameRow, moves: list[str]) -> bool:
    """Tell whether a log goes on where a known one ends, of a game that began alike."""
    before, seen, _ = known
    return _beginning(before) == _beginning(row) and moves[: len(seen)] == seen


def _beginning(row: GameRow) -> tuple[object, ...]:
    """Give all that the dice and the first state of a game depend on."""
    rules = row.ruleset, row.options, row.dice_version, row.addressing, row.key
    return *rules, len(row.seats), row.first_seat, row.shared_dice, row.corrections, bool(row.hints)


def event_of(before: State, move: Move, after: State) -> Event:
    """Note down what a move did."""
    seat, turn = before.to_play, before.turn
    match move:
        case Roll():
            return Event(seat, turn, after.roll, move, after.dice)
        case Score(box):
            old, new = before.card, after.seats[seat].card
            points = new.points[before.ruleset.place(box)] or 0
            return Event(seat, turn, before.roll, move, before.dice, points, new.extra - old.extra)
        case _:
            return Event(seat, after.turn, after.roll, move, after.dice)


def scores_of(state: State) -> dict[int, int | None]:
    """Give what is stored of each seat: the total once the game is over."""
    return {seat: taken.card.total if state.over else None for seat, taken in enumerate(state.seats)}


def stream_of(row: GameRow | DayRow) -> Stream:
    """Give the dice of a stored game or day."""
    return Stream(row.key, Addressing(row.addressing))


def begin(row: GameRow) -> State:
    """Set up the table of a stored game; whoever asked for a hint has been assisted from the beginning."""
    state = start(
        rules_of(row), len(row.seats), first=row.first_seat, shared_dice=row.shared_dice, corrections=row.corrections
    )
    return replace(state, assisted=True) if row.hints else state


def rules_of(row: GameRow | DayRow) -> Ruleset:
    """Give the ruleset that a stored game or day is played by."""
    return ruleset(row.ruleset, json.loads(row.options))


def plan_of(row: GameRow) -> Plan:
    """Plan another game like a stored one; what was not against computers becomes a game alone."""
    rules, addressing = rules_of(row), Addressing(row.addressing)
    levels = tuple(seat.computer for seat in row.seats if seat.computer is not None)
    if not levels:
        return Plan(rules, addressing=addressing, corrections=row.corrections)
    start = Start.SINGLE_DIE if row.thrown else Start.HUMAN_FIRST
    return Plan(rules, Kind.COMPUTER, addressing, levels=levels, same_dice=row.shared_dice, start=start)


def options_text(rules: Ruleset) -> str:
    """Write the chosen options as they are stored: equal choices are equal texts."""
    return json.dumps(dict(rules.options), separators=(",", ":"), sort_keys=True)
