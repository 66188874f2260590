"""Multisets of dice, what may be kept of a roll, and the chances of the next one.

A keep is a multiset of faces; a roll is the keep of all dice. Values of keeps are held in arrays of keeps × cards, one
row a keep, so that every step is one operation over many cards.

Order of the rows: keeps of one size stand in blocks by the number of low dice (faces 1 to 3), within a block by the low
dice, then by the high ones. So a block is an outer product of low and high multisets, and adding a die to one half is a
small dense matrix. A stack holds the keeps of size 0, then 1, and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, pairwise
from math import factorial, prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.game.dice import FACES, Dice

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]

LOW = FACES[:3]
HIGH = FACES[3:]
_SIDES = len(FACES)


@dataclass(frozen=True, eq=False)
class Half:
    """The multisets of three of the six faces, of size 0 up to all dice, one size after the other."""

    faces: range
    dice: int

    @cached_property
    def multisets(self) -> tuple[Dice, ...]:
        """List them all."""
        return tuple(hand for size in range(self.dice + 1) for hand in combinations_with_replacement(self.faces, size))

    @cached_property
    def start(self) -> tuple[int, ...]:
        """Give the place of the first of each size; the last number is the count of all."""
        sizes = [len(hand) for hand in self.multisets]
        return (*(sizes.index(size) for size in range(self.dice + 1)), len(sizes))

    def count(self, size: int) -> int:
        """Count the multisets of a size."""
        return self.start[size + 1] - self.start[size]

    @cached_property
    def means(self) -> tuple[Floats, ...]:
        """Give for each size the matrix that adds one of the three faces, each with chance 1/6."""
        return tuple(self._mean(size) for size in range(self.dice))

    def _mean(self, size: int) -> Floats:
        place = {hand: place for place, hand in enumerate(combinations_with_replacement(self.faces, size + 1))}
        matrix = np.zeros((self.count(size), self.count(size + 1)))
        for row, hand in enumerate(combinations_with_replacement(self.faces, size)):
            for face in self.faces:
                matrix[row, place[tuple(sorted((*hand, face)))]] += 1 / _SIDES
        return matrix


@dataclass(frozen=True, slots=True)
class Block:
    """The keeps with `low` low dice and `high` high ones: `rows` × `columns` multisets, standing from `start` on."""

    low: int
    high: int
    start: int
    rows: int
    columns: int

    @property
    def stop(self) -> int:
        """The row behind the last, in the rows of its size."""
        return self.start + self.rows * self.columns


@dataclass(frozen=True, eq=False)
class Odds:
    """Everything about a number of dice that does not depend on the game: 5 dice make 252 rolls and 462 keeps."""

    dice: int

    @cached_property
    def low(self) -> Half:
        """The multisets of the faces 1, 2, 3."""
        return Half(LOW, self.dice)

    @cached_property
    def high(self) -> Half:
        """The multisets of the faces 4, 5, 6."""
        return Half(HIGH, self.dice)

    @cached_property
    def blocks(self) -> tuple[tuple[Block, ...], ...]:
        """Give for each size its blocks, by the number of low dice."""
        return tuple(tuple(self._blocks(size)) for size in range(self.dice + 1))

    def _blocks(self, size: int) -> Iterator[Block]:
        start = 0
        for low in range(size + 1):
            block = Block(low, size - low, start, self.low.count(low), self.high.count(size - low))
            start = block.stop
            yield block

    @cached_property
    def keeps(self) -> tuple[tuple[Dice, ...], ...]:
        """List for each size its keeps in the order of the rows, faces ascending."""
        return tuple(
            tuple(
                low + high
                for block in blocks
                for low in combinations_with_replacement(LOW, block.low)
                for high in combinations_with_replacement(HIGH, block.high)
            )
            for blocks in self.blocks
        )

    @property
    def rolls(self) -> tuple[Dice, ...]:
        """List the rolls, in the order of the rows."""
        return self.keeps[self.dice]

    @cached_property
    def row(self) -> dict[Dice, int]:
        """Map each keep, faces ascending, to its row within its size."""
        return {keep: row for keeps in self.keeps for row, keep in enumerate(keeps)}

    @cached_property
    def start(self) -> tuple[int, ...]:
        """Give for each size its first row in a stack; the last number counts all keeps."""
        sizes = [len(keeps) for keeps in self.keeps]
        return tuple(sum(sizes[:size]) for size in range(self.dice + 2))

    @cached_property
    def stack(self) -> tuple[Dice, ...]:
        """List the keeps of all sizes, in the order of a stack."""
        return tuple(keep for keeps in self.keeps for keep in keeps)

    @cached_property
    def stack_row(self) -> dict[Dice, int]:
        """Map each keep, faces ascending, to its row in a stack."""
        return {keep: row for row, keep in enumerate(self.stack)}

    def part(self, half: Half) -> Ints:
        """Give for each roll the place of what it shows of a half's faces, among the half's multisets."""
        place = {hand: place for place, hand in enumerate(half.multisets)}
        shown = [tuple(face for face in roll if face in half.faces) for roll in self.rolls]
        return np.array([place[hand] for hand in shown], dtype=np.intp)

    @cached_property
    def chances(self) -> tuple[Floats, ...]:
        """Give for each size the chance of each multiset when that many dice are rolled."""
        return tuple(np.array([chance(keep) for keep in keeps]) for keeps in self.keeps)

    def throw(self, kept: Floats) -> Floats:
        """Give the chance of each roll (rolls × cards) from the chances of the keeps before it (a stack × cards)."""
        found = [kept[start:stop].copy() for start, stop in pairwise(self.start[:-1])]
        found.append(np.zeros((len(self.rolls), kept.shape[1])))
        for before, after, blocks, larger in zip(found, found[1:], self.blocks, self.blocks[1:], strict=False):
            for block in blocks:
                some = before[block.start : block.stop]
                one_low, one_high = larger[block.low + 1], larger[block.low]
                by_low = self.low.means[block.low].T @ some.reshape(block.rows, -1)
                by_high = self.high.means[block.high].T @ some.reshape(block.rows, block.columns, -1)
                after[one_low.start : one_low.stop] += by_low.reshape(-1, kept.shape[1])
                after[one_high.start : one_high.stop] += by_high.reshape(-1, kept.shape[1])
        return found[-1]

    @cached_property
    def by_variety(self) -> tuple[Ints, ...]:
        """Give for each size the rows sorted by the number of different faces, most first."""
        return tuple(
            np.array(sorted(range(len(keeps)), key=lambda row: (-len(set(keeps[row])), row)), dtype=np.intp)
            for keeps in self.keeps
        )

    @cached_property
    def from_variety(self) -> tuple[Ints, ...]:
        """Give for each size the places of the rows in `by_variety`."""
        return tuple(np.argsort(order) for order in self.by_variety)

    @cached_property
    def removals(self) -> tuple[tuple[Ints, ...], ...]:
        """Give for each size and n the keeps left when a die of the n-th different face is taken away.

        Both sides are in the order of variety, so the keeps that have an n-th face are the first ones.
        """
        return ((), *(tuple(self._removals(size)) for size in range(1, self.dice + 1)))

    def _removals(self, size: int) -> Iterator[Ints]:
        keeps = [self.keeps[size][row] for row in self.by_variety[size]]
        for nth in range(len(set(keeps[0]))):
            left = [_without(keep, nth) for keep in keeps if len(set(keep)) > nth]
            yield self.from_variety[size - 1][[self.row[keep] for keep in left]]


def chance(dice: Dice) -> float:
    """Give the chance, 0..1, that a roll of that many dice shows this multiset."""
    orders = factorial(len(dice)) // prod(factorial(count) for count in Counter(dice).values())
    return float(orders / _SIDES ** len(dice))


def _without(keep: Dice, nth: int) -> Dice:
    face = sorted(set(keep))[nth]
    place = keep.index(face)
    return keep[:place] + keep[place + 1 :]


@lru_cache
def odds(dice: int) -> Odds:
    """Give the odds of a number of dice; the same object each time."""
    return Odds(dice)
