"""What becomes of the games of the perfect player: exact means, deviation and rates, by following all games at once.

The states are passed from the empty card on. Each is reached with some chance and carries the first two moments of the
points written so far, so that every figure comes out of one pass.
"""

from __future__ import annotations

from collections import defaultdict
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
from app.coach.solve import WIDTH_STEP, Progress, batches, portions, processors, rows_of
from app.coach.states import States
from app.coach.tables import Table
from app.coach.turns import Turns
from app.coach.walk import Walk

_POWERS = np.array([[0, 1, 2]])


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
    """Ways to write into a box: the points of each (ways × 1), and where they lead.

    Of a lower box: the rows after a zero and after points, in the same column. Of an upper box: `fills`, their numbers
    among all ways to fill upper boxes, which lead to other columns of the same row.
    """

    place: int
    points: Floats
    struck: int
    scored: int
    fills: Ints | None


@dataclass(frozen=True, slots=True)
class Sorted:
    """The ordinary rolls sorted by the way in which they fill a box: each roll's way; the rolls in order, each way's first."""

    ways: Ways
    way: Ints
    order: Ints
    first: Ints


class Leaving:
    """With what chances the games on some cards leave them, and for where.

    `fills`: for each extra bonus, the chance of each way to fill an upper box: ways × cards. `rows`: for each row of the
    table, the zeroth, first and second power of what is gained on the way there: 3 × cards.
    """

    def __init__(self, ways: int, cards: int) -> None:
        """Begin with nothing."""
        self.fills: dict[int, Floats] = defaultdict(lambda: np.zeros((ways, cards)))
        self.rows: dict[int, Floats] = defaultdict(lambda: np.zeros((3, cards)))

    def add(self, ways: Ways, extra: int, chances: Floats) -> None:
        """Add the chances of ways to write into a box: ways × cards."""
        if ways.fills is not None:
            self.fills[extra][ways.fills] += chances
            return
        powers = (ways.points + extra) ** _POWERS
        scores = ways.points[:, 0] > 0
        for row, those in ((ways.scored, scores), (ways.struck, ~scores)):
            if those.any():
                self.rows[row] += powers[those].T @ chances[those]


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

    def follow_rows(self, rows: Sequence[int]) -> None:
        """Follow the games on the cards of some rows to their next rows; all rows with fewer boxes are done."""
        for level in range(len(self.states.sheet.upper) + 1):
            for cards in batches(self.states, rows, level):
                count = sum(some.count for some in cards)
                rolling = self.turns.run(self.table, cards, -(-count // WIDTH_STEP) * WIDTH_STEP)
                ends = self.walk.ends(rolling)
                for some, place in placed(cards):
                    leaving = Leaving(len(self.states.columns.fills), some.count)
                    for kind, chances in enumerate(ends):
                        self._end(some, kind, chances[:, place], rolling.stop[kind][:, place], leaving)
                    self._leave(some, leaving)

    def _end(self, cards: Cards, kind: int, chances: Floats, best: Floats, leaving: Leaving) -> None:
        """Write the final rolls of a kind, rolls × cards, into the boxes that the perfect player chooses."""
        left = chances.copy()
        for apart in self.plan.choices(cards.row, cards.level, kind).apart:
            self._end_apart(cards, apart, left[apart.roll].copy(), leaving)
            left[apart.roll] = 0.0
        enough = best - EQUAL
        for place in self.states.sheet.choices(self.states.open(cards.row, cards.level)):
            rolls = self._sorted(cards.row, cards.level, kind, place)
            worth = self._worth(cards, rolls.ways).take(rolls.way, axis=0)
            chosen = np.where(worth >= enough, left, 0.0)
            left -= chosen
            together = np.add.reduceat(chosen.take(rolls.order, axis=0), rolls.first, axis=0)
            self._write(cards, rolls.ways, 0, together, leaving)

    def _end_apart(self, cards: Cards, apart: Apart, chances: Floats, leaving: Leaving) -> None:
        """Write a roll that the rules treat apart."""
        if apart.face_open is None:
            self._choose(cards, apart.options, apart.extra, chances, leaving)
            return
        is_open = apart.face_open[cards.columns]
        self._choose(cards, apart.options, apart.extra, np.where(is_open, chances, 0.0), leaving)
        self._choose(cards, apart.filled_options, apart.filled_extra, np.where(is_open, 0.0, chances), leaving)

    def _choose(self, cards: Cards, options: Sequence[Option], extra: int, chances: Floats, leaving: Leaving) -> None:
        left = chances.reshape(1, -1)
        if not options or not left.any():
            return
        ways = [self._way(option) for option in options]
        worths = [self._worth(cards, way) for way in ways]
        enough = np.maximum.reduce(worths) - EQUAL
        for way, worth in zip(ways, worths, strict=True):
            chosen = np.where(worth >= enough, left, 0.0)
            left = left - chosen
            self._write(cards, way, extra, chosen, leaving)

    def _worth(self, cards: Cards, ways: Ways) -> Floats:
        """Give what each way is worth on each card, without an extra bonus: ways × cards."""
        if ways.fills is None:
            worth = self.table.row(ways.scored, cards.columns) + ways.points
            if ways.struck != ways.scored:
                worth = np.where(ways.points > 0, worth, self.table.row(ways.struck, cards.columns))
            return worth
        after = self.states.columns.after[ways.fills, cards.columns]
        worth = np.empty(after.shape)
        self.table.take(cards.row, after, worth)
        return worth + ways.points

    def _write(self, cards: Cards, ways: Ways, extra: int, chances: Floats, leaving: Leaving) -> None:
        """Write into a box, each way with its chances: ways × cards."""
        likely = chances @ self.games.moments[0, cards.row, cards.columns]
        self.games.count(ways.place, ways.points[:, 0], extra, likely)
        leaving.add(ways, extra, chances)

    def _leave(self, cards: Cards, leaving: Leaving) -> None:
        """Let the games go on."""
        moments = self.games.moments[:, cards.row, cards.columns].copy()
        for row, gained in leaving.rows.items():
            self.games.go_across(row, cards, _add_up(gained, moments))
        for extra, chances in leaving.fills.items():
            gain = self.states.columns.points + extra
            gained = np.stack([chances, gain * chances, gain**2 * chances])
            self.games.go_along(cards.row, self.states.columns.after[:, cards.columns], _add_up(gained, moments))

    def _way(self, option: Option) -> Ways:
        points = np.array([[float(option.points)]])
        fills = np.array([option.way]) if option.way >= 0 else None
        return Ways(option.place, points, option.row, option.row, fills)

    def _sort(self, row: int, level: int, kind: int, place: int) -> Sorted:
        sheet = self.states.sheet
        if place in sheet.upper:
            nth = sheet.upper.index(place)
            fills, way = np.unique(self.states.columns.ways[kind, nth], return_inverse=True)
            ways = Ways(place, self.states.columns.points[fills], row, row, fills)
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
    threads = threads or processors()
    plan = Plan(states)
    walk = Walk(states.sheet.odds, locked=states.sheet.ruleset.locked_dice)
    games = Followed(states)
    idle: SimpleQueue[Follower] = SimpleQueue()
    for _ in range(threads):
        idle.put(Follower(table, plan, walk, games))

    def work(rows: Sequence[int]) -> None:
        follower = idle.get()
        try:
            follower.follow_rows(rows)
        finally:
            idle.put(follower)

    done = 0
    with ThreadPoolExecutor(threads) as pool:
        for level in range(len(states.sheet.lower) + 1):
            tasks = {pool.submit(work, rows): rows for rows in portions(rows_of(states, level), threads)}
            for task in as_completed(tasks):
                task.result()
                done += states.count_rows(tasks[task])
                if progress:
                    progress(done)
    return games.statistics()
