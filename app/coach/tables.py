"""The file of a solved ruleset: a header that says what it is, then the values.

A value is kept as the mean of its row plus the mean of its column, both float64, plus a small rest, float32. So the file
is about as small as float32 makes it, and a value is still right to a millionth of a point. The rests are mapped from the
file, so that all processes of a machine share them.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from app.coach.boxes import CLOSED, Columns
from app.coach.odds import Floats, Ints
from app.coach.solve import VERSION
from app.coach.states import States
from app.game.card import Card

MAGIC = b"fairwind table\x00\x01"
_LENGTH_BYTES = 8
_ALIGNMENT = 64
_ROWS_AT_ONCE = 256
_GRAIN = 2.0**-10


class BadTable(Exception):
    """A file that cannot be used as the table of a ruleset; the message says why."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a table is of. `checksum` is the SHA-256 of all behind the header, `seconds` the time that solving took."""

    ruleset: str
    options: dict[str, bool | int | str]
    definition: str
    version: int
    rows: int
    columns: int
    states: int
    expected: float
    seconds: float
    checksum: str


@dataclass(frozen=True, eq=False)
class Table:
    """The values of all states of a ruleset, in points still to come with the whole upper bonus."""

    states: States
    header: Header
    row_means: Floats
    column_means: Floats
    rests: NDArray[np.float32]

    @property
    def expected(self) -> float:
        """The expected total of a game, in points."""
        return self.header.expected

    def take(self, row: int, columns: Ints, out: Floats) -> None:
        """Write the values of a row at an array of columns."""
        self.column_means.take(columns, out=out, mode="clip")
        np.add(out, self.rests[row].take(columns), out=out)
        np.add(out, self.row_means[row], out=out)

    def row(self, row: int, columns: Columns) -> Floats:
        """Give the values of a row at some columns."""
        values: Floats = self.column_means[columns] + self.rests[row, columns] + self.row_means[row]
        return values

    def at(self, rows: Ints, columns: Ints) -> Floats:
        """Give the values of states, each by its row and column."""
        values: Floats = self.column_means[columns] + self.rests[rows, columns] + self.row_means[rows]
        return values

    def to_come(self, card: Card) -> float:
        """Give the points that a card still expects, an upper bonus not yet earned among them."""
        row, column = self.states.find(card)
        return float(self.at(np.array([row]), np.array([column]))[0]) - card.upper_bonus


def write_table(path: Path, states: States, values: Floats, seconds: float) -> None:
    """Write a solved ruleset (rows × columns and one for what is closed) so that the file is there in full or not at all."""
    row_means, column_means = _means(values)
    checksum = hashlib.sha256()
    for part in _parts(values, row_means, column_means):
        checksum.update(part)
    rules = states.sheet.ruleset
    header = Header(
        rules.id,
        dict(rules.options),
        states.definition,
        VERSION,
        *states.shape,
        states.count,
        float(values[0, 0]),
        round(seconds, 3),
        checksum.hexdigest(),
    )
    draft = path.with_name(f"{path.name}.{os.getpid()}.draft")
    try:
        with draft.open("wb") as file:
            file.write(_head(header))
            for part in _parts(values, row_means, column_means):
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def read_table(path: Path, states: States) -> Table:
    """Open the table of a ruleset.

    Raises:
        BadTable: the file is damaged, or of another ruleset or version.
        FileNotFoundError: there is none.

    """
    with path.open("rb") as file:
        header = _read_header(file)
        start = file.tell()
        _check(header, states, path.stat().st_size - start)
        if hashlib.file_digest(file, "sha256").hexdigest() != header.checksum:
            raise BadTable("The values are damaged: their checksum differs.")
    rows, columns = states.shape
    row_means = np.fromfile(path, "<f8", rows, offset=start)
    column_means = np.fromfile(path, "<f8", columns + 1, offset=start + row_means.nbytes)
    begin = start + row_means.nbytes + column_means.nbytes
    # A plain view of the map: the map's own class costs time at every look.
    rests = np.asarray(np.memmap(path, "<f4", "r", begin, (rows, columns + 1)))
    return Table(states, header, row_means, column_means, rests)


def header_of(path: Path) -> Header:
    """Read what a file is the table of.

    Raises:
        BadTable: it is none.

    """
    with path.open("rb") as file:
        return _read_header(file)


def _means(values: Floats) -> tuple[Floats, Floats]:
    """Give the mean of each row, and of each column what remains then on average; states out of reach are left out.

    Both are rounded to multiples of `_GRAIN`, so that the rests of whole numbers are exact: full cards lose nothing.
    """
    row_means = np.zeros(len(values))
    sums, counts = np.zeros(values.shape[1]), np.zeros(values.shape[1])
    for some in _rows(values):
        reached = ~np.isnan(values[some])
        reached[:, -1] = False
        inside = np.where(reached, values[some], 0.0)
        row_means[some] = _grained(inside.sum(axis=1) / np.maximum(reached.sum(axis=1), 1))
        sums += np.where(reached, inside - row_means[some, None], 0.0).sum(axis=0)
        counts += reached.sum(axis=0)
    return row_means, _grained(sums / np.maximum(counts, 1))


def _grained(means: Floats) -> Floats:
    grained: Floats = np.round(means / _GRAIN) * _GRAIN
    return grained


def _rows(values: Floats) -> Iterator[slice]:
    return (slice(begin, begin + _ROWS_AT_ONCE) for begin in range(0, len(values), _ROWS_AT_ONCE))


def _parts(values: Floats, row_means: Floats, column_means: Floats) -> Iterator[bytes]:
    """Give the bytes behind the header."""
    yield row_means.astype("<f8").tobytes()
    yield column_means.astype("<f8").tobytes()
    for some in _rows(values):
        rests = values[some] - row_means[some, None] - column_means
        rests[:, -1] = CLOSED
        yield rests.astype("<f4").tobytes()


def _head(header: Header) -> bytes:
    text = json.dumps(asdict(header)).encode()
    text += b" " * (-(len(MAGIC) + _LENGTH_BYTES + len(text)) % _ALIGNMENT)
    return MAGIC + len(text).to_bytes(_LENGTH_BYTES, "little") + text


def _read_header(file: BinaryIO) -> Header:
    if file.read(len(MAGIC)) != MAGIC:
        raise BadTable("This is no table of ours.")
    length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
    try:
        fields: dict[str, Any] = json.loads(file.read(min(length, 1 << 20)))
        return Header(**fields)
    except (ValueError, TypeError):
        raise BadTable("The header is damaged.") from None


def _check(header: Header, states: States, size: int) -> None:
    rows, columns = states.shape
    if header.version != VERSION or header.definition != states.definition:
        raise BadTable(f"This is a table of {header.ruleset} under other rules or of another version of the solver.")
    doubles, singles = rows + columns + 1, rows * (columns + 1)
    if (header.rows, header.columns) != (rows, columns) or size != 8 * doubles + 4 * singles:
        raise BadTable("The file is cut short or too long.")
