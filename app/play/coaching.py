"""What the coach is asked: a hint at the table, and the review of a finished game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from threading import Lock

from app.clock import Clock
from app.coach.advice import Advice, Coach
from app.coach.ledger import Decision, Ledger, TurnReview, ledger
from app.coach.making import Tables
from app.coach.outlook import BonusChances, bonus_chances, outlook
from app.coach.policy import EQUAL
from app.coach.sheet import Unsolvable, sheet
from app.coach.workings import LARGE
from app.game.card import Card
from app.game.errors import IllegalMove, Reason, Unreadable
from app.game.notation import read_move
from app.game.rules import Ruleset
from app.game.state import State, apply
from app.play.course import begin, load, replay, rules_of, stream_of
from app.play.errors import NoCoach, NoHints, NotFinished, NotReady, NotYourSeat, StaleGame, Unadvised
from app.play.looks import Look, check_may_see, look_of
from app.play.plan import Kind
from app.store import GameRow, Status, Store

HINTED = frozenset({Kind.SOLO, Kind.COMPUTER, Kind.PRACTICE})
"""The kinds of games in which hints are given: not where players are compared by the day's dice."""

STATES_A_MASK = 32
"""About how many states there are for each set of filled boxes."""

CLOSE = 1.0
"""Points: a choice that gives away no more is close to the best."""


class Verdict(StrEnum):
    """How good a choice was, or all choices of a turn together."""

    BEST = "best"
    CLOSE = "close"
    COSTLY = "costly"


def verdict(given: float) -> Verdict:
    """Judge by the points given away."""
    if given <= EQUAL:
        return Verdict.BEST
    return Verdict.CLOSE if given <= CLOSE else Verdict.COSTLY


@dataclass(frozen=True, slots=True)
class Counsel:
    """What the coach says of a position: the worth of every choice, and where the choices lead.

    `likely` gives the chance, 0..1, of each open box to be filled at the end of this turn; empty where the best choice is a box.
    `bonus`: None where there is no bonus, and until it is worked out.
    """

    card: Card
    advice: Advice
    likely: Mapping[str, float]
    bonus: BonusChances | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """What the coach says at a table."""

    look: Look
    counsel: Counsel


@dataclass(frozen=True, slots=True)
class Review:
    """A finished game of one seat, choice by choice."""

    look: Look
    seat: int
    ledger: Ledger

    @property
    def turns(self) -> tuple[Verdict, ...]:
        """Judge each turn by all that was given away in it."""
        return tuple(verdict(given_in(turn)) for turn in self.ledger.turns)

    @property
    def choices(self) -> Iterator[Decision]:
        """Give the choices that were free."""
        return (one for turn in self.ledger.turns for one in turn.decisions if not one.forced)


def given_in(turn: TurnReview) -> float:
    """Add up the points given away in a turn."""
    return sum(decision.given for decision in turn.decisions)


@dataclass(frozen=True)
class Coaches:
    """The coaches, one a ruleset; each needs its table, which is made in the background when it is first asked for."""

    tables: Tables
    _found: dict[Ruleset, Coach] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def knows(self, rules: Ruleset) -> bool:
        """Tell whether there is a coach for a ruleset, perhaps after a wait."""
        if rules in self._found:
            return True
        try:
            return self._is_small(rules) or self.tables.find(rules) is not None
        except Unsolvable:
            return False

    def coach(self, rules: Ruleset) -> Coach:
        """Give the coach of a ruleset.

        Raises:
            NotReady: the table is being made, from now on at the latest.
            NoCoach: the ruleset has no exact solution here, or one that is made by hand only.

        """
        with self._lock:
            if rules not in self._found:
                self._found[rules] = self._make(rules)
            found = self._found[rules]
            if found.raised is None and rules.bonus and (raised := self.tables.find(rules, raised=True)):
                found.raised = Coach(raised)
            return found

    def _make(self, rules: Ruleset) -> Coach:
        try:
            table = self.tables.find(rules)
        except Unsolvable as error:
            raise NoCoach(Unadvised.UNSOLVABLE, str(error)) from None
        if table is not None:
            return Coach(table)
        if not self._is_small(rules):
            raise NoCoach(Unadvised.NOT_SOLVED, f"This game is large: `fairwind solve {rules.id}` makes its table.")
        raise NotReady(self.tables.ask(rules))

    @staticmethod
    def _is_small(rules: Ruleset) -> bool:
        """Guess whether a table is a matter of seconds; counting the states would take too long for a request."""
        sheet(rules)  # raises where there is nothing to make
        return STATES_A_MASK << len(rules.boxes) < LARGE


@dataclass(frozen=True, slots=True)
class Coaching:
    """The coach's use cases, on a store, the coaches and a clock."""

    store: Store
    coaches: Coaches
    clock: Clock

    def offers(self, look: Look) -> bool:
        """Tell whether the looker can ask for a hint now."""
        state = look.state
        return (
            look.kind in HINTED
            and not look.day_open
            and look.status is Status.PLAYING
            and look.viewer == state.to_play
            and state.dice is not None
            and self.coaches.knows(state.ruleset)
        )

    def hint(self, game_id: str, player_id: str | None, version: int) -> Hint:
        """Say what the position at `version` offers; from then on the game is assisted.

        Raises:
            UnknownGame, NotYourSeat, StaleGame: as for a move.
            IllegalMove: there is nothing to choose.
            NoHints: games of this kind are played without.
            NotReady, NoCoach: nobody can say, yet or ever.

        """
        now = self.clock()
        with self.store.reading() as tx:
            row, moves = load(tx, game_id)
            look = look_of(row, replay(row, moves), player_id, now)
            check_may_see(tx, row, look, player_id)
        state = _check(look, version)
        coach = self.coaches.coach(rules_of(row))
        # Thought of here, where nobody who writes is kept waiting; the version says that it is still the same position below.
        counsel = counsel_on(
            coach, state.card, state.dice or (), state.rolls_left, locked=locked_faces(state), roll=state.roll
        )
        with self.store.writing() as tx:
            row, moves = load(tx, game_id)
            look = look_of(row, replay(row, moves), player_id, now)
            _check(look, version)
            tx.count_hint(game_id)
            if row.kind != look.kind:
                tx.lapse(game_id)
        row = replace(row, hints=row.hints + 1)
        look = look_of(row, replay(row, moves), player_id, now)
        return Hint(look, counsel)

    def review(self, game_id: str, player_id: str | None, seat: int | None = None) -> Review:
        """Review a finished game: of the looker's seat, or of another.

        Raises:
            UnknownGame, NotYourSeat: as for a look.
            NotFinished: it goes on, or was given up.
            Unreadable: `bad_seat`.
            NotReady, NoCoach: nobody can say, yet or ever.

        """
        with self.store.reading() as tx:
            row, moves = load(tx, game_id)
            course = replay(row, moves)
            look = look_of(row, course, player_id, self.clock())
            check_may_see(tx, row, look, player_id)
        if look.status is not Status.FINISHED:
            raise NotFinished
        if seat is None:
            seat = look.viewer or 0
        if not 0 <= seat < len(look.seats):
            raise Unreadable("bad_seat", f"The seats of this game are 0 to {len(look.seats) - 1}, not {seat}.")
        coach = self.coaches.coach(look.state.ruleset)
        done = [event.move for event in course.events]
        return Review(look, seat, ledger(coach, _states(row, moves), done, seat))


def counsel_on(  # noqa: PLR0913 - a position has so many parts
    coach: Coach,
    card: Card,
    dice: Sequence[int],
    rolls_left: int,
    *,
    locked: Sequence[int] = (),
    roll: int | None = None,
) -> Counsel:
    """Say what every choice of a position is worth and where the choices lead.

    Raises:
        Unreadable: as `Coach.advise`.

    """
    advice = coach.advise(card, dice, rolls_left, locked=locked, roll=roll)
    likely = {} if isinstance(advice.best, str) else outlook(coach, card, advice.best, rolls_left)
    bonus = None
    if coach.raised:
        raised = coach.raised.advise(card, dice, rolls_left, locked=locked, roll=roll)
        bonus = bonus_chances(coach, card, advice, raised)
    return Counsel(card, advice, likely, bonus)


def locked_faces(state: State) -> tuple[int, ...]:
    """Give the faces that must be kept."""
    dice = state.dice or ()
    return tuple(dice[place] for place in state.locked)


def _check(look: Look, version: int) -> State:
    """Give the state in which the looker has a choice to make.

    Raises:
        As `Coaching.hint`.

    """
    if look.viewer is None:
        raise NotYourSeat
    if version != look.version:
        raise StaleGame(look)
    if look.kind not in HINTED or look.day_open:
        raise NoHints
    if look.status is not Status.PLAYING:
        raise IllegalMove(Reason.GAME_OVER)
    if look.state.to_play != look.viewer:
        raise IllegalMove(Reason.NOT_YOUR_TURN)
    if look.state.dice is None:
        raise IllegalMove(Reason.ROLL_FIRST)
    return look.state


def _states(row: GameRow, moves: Sequence[str]) -> list[State]:
    """Give the states of a game, one more than its moves."""
    state, stream = begin(row), stream_of(row)
    found = [state]
    for text in moves:
        state = apply(state, read_move(state.ruleset, text), stream)
        found.append(state)
    return found
