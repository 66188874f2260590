"""Many games of one player at once, dice by dice: how strong a way to play is, and a check on the solver.

All games stand at the same turn. Games on equal cards share the worths of that turn, so they are sorted by card; what a game
rolls and how its player wavers is drawn for each game before, so neither order nor threads change anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from math import ceil, sqrt
from queue import SimpleQueue
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.coach.boxes import CLOSED, Cards, placed
from app.coach.choices import Plan
from app.coach.games import Games, Offers, codes
from app.coach.levels import BEST, Manner, boxes_seem, draw, keeps_seem, taste
from app.coach.odds import Floats, Ints, odds
from app.coach.policy import EQUAL, STOP, Judge, Judged
from app.coach.rolling import Rolling
from app.coach.solve import WIDTH_STEP, processors, width
from app.coach.tables import Table
from app.coach.turns import Turns

GAMES_AT_ONCE = 100_000
"""More games come in several parts, so that memory stays small. Not to be changed lightly: the dice of a seed follow from it."""

_CARDS_OF_A_CHUNK = 4096
PERCENTS = (1, 5, 25, 50, 75, 95, 99)

Progress: TypeAlias = Callable[[float], None]
"""Is told which part of the work is done, 0..1."""


@dataclass(frozen=True, eq=False)
class Simulation:
    """What came of many games: by game the `totals`, the upper `bonus` and the `extra` bonuses; `boxes`: games × boxes.

    `rolls` counts all rolls of all games.
    """

    totals: Ints
    boxes: NDArray[np.int16]
    bonus: Ints
    extra: Ints
    rolls: int

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.totals)

    @cached_property
    def mean(self) -> float:
        """The mean total, in points."""
        return float(self.totals.mean())

    @cached_property
    def standard_deviation(self) -> float:
        """The standard deviation of a total, in points; 0 of a single game."""
        return float(self.totals.std(ddof=1)) if self.games > 1 else 0.0

    @property
    def standard_error(self) -> float:
        """The standard error of the mean, in points."""
        return self.standard_deviation / sqrt(self.games)

    @property
    def quantiles(self) -> dict[int, int]:
        """Give for some percents the total that so many of the games do not exceed."""
        found = np.percentile(self.totals, PERCENTS, method="inverted_cdf")
        return dict(zip(PERCENTS, found.tolist(), strict=True))

    @property
    def rolls_a_turn(self) -> float:
        """The mean number of rolls in a turn."""
        return self.rolls / self.boxes.size


def simulate(  # noqa: PLR0913 - all but the first two have a default
    table: Table,
    games: int,
    seed: int,
    *,
    manner: Manner = BEST,
    threads: int = 0,
    progress: Progress | None = None,
) -> Simulation:
    """Play games alone; the same seed gives the same games, whatever the number of threads (0: one for each processor)."""
    plan = Plan(table.states)
    threads = threads or processors()
    parts: list[Simulation] = []
    with ThreadPoolExecutor(threads) as pool:
        for number, begin in enumerate(range(0, games, GAMES_AT_ONCE)):
            count = min(GAMES_AT_ONCE, games - begin)
            rounds = _Rounds(table, plan, manner, Games(table, count, np.random.default_rng([seed, number])), threads)
            for turn in range(rounds.turns):
                rounds.play(pool, turn)
                if progress:
                    progress((begin + count * (turn + 1) / rounds.turns) / games)
            parts.append(_finished(rounds.games))
    return _joined(parts)


def _finished(games: Games) -> Simulation:
    bonus = games.states.columns.bonus[games.columns].astype(np.intp)
    totals = games.points.sum(axis=1, dtype=np.intp) + bonus + games.extra
    return Simulation(totals, games.points, bonus, games.extra, int(games.rolls.sum()))


def _joined(parts: list[Simulation]) -> Simulation:
    return Simulation(
        np.concatenate([part.totals for part in parts]),
        np.concatenate([part.boxes for part in parts]),
        np.concatenate([part.bonus for part in parts]),
        np.concatenate([part.extra for part in parts]),
        sum(part.rolls for part in parts),
    )


@dataclass(frozen=True, eq=False)
class _Batch:
    """Cards whose turns are worked out together, and the games that stand on them, sorted by card."""

    cards: list[Cards]
    games: list[Ints]
    """For each of the `cards` the games, and in `on` on which of its columns each stands."""
    on: list[Ints]


class _Rounds:
    """Plays the turns of games, each turn of all of them before the next."""

    def __init__(self, table: Table, plan: Plan, manner: Manner, games: Games, threads: int) -> None:
        self.states, self.games = table.states, games
        self.turns = len(games.rules.boxes)
        self._idle: SimpleQueue[Player] = SimpleQueue()
        for _ in range(threads):
            self._idle.put(Player(table, plan, manner))

    def play(self, pool: ThreadPoolExecutor, turn: int) -> None:
        """Play a turn of all games."""
        self.games.throw()
        for _ in pool.map(self._play_batch, list(self._batches(turn))):
            pass

    def _play_batch(self, batch: _Batch) -> None:
        player = self._idle.get()
        try:
            player.play(self.games, batch)
        finally:
            self._idle.put(player)

    def _batches(self, turn: int) -> Iterator[_Batch]:
        """Sort the games by card and cut the cards into parts that the cache holds."""
        most = width(self.states)
        columns = self.states.shape[1]
        keys, on = np.unique(self.games.rows * columns + self.games.columns, return_inverse=True)
        order = np.argsort(on, kind="stable")
        ends = np.cumsum(np.bincount(on, minlength=len(keys)))
        for begin in range(0, len(keys), most):
            batch = _Batch([], [], [])
            places = range(begin, min(begin + most, len(keys)))
            for row, of_row in groupby(places, key=lambda place: int(keys[place]) // columns):
                several = list(of_row)
                first, last = several[0], several[-1]
                games = order[ends[first - 1] if first else 0 : ends[last]]
                level = turn - self.states.rows.states[row][0].bit_count()
                batch.cards.append(Cards(row, level, keys[first : last + 1] % columns, len(several)))
                batch.games.append(games)
                batch.on.append(on[games] - first)
            yield batch


@dataclass(slots=True)
class _Going:
    """Games of one row in the middle of a turn: which, the column of the turn's worths of each, what it holds fast."""

    games: Ints
    on: Ints
    held: Ints
    dice: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.intp))

    def only(self, those: Ints) -> _Going:
        return _Going(self.games[those], self.on[those], self.held[those], self.dice[those])


class Player:
    """One way to play. Not for two threads at a time."""

    def __init__(self, table: Table, plan: Plan, manner: Manner) -> None:
        """Play by a table in a manner."""
        self.table, self.manner = table, manner
        self.states = table.states
        self.rules = table.states.sheet.ruleset
        self._codes = codes(self.rules.dice)
        self._offers = Offers(odds(self.rules.dice), locked=self.rules.locked_dice)
        self._taste = taste(self.rules)
        self._turns, self._judge = Turns(plan), Judge(plan)

    def play(self, games: Games, batch: _Batch) -> None:
        """Play a turn of the games of a batch."""
        count = sum(some.count for some in batch.cards)
        worths = self._turns.run(self.table, batch.cards, ceil(count / WIDTH_STEP) * WIDTH_STEP)
        for (cards, place), those, on in zip(placed(batch.cards), batch.games, batch.on, strict=True):
            for begin in range(0, len(those), _CARDS_OF_A_CHUNK):
                chunk = slice(begin, begin + _CARDS_OF_A_CHUNK)
                nothing = np.zeros(len(those[chunk]), dtype=np.intp)
                self._turn(games, worths, cards, _Going(those[chunk], on[chunk] + place.start, nothing))

    def _turn(self, games: Games, worths: Rolling, cards: Cards, going: _Going) -> None:
        for roll in range(1, self.rules.rolls + 1):
            if not len(going.games):
                break
            free = self.rules.dice - self._codes.size[going.held]
            thrown = games.thrown[going.games, roll - 1, free]
            going.dice = self._codes.roll[self._codes.of_keep[going.held] + thrown]
            games.rolls[going.games] += 1
            kept = (self._best if self.manner.perfect else self._human)(games, worths, cards, going, roll)
            going = going.only(np.flatnonzero(kept != STOP))
            going.held = kept[kept != STOP]

    def _best(self, games: Games, worths: Rolling, cards: Cards, going: _Going, roll: int) -> Ints:
        """Choose as the perfect player does: write the boxes taken, give the keeps."""
        left, kind = self.rules.rolls - roll, self.states.sheet.kinds[roll - 1]
        kept = np.full(len(going.games), STOP)
        if left:
            offered, _ = self._offers.of(going.held, going.dice)
            kept = _preferred(worths.keeps[left][offered, going.on], offered, worths.stop[kind][going.dice, going.on])
        stopping = going.only(np.flatnonzero(kept == STOP))
        judged = self._judged(games, cards, stopping, kind)
        games.write(stopping.games, judged, judged.choose(), np.arange(len(stopping.games)))
        return kept

    def _human(self, games: Games, worths: Rolling, cards: Cards, going: _Going, roll: int) -> Ints:
        """Choose as people do."""
        left, kind = self.rules.rolls - roll, self.states.sheet.kinds[roll - 1]
        judged = self._judged(games, cards, going, kind)
        seeming = boxes_seem(self.manner, judged, self._taste, rolls_left=left > 0)
        count = 0
        offered = np.zeros((0, len(going.games)), dtype=np.intp)
        if left:
            offered, real = self._offers.of(going.held, going.dice)
            count = len(offered)
            liking = self._taste.of_keeps(self.states.rows.open(cards.row))[offered]
            keeps = keeps_seem(self.manner, worths.keeps[left][offered, going.on], liking)
            seeming = np.concatenate([np.where(real, keeps, CLOSED), seeming])
        chosen = draw(self.manner, seeming, games.wavering[going.games, roll - 1])
        stopping = np.flatnonzero(chosen >= count)
        games.write(going.games[stopping], judged, chosen[stopping] - count, stopping)
        kept = np.full(len(chosen), STOP)
        keeping_on = np.flatnonzero(chosen < count)
        kept[keeping_on] = offered[chosen[keeping_on], keeping_on]
        return kept

    def _judged(self, games: Games, cards: Cards, going: _Going, kind: int) -> Judged:
        some = Cards(cards.row, cards.level, games.columns[going.games], len(going.games))
        return self._judge.judge(self.table, some, going.dice, kind)


def _preferred(worth: Floats, offered: Ints, stop: Floats) -> Ints:
    """Choose as `policy.choose_keep` does, where each game has dice of its own: `worth`, `offered` are keeps × games."""
    enough = np.maximum(worth.max(axis=0), stop) - EQUAL
    first = (worth >= enough).argmax(axis=0)
    return np.where(stop >= enough, STOP, np.take_along_axis(offered, first[None], axis=0)[0])
