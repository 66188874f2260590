"""Clearing the folder of tables: those of unusual options that nobody asked for in a while are made again when somebody does."""

from __future__ import annotations

from pathlib import Path

from app.coach.solve import VERSION
from app.coach.tables import BadTable, header_of
from app.game.errors import Unreadable
from app.game.rulesets import ruleset


def clear_tables(folder: Path, before: float) -> list[Path]:
    """Remove the tables that were last used before a moment (in seconds since 1970) and are not of a ruleset as it usually is.

    When a table was last read is known where the file system notes it; elsewhere it counts from when it was made.

    Raises:
        OSError: the folder cannot be written.

    """
    unused = [path for path in sorted(folder.glob("*.table")) if _last_used(path) < before and not _is_usual(path)]
    for path in unused:
        path.unlink(missing_ok=True)
    return unused


def _last_used(path: Path) -> float:
    found = path.stat()
    return max(found.st_atime, found.st_mtime)


def _is_usual(path: Path) -> bool:
    try:
        header = header_of(path)
        return header.version == VERSION and header.options == dict(ruleset(header.ruleset).options)
    except (BadTable, Unreadable):
        return False
