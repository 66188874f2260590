"""What the perfect player chooses: always the same among choices of equal worth, whatever machine computed them.

Worths within `EQUAL` of the best are equal. Among them: a box before a keep, the boxes in sheet order, then the keep of
more dice, then that of higher faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from app.coach.boxes import Cards, Values
from app.coach.choices import Apart, Option, Plan
from app.coach.odds import Floats, Ints, Odds, odds
from app.coach.sheet import Points
from app.game.dice import Dice

EQUAL = 1e-4
"""Points; wider than any error of the values, narrower than any difference that a person would care for."""

STOP = -1
"""Stands for a box where the choice is between boxes and keeps."""


def preferred(keep: Dice) -> tuple[int, Dice]:
    """Give the key that sorts keeps of equal worth, the one to take first."""
    return -len(keep), tuple(-face for face in sorted(keep, reverse=True))


@dataclass(frozen=True, eq=False)
class Keeping:
    """What may be kept of every roll, as rows in a stack of keeps, the preferred first."""

    odds: Odds

    @lru_cache(maxsize=4096)  # noqa: B019 - there is one of these for each number of dice, and it stays
    def of(self, held: Dice, loose: Dice) -> tuple[int, ...]:
        """List what may be kept of dice of which some are held fast; never all of them."""
        keeps = {tuple(sorted(held + more)) for size in range(len(loose)) for more in combinations(loose, size)}
        return tuple(self.odds.stack_row[keep] for keep in sorted(keeps, key=preferred))


@lru_cache
def keeping(dice: int) -> Keeping:
    """Give what may be kept of a number of dice; the same object each time."""
    return Keeping(odds(dice))


def choose_keep(worth: Floats, offered: Ints, stop: Floats) -> Ints:
    """Choose between the best box and the keeps on offer, for several dice on several cards.

    `worth`: dice × keeps × cards, the preferred keeps first; `offered`: dice × keeps, their rows in a stack; `stop`: dice ×
    cards, the worth of the best box. Gives dice × cards the row, or `STOP`.
    """
    enough = np.maximum(worth.max(axis=1), stop) - EQUAL
    first = (worth >= enough[:, None]).argmax(axis=1)
    return np.where(stop >= enough, STOP, np.take_along_axis(offered, first, axis=1))


@dataclass(frozen=True, slots=True)
class Judged:
    """What the boxes are worth for some final rolls on some cards.

    `places`: the boxes in sheet order. `worth`, `points`, `rows`, `columns`: boxes × cards; `worth` counts all from now on
    and is far below 0 for what may not be chosen; rows and columns say where in a table the box leads. `extra`: the bonus
    that comes with any box, in `worth` but not in `points`.
    """

    places: tuple[int, ...]
    worth: Floats
    points: Ints
    rows: Ints
    columns: Ints
    extra: Ints

    def choose(self) -> Ints:
        """Give for each card the box to take, as its index in `places`."""
        return np.asarray((self.worth >= self.worth.max(axis=0) - EQUAL).argmax(axis=0))


class Judge:
    """Says what every single box is worth, where `Boxes` says it of the best."""

    def __init__(self, plan: Plan) -> None:
        """Judge by a plan."""
        self.plan = plan
        self.states = plan.states
        self._upper = {place: nth for nth, place in enumerate(plan.states.sheet.upper)}

    def judge(self, values: Values, cards: Cards, rolls: Ints, kind: int) -> Judged:
        """Judge one final roll of a kind for each card; `cards.columns` is an array."""
        columns = np.asarray(cards.columns)
        places = self.states.sheet.choices(self.states.open(cards.row, cards.level))
        rows, after, points = np.zeros((3, len(places), cards.count), dtype=np.intp)
        found = Judged(places, np.empty(points.shape), points, rows, after, np.zeros(cards.count, dtype=np.intp))
        table = self.states.situation(cards.row, cards.level).points[kind]
        for index, place in enumerate(places):
            if place in self._upper:
                ways = self.states.columns.ways[kind, self._upper[place], rolls]
                self._put_upper(found, index, cards.row, columns, ways)
            else:
                self._put_lower(found, index, cards.row, columns, table[place, rolls])
        for apart in self.plan.choices(cards.row, cards.level, kind).apart:
            self._put_apart(found, apart, columns, np.flatnonzero(rolls == apart.roll))
        found.worth[:] = values.at(found.rows, found.columns) + found.points + found.extra
        return found

    def _put_upper(self, found: Judged, index: int, row: int, columns: Ints, ways: Ints) -> None:
        found.points[index] = self.states.columns.points[ways, 0]
        found.rows[index] = row
        found.columns[index] = self.states.columns.after[ways, columns]

    def _put_lower(self, found: Judged, index: int, row: int, columns: Ints, points: Points) -> None:
        after, place = self.states.rows.after, found.places[index]
        found.points[index] = points
        found.rows[index] = np.where(points > 0, after(row, place, scored=True), after(row, place, scored=False))
        found.columns[index] = columns

    def _put_apart(self, found: Judged, apart: Apart, columns: Ints, those: Ints) -> None:
        """Put right what the rules treat apart: `those` cards have the roll."""
        if not len(those):
            return
        if apart.face_open is None:
            self._put_options(found, apart.options, apart.extra, columns, those)
            return
        is_open = apart.face_open[columns[those]]
        self._put_options(found, apart.options, apart.extra, columns, those[is_open])
        self._put_options(found, apart.filled_options, apart.filled_extra, columns, those[~is_open])

    def _put_options(self, found: Judged, options: Sequence[Option], extra: int, columns: Ints, those: Ints) -> None:
        found.extra[those] = extra
        found.columns[:, those] = len(self.states.columns.states)
        for option in options:
            index = found.places.index(option.place)
            found.points[index, those] = option.points
            found.rows[index, those] = option.row
            upper = option.way >= 0
            found.columns[index, those] = (
                self.states.columns.after[option.way, columns[those]] if upper else columns[those]
            )
