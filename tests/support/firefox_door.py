"""Firefox behind a door: Playwright starts this program in Firefox's place and talks to Firefox through it.

Playwright drives a Firefox as distributions have it by WebDriver BiDi, and begins with commands that only the newest
Firefox knows. To those that are dispensable the door itself answers that they were done; all else passes unchanged.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import TYPE_CHECKING

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Awaitable, Callable

DISPENSABLE = frozenset({"emulation.setMediaFeaturesOverride"})
"""Commands that a Firefox with long-term support (153) lacks; a test that depends on one cannot be run in it."""

LISTENING = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")


def own_answer(message: str | bytes) -> str | None:
    """Answer a command that need not reach Firefox; None where it shall."""
    command = json.loads(message)
    if command["method"] not in DISPENSABLE:
        return None
    return json.dumps({"type": "success", "id": command["id"], "result": {}})


async def _pass_on(
    messages: AsyncIterable[str | bytes],
    forward: Callable[[str | bytes], Awaitable[None]],
    answer: ServerConnection | None,
) -> None:
    async for message in messages:
        answered = own_answer(message) if answer else None
        await (answer.send(answered) if answer and answered else forward(message))


async def _stand_before(firefox: asyncio.StreamReader) -> None:
    """Wait until Firefox listens, and listen before it, as long as it runs."""
    while not (listening := LISTENING.search(line := await firefox.readline())):
        if not line:
            return
        sys.stderr.buffer.write(line)
        sys.stderr.flush()
    address = listening[1].decode()

    async def receive(playwright: ServerConnection) -> None:
        async with connect(f"{address}/session", max_size=None, ping_interval=None, proxy=None) as browser:
            talks = [
                asyncio.create_task(_pass_on(playwright, browser.send, playwright)),
                asyncio.create_task(_pass_on(browser, playwright.send, None)),
            ]
            _, rest = await asyncio.wait(talks, return_when=asyncio.FIRST_COMPLETED)
            for talk in rest:
                talk.cancel()

    async with serve(receive, "127.0.0.1", 0, max_size=None, ping_interval=None) as door:
        port = next(iter(door.sockets)).getsockname()[1]
        print(f"WebDriver BiDi listening on ws://127.0.0.1:{port}", file=sys.stderr, flush=True)  # noqa: T201
        while await firefox.readline():
            pass


async def _run(firefox: str, *arguments: str) -> int:
    process = await asyncio.create_subprocess_exec(firefox, *arguments, stderr=asyncio.subprocess.PIPE)
    assert process.stderr is not None
    await _stand_before(process.stderr)
    return await process.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(_run(*sys.argv[1:])))
