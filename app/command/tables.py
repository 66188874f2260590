"""Tables of solved rulesets for the commands that need one: made when missing, with a bar that shows how far it is."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import click

from app.coach.making import Pace, Tables
from app.coach.sheet import Unsolvable
from app.coach.tables import Table
from app.game.errors import Unreadable
from app.game.rules import Ruleset
from app.settings import BadSettings, Settings

PATIENCE = 1.0
"""Seconds that pass without a bar."""
_BETWEEN = 0.2
_WIDTH = 30


@dataclass(slots=True)
class Bar:
    """A bar on standard error that says how far a work is; only for people, and only when it takes a while."""

    work: str
    begun: float = field(default_factory=time.monotonic)
    shown: float = 0.0

    def show(self, part: float, seconds_left: float | None = None) -> None:
        """Show that a part, 0..1, is done; the time left is estimated where it is not known."""
        now = time.monotonic()
        gone = now - self.begun
        if not sys.stderr.isatty() or gone < PATIENCE or now - self.shown < _BETWEEN:
            return
        self.shown = now
        left = seconds_left if seconds_left is not None else gone * (1 - part) / part if part else 0.0
        line = "#" * round(part * _WIDTH)
        click.echo(f"\r{self.work} [{line:-<{_WIDTH}}] {part:4.0%}, about {_time(left)} left  ", err=True, nl=False)

    def end(self) -> None:
        """Take the bar away."""
        if self.shown:
            click.echo("\r\x1b[K", err=True, nl=False)


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"  # noqa: PLR2004 - the longest time in seconds


@dataclass(frozen=True, slots=True)
class Solved:
    """A table, its file, and whether it was there before."""

    table: Table
    path: Path
    cached: bool


def solved(rules: Ruleset, *, force: bool = False) -> Solved:
    """Give the table of a ruleset from the folder that the settings name, made now if need be.

    Raises:
        Unreadable: `no_exact_solution`, with the reason.
        click.ClickException: the settings cannot be used, or the table cannot be written.

    """
    bar = Bar(f"Solving {rules.id}")

    def watch(pace: Pace) -> None:
        bar.show(pace.done / pace.total, pace.left)

    try:
        tables = Tables(Settings.load().tables)
        found = None if force else tables.find(rules)
        table = found or tables.make(rules, watch=watch, force=force)
        return Solved(table, tables.path(table.states), found is not None)
    except Unsolvable as error:
        raise Unreadable("no_exact_solution", f"{rules.id} with these options has no exact solution. {error}") from None
    except BadSettings as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"The table of {rules.id} cannot be made: {error.strerror or error}") from error
    finally:
        bar.end()
