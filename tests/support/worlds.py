"""Fixtures: the application on an empty database."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.coach.advice import Coach
from app.coach.making import Tables
from app.game.rulesets import ruleset
from app.settings import DATABASE_FILE, Settings
from app.store import Store
from tests.support.postgres import Cluster
from tests.support.web import Visitor, World, open_world


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


@pytest.fixture
def coached(world: World, tables: Tables) -> World:
    """The application on SQLite, with the solved games of this run of the tests at hand."""
    tables.folder.mkdir(parents=True, exist_ok=True)
    world.settings.tables.symlink_to(tables.folder, target_is_directory=True)
    return world


@pytest.fixture
def yacht(tables: Tables) -> Coach:
    """The coach of old Yacht, which is solved in a moment."""
    return Coach(tables.make(ruleset("yacht")))


@pytest.fixture
def player(coached: World, yacht: Coach) -> Visitor:
    """A program that plays where old Yacht is solved."""
    del yacht
    visitor = coached.visitor()
    visitor.identify()
    return visitor


@pytest.fixture(params=["sqlite", "postgresql"])
def any_world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """The application on each database."""
    if request.param == "sqlite":
        yield request.getfixturevalue("world")
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    with cluster.fresh_database() as url, open_world(Settings(data=tmp_path, database=url)) as opened:
        yield opened


@pytest.fixture
def seated(world: World) -> tuple[Visitor, str]:
    """A player in the middle of a turn, and the id of the game."""
    visitor = world.visitor()
    table = visitor.open_table()
    visitor.post(f"{table}/roll", data={"version": "0"})
    return visitor, table.rpartition("/")[2]
