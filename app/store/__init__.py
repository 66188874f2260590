"""The tables and everything that is asked of them. Nothing outside this package and the migrations knows SQLAlchemy."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Literal, Self

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.store import migrating, moving
from app.store.boards import ResultRow
from app.store.engine import (
    BUSY_SECONDS,
    describe,
    engine_for_one_question,
    engine_for_reading,
    engine_for_writing,
    open_engine,
    reason,
)
from app.store.errors import (
    BadPack,
    Contradiction,
    NewerSchema,
    NotEmpty,
    OlderSchema,
    ReadOnly,
    StoreError,
    StoreUnavailable,
    Taken,
)
from app.store.reads import Reading
from app.store.rows import (
    DayRow,
    Deed,
    EntryRow,
    Figures,
    GameRow,
    PlayedDay,
    PlayerRow,
    SeatRow,
    Status,
    TokenKind,
    TokenRow,
    Totals,
)
from app.store.statements import Statements
from app.store.writes import Tx

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sqlalchemy import Engine

__all__ = [
    "BadPack",
    "Contradiction",
    "DayRow",
    "Deed",
    "EntryRow",
    "Figures",
    "GameRow",
    "NewerSchema",
    "NotEmpty",
    "OlderSchema",
    "PlayedDay",
    "PlayerRow",
    "ReadOnly",
    "Reading",
    "ResultRow",
    "SeatRow",
    "Status",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "Taken",
    "TokenKind",
    "TokenRow",
    "Totals",
    "Tx",
]


class Store:
    """An open database. Threads may share it; a transaction belongs to one of them."""

    def __init__(self, engine: Engine) -> None:
        """Take an engine of `open_engine`."""
        self.engine = engine
        self.read_only = False
        """Whether every change is refused."""
        self.watch: Callable[[Mapping[tuple[Deed, str], int]], None] | None = None
        """Told after each transaction what it did: how many of each deed, and for games of which kind."""
        self._reader = engine_for_reading(engine)
        self._asker = engine_for_one_question(engine)
        self._writer = engine_for_writing(engine)
        self._statements = Statements(engine.dialect)
        # Each error comes in two forms: SQLAlchemy's, and the driver's own from prepared statements.
        driver = engine.dialect.loaded_dbapi
        self._contradictions = (IntegrityError, driver.IntegrityError)
        self._mistakes = (ProgrammingError, DataError, driver.ProgrammingError, driver.DataError)
        self._outages = (DBAPIError, PoolTimeout, driver.Error)
        # SQLite has one writer at a time and lets the others look again after pauses of up to 100 ms. Threads of one
        # process do better to queue here.
        self._turn = Lock() if engine.dialect.name == "sqlite" else None

    @classmethod
    def open(cls, where: str | Path, *, synchronous: Literal["FULL", "NORMAL"] = "FULL") -> Self:
        """Open a database by its address, or a SQLite file by its path; a missing folder is made.

        Raises:
            StoreUnavailable: it cannot be opened or written.

        """
        return cls(open_engine(where, synchronous))

    def migrate(self) -> None:
        """Bring the database to the schema of this version; any number of processes may do it at once.

        Raises:
            NewerSchema: a later version of the program made it.
            StoreUnavailable: it cannot be written.

        """
        with self._refusals():
            migrating.migrate(self.engine)

    def check_schema(self, *, newer: bool = False) -> None:
        """See that the database has the schema of this version.

        With `newer` that of a later one will do: migrations only add, so a server that runs already can go on while
        the next version is put in place.

        Raises:
            NewerSchema: a later version of the program made it.
            OlderSchema: it has not been migrated.
            StoreUnavailable: it cannot be read.

        """
        with self._refusals():
            migrating.check_schema(self.engine, newer=newer)

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """Look at one moment of the store.

        Raises:
            StoreUnavailable: the database cannot be read.

        """
        with self._refusals(), self._reader.begin() as connection:
            yield Reading(connection, self._statements)

    @contextmanager
    def asking(self) -> Iterator[Reading]:
        """Ask the store one thing; what would have to be of the same moment is for `reading`.

        Raises:
            StoreUnavailable: the database cannot be read.

        """
        with self._refusals(), self._asker.begin() as connection:
            yield Reading(connection, self._statements)

    @contextmanager
    def writing(self) -> Iterator[Tx]:
        """Change the store: all of the block, or nothing when it raises. When the block has ended it is on the disk.

        Raises:
            Contradiction: a row does not fit the others.
            ReadOnly: this store was told to change nothing.
            StoreUnavailable: the database cannot be written.

        """
        if self.read_only:
            raise ReadOnly("Nothing can be changed now.")
        with self._refusals(), self._in_turn(), self._writer.begin() as connection:
            tx = Tx(connection, self._statements)
            yield tx
        if self.watch is not None:
            self.watch(tx.deeds)

    def save(self, path: Path) -> dict[str, int]:
        """Write the whole database, as it is at one moment, into a new SQLite file; give the number of rows by table.

        Others may go on writing meanwhile. The file is for its owner alone, since it holds secrets.

        Raises:
            StoreUnavailable: the database cannot be read, or the file not be written.

        """
        draft = path.with_name(f"{path.name}.{os.getpid()}.draft")
        try:
            with self._refusals():
                moving.make_private(draft)
                rows = self._save(draft)
                moving.close_file(draft)
                # A name that is there has been refused before; what came since is not overwritten either.
                moving.give_name(draft, path)
        except (OSError, sqlite3.Error) as error:
            raise StoreUnavailable(f"The copy {path} cannot be written: {reason(error)}.") from error
        finally:
            with suppress(OSError):
                draft.unlink()
        return rows

    def _save(self, path: Path) -> dict[str, int]:
        is_sqlite = self.engine.dialect.name == "sqlite"
        if is_sqlite:
            moving.save_sqlite(self.engine, path)
        copy = type(self).open(path)
        try:
            if is_sqlite:
                with copy.engine.connect() as connection:
                    return moving.counted(connection)
            copy.migrate()
            return self.copy_to(copy)
        finally:
            copy.close()

    def copy_to(self, other: Store, *, replace: bool = False) -> dict[str, int]:
        """Write every row into another migrated database, all or nothing; give the number of rows by table.

        Raises:
            NotEmpty: somebody has played there already; with `replace` all of that is taken away instead.
            StoreUnavailable: one of the two fails, or the rows do not arrive as they are here.

        """
        with self.reading() as ours, other.writing() as theirs:
            if not replace and not theirs.is_empty():
                raise NotEmpty(f"Somebody has played in {describe(other.engine)} already.")
            source, target = ours.connection, theirs.connection
            moving.empty_all(target)
            moving.copy_all(source, target)
            wrong = moving.differing(source, target)
            if wrong:
                raise StoreUnavailable(f"Rows of {', '.join(wrong)} did not arrive as they are; nothing was changed.")
            return moving.counted(target)

    @classmethod
    @contextmanager
    def opened_copy(cls, path: Path) -> Iterator[Self]:
        """Open what `save` wrote, of this version or an earlier one, brought to this version's schema; the file stays as it is.

        Raises:
            StoreUnavailable: it cannot be read, or is no such file.

        """
        with TemporaryDirectory(prefix="fairwind-") as folder:
            try:
                draft = moving.draw(path, Path(folder))
            except OSError as error:
                raise StoreUnavailable(f"The copy {path} cannot be read: {reason(error)}.") from error
            copy = cls.open(draft)
            try:
                copy.migrate()
                yield copy
            finally:
                copy.close()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Wait for the other threads that write; not for ever, since one of them may be waiting for a disk that never answers."""
        if self._turn is None:
            yield
            return
        if not self._turn.acquire(timeout=BUSY_SECONDS):
            raise StoreUnavailable(f"The database {describe(self.engine)} cannot be used now: it is busy.")
        try:
            yield
        finally:
            self._turn.release()

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except self._contradictions as error:
            raise Contradiction(f"The store refuses a row: {reason(error)}.") from error
        except self._mistakes:
            raise
        except self._outages as error:
            raise StoreUnavailable(
                f"The database {describe(self.engine)} cannot be used now: {reason(error)}."
            ) from error
