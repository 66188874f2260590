"""All rows of one database into another: for copies of safety, for going back to one, and for moving to another database.

A copy of safety is a SQLite file with the tables of the newest schema, whichever database it is of.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from sqlalchemy import Select, Text, delete, func, insert, select

from app.store.errors import StoreUnavailable
from app.store.schema import metadata

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, CursorResult, Engine, Table

_AT_ONCE: Final = 1000
_MAGIC: Final = b"SQLite format 3\x00"
OWNER_ONLY: Final = 0o600

TABLES: Final = tuple(metadata.sorted_tables)
"""In an order in which a row's references come before it."""


def counted(connection: Connection) -> dict[str, int]:
    """Count the rows of every table."""
    return {table.name: int(connection.scalar(select(func.count()).select_from(table)) or 0) for table in TABLES}


def empty_all(connection: Connection) -> None:
    """Take every row away."""
    for table in reversed(TABLES):
        connection.execute(delete(table))


def copy_all(source: Connection, target: Connection) -> None:
    """Write every row of the source into the target, whose tables are empty."""
    for table in TABLES:
        with _rows(source, table) as rows:
            for batch in rows.mappings().partitions(_AT_ONCE):
                target.execute(insert(table), [dict(row) for row in batch])


def differing(source: Connection, target: Connection) -> list[str]:
    """Compare two databases row by row; name the tables that are not alike."""
    return [table.name for table in TABLES if not _alike(source, target, table)]


def _alike(source: Connection, target: Connection, table: Table) -> bool:
    with _rows(source, table) as ours, _rows(target, table) as theirs:
        return all(one == other for one, other in zip_longest(ours, theirs))


def _rows(connection: Connection, table: Table) -> CursorResult[Any]:
    """Go through a table by its key, in the order that all databases share."""
    return connection.execute(_in_order(connection, table), execution_options={"yield_per": _AT_ONCE})


def _in_order(connection: Connection, table: Table) -> Select[Any]:
    keys: list[ColumnElement[Any]] = list(table.primary_key.columns)
    if connection.dialect.name == "postgresql":
        keys = [key.collate("C") if isinstance(key.type, Text) else key for key in keys]
    return select(table).order_by(*keys)


def save_sqlite(engine: Engine, path: Path) -> None:
    """Copy a SQLite database as it is at one moment, while others write to it."""
    with engine.connect() as connection:
        driver = cast("sqlite3.Connection", connection.connection.dbapi_connection)
        target = sqlite3.connect(path)
        try:
            driver.backup(target)
        finally:
            target.close()
    close_file(path)


def close_file(path: Path) -> None:
    """Make one file of a SQLite database, without a log beside it, and see that it is whole.

    Raises:
        StoreUnavailable: it is damaged.

    """
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = DELETE")
        found = connection.execute("PRAGMA integrity_check").fetchone()[0]
    finally:
        connection.close()
    if found != "ok":
        raise StoreUnavailable(f"The copy {path} is damaged: {found}.")


def make_private(path: Path) -> None:
    """Make an empty file that nobody but its owner can read: what comes into it holds secrets."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))


def give_name(draft: Path, path: Path) -> None:
    """Give a finished file the name that it shall have, for which no file system needs more than one name of a file.

    Raises:
        FileExistsError: there is a file of that name, which stays as it is.

    """
    make_private(path)
    try:
        draft.replace(path)
    except OSError:
        path.unlink()
        raise


def draw(path: Path, folder: Path) -> Path:
    """Copy a copy of safety to where it may be changed, so that it stays as it is.

    Raises:
        StoreUnavailable: it is none.

    """
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise StoreUnavailable(f"{path} is no copy of Fairwind's database.")
    draft = folder / "copy.sqlite3"
    make_private(draft)
    shutil.copyfile(path, draft)
    return draft
