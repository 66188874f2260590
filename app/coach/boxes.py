"""What every final roll is worth on many cards at once: the best box, with what is to come after it.

The upper boxes that depend on the low faces alone are settled for each multiset of low faces, those of the high faces
likewise, and the two are joined as outer products. The other boxes are settled for groups of rolls that pay alike. Rolls
under a joker rule or an extra bonus are done one by one at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from app.coach.odds import Floats, Half, Ints
from app.coach.sheet import Choice, Special
from app.coach.states import States

CLOSED = -1e9
"""The value of a choice that there is not; far below any points, and adding points to it loses nothing that matters."""

Columns: TypeAlias = slice | Ints


@dataclass(frozen=True, slots=True)
class Cards:
    """`count` cards of one row of the table, all with `level` upper boxes filled."""

    row: int
    level: int
    columns: Columns
    count: int


@dataclass(frozen=True, slots=True)
class Groups:
    """Rolls put together that pay alike: for each group the points by lower box and the ways by upper box; each roll's group."""

    points: Mapping[int, Floats]
    ways: Mapping[int, Ints]
    group: Ints
    count: int


class Plan:
    """How the boxes of a ruleset are settled, whatever the cards; shared by all threads."""

    def __init__(self, states: States) -> None:
        """Look which upper boxes depend on one half of the faces only."""
        self.states = states
        self.odds = states.sheet.odds
        self.kinds = states.sheet.kinds[-1] + 1
        nths = range(len(states.sheet.upper))
        low = [nth for nth in nths if self._depends_on(self.odds.low, nth)]
        high = [nth for nth in nths if nth not in low and self._depends_on(self.odds.high, nth)]
        self.mixed = tuple(nth for nth in nths if nth not in low and nth not in high)
        self.low = [[self._ways(self.odds.low, kind, nth) for nth in low] for kind in range(self.kinds)]
        self.high = [[self._ways(self.odds.high, kind, nth) for nth in high] for kind in range(self.kinds)]
        self.groups = lru_cache(maxsize=256)(self._groups)

    def _part(self, half: Half) -> Ints:
        """Give for each roll the place of its multiset of a half's faces."""
        place = {hand: place for place, hand in enumerate(half.multisets)}
        return np.array([place[tuple(face for face in dice if face in half.faces)] for dice in self.odds.rolls], dtype=np.intp)

    def _depends_on(self, half: Half, nth: int) -> bool:
        return all(
            np.array_equal(self._ways(half, kind, nth)[self._part(half)], self.states.columns.ways[kind, nth])
            for kind in range(self.kinds)
        )

    def _ways(self, half: Half, kind: int, nth: int) -> Ints:
        """Give the way in which each multiset of a half fills an upper box, if that is all it depends on."""
        ways = np.zeros(len(half.multisets), dtype=np.intp)
        ways[self._part(half)] = self.states.columns.ways[kind, nth]
        return ways

    def _groups(self, row: int, level: int, kind: int) -> Groups:
        """Put together the rolls that pay alike in the lower boxes open in a row, and in the mixed upper boxes."""
        table = self.states.situation(row, level).points[kind]
        places = self.states.lower_choices(row, level)
        ways = {nth: self.states.columns.ways[kind, nth] for nth in self.mixed if level < len(self.states.sheet.upper)}
        key = np.zeros(table.shape[1], dtype=np.int64)
        for column in (*(table[place] for place in places), *ways.values()):
            _, key = np.unique(key * (int(column.max()) + 1) + column, return_inverse=True)
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
        points = {place: table[place, first].astype(np.float64).reshape(-1, 1) for place in places}
        return Groups(points, {nth: way[first] for nth, way in ways.items()}, group, len(first))


class Boxes:
    """Settles the boxes for up to `width` cards. Not for two threads at a time."""

    def __init__(self, plan: Plan, width: int) -> None:
        """Take memory once."""
        odds = plan.odds
        self.plan = plan
        self.states = plan.states
        self.width = width
        self._fills = np.zeros((len(plan.states.columns.fills), width))
        self._low = np.full((len(odds.low.multisets), width), CLOSED)
        self._high = np.full((len(odds.high.multisets), width), CLOSED)
        self._work = [np.zeros(len(odds.rolls) * width) for _ in range(3)]

    def run(self, values: Floats, cards: Iterable[Cards], stop: list[Floats]) -> None:
        """Write into `stop[kind]` (rolls × cards) the best box for every final roll.

        `values`: the table of the states after, rows × columns with one column more that holds `CLOSED`.
        """
        places: list[tuple[Cards, slice]] = []
        begin = 0
        for some in cards:
            places.append((some, slice(begin, begin + some.count)))
            begin += some.count
        for some, place in places:
            self._fill(values[some.row], some, place)
        for kind, target in enumerate(stop):
            self._join(kind, target)
            for some, place in places:
                self._settle_groups(values, some, place, kind, target)
                self._settle_specials(values, some, place, kind, target)

    def _fill(self, row: Floats, some: Cards, place: slice) -> None:
        """Find what each way to fill an upper box is worth on each card."""
        after = self.states.columns.after[:, some.columns]
        fills = self._work[0][: after.size].reshape(after.shape)
        np.take(row, after, out=fills, mode="clip")
        np.add(fills, self.states.columns.points, out=self._fills[:, place])

    def _join(self, kind: int, target: Floats) -> None:
        """Settle the upper boxes of each half, then every roll."""
        odds = self.plan.odds
        self._settle_half(self.plan.low[kind], self._low)
        self._settle_half(self.plan.high[kind], self._high)
        for block in odds.blocks[-1]:
            low = self._low[odds.low.start[block.low] : odds.low.start[block.low + 1]]
            high = self._high[odds.high.start[block.high] : odds.high.start[block.high + 1]]
            rolls = target[block.start : block.stop].reshape(block.rows, block.columns, -1)
            np.maximum(low[:, None], high[None], out=rolls)

    def _settle_half(self, boxes: list[Ints], target: Floats) -> None:
        part = self._work[0][: target.size].reshape(target.shape)
        for nth, ways in enumerate(boxes):
            np.take(self._fills, ways, axis=0, out=part if nth else target, mode="clip")
            if nth:
                np.maximum(target, part, out=target)

    def _settle_groups(self, values: Floats, some: Cards, place: slice, kind: int, target: Floats) -> None:
        groups = self.plan.groups(some.row, some.level, kind)
        if not groups.points and not groups.ways:
            return
        shape = (groups.count, some.count)
        best, part = (work[: groups.count * some.count].reshape(shape) for work in self._work[:2])
        best[:] = CLOSED
        for nth in groups.points:
            self._lower(values, some, nth, groups.points[nth], part)
            np.maximum(best, part, out=best)
        for ways in groups.ways.values():
            np.take(self._fills[:, place], ways, axis=0, out=part, mode="clip")
            np.maximum(best, part, out=best)
        rolls = self._work[2][: len(groups.group) * some.count].reshape(-1, some.count)
        np.take(best, groups.group, axis=0, out=rolls, mode="clip")
        np.maximum(target[:, place], rolls, out=target[:, place])

    def _lower(self, values: Floats, some: Cards, place: int, points: Floats, target: Floats) -> None:
        """Find what filling a lower box with these points (groups × 1) is worth: groups × cards."""
        scored = values[self.states.rows.after(some.row, place, scored=True), some.columns]
        if place in self.states.sheet.flagged:
            struck = values[self.states.rows.after(some.row, place, scored=False), some.columns]
            np.add(points, np.where(points > 0, scored, struck), out=target)
        else:
            np.add(points, scored, out=target)

    def _settle_specials(self, values: Floats, some: Cards, place: slice, kind: int, target: Floats) -> None:
        for special in self.states.situation(some.row, some.level).specials[kind]:
            target[special.roll, place] = self._special(values, some, place, special)

    def _special(self, values: Floats, some: Cards, place: slice, special: Special) -> Floats:
        best = self._choose(values, some, place, special.open)
        if special.filled is None:
            return best
        box = self.states.sheet.upper.index(special.face_box)
        is_open = self.states.columns.is_open[box, some.columns]
        return np.where(is_open, best, self._choose(values, some, place, special.filled))

    def _choose(self, values: Floats, some: Cards, place: slice, choice: Choice) -> Floats:
        best = np.full(some.count, CLOSED)
        still_open = self.states.open(some.row, some.level)
        for box, points in choice.points.items():
            if box not in still_open:
                continue
            if box in self.states.sheet.upper:
                way = self.states.columns.fill[self.states.sheet.upper.index(box), points]
                worth = self._fills[way, place]
            else:
                worth = points + values[self.states.rows.after(some.row, box, scored=points > 0), some.columns]
            np.maximum(best, worth, out=best)
        return best + choice.extra
