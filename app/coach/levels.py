"""How a player chooses: the perfect one the best, the others as people do.

People misjudge what choices are worth, so theirs are drawn by softmax over the exact worths: a temperature says by how many
points worths blur. People also like what looks good at once, so keeps and boxes of four, five or more alike and of
straights seem better to them than they are. But nobody writes a zero while points are open for the taking.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from app.coach.boxes import CLOSED
from app.coach.odds import Floats, Ints
from app.coach.policy import Judged
from app.coach.sheet import Sheet, sheet
from app.game.dice import Dice
from app.game.rules import Ruleset
from app.game.scores import Contains, Groups, Score, Served, Wild

MANY = 4
"""So many alike are an obvious aim; with fewer dice, all of them."""
SHORTEST_RUN = 3
"""From so many dice on a part of a straight looks like one."""
PAIR = 2


@dataclass(frozen=True, slots=True)
class Manner:
    """How a player chooses.

    `temperature`: the points by which worths blur; 0 chooses the best always. `appetite`: the points by which each die of an
    obvious hand makes a choice seem better than it is.
    """

    temperature: float = 0.0
    appetite: float = 0.0

    @property
    def perfect(self) -> bool:
        """Tell whether it chooses the best always."""
        return self.temperature == 0


BEST = Manner()


@dataclass(frozen=True, eq=False)
class Taste:
    """What looks good at once on a sheet, counted in dice."""

    sheet: Sheet

    @cached_property
    def alike(self) -> dict[int, int]:
        """Map the places of the boxes for many alike to how many that is."""
        found = {place: _alike(box.score) for place, box in enumerate(self.sheet.ruleset.boxes)}
        return {place: size for place, size in found.items() if size >= min(MANY, self.sheet.ruleset.dice)}

    @cached_property
    def runs(self) -> dict[int, int]:
        """Map the places of the boxes for straights to how many dice those have."""
        return {place: len(hands[0]) for place, hands in self._hands.items()}

    @cached_property
    def _hands(self) -> dict[int, tuple[Dice, ...]]:
        found = {place: _runs(box.score) for place, box in enumerate(self.sheet.ruleset.boxes)}
        return {place: hands for place, hands in found.items() if hands}

    @lru_cache(maxsize=1024)  # noqa: B019 - there is one of these for each ruleset, and it stays
    def of_keeps(self, open_places: tuple[int, ...]) -> Floats:
        """Count for every keep, in the order of a stack, the dice that go for an obvious hand on such a card."""
        wants_alike = any(place in self.alike for place in open_places)
        hands = [hand for place in open_places for hand in self._hands.get(place, ())]
        return np.array([_of_keep(keep, hands, alike=wants_alike) for keep in self.sheet.odds.stack], dtype=np.float64)

    def of_boxes(self, places: Sequence[int]) -> Floats:
        """Count the dice of the obvious hands that these boxes are for: boxes × 1."""
        sizes = self.alike | self.runs
        return np.array([[sizes.get(place, 0)] for place in places], dtype=np.float64)


def _of_keep(keep: Dice, hands: Collection[Dice], *, alike: bool) -> int:
    same = len(keep) if alike and len(keep) >= PAIR and len(set(keep)) == 1 else 0
    run = len(keep) >= SHORTEST_RUN and len(set(keep)) == len(keep) and any(set(keep) <= set(hand) for hand in hands)
    return max(same, len(keep) if run else 0)


def _alike(score: Score) -> int:
    """Give how many alike a score asks for, 0 where it asks for something else."""
    match score:
        case Groups((size,)):
            return size
        case Served(inner) | Wild(inner):
            return _alike(inner)
        case _:
            return 0


def _runs(score: Score) -> tuple[Dice, ...]:
    """Give the straights that a score asks for, none where it asks for something else."""
    match score:
        case Contains(hands) if all(len(set(hand)) == len(hand) for hand in hands):
            return hands
        case Served(inner) | Wild(inner):
            return _runs(inner)
        case _:
            return ()


@lru_cache(maxsize=64)
def taste(ruleset: Ruleset) -> Taste:
    """Give what looks good under a ruleset; the same object each time.

    Raises:
        Unsolvable: where the ruleset has no exact solution here.

    """
    return Taste(sheet(ruleset))


def allowed(judged: Judged, *, rolls_left: bool) -> NDArray[np.bool_]:
    """Tell which boxes people would take, boxes × cards: none for a zero while there are points, or rolls left."""
    legal = judged.worth > CLOSED / 2
    paying = legal & (judged.points > 0)
    return paying if rolls_left else np.where(paying.any(axis=0), paying, legal)


def draw(manner: Manner, seeming: Floats, chance: Floats) -> Ints:
    """Choose for each card among choices that seem to be worth so much (choices × cards); `chance`: one in 0..1 a card."""
    weights = np.exp((seeming - seeming.max(axis=0)) / manner.temperature)
    steps = weights.cumsum(axis=0)
    # A hair below the whole, so that rounding never chooses nothing.
    return np.asarray((steps > chance * steps[-1] * (1 - 1e-12)).argmax(axis=0))
