"""What becomes of the games of the perfect player: exact means, deviation and rates, by following all games at once.

The states are passed from the empty card on. Each is reached with some chance and carries the first two moments of the
points written so far, so that every figure comes out of one pass.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from queue import SimpleQueue
from threading import Lock

import numpy as np

from app.coach.boxes import Cards, placed
from app.coach.choices import Apart, Option, Plan
from app.coach.odds import Floats, Ints
from app.coach.policy import EQUAL
from app.coach.solve import WIDTH_STEP, Progress, batches, portions
from app.coach.states import States
from app.coach.tables import Table
from app.coach.turns import Turns
from app.coach.walk import Walk


@dataclass(frozen=True, slots=True)
class Statistics:
    """Figures of the perfect player's solo games: points, and rates 0..1.

    `boxes`: the mean of each box. `zero_rates`: how often a box ends with 0. `bonus_rate`: how often any upper bonus is
    earned; `bonus_mean`, `extra_mean`: what the upper bonus and the further fives of a kind bring on average.
    """

    mean: float
    standard_deviation: float
    bonus_rate: float
    bonus_mean: float
    extra_mean: float
    boxes: Mapping[str, float]
    zero_rates: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Ways:
    """Ways to write into a box: the points of each (ways × 1) and where they lead.

    Of a lower box: the rows after a zero and after points, in the same column. Of an upper box: `after`, the columns of
    each way, ways × columns, in the same row.
    """

    place: int
    points: Floats
    struck: int
    scored: int
    after: Ints | None


@dataclass(frozen=True, slots=True)
class Sorted:
    """The ordinary rolls sorted by the way in which they fill a box: each roll's way; the rolls in order, each way's first."""

    ways: Ways
    way: Ints
    order: Ints
    first: Ints


class Followed:
    """All games at once: of each state the chance, and the first and second moment of the points so far times the chance."""

    def __init__(self, states: States) -> None:
        """Begin with the empty card."""
        self.states = states
        self.moments = np.zeros((3, states.shape[0], states.shape[1] + 1))
        self.moments[0, 0, 0] = 1.0
        boxes = len(states.sheet.ruleset.boxes)
        self._points = np.zeros(boxes)
        self._zeros = np.zeros(boxes)
        self._extra = 0.0
        self._lock = Lock()

    def count(self, place: int, points: Floats, extra: int, chances: Floats) -> None:
        """Count what goes into a box: each of some points with some chance."""
        with self._lock:
            self._points[place] += chances @ points
            self._zeros[place] += chances[points == 0].sum()
            self._extra += float(extra * chances.sum())

    def go_across(self, row: int, cards: Cards, moments: Floats) -> None:
        """Let games go on in another row, in the same columns: 3 × cards."""
        with self._lock:
            self.moments[:, row, cards.columns] += moments

    def go_along(self, row: int, columns: Ints, moments: Floats) -> None:
        """Let games go on in the same row, in other columns. Only one thread works on a row."""
        for target, moment in zip(self.moments, moments, strict=True):
            np.add.at(target[row], columns.ravel(), moment.ravel())

    def statistics(self) -> Statistics:
        """Give the figures once all games are over."""
        states = self.states
        full = slice(states.columns.level[-2], states.columns.level[-1])
        chances, once, twice = self.moments[:, states.rows.level[-2] :, full].sum(axis=1)
        bonus = states.columns.bonus[full]
        mean = float((once + bonus * chances).sum())
        square = float((twice + 2 * bonus * once + bonus**2 * chances).sum())
        keys = [box.key for box in states.sheet.ruleset.boxes]
        return Statistics(
            mean,
            sqrt(max(square - mean**2, 0.0)),
            float(chances[bonus > 0].sum()),
            float((bonus * chances).sum()),
            self._extra,
            dict(zip(keys, self._points.tolist(), strict=True)),
            dict(zip(keys, self._zeros.tolist(), strict=True)),
        )


class Follower:
    """Follows games through a turn. Not for two threads at a time."""

    def __init__(self, table: Table, plan: Plan, walk: Walk, games: Followed) -> None:
        """Follow `games` by the values of a table."""
        self.table = table
        self.states = table.states
        self.plan = plan
        self.walk = walk
        self.games = games
        self.turns = Turns(plan)
        self._sorted = lru_cache(maxsize=256)(self._sort)

    def follow_rows(self, rows: range) -> None:
        """Follow the games on the cards of some rows to their next rows; all rows with fewer boxes are done."""
        for level in range(len(self.states.sheet.upper) + 1):
            for cards in batches(self.states, rows, level):
                count = sum(some.count for some in cards)
                rolling = self.turns.run(self.table, cards, -(-count // WIDTH_STEP) * WIDTH_STEP)
                ends = self.walk.ends(rolling)
                for some, place in placed(cards):
                    moments = self.games.moments[:, some.row, some.columns].copy()
                    for kind, chances in enumerate(ends):
                        self._end(some, kind, chances[:, place], rolling.stop[kind][:, place], moments)

    def _end(self, cards: Cards, kind: int, chances: Floats, best: Floats, moments: Floats) -> None:
        """Write the final rolls of a kind, rolls × cards, into the boxes that the perfect player chooses."""
        left = chances.copy()
        for apart in self.plan.choices(cards.row, cards.level, kind).apart:
            self._end_apart(cards, apart, left[apart.roll].copy(), moments)
            left[apart.roll] = 0.0
        enough = best - EQUAL
        for place in self.states.sheet.choices(self.states.open(cards.row, cards.level)):
            rolls = self._sorted(cards.row, cards.level, kind, place)
            worth = self._worth(cards, rolls.ways).take(rolls.way, axis=0)
            chosen = np.where(worth >= enough, left, 0.0)
            left -= chosen
            together = np.add.reduceat(chosen.take(rolls.order, axis=0), rolls.first, axis=0)
            self._write(cards, rolls.ways, 0, together, moments)

    def _end_apart(self, cards: Cards, apart: Apart, chances: Floats, moments: Floats) -> None:
        """Write a roll that the rules treat apart."""
        if apart.face_open is None:
            self._choose(cards, apart.options, apart.extra, chances, moments)
            return
        is_open = apart.face_open[cards.columns]
        self._choose(cards, apart.options, apart.extra, np.where(is_open, chances, 0.0), moments)
        self._choose(cards, apart.filled_options, apart.filled_extra, np.where(is_open, 0.0, chances), moments)

    def _choose(self, cards: Cards, options: Sequence[Option], extra: int, chances: Floats, moments: Floats) -> None:
        if not options:
            return
        ways = [self._way(option) for option in options]
        worths = [self._worth(cards, way) for way in ways]
        enough = np.maximum.reduce(worths) - EQUAL
        left = chances.reshape(1, -1)
        for way, worth in zip(ways, worths, strict=True):
            chosen = np.where(worth >= enough, left, 0.0)
            left = left - chosen
            self._write(cards, way, extra, chosen, moments)

    def _worth(self, cards: Cards, ways: Ways) -> Floats:
        """Give what each way is worth on each card, without an extra bonus: ways × cards."""
        if ways.after is None:
            struck = self.table.row(ways.struck, cards.columns)
            scored = self.table.row(ways.scored, cards.columns)
            return np.where(ways.points > 0, scored, struck) + ways.points
        after = ways.after[:, cards.columns]
        worth = np.empty(after.shape)
        self.table.take(cards.row, after, worth)
        return worth + ways.points

    def _write(self, cards: Cards, ways: Ways, extra: int, chances: Floats, moments: Floats) -> None:
        """Let games go on from a box, each way with its chances: ways × cards."""
        self.games.count(ways.place, ways.points[:, 0], extra, chances @ moments[0])
        gain = ways.points + extra
        if ways.after is not None:
            gained = np.stack([chances, gain * chances, gain**2 * chances])
            self.games.go_along(cards.row, ways.after[:, cards.columns], _add_up(gained, moments))
            return
        scores = ways.points[:, 0] > 0
        for row, those in ((ways.scored, scores), (ways.struck, ~scores)):
            powers = np.vander(gain[those, 0], 3, increasing=True).T
            self.games.go_across(row, cards, _add_up(powers @ chances[those], moments))

    def _way(self, option: Option) -> Ways:
        points = np.array([[float(option.points)]])
        after = self.states.columns.after[[option.way]] if option.way >= 0 else None
        return Ways(option.place, points, option.row, option.row, after)

    def _sort(self, row: int, level: int, kind: int, place: int) -> Sorted:
        sheet = self.states.sheet
        if place in sheet.upper:
            nth = sheet.upper.index(place)
            fills, way = np.unique(self.states.columns.ways[kind, nth], return_inverse=True)
            ways = Ways(place, self.states.columns.points[fills], row, row, self.states.columns.after[fills])
        else:
            values, way = np.unique(self.states.situation(row, level).points[kind, place], return_inverse=True)
            after = self.states.rows.after
            struck, scored = after(row, place, scored=False), after(row, place, scored=True)
            ways = Ways(place, values.astype(np.float64).reshape(-1, 1), struck, scored, None)
        order = np.argsort(way, kind="stable")
        return Sorted(ways, way, order, np.searchsorted(way[order], np.arange(len(ways.points))))


def _add_up(gained: Floats, moments: Floats) -> Floats:
    """Give the moments of sums: `gained`, 3 × … × cards, of what is added; `moments`, 3 × cards, of what there was."""
    chance, once, twice = moments
    return np.stack(
        [
            gained[0] * chance,
            gained[1] * chance + gained[0] * once,
            gained[2] * chance + 2 * gained[1] * once + gained[0] * twice,
        ]
    )


def statistics(table: Table, *, threads: int = 0, progress: Progress | None = None) -> Statistics:
    """Follow all games of the perfect player by a table."""
    states = table.states
    threads = threads or len(os.sched_getaffinity(0))
    plan = Plan(states)
    walk = Walk(states.sheet.odds, locked=states.sheet.ruleset.locked_dice)
    games = Followed(states)
    idle: SimpleQueue[Follower] = SimpleQueue()
    for _ in range(threads):
        idle.put(Follower(table, plan, walk, games))

    def work(rows: range) -> None:
        follower = idle.get()
        try:
            follower.follow_rows(rows)
        finally:
            idle.put(follower)

    done = 0
    with ThreadPoolExecutor(threads) as pool:
        for level in range(len(states.sheet.lower) + 1):
            tasks = {pool.submit(work, rows): rows for rows in portions(states, level, threads)}
            for task in as_completed(tasks):
                task.result()
                done += states.count_rows(tasks[task])
                if progress:
                    progress(done)
    return games.statistics()
