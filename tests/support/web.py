"""The application under test, and those who visit it: requests without a network, through httpx's ASGI transport."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html import unescape
from itertools import count
from typing import Any

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI

from app.settings import Settings
from app.store import Store
from app.web import create_app

ORIGIN = "http://fairwind.test"
HTMX = {"HX-Request": "true"}
"""What a request sends that asks for a fragment."""


@dataclass(slots=True)
class FakeClock:
    """A clock that stands still until it is moved."""

    now: datetime = datetime(2026, 11, 29, 8, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Give the present moment."""
        return self.now

    def forward(self, **by: float) -> None:
        """Move on by `timedelta` arguments."""
        self.now += timedelta(**by)


@dataclass(frozen=True, slots=True)
class World:
    """A running application with a clock and keys that a test decides on."""

    app: FastAPI
    settings: Settings
    clock: FakeClock
    keys: list[bytes]
    """The keys of the games made so far."""
    keys_to_come: list[bytes]
    """Keys that the next games shall have."""
    portal: BlockingPortal
    visitors: list[Visitor] = field(default_factory=list)

    def visitor(self, **headers: str) -> Visitor:
        """Let somebody new come by."""
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
        found = Visitor(self.portal, httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers))
        self.visitors.append(found)
        return found


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser without script: it keeps cookies and sends forms. With a token it is a program that uses the API."""

    portal: BlockingPortal
    client: httpx.AsyncClient

    def get(self, path: str, **more: Any) -> httpx.Response:
        """Ask for a page."""
        return self.send("GET", path, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        """Send a form (`data`) or JSON (`json`)."""
        return self.send("POST", path, **more)

    def send(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send one request."""

        async def request() -> httpx.Response:
            return await self.client.request(method, path, **more)

        return self.portal.call(request)

    def at_once(self, requests: Sequence[tuple[str, str, dict[str, Any]]]) -> list[httpx.Response]:
        """Send many requests at the same time: method, path, and what httpx takes besides."""

        async def gather() -> list[httpx.Response]:
            return await asyncio.gather(*(self.client.request(method, path, **more) for method, path, more in requests))

        return self.portal.call(gather)

    def identify(self, name: str | None = None) -> str:
        """Become a player of the API; gives the player's id."""
        made = self.post("/api/v1/players", json={"name": name})
        assert made.status_code == 201, made.text
        self.client.headers["Authorization"] = f"Bearer {made.json()['token']}"
        return str(made.json()["id"])

    def new_game(self, ruleset: str = "classic", *, kind: str = "solo", **more: Any) -> dict[str, Any]:
        """Make a game by the API."""
        made = self.post("/api/v1/games", json={"kind": kind, "ruleset": ruleset, **more})
        assert made.status_code == 201, made.text
        game: dict[str, Any] = made.json()
        return game

    def move(self, game: dict[str, Any], **move: Any) -> httpx.Response:
        """Send a move as chosen on this sight of the game."""
        return self.post(f"/api/v1/games/{game['id']}/moves", json={"version": game["version"], **move})

    def play(self, game: dict[str, Any], **move: Any) -> dict[str, Any]:
        """Make a move that must succeed, and give the game after it."""
        answer = self.move(game, **move)
        assert answer.status_code == 200, answer.text
        after: dict[str, Any] = answer.json()
        return after

    def play_out(
        self, game: dict[str, Any], choose: Callable[[dict[str, int]], str] = lambda boxes: next(iter(boxes))
    ) -> dict[str, Any]:
        """Play to the end: one roll a turn, then the box that `choose` takes of those that may be filled."""
        while game["status"] == "playing":
            if game["dice"] is None:
                game = self.play(game, action="roll", keep=[])
            game = self.play(game, action="score", box=choose(game["legal"]["boxes"]))
        return game

    def open_table(self, ruleset: str = "classic", **fields: str) -> str:
        """Make a game by the form on the page; gives the table's address."""
        made = self.post("/games", data={"ruleset": ruleset, **fields})
        assert made.status_code == 303, made.text
        return made.headers["location"]


def text_of(html: str) -> str:
    """Give what a page says, without its markup."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def numbered_keys() -> Iterator[bytes]:
    """Give keys that are easy to recognise in whatever a test records."""
    return (bytes([255 - number % 200]) * 24 + number.to_bytes(8, "big") for number in count(1))


@contextmanager
def open_world(settings: Settings) -> Iterator[World]:
    """Migrate a database and open the application on it."""
    store = Store.open(settings.where)
    store.migrate()
    store.close()
    clock, source = FakeClock(), numbered_keys()
    keys: list[bytes] = []
    keys_to_come: list[bytes] = []

    def make_key() -> bytes:
        keys.append(keys_to_come.pop(0) if keys_to_come else next(source))
        return keys[-1]

    app = create_app(settings, clock, make_key)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(app.router.lifespan_context(app)):
        world = World(app, settings, clock, keys, keys_to_come, portal)
        yield world
        for visitor in world.visitors:
            portal.call(visitor.client.aclose)
