"""What every request passes before it reaches a route: known host, same origin, small body; and the headers of every answer.

A pure ASGI layer, because Starlette's decorator middleware would cost more than a move does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 16 * 1024
"""Bytes: a move is under 200, the longest form under 2,000."""

MAX_HEADERS = 32 * 1024
"""Bytes of all headers together: browsers send under 2,000, with every cookie of a crowded host under 8,000."""

BODY_SECONDS = 20.0
"""How long a body may take to arrive."""

READ_ONLY_SECONDS = 60
"""After how many seconds it is worth trying again while nothing can be changed."""

WATCHED = frozenset({"/health", "/ready", "/metrics"})
"""What a watchdog asks the machine itself, by its address."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With no-referrer browsers send "Origin: null" on same-origin form posts, and every move over plain http would be refused.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


STRICT_TRANSPORT = "max-age=31536000"
"""A browser that has come by HTTPS once comes by nothing else for a year. Of other names of the domain nothing is said."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request goes no further."""

    status: int
    code: str
    retry_after: int | None = None
    """Seconds after which it may be tried again."""


Refuse = Callable[[Scope, Refusal], ASGIApp]
"""Makes the answer to a refused request, as JSON or as a page."""


class Guard:
    """The layer around the whole application."""

    def __init__(
        self, app: ASGIApp, *, refuse: Refuse, hosts: frozenset[str] = frozenset(), read_only: bool = False
    ) -> None:
        """Wrap `app`; an empty `hosts` lets every Host header in; `read_only`: whatever would change something is refused."""
        self.app = app
        self.refuse = refuse
        self.hosts = hosts
        self.read_only = read_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        send = _with_headers(send, secure=scope["scheme"] == "https")
        headers = Headers(scope=scope)
        refusal = self._check(scope, headers)
        if refusal is None and scope["method"] not in SAFE_METHODS:
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    body = await _read(receive, headers)
            except TimeoutError:
                refusal = Refusal(408, "too_slow")
            else:
                if body is None:
                    refusal = Refusal(413, "too_large")
                else:
                    receive = _again(body, receive)
        app = self.app if refusal is None else self.refuse(scope, refusal)
        await app(scope, receive, send)

    def _check(self, scope: Scope, headers: Headers) -> Refusal | None:
        host = headers.get("host", "")
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADERS:
            return Refusal(431, "too_large")
        if self.hosts and scope["path"] not in WATCHED and _hostname(host) not in self.hosts:
            return Refusal(400, "unknown_host")
        if scope["method"] not in SAFE_METHODS and _is_cross_site(headers, host):
            return Refusal(403, "cross_site")
        if self.read_only and scope["method"] not in SAFE_METHODS:
            return Refusal(503, "read_only", READ_ONLY_SECONDS)
        return None


def _hostname(host: str) -> str:
    return (urlsplit(f"//{host}").hostname or "") if "@" not in host else ""


def _is_cross_site(headers: Headers, host: str) -> bool:
    """Judge by Sec-Fetch-Site, else by Origin against Host; scripts send neither and are let in.

    Source: the order of checks is that of Go's http.CrossOriginProtection.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != host


async def _read(receive: Receive, headers: Headers) -> bytes | None:
    """Read the whole body, None when it is too large; what is announced as too large is not read at all."""
    announced = headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > MAX_BODY:
        return None
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        if size > MAX_BODY:
            return None
        if not message.get("more_body", False):
            return b"".join(chunks)


def _again(body: bytes, receive: Receive) -> Receive:
    """Give the body that was read, then whatever comes after it."""
    waiting = [body]

    async def again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return again


def _with_headers(send: Send, *, secure: bool) -> Callable[[Message], Awaitable[None]]:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            if secure:
                headers.setdefault("Strict-Transport-Security", STRICT_TRANSPORT)
            # A page shows one player's game at one moment: nothing may keep it, the back button included.
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return send_with_headers
