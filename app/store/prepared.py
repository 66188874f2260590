"""The few statements that every move needs, written out once and given to the driver itself.

SQLAlchemy's own way takes about 50 µs a statement, five times what SQLite needs for it; a move has three of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection
    from sqlalchemy.engine import Dialect
    from sqlalchemy.sql.compiler import SQLCompiler
    from sqlalchemy.sql.elements import CompilerElement


class _Cursor(Protocol):
    rowcount: int

    def fetchall(self) -> list[tuple[Any, ...]]: ...


class _Driver(Protocol):
    """What the connections of sqlite3 and psycopg have in common."""

    def execute(self, sql: str, values: Mapping[str, object], /) -> _Cursor: ...


class Prepared:
    """A statement in the words of one database; values go in and come out as SQLAlchemy's types would have them."""

    __slots__ = ("_out", "_sql", "_values")

    def __init__(self, statement: CompilerElement, dialect: Dialect) -> None:
        """Write a statement out."""
        if dialect.paramstyle == "qmark":
            # The same words with names for the values: both drivers then take a mapping.
            dialect = SQLiteDialect_pysqlite(paramstyle="named")
        compiled = cast("SQLCompiler", statement.compile(dialect=dialect))
        self._sql = str(compiled)
        into = {name: bind.type.dialect_impl(dialect).bind_processor(dialect) for name, bind in compiled.binds.items()}
        self._values = tuple((name, process) for name, process in into.items() if process)
        columns = getattr(statement, "selected_columns", ())
        out = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns]
        self._out = tuple((place, process) for place, process in enumerate(out) if process)

    def rows(self, connection: Connection, values: dict[str, object]) -> list[tuple[Any, ...]]:
        """Run a question and give all rows."""
        found = self._run(connection, values).fetchall()
        return [self._read(row) for row in found] if self._out else found

    def count(self, connection: Connection, values: dict[str, object]) -> int:
        """Run a change and count the rows that it touched."""
        return self._run(connection, values).rowcount

    def _run(self, connection: Connection, values: dict[str, object]) -> _Cursor:
        for name, process in self._values:
            values[name] = process(values[name])
        return cast("_Driver", connection.connection.dbapi_connection).execute(self._sql, values)

    def _read(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        values = list(row)
        for place, process in self._out:
            values[place] = process(values[place])
        return tuple(values)
