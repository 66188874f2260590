"""A whole HTTP move (a roll in mid-game, SQLite, one worker, 16 clients on loopback) beside the baseline in the same run."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from itsdangerous import Signer

from app.clock import system
from app.game.notation import write_move
from app.game.rulesets import ruleset
from app.game.state import Roll, Score, State, apply, legal
from app.play import Plan, Play
from app.play.course import load, replay, stream_of
from app.settings import Settings
from app.store import Store
from app.web import random_key, views
from app.web.render import Renderer
from app.web.service import COOKIE
from app.web.words import words

CLIENTS = 16
GAMES = 96
TURNS_BEFORE = 6
ROUNDS = 5
GOAL = 0.6


@dataclass(frozen=True, slots=True)
class Position:
    """A game in mid-turn and the roll to send."""

    game: str
    version: int


def main() -> None:
    """Measure, and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        settings = Settings(data=data)
        store = Store.open(settings.where)
        store.migrate()
        play = Play(store, system)
        player, positions = _prepare(play, GAMES * 2 * ROUNDS + 1)
        cookie = _cookie(store, player)
        # A game of its own: what is appended there to take the time is no game any more.
        size = _print_parts(play, player, positions.pop())
        store.close()
        _race(data, positions, cookie, size)


def _race(data: Path, positions: list[Position], cookie: str, size: int) -> None:
    """Run rounds of both, one after the other, so that noise falls on both."""
    ours, theirs = [], []
    environment = os.environ | {"FAIRWIND_DATA": str(data), "BASELINE_DATA": str(data), "BASELINE_BYTES": str(size)}
    fairwind = [sys.executable, "-m", "app", "serve", "--port"]
    baseline = [sys.executable, "-m", "uvicorn", "bench.baseline:create_app", "--factory", "--no-access-log", "--port"]
    with _server(fairwind, environment, "/health") as our_port, _server(baseline, environment, "/docs") as their_port:
        for number in range(ROUNDS):
            chunk = positions[number * 2 * GAMES :][: 2 * GAMES]
            # As a browser has: whoever rolls has the table before them.
            asyncio.run(_look(our_port, [f"/games/{p.game}" for p in chunk], cookie))
            theirs += asyncio.run(
                _drive(their_port, [f"/games/g{n}/roll" for n in range(2 * GAMES)], [0] * 2 * GAMES, cookie)
            )
            ours += asyncio.run(
                _drive(our_port, [f"/games/{p.game}/roll" for p in chunk], [p.version for p in chunk], cookie)
            )
    _print_rates(ours, theirs)


def _prepare(play: Play, count: int) -> tuple[str, list[Position]]:
    """Make games and play a few turns of each, each turn with three rolls."""
    player, positions = "", []
    rules = ruleset("classic")
    for _ in range(count):
        player, look = play.open_game(player or None, Plan(rules))
        state, texts = look.state, []
        with play.store.writing() as tx:
            row, _ = load(tx, look.id)
            stream = stream_of(row)
            while state.turn <= TURNS_BEFORE or state.roll < 1:
                move = (
                    Roll((0, 1) if state.roll else ())
                    if state.roll < (3 if state.turn <= TURNS_BEFORE else 1)
                    else _first_box(state)
                )
                state = apply(state, move, stream)
                texts.append(write_move(rules, move))
                tx.append(look.id, len(texts), texts[-1], play.clock())
        positions.append(Position(look.id, len(texts)))
    return player, positions


def _first_box(state: State) -> Score:
    return Score(next(iter(legal(state).boxes)))


def _cookie(store: Store, player: str) -> str:
    with store.writing() as tx:
        key = tx.secret("signing", random_key, system())
    return f"{COOKIE}={Signer([key], salt='session').sign(player).decode()}"


def _print_parts(play: Play, player: str, position: Position) -> int:
    """Time the parts of a move apart, and give the size of the fragment in bytes."""
    renderer, english = Renderer(), words("en")
    with play.store.reading() as tx:
        row, log = load(tx, position.game)
    state = replay(row, log).state
    look = play.look(position.game, player)

    def look_up() -> None:
        with play.store.reading() as tx:
            load(tx, position.game)

    seq = iter(range(1000, 10_000))

    def append() -> None:
        with play.store.writing() as tx:
            tx.append(position.game, next(seq), "r01", system())

    def render() -> str:
        return renderer.page("table.html", views.table(look, english), english, fragment="table")

    parts: dict[str, Callable[[], object]] = {
        "load (begin, game with seats, log)": look_up,
        f"replay ({len(log)} entries)": lambda: replay(row, log),
        "check and apply": lambda: apply(state, Roll((0, 1)), stream_of(row)),
        "append (begin, insert, commit to disk)": append,
        "view and render the fragment": render,
    }
    for name, part in parts.items():
        part()
        times = sorted(_timed(part) for _ in range(100))
        print(f"  {name:42} {median(times) * 1000:7.2f} ms")
    return len(render().encode())


def _timed(part: Callable[[], object]) -> float:
    begun = time.perf_counter()
    part()
    return time.perf_counter() - begun


@contextmanager
def _server(command: list[str], environment: dict[str, str], ready: str) -> Iterator[int]:
    """Start a server on a free port of the loopback and stop it at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    process = subprocess.Popen(
        [*command, str(port)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        asyncio.run(_wait_until_ready(port, ready))
        yield port
    finally:
        process.terminate()
        process.wait(10)


async def _wait_until_ready(port: int, path: str) -> None:
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
            continue
        writer.close()
        return
    raise TimeoutError(path)


async def _drive(port: int, paths: list[str], versions: list[int], cookie: str) -> list[float]:
    """Send each roll once, 16 clients sharing the list; gives the seconds that each took, the whole time first."""
    jobs = list(zip(paths, versions, strict=True))
    times: list[float] = []

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while jobs:
            path, version = jobs.pop()
            begun = time.perf_counter()
            await _post(reader, writer, path, f"version={version}&keep=0&keep=1", cookie)
            times.append(time.perf_counter() - begun)
        writer.close()

    begun = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    return [time.perf_counter() - begun, *times]


async def _look(port: int, paths: list[str], cookie: str) -> None:
    """Open pages, one after the other."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for path in paths:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode())
        await _read(reader)
    writer.close()


async def _post(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, body: str, cookie: str) -> None:
    writer.write(
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nHX-Request: true\r\nCookie: {cookie}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    await _read(reader)


async def _read(reader: asyncio.StreamReader) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    if " 200 " not in head.splitlines()[0]:
        raise RuntimeError(head.splitlines()[0])
    length = next(int(line.split(":")[1]) for line in head.splitlines() if line.startswith("content-length"))
    await reader.readexactly(length)


def _print_rates(ours: list[float], theirs: list[float]) -> None:
    per_round = 2 * GAMES + 1
    rates = {}
    for name, found in (("baseline", theirs), ("a move", ours)):
        rounds = [found[start : start + per_round] for start in range(0, len(found), per_round)]
        rates[name] = median(2 * GAMES / each[0] for each in rounds)
        times = sorted(seconds for each in rounds for seconds in each[1:])
        p50, p99 = times[len(times) // 2], times[int(len(times) * 0.99)]
        print(f"  {name:10} {rates[name]:8.0f} a second   p50 {p50 * 1000:6.1f} ms   p99 {p99 * 1000:6.1f} ms")
    ratio = rates["a move"] / rates["baseline"]
    print(f"  ratio {ratio:.2f} of the baseline's rate (goal: at least {GOAL})")
    print(json.dumps({"measurement": "moves", "ratio": round(ratio, 3), "goal": GOAL}))
