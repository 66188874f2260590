"""The counts of all dice by face, for everybody to see: those of finished games and of closed days, never of what is still secret.

The dice of a day are counted once, with the day, however many people play them: counted with every game, they would be the same few
throws again and again, and no such count could be told from that of loaded dice. Counting goes on from where it stopped.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import erfc, exp, pi, sqrt

from app.clock import Clock
from app.daily import last_closed
from app.game.dice import FACES
from app.game.state import Roll
from app.play.course import load, replay, rules_of, stream_of
from app.play.looks import Difference
from app.play.sights import all_dice
from app.store import DayRow, GameRow, Store

AT_ONCE = 25
"""Games that are counted in one transaction."""

SECONDS = 0.5
"""For about so long a request counts at most; what is left then waits for the next one."""


class Whose(StrEnum):
    """Whose dice they were. Those of the days are people's, the same for all of them."""

    DAYS = "days"
    PEOPLE = "people"
    COMPUTERS = "computers"


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each face, 1 to 6, came up for somebody."""

    whose: Whose
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tallying:
    """The use cases of counting, on a store and a clock."""

    store: Store
    clock: Clock

    def counts(self) -> tuple[Counts, ...]:
        """Count what has been finished or has closed since the last time, and give all counts."""
        until = time.monotonic() + SECONDS
        while self._count() and time.monotonic() < until:
            pass
        with self.store.reading() as tx:
            found = tx.tallies()
        return tuple(Counts(whose, tuple(found.get((whose, face), 0) for face in FACES)) for whose in Whose)

    def recount(self) -> list[Difference]:
        """Count all games and days anew, and say what differed."""
        self._count_all()
        with self.store.writing() as tx:
            before = tx.tallies()
            tx.forget_tallies()
        self._count_all()
        with self.store.reading() as tx:
            after = tx.tallies()
        return [
            Difference("", f"count of face {face} of {whose}", str(before.get((whose, face), 0)), str(count))
            for (whose, face), count in sorted(after.items() | dict.fromkeys(before.keys() - after.keys(), 0).items())
            if count != before.get((whose, face), 0)
        ]

    def _count_all(self) -> None:
        while self._count():
            pass

    def _count(self) -> bool:
        """Count some; tell whether there was anything to count."""
        last = last_closed(self.clock())
        with self.store.reading() as tx:
            waiting = tx.games_to_tally(1) or tx.days_to_tally(last, 1)
        # Most of the time there is nothing, and then nobody who writes is kept waiting.
        if not waiting or self.store.read_only:
            return False
        with self.store.writing() as tx:
            # Of several that count at once the one that marks a game counts it.
            games = [game for game in tx.games_to_tally(AT_ONCE) if tx.mark_game_tallied(game)]
            days = [one for one in tx.days_to_tally(last, AT_ONCE) if tx.mark_day_tallied(*one)]
            found: Counter[tuple[str, int]] = Counter()
            for game in games:
                found.update(dice_of_game(*load(tx, game)))
            for day, ruleset in days:
                row = tx.day(day, ruleset)
                found.update(dice_of_day(row) if row else ())
            tx.tally(found)
        return bool(games or days)


def dice_of_game(row: GameRow, moves: list[str]) -> Iterator[tuple[str, int]]:
    """Give every die that was rolled in a game: whose it was, and its face. Where seats share their dice each is given once."""
    whose = [Whose.PEOPLE if seat.computer is None else Whose.COMPUTERS for seat in row.seats]
    counted = {whose.index(one) for one in whose} if row.shared_dice else range(len(whose))
    for event in replay(row, moves).events:
        if isinstance(event.move, Roll) and event.seat in counted:
            for place, face in enumerate(event.dice or ()):
                if place not in event.move.keep:
                    yield whose[event.seat], face


def dice_of_day(row: DayRow) -> Iterator[tuple[str, int]]:
    """Give every die that a day holds."""
    for turn in all_dice(rules_of(row), stream_of(row)):
        yield from ((Whose.DAYS, face) for faces in turn for face in faces)


def chi_square(faces: Sequence[int]) -> tuple[float, float]:
    """Hold counts by face against fair dice: the chi-square, and the chance, 0..1, that fair dice give as much or more."""
    expected = sum(faces) / len(faces)
    found = sum((count - expected) ** 2 for count in faces) / expected if expected else 0.0
    return found, beyond(found)


def beyond(square: float) -> float:
    """Give the chance, 0..1, that the chi-square of fair dice is as high or higher.

    Source: the tail of the distribution with five degrees of freedom, in its closed form.
    """
    return erfc(sqrt(square / 2)) + sqrt(2 * square / pi) * exp(-square / 2) * (1 + square / 3)
