"""Hard kills in the middle of play, and random sequences of two tabs: what was answered is there, once, and makes one order.

BENCH_KILLS and BENCH_SEQUENCES in the environment make it smaller.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from random import Random

from app.settings import Settings
from tests.support.clients import Client, all_playing, see_the_logs, see_what_was_answered, send_again
from tests.support.postgres import running_cluster
from tests.support.server import started
from tests.support.tabs import check_one_order, sit_down
from tests.support.web import open_world

KILLS = int(os.environ.get("BENCH_KILLS", "20"))
SEQUENCES = int(os.environ.get("BENCH_SEQUENCES", "1000"))
PLAYERS = 6
ANSWERS = 40
STEPS = 40


def main() -> None:
    """Storm, and print what was found; what is wrong stops it."""
    with running_cluster() as cluster:
        for kind, databases in (("SQLite", lambda: nullcontext("")), ("PostgreSQL", cluster.fresh_database)):
            with tempfile.TemporaryDirectory() as folder, databases() as database:
                _storm(kind, Path(folder), database)
            with tempfile.TemporaryDirectory() as folder, databases() as database:
                _tabs(kind, Settings(data=Path(folder), database=database or None))


def _storm(kind: str, folder: Path, database: str) -> None:
    answered, begun = 0, time.perf_counter()
    with started(folder, database) as program:
        old: list[Client] = []
        clients = _newcomers(program.url)
        for _ in range(KILLS):
            with all_playing(clients, ANSWERS):
                program.kill()
            program.start()
            for client in clients:
                see_what_was_answered(client)
                send_again(client)
            old += [client for client in clients if client.game["status"] != "playing"]
            clients = [client for client in clients if client.game["status"] == "playing"]
            clients += _newcomers(program.url, PLAYERS - len(clients))
        see_the_logs(program, old + clients)
        answered = sum(len(client.answered) for client in old + clients)
    seconds = time.perf_counter() - begun
    print(f"  {kind}: {KILLS} hard kills, {answered:,} answered moves, all there and none twice, in {seconds:.0f} s")
    print(json.dumps({"measurement": "storm", "database": kind, "kills": KILLS, "answered": answered, "lost": 0}))


def _newcomers(url: str, count: int = PLAYERS) -> list[Client]:
    clients = [Client(url) for _ in range(count)]
    for client in clients:
        client.sit_down()
    return clients


def _tabs(kind: str, settings: Settings) -> None:
    refused = 0
    with open_world(settings) as world:
        visitor = world.visitor()
        visitor.identify()
        for number in range(SEQUENCES):
            rng, sitting = Random(number), sit_down(visitor)
            for _ in range(STEPS):
                sitting.act(rng)
            check_one_order(sitting, world.app.state.service.play.store)
            refused += sum(status == 409 for _, status, _ in sitting.answered)  # noqa: PLR2004 - told to look again
    print(f"  {kind}: {SEQUENCES:,} sequences of two tabs, {refused:,} times told to look again, each one order")
    print(json.dumps({"measurement": "tabs", "database": kind, "sequences": SEQUENCES, "wrong": 0}))


if __name__ == "__main__":
    main()
