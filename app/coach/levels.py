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


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the computer players.

    `share`: the part, 0..1, of the perfect player's mean that it shall reach. `appetite`: as in `Manner`. `blur`: a guess at its
    temperature, as a part of what a turn of the perfect player brings, for rulesets that nobody has calibrated.
    """

    name: str
    share: float
    appetite: float
    blur: float


PERFECT = "perfect"
LEVELS = (Level("novice", 0.66, 1.5, 0.25), Level("casual", 0.80, 1.0, 0.13), Level("skilled", 0.92, 0.5, 0.05))
"""Those below the perfect player, the weakest first."""


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
        """Count for every keep, in the order of a stack, the dice that go for an obvious hand while these boxes are open."""
        nothing = np.zeros(len(self.sheet.odds.stack))
        wanted = [self._alike_dice] if any(place in self.alike for place in open_places) else []
        wanted += [self._run_dice[place] for place in open_places if place in self.runs]
        most: Floats = np.maximum.reduce([nothing, *wanted])
        return most

    @cached_property
    def _alike_dice(self) -> Floats:
        """Count the dice of each keep that is of one face."""
        keeps = self.sheet.odds.stack
        return np.array([len(keep) if len(keep) >= PAIR and len(set(keep)) == 1 else 0 for keep in keeps], dtype=float)

    @cached_property
    def _run_dice(self) -> dict[int, Floats]:
        """Count for each straight the dice of each keep that is a part of it."""
        keeps = self.sheet.odds.stack
        return {
            place: np.array([len(keep) if _is_part(keep, hands) else 0 for keep in keeps], dtype=float)
            for place, hands in self._hands.items()
        }

    def of_boxes(self, places: Sequence[int]) -> Floats:
        """Count the dice of the obvious hands that these boxes are for: boxes × 1."""
        sizes = self.alike | self.runs
        return np.array([[sizes.get(place, 0)] for place in places], dtype=np.float64)


def _is_part(keep: Dice, hands: Collection[Dice]) -> bool:
    """Tell whether a keep is a good part of one of some straights."""
    enough = len(keep) >= SHORTEST_RUN and len(set(keep)) == len(keep)
    return enough and any(set(keep) <= set(hand) for hand in hands)


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


def keeps_seem(manner: Manner, worths: Floats, liking: Floats) -> Floats:
    """Give what keeps seem to be worth; `liking` is what `Taste.of_keeps` has for each of them."""
    return worths + manner.appetite * liking


def boxes_seem(manner: Manner, judged: Judged, taste: Taste, *, rolls_left: bool) -> Floats:
    """Give what boxes seem to be worth, boxes × cards: `CLOSED` for those that nobody would take.

    A zero is taken only where nothing else is left: no roll, and no box that pays.
    """
    legal = judged.worth > CLOSED / 2
    paying = legal & (judged.points > 0)
    taken = paying if rolls_left else np.where(paying.any(axis=0), paying, legal)
    # A hand that is made tempts twice as much as dice that go for one.
    liking = np.where(paying, 2 * taste.of_boxes(judged.places), 0)
    return np.where(taken, judged.worth + manner.appetite * liking, CLOSED)


def draw(manner: Manner, seeming: Floats, chance: Floats) -> Ints:
    """Choose for each card among choices that seem to be worth so much (choices × cards); `chance`: one in 0..1 a card."""
    weights = np.exp((seeming - seeming.max(axis=0)) / manner.temperature)
    steps = weights.cumsum(axis=0)
    # A hair below the whole, so that rounding never chooses nothing.
    return np.asarray((steps > chance * steps[-1] * (1 - 1e-12)).argmax(axis=0))
