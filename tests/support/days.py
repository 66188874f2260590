"""The daily challenge for tests: days whose secret is known, and games played to their end."""

from __future__ import annotations

import hashlib
import hmac
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from app.play import Look, Play
from app.play.days import Dailies, Days
from app.store import Store
from tests.support.games import play_on
from tests.support.web import FakeClock

SECRET = bytes(range(32))
TODAY = date(2026, 11, 29)
"""The day at which the clock of the tests stands."""
ONE = timedelta(days=1)


@pytest.fixture
def lone_store(tmp_path: Path, empty_database: Path) -> Iterator[Store]:
    """A store on SQLite: that days are stored alike on both databases is proved in one place."""
    shutil.copy(empty_database, tmp_path)
    opened = Store.open(tmp_path / empty_database.name)
    yield opened
    opened.close()


@pytest.fixture
def clock() -> FakeClock:
    """A clock that stands at 08:00 UTC on the 29th of November."""
    return FakeClock()


@pytest.fixture
def days(store: Store, clock: FakeClock) -> Days:
    """The days of a server whose secret is known to the test."""
    return days_on(store, clock)


@pytest.fixture
def play(store: Store, clock: FakeClock) -> Play:
    """All other use cases on the same store."""
    return Play(store, clock)


def days_on(store: Store, clock: Callable[[], datetime], **chosen: object) -> Days:
    """Open the days on a store, as a server does when it starts."""
    found = Days(store, clock, replace(Dailies(secret=SECRET), **chosen))  # type: ignore[arg-type]
    found.publish()
    return found


def finish(play: Play, look: Look, player: str) -> Look:
    """Play to the end: one roll a turn, then the first box that may be filled."""
    play_on(play, look.id, player)
    return play.look(look.id, player)


def key_by_hand(ruleset_id: str, day: date, secret: bytes = SECRET) -> bytes:
    """Derive a day's key as the documents say it."""
    return hmac.new(secret, f"daily/{ruleset_id}/{day}".encode(), hashlib.sha256).digest()
