"""The real server for tests from outside: in a thread, where keys and trouble are the test's, or as the program."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import IO

import anyio
import pytest
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.coach.making import Tables
from app.command.serve import address_of, listen
from app.play import Computers
from app.settings import Settings
from app.store import Store
from app.web import create_app
from tests.support.computers import seat_computers
from tests.support.web import FakeClock, numbered_keys

FAIRWIND = Path(sys.executable).with_name("fairwind")


@dataclass(slots=True)
class Trouble:
    """What is wrong: `late` is the seconds by which answers to moves are late, `broken` makes every move fail.

    `lost`: moves are made and their answers break off. `cookieless`: no cookie comes through, as with a browser that
    blocks them.
    """

    late: float = 0.0
    broken: bool = False
    lost: bool = False
    cookieless: bool = False

    def end(self) -> None:
        """Let everything be well again."""
        self.late, self.broken, self.lost, self.cookieless = 0.0, False, False, False


@dataclass(frozen=True, slots=True)
class Served:
    """A server in this process, on a real port; `keys_to_come` are the keys of the next games."""

    url: str
    clock: FakeClock
    trouble: Trouble
    keys_to_come: list[bytes] = field(default_factory=list)

    def calm(self) -> None:
        """Put an end to all trouble, and let keys come as they like."""
        self.trouble.end()
        self.keys_to_come.clear()


def troubled(app: ASGIApp, trouble: Trouble) -> ASGIApp:
    """Hold back or lose what the application answers to moves, and keep cookies from it."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_late(message: Message) -> None:
            if message["type"] == "http.response.start" and scope["method"] == "POST":
                await anyio.sleep(trouble.late)
            if message["type"] == "http.response.body" and scope["method"] == "POST" and trouble.lost:
                raise ConnectionAbortedError("the answer is lost")
            await send(message)

        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        if trouble.cookieless:
            scope = {**scope, "headers": [(name, value) for name, value in scope["headers"] if name != b"cookie"]}
        await app(scope, receive, send_late)

    return answer


@contextmanager
def in_thread(settings: Settings, computers: Computers | None = None) -> Iterator[Served]:
    """Serve on a free port until the block ends; `computers` play instead of the real ones."""
    store = Store.open(settings.where)
    store.migrate()
    store.close()
    clock, trouble, source = FakeClock(), Trouble(), numbered_keys()
    keys_to_come: list[bytes] = []

    def now() -> datetime:
        if trouble.broken:
            raise RuntimeError("the clock has stopped")
        return clock()

    def make_key() -> bytes:
        return keys_to_come.pop(0) if keys_to_come else next(source)

    application = create_app(settings, now, make_key)
    if computers is not None:
        seat_computers(application, computers)
    app = troubled(application, trouble)
    # What a test breaks on purpose is no news.
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False))
    with listen("127.0.0.1", 0) as listening:
        # Connections wait in the queue of the open port until the thread is there.
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield Served(address_of(listening), clock, trouble, keys_to_come)
        finally:
            server.should_exit = True
            thread.join()


@dataclass(slots=True)
class Program:
    """`fairwind serve` as a process of its own, on a data folder and, once it has started, always on the same port."""

    data: Path
    database: str = ""
    workers: int = 1
    port: int = 0
    process: subprocess.Popen[str] | None = None
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The address for a browser."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start, and come back when it answers."""
        self.data.mkdir(exist_ok=True)
        with (self.data / "complaints.txt").open("a", encoding="utf-8") as complaints:
            self.process = subprocess.Popen(
                [FAIRWIND, "serve", "--port", str(self.port), "--workers", str(self.workers), "--json"],
                env=_environment(FAIRWIND_DATA=str(self.data), FAIRWIND_DATABASE=self.database, **self.settings),
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
            )
        line = _out(self.process).readline()
        assert line, (self.data / "complaints.txt").read_text(encoding="utf-8")
        self.port = int(json.loads(line)["url"].rpartition(":")[2])

    def send(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def end(self) -> None:
        """Tell the process to end, and wait until it has."""
        self.send(signal.SIGTERM)
        assert self.process is not None
        self.process.wait(timeout=30)
        self.kill()

    def kill(self) -> None:
        """End the process at once, as a power failure or `kill -9` does, and wait until it is gone."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            _out(self.process).close()
            self.process = None


def _environment(**variables: str) -> dict[str, str]:
    """Pass on what this process has, but for settings that somebody made for a server of their own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("FAIRWIND_")} | variables


def _out(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout


@contextmanager
def started(data: Path, database: str = "", workers: int = 1, **settings: str) -> Iterator[Program]:
    """Start the program, with settings by their variables, and end it after the block."""
    program = Program(data, database, workers, settings=settings)
    try:
        program.start()
        yield program
    finally:
        program.kill()


@pytest.fixture(scope="session")
def _one_server(tmp_path_factory: pytest.TempPathFactory, tables: Tables) -> Iterator[Served]:
    settings = Settings(data=tmp_path_factory.mktemp("served"), rate_limits="off")
    # What one test has solved is at hand in all of them.
    tables.folder.mkdir(parents=True, exist_ok=True)
    settings.tables.symlink_to(tables.folder, target_is_directory=True)
    with in_thread(settings) as served:
        yield served


@pytest.fixture
def served(_one_server: Served) -> Served:
    """A server for browsers, the same one for all tests; players are told apart by their cookies."""
    _one_server.calm()
    return _one_server


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """The program on a data folder of the test's own."""
    with started(tmp_path / "data") as running:
        yield running
