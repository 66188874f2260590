"""`fairwind serve`: take the port, say where to point the browser, answer until told to stop."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click
import uvicorn
from uvicorn.supervisors import Multiprocess

from app.coach.making import Tables
from app.game.rulesets import ruleset
from app.settings import Settings
from app.web import create_app

BACKLOG = 2048
"""Connections that may wait until they are accepted."""
GRACE_SECONDS = 10
"""How long open connections may go on after the server has been told to stop."""
SOLVED_AT_ONCE = ("classic", "yatzy")
"""The rulesets of the day's games: their tables are begun when the server starts, so that nobody waits for them."""


def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Serve on a migrated database; `announce` is called once with the address, as soon as a browser can connect.

    Raises:
        click.ClickException: the port is in use, or the address is not one of this machine.
        StoreUnavailable: the database cannot be used.

    """
    with listen(settings.host, settings.port) as listening, solving(settings), suppress(KeyboardInterrupt):
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
        for id_ in SOLVED_AT_ONCE:
            tables.begin(ruleset(id_))

    # Even to see whether they are there takes a moment, for which the first visitor shall not wait.
    beginning = threading.Thread(target=begin, daemon=True)
    beginning.start()
    try:
        yield
    finally:
        beginning.join()
        tables.close()


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
    return create_app(Settings.load())


def _config(app: Callable[..., Any] | str, workers: int = 1) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        factory=isinstance(app, str),
        workers=workers,
        backlog=BACKLOG,
        # Who asked for what is not written down, and nobody needs to know what serves.
        access_log=False,
        server_header=False,
        log_level="warning",
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
