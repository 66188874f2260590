"""Connections that say nothing, or never come to an end with it, are given up; all others are served as ever."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from app.command.patience import MAX_HEAD, Patient
from app.command.serve import address_of, listen


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the number of bytes of the body."""
    del scope
    size, more = 0, True
    while more:
        message = await receive()
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    body = str(size).encode()
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(len(body)).encode())]}
    )
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server whose patience is short."""
    monkeypatch.setattr(Patient, "head_seconds", 0.3)
    server = uvicorn.Server(uvicorn.Config(hello, http=Patient, lifespan="off", log_level="critical", access_log=False))
    with listen("127.0.0.1", 0) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        yield address_of(listening)
        server.should_exit = True
        thread.join()


def connect(address: str) -> socket.socket:
    """Open a connection by hand."""
    host, _, port = address.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=20)


@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "])
def test_a_connection_that_does_not_come_to_the_point_is_closed(impatient: str, said: bytes) -> None:
    with closing(connect(impatient)) as slow:
        slow.sendall(said)
        assert slow.recv(1000) == b""


def test_one_byte_now_and_then_does_not_keep_a_connection(impatient: str) -> None:
    with closing(connect(impatient)) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        slow.settimeout(0.02)
        begun = time.monotonic()
        assert any(is_closed_after(slow, b"x") for _ in range(500))
        assert time.monotonic() - begun < 15


def is_closed_after(line: socket.socket, sign: bytes) -> bool:
    """Say one thing more, and tell whether the other end has had enough."""
    try:
        line.sendall(sign)
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_headers_without_end_are_refused(impatient: str) -> None:
    with closing(connect(impatient)) as endless:
        endless.sendall(b"GET / HTTP/1.1\r\n" + b"X-Long: " + b"x" * MAX_HEAD + b"\r\n")
        assert endless.recv(1000).startswith(b"HTTP/1.1 431 ")


def test_a_slow_body_and_a_second_request_on_the_same_line_are_served(impatient: str) -> None:
    with closing(connect(impatient)) as line:
        for _ in range(2):
            line.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc")
            line.settimeout(0.5)
            with pytest.raises(TimeoutError):
                line.recv(1000)
            line.sendall(b"def")
            line.settimeout(20)
            assert line.recv(1000).endswith(b"\r\n\r\n6")
    with httpx.Client(base_url=impatient) as client:
        assert [client.post("/", content=b"x" * 5_000).text for _ in range(3)] == ["5000"] * 3
