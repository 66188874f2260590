"""What the server notes down about requests: what went wrong always, every one where it is asked for; never who asked for what.

A line names the route by its template, so that no id of a game, player or day is in it. `request` is the number that the answer
carries as X-Request-ID.
"""

from __future__ import annotations

import random
import time
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.metrics import Metrics

REQUEST_ID: Final = "X-Request-ID"
_NUMBER: Final = "fairwind.request"
_NOWHERE: Final = "(none)"
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_FAULT: Final = 500

Answer = Callable[[Request, Exception], Awaitable[Response]]
"""Makes the answer to a request that failed."""


class Journal:
    """The layer that numbers, times and counts every request."""

    def __init__(self, app: ASGIApp, *, every: bool = False, metrics: Metrics | None = None) -> None:
        """Wrap `app`; `every` request is noted down, or only those that failed by our fault."""
        self.app = app
        self.every = every
        self.metrics = metrics
        self.log: Any = structlog.get_logger("fairwind")
        # Not from the system at each request, for which all threads would take turns; a number is no secret.
        self._chance = random.Random()  # noqa: S311

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope[_NUMBER] = f"{self._chance.getrandbits(64):016x}"
        begun, status = time.perf_counter(), _FAULT

        async def send_numbered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID] = scope[_NUMBER]
            await send(message)

        try:
            await self.app(scope, receive, send_numbered)
        finally:
            self._note(scope, status, time.perf_counter() - begun)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"
        if self.metrics is not None:
            self.metrics.answered(method, route_of(scope), status, seconds)
        if self.every or status >= _FAULT:
            self.log.info(
                "answered",
                request=scope[_NUMBER],
                method=method,
                route=route_of(scope),
                status=status,
                milliseconds=round(seconds * 1000, 1),
            )


class Rescue:
    """The layer that answers requests whose route failed by a fault of ours, and notes the fault down."""

    def __init__(self, app: ASGIApp, *, answer: Answer) -> None:
        """Wrap `app`."""
        self.app = app
        self.answer = answer
        self.log: Any = structlog.get_logger("fairwind")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        started = False

        async def send_noting(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, send_noting)
        except Exception as error:
            if scope["type"] != "http":
                raise
            self.log.error("failed", request=scope.get(_NUMBER), route=route_of(scope), **told(error))  # noqa: TRY400 - in a form of our own
            if started:
                raise
            response = await self.answer(Request(scope, receive), error)
            await response(scope, receive, send)


def route_of(scope: Scope) -> str:
    """Give the template of the route that took a request."""
    return str(getattr(scope.get("route"), "path", _NOWHERE))


def told(error: BaseException) -> dict[str, object]:
    """Tell of a fault what helps to find it: its kind, and the lines of ours and others that it came through."""
    frames = traceback.extract_tb(error.__traceback__)
    return {"fault": type(error).__name__, "at": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]}
