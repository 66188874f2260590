"""Of an open day nothing leaves the server that has not been rolled: no later die, no key, no secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from app.coach.advice import Coach
from app.coach.making import Tables
from app.game.dice import Stream
from app.settings import Settings
from tests.support.days import ONE, TODAY, key_by_hand
from tests.support.web import HTMX, Visitor, World, open_world
from tests.test_no_leak import decodings

SECRET = bytes.fromhex("5ea1ed0f5ea1ed0f".ljust(64, "c"))


@pytest.fixture
def sealed(tmp_path: Path, tables: Tables, yacht: Coach) -> Iterator[World]:
    """A server whose secret the test knows, on its second day: today was published yesterday. Its game is solved."""
    del yacht
    settings = Settings(data=tmp_path, daily_secret=SECRET, dailies=("yacht",))
    settings.tables.symlink_to(tables.folder, target_is_directory=True)
    with open_world(settings) as world:
        world.clock.forward(days=1)
        yield world


def addresses(table: str, day: str) -> list[str]:
    """Name everything that can be asked about an attempt and its day."""
    return [
        "/",
        "/daily",
        "/daily/archive",
        f"/daily/{day}",
        f"/daily/{day}?page=1",
        "/games",
        "/stats",
        "/fair",
        "/d/334",
        "/d/334/yacht",
        table,
        f"{table}/log",
        f"{table}/review",
        f"{table}/nothing",
        f"/api/v1{table}",
        f"/api/v1{table}/log",
        f"/api/v1{table}/review",
        "/api/v1/daily",
        f"/api/v1/daily/{day}",
        "/api/v1/daily/2026-12-20",
        "/api/v1/openapi.json",
    ]


def hear(visitor: Visitor, table: str, day: str) -> list[bytes]:
    """Ask for everything, and give all bytes that came: headers and bodies, refusals too."""
    heard = []
    for address in addresses(table, day):
        answer = visitor.get(address)
        assert answer.status_code < 500, address
        heard += [repr(answer.headers.multi_items()).encode(), answer.content]
    for wrong in ({"version": "999"}, {"version": "0", "keep": "9"}, {}):
        heard.append(visitor.post(f"{table}/roll", data=wrong, headers=HTMX).content)
    return heard


def test_until_the_close_nobody_hears_key_or_secret_also_after_finishing(sealed: World) -> None:
    visitor, stranger = sealed.visitor(), sealed.visitor()
    day = TODAY + ONE
    secrets = [SECRET, *(key_by_hand("yacht", day + ahead * ONE, SECRET) for ahead in (0, 1, 30))]
    table = visitor.post("/daily", data={"ruleset": "yacht"}).headers["location"]
    heard: list[bytes] = []
    game = visitor.get(f"/api/v1{table}").json()
    while game["status"] == "playing":
        roll = visitor.post(f"{table}/roll", data={"version": str(game["version"])}, headers=HTMX)
        heard += [roll.content, repr(roll.headers.multi_items()).encode()]
        game = visitor.get(f"/api/v1{table}").json()
        game = visitor.play(game, action="score", box=next(iter(game["legal"]["boxes"])))
    for moment in (sealed.clock.now, datetime(2026, 12, 1, 5, 59, 59, tzinfo=UTC)):
        sealed.clock.now = moment
        heard += hear(visitor, table, str(day)) + hear(stranger, table, str(day))
    for text in heard:
        for decoded in decodings(text):
            for secret in secrets:
                assert secret not in decoded
                assert secret.hex().encode() not in decoded.lower()


def test_nobody_who_has_not_finished_sees_a_die_of_a_finished_attempt(sealed: World) -> None:
    player, stranger = sealed.visitor(), sealed.visitor()
    table = player.post("/daily", data={"ruleset": "yacht"}).headers["location"]
    before = [stranger.get(address).status_code for address in addresses(table, str(TODAY + ONE))]
    game = player.play_out(player.get(f"/api/v1{table}").json())
    total = game["seats"][0]["total"]
    for address, status in zip(addresses(table, str(TODAY + ONE)), before, strict=True):
        answer = stranger.get(address)
        if address.startswith((table, f"/api/v1{table}")):
            assert answer.status_code in {401, 403, 404}, address
            continue
        assert answer.status_code == status, address
        assert f">{total}<" not in answer.text, address
        if address.startswith("/api/v1/daily"):
            assert not answer.json().get("board"), address


def test_what_is_sent_before_a_roll_does_not_depend_on_its_dice(tmp_path: Path) -> None:
    """Two secrets whose days agree on the first roll and not on the second: until the second all answers are alike."""
    day = TODAY + ONE

    def faces(secret: bytes, roll: int) -> tuple[int, ...]:
        return Stream(key_by_hand("yacht", day, secret)).faces(5, 0, 1, roll, roll - 1)

    numbers = (number.to_bytes(32, "big") for number in count(2))
    first = bytes(31) + b"\x01"
    other = next(one for one in numbers if faces(one, 1) == faces(first, 1) and faces(one, 2) != faces(first, 2))
    seen = []
    for name, secret in (("a", first), ("b", other)):
        settings = Settings(data=tmp_path / name, daily_secret=secret, dailies=("yacht",), signing_key=(bytes(32),))
        with open_world(settings) as world:
            world.clock.forward(days=1)
            visitor = world.visitor()
            table = visitor.post("/daily", data={"ruleset": "yacht"}).headers["location"]
            visitor.post(f"{table}/roll", data={"version": "0"})
            texts = [visitor.get(address).text for address in addresses(table, str(day)) if "fair" not in address]
            # Names made by lot and fingerprints differ, and nothing else does.
            seen.append([re.sub(r"\b[0-9a-f]{64}\b|" + table.rpartition("/")[2], "X", text) for text in texts])
    assert seen[0] == seen[1]
