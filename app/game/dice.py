"""Dice: faces, multisets, and the stream that turns a key into the faces of every roll.

Dice are addressed, not drawn: the faces of a roll depend on the key and on the address of the roll alone, so any roll can
be checked by itself. Version 1 of the addressing is frozen; docs/fairness.md holds a standalone function that gives the same faces.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations_with_replacement
from typing import TypeAlias

Dice: TypeAlias = tuple[int, ...]
"""Faces 1..6 by position; the position of a die never changes during a turn."""

FACES = range(1, 7)
DICE_VERSION = 1
KEY_BYTES = 32
# Bytes from 252 up are skipped: 252 is the largest multiple of 6 within a byte, so every face keeps the same chance.
_SKIPPED = bytes(range(252, 256))
_FACE_OF = bytes(byte % 6 + 1 for byte in range(256))


class Addressing(StrEnum):
    """How a roll finds its place in the stream."""

    BY_TURN = "by_turn"
    CONTINUOUS = "continuous"


@dataclass(frozen=True, slots=True)
class Stream:
    """The dice of one game: `key` is 32 bytes and must stay secret until the game is over."""

    key: bytes
    addressing: Addressing = Addressing.BY_TURN

    def faces(self, count: int, seat: int, turn: int, roll: int, nth: int) -> Dice:
        """Give the `count` faces of one roll; the dice being rolled take the first of them.

        `seat` counts from 0, `turn` and `roll` from 1; `nth` is the number of rolls the seat made in the whole game before
        this one. `by_turn` reads turn and roll, `continuous` reads `nth`.
        """
        address = f"{seat}/{turn}/{roll}" if self.addressing is Addressing.BY_TURN else f"{seat}/c/{nth}"
        faces, block = b"", 0
        while len(faces) < count:
            text = f"fairwind/{DICE_VERSION}/{address}/{block}".encode("ascii")
            faces += hmac.digest(self.key, text, "sha256").translate(_FACE_OF, _SKIPPED)
            block += 1
        return tuple(faces[:count])


def counts(dice: Dice) -> tuple[int, ...]:
    """Count the dice by face: seven numbers, the first (face 0) always 0."""
    found = [0] * 7
    for face in dice:
        found[face] += 1
    return tuple(found)


def multisets(count: int) -> list[Dice]:
    """List every roll of `count` dice once, faces ascending (252 for five dice)."""
    return list(combinations_with_replacement(FACES, count))
