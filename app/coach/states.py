"""The states that a card can be in between two turns, and where each stands in a table.

After a box is filled only this matters: which boxes are filled, the upper sum, and of some boxes whether they hold points.
A table has a row for each state of the lower boxes and a column for each state of the upper ones. Upper sums that lead to
the same bonus whatever comes are one class; sums that no play reaches are not there. Values are points still to come, the
whole upper bonus included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from app.coach.odds import Floats, Ints
from app.coach.sheet import Sheet, Situation, sheet
from app.game.card import Card
from app.game.rules import Ruleset


@dataclass(frozen=True, eq=False)
class Columns:
    """The states of the upper boxes, fewest filled first."""

    sheet: Sheet

    @cached_property
    def states(self) -> tuple[tuple[int, int], ...]:
        """List them as (filled boxes as bits in sheet order, upper sum); of a class of sums its lowest stands for all."""
        found = {(0, self._class(0, 0))}
        new = list(found)
        while new:
            mask, total = new.pop()
            reached = {self._next(mask, total, nth, points) for nth, points in self._fills(mask)} - found
            found |= reached
            new.extend(reached)
        return tuple(sorted(found, key=lambda state: (state[0].bit_count(), state)))

    def _fills(self, mask: int) -> Iterator[tuple[int, int]]:
        """Give each box that may be filled next with each of its points."""
        nths = [nth for nth in range(len(self.sheet.upper)) if not mask >> nth & 1]
        for nth in nths[:1] if self.sheet.ruleset.forced_order else nths:
            yield from ((nth, points) for points in self.sheet.upper_values[nth])

    def _next(self, mask: int, total: int, nth: int, points: int) -> tuple[int, int]:
        after = mask | 1 << nth
        return after, self._class(after, total + points)

    def _class(self, mask: int, total: int) -> int:
        """Give the sum that stands for this one: itself while it decides about a bonus, else what its bonus begins at."""
        rest = sum(values[-1] for nth, values in enumerate(self.sheet.upper_values) if not mask >> nth & 1)
        steps = sorted(step.at_least for step in self.sheet.ruleset.bonus)
        ahead = [step for step in steps if step > total]
        if ahead and total + rest >= ahead[0]:
            return total
        return max((step for step in steps if step <= total), default=0)

    @cached_property
    def place(self) -> dict[tuple[int, int], int]:
        """Map each state to its column."""
        return {state: column for column, state in enumerate(self.states)}

    def find(self, mask: int, total: int) -> int:
        """Give the column of a state with this upper sum."""
        return self.place[mask, self._class(mask, total)]

    @cached_property
    def level(self) -> tuple[int, ...]:
        """Give for each number of filled upper boxes its first column; the last number counts all columns."""
        filled = [mask.bit_count() for mask, _ in self.states]
        return tuple(sum(1 for count in filled if count < level) for level in range(len(self.sheet.upper) + 2))

    @cached_property
    def bonus(self) -> Floats:
        """Give for each column the upper bonus that its sum has reached, in points."""
        return np.array([self.sheet.ruleset.upper_bonus(total) for _, total in self.states], dtype=np.float64)

    @cached_property
    def is_open(self) -> NDArray[np.bool_]:
        """Tell for each upper box and column whether the box is open there."""
        masks = np.array([mask for mask, _ in self.states])
        return (masks >> np.arange(len(self.sheet.upper))[:, None] & 1) == 0

    @cached_property
    def fills(self) -> tuple[tuple[int, int], ...]:
        """List the ways to fill an upper box: (which, points)."""
        return tuple((nth, points) for nth, values in enumerate(self.sheet.upper_values) for points in values)

    @cached_property
    def fill(self) -> dict[tuple[int, int], int]:
        """Map each way to fill an upper box to its place in `fills`."""
        return {way: place for place, way in enumerate(self.fills)}

    @cached_property
    def points(self) -> Floats:
        """Give the points of each way to fill an upper box: ways × 1."""
        return np.array([[points] for _, points in self.fills], dtype=np.float64)

    @cached_property
    def after(self) -> Ints:
        """Give the column that each way to fill leads to: ways × columns; the count of columns where the box is closed."""
        allowed = [set(self._fills(mask)) for mask, _ in self.states]
        return np.array(
            [
                [
                    self.place[self._next(*state, *way)] if way in allowed[column] else len(self.states)
                    for column, state in enumerate(self.states)
                ]
                for way in self.fills
            ],
            dtype=np.intp,
        )

    @cached_property
    def ways(self) -> Ints:
        """Give the way in which each ordinary roll fills each upper box: kinds of roll × upper boxes × rolls."""
        table = self.sheet.upper_points
        ways = np.zeros(table.shape, dtype=np.intp)
        for kind, nth in np.ndindex(table.shape[:2]):
            ways[kind, nth] = [self.fill[nth, points] for points in table[kind, nth].tolist()]
        return ways


@dataclass(frozen=True, eq=False)
class Rows:
    """The states of the other boxes, fewest filled first."""

    sheet: Sheet

    @cached_property
    def states(self) -> tuple[tuple[int, frozenset[int]], ...]:
        """List them as (filled boxes as bits in sheet order, the places of the flagged boxes that hold points)."""
        found = [(mask, scored) for mask in self._masks() for scored in self._scored(mask)]
        return tuple(sorted(found, key=lambda state: (state[0].bit_count(), state[0], sorted(state[1]))))

    def _masks(self) -> Sequence[int]:
        count = len(self.sheet.lower)
        return [(1 << filled) - 1 for filled in range(count + 1)] if self.sheet.ruleset.forced_order else range(1 << count)

    def _scored(self, mask: int) -> Iterator[frozenset[int]]:
        filled = [place for place in self.sheet.flagged if mask >> self.sheet.lower.index(place) & 1]
        for holds in product((False, True), repeat=len(filled)):
            yield frozenset(place for place, held in zip(filled, holds, strict=True) if held)

    @cached_property
    def place(self) -> dict[tuple[int, frozenset[int]], int]:
        """Map each state to its row."""
        return {state: row for row, state in enumerate(self.states)}

    @cached_property
    def level(self) -> tuple[int, ...]:
        """Give for each number of filled boxes its first row; the last number counts all rows."""
        filled = [mask.bit_count() for mask, _ in self.states]
        return tuple(sum(1 for count in filled if count < level) for level in range(len(self.sheet.lower) + 2))

    def open(self, row: int) -> tuple[int, ...]:
        """List the places of the open lower boxes."""
        mask, _ = self.states[row]
        return tuple(place for nth, place in enumerate(self.sheet.lower) if not mask >> nth & 1)

    def after(self, row: int, place: int, *, scored: bool) -> int:
        """Give the row that filling a box leads to."""
        mask, holds = self.states[row]
        flag = {place} if scored and place in self.sheet.flagged else set()
        return self.place[mask | 1 << self.sheet.lower.index(place), holds | flag]


@dataclass(frozen=True, eq=False)
class States:
    """Rows and columns together: where a card stands in a table, and which states play can reach."""

    sheet: Sheet

    @cached_property
    def columns(self) -> Columns:
        """The states of the upper boxes."""
        return Columns(self.sheet)

    @cached_property
    def rows(self) -> Rows:
        """The states of the other boxes."""
        return Rows(self.sheet)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Rows × columns."""
        return len(self.rows.states), len(self.columns.states)

    def find(self, card: Card) -> tuple[int, int]:
        """Give the row and the column of a card."""
        upper = sum(1 << nth for nth, place in enumerate(self.sheet.upper) if card.points[place] is not None)
        lower = sum(1 << nth for nth, place in enumerate(self.sheet.lower) if card.points[place] is not None)
        scored = frozenset(place for place in self.sheet.flagged if card.points[place])
        return self.rows.place[lower, scored], self.columns.find(upper, card.upper_sum)

    def level(self, column: int) -> int:
        """Count the filled upper boxes of a column."""
        return self.columns.states[column][0].bit_count()

    def reachable(self, row: int, level: int) -> bool:
        """Tell whether play reaches cards of this row with that many upper boxes filled."""
        if not self.sheet.ruleset.forced_order:
            return True
        upper, lower = self.sheet.upper[:level], self.sheet.lower[: self.rows.states[row][0].bit_count()]
        return set(upper) | set(lower) == set(range(len(upper) + len(lower)))

    def open(self, row: int, level: int) -> tuple[int, ...]:
        """List the open places in sheet order; of the upper ones all that may be open with `level` of them filled."""
        first = level if self.sheet.ruleset.forced_order else 0
        upper = self.sheet.upper[first:] if level < len(self.sheet.upper) else ()
        return tuple(sorted((*upper, *self.rows.open(row))))

    def situation(self, row: int, level: int) -> Situation:
        """Find the situation that the cards of a row and level are in; they have an open box."""
        return self.sheet.situation(self.open(row, level), self.rows.states[row][1])

    def lower_choices(self, row: int, level: int) -> tuple[int, ...]:
        """List the lower boxes that an ordinary roll may choose from."""
        lower = set(self.sheet.lower)
        return tuple(place for place in self.sheet.choices(self.open(row, level)) if place in lower)

    @cached_property
    def count(self) -> int:
        """Count the states that play can reach."""
        return sum(
            self.columns.level[level + 1] - self.columns.level[level]
            for row in range(self.shape[0])
            for level in range(len(self.sheet.upper) + 1)
            if self.reachable(row, level)
        )


@lru_cache(maxsize=64)
def states(ruleset: Ruleset) -> States:
    """List the states of a ruleset; the same object each time.

    Raises:
        Unsolvable: where the ruleset has no exact solution here.

    """
    return States(sheet(ruleset))
