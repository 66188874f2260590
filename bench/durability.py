"""What waiting for the disk costs: moves a second in one thread, written by SQLite in FULL and in NORMAL, and by PostgreSQL."""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path
from typing import Literal

from app.clock import system
from app.play import Play
from app.settings import DATABASE_FILE
from app.store import Store
from tests.support.games import finished_game
from tests.support.postgres import running_cluster

GAMES = int(os.environ.get("BENCH_GAMES", "100"))
MOVES_OF_A_GAME = 24
WAYS: tuple[Literal["FULL", "NORMAL"], ...] = ("FULL", "NORMAL")


def main() -> None:
    """Measure, and print a table."""
    for way in WAYS:
        with tempfile.TemporaryDirectory() as folder:
            _print(f"SQLite, {way}", Store.open(Path(folder) / DATABASE_FILE, synchronous=way))
    with running_cluster(durable=True) as cluster, cluster.fresh_database() as url:
        _print("PostgreSQL", Store.open(url))


def _print(name: str, store: Store) -> None:
    store.migrate()
    play = Play(store, system)
    player, _ = finished_game(play)
    begun = time.perf_counter()
    for _ in range(GAMES):
        finished_game(play, player)
    rate = GAMES * MOVES_OF_A_GAME / (time.perf_counter() - begun)
    store.close()
    print(f"  {name:16} {rate:6.0f} moves a second, {1000 / rate:.2f} ms each")
    print(json.dumps({"measurement": "durability", "database": name, "moves_a_second": round(rate)}))


if __name__ == "__main__":
    main()
