"""From the values of final rolls to the value of every keep and of the whole turn, for many cards at once.

Every array has a column for each card. Memory is taken once and used again: fresh pages cost as much as the arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.coach.odds import Floats, Ints, Odds


@dataclass(frozen=True, slots=True)
class Mean:
    """One block of keeps as the mean over the next die: a product for each half of the faces, then their sum."""

    low: Floats
    low_source: Floats
    low_target: Floats
    high: Floats
    high_source: Floats
    high_target: Floats
    total: Floats

    def run(self) -> None:
        """Compute the block."""
        np.matmul(self.low, self.low_source, out=self.low_target)
        np.matmul(self.high, self.high_source, out=self.high_target)
        np.add(self.total, self.low_target, out=self.total)


@dataclass(frozen=True, slots=True)
class Better:
    """Keeps of one size made at least as good as with one die less; `rows`: what is left of the first of them."""

    source: Floats
    rows: Ints
    part: Floats
    target: Floats

    def run(self) -> None:
        """Improve the keeps."""
        self.source.take(self.rows, axis=1, out=self.part, mode="clip")
        np.maximum(self.target, self.part, out=self.target)


class Best:
    """The best of stopping and of every keep, when a keep of some size is held fast and the other dice lie there.

    `values[more]`: held keeps × multisets of `more` other dice in the order of variety × cards.
    """

    def __init__(self, odds: Odds, size: int, width: int, work: Floats) -> None:
        """Plan for held keeps of `size` dice."""
        held = odds.keeps[size]
        others = [[odds.keeps[more][row] for row in odds.by_variety[more]] for more in range(odds.dice - size + 1)]
        self.values = [np.zeros((len(held), len(other), width)) for other in others]
        joined = [[tuple(sorted(keep + more)) for keep in held for more in other] for other in others]
        self.rows = [np.array([odds.stack_row[keep] for keep in keeps], dtype=np.intp) for keeps in joined[:-1]]
        self.roll_rows = np.array([odds.row[roll] for roll in joined[-1]], dtype=np.intp)
        self.chances = odds.chances[-1 - size][odds.by_variety[odds.dice - size]].reshape(1, -1)
        self.plan = [
            Better(
                self.values[more - 1],
                rows,
                work[: len(held) * len(rows) * width].reshape(len(held), len(rows), width),
                self.values[more][:, : len(rows)],
            )
            for more in range(1, len(others))
            for rows in odds.removals[more]
        ]

    def run(self, keeps: Floats, stop: Floats) -> Floats:
        """Give the best for the dice on the table: held keeps × rolls of the others × cards.

        `keeps`: the worth of rolling on, a stack of keeps × cards; `stop`: the worth of stopping, rolls × cards.
        """
        for values, rows in zip(self.values, self.rows, strict=False):
            keeps.take(rows, axis=0, out=values.reshape(len(rows), -1), mode="clip")
        values = self.values[-1]
        stop.take(self.roll_rows, axis=0, out=values.reshape(len(self.roll_rows), -1), mode="clip")
        for step in self.plan:
            step.run()
        return values


class Rolling:
    """The rolls of a turn for `width` cards. Not for two threads at a time.

    Put the values of final rolls into `stop[kind]` (rolls × cards), then `run`: `keeps[left]` holds the value of every
    keep with that many rolls left before the dice are thrown (keeps of a stack × cards; `keeps[0]` is not used),
    `start` the value of the turn (1 × cards).
    """

    def __init__(self, odds: Odds, kinds: Sequence[int], width: int, *, locked: bool) -> None:
        """Plan a turn of as many rolls as there are `kinds`; `locked`: what was kept once stays kept."""
        self.odds = odds
        self.kinds = tuple(kinds)
        self.locked = locked
        self.width = width
        rolls = len(odds.rolls)
        held = range(odds.dice if locked and len(kinds) > 2 else 1)  # noqa: PLR2004
        most = max(len(odds.keeps[size]) * len(odds.keeps[odds.dice - size]) for size in held)
        self._work = np.zeros(most * width)
        self.stop = [np.zeros((rolls, width)) for _ in range(max(kinds) + 1)]
        self.keeps = [np.zeros((odds.start[odds.dice], width)) for _ in kinds]
        self.start = np.zeros((1, width))
        self._rolled = np.zeros((rolls, width))
        self._best = [Best(odds, size, width, self._work) for size in held]
        sources = [self.stop[-1] if left == 1 else self._rolled for left in range(len(kinds))]
        self._means = [self._plan(source, keeps) for source, keeps in zip(sources, self.keeps, strict=True)]

    def _plan(self, rolls: Floats, keeps: Floats) -> list[Mean]:
        """Plan the means over the next die for all keeps, the largest first."""
        odds = self.odds
        values = [keeps[odds.start[size] : odds.start[size + 1]] for size in range(odds.dice)] + [rolls]
        return [
            self._mean(low, size - low, values[size], values[size + 1])
            for size in reversed(range(odds.dice))
            for low in range(size + 1)
        ]

    def _mean(self, low: int, high: int, target: Floats, source: Floats) -> Mean:
        odds = self.odds
        block = odds.blocks[low + high][low]
        more_low = odds.blocks[low + high + 1][low + 1]
        more_high = odds.blocks[low + high + 1][low]
        part = self._work[: block.rows * block.columns * self.width]
        total = target[block.start : block.stop]
        return Mean(
            odds.low.means[low],
            source[more_low.start : more_low.stop].reshape(more_low.rows, -1),
            part.reshape(block.rows, -1),
            odds.high.means[high],
            source[more_high.start : more_high.stop].reshape(more_high.rows, more_high.columns, -1),
            total.reshape(block.rows, block.columns, -1),
            total.reshape(block.rows, -1),
        )

    def run(self) -> None:
        """Compute the values of all keeps and of the turn."""
        last = len(self.kinds) - 1
        for left in range(1, last + 1):
            if self.locked and left > 1:
                self._hold(left)
            else:
                self._mean_of(left)
        if last:
            best = self._best[0]
            np.matmul(best.chances, best.run(self.keeps[last], self.stop[self.kinds[0]])[0], out=self.start)
        else:
            np.matmul(self.odds.chances[-1], self.stop[0], out=self.start[0])

    def _mean_of(self, left: int) -> None:
        """Find the keeps with `left` rolls left as means over the best for every roll to come."""
        if left > 1:
            best = self._best[0].run(self.keeps[left - 1], self.stop[self.kinds[-left]])
            best[0].take(self.odds.from_variety[-1], axis=0, out=self._rolled, mode="clip")
        for step in self._means[left]:
            step.run()

    def _hold(self, left: int) -> None:
        """Find the keeps with `left` rolls left when they stay kept."""
        for size, best in enumerate(self._best):
            values = best.run(self.keeps[left - 1], self.stop[self.kinds[-left]])
            target = self.keeps[left][self.odds.start[size] : self.odds.start[size + 1]]
            np.matmul(best.chances, values, out=target.reshape(len(values), 1, -1))
