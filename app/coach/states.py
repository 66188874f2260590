"""The states that a card can be in between two turns, and where each stands in a table.

After a box is filled only this matters: which boxes are filled, the upper sum, and of some boxes whether they hold
points. A table has a row for each state of the lower boxes and a column for each state of the upper ones. Upper sums
that lead to the same bonus whatever comes are one class; sums that no play reaches are not there. Values are points
still to come, the whole upper bonus included.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from app.coach.odds import Floats, Ints
from app.coach.sheet import Sheet, Situation, sheet
from app.game.card import Card
from app.game.rules import Ruleset

RAISE = 2.0**-6
"""Points by which a raised upper bonus is larger: so few that hardly a choice changes, so many that tables still tell them."""


@dataclass(frozen=True, eq=False)
class Columns:
    """The states of the upper boxes, fewest filled first; with every upper bonus so many points larger."""

    sheet: Sheet
    raised: float = 0.0

    @cached_property
    def states(self) -> tuple[tuple[int, int], ...]:
        """List them as (filled boxes as bits in sheet order, upper sum); one sum stands for its class."""
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
        """Give the sum that stands for this one: itself while a bonus is open, else where its bonus begins."""
        reached = 0
        for step in self._steps:
            if step > total:
                return total if total + self._rest[mask] >= step else reached
            reached = step
        return reached

    @cached_property
    def _steps(self) -> tuple[int, ...]:
        """List the sums from which a bonus begins, lowest first."""
        return tuple(sorted(step.at_least for step in self.sheet.ruleset.bonus))

    @cached_property
    def _rest(self) -> tuple[int, ...]:
        """Give for each set of filled boxes the most points that the open ones can still bring."""
        most = [values[-1] for values in self.sheet.upper_values]
        masks = range(1 << len(most))
        return tuple(sum(points for nth, points in enumerate(most) if not mask >> nth & 1) for mask in masks)

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
        points = np.array([self.sheet.ruleset.upper_bonus(total) for _, total in self.states], dtype=np.float64)
        return np.where(points > 0, points + self.raised, points)

    @cached_property
    def is_open(self) -> NDArray[np.bool_]:
        """Tell for each upper box and column whether the box is open there."""
        nths = range(len(self.sheet.upper))
        return np.array([[not mask >> nth & 1 for mask, _ in self.states] for nth in nths], dtype=np.bool_)

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
        """Give the column that each way to fill leads to: ways × columns; one behind the last where it is closed."""
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
        if self.sheet.ruleset.forced_order:
            return [(1 << filled) - 1 for filled in range(count + 1)]
        return range(1 << count)

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
    """Rows and columns together: where a card stands in a table, and which states play can reach.

    `raised`: points by which every upper bonus is larger than the sheet's. A value under a bonus raised a little is larger by
    that little times the chance of the bonus under best play, so two tables tell the chance of the bonus in every position.
    """

    sheet: Sheet
    raised: float = 0.0

    @cached_property
    def columns(self) -> Columns:
        """The states of the upper boxes."""
        return Columns(self.sheet, self.raised)

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

    @lru_cache(maxsize=65536)  # noqa: B019 - states are few and stay
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
        return self.count_rows(range(self.shape[0]))

    def count_rows(self, rows: Sequence[int]) -> int:
        """Count the states of some rows that play can reach."""
        sizes = [stop - start for start, stop in pairwise(self.columns.level)]
        return sum(size for row in rows for filled, size in enumerate(sizes) if self.reachable(row, filled))

    @cached_property
    def definition(self) -> str:
        """Give a hash of everything that the values follow from; rules that play alike alone have the same."""
        rules = self.sheet.ruleset
        turn = (rules.dice, self.sheet.kinds, rules.locked_dice, rules.forced_order, self.sheet.upper, rules.bonus)
        text = hashlib.sha256(repr((turn, self.sheet.flagged, *([self.raised] if self.raised else []))).encode())
        for situation in self.sheet.situations:
            text.update(situation.points.astype("<i2").tobytes())
            text.update(repr(situation.specials).encode())
        return text.hexdigest()


@lru_cache(maxsize=64)
def states(ruleset: Ruleset, *, raised: bool = False) -> States:
    """List the states of a ruleset; the same object each time. `raised`: with every upper bonus larger by `RAISE`.

    Raises:
        Unsolvable: where the ruleset has no exact solution here.

    """
    return States(sheet(ruleset), RAISE if raised else 0.0)
