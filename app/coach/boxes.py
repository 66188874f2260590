"""What every final roll is worth on many cards at once: the best box, with what is to come after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol, TypeAlias

import numpy as np

from app.coach.choices import Apart, Choices, Lower, Option, Plan
from app.coach.odds import Floats, Ints

CLOSED = -1e9
"""The value of a choice that there is not: far below any points, and adding points to it loses nothing that matters."""

Columns: TypeAlias = slice | Ints


@dataclass(frozen=True, slots=True)
class Cards:
    """`count` cards of one row of the table, all with `level` upper boxes filled."""

    row: int
    level: int
    columns: Columns
    count: int


class Values(Protocol):
    """The values of the states, in points still to come. The column behind the last holds `CLOSED` in every row."""

    def take(self, row: int, columns: Ints, out: Floats) -> None:
        """Write the values of a row at an array of columns."""
        ...

    def row(self, row: int, columns: Columns) -> Floats:
        """Give the values of a row at some columns."""
        ...

    def at(self, rows: Ints, columns: Ints) -> Floats:
        """Give the values of states, each by its row and column."""
        ...


def placed(cards: Sequence[Cards]) -> Iterator[tuple[Cards, slice]]:
    """Give each its place among all that are computed at once."""
    ends = accumulate(some.count for some in cards)
    return ((some, slice(end - some.count, end)) for some, end in zip(cards, ends, strict=True))


class Boxes:
    """Settles the boxes for up to `width` cards, in memory taken once. Not for two threads at a time."""

    def __init__(self, plan: Plan, width: int) -> None:
        """Take the memory."""
        odds = plan.odds
        self.plan = plan
        self.columns = plan.states.columns
        rows = max(len(odds.rolls), len(self.columns.fills))
        self._fills = np.zeros((len(self.columns.fills), width))
        self._low = np.full((len(odds.low.multisets), width), CLOSED)
        self._high = np.full((len(odds.high.multisets), width), CLOSED)
        self._work = [np.zeros(rows * width) for _ in range(3)]

    def run(self, values: Values, cards: Sequence[Cards], stop: Sequence[Floats]) -> None:
        """Write into `stop[kind]` (rolls × cards) the worth of the best box for every final roll."""
        for some, place in placed(cards):
            self._fill(values, some, place)
        for kind, target in enumerate(stop):
            self._join(kind, target)
            for some, place in placed(cards):
                choices = self.plan.choices(some.row, some.level, kind)
                self._groups(values, some, place, choices, target)
                for apart in choices.apart:
                    target[apart.roll, place] = self._apart(values, some, place, apart)

    def _fill(self, values: Values, cards: Cards, place: slice) -> None:
        """Find what each way to fill an upper box is worth on each card."""
        after = self.columns.after[:, cards.columns]
        fills = self._work[0][: after.size].reshape(after.shape)
        values.take(cards.row, after, fills)
        np.add(fills, self.columns.points, out=self._fills[:, place])

    def _join(self, kind: int, target: Floats) -> None:
        """Settle the upper boxes of each half, then every roll."""
        odds = self.plan.odds
        self._half(self.plan.low[kind], self._low)
        self._half(self.plan.high[kind], self._high)
        for block in odds.blocks[-1]:
            low = self._low[odds.low.start[block.low] : odds.low.start[block.low + 1]]
            high = self._high[odds.high.start[block.high] : odds.high.start[block.high + 1]]
            rolls = target[block.start : block.stop].reshape(block.rows, block.columns, -1)
            np.maximum(low[:, None], high[None], out=rolls)

    def _half(self, boxes: Sequence[Ints], target: Floats) -> None:
        work = self._work[0][: target.size].reshape(target.shape)
        for nth, ways in enumerate(boxes):
            self._fills.take(ways, axis=0, out=work if nth else target, mode="clip")
            if nth:
                np.maximum(target, work, out=target)

    def _groups(self, values: Values, cards: Cards, place: slice, choices: Choices, target: Floats) -> None:
        """Settle the lower and the mixed upper boxes for each group of rolls, then improve every roll by its group."""
        if not choices.lower and not choices.mixed:
            return
        size = choices.count * cards.count
        best, work = (flat[:size].reshape(choices.count, -1) for flat in self._work[:2])
        best[:] = CLOSED
        for lower in choices.lower:
            self._lower(values, cards, lower, work)
            np.maximum(best, work, out=best)
        for ways in choices.mixed:
            self._fills[:, place].take(ways, axis=0, out=work, mode="clip")
            np.maximum(best, work, out=best)
        rolls = self._work[2][: len(choices.group) * cards.count].reshape(len(choices.group), -1)
        best.take(choices.group, axis=0, out=rolls, mode="clip")
        np.maximum(target[:, place], rolls, out=target[:, place])

    @staticmethod
    def _lower(values: Values, cards: Cards, lower: Lower, target: Floats) -> None:
        scored = values.row(lower.scored, cards.columns)
        if lower.scored == lower.struck:
            np.add(lower.points, scored, out=target)
        else:
            struck = values.row(lower.struck, cards.columns)
            np.add(lower.points, np.where(lower.points > 0, scored, struck), out=target)

    def _apart(self, values: Values, cards: Cards, place: slice, apart: Apart) -> Floats:
        best = self._best(values, cards, place, apart.options) + apart.extra
        if apart.face_open is None:
            return best
        filled = self._best(values, cards, place, apart.filled_options) + apart.filled_extra
        return np.where(apart.face_open[cards.columns], best, filled)

    def _best(self, values: Values, cards: Cards, place: slice, options: Sequence[Option]) -> Floats:
        best = np.full(cards.count, CLOSED)
        for option in options:
            in_upper = option.way >= 0
            worth = (
                self._fills[option.way, place] if in_upper else values.row(option.row, cards.columns) + option.points
            )
            np.maximum(best, worth, out=best)
        return best
