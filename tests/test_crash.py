"""The server is killed in the middle of play: what it had answered is there when it is back, and nothing is there twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.clients import Client, all_playing, see_the_logs, see_what_was_answered, send_again
from tests.support.postgres import Cluster
from tests.support.server import Program, started

PLAYERS = 4
ANSWERS_BETWEEN_KILLS = 40
KILLS = 2


@pytest.fixture(params=["sqlite", "postgresql"])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Program]:
    """The real program on each database; of PostgreSQL only our own process is killed."""
    if request.param == "sqlite":
        with started(tmp_path / "data") as running:
            yield running
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    with cluster.fresh_database() as url, started(tmp_path / "data", url) as running:
        yield running


def play_until_killed(program: Program, clients: list[Client]) -> None:
    """Let everybody play at once, and kill the server while they do."""
    with all_playing(clients, ANSWERS_BETWEEN_KILLS):
        program.kill()


def test_a_server_killed_in_the_middle_of_play_loses_no_answered_move_and_doubles_none(program: Program) -> None:
    clients = [Client(program.url) for _ in range(PLAYERS)]
    for client in clients:
        client.sit_down()
    for _ in range(KILLS):
        play_until_killed(program, clients)
        assert any(client.sent for client in clients), "nobody was waiting for an answer when the server was killed"
        program.start()
        for client in clients:
            see_what_was_answered(client)
            send_again(client)
    see_the_logs(program, clients)
