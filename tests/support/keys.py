"""Keys that bring the dice a test needs, found by trying."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import count

from app.game.dice import Stream


def keep_for(face: int) -> Callable[[list[int]], list[int]]:
    """Make a chooser that keeps the positions showing this face."""
    return lambda dice: [place for place, found in enumerate(dice) if found == face]


@lru_cache(maxsize=32)
def key_with_fives(faces: tuple[int, ...]) -> bytes:
    """Find a key by which keeping `faces[t - 1]` in turn t makes five of it within three rolls; a face of 0 asks for nothing."""
    for number in count():
        key = number.to_bytes(32, "big")
        if all(not face or _five(Stream(key), turn, face) for turn, face in enumerate(faces, start=1)):
            return key
    raise AssertionError


def _five(stream: Stream, turn: int, face: int) -> bool:
    missing = 5
    for roll in (1, 2, 3):
        rolled = stream.faces(5, 0, turn, roll, 0)[:missing]
        missing -= rolled.count(face)
        if not missing:
            return True
    return False
