"""Many players at once for a minute on two processes, on SQLite and PostgreSQL: no error, no lost move, and how long answers take.

Everything is on loopback, and bounded in count and time. BENCH_PLAYERS, BENCH_SECONDS and BENCH_GAMES make it smaller.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from contextlib import nullcontext
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from app.clock import system
from app.coach.making import Tables
from app.game.rulesets import ruleset
from app.play.keeping import Keeping
from app.settings import DATABASE_FILE, Settings
from app.store import Store
from tests.support.postgres import running_cluster
from tests.support.server import Program, started

PLAYERS = int(os.environ.get("BENCH_PLAYERS", "50"))
SECONDS = float(os.environ.get("BENCH_SECONDS", "60"))
ALL_GAMES = int(os.environ.get("BENCH_GAMES", "10000"))
WORKERS = 2
GOAL_MS = 300
"""Milliseconds that 95 of 100 answers may take, with no time to think between them."""
GOAL_GROWTH = 0.2
"""How much more memory ten times the games may take, as a part of what the first tenth took."""
_MOVES_OF_A_GAME = 24
_DONE = {200, 201}


@dataclass(slots=True)
class Player:
    """Somebody who acts again as soon as there is an answer, and notes down what came of it."""

    port: int
    token: str = ""
    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)

    def play(self, until: float = 1e12, games: int = 10**9) -> None:
        """Play one game after the other, until a moment or so many."""
        line = HTTPConnection("127.0.0.1", self.port, timeout=60)
        if not self.token:
            self.token = str(self._ask(line, "/players", {"name": None})["token"])
        for _ in range(games):
            if time.monotonic() >= until or self.errors:
                break
            self._play_one(line, until)
        line.close()

    def _play_one(self, line: HTTPConnection, until: float) -> None:
        game = self._ask(line, "/games", {"kind": "solo", "ruleset": "yacht"})
        while game.get("status") == "playing" and time.monotonic() < until:
            move: dict[str, object] = {"version": game["version"], "action": "roll", "keep": []}
            if game["roll"]:
                move = {"version": game["version"], "action": "score", "box": next(iter(game["legal"]["boxes"]))}
            begun = time.perf_counter()
            game = self._ask(line, f"/games/{game['id']}/moves", move)
            self.times.append(time.perf_counter() - begun)
            if "version" in game:
                self.versions[game["id"]] = game["version"]

    def _ask(self, line: HTTPConnection, path: str, body: dict[str, object]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        line.request("POST", f"/api/v1{path}", json.dumps(body), headers)
        answer = line.getresponse()
        text = answer.read()
        if answer.status not in _DONE:
            self.errors.append(f"{answer.status} {text[:200]!r}")
        found: dict[str, Any] = json.loads(text)
        return found


def main() -> None:
    """Measure, and print tables."""
    good = True
    with running_cluster(durable=True) as cluster:
        for kind, address in (("SQLite", nullcontext("")), ("PostgreSQL", cluster.fresh_database())):
            with tempfile.TemporaryDirectory() as folder, address as database:
                good &= _load(kind, Path(folder), database)
    with tempfile.TemporaryDirectory() as folder:
        good &= _memory(Path(folder))
    if not good:
        sys.exit("The load was too much.")


def _load(kind: str, folder: Path, database: str) -> bool:
    with started(folder, database, WORKERS) as program:
        _wait_for_all(program)
        _wait_for_tables(folder)
        players = [Player(program.port) for _ in range(PLAYERS)]
        until = time.monotonic() + SECONDS
        _all_at_once(players, until=until)
    times = sorted(second for player in players for second in player.times)
    errors = [error for player in players for error in player.errors]
    lost = _lost(Store.open(database or folder / DATABASE_FILE), players)
    p50, p95, p99 = (times[int(len(times) * part)] * 1000 for part in (0.5, 0.95, 0.99))
    print(
        f"  {kind}, {WORKERS} processes, {PLAYERS} players, {SECONDS:.0f} s: {len(times) / SECONDS:.0f} moves a second"
    )
    print(f"    p50 {p50:.0f} ms, p95 {p95:.0f} ms (goal: below {GOAL_MS}), p99 {p99:.0f} ms")
    print(f"    {len(errors)} errors, {lost} lost or wrong moves (goal: 0 of both) {errors[:1]}")
    print(
        json.dumps({"measurement": "load", "database": kind, "p95_ms": round(p95), "errors": len(errors), "lost": lost})
    )
    return not errors and not lost and p95 < GOAL_MS


def _wait_for_all(program: Program) -> None:
    """Wait until every process answers: connections go to whichever is free."""
    for _ in range(20 * WORKERS):
        line = HTTPConnection("127.0.0.1", program.port, timeout=60)
        line.request("GET", "/ready")
        line.getresponse().read()
        line.close()


def _wait_for_tables(folder: Path) -> None:
    """Wait for what a new server works out in the background: that is not the load to be measured."""
    tables = Tables(folder / "tables")
    for id_ in Settings(data=folder).dailies:
        for raised in (False, True):
            tables.make(ruleset(id_), raised=raised)


def _all_at_once(players: list[Player], **how: Any) -> None:  # noqa: ANN401 - the arguments of `Player.play`
    threads = [threading.Thread(target=player.play, kwargs=how) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _lost(store: Store, players: list[Player]) -> int:
    """Count the answered moves that are not there, and the games that are not what their logs say."""
    with store.reading() as tx:
        missing = sum(
            abs(len(tx.moves(game)) - version) for player in players for game, version in player.versions.items()
        )
    wrong = len(Keeping(store, system).check().differences)
    store.close()
    return missing + wrong


def _memory(folder: Path) -> bool:
    """Hold the memory after all games against that after the first tenth."""
    first = ALL_GAMES // 10
    with started(folder) as program:
        _wait_for_tables(folder)
        players = [Player(program.port) for _ in range(8)]
        _all_at_once(players, games=first // len(players))
        before = _megabytes(program)
        _all_at_once(players, games=(ALL_GAMES - first) // len(players))
        after = _megabytes(program)
    print(f"  memory: {before:.0f} MB after {first:,} games, {after:.0f} MB after {ALL_GAMES:,}")
    print(f"    {after / before - 1:+.1%} (goal: at most {GOAL_GROWTH:+.0%})")
    print(json.dumps({"measurement": "memory", "growth": round(after / before - 1, 3), "goal": GOAL_GROWTH}))
    return after <= before * (1 + GOAL_GROWTH)


def _megabytes(program: Program) -> float:
    """Give what a process holds in memory, in megabytes."""
    assert program.process is not None  # noqa: S101 - it has just been started
    status = Path(f"/proc/{program.process.pid}/status").read_text(encoding="utf-8")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) / 1024


if __name__ == "__main__":
    main()
