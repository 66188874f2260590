"""A game as it is asked for, and who plays it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from operator import itemgetter
from typing import Protocol, TypeAlias

from app.game.dice import Addressing, Stream
from app.game.errors import Unreadable
from app.game.rules import Ruleset
from app.game.state import Move, State

MAX_OPPONENTS = 3


class Kind(StrEnum):
    """What a game is played for."""

    SOLO = "solo"
    COMPUTER = "computer"
    DAILY = "daily"
    PRACTICE = "practice"


class Start(StrEnum):
    """Who begins a game against computers."""

    HUMAN_FIRST = "human_first"
    SINGLE_DIE = "single_die"


@dataclass(frozen=True, slots=True)
class Plan:
    """A game as it is asked for. `levels` has one computer opponent each; `same_dice` gives every seat the same dice."""

    ruleset: Ruleset
    kind: Kind = Kind.SOLO
    addressing: Addressing = Addressing.BY_TURN
    corrections: bool = False
    levels: tuple[str, ...] = ()
    same_dice: bool = False
    start: Start = Start.HUMAN_FIRST


class Computers(Protocol):
    """The computer players, as `app.coach.players` has them. They see a state, never a key or a die to come."""

    def seconds_to_wait(self, ruleset: Ruleset, level: str) -> int:
        """Say how long until a level can play by these rules, 0 when it can now.

        Raises:
            Unreadable: `unknown_level`, naming what there is.

        """
        ...

    def seconds_left(self, ruleset: Ruleset) -> int | None:
        """Say how long until computers can play by these rules, 0 when they can now, None where nothing is being prepared."""
        ...

    def choose(self, state: State, level: str) -> Move:
        """Choose the move of the seat to play; waits for a table that is missing."""
        ...


class NoComputers:
    """Nobody to play against: for what needs no computer players, such as recounting."""

    def seconds_to_wait(self, ruleset: Ruleset, level: str) -> int:
        """Know no level."""
        del ruleset
        raise Unreadable("unknown_level", f"There is no computer player {level!r} here.")

    def seconds_left(self, ruleset: Ruleset) -> int | None:
        """Prepare nothing."""
        del ruleset
        return None

    def choose(self, state: State, level: str) -> Move:
        """Play nothing."""
        del state
        raise Unreadable("unknown_level", f"There is no computer player {level!r} here.")


def check_plan(plan: Plan) -> None:
    """See that the parts of a plan fit each other.

    Raises:
        Unreadable: `bad_plan`.

    """
    if plan.kind is Kind.COMPUTER:
        if not 1 <= len(plan.levels) <= MAX_OPPONENTS:
            raise Unreadable(
                "bad_plan", f"A game against computers has 1 to {MAX_OPPONENTS} of them, each with its level."
            )
        if plan.corrections:
            raise Unreadable("bad_plan", "Corrections are for games alone.")
        if plan.same_dice and plan.start is not Start.HUMAN_FIRST:
            raise Unreadable("bad_plan", "With the same dice for all, the person goes first.")
    elif plan.kind is not Kind.SOLO:
        raise Unreadable("bad_plan", "What is played on a day's dice is asked for by its day.")
    elif plan.levels or plan.same_dice or plan.start is not Start.HUMAN_FIRST:
        raise Unreadable("bad_plan", "levels, same_dice and start are for games of the kind computer.")


Throws: TypeAlias = tuple[tuple[tuple[int, int], ...], ...]
"""What was thrown for the first turn: round by round, seat and face of each that threw."""


def throws_for_start(seats: int, stream: Stream) -> Throws:
    """Let every seat throw one die, and those with the highest again until one is left: the dice of turn 0, for all to check."""
    rounds: list[tuple[tuple[int, int], ...]] = []
    throwing = list(range(seats))
    for roll in count(1):
        thrown = {seat: stream.faces(1, seat, 0, roll, roll)[0] for seat in throwing}
        rounds.append(tuple(thrown.items()))
        throwing = [seat for seat in throwing if thrown[seat] == max(thrown.values())]
        if len(throwing) == 1:
            break
    return tuple(rounds)


def first_seat(plan: Plan, stream: Stream) -> int:
    """Say who begins."""
    if plan.start is Start.HUMAN_FIRST:
        return 0
    last = throws_for_start(1 + len(plan.levels), stream)[-1]
    return max(last, key=itemgetter(1))[0]
