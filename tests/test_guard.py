"""The layer around every route: headers, origin, host, body."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.settings import Settings
from tests.support.web import World, open_world


@pytest.fixture
def choosy_world(tmp_path: Path, empty_database: Path) -> Iterator[World]:
    """A server that answers for two host names."""
    shutil.copy(empty_database, tmp_path)
    with open_world(Settings(data=tmp_path, hosts=("dice.example", "fairwind.test"))) as opened:
        yield opened


ADDRESSES = [
    "/", "/games", "/rules", "/rules/classic", "/stats", "/new", "/nothing", "/games/nothing", "/health", "/static/nothing.css",
    "/api/docs", "/api/v1/rulesets", "/api/v1/games/x", "/api/v1/openapi.json",
]  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_answer_forbids_what_it_does_not_need(world: World, address: str) -> None:
    headers = world.visitor().get(address).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    # Anything stricter would make browsers send "Origin: null" with our own forms.
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"


def test_no_page_has_a_script_or_style_in_line_or_from_elsewhere(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    for address in (
        "/",
        "/games",
        "/rules",
        "/rules/classic",
        "/stats",
        "/new",
        "/api/docs",
        table,
        f"{table}/log",
        "/nothing",
    ):
        html = visitor.get(address).text
        assert "style=" not in html, address
        assert "<style" not in html, address
        assert "//" not in html.replace("<!doctype", "").replace("http://www.w3.org", ""), address
        assert " on" not in "".join(part.split(">")[0] for part in html.split("<")[1:] if part.startswith("button")), (
            address
        )


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://fairwind.test"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://fairwind.test.evil.example"},
        {"Origin": "http://fairwind.test:8001"},
    ],
)
def test_a_post_from_another_site_is_refused_and_changes_nothing(world: World, headers: dict[str, str]) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    answer = visitor.post(f"{table}/roll", data={"version": "0"}, headers=headers)
    assert answer.status_code == 403
    assert "html" in answer.headers["content-type"]
    assert visitor.get(f"/api/v1{table}").json()["version"] == 0
    refused = visitor.post("/api/v1/games", json={"ruleset": "classic"}, headers=headers)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "cross_site")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://fairwind.test"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://fairwind.test"},
        {"Origin": "https://fairwind.test"},
    ],
)
def test_a_post_from_our_own_page_or_from_a_script_is_let_in(world: World, headers: dict[str, str]) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    assert visitor.post(f"{table}/roll", data={"version": "0"}, headers=headers).status_code == 303


def test_reading_from_another_site_is_nobodys_harm(world: World) -> None:
    assert world.visitor().get("/rules", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "fairwind.test.evil.example", "fairwind.test@evil.example", "", "[::1]"]
)
def test_a_host_that_the_settings_do_not_name_is_refused(choosy_world: World, host: str) -> None:
    answer = choosy_world.visitor().get("/", headers={"Host": host})
    assert answer.status_code == 400
    api = choosy_world.visitor().get("/api/v1/rulesets", headers={"Host": host})
    assert (api.status_code, api.json()["error"]["code"]) == (400, "unknown_host")


@pytest.mark.parametrize("host", ["dice.example", "dice.example:8000", "DICE.example", "fairwind.test"])
def test_a_host_that_the_settings_name_is_answered(choosy_world: World, host: str) -> None:
    assert choosy_world.visitor().get("/rules", headers={"Host": host}).status_code == 200


def test_a_watchdog_may_ask_by_the_machines_address(choosy_world: World) -> None:
    assert choosy_world.visitor().get("/health", headers={"Host": "127.0.0.1:8000"}).status_code == 200


def test_a_form_over_the_limit_is_refused_with_a_page(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    answer = visitor.post(f"{table}/roll", data={"version": "0", "keep": "1" * 17_000})
    assert answer.status_code == 413
    assert "<html" in answer.text


def test_a_cookie_that_we_did_not_sign_is_nobody(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    cookie = visitor.client.cookies["fairwind"]
    player = cookie.partition(".")[0]
    for forged in (
        player,
        f"{player}.",
        f"{player}.AAAA",
        f"{player}.{'A' if cookie[len(player) + 1] != 'A' else 'B'}{cookie[len(player) + 2 :]}",
        "x" * 3_000,
    ):
        stranger = world.visitor()
        assert stranger.get(table, headers={"Cookie": f"fairwind={forged}"}).status_code == 403


def test_the_cookie_names_the_player_and_nothing_else(world: World) -> None:
    answer = world.visitor().post("/games", data={"ruleset": "classic"})
    cookie = answer.headers["set-cookie"]
    assert {part.strip().partition("=")[0] for part in cookie.split(";")} == {
        "fairwind",
        "HttpOnly",
        "Max-Age",
        "Path",
        "SameSite",
    }
    assert "SameSite=lax" in cookie
    value = cookie.partition("=")[2].partition(";")[0]
    assert len(value.partition(".")[0]) == 16


def test_over_https_the_cookie_is_for_https_only(world: World) -> None:
    visitor = world.visitor()
    answer = visitor.post("https://fairwind.test/games", data={"ruleset": "classic"})
    assert "Secure" in answer.headers["set-cookie"]


def test_static_files_are_kept_for_ever_under_a_name_that_changes_with_them(world: World) -> None:
    visitor = world.visitor()
    address = world.app.state.service.renderer.assets.address("app.css")
    answer = visitor.get(address)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/css")
    assert answer.headers["content-encoding"] == "gzip"
    plain = visitor.get(address, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == answer.content
    assert visitor.get("/static/app.css").status_code == 404
    assert visitor.get("/static/../pyproject.toml").status_code == 404
    assert visitor.get("/static/%2e%2e/pyproject.toml").status_code == 404
