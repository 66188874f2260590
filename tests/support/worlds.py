"""Fixtures: the application on an empty database."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.settings import DATABASE_FILE, Settings
from app.store import Store
from tests.support.postgres import Cluster
from tests.support.web import World, open_world


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy: migrating one for each test would take most of the time."""
    settings = Settings(data=tmp_path_factory.mktemp("empty"))
    store = Store.open(settings.where)
    store.migrate()
    store.close()
    return settings.data / DATABASE_FILE


@pytest.fixture
def world(tmp_path: Path, empty_database: Path) -> Iterator[World]:
    """The application on SQLite."""
    shutil.copy(empty_database, tmp_path)
    with open_world(Settings(data=tmp_path)) as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgresql"])
def any_world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """The application on each database."""
    if request.param == "sqlite":
        yield request.getfixturevalue("world")
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    with cluster.fresh_database() as url, open_world(Settings(data=tmp_path, database=url)) as opened:
        yield opened
