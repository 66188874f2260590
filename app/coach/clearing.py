"""Clearing the folder of tables: those of unusual options that nobody asked for in a while are made again when somebody does.

What lies beside a table is named as the table is, up to the first dot: its lock, the note of how far its solve is, the
workings of a large one with their own note, and drafts.
"""

from __future__ import annotations

from pathlib import Path

from app.coach.making import alone
from app.coach.solve import VERSION
from app.coach.tables import BadTable, header_of
from app.game.errors import Unreadable
from app.game.rulesets import ruleset

_BESIDE = frozenset({".lock", ".pace", ".pace-draft", ".workings", ".json", ".draft"})


def clear_tables(folder: Path, before: float) -> list[Path]:
    """Remove the tables that were last used before a moment (in seconds since 1970) and are not of a ruleset as it usually is.

    With them goes what lies beside them, and whatever interrupted solves left before that moment, unless a process is solving
    it now. When a table was last read is known where the file system notes it; elsewhere it counts from when it was made.

    Raises:
        OSError: the folder cannot be written.

    """
    unused = [path for path in sorted(folder.glob("*.table")) if _last_used(path) < before and not _is_usual(path)]
    for path in unused:
        path.unlink(missing_ok=True)
    for table, leavings in _beside(folder).items():
        if table in unused or all(path.stat().st_mtime < before for path in leavings):
            _remove(table, leavings)
    return unused


def _beside(folder: Path) -> dict[Path, list[Path]]:
    """Give what lies in the folder beside tables, by table; that may be gone, or may never have been finished."""
    found: dict[Path, list[Path]] = {}
    for path in sorted(folder.glob("*.*")):
        if path.suffix in _BESIDE:
            found.setdefault(folder / f"{path.name.partition('.')[0]}.table", []).append(path)
    return found


def _remove(table: Path, leavings: list[Path]) -> None:
    """Take away what lies beside a table and at last its lock, unless somebody holds that."""
    with alone(table, wait=False) as held:
        if held:
            for path in [*leavings, table.with_suffix(".lock")]:
                path.unlink(missing_ok=True)


def _last_used(path: Path) -> float:
    found = path.stat()
    return max(found.st_atime, found.st_mtime)


def _is_usual(path: Path) -> bool:
    try:
        header = header_of(path)
        return header.version == VERSION and header.options == dict(ruleset(header.ruleset).options)
    except (BadTable, Unreadable):
        return False
