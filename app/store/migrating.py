"""Bringing a database to the schema of this version, and telling whether it is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, MetaData, Table, Text, inspect, select, text
from sqlalchemy.exc import DBAPIError, OperationalError

from app.store.engine import describe, engine_for_writing, reason
from app.store.errors import NewerSchema, OlderSchema, StoreUnavailable
from app.store.schema import REVISIONS

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection, Engine

FOLDER = Path(__file__).resolve().parents[2] / "migrations"
# Any number that no other program uses for a lock in the same database.
_LOCK = 0x466169727769
# Shorter than the second after which PostgreSQL looks for deadlocks and ends one of those who wait for each other.
_PATIENCE = "500ms"
_TRIES = 60
# A lock or a statement that took too long, a deadlock: another try may go better.
_AGAIN = frozenset({"55P03", "57014", "40P01"})
_VERSION = Table("alembic_version", MetaData(), Column("version_num", Text))


def migrate(engine: Engine) -> None:
    """Bring the database to the last revision; of several processes the first does it and the others wait.

    Raises:
        NewerSchema: a later version of the program made it.
        StoreUnavailable: a step fails, and none of them is made.

    """
    with engine_for_writing(engine).begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL lock_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        if _revision(connection, engine) != REVISIONS[-1]:
            if engine.dialect.name == "postgresql":
                hold_tables(connection)
            _upgrade(connection, engine)


def hold_tables(connection: Connection) -> None:
    """Take every table of a PostgreSQL database for this transaction alone, and let those who play finish before.

    Taken one by one as the steps come to them, they would be waited for by transactions that hold the next ones: one
    of the two would be ended as deadlocked. Here it is this one that gives way first, and tries again.

    Raises:
        StoreUnavailable: somebody holds one for as long as half a minute.

    """
    names = ", ".join(
        connection.dialect.identifier_preparer.quote(name) for name in inspect(connection).get_table_names()
    )
    if not names:
        return
    for _ in range(_TRIES):
        try:
            with connection.begin_nested():
                connection.execute(text(f"SET LOCAL statement_timeout = '{_PATIENCE}'"))
                connection.execute(text(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE"))
                connection.execute(text("SET LOCAL statement_timeout TO DEFAULT"))
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", None) not in _AGAIN:
                raise
        else:
            return
    raise StoreUnavailable(
        f"The database {describe(connection.engine)} is in use without a pause and cannot be migrated now."
    )


def check_schema(engine: Engine, *, newer: bool = False) -> None:
    """See that the database is at the last revision; with `newer` one that this version does not know will do too.

    Raises:
        NewerSchema: a later version of the program made it.
        OlderSchema: it has not been migrated.

    """
    with engine.connect() as connection:
        try:
            found = _revision(connection, engine)
        except NewerSchema:
            if newer:
                return
            raise
    if found != REVISIONS[-1]:
        raise OlderSchema(
            f"The database {describe(engine)} has {f'schema {found}' if found else 'no tables'} and this version needs "
            f"schema {REVISIONS[-1]}: run `fairwind migrate`."
        )


def alembic_config(connection: Connection | None = None) -> Config:
    """Make alembic's configuration, which works on this connection."""
    # A start that has nothing to migrate does not load alembic.
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _revision(connection: Connection, engine: Engine) -> str | None:
    """Read the revision, None for an empty database."""
    if not inspect(connection).has_table(_VERSION.name):
        return None
    found = connection.scalar(select(_VERSION.c.version_num))
    if found is not None and found not in REVISIONS:
        raise NewerSchema(
            f"The database {describe(engine)} has schema {found}, made by a later version of Fairwind; this version "
            f"knows schemas up to {REVISIONS[-1]}: install the later version again, or use another database."
        )
    return found


def _upgrade(connection: Connection, engine: Engine) -> None:
    from alembic import command  # noqa: PLC0415

    try:
        command.upgrade(alembic_config(connection), "head")
    except DBAPIError as error:
        raise StoreUnavailable(f"The database {describe(engine)} cannot be migrated: {reason(error)}.") from error
