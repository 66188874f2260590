"""The tables and everything that is asked of them. Nothing outside this package and the migrations knows SQLAlchemy."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from threading import Lock
from typing import TYPE_CHECKING, Literal, Self

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.store import migrating
from app.store.engine import describe, engine_for_reading, engine_for_writing, open_engine, reason
from app.store.errors import Contradiction, NewerSchema, OlderSchema, StoreError, StoreUnavailable, Taken
from app.store.reads import Reading
from app.store.rows import Figures, GameRow, PlayerRow, SeatRow, Status, TokenKind, Totals
from app.store.statements import Statements
from app.store.writes import Tx

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from sqlalchemy import Engine

__all__ = [
    "Contradiction",
    "Figures",
    "GameRow",
    "NewerSchema",
    "OlderSchema",
    "PlayerRow",
    "Reading",
    "SeatRow",
    "Status",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "Taken",
    "TokenKind",
    "Totals",
    "Tx",
]


class Store:
    """An open database. Threads may share it; a transaction belongs to one of them."""

    def __init__(self, engine: Engine) -> None:
        """Take an engine of `open_engine`."""
        self.engine = engine
        self._reader = engine_for_reading(engine)
        self._writer = engine_for_writing(engine)
        self._statements = Statements(engine.dialect)
        # Each error comes in two forms: SQLAlchemy's, and the driver's own from prepared statements.
        driver = engine.dialect.loaded_dbapi
        self._contradictions = (IntegrityError, driver.IntegrityError)
        self._mistakes = (ProgrammingError, DataError, driver.ProgrammingError, driver.DataError)
        self._outages = (DBAPIError, PoolTimeout, driver.Error)
        # SQLite has one writer at a time and lets the others look again after pauses of up to 100 ms. Threads of one
        # process do better to queue here.
        self._turn: AbstractContextManager[object] = Lock() if engine.dialect.name == "sqlite" else nullcontext()

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

    def check_schema(self) -> None:
        """See that the database has the schema of this version.

        Raises:
            NewerSchema: a later version of the program made it.
            OlderSchema: it has not been migrated.
            StoreUnavailable: it cannot be read.

        """
        with self._refusals():
            migrating.check_schema(self.engine)

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """Look at one moment of the store.

        Raises:
            StoreUnavailable: the database cannot be read.

        """
        with self._refusals(), self._reader.begin() as connection:
            yield Reading(connection, self._statements)

    @contextmanager
    def writing(self) -> Iterator[Tx]:
        """Change the store: all of the block, or nothing when it raises. When the block has ended it is on the disk.

        Raises:
            Contradiction: a row does not fit the others.
            StoreUnavailable: the database cannot be written.

        """
        with self._refusals(), self._turn, self._writer.begin() as connection:
            yield Tx(connection, self._statements)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

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
