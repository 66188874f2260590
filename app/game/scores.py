"""The vocabulary of scoring: small functions with parameters, one idea each.

A score takes the final dice and the number of the roll they lie on (from 1) and gives points. Where editions of a game
disagree, the disagreement is a parameter here or an option of the ruleset.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from typing import Literal, Protocol, TypeAlias

from app.game.dice import FACES, Dice, counts

Pays: TypeAlias = int | Literal["used", "all"]
"""A fixed number of points, the sum of the dice that make the hand, or the sum of all dice."""


class Score(Protocol):
    """Points for dice: a pure function of the faces (order does not matter) and of the roll they lie on."""

    def __call__(self, dice: Dice, roll: int) -> int:
        """Give the points, 0 where the hand is missed."""
        ...

    def __hash__(self) -> int:
        """Equal parameters are one score: what was worked out for one of them holds for the other."""
        ...


@dataclass(frozen=True, slots=True)
class Faces:
    """Face times number of dice that show it: the upper boxes."""

    face: int

    def __call__(self, dice: Dice, roll: int) -> int:
        """Give 0 to face x dice points."""
        del roll
        return self.face * dice.count(self.face)


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of all dice; with `wanted`, only dice of exactly that sum, which then pay `pays`."""

    wanted: int | None = None
    pays: int = 0

    def __call__(self, dice: Dice, roll: int) -> int:
        """Give the sum, or `pays` where a sum is wanted and met."""
        del roll
        if self.wanted is None:
            return sum(dice)
        return self.pays if sum(dice) == self.wanted else 0


@dataclass(frozen=True, slots=True)
class Flat:
    """The same points whatever the dice: what a joker brings in a box of fixed value."""

    points: int

    def __call__(self, dice: Dice, roll: int) -> int:
        """Give the points."""
        del dice, roll
        return self.points


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of equal dice, of different faces: (3,) three of a kind, (2, 2) two pairs, (3, 2) a full house.

    `sizes` descend. `exact`: the groups and nothing more alike. `alike`: one face may fill several groups. `colors`: the faces
    of a hand must lie in one of these sets. `plus` is added to what it pays.
    """

    sizes: tuple[int, ...]
    pays: Pays = "all"
    plus: int = 0
    exact: bool = False
    alike: bool = False
    colors: tuple[frozenset[int], ...] = ()

    def __call__(self, dice: Dice, roll: int) -> int:
        """Give the best points that any choice of faces brings."""
        del roll
        found = counts(dice)
        return max((self._points(dice, faces) for faces in self._hands(found)), default=0)

    def _hands(self, found: tuple[int, ...]) -> list[tuple[int, ...]]:
        """List the choices of faces, one face a group, that these counts can fill."""
        enough = [face for face in FACES if found[face] >= self.sizes[-1]]
        hands = [hand for hand in permutations(enough, len(self.sizes)) if self._fits(hand, found)]
        if self.alike:
            hands += [(face,) * len(self.sizes) for face in FACES if found[face] >= sum(self.sizes)]
        return hands

    def _fits(self, hand: tuple[int, ...], found: tuple[int, ...]) -> bool:
        pairs = list(zip(hand, self.sizes, strict=True))
        if self.exact:
            return all(found[face] == size for face, size in pairs) and max(found) <= self.sizes[0]
        one_color = not self.colors or any(color.issuperset(hand) for color in self.colors)
        return one_color and all(found[face] >= size for face, size in pairs)

    def _points(self, dice: Dice, hand: tuple[int, ...]) -> int:
        if self.pays == "used":
            return sum(face * size for face, size in zip(hand, self.sizes, strict=True)) + self.plus
        return (sum(dice) if self.pays == "all" else self.pays) + self.plus


@dataclass(frozen=True, slots=True)
class Contains:
    """Points when one of some hands lies among the dice: straights, and hands given face by face."""

    hands: tuple[Dice, ...]
    pays: int

    def __call__(self, dice: Dice, roll: int) -> int:
        """Give `pays` or 0."""
        del roll
        return (
            self.pays if any(all(dice.count(face) >= hand.count(face) for face in hand) for hand in self.hands) else 0
        )


@dataclass(frozen=True, slots=True)
class OneColor:
    """Points when all dice show faces of one colour."""

    colors: tuple[frozenset[int], ...]
    pays: int

    def __call__(self, dice: Dice, roll: int) -> int:
        """Give `pays` or 0."""
        del roll
        return self.pays if any(color.issuperset(dice) for color in self.colors) else 0


@dataclass(frozen=True, slots=True)
class Wild:
    """Dice of the face `wild` may each stand for any face; the best result is taken."""

    score: Score
    wild: int = 1

    def __call__(self, dice: Dice, roll: int) -> int:
        """Give the best points over everything that the wild dice may stand for."""
        fixed = tuple(face for face in dice if face != self.wild)
        free = len(dice) - len(fixed)
        return max(self.score((*fixed, *stand_in), roll) for stand_in in combinations_with_replacement(FACES, free))


@dataclass(frozen=True, slots=True)
class Served:
    """More points for a hand made on the first roll."""

    score: Score
    plus: int

    def __call__(self, dice: Dice, roll: int) -> int:
        """Give the points of the hand, `plus` more on roll 1."""
        points = self.score(dice, roll)
        return points + self.plus if points and roll == 1 else points
