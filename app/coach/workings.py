"""Where a solve keeps its values while it works: in memory, or for the largest games in a file that outlives a stop."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.coach.boxes import CLOSED
from app.coach.odds import Floats
from app.coach.states import States

LARGE = 4_000_000
"""From so many states on a solve takes minutes, so what is done is kept on disk."""


SAVE_EVERY = 10.0
"""Seconds between two notes of what is done: as much work is lost when the process is killed."""

Rows: TypeAlias = NDArray[np.bool_]


def begin(states: States, values: Floats) -> None:
    """Write what is known into empty workings: what is closed, and that full cards are worth their bonus."""
    values[:] = np.nan
    values[:, -1] = CLOSED
    full = slice(states.columns.level[-2], states.columns.level[-1])
    values[states.rows.level[-2] :, full] = states.columns.bonus[full]


class InMemory:
    """Workings that are gone when the process ends.

    `values`: rows × columns of the states, and one column more for what is closed. `done`: the rows that are complete.
    """

    def __init__(self, states: States) -> None:
        """Begin with the full cards."""
        self.values: Floats = np.empty((states.shape[0], states.shape[1] + 1))
        self.done: Rows = np.zeros(states.shape[0], dtype=np.bool_)
        begin(states, self.values)

    def keep(self, rows: Sequence[int]) -> None:
        """Note that some rows are done."""
        self.done[rows] = True


class OnDisk:
    """Workings in a file, with a note beside it of what is done; the next solve goes on from there."""

    def __init__(self, states: States, path: Path) -> None:
        """Go on from what is in the file, or begin with the full cards where it is of no use."""
        self._path = path
        self._note = path.with_name(f"{path.name}.json")
        self._definition = states.definition
        self._saved = time.monotonic()
        shape = (states.shape[0], states.shape[1] + 1)
        fits = path.is_file() and path.stat().st_size == np.dtype(np.float64).itemsize * shape[0] * shape[1]
        noted = self._read_note(shape[0]) if fits else None
        self._map = np.memmap(path, np.float64, "w+" if noted is None else "r+", shape=shape)
        self.values: Floats = self._map
        self.done: Rows = np.zeros(shape[0], dtype=np.bool_) if noted is None else noted
        if noted is None:
            begin(states, self.values)

    def _read_note(self, rows: int) -> Rows | None:
        """Give the rows that are done, None where there is no note or it is of another game."""
        try:
            note = json.loads(self._note.read_text())
            bits = np.frombuffer(bytes.fromhex(note["done"]), dtype=np.uint8)
            same = note["definition"] == self._definition
            return np.unpackbits(bits, count=rows).astype(np.bool_) if same else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, rows: Sequence[int]) -> None:
        """Note that some rows are done; the note is written now and then."""
        self.done[rows] = True
        if time.monotonic() - self._saved >= SAVE_EVERY:
            self.save()

    def save(self) -> None:
        """Bring the values to disk, then the note of what is done."""
        self._map.flush()
        draft = self._note.with_suffix(".draft")
        draft.write_text(json.dumps({"definition": self._definition, "done": np.packbits(self.done).tobytes().hex()}))
        draft.replace(self._note)
        self._saved = time.monotonic()

    def remove(self) -> None:
        """Delete the files: the solve is over."""
        self._path.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)
