"""What may be done with final rolls, prepared so that it can be settled for many cards at once.

The upper boxes that depend on the low faces alone are settled for each multiset of low faces, those of the high faces
likewise. The lower boxes, and upper boxes that depend on both (as with wild faces), are settled for groups of rolls
that pay alike. Rolls under a joker rule or an extra bonus are done one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.coach.odds import Floats, Half, Ints
from app.coach.sheet import Choice, Situation, Special
from app.coach.states import States


@dataclass(frozen=True, slots=True)
class Lower:
    """A lower box: the points of each group of rolls (groups × 1), and the rows that points and a zero lead to."""

    points: Floats
    scored: int
    struck: int


@dataclass(frozen=True, slots=True)
class Option:
    """One choice for one roll: a way to fill an upper box, or points in a lower one (`way` -1) and the row after."""

    place: int
    way: int
    points: int
    row: int


@dataclass(frozen=True, slots=True)
class Apart:
    """A roll that the rules treat apart: its options while the upper box of its face is open, and once it is filled.

    `face_open` tells for each column which of the two it is; None where it makes no difference.
    """

    roll: int
    options: tuple[Option, ...]
    extra: int
    face_open: NDArray[np.bool_] | None = None
    filled_options: tuple[Option, ...] = ()
    filled_extra: int = 0


@dataclass(frozen=True, slots=True)
class Choices:
    """All that may be done with final rolls on the cards of a row, but for the upper boxes settled by halves.

    `group`: each roll's group; `count` of them. `mixed`: for each upper box that depends on both halves, the way in
    which each group fills it.
    """

    lower: tuple[Lower, ...]
    mixed: tuple[Ints, ...]
    group: Ints
    count: int
    apart: tuple[Apart, ...]


class Plan:
    """How the boxes of a ruleset are settled, whatever the cards; shared by all threads.

    `low[kind]`, `high[kind]`: for each upper box of a half the way in which each multiset of the half fills it.
    """

    def __init__(self, states: States) -> None:
        """Look which upper boxes depend on one half of the faces only."""
        self.states = states
        self.odds = states.sheet.odds
        self.kinds = states.sheet.kinds[-1] + 1
        nths = range(len(states.sheet.upper))
        low = [nth for nth in nths if self._depends_on(self.odds.low, nth)]
        high = [nth for nth in nths if nth not in low and self._depends_on(self.odds.high, nth)]
        self.low = [[self._ways(self.odds.low, kind, nth) for nth in low] for kind in range(self.kinds)]
        self.high = [[self._ways(self.odds.high, kind, nth) for nth in high] for kind in range(self.kinds)]
        self._mixed = tuple(nth for nth in nths if nth not in low and nth not in high)
        self._choices = lru_cache(maxsize=256)(self._find)
        self._ranks = lru_cache(maxsize=256)(self._rank)

    def choices(self, row: int, level: int, kind: int) -> Choices:
        """Give what final rolls of a kind may do on the cards of a row with that many upper boxes filled."""
        # But for the order of boxes it only matters whether any upper box is open.
        full = len(self.states.sheet.upper)
        return self._choices(row, level if level == full or self.states.sheet.ruleset.forced_order else 0, kind)

    def _ways(self, half: Half, kind: int, nth: int) -> Ints:
        """Give the way in which each multiset of a half fills an upper box, if that is all it depends on."""
        ways = np.zeros(len(half.multisets), dtype=np.intp)
        ways[self.odds.part(half)] = self.states.columns.ways[kind, nth]
        return ways

    def _depends_on(self, half: Half, nth: int) -> bool:
        part = self.odds.part(half)
        ways = self.states.columns.ways[:, nth]
        return all(np.array_equal(self._ways(half, kind, nth)[part], ways[kind]) for kind in range(self.kinds))

    def _find(self, row: int, level: int, kind: int) -> Choices:
        situation = self.states.situation(row, level)
        places = self.states.lower_choices(row, level)
        mixed = [self.states.columns.ways[kind, nth] for nth in self._mixed if level < len(self.states.sheet.upper)]
        key = np.zeros(len(self.odds.rolls), dtype=np.int64)
        for ranks in (*(self._ranks(situation, kind, place) for place in places), *mixed):
            key = key * (int(ranks.max()) + 1) + ranks
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
        return Choices(
            tuple(self._lower(row, place, situation.points[kind, place, first]) for place in places),
            tuple(ways[first] for ways in mixed),
            group,
            len(first),
            tuple(self._apart(row, level, special) for special in situation.specials[kind]),
        )

    @staticmethod
    def _rank(situation: Situation, kind: int, place: int) -> Ints:
        """Number the different points of a box, so that many boxes fit one key."""
        ranks: Ints = np.unique(situation.points[kind, place], return_inverse=True)[1]
        return ranks

    def _lower(self, row: int, place: int, points: NDArray[np.int16]) -> Lower:
        after = self.states.rows.after
        column = points.astype(np.float64).reshape(-1, 1)
        return Lower(column, after(row, place, scored=True), after(row, place, scored=False))

    def _apart(self, row: int, level: int, special: Special) -> Apart:
        options = tuple(self._options(row, level, special.open))
        if special.filled is None:
            return Apart(special.roll, options, special.open.extra)
        face_open = self.states.columns.is_open[self.states.sheet.upper.index(special.face_box)]
        filled = tuple(self._options(row, level, special.filled))
        return Apart(special.roll, options, special.open.extra, face_open, filled, special.filled.extra)

    def _options(self, row: int, level: int, choice: Choice) -> Iterator[Option]:
        """Give those choices of a representative card that the cards of the row have too."""
        upper = self.states.sheet.upper
        for place in self.states.open(row, level):
            points = choice.points.get(place)
            if points is not None:
                if place in upper:
                    yield Option(place, self.states.columns.fill[upper.index(place), points], points, row)
                else:
                    yield Option(place, -1, points, self.states.rows.after(row, place, scored=points > 0))
