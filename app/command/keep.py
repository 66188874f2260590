"""`fairwind backup`, `restore`, `copy` and `prune`: keeping what is stored safe, small and movable."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TypeAlias

import click

from app import clock
from app.coach.clearing import clear_tables
from app.command.database import opened
from app.play.keeping import IDLE, Keeping, Report, Tidied
from app.store import NotEmpty, Store

Answer: TypeAlias = tuple[dict[str, object], str]
"""What a command says, as a JSON object and as a text."""


def back_up(path: str) -> Answer:
    """Write a copy into a new file.

    Raises:
        click.ClickException: the file is there already or cannot be written, or the database cannot be read.

    """
    target = Path(path)
    if target.exists() or target.is_symlink():
        raise click.ClickException(f"{path} is there already; a copy takes a new name.")
    with opened() as (_, store):
        store.check_schema()
        rows = store.save(target)
    size = target.stat().st_size
    return {"path": path, "bytes": size, "rows": rows}, f"{path} has {_rows_text(rows)}, in {size:,} bytes."


def restore(path: str, *, force: bool) -> Answer:
    """Fill the database from a copy.

    Raises:
        click.ClickException: the copy is none, the database is not empty, or what is in the copy does not fit together.

    """
    with opened() as (_, store):
        store.migrate()
        with Store.opened_copy(Path(path)) as copy:
            try:
                rows = copy.copy_to(store, replace=force)
            except NotEmpty as error:
                raise click.ClickException(f"{error} --force takes all of that away.") from error
        report = Keeping(store, clock.system).check()
    return {"path": path, "rows": rows, **_report(report)}, f"Back are {_rows_text(rows)}.\n{_report_text(report)}"


def copy_to(url: str) -> Answer:
    """Copy everything into another database.

    Raises:
        click.ClickException: one of the two cannot be used, the other one is not empty, or rows did not arrive.

    """
    with opened() as (_, store):
        store.check_schema()
        other = Store.open(url)
        try:
            other.migrate()
            rows = store.copy_to(other)
            report = Keeping(other, clock.system).check()
        finally:
            other.close()
    return {"rows": rows, **_report(report)}, (
        f"Every row arrived as it is: {_rows_text(rows)}.\n{_report_text(report)}"
    )


def prune() -> Answer:
    """Take away what nobody will come back for.

    Raises:
        click.ClickException: the database or the folder of tables cannot be written.

    """
    with opened() as (settings, store):
        store.check_schema()
        done = Keeping(store, clock.system).prune()
    try:
        tables = clear_tables(settings.tables, (clock.system() - IDLE).timestamp())
    except OSError as error:
        raise click.ClickException(f"Tables cannot be removed: {error.strerror or error}.") from error
    return {**asdict(done), "tables": [path.name for path in tables]}, _tidied_text(done, len(tables))


def _tidied_text(done: Tidied, tables: int) -> str:
    return "\n".join(
        [
            f"{done.abandoned:,} games idle for {IDLE.days} days were given up.",
            f"{done.players:,} players who never finished a game were forgotten, with {done.forgotten:,} games.",
            f"{done.tokens:,} expired tokens and {done.counters:,} counters were removed, and {tables:,} unused tables.",
            f"The logs of {done.packed:,} ended games were packed.",
        ]
    )


def _rows_text(rows: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {table.replace('_', ' ')}" for table, count in rows.items() if count) or "no rows"


def _report(report: Report) -> dict[str, object]:
    return {
        "games": report.games,
        "entries": report.entries,
        "differences": [asdict(one) for one in report.differences],
    }


def _report_text(report: Report) -> str:
    if not report.differences:
        return f"{report.games:,} games with {report.entries:,} entries replayed: all is as the logs say."
    lines = [f"{one.game}: {one.what} is {one.stored}, by the log {one.counted}" for one in report.differences]
    return "\n".join([*lines, "These differ from the logs; `fairwind recount` makes them right."])
