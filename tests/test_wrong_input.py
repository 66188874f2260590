"""Every route is tried with every kind of wrong input: a clear refusal, never a 500, and nothing in the database changes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute

from app.web import ROUTERS
from tests.support.web import Visitor, World

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY")

FORMS: list[dict[str, Any]] = [
    {},
    {"data": {"version": ""}},
    {"data": {"version": "x"}},
    {"data": {"version": "-1"}},
    {"data": {"version": "9" * 400}},
    {"data": {"version": "1.5"}},
    {"data": {"version": "1", "surprise": "1"}},
    {"data": {"version": "1", "keep": "x"}},
    {"data": {"version": "1", "keep": "7"}},
    {"data": {"version": "1", "keep": ["0", "0"]}},
    {"data": {"version": "1", "keep": ["0", "1", "2", "3", "4"]}},
    {"data": {"version": "1", "box": "sevens"}},
    {"data": {"version": "1", "box": "\x00"}},
    {"data": {"version": "1", "box": "ones", "confirm": "perhaps"}},
    {"data": {"ruleset": "bridge"}},
    {"data": {"ruleset": "classic", "joker": "always"}},
    {"data": {"ruleset": "classic", "jokers": "none"}},
    {"data": {"ruleset": "yatzy", "joker_upper": "wild", "extra_yatzy": "none"}},
    {"data": {"ruleset": "classic", "kind": "party"}},
    {"data": {"ruleset": "classic", "kind": "daily", "day": "2026-11-29"}},
    {"data": {"ruleset": "crag", "kind": "daily"}},
    {"data": {"ruleset": "classic", "kind": "practice"}},
    {"data": {"ruleset": "classic", "kind": "practice", "day": "yesterday"}},
    {"data": {"ruleset": "classic", "kind": "practice", "day": "2026-11-29"}},
    {"data": {"ruleset": "classic", "kind": "practice", "day": "2026-11-30"}},
    {"data": {"ruleset": "crag", "kind": "practice", "day": "2026-11-01"}},
    {"data": {"ruleset": "classic", "addressing": "by_luck"}},
    {"data": {"ruleset": "classic", "corrections": "often"}},
    {"files": {"version": ("name.txt", b"1")}},
    {"content": b"\xff\xfe\x00", "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
    {"content": b"version=1", "headers": {"Content-Type": "text/plain"}},
    {"content": b"--x\r\nnothing", "headers": {"Content-Type": "multipart/form-data; boundary=x"}},
    {"content": b"x", "headers": {"Content-Type": "multipart/form-data"}},
    {"content": b"a" * 17_000, "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
    {"json": {}},
    {"json": []},
    {"json": {"version": 7}},
    {"json": {"version": 10**400}},
    {"json": {"version": 99, "action": "roll", "keep": []}},
    {"json": {"version": 1, "action": "roll", "keep": [0, 1, 2, 3, 4]}},
    {"json": {"version": 1, "action": "roll", "keep": [10**30]}},
    {"json": {"version": 1, "action": "score", "box": "sevens"}},
    {"json": {"kind": "solo", "ruleset": "classic", "options": {"joker": ["none"]}}},
    {"json": {"kind": "solo", "ruleset": "classic", "options": [1]}},
    {"json": {"name": "<script>"}},
    {"data": {"name": "<script>"}},
    {"data": {"name": "", "remove": "0"}},
    {"data": {"theme": "pink"}},
    {"data": {"language": "", "back": "//evil.example"}},
    {"data": {"sure": "0"}},
    {"data": {"sure": ["1", "2"]}},
    {"data": {"code": "abandon abandon"}},
    {"json": {"kind": "daily", "ruleset": "crag"}},
    {"json": {"kind": "daily", "ruleset": "classic", "levels": ["perfect"]}},
    {"json": {"kind": "daily", "ruleset": "classic", "corrections": True}},
    {"json": {"kind": "practice", "ruleset": "classic"}},
    {"json": {"kind": "practice", "ruleset": "classic", "day": "2026-11-31"}},
    {"json": {"kind": "practice", "ruleset": "classic", "day": "2026-11-29"}},
    {"json": {"kind": "solo", "ruleset": "classic", "day": "2026-11-01"}},
    {"content": b"{", "headers": {"Content-Type": "application/json"}},
    {"content": b'"\\ud800"', "headers": {"Content-Type": "application/json"}},
    {"content": b'{"version": NaN}', "headers": {"Content-Type": "application/json"}},
    {"content": b'{"a": ' * 2_000, "headers": {"Content-Type": "application/json"}},
    {"headers": {"Origin": "http://evil.example"}, "data": {"version": "1"}},
]

PATHS = ("GAME", "nowhere", "%00", "..", "%2e%2e%2f", "x" * 3_000, "\u05d0", "%ff")


ROUTES = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]


@pytest.fixture
def writes(world: World) -> Iterator[Callable[[], int]]:
    """A number that changes whenever anybody else commits to the database."""
    connection = sqlite3.connect(str(world.settings.where))
    yield lambda: int(connection.execute("PRAGMA data_version").fetchone()[0])
    connection.close()


def test_every_route_refuses_every_wrong_input_and_changes_nothing(
    seated: tuple[Visitor, str], writes: Callable[[], int]
) -> None:
    visitor, game = seated
    before = writes()
    tried = 0
    for route in ROUTES:
        if "POST" not in (route.methods or ()):
            continue
        for more in FORMS:
            for headers in ({}, {"HX-Request": "true"}):
                path = route.path.replace("{game_id}", game)
                answer = visitor.post(path, **{**more, "headers": {**more.get("headers", {}), **headers}})
                # An empty name is no wrong input to the one call that asks for nothing.
                if path == "/api/v1/players" and more.get("json") == {}:
                    before = writes()
                    continue
                assert answer.status_code in {400, 403, 409, 413, 415, 422}, (path, more, answer.status_code)
                assert writes() == before, (path, more)
                _speaks_its_form(path, answer)
                tried += 1
    assert tried > 500


def _speaks_its_form(path: str, answer: Any) -> None:
    """Errors of the API are JSON with a code and a sentence, those of pages are pages or the present table."""
    if path.startswith("/api/"):
        error = json.loads(answer.text)["error"]
        assert set(error) == {"code", "message", "details"}
        assert error["message"].endswith((".", "!"))
    else:
        assert answer.headers["content-type"].startswith("text/html")
        assert "<h1" in answer.text or 'id="table"' in answer.text


def test_every_route_takes_its_own_methods_only(seated: tuple[Visitor, str], writes: Callable[[], int]) -> None:
    visitor, game = seated
    before = writes()
    paths = {route.path for route in ROUTES}
    for path in sorted(paths):
        allowed = set[str]().union(*(route.methods or () for route in ROUTES if route.path == path))
        for method in METHODS:
            if method in allowed or (method == "HEAD" and "GET" in allowed):
                continue
            address = (
                path.replace("{game_id}", game).replace("{ruleset_id}", "classic").replace("{name:path}", "app.css")
            )
            answer = visitor.send(method, address)
            assert answer.status_code == 405, (method, path)
            named = set(answer.headers["allow"].split(", "))
            assert named, (method, path)
            assert named <= allowed | {"HEAD"}, (method, path)
    assert writes() == before


@pytest.mark.parametrize("part", PATHS)
def test_no_address_makes_the_server_stumble(seated: tuple[Visitor, str], writes: Callable[[], int], part: str) -> None:
    visitor, game = seated
    before = writes()
    filled = game if part == "GAME" else part
    for route in ROUTES:
        path = route.path
        for name in (
            "{game_id}",
            "{ruleset_id}",
            "{name:path}",
            "{date}",
            "{number}",
            "{ruleset}",
            "{short_id}",
            "{token}",
        ):
            path = path.replace(name, filled)
        for address in (path, f"{path}?{filled}={filled}", f"{path}/"):
            answer = visitor.get(address)
            assert answer.status_code < 500, address
    assert writes() == before


def test_rules_in_an_address_that_do_not_exist_are_named(world: World) -> None:
    visitor = world.visitor()
    assert visitor.get("/rules/bridge").status_code == 404
    answer = visitor.get("/rules/classic?joker=always")
    assert answer.status_code == 400
    assert "lower_free" in answer.text


def test_a_seat_at_a_finished_game_of_others_can_be_seen_but_not_played(world: World) -> None:
    owner = world.visitor()
    owner.identify()
    game = owner.play_out(owner.new_game())
    stranger = world.visitor()
    page = stranger.get(f"/games/{game['id']}")
    assert page.status_code == 200
    assert "/roll" not in page.text
    for action, fields in (("roll", {}), ("score", {"box": "ones"}), ("undo", {}), ("abandon", {})):
        answer = stranger.post(f"/games/{game['id']}/{action}", data={"version": "26", **fields})
        assert answer.status_code == 403


def test_a_browser_without_cookies_is_told_what_playing_needs(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    bare = world.visitor().get(table)
    assert bare.status_code == 403
    assert "cookie" in bare.text
    assert world.visitor().get("/rules/classic").status_code == 200
