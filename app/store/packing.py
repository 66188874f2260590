"""The log of an ended game in less than two bytes an entry, and back again. Frozen: packed logs are kept for ever.

Byte 0 is the version, 1. All else is half bytes, the higher one first, and 15 where one is left over. First come numbers, three
bits a half byte, the lowest first, with the bit of 8 where the number goes on: how many entries there are, and for each the whole
seconds since the one before (the first: since the game was made), 0 where a clock went back. Then come the moves: digits stand
for themselves, 10 is r, 11 is s, 12 is u. A roll that keeps some of the first five dice is 13, or 14 where the fifth is among
them, and then the other four as bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate, pairwise
from typing import Final

from app.store.errors import BadPack

VERSION: Final = 1
SIGNS: Final = "0123456789rsu"
"""What moves are written with."""

_KEEP, _KEEP_FIFTH, _END = 13, 14, 15
_MOVE: Final = re.compile(r"[rs][0-9]*|u")
_SHORT_KEEP: Final = re.compile(r"r[0-4]+")
_MORE: Final = 8


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log: the move's text, and when it was made."""

    move: str
    made_at: datetime


def pack(entries: Sequence[Entry], begun: datetime) -> bytes:
    """Pack a log whose game was made at `begun`; of its times whole seconds are kept.

    Raises:
        BadPack: a move is written with other signs.

    """
    # A clock that was set back has stood still, for a log.
    moments = accumulate((entry.made_at for entry in entries), max, initial=begun)
    halves = [*_number(len(entries))]
    for before, after in pairwise((moment - begun) // timedelta(seconds=1) for moment in moments):
        halves += _number(after - before)
    for entry in entries:
        halves += _codes(entry.move)
    halves += [_END] * (len(halves) % 2)
    return bytes([VERSION, *(high << 4 | low for high, low in zip(halves[::2], halves[1::2], strict=True))])


def unpack(packed: bytes, begun: datetime) -> list[Entry]:
    """Unpack a log.

    Raises:
        BadPack: it is damaged, or of another version.

    """
    if not packed or packed[0] != VERSION:
        raise BadPack("A packed log is of another version.")
    halves = (half for byte in packed[1:] for half in (byte >> 4, byte & _END))
    try:
        steps = [_read(halves) for _ in range(_read(halves))]
        moves = _MOVE.findall(text := "".join(_signs(halves)))
    except StopIteration:
        raise BadPack("A packed log is damaged.") from None
    if len(moves) != len(steps) or "".join(moves) != text:
        raise BadPack("A packed log is damaged.")
    moments = accumulate(steps)
    return [Entry(move, begun + timedelta(seconds=moment)) for move, moment in zip(moves, moments, strict=True)]


def _codes(move: str) -> Iterable[int]:
    """Write a move in half bytes."""
    if _SHORT_KEEP.fullmatch(move) and len(set(move)) == len(move):
        kept = {int(place) for place in move[1:]}
        return _KEEP_FIFTH if 4 in kept else _KEEP, sum(1 << place for place in kept if place < 4)  # noqa: PLR2004 - bits of one half
    if not _MOVE.fullmatch(move):
        raise BadPack("A move is written with signs that packed logs do not have.")
    return [SIGNS.index(sign) for sign in move]


def _signs(halves: Iterator[int]) -> Iterator[str]:
    """Read moves, up to the end or the half byte that is left over."""
    for half in halves:
        if half in {_KEEP, _KEEP_FIFTH}:
            bits = next(halves, 0)
            yield "r" + "".join(str(place) for place in range(4) if bits >> place & 1) + "4" * (half == _KEEP_FIFTH)
        elif half != _END:
            yield SIGNS[half]


def _number(number: int) -> Iterator[int]:
    while number >= _MORE:
        yield number % _MORE | _MORE
        number //= _MORE
    yield number


def _read(halves: Iterator[int]) -> int:
    number = shift = 0
    while True:
        half = next(halves)
        number |= (half & ~_MORE) << shift
        if half < _MORE:
            return number
        shift += 3
