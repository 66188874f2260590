"""`fairwind serve`: take the port, say where to point the browser, answer until told to stop."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from tempfile import TemporaryDirectory
from typing import Any

import click
import structlog
import uvicorn
from uvicorn.supervisors import Multiprocess

from app.clock import system
from app.coach.making import Tables
from app.command.notes import note_down
from app.command.patience import Patient
from app.game.rulesets import ruleset
from app.play.keeping import Keeping
from app.settings import Settings
from app.store import Store, StoreError, StoreUnavailable
from app.web import create_app
from app.web.journal import told
from app.web.metrics import SHARED_FOLDER

BACKLOG = 2048
"""Connections that may wait until they are accepted."""
CONNECTIONS = 4000
"""Connections that one process holds at once; who comes after that is told to come later."""
IDLE_SECONDS = 20
"""How long a connection stays open between two requests."""
GRACE_SECONDS = 10
"""How long open connections may go on after the server has been told to stop."""
TIDY_SECONDS = 3600.0
"""How often the logs of ended games are packed."""
BREATH_SECONDS = 0.05
"""The pause between two handfuls of them, in which others write."""


def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Serve on a migrated database; `announce` is called once with the address, as soon as a browser can connect.

    Raises:
        click.ClickException: the port is in use, or the address is not one of this machine.
        StoreUnavailable: the database cannot be used.

    """
    note_down()
    raise_file_limit()
    with (
        counting_together(settings),
        listen(settings.host, settings.port) as listening,
        solving(settings),
        tidying(settings),
        suppress(KeyboardInterrupt),
    ):
        address = address_of(listening)
        if settings.workers == 1:
            _Server(_config(create_app(settings)), lambda: announce(address)).run([listening])
        else:
            listening.set_inheritable(True)
            parent = Multiprocess(_config(f"{__name__}:from_environment", settings.workers), [listening])
            announce(address)
            parent.run()


@contextmanager
def solving(settings: Settings) -> Iterator[None]:
    """Have the tables of the day's games made in the background; what is not finished at the end of the block is ended."""
    tables = Tables(settings.tables)

    def begin() -> None:
        for id_ in settings.dailies:
            tables.begin(ruleset(id_))

    # Even to see whether they are there takes a moment, for which the first visitor shall not wait.
    beginning = threading.Thread(target=begin, daemon=True)
    beginning.start()
    try:
        yield
    finally:
        beginning.join()
        tables.close()


def raise_file_limit() -> None:
    """Let the process hold as many connections as the system allows it to."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + 1000 if hard == resource.RLIM_INFINITY else min(hard, CONNECTIONS + 1000)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@contextmanager
def counting_together(settings: Settings) -> Iterator[None]:
    """Give several processes a folder in which they count for Prometheus together, new with every start."""
    if settings.metrics == "off" or settings.workers == 1:
        yield
        return
    with TemporaryDirectory(prefix="fairwind-metrics-") as folder:
        os.environ[SHARED_FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[SHARED_FOLDER]


@contextmanager
def tidying(settings: Settings, pause: float = TIDY_SECONDS) -> Iterator[None]:
    """Pack the logs of ended games in the background, a few at a time, so that nobody who plays has to wait for it."""
    ended = threading.Event()
    if settings.read_only == "on":
        yield
        return
    thread = threading.Thread(target=_tidy, args=(settings, pause, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _tidy(settings: Settings, pause: float, ended: threading.Event) -> None:
    # The first time after a pause as well: while a new version takes over, the one before it cannot read packed logs.
    while not ended.wait(pause):
        try:
            _tidy_once(settings, lambda: not ended.wait(BREATH_SECONDS))
        except StoreUnavailable:
            # It is tried again the next time; whoever plays hears of it before.
            continue
        except StoreError as error:
            structlog.get_logger("fairwind").error("tidying_failed", **told(error))


def _tidy_once(settings: Settings, go_on: Callable[[], bool]) -> None:
    store = Store.open(settings.where, synchronous=settings.synchronous)
    try:
        Keeping(store, system).tidy(go_on)
    finally:
        store.close()


class _Server(uvicorn.Server):
    """A server that says when it has started: from then on it answers, and ends in order when it is told to."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._say_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._say_started()


def from_environment() -> Callable[..., Any]:
    """Make the application in a worker process: settings travel by the environment, as they came."""
    note_down()
    _end_with_parent()
    return create_app(Settings.load())


def _end_with_parent() -> None:
    """See to it that a worker ends in order when the process that began it is gone, even if that was killed.

    Otherwise it would go on alone, and the port would be in use for the server that is started next.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()


def _config(app: Callable[..., Any] | str, workers: int = 1) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        factory=isinstance(app, str),
        workers=workers,
        backlog=BACKLOG,
        # Who asked for what is not written down, and nobody needs to know what serves.
        access_log=False,
        server_header=False,
        log_config=None,
        log_level="warning",
        http=Patient,
        ws="none",
        # Our own layer reads what proxies say, by the settings.
        proxy_headers=False,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def listen(host: str, port: int) -> socket.socket:
    """Take a port, 0 for any free one, so that browsers can connect from now on.

    Raises:
        click.ClickException: it cannot be had.

    """
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind)
    except OSError as error:
        raise click.ClickException(f"{host} is not an address to listen on: {error.strerror}.") from error
    try:
        # A port whose last connections are still dying is free; one that somebody listens on is not.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise click.ClickException(
            f"Port {port} of {host} cannot be used: {error.strerror}; choose another with --port or FAIRWIND_PORT."
        ) from error
    return listening


def address_of(listening: socket.socket) -> str:
    """Give the address for a browser on this machine: one that listens everywhere is reached at home."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 -- read, not bound
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
