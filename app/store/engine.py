"""Opening a database: SQLite with the settings that keep answered moves, PostgreSQL by psycopg."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

from app.store.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.pool import ConnectionPoolEntry

BUSY_SECONDS = 5.0
"""How long a writer waits for another one."""
LOCK_SECONDS = 10
"""How long a PostgreSQL transaction waits for rows that another one holds: after that somebody has forgotten one."""
CONNECTIONS = 10
"""How many a process keeps: one for each of the server's threads (`app.web.THREADS`), and some for what looks after it.
The warmest is used first."""
LOG_TRIES = 250
_WRITING = "fairwind_writing"


def open_engine(where: str | Path, synchronous: str) -> Engine:
    """Open the database at an address or, for SQLite, at a path.

    Raises:
        StoreUnavailable: it cannot be opened or written.

    """
    url = _read_url(where)
    return _open_sqlite(url, synchronous) if url.get_backend_name() == "sqlite" else _open_postgresql(url)


def engine_for_reading(engine: Engine) -> Engine:
    """Give the engine whose transactions see one moment and write nothing."""
    if engine.dialect.name == "sqlite":
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def engine_for_one_question(engine: Engine) -> Engine:
    """Give the engine on which each statement sees a moment of its own; PostgreSQL is spared the frame of a transaction."""
    if engine.dialect.name == "sqlite":
        return engine
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def engine_for_writing(engine: Engine) -> Engine:
    """Give the engine whose transactions write: in SQLite they queue at the beginning, never in the middle."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(**{_WRITING: True})
    return engine


def describe(engine: Engine) -> str:
    """Name the database for people, without its password."""
    return engine.url.database or "" if engine.dialect.name == "sqlite" else engine.url.render_as_string()


def _read_url(where: str | Path) -> URL:
    if isinstance(where, Path):
        return URL.create("sqlite", database=str(where))
    try:
        url = make_url(where)
    except ArgumentError:
        raise StoreUnavailable(
            "The address of the database is not one: sqlite:///FILE or postgresql://USER@HOST/NAME."
        ) from None
    if url.drivername in {"postgres", "postgresql"}:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername not in {"sqlite", "sqlite+pysqlite", "postgresql+psycopg"}:
        raise StoreUnavailable(f"Databases of the kind {url.drivername} are not supported: SQLite or PostgreSQL.")
    return url


def _open_sqlite(url: URL, synchronous: str) -> Engine:
    _prepare_file(Path(url.database or ":memory:"))
    engine = create_engine(
        url,
        connect_args={"isolation_level": None, "check_same_thread": False, "timeout": BUSY_SECONDS},
        pool_size=CONNECTIONS,
        pool_use_lifo=True,
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute(f"PRAGMA synchronous = {synchronous}")
        cursor.close()

    queue = Path(url.database or ".").parent

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        driver = cast("sqlite3.Connection", connection.connection.dbapi_connection)
        if _WRITING in connection.get_execution_options():
            with _at_the_head(queue):
                driver.execute("BEGIN IMMEDIATE")
        else:
            driver.execute("BEGIN")

    return engine


@contextmanager
def _at_the_head(queue: Path) -> Iterator[None]:
    """Come before all other processes that wait to write; they queue at the folder of the file.

    SQLite lets those who wait look again after pauses of up to 100 ms, and whoever comes just then goes first: with several
    processes some would wait for seconds. The system wakes one of those who queue here, and one only waits for SQLite.
    """
    place = os.open(queue, os.O_RDONLY)
    try:
        fcntl.flock(place, fcntl.LOCK_EX)
        yield
    finally:
        os.close(place)


def _prepare_file(path: Path) -> None:
    """Make the folder and the file, turn the write-ahead log on (the file remembers it), see that it is writable."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            mode = _turn_on_log(connection)
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        finally:
            connection.close()
    except (OSError, sqlite3.Error) as error:
        raise StoreUnavailable(f"The database {path} cannot be opened for writing: {reason(error)}.") from error
    if mode != "wal":
        raise StoreUnavailable(
            f"The database {path} cannot have a write-ahead log; it must be a file on a disk of this machine."
        )


def _turn_on_log(connection: sqlite3.Connection) -> str:
    """Turn the write-ahead log on. SQLite does not wait by itself here when several processes start at once."""
    for left in reversed(range(LOG_TRIES)):
        try:
            return str(connection.execute("PRAGMA journal_mode = WAL").fetchone()[0])
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or not left:
                raise
        time.sleep(BUSY_SECONDS / LOG_TRIES)
    raise AssertionError


def _open_postgresql(url: URL) -> Engine:
    try:
        engine = create_engine(
            url,
            # None beyond these: to open and close them again under load costs more than to wait for one.
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_use_lifo=True,
            pool_pre_ping=True,
            # What people wrote does not get into a log by an error's text.
            hide_parameters=True,
            connect_args={"connect_timeout": 10},
        )
    except (ImportError, NoSuchModuleError):
        raise StoreUnavailable("PostgreSQL needs the package psycopg: install fairwind[postgres].") from None

    @event.listens_for(engine, "connect")
    def _set_up(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        cursor.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
        cursor.close()
        connection.commit()

    try:
        engine.connect().close()
    except OperationalError as error:
        engine.dispose()
        raise StoreUnavailable(f"The database {url.render_as_string()} cannot be opened: {reason(error)}.") from error
    return engine


def reason(error: BaseException) -> str:
    """Give the first line of what the driver or the system says, without a full stop."""
    said = getattr(error, "orig", None) or error
    text = str(said.strerror if isinstance(said, OSError) and said.strerror else said).strip()
    return text.partition("\n")[0].rstrip(".") or type(said).__name__
