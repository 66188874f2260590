"""Fixtures: the store on each database, and the database alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier
from typing import TypeVar

import pytest

from app.store import GameRow, PlayerRow, SeatRow, Store
from tests.support.postgres import Cluster

T = TypeVar("T")

NOON = datetime(2026, 11, 29, 12, 0, 0, 123456, tzinfo=UTC)
KEY = bytes(range(32))


def later(minutes: int) -> datetime:
    """Give a moment after noon."""
    return NOON + timedelta(minutes=minutes)


def a_game(id_: str = "game", player: str = "ada", **columns: object) -> GameRow:
    """Make a game alone at noon."""
    game = GameRow(id_, "solo", "classic", "{}", 1, "by_turn", KEY, NOON, seats=(SeatRow(0, player),))
    return replace(game, **columns)  # type: ignore[arg-type]


def all_at_once(count: int, work: Callable[[int], T]) -> list[T]:
    """Run `work` in threads that start together."""
    barrier = Barrier(count)

    def start(number: int) -> T:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(start, range(count)))


def log_of(store: Store, game_id: str = "game") -> list[str]:
    """Read a log in a transaction of its own."""
    with store.reading() as tx:
        return tx.moves(game_id)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of the test's own, on each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'store.sqlite3'}"
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    with cluster.fresh_database() as url:
        yield url


@pytest.fixture
def store(database: str, request: pytest.FixtureRequest) -> Iterator[Store]:
    """An open, migrated store on each database."""
    if database.startswith("sqlite"):
        # Migrating is slow next to a test of the store, copying a file is not.
        shutil.copy(request.getfixturevalue("empty_database"), database.removeprefix("sqlite:///"))
    opened = Store.open(database)
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def played(store: Store) -> Store:
    """A store with Ada, Bob and a game of Ada's whose log is empty."""
    with store.writing() as tx:
        tx.add_player(PlayerRow("ada", NOON))
        tx.add_player(PlayerRow("bob", NOON))
        tx.add_game(a_game())
    return store


@pytest.fixture
def second(store: Store) -> Iterator[Store]:
    """The same database opened a second time, as another server process does."""
    opened = Store.open(store.engine.url.render_as_string(hide_password=False))
    yield opened
    opened.close()
