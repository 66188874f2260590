"""Where a solve keeps its values while it works: in memory, or for the largest games in a file that outlives a stop."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from app.coach.boxes import CLOSED
from app.coach.odds import Floats
from app.coach.states import States

LARGE = 4_000_000
"""From so many states on a solve takes minutes, so what is done is kept on disk."""


def begin(states: States, values: Floats) -> int:
    """Write what is known into empty workings: full cards are worth their bonus. Give the level that is done."""
    values[:] = np.nan
    values[:, -1] = CLOSED
    full = slice(states.columns.level[-2], states.columns.level[-1])
    values[states.rows.level[-2] :, full] = states.columns.bonus[full]
    return len(states.sheet.lower) + 1


class InMemory:
    """Workings that are gone when the process ends.

    `values`: rows × columns of the states, and one column more for what is closed. The rows with `level` lower boxes
    filled, or more, are done.
    """

    def __init__(self, states: States) -> None:
        """Begin with the full cards."""
        self.values: Floats = np.empty((states.shape[0], states.shape[1] + 1))
        self.level = begin(states, self.values)

    def keep(self, level: int) -> None:
        """Note that the rows of this level are done too."""
        self.level = level


class OnDisk:
    """Workings in a file, with a note beside it that says how far they are; the next solve goes on from there."""

    def __init__(self, states: States, path: Path) -> None:
        """Go on from what is in the file, or begin with the full cards where it is of no use."""
        self._path = path
        self._note = path.with_name(f"{path.name}.json")
        self._definition = states.definition
        shape = (states.shape[0], states.shape[1] + 1)
        level = self._read_note()
        found = level is not None and path.is_file() and path.stat().st_size == 8 * shape[0] * shape[1]
        self._map: np.memmap[tuple[int, int], np.dtype[np.float64]] = np.memmap(
            path, np.float64, "r+" if found else "w+", shape=shape
        )
        self.values: Floats = self._map
        self.level = level if found and level is not None else begin(states, self.values)

    def _read_note(self) -> int | None:
        """Give the level that is done, None where there is no note or it is of another game."""
        try:
            note = json.loads(self._note.read_text())
            return int(note["level"]) if note["definition"] == self._definition else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, level: int) -> None:
        """Note that the rows of this level are done too, once they are on disk."""
        self._map.flush()
        draft = self._note.with_suffix(".draft")
        draft.write_text(json.dumps({"definition": self._definition, "level": level}))
        draft.replace(self._note)
        self.level = level

    def remove(self) -> None:
        """Delete the files: the solve is over."""
        self._path.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)
