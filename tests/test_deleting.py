"""Taking one's data along and deleting it; what is stored of anybody, and that the page about it is true."""

from __future__ import annotations

import json
import re
from typing import Any

from app.store import Status
from app.store.schema import metadata
from app.web.privacy import OTHERS, YOURS
from tests.support.people import SURE, code_of, game_with, link_of, name_of, player_of, rows, take_name
from tests.support.web import Visitor, World, text_of


def data_of(visitor: Visitor) -> dict[str, Any]:
    """Download all that is stored of a visitor."""
    answer = visitor.get("/settings/data")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment;filename="fairwind.json"'
    found: dict[str, Any] = json.loads(answer.text)
    return found


def finished(visitor: Visitor) -> str:
    """Play a game to the end; gives its table."""
    table = visitor.open_table("yacht")
    visitor.play_out(visitor.get(f"/api/v1{table}").json())
    return table


def daily(visitor: Visitor) -> str:
    """Play the day to the end; gives its table."""
    table = visitor.post("/daily", data={"ruleset": "classic"}).headers["location"]
    visitor.play_out(visitor.get(f"/api/v1{table}").json())
    return table


# Downloading


def test_the_file_holds_every_row_of_the_player_and_of_nobody_else(world: World) -> None:
    visitor, other = world.visitor(), world.visitor()
    done, begun = finished(visitor), game_with(visitor)
    take_name(visitor, "Aino")
    visitor.post("/settings", data={"theme": "dark"})
    code_of(visitor)
    finished(other)
    take_name(other, "Bertta")
    found = data_of(visitor)
    player = player_of(visitor)
    assert (found["player"]["id"], found["player"]["name"], found["player"]["settings"]) == (
        player,
        "Aino",
        {"theme": "dark"},
    )
    assert [token["kind"] for token in found["tokens"]] == ["recovery"]
    games = {f"/games/{game['id']}": game for game in found["games"]}
    assert set(games) == {done, begun}
    for table, game in games.items():
        stored = rows(world, "SELECT move FROM moves WHERE game_id = ? ORDER BY seq", table.rpartition("/")[2])
        assert [(move["move"],) for move in game["moves"]] == stored
        assert all(move["made_at"] for move in game["moves"])
        assert [seat["player_id"] for seat in game["seats"]] == [player]
    text = json.dumps(found)
    assert "Bertta" not in text
    assert player_of(other) not in text


def test_the_file_holds_no_key_that_tells_dice_to_come(world: World) -> None:
    visitor = world.visitor()
    done, begun = finished(visitor), game_with(visitor)
    day = daily(visitor)
    keys = {f"/games/{game['id']}": game["key"] for game in data_of(visitor)["games"]}
    assert keys == {done: world.keys[0].hex(), begun: None, day: None}
    ((secret,),) = rows(world, "SELECT key FROM games WHERE id = ?", day.rpartition("/")[2])
    assert secret.hex() not in visitor.get("/settings/data").text
    world.clock.forward(days=1, hours=-3)
    assert {f"/games/{game['id']}": game["key"] for game in data_of(visitor)["games"]}[day] is None
    world.clock.forward(hours=2)
    assert {f"/games/{game['id']}": game["key"] for game in data_of(visitor)["games"]}[day] == secret.hex()


def test_every_column_of_a_player_is_in_the_file(world: World) -> None:
    visitor, desk = world.visitor(), world.visitor()
    daily(visitor)
    game_with(desk)
    code_of(visitor)
    desk.post(link_of(visitor), data=SURE)
    found = data_of(visitor)
    assert set(found["player"]) == {column.name for column in metadata.tables["players"].columns}
    assert set(found["tokens"][0]) == {column.name for column in metadata.tables["tokens"].columns}
    assert set(found["daily_attempts"][0]) == {column.name for column in metadata.tables["entries"].columns}
    assert len(found["earlier_ids"]) == 1
    # How a log and options are packed is the database's business; what is in them stands there in full.
    inside = {"packed_log", "option_set", "tallied"}
    assert {column.name for column in metadata.tables["games"].columns} - inside <= set(found["games"][0])


def test_there_is_no_file_of_somebody_who_has_no_history(world: World) -> None:
    for path in ("/settings/data", "/settings/delete"):
        answer = world.visitor().get(path)
        assert answer.status_code == 403
        assert "There is nothing of yours here yet" in text_of(answer.text)


# Deleting


def test_deleting_takes_two_steps_and_leaves_nobodys_games(world: World) -> None:
    visitor, other = world.visitor(), world.visitor()
    done, begun = finished(visitor), game_with(visitor)
    daily(visitor)
    daily(other)
    take_name(visitor, "Aino")
    visitor.post("/settings", data={"theme": "dark"})
    code, link, player = code_of(visitor), link_of(visitor), player_of(visitor)
    cookie = visitor.client.cookies["fairwind"]
    before = rows(world, "SELECT day, ruleset, player_id, total FROM entries ORDER BY player_id")

    assert visitor.get("/settings/delete").status_code == 200
    assert visitor.post("/settings/delete").status_code == 422
    assert name_of(visitor) == "Aino", "nothing has happened so far"
    gone = visitor.post("/settings/delete", data=SURE)
    assert gone.status_code == 200
    assert "Your data is deleted" in text_of(gone.text)
    assert "fairwind" not in visitor.client.cookies
    assert "Max-Age=0" in gone.headers["set-cookie"]

    # Ranks stay; a row is left that says nothing.
    assert rows(world, "SELECT day, ruleset, player_id, total FROM entries ORDER BY player_id") == before
    kept = rows(world, "SELECT name, name_skeleton, settings, deleted_at IS NULL FROM players WHERE id = ?", player)
    assert kept == [(None, None, "{}", 0)]
    assert rows(world, "SELECT count(*) FROM tokens WHERE player_id = ?", player) == [(0,)]
    assert other.get(f"/api/v1{done}").json()["seats"][0]["name"] is None
    ((abandoned,),) = rows(world, "SELECT abandoned_at IS NOT NULL FROM games WHERE id = ?", begun.rpartition("/")[2])
    assert abandoned

    # The old cookie, the link and the code are worth nothing; the name is free.
    old = world.visitor()
    old.client.cookies.set("fairwind", cookie, domain="fairwind.test", path="/")
    assert "There is no game of yours here yet" in text_of(old.get("/games").text)
    assert old.get(begun).status_code == 403
    assert old.get(f"/api/v1{begun}").status_code == 401
    assert old.get("/settings/data").status_code == 403
    assert old.get(link).status_code == 404
    assert old.post("/settings/recover", data={"code": code}).status_code == 422
    assert take_name(other, "Aino").status_code == 303
    # And whoever plays on with it is somebody new.
    again = game_with(old)
    assert player_of(old) != player
    assert old.get(again).status_code == 200


def test_deleting_ends_all_devices_and_programs_and_earlier_ids(world: World) -> None:
    phone, desk, program = world.visitor(), world.visitor(), world.visitor()
    game_with(phone)
    table = game_with(desk)
    desk_cookie = desk.client.cookies["fairwind"]
    desk.post(link_of(phone), data=SURE)
    phone.post("/settings/delete", data=SURE)
    for cookie in (desk.client.cookies["fairwind"], desk_cookie):
        old = world.visitor()
        old.client.cookies.set("fairwind", cookie, domain="fairwind.test", path="/")
        assert old.get(table).status_code == 403
    assert rows(world, "SELECT count(*) FROM aliases") == [(0,)]
    program.identify("Robot")
    program.new_game()
    ((player,),) = rows(world, "SELECT id FROM players WHERE name = 'Robot'")
    page = world.visitor()
    page.client.cookies.set("fairwind", world.app.state.service.signer.sign(player).decode())
    page.post("/settings/delete", data=SURE)
    assert program.get(f"/api/v1{table}").status_code == 401


def test_no_game_that_is_begun_beside_a_deletion_stays_open_of_the_deleted_player(any_world: World) -> None:
    visitor = any_world.visitor()
    game_with(visitor)
    player = player_of(visitor)
    opening = ("POST", "/games", {"data": {"ruleset": "classic"}})
    answers = visitor.at_once([*[opening] * 3, ("POST", "/settings/delete", {"data": SURE}), *[opening] * 3])
    assert sorted(answer.status_code for answer in answers) == [200, *[303] * 6]
    with any_world.app.state.service.people.store.reading() as tx:
        assert tx.games_of(player, Status.PLAYING) == []


# What is stored


def test_the_page_about_what_is_stored_names_every_table_and_column(world: World) -> None:
    listed = {one.table: [name for kept in one.kept for name in kept.columns.split(",")] for one in (*YOURS, *OTHERS)}
    assert {table: sorted(columns) for table, columns in listed.items()} == {
        name: sorted(column.name for column in table.columns) for name, table in metadata.tables.items()
    }
    page = world.visitor().get("/privacy").text
    shown = " ".join(re.findall(r"<code>([^<]*)</code>", page)).split()
    assert sorted(shown) == sorted(name for table, columns in listed.items() for name in (table, *columns))


def test_what_belongs_to_a_player_is_told_apart_from_what_belongs_to_nobody() -> None:
    personal = {
        name
        for name, table in metadata.tables.items()
        if name == "players" or any(key.column.table.name in {"players", "games"} for key in table.foreign_keys)
    }
    assert {one.table for one in YOURS} - {"games"} == personal


def test_every_page_leads_to_what_is_stored_and_to_the_settings(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    for path in ("/", "/new", "/rules", "/games", "/stats", "/settings", table, "/nowhere", "/daily"):
        page = visitor.get(path).text
        assert 'href="/privacy"' in page, path
        assert 'href="/settings"' in page, path


def test_one_cookie_is_set_and_by_nothing_but_a_first_game_or_setting(world: World) -> None:
    visitor = world.visitor()
    for path in ("/", "/rules", "/settings", "/privacy", "/daily", "/stats"):
        assert "set-cookie" not in visitor.get(path).headers
    answer = visitor.post("/settings", data={"theme": "dark"})
    assert answer.headers.get_list("set-cookie") == [answer.headers["set-cookie"]]
    assert answer.headers["set-cookie"].startswith("fairwind=")
    assert "400 days" in text_of(visitor.get("/privacy").text)
    assert f"Max-Age={400 * 24 * 3600}" in answer.headers["set-cookie"]
