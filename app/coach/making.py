"""The folder of tables: found, made once per machine however many processes ask, and made in the background.

Beside a table there may be a lock, which the process that makes it holds while it lives, and a note of how far it is.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import numpy as np

from app.coach.solve import VERSION, processors, solve
from app.coach.states import States, states
from app.coach.tables import BadTable, Table, read_table, write_table
from app.coach.workings import LARGE, InMemory, OnDisk
from app.game.rules import Ruleset
from app.game.rulesets import ruleset

SECONDS_A_STATE = 1e-5
"""What one processor usually needs for a state, in seconds."""

NICENESS = 10
_NOTE_EVERY = 0.5
_FIRST_SHARE = 50


@dataclass(frozen=True, slots=True)
class Pace:
    """How far a solve is: states done of all after so many seconds; `before` of them were done by an earlier solve."""

    done: int
    total: int
    seconds: float = 0.0
    before: int = 0

    @property
    def left(self) -> float:
        """Estimate the seconds still needed: by the pace shown, at the beginning more by what is usual."""
        weight = self.total / _FIRST_SHARE
        usual = SECONDS_A_STATE / processors()
        a_state = (self.seconds + weight * usual) / (self.done - self.before + weight)
        return a_state * (self.total - self.done)


Watch: TypeAlias = Callable[[Pace], None]


class Tables:
    """The tables in a folder. May be used by several threads and processes."""

    def __init__(self, folder: Path) -> None:
        """Use a folder; it is made when its first table is."""
        self.folder = folder
        self._open: dict[tuple[Ruleset, bool], Table] = {}
        self._makers: dict[Ruleset, subprocess.Popen[bytes]] = {}
        self._lock = Lock()
        self._beginning = Lock()

    def path(self, of: States) -> Path:
        """Give the file of a ruleset's table; its name changes with the rules, the options and the solver."""
        return self.folder / f"{of.sheet.ruleset.id}-{of.definition[:16]}-{VERSION}.table"

    def find(self, rules: Ruleset, *, raised: bool = False) -> Table | None:
        """Give the table if it is there, on demand that with a raised bonus; a damaged one is as good as none.

        Raises:
            Unsolvable: where the ruleset has no exact solution here.

        """
        of = states(rules, raised=raised)
        with self._lock:
            if (rules, raised) not in self._open:
                try:
                    self._open[rules, raised] = read_table(self.path(of), of)
                except (BadTable, OSError):
                    return None
            return self._open[rules, raised]

    def make(
        self, rules: Ruleset, *, watch: Watch | None = None, threads: int = 0, force: bool = False, raised: bool = False
    ) -> Table:
        """Give the table, made now if need be; if another process is making it, wait for that one.

        `watch` is told the pace; `force` makes the table anew; `raised` means that with a raised bonus.

        Raises:
            Unsolvable: where the ruleset has no exact solution here.
            OSError: the folder cannot be written.

        """
        if not force and (table := self.find(rules, raised=raised)):
            return table
        of = states(rules, raised=raised)
        path = self.path(of)
        self.folder.mkdir(parents=True, exist_ok=True)
        with alone(path):
            if force or not self.find(rules, raised=raised):
                _make(of, path, watch, threads)
            with self._lock:
                self._open[rules, raised] = read_table(path, of)
                return self._open[rules, raised]

    def begin(self, rules: Ruleset) -> None:
        """See to it that the table will be there: start a process of low priority unless it is there or being made.

        The process makes that with a raised bonus too, if the game is not large.

        Raises:
            Unsolvable: where the ruleset has no exact solution here.

        """
        # Two that come at once would both find that nobody makes it.
        with self._beginning:
            self._begin(rules)

    def _begin(self, rules: Ruleset) -> None:
        if self.pace(rules) or (self.find(rules) and (not _has_raised(rules) or self.find(rules, raised=True))):
            return
        words = [str(self.folder), rules.id, json.dumps(dict(rules.options)), str(os.getpid())]
        # One thread for each product: the threads of the solver itself keep every processor busy.
        surroundings = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
        with self._lock:
            self._makers[rules] = subprocess.Popen(  # noqa: S603 - our own program with words that we wrote
                [sys.executable, "-m", "app.coach.making", *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=surroundings,
            )

    def ask(self, rules: Ruleset) -> int:
        """See to it that the table will be there, and give the whole seconds until then, at least 1.

        One is made at a time, and one large one beside it, however many are asked for: to ask again begins the next.

        Raises:
            Unsolvable: where the ruleset has no exact solution here.

        """
        large = states(rules).count >= LARGE
        ahead = [
            other
            for other, maker in list(self._makers.items())
            if other != rules
            and (states(other).count >= LARGE) == large
            and maker.poll() is None
            and self.find(other) is None
        ]
        if not ahead:
            self.begin(rules)
        paces = [self.pace(one) or Pace(0, states(one).count) for one in (rules, *ahead)]
        return max(1, ceil(sum(pace.left for pace in paces)))

    def pace(self, rules: Ruleset) -> Pace | None:
        """Tell how far the making of a table is, None where nobody is making it."""
        of = states(rules)
        path = self.path(of)
        maker = self._makers.get(rules)
        # Between its start and its lock the process begun here is known only here.
        if not _taken(path) and (maker is None or maker.poll() is not None):
            return None
        try:
            return Pace(**json.loads(_note(path).read_text()))
        except (OSError, ValueError, TypeError):
            return Pace(0, of.count)

    def wait(self) -> None:
        """Wait for what was begun here."""
        for maker in list(self._makers.values()):
            maker.wait()

    def close(self) -> None:
        """End what was begun here and is not finished."""
        with self._lock:
            for maker in self._makers.values():
                maker.terminate()
                maker.wait()
            self._makers.clear()


def _has_raised(rules: Ruleset) -> bool:
    """Tell whether there is a bonus to raise; a large game is not solved twice."""
    return bool(rules.bonus) and states(rules).count < LARGE


def _make(of: States, path: Path, watch: Watch | None, threads: int) -> None:
    """Solve and write the table; a large one leaves its workings behind when it is interrupted."""
    started = time.monotonic()
    workings = OnDisk(of, path.with_suffix(".workings")) if of.count >= LARGE else InMemory(of)
    before = of.count_rows(np.flatnonzero(workings.done).tolist())
    noted = 0.0

    def tell(done: int) -> None:
        nonlocal noted
        pace = Pace(done, of.count, time.monotonic() - started, before)
        if watch:
            watch(pace)
        if pace.seconds - noted >= _NOTE_EVERY:
            noted = pace.seconds
            _write_note(path, pace)

    try:
        solve(of, workings, threads=threads, progress=tell)
        write_table(path, of, workings.values, time.monotonic() - started)
    finally:
        if isinstance(workings, OnDisk):
            workings.save()
        _note(path).unlink(missing_ok=True)
    if isinstance(workings, OnDisk):
        workings.remove()


def _note(path: Path) -> Path:
    return path.with_suffix(".pace")


def _write_note(path: Path, pace: Pace) -> None:
    draft = path.with_suffix(".pace-draft")
    # Nobody needs the note so much that a full disk should stop the solve here.
    with suppress(OSError):
        draft.write_text(json.dumps(asdict(pace)))
        draft.replace(_note(path))


@contextmanager
def alone(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold the lock of a table; the system releases it when the process ends, however it ends.

    Gives whether it is held: without `wait` it is not where somebody else holds it.
    """
    while True:
        with path.with_suffix(".lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            # It may have been cleared away before it was ours; whoever came next would then hold another one.
            if _is_at(path.with_suffix(".lock"), lock.fileno()):
                yield True
                return


def _is_at(path: Path, opened: int) -> bool:
    """Tell whether an open file still has its name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(opened))
    except FileNotFoundError:
        return False


def _taken(path: Path) -> bool:
    """Tell whether somebody holds the lock of a table."""
    try:
        with path.with_suffix(".lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def main(folder: str, id_: str, options: str, parent: str) -> None:
    """Make one table at low priority: what `Tables.begin` starts; `parent` is the process that began it."""
    os.nice(NICENESS)
    # Ctrl-C is meant for the server, which ends this process in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch(_pace: Pace) -> None:
        # Whoever began this was killed: nobody is left to end it.
        if os.getppid() != int(parent):
            sys.exit(1)

    tables, rules = Tables(Path(folder)), ruleset(id_, json.loads(options))
    if tables.pace(rules) is None:
        tables.make(rules, watch=watch)
        if _has_raised(rules):
            tables.make(rules, watch=watch, raised=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
