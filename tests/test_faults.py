"""When things fail: whoever plays is told in a sentence, loses nothing, and the next try works."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from psycopg import sql
from sqlalchemy import event

from app.game.rulesets import ruleset
from app.play import Plan
from app.play.keeping import Keeping
from app.settings import Settings
from app.store import Store
from tests.support.clients import Client, all_playing, see_the_logs, see_what_was_answered, send_again
from tests.support.games import play_on
from tests.support.postgres import Cluster
from tests.support.server import Program, started
from tests.support.web import Visitor, World, open_world

PLAYERS = 4


def store_of(world: World) -> Store:
    """Give the store that the application stands on."""
    store: Store = world.app.state.service.play.store
    return store


def says_so(answer: httpx.Response) -> None:
    """See that a person is told in words, and a program by a code, when to try again."""
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 1
    if "json" in answer.headers["content-type"]:
        assert answer.json()["error"]["code"] == "store_unavailable"
    else:
        assert "Nothing is lost; please try again." in answer.text


@pytest.fixture
def on_postgres(tmp_path: Path, postgres: Cluster) -> Iterator[tuple[World, str, str]]:
    """The application on a PostgreSQL database, with its name and the address of the server itself."""
    with postgres.fresh_database() as url, open_world(Settings(data=tmp_path, database=url)) as world:
        name = url.rpartition("?")[0].rpartition("/")[2]
        yield world, name, postgres.pgserver_uri


def move(visitor: Visitor, table: str, version: int) -> httpx.Response:
    """Roll, or write the first box that may be filled, as the version asks for."""
    if version % 2 == 0:
        return visitor.post(f"{table}/roll", data={"version": str(version)})
    boxes = visitor.get(f"/api/v1{table}").json()["legal"]["boxes"]
    return visitor.post(f"{table}/score", data={"version": str(version), "box": next(iter(boxes)), "confirm": "1"})


def test_a_full_disk_is_told_loses_nothing_and_play_goes_on_when_there_is_room(world: World) -> None:
    visitor, store = world.visitor(), store_of(world)
    table, version = visitor.open_table(), 0
    full = {"on": False}

    def limit(connection: Any, *_: object) -> None:
        # This is how SQLite itself feels about a disk without room: no page more than there are.
        pages = connection.execute("PRAGMA page_count").fetchone()[0] if full["on"] else 2**30
        connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(store.engine, "checkout", lambda connection, *_: limit(connection))
    full["on"], answer = True, visitor.get(table)
    for _ in range(2_000):
        answer = move(visitor, table, version)
        if answer.status_code == 503:
            break
        assert answer.status_code == 303
        version += 1
        if version == 26:
            made = visitor.post("/games", data={"ruleset": "classic"})
            if made.status_code == 503:
                answer, version = made, 26
                break
            table, version = made.headers["location"], 0
    says_so(answer)
    assert visitor.get(f"/api/v1{table}").json()["version"] == version, "what was answered is there, and no more"
    assert visitor.get(table).status_code == 200
    full["on"] = False
    assert visitor.post("/games", data={"ruleset": "classic"}).status_code == 303
    if version < 26:
        assert move(visitor, table, version).status_code == 303
        assert visitor.get(f"/api/v1{table}").json()["version"] == version + 1
    assert Keeping(store, world.clock).check().differences == ()


def test_a_postgresql_that_is_gone_is_told_and_once_it_is_back_play_goes_on(
    on_postgres: tuple[World, str, str],
) -> None:
    world, name, server = on_postgres
    visitor = world.visitor()
    table = visitor.open_table()
    assert move(visitor, table, 0).status_code == 303
    database = sql.Identifier(name)
    with psycopg.connect(server, autocommit=True) as control:
        control.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(database))
        control.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        for _ in range(2):
            says_so(visitor.post(f"{table}/score", data={"version": "1", "box": "chance"}))
            says_so(visitor.get(table))
            says_so(visitor.get(f"/api/v1{table}"))
        assert visitor.get("/health").status_code == 200
        assert visitor.get("/ready").status_code == 503
        control.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(database))
    assert visitor.get("/ready").status_code == 200
    assert visitor.get(f"/api/v1{table}").json()["version"] == 1
    assert visitor.post(f"{table}/score", data={"version": "1", "box": "chance"}).status_code == 303


def test_a_sqlite_file_that_another_program_holds_is_told_and_once_it_is_free_play_goes_on(world: World) -> None:
    visitor, store = world.visitor(), store_of(world)
    event.listen(store.engine, "checkout", lambda connection, *_: connection.execute("PRAGMA busy_timeout = 50"))
    table = visitor.open_table()
    with closing(sqlite3.connect(world.settings.data / "fairwind.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        says_so(move(visitor, table, 0))
        assert visitor.get(table).status_code == 200, "looking goes on"
        other.execute("COMMIT")
    assert move(visitor, table, 0).status_code == 303
    assert visitor.get(f"/api/v1{table}").json()["version"] == 1


def hold_sqlite(world: World, free: threading.Event, held: threading.Event) -> None:
    """Keep every writer of the file waiting until it is let free."""
    with closing(sqlite3.connect(world.settings.data / "fairwind.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        held.set()
        free.wait(20)
        other.execute("COMMIT")


def hold_postgres(world: World, free: threading.Event, held: threading.Event) -> None:
    """Keep every mover of a game waiting until it is let free."""
    url = store_of(world).engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url) as other:
        other.execute("SELECT id FROM games FOR UPDATE")
        held.set()
        free.wait(20)


def test_a_slow_database_makes_a_move_late_and_nothing_else(any_world: World) -> None:
    visitor = any_world.visitor()
    table = visitor.open_table()
    hold = hold_sqlite if any_world.settings.database is None else hold_postgres
    free, held = threading.Event(), threading.Event()
    holder = threading.Thread(target=hold, args=(any_world, free, held))
    holder.start()
    assert held.wait(20)
    letting_go = threading.Timer(0.5, free.set)
    letting_go.start()
    begun = time.monotonic()
    # The same move twice, as somebody does who grows impatient.
    answers = visitor.at_once([("POST", f"{table}/roll", {"data": {"version": "0"}})] * 2)
    assert time.monotonic() - begun >= 0.4
    assert [answer.status_code for answer in answers] == [303, 303]
    assert visitor.get(f"/api/v1{table}").json()["version"] == 1
    holder.join()
    letting_go.join()


def test_a_row_that_somebody_forgot_to_let_go_is_told_after_a_while(
    on_postgres: tuple[World, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    world, _, _ = on_postgres
    visitor = world.visitor()
    table = visitor.open_table()
    monkeypatch.setattr("app.store.engine.LOCK_SECONDS", 1)
    store_of(world).engine.dispose()
    free, held = threading.Event(), threading.Event()
    holder = threading.Thread(target=hold_postgres, args=(world, free, held))
    holder.start()
    assert held.wait(20)
    says_so(move(visitor, table, 0))
    free.set()
    holder.join()
    assert move(visitor, table, 0).status_code == 303


def test_a_clock_that_steps_back_disturbs_no_game(any_world: World) -> None:
    visitor, clock = any_world.visitor(), any_world.clock
    visitor.identify()
    game = visitor.new_game("yacht")
    while game["status"] == "playing":
        clock.forward(hours=-5)
        box = next(iter(game["legal"]["boxes"]), None)
        game = visitor.play(game, action="score", box=box) if box else visitor.play(game, action="roll", keep=[])
        clock.forward(hours=3)
    assert visitor.get(f"/games/{game['id']}").status_code == 200
    assert visitor.get("/stats").status_code == 200
    assert visitor.get("/daily").status_code == 200
    assert visitor.get(f"/games/{game['id']}/log").status_code == 200
    clock.forward(days=60)
    keeping = Keeping(store_of(any_world), clock)
    before = visitor.get(f"/api/v1/games/{game['id']}/log").json()
    assert keeping.prune().packed == 1
    assert visitor.get(f"/api/v1/games/{game['id']}/log").json() == before
    assert keeping.check().differences == ()


def test_a_clock_that_was_set_back_keeps_nobody_from_a_new_game(any_world: World) -> None:
    play, clock = any_world.app.state.service.play, any_world.clock
    clock.forward(days=400)
    player, look = play.open_game(None, Plan(ruleset("yacht")))
    clock.forward(days=-800)
    play_on(play, look.id, player)
    again, other = play.open_game(player, Plan(ruleset("yacht")))
    play_on(play, other.id, again)
    assert again == player
    assert {ended.row.id for ended in play.games_of(player)[1]} == {look.id, other.id}


@pytest.fixture(params=["sqlite", "postgresql"])
def workers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Program]:
    """The real program with two worker processes, on each database."""
    if request.param == "sqlite":
        with started(tmp_path / "data", workers=2) as running:
            yield running
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    with cluster.fresh_database() as url, started(tmp_path / "data", url, workers=2) as running:
        yield running


def test_a_server_whose_main_process_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    with started(tmp_path / "data", workers=2) as program:
        assert httpx.get(f"{program.url}/ready", timeout=60).status_code == 200
        left = workers_of(program)
        assert len(left) == 2
        program.kill()
        for _ in range(600):
            if not any(Path(f"/proc/{pid}").exists() for pid in left):
                break
            threading.Event().wait(0.05)
        assert not any(Path(f"/proc/{pid}").exists() for pid in left)
        program.start()
        assert httpx.get(f"{program.url}/ready", timeout=60).status_code == 200


def workers_of(program: Program) -> list[int]:
    """Find the processes that serve."""
    assert program.process is not None
    parent = program.process.pid
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="utf-8").split()
    return [int(pid) for pid in children if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8")]


def test_a_worker_that_is_killed_costs_no_answered_move_and_is_replaced(workers: Program) -> None:
    clients = [Client(workers.url) for _ in range(PLAYERS)]
    for client in clients:
        client.sit_down()
    with all_playing(clients, answers=20):
        killed = workers_of(workers)[0]
        os.kill(killed, signal.SIGKILL)
    for client in clients:
        see_what_was_answered(client)
        send_again(client)
    see_the_logs(workers, clients)
    for _ in range(300):
        if killed not in workers_of(workers) and httpx.get(f"{workers.url}/ready", timeout=60).status_code == 200:
            break
    assert httpx.get(f"{workers.url}/ready", timeout=60).status_code == 200
