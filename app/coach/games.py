"""Many games at the same turn: how they stand, what they throw, and what may be kept of it, as arrays over the games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from app.coach.odds import Ints, Odds, odds
from app.coach.policy import Judged, keeping
from app.coach.tables import Table
from app.game.dice import Dice


@dataclass(frozen=True, eq=False)
class Codes:
    """Multisets as numbers: a die of face f counts (dice + 1)^(f - 1), so to add dice is to add their numbers."""

    odds: Odds

    @cached_property
    def of_face(self) -> Ints:
        """Give the number of a die of each face, that of face 1 first."""
        return (self.odds.dice + 1) ** np.arange(6)

    @cached_property
    def of_keep(self) -> Ints:
        """Give the number of each keep, in the order of a stack."""
        return np.array([sum(int(self.of_face[face - 1]) for face in keep) for keep in self.odds.stack], dtype=np.intp)

    @cached_property
    def size(self) -> Ints:
        """Give the number of dice of each keep."""
        return np.array([len(keep) for keep in self.odds.stack], dtype=np.intp)

    @cached_property
    def roll(self) -> Ints:
        """Give for each number the roll that it is."""
        found = np.zeros((self.odds.dice + 1) ** 6, dtype=np.intp)
        found[self.of_keep[self.odds.start[self.odds.dice] :]] = np.arange(len(self.odds.rolls))
        return found


@lru_cache
def codes(dice: int) -> Codes:
    """Give the numbers for so many dice; the same object each time."""
    return Codes(odds(dice))


class Games:
    """The games as they stand between two turns, and the chance of the turn to come."""

    def __init__(self, table: Table, count: int, chance: np.random.Generator) -> None:
        """Begin so many games."""
        self.states = table.states
        self.rules = table.states.sheet.ruleset
        self._chance = chance
        self.rows = np.zeros(count, dtype=np.intp)
        self.columns = np.zeros(count, dtype=np.intp)
        self.points = np.zeros((count, len(self.rules.boxes)), dtype=np.int16)
        self.extra = np.zeros(count, dtype=np.intp)
        self.rolls = np.zeros(count, dtype=np.intp)
        # What the first 0, 1, 2, … faces of each roll add up to as numbers: games × rolls × dice + 1.
        self.thrown = np.zeros((count, self.rules.rolls, self.rules.dice + 1), dtype=np.int32)
        self.wavering = np.zeros((count, self.rules.rolls))

    def throw(self) -> None:
        """Draw the chance of the next turn."""
        faces = self._chance.integers(0, 6, self.thrown[..., 1:].shape, dtype=np.int8)
        np.cumsum(codes(self.rules.dice).of_face[faces], axis=-1, out=self.thrown[..., 1:])
        self._chance.random(out=self.wavering)

    def write(self, those: Ints, judged: Judged, boxes: Ints, cards: Ints) -> None:
        """Fill in those games the box chosen by its index; `cards`: where each of them stands in what was judged."""
        places = np.array(judged.places)[boxes]
        self.points[those, places] = judged.points[boxes, cards]
        self.extra[those] += judged.extra[cards]
        self.rows[those] = judged.rows[boxes, cards]
        self.columns[those] = judged.columns[boxes, cards]


@dataclass(frozen=True, eq=False)
class Offers:
    """What may be kept of dice, for many games at once, the preferred keeps first."""

    odds: Odds
    locked: bool

    def of(self, held: Ints, rolls: Ints) -> tuple[Ints, NDArray[np.bool_]]:
        """Give the keeps on offer, keeps × games, as rows in a stack, and where one is not just the last repeated."""
        if self.locked:
            pairs, which = np.unique(held * len(self.odds.rolls) + rolls, return_inverse=True)
            dice = [_apart(self.odds, *divmod(pair, len(self.odds.rolls))) for pair in pairs.tolist()]
            table, real = self._table(dice)
        else:
            (table, real), which = self._of_rolls, rolls
        return table[:, which], real[:, which]

    @cached_property
    def _of_rolls(self) -> tuple[Ints, NDArray[np.bool_]]:
        return self._table([((), roll) for roll in self.odds.rolls])

    def _table(self, dice: Sequence[tuple[Dice, Dice]]) -> tuple[Ints, NDArray[np.bool_]]:
        keeps = [keeping(self.odds.dice).of(held, loose) for held, loose in dice]
        most = max(len(some) for some in keeps)
        table = np.array([(*some, *some[-1:] * (most - len(some))) for some in keeps], dtype=np.intp)
        counts = np.array([len(some) for some in keeps])
        return np.ascontiguousarray(table.T), np.arange(most)[:, None] < counts


def _apart(odds: Odds, held: int, roll: int) -> tuple[Dice, Dice]:
    """Give the dice held fast and the loose ones of a roll."""
    loose = list(odds.rolls[roll])
    for face in odds.stack[held]:
        loose.remove(face)
    return odds.stack[held], tuple(loose)
