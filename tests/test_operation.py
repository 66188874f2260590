"""What whoever runs the server relies on: watchdogs' addresses, read-only times, notes, counts, limits, changing keys."""

from __future__ import annotations

import json
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
from sqlalchemy import text
from structlog.testing import capture_logs

from app.settings import Settings
from app.store import ReadOnly
from app.web import create_app
from app.web.guard import MAX_HEADERS
from tests.support.server import in_thread, started
from tests.support.web import Visitor, World, open_world

SECRET_WORDS = ("fairwind=", "Mozilla", "203.0.113.7")


def world_with(tmp_path: Path, empty: Path, **settings: Any) -> Any:
    """Open the application with settings of the test's own."""
    shutil.copy(empty, tmp_path)
    return open_world(Settings(data=tmp_path, **settings))


def test_a_server_is_ready_while_its_database_answers(any_world: World) -> None:
    answer = any_world.visitor().get("/ready")
    assert (answer.status_code, answer.text) == (200, "ready")


def set_schema(world: World, revision: str) -> None:
    """Have the database say that it has another schema."""
    with world.app.state.service.play.store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})


def test_a_server_with_a_database_of_an_earlier_version_lives_but_is_not_ready(any_world: World) -> None:
    set_schema(any_world, "0001")
    answer = any_world.visitor().get("/ready")
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 1
    assert any_world.visitor().get("/health").status_code == 200


def test_a_server_stays_ready_when_the_next_version_has_migrated_the_database(any_world: World) -> None:
    set_schema(any_world, "9876")
    assert any_world.visitor().get("/ready").status_code == 200
    # A process that takes the place of one that died begins on it as well.
    another = create_app(any_world.settings)
    with any_world.portal.wrap_async_context_manager(another.router.lifespan_context(another)):
        assert replace(any_world, app=another).visitor().get("/ready").status_code == 200


@pytest.fixture
def looked_after(tmp_path: Path, empty_database: Path) -> Iterator[tuple[World, str, Visitor]]:
    """A server that changes nothing, with a game that somebody began before."""
    with world_with(tmp_path, empty_database) as before:
        visitor = before.visitor()
        table = visitor.open_table()
        visitor.post(f"{table}/roll", data={"version": "0"})
        cookie = visitor.client.cookies["fairwind"]
    with open_world(Settings(data=tmp_path, read_only="on")) as world:
        yield world, table, world.visitor(Cookie=f"fairwind={cookie}")


def test_in_read_only_times_everything_can_be_looked_at(looked_after: tuple[World, str, Visitor]) -> None:
    _, table, visitor = looked_after
    addresses = (
        "/",
        "/games",
        table,
        f"{table}/log",
        "/new",
        "/rules/classic",
        "/stats",
        "/daily",
        "/settings",
        "/ready",
    )
    for address in (*addresses, f"/api/v1{table}"):
        assert visitor.get(address).status_code == 200, address


def test_in_read_only_times_a_move_is_refused_with_a_sentence_and_nothing_changes(
    looked_after: tuple[World, str, Visitor],
) -> None:
    world, table, visitor = looked_after
    before = visitor.get(f"/api/v1{table}").json()
    refused = visitor.post(f"{table}/roll", data={"version": "1"})
    assert refused.status_code == 503
    assert int(refused.headers["retry-after"]) > 0
    assert "nothing can be changed" in refused.text
    api = visitor.post(f"/api/v1{table}/moves", json={"version": 1, "action": "roll"})
    assert (api.status_code, api.json()["error"]["code"]) == (503, "read_only")
    assert visitor.get(f"/api/v1{table}").json() == before
    with pytest.raises(ReadOnly), world.app.state.service.play.store.writing():
        pass


@pytest.fixture
def noting(tmp_path: Path, empty_database: Path) -> Iterator[World]:
    """A server that notes every request down."""
    structlog.reset_defaults()
    with world_with(tmp_path, empty_database, log="requests") as opened:
        yield opened


def test_a_noted_request_has_a_number_and_a_template_and_nothing_of_whom_it_was(noting: World) -> None:
    visitor = noting.visitor(**{"User-Agent": "Mozilla/5.0", "X-Forwarded-For": "203.0.113.7"})
    table = visitor.open_table()
    with capture_logs() as notes:
        answers = [visitor.get(f"{table}?secret=1"), visitor.get("/nowhere/at/all"), visitor.get("/rules/classic")]
    assert [note["route"] for note in notes] == ["/games/{game_id}", "(none)", "/rules/{ruleset_id}"]
    assert [note["status"] for note in notes] == [200, 404, 200]
    assert [note["request"] for note in notes] == [answer.headers["x-request-id"] for answer in answers]
    assert len({note["request"] for note in notes}) == 3
    said = json.dumps(notes)
    for word in (
        *SECRET_WORDS,
        table.rpartition("/")[2],
        visitor.client.cookies["fairwind"].partition(".")[0],
        "secret",
    ):
        assert word not in said
    assert all(note["milliseconds"] >= 0 for note in notes)


def break_down(world: World) -> None:
    """Let every look at a game fail by a fault of ours."""

    def fail(*_: object) -> None:
        raise RuntimeError("Ada's secret 0123456789abcdef")

    world.app.state.service.renderer.assets.find = fail


def test_a_fault_of_ours_is_noted_with_its_place_and_answered_like_everything_else(world: World) -> None:
    structlog.reset_defaults()
    visitor = world.visitor()
    good = visitor.get("/rules")
    break_down(world)
    with capture_logs() as notes:
        answer = visitor.get("/static/app.css")
    assert answer.status_code == 500
    assert "It is our fault" in answer.text
    failed, answered = notes
    assert failed["event"] == "failed"
    assert failed["fault"] == "RuntimeError"
    assert "test_operation.py" in failed["at"][-1]
    assert failed["request"] == answered["request"] == answer.headers["x-request-id"]
    assert "Ada" not in json.dumps(notes)
    for header in ("content-security-policy", "x-content-type-options", "referrer-policy", "cache-control"):
        assert answer.headers[header] == good.headers[header]


def test_a_server_that_has_no_trouble_notes_nothing_down(world: World) -> None:
    structlog.reset_defaults()
    with capture_logs() as notes:
        world.visitor().get("/")
        world.visitor().get("/nowhere")
    assert notes == []


@pytest.fixture
def counting(tmp_path: Path, empty_database: Path) -> Iterator[World]:
    """A server that counts."""
    with world_with(tmp_path, empty_database, metrics="on", trusted_proxies=("198.51.100.0/24",)) as opened:
        yield opened


def counts_of(world: World) -> dict[str, float]:
    """Read the counts as Prometheus does."""
    answer = world.visitor().get("/metrics")
    assert answer.status_code == 200
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


def test_moves_games_and_answers_are_counted(counting: World) -> None:
    visitor = counting.visitor()
    visitor.identify()
    game = visitor.new_game("yacht")
    first = visitor.move(game, action="roll", keep=[])
    assert visitor.move(game, action="roll", keep=[]).text == first.text, "a repeat is no move"
    visitor.play_out(first.json())
    visitor.new_game("yacht")
    counted = counts_of(counting)
    assert counted["fairwind_moves_total"] == 24
    assert counted['fairwind_games_opened_total{kind="solo"}'] == 2
    assert counted['fairwind_games_finished_total{kind="solo"}'] == 1
    moves = 'method="POST",route="/api/v1/games/{game_id}/moves",status="200"'
    assert counted[f"fairwind_requests_total{{{moves}}}"] == 25
    assert counted['fairwind_request_seconds_count{route="/api/v1/games/{game_id}/moves"}'] == 25


def test_the_daily_is_counted_by_its_starts_and_finishes(counting: World) -> None:
    visitor = counting.visitor()
    begun = visitor.post("/daily", data={"ruleset": "classic"})
    assert begun.status_code == 303, begun.text
    assert counts_of(counting)['fairwind_games_opened_total{kind="daily"}'] == 1


def test_no_address_of_a_request_makes_a_count_of_its_own(counting: World) -> None:
    visitor = counting.visitor()
    for number in range(5):
        visitor.get(f"/games/{number}")
        visitor.get(f"/x{number}")
        visitor.send(f"METHOD{number}", "/")
    routes = {name for name in counts_of(counting) if name.startswith("fairwind_requests_total")}
    assert len(routes) == 3


def test_counts_are_for_this_machine_and_the_proxies_network_only(counting: World, world: World) -> None:
    def asked(host: str, **headers: str) -> int:
        transport = httpx.ASGITransport(app=counting.app, client=(host, 1))
        client = httpx.AsyncClient(transport=transport, base_url="http://fairwind.test", headers=headers)
        counting.visitors.append(Visitor(counting.portal, client))
        return counting.visitors[-1].get("/metrics").status_code

    assert asked("127.0.0.1") == asked("::1") == asked("198.51.100.9") == 200
    assert asked("203.0.113.7") == 404
    for header in ("X-Forwarded-For", "Forwarded", "Via"):
        assert asked("127.0.0.1", **{header: "127.0.0.1"}) == 404, "a proxy passed it on"
        assert asked("198.51.100.9", **{header: "198.51.100.9"}) == 404
    assert world.visitor().get("/metrics").status_code == 404, "they are off by default"


def test_two_processes_count_together(tmp_path: Path) -> None:
    with (
        started(tmp_path / "data", workers=2, FAIRWIND_METRICS="on") as program,
        httpx.Client(base_url=program.url) as line,
    ):
        # A new connection each time: the processes take them in turn.
        statuses = {
            httpx.post(f"{program.url}/games", data={"ruleset": "yacht"}, timeout=30).status_code for _ in range(40)
        }
        assert statuses == {303}
        counted = line.get("/metrics").text
    assert 'fairwind_games_opened_total{kind="solo"} 40.0' in counted


def test_headers_beyond_the_limit_are_refused(world: World) -> None:
    answer = world.visitor().get("/rules", headers={"X-Long": "x" * MAX_HEADERS})
    assert answer.status_code == 431
    assert world.visitor().get("/rules", headers={"X-Long": "x" * 8_000}).status_code == 200


def test_a_body_that_does_not_arrive_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.guard.BODY_SECONDS", 0.2)
    with in_thread(Settings(data=tmp_path)) as served:
        host, _, port = served.url.removeprefix("http://").partition(":")
        with closing(socket.create_connection((host, int(port)), timeout=20)) as slow:
            slow.sendall(b"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nrule")
            assert slow.recv(4096).startswith(b"HTTP/1.1 408 ")


def keyed(tmp_path: Path, *keys: str) -> Settings:
    """Sign with keys of one's own, the newest first."""
    return Settings.model_validate({"data": tmp_path, "signing_key": ",".join(keys)})


def test_a_key_is_changed_without_signing_anybody_out(tmp_path: Path, empty_database: Path) -> None:
    shutil.copy(empty_database, tmp_path)
    old, new = "ab" * 32, "cd" * 32
    with open_world(keyed(tmp_path, old)) as world:
        visitor = world.visitor()
        table = visitor.open_table()
        cookie = visitor.client.cookies["fairwind"]

    def status(*keys: str) -> int:
        with open_world(keyed(tmp_path, *keys)) as world:
            return world.visitor(Cookie=f"fairwind={cookie}").get(table).status_code

    assert status(new, old) == 200, "the earlier key is still accepted"
    assert status(new) == 403, "until it is taken out"
    with open_world(keyed(tmp_path, new, old)) as world:
        visitor = world.visitor(Cookie=f"fairwind={cookie}")
        cookie = visitor.post("/games", data={"ruleset": "classic"}).cookies["fairwind"]
    assert status(new) == 200, "the new key has signed since"


def test_moves_that_are_under_way_are_finished_when_the_server_is_told_to_stop(tmp_path: Path) -> None:
    with started(tmp_path / "data") as program:
        with httpx.Client(base_url=f"{program.url}/api/v1", timeout=30) as line:
            line.headers["Authorization"] = f"Bearer {line.post('/players', json={'name': None}).json()['token']}"
            games = [line.post("/games", json={"ruleset": "classic"}).json()["id"] for _ in range(8)]
            token = line.headers["Authorization"]
        answered: list[tuple[str, int]] = []
        underway = threading.Barrier(9)

        def play(game: str) -> None:
            with httpx.Client(base_url=f"{program.url}/api/v1", headers={"Authorization": token}, timeout=30) as line:
                line.get(f"/games/{game}")
                underway.wait()
                version = 0
                try:
                    while version < 200:
                        move = {"version": version, "action": "roll" if version % 2 == 0 else "score"}
                        if version % 2:
                            move["box"] = next(iter(line.get(f"/games/{game}").json()["legal"]["boxes"]))
                        answer = line.post(f"/games/{game}/moves", json=move)
                        assert answer.status_code == 200
                        version = answer.json()["version"]
                except (httpx.TransportError, StopIteration):
                    pass
                answered.append((game, version))

        threads = [threading.Thread(target=play, args=(game,)) for game in games]
        for thread in threads:
            thread.start()
        underway.wait()
        program.end()
        for thread in threads:
            thread.join()
        program.start()
        with httpx.Client(base_url=f"{program.url}/api/v1", headers={"Authorization": token}, timeout=30) as line:
            for game, version in answered:
                assert line.get(f"/games/{game}").json()["version"] == version, "all that was written was answered"
