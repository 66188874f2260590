"""How long the server waits for a request to begin: a connection that says nothing, or only ever half of it, is given up."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD = 96 * 1024
"""Bytes until the end of the headers, with what of a body comes in the same packet; the guard looks at the headers more closely."""

_TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Patient(HttpToolsProtocol):
    """A connection whose requests' headers have to arrive in time, and have a size."""

    head_seconds: ClassVar[float] = 20.0

    _late: asyncio.TimerHandle | None = None
    _size = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take some bytes; behind an answer they are the next request's."""
        # Between two requests nobody waits for a head; before the first one somebody does from the beginning.
        if self._late is None and self.cycle.response_complete:
            self._wait()
        if self._late is not None:
            self._size += len(data)
            if self._size > MAX_HEAD:
                self.transport.write(_TOO_LONG)
                self.transport.close()
                return
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """Stop waiting: from here on the guard looks at the clock."""
        self._arrived()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._arrived()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._size = 0
        self._late = self.loop.call_later(self.head_seconds, self.transport.close)

    def _arrived(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
