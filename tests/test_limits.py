"""How often one address or player may do things: counted for all processes together, never on the machine itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request

from app.settings import Settings
from app.web.limiting import CODES, GAMES, NAMES, NEW_PLAYERS, TooOftenError, is_at_home
from tests.support.web import Visitor, World, open_world

FAR = "203.0.113.7"
FORM = {"data": {"ruleset": "classic"}}


def far(world: World, address: str = FAR, **headers: str) -> Visitor:
    """Let somebody come by from another machine, through the proxy on this one."""
    return world.visitor(**{"X-Forwarded-For": address, **headers})


def request_from(host: str) -> Request:
    """Make a request of an address."""
    return Request({"type": "http", "headers": [], "client": (host, 1)})


def newcomers(world: World, number: int, address: str = FAR) -> list[int]:
    """Let so many people begin their first game; give the statuses."""
    return [far(world, address).post("/games", **FORM).status_code for _ in range(number)]


def test_thirty_new_players_a_minute_come_from_one_address_and_the_next_waits(any_world: World) -> None:
    assert newcomers(any_world, 30) == [303] * 30
    visitor = far(any_world)
    refused = visitor.post("/games", **FORM)
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "60"
    assert "60 seconds" in refused.text
    assert "set-cookie" not in refused.headers
    assert newcomers(any_world, 1, "203.0.113.8") == [303], "somebody else is not held up"
    any_world.clock.forward(seconds=60)
    assert visitor.post("/games", **FORM).status_code == 303


def test_three_hundred_new_players_an_hour_are_the_most(world: World) -> None:
    for _ in range(10):
        assert set(newcomers(world, 30)) == {303}
        world.clock.forward(minutes=2)
    refused = far(world).post("/games", **FORM)
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == str(40 * 60)
    assert "40 minutes" in refused.text


def test_what_is_refused_makes_nobody_and_so_holds_nobody_up(world: World) -> None:
    for path, form in (("/settings", {"theme": "pink"}), ("/settings/name", {"name": "7"}), ("/settings", {})):
        assert {far(world).post(path, data=form).status_code for _ in range(31)} == {422}
    assert newcomers(world, 30) == [303] * 30
    assert far(world).post("/settings", data={"theme": "dark"}).status_code == 429
    assert far(world).post("/settings/name", data={"name": "Aino"}).status_code == 429


def test_players_of_the_api_are_new_players_too_and_hear_it_as_json(world: World) -> None:
    program = far(world)
    statuses = [program.post("/api/v1/players", json={"name": None}).status_code for _ in range(31)]
    assert statuses == [201] * 30 + [429]
    refused = program.post("/api/v1/players", json={"name": None})
    assert refused.json()["error"]["code"] == "too_often"
    assert refused.json()["error"]["message"].endswith(".")
    assert 1 <= int(refused.headers["retry-after"]) <= 60


def test_one_player_begins_sixty_games_a_minute_wherever_they_are(world: World) -> None:
    visitor = far(world)
    assert visitor.post("/games", **FORM).status_code == 303
    statuses = [
        visitor.post("/games", **FORM, headers={"X-Forwarded-For": f"203.0.113.{number}"}).status_code
        for number in range(61)
    ]
    assert statuses == [303] * 60 + [429]


def test_the_same_player_is_counted_alike_by_the_api(world: World) -> None:
    program = far(world)
    program.identify()
    statuses = [program.post("/api/v1/games", json={"ruleset": "classic"}).status_code for _ in range(61)]
    assert statuses == [201] * 60 + [429]
    assert program.get("/api/v1/rulesets").status_code == 200, "only what is counted is refused"


def test_moves_are_never_counted(world: World) -> None:
    visitor = far(world)
    table = visitor.post("/games", **FORM).headers["location"]
    assert {visitor.post(f"{table}/roll", data={"version": "0"}).status_code for _ in range(100)} == {303}


def test_nobody_on_this_machine_is_counted(world: World) -> None:
    statuses = {world.visitor().post("/games", **FORM).status_code for _ in range(65)}
    assert statuses == {303}


@pytest.fixture
def generous(tmp_path: Path) -> Iterator[World]:
    """A server that counts nobody."""
    with open_world(Settings(data=tmp_path, rate_limits="off")) as opened:
        yield opened


def test_limits_can_be_turned_off(generous: World) -> None:
    assert set(newcomers(generous, 65)) == {303}


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[World]:
    """A server that believes one proxy, which is not on this machine."""
    with open_world(Settings(data=tmp_path, trusted_proxies=("198.51.100.0/24",))) as opened:
        yield opened


def from_address(world: World, host: str, **headers: str) -> Visitor:
    """Let somebody connect from this address."""
    transport = httpx.ASGITransport(app=world.app, client=(host, 4711))
    visitor = Visitor(
        world.portal, httpx.AsyncClient(transport=transport, base_url="http://fairwind.test", headers=headers)
    )
    world.visitors.append(visitor)
    return visitor


def test_only_a_trusted_proxy_is_believed_who_asks(behind: World) -> None:
    def statuses(host: str, name: str) -> set[int]:
        return {
            from_address(behind, host, **{"X-Forwarded-For": f"{name}{number}"}).post("/games", **FORM).status_code
            for number in range(31)
        }

    assert statuses("198.51.100.9", "203.0.113.") == {303}, "a club behind a proxy is many people"
    assert statuses("192.0.2.44", "203.0.113.") == {303, 429}, "a stranger is one, whatever they claim to be"


def test_what_a_client_puts_before_the_proxys_word_is_not_believed(world: World) -> None:
    statuses = {
        far(world, f"203.0.113.{number}, 127.0.0.1, {FAR}").post("/games", **FORM).status_code for number in range(31)
    }
    assert statuses == {303, 429}


def test_cookies_are_for_https_when_a_trusted_proxy_says_that_it_is_https(behind: World) -> None:
    secure = {"X-Forwarded-Proto": "https"}
    trusted = from_address(behind, "198.51.100.9", **secure).post("/games", **FORM)
    assert "Secure" in trusted.headers["set-cookie"]
    stranger = from_address(behind, "192.0.2.44", **secure).post("/games", **FORM)
    assert "Secure" not in stranger.headers["set-cookie"]


def test_the_addresses_of_a_household_are_one(world: World) -> None:
    assert newcomers(world, 30, "2001:db8:1:2::7") == [303] * 30
    assert newcomers(world, 1, "2001:db8:1:2:ffff::1") == [429], "IPv6: 64 bits are one network"
    assert newcomers(world, 1, "2001:db8:1:3::7") == [303]
    assert newcomers(world, 29, "::ffff:203.0.113.9") == [303] * 29
    assert newcomers(world, 2, "203.0.113.9") == [303, 429], "an address of IPv4, however it is written"


@pytest.mark.parametrize(
    ("host", "home"),
    [("127.0.0.1", True), ("127.8.9.1", True), ("::1", True), ("::ffff:127.0.0.1", True), ("", True),
     ("192.168.1.4", False), ("fe80::1%eth0", False), ("localhost", False), ("testclient", False)],
)  # fmt: skip
def test_only_the_machines_own_addresses_are_at_home(host: str, *, home: bool) -> None:
    assert is_at_home(host) is home


def test_a_count_that_proves_right_is_taken_back(world: World) -> None:
    limiter, request = world.app.state.service.limiter, request_from(FAR)
    for _ in range(30):
        limiter.count(CODES, request)
        limiter.take_back(CODES, request)
    for _ in range(10):
        limiter.count(CODES, request)
    with pytest.raises(TooOftenError) as refused:
        limiter.count(CODES, request)
    assert refused.value.seconds == 3600
    limiter.count(NAMES, request)


def test_all_processes_count_together(any_world: World) -> None:
    request = request_from(FAR)
    with open_world(any_world.settings) as other:
        limiters = [world.app.state.service.limiter for world in (any_world, other)]
        for number in range(60):
            limiters[number % 2].count(GAMES, request, "ada")
        for limiter in limiters:
            with pytest.raises(TooOftenError):
                limiter.count(GAMES, request, "ada")


def test_a_clock_that_is_set_back_locks_nobody_out(world: World) -> None:
    limiter, request = world.app.state.service.limiter, request_from(FAR)
    for _ in range(10):
        limiter.count(CODES, request)
    world.clock.forward(days=-3)
    limiter.count(CODES, request)


def test_the_database_holds_no_address_and_forgets_what_has_expired(world: World) -> None:
    newcomers(world, 1)
    store = world.app.state.service.play.store
    raw = world.settings.data.joinpath("fairwind.sqlite3-wal").read_bytes()
    assert b"LIMITER/players/" in raw
    assert FAR.encode() not in raw
    with store.writing() as tx:
        assert tx.forget_counters(world.clock()) == 0
    world.clock.forward(hours=2)
    with store.writing() as tx:
        assert tx.forget_counters(world.clock()) == 2, "a minute's and an hour's"


def test_all_limits_of_a_deed_are_counted_in_one_transaction(world: World) -> None:
    limiter, request = world.app.state.service.limiter, request_from(FAR)
    limiter.count(NAMES, request)
    written: list[object] = []
    limiter.store.watch = written.append
    limiter.count(NEW_PLAYERS, request)
    assert len(NEW_PLAYERS.items) == 2
    assert len(written) == 1
    limiter.take_back(NEW_PLAYERS, request)
    assert len(written) == 2
