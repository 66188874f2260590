"""The JSON API: what it answers, what it refuses, and that a refusal changes nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.game.dice import Stream
from tests.support.keys import keep_for, key_with_fives
from tests.support.web import Visitor, World

GAME_KEYS = {
    "id", "kind", "ruleset", "options", "addressing", "commitment", "version", "status", "to_play", "turn", "roll",
    "rolls_left", "pool", "dice", "kept", "locked", "legal", "closed", "seats", "assisted", "day", "outcome",
}  # fmt: skip


@pytest.fixture
def player(world: World) -> Visitor:
    """A program with a token."""
    visitor = world.visitor()
    visitor.identify()
    return visitor


def roll_five(player: Visitor, game: dict[str, Any], face: int) -> dict[str, Any]:
    """Roll for five of a face, as `key_with_fives` makes it come."""
    keep: list[int] = []
    while len(keep) < 5:
        game = player.play(game, action="roll", keep=keep)
        keep = keep_for(face)(game["dice"])
    return game


def test_a_new_game_says_all_that_a_client_needs_and_nothing_of_the_dice_to_come(player: Visitor, world: World) -> None:
    game = player.new_game()
    assert set(game) == GAME_KEYS
    assert (game["kind"], game["ruleset"], game["addressing"], game["version"], game["status"]) == (
        "solo", "classic", "by_turn", 0, "playing",
    )  # fmt: skip
    assert (game["to_play"], game["turn"], game["roll"], game["rolls_left"], game["dice"], game["kept"]) == (
        0,
        1,
        0,
        3,
        None,
        [],
    )
    assert game["legal"] == {"roll": True, "undo": False, "boxes": {}}
    assert set(game["closed"].values()) == {"roll_first"}
    assert len(game["closed"]) == 13
    assert game["commitment"] == hashlib.sha256(world.keys[-1]).hexdigest()
    assert game["pool"] is None
    assert game["outcome"] is None
    assert game["seats"] == [
        {
            "seat": 0, "name": None, "computer": None, "card": dict.fromkeys(game["closed"]),
            "upper": 0, "upper_bonus": 0, "extra_bonus": 0, "total": 0,
        }
    ]  # fmt: skip


def test_rolling_gives_the_faces_that_the_key_says_to_the_dice_that_are_rolled(player: Visitor, world: World) -> None:
    game = player.play(player.new_game(), action="roll", keep=[])
    stream = Stream(world.keys[-1])
    assert tuple(game["dice"]) == stream.faces(5, 0, 1, 1, 0)
    again = player.play(game, action="roll", keep=[1, 3])
    fresh = stream.faces(5, 0, 1, 2, 1)
    first = game["dice"]
    assert again["dice"] == [fresh[0], first[1], fresh[1], first[3], fresh[2]]
    assert (again["kept"], again["roll"], again["rolls_left"], again["version"]) == ([1, 3], 2, 1, 2)


def test_scoring_writes_what_the_preview_showed_and_ends_the_turn(player: Visitor) -> None:
    game = player.play(player.new_game(), action="roll", keep=[])
    shown = game["legal"]["boxes"]["chance"]
    after = player.play(game, action="score", box="chance")
    assert after["seats"][0]["card"]["chance"] == shown == sum(game["dice"])
    assert (after["turn"], after["roll"], after["rolls_left"], after["dice"], after["kept"]) == (2, 0, 3, None, [])
    assert after["closed"]["chance"] == "filled"
    assert after["closed"]["ones"] == "roll_first"


def test_a_whole_game_ends_with_an_outcome_and_the_key(player: Visitor, world: World) -> None:
    game = player.play_out(player.new_game())
    assert (game["status"], game["to_play"], game["outcome"]) == ("finished", None, {"winners": [0], "draw": False})
    assert game["legal"] == {"roll": False, "undo": False, "boxes": {}}
    seat = game["seats"][0]
    assert seat["total"] == sum(seat["card"].values()) + seat["upper_bonus"] + seat["extra_bonus"]
    log = player.get(f"/api/v1/games/{game['id']}/log").json()
    assert bytes.fromhex(log["key"]) == world.keys[-1]
    assert hashlib.sha256(bytes.fromhex(log["key"])).hexdigest() == log["commitment"]
    assert len(log["moves"]) == game["version"] == 26
    stream = Stream(world.keys[-1])
    rolled = [
        (entry["turn"], entry["roll"], tuple(entry["dice"])) for entry in log["moves"] if entry["move"].startswith("r")
    ]
    assert rolled == [(turn, 1, stream.faces(5, 0, turn, 1, 0)) for turn in range(1, 14)]


def test_the_key_stays_secret_until_the_end(player: Visitor, world: World) -> None:
    game = player.play(player.new_game(), action="roll", keep=[])
    log = player.get(f"/api/v1/games/{game['id']}/log")
    assert log.json()["key"] is None
    assert world.keys[-1].hex() not in log.text


def test_a_second_five_must_go_to_its_upper_box_and_another_one_to_the_lower_boxes(
    player: Visitor, world: World
) -> None:
    world.keys_to_come.append(key_with_fives((6, 6)))
    game = roll_five(player, player.new_game(), 6)
    game = roll_five(player, player.play(game, action="score", box="five_of_a_kind"), 6)
    assert game["legal"]["boxes"] == {"sixes": 30}
    assert game["closed"]["chance"] == "joker_upper"
    refused = player.move(game, action="score", box="chance")
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "joker_upper")
    assert player.get(f"/api/v1/games/{game['id']}").json() == game
    after = player.play(game, action="score", box="sixes")
    assert (after["seats"][0]["total"], after["seats"][0]["extra_bonus"]) == (180, 100)


def test_without_the_points_of_the_first_five_a_joker_brings_no_bonus(player: Visitor, world: World) -> None:
    world.keys_to_come.append(key_with_fives((0, 6, 6)))
    game = player.play(player.new_game(), action="roll", keep=[])
    game = player.play(game, action="score", box="five_of_a_kind")
    assert game["seats"][0]["card"]["five_of_a_kind"] == 0
    game = player.play(roll_five(player, game, 6), action="score", box="sixes")
    game = roll_five(player, game, 6)
    assert game["closed"]["ones"] == "joker_lower"
    assert game["legal"]["boxes"] == {
        "three_of_a_kind": 30, "four_of_a_kind": 30, "full_house": 25, "small_straight": 30, "large_straight": 40, "chance": 30,
    }  # fmt: skip
    assert player.play(game, action="score", box="full_house")["seats"][0]["extra_bonus"] == 0


def test_the_same_move_twice_happens_once(player: Visitor) -> None:
    game = player.new_game()
    rolled = player.play(game, action="roll", keep=[])
    assert player.play(game, action="roll", keep=[]) == rolled
    kept = player.play(rolled, action="roll", keep=[4, 0])
    assert player.play(rolled, action="roll", keep=[0, 4]) == kept


def test_another_move_at_an_old_version_gets_the_present_game(player: Visitor) -> None:
    game = player.new_game()
    rolled = player.play(game, action="roll", keep=[])
    stale = player.move(game, action="score", box="ones")
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "stale")
    assert stale.json()["error"]["details"]["game"] == rolled


def test_a_version_that_is_not_reached_yet_is_refused(player: Visitor) -> None:
    game = player.new_game()
    ahead = player.post(f"/api/v1/games/{game['id']}/moves", json={"version": 1, "action": "roll", "keep": []})
    assert (ahead.status_code, ahead.json()["error"]["details"]["game"]) == (409, game)


def test_an_entry_can_be_taken_back_once_for_the_same_dice_and_marks_the_game(player: Visitor) -> None:
    game = player.play(player.new_game(corrections=True), action="roll", keep=[])
    dice = game["dice"]
    scored = player.play(game, action="score", box="chance")
    assert scored["legal"]["undo"]
    back = player.play(scored, action="undo")
    assert (back["dice"], back["rolls_left"], back["legal"]["roll"], back["assisted"], back["version"]) == (
        dice,
        0,
        False,
        True,
        3,
    )
    refused = player.move(back, action="roll", keep=[])
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "no_rolls_left")
    again = player.play(back, action="score", box="ones")
    twice = player.move(again, action="undo")
    assert (twice.status_code, twice.json()["error"]["code"]) == (422, "nothing_to_undo")


def test_the_last_entry_and_games_without_corrections_cannot_be_taken_back(player: Visitor) -> None:
    scored = player.play(player.play(player.new_game(), action="roll", keep=[]), action="score", box="ones")
    assert player.move(scored, action="undo").json()["error"]["code"] == "nothing_to_undo"
    finished = player.play_out(player.new_game(corrections=True))
    assert player.move(finished, action="undo").json()["error"]["code"] == "game_over"


def test_giving_up_ends_a_game_without_a_score(player: Visitor) -> None:
    game = player.play(player.new_game(), action="roll", keep=[])
    path = f"/api/v1/games/{game['id']}/abandon"
    given_up = player.post(path, json={"version": game["version"]})
    assert (given_up.status_code, given_up.json()["status"], given_up.json()["outcome"]) == (200, "abandoned", None)
    assert player.post(path, json={"version": game["version"]}).json() == given_up.json()
    assert player.move(game, action="roll", keep=[0]).json()["error"]["code"] == "game_over"
    assert (
        player.post(
            f"/api/v1/games/{player.play_out(player.new_game())['id']}/abandon", json={"version": 26}
        ).status_code
        == 422
    )


def test_somebody_elses_game_is_closed_until_it_is_finished_and_then_read_only(player: Visitor, world: World) -> None:
    other = world.visitor()
    other.identify()
    game = player.new_game()
    for path in (f"/api/v1/games/{game['id']}", f"/api/v1/games/{game['id']}/log"):
        assert other.get(path).status_code == 403
    assert other.move(game, action="roll", keep=[]).json()["error"]["code"] == "not_your_seat"
    finished = player.play_out(game)
    assert other.get(f"/api/v1/games/{game['id']}").json() == finished
    assert other.move(finished, action="roll", keep=[]).status_code == 403


def test_every_ruleset_is_listed_with_its_options_the_default_first(player: Visitor) -> None:
    listed = {found["id"]: found for found in player.get("/api/v1/rulesets").json()}
    assert len(listed) == 16
    assert listed["classic"]["options"]["joker"] == ["forced", "lower_free", "strict_1956", "free_choice", "none"]
    assert listed["classic_free"]["options"]["joker"][0] == "lower_free"
    assert (listed["maxi_yatzy"]["dice"], listed["crag"]["dice"], listed["crag"]["rolls"]) == (6, 3, 2)
    assert len(listed["yatzy"]["boxes"]) == 15


def test_options_are_part_of_the_game(player: Visitor) -> None:
    game = player.new_game("yatzy", options={"extra_yatzy": "none", "forced_order": True})
    assert (game["options"]["extra_yatzy"], game["options"]["forced_order"], game["options"]["tie_break"]) == (
        "none",
        True,
        "draw",
    )
    rolled = player.play(game, action="roll", keep=[])
    assert list(rolled["legal"]["boxes"]) == ["ones"]
    assert rolled["closed"]["twos"] == "forced_order"


@pytest.mark.parametrize(
    ("body", "code", "named"),
    [
        ({"ruleset": "bridge"}, "unknown_ruleset", "classic"),
        ({"ruleset": "classic", "options": {"jokers": "none"}}, "unknown_option", "joker"),
        ({"ruleset": "classic", "options": {"joker": "always"}}, "bad_option", "lower_free"),
        ({"ruleset": "classic", "options": {"locked_dice": 1}}, "bad_option", "true"),
        ({"ruleset": "classic", "options": {"small_straight_score": "30"}}, "bad_option", "30"),
        (
            {"ruleset": "yatzy", "options": {"joker_upper": "wild", "extra_yatzy": "none"}},
            "contradicting_options",
            "bonus100_joker",
        ),
    ],
)
def test_rules_that_do_not_exist_are_refused_with_what_is_allowed(
    player: Visitor, body: dict[str, Any], code: str, named: str
) -> None:
    refused = player.post("/api/v1/games", json={"kind": "solo", **body})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, code)
    assert named in refused.json()["error"]["message"]


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({}, "bad_request"),
        ({"action": "roll", "keep": []}, "bad_request"),
        ({"version": 1, "action": "jump"}, "bad_request"),
        ({"version": "1", "action": "roll", "keep": []}, "bad_request"),
        ({"version": True, "action": "roll", "keep": []}, "bad_request"),
        ({"version": -1, "action": "roll", "keep": []}, "bad_request"),
        ({"version": 1, "action": "roll", "keep": [], "dice": [6, 6, 6, 6, 6]}, "bad_request"),
        ({"version": 1, "action": "roll", "keep": ["0"]}, "bad_request"),
        ({"version": 1, "action": "roll", "keep": [0.5]}, "bad_request"),
        ({"version": 1, "action": "roll", "keep": None, "box": "ones"}, "bad_request"),
        ({"version": 1, "action": "roll", "keep": [5]}, "bad_keep"),
        ({"version": 1, "action": "roll", "keep": [-1]}, "bad_keep"),
        ({"version": 1, "action": "roll", "keep": [1, 1]}, "bad_keep"),
        ({"version": 1, "action": "roll", "keep": [0, 1, 2, 3, 4]}, "nothing_to_roll"),
        ({"version": 1, "action": "score"}, "bad_request"),
        ({"version": 1, "action": "score", "box": "sevens"}, "unknown_box"),
        ({"version": 1, "action": "score", "box": 3}, "bad_request"),
        ({"version": 1, "action": "score", "box": "ones", "keep": []}, "bad_request"),
        ({"version": 1, "action": "undo"}, "nothing_to_undo"),
        ([], "bad_request"),
        ("roll", "bad_request"),
        (None, "bad_request"),  # no body at all
    ],
)
def test_a_move_that_means_nothing_or_is_not_allowed_changes_nothing(player: Visitor, move: object, code: str) -> None:
    game = player.play(player.new_game(), action="roll", keep=[])
    refused = player.post(f"/api/v1/games/{game['id']}/moves", json=move)
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, code)
    assert refused.json()["error"]["message"]
    assert player.get(f"/api/v1/games/{game['id']}").json() == game


def test_a_fourth_roll_and_a_box_twice_are_refused(player: Visitor) -> None:
    game = player.new_game()
    assert player.move(game, action="score", box="ones").json()["error"]["code"] == "roll_first"
    for _ in range(3):
        game = player.play(game, action="roll", keep=[])
    assert player.move(game, action="roll", keep=[]).json()["error"]["code"] == "no_rolls_left"
    game = player.play(player.play(game, action="score", box="ones"), action="roll", keep=[])
    assert player.move(game, action="score", box="ones").json()["error"]["code"] == "filled"


def test_the_api_asks_who_is_there(world: World) -> None:
    stranger = world.visitor()
    for method, path in (("GET", "/api/v1/games/x"), ("GET", "/api/v1/games/x/log"), ("POST", "/api/v1/games")):
        answer = stranger.send(method, path, **({"json": {"ruleset": "classic"}} if method == "POST" else {}))
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "no_identity")
    for wrong in ("Bearer nonsense", "Bearer ", "Basic abc", "x"):
        answer = stranger.get("/api/v1/games/x", headers={"Authorization": wrong})
        assert answer.status_code == 401


def test_the_pages_cookie_is_an_identity_too(world: World) -> None:
    visitor = world.visitor()
    game_id = visitor.open_table().rpartition("/")[2]
    assert visitor.get(f"/api/v1/games/{game_id}").json()["version"] == 0


@pytest.mark.parametrize(
    "name", ["x", "x" * 21, "a\u202eb", "<b>bold</b>", " ab", "a  b", "zero\u200bwidth", "", 7, "\u0000ab"]
)
def test_a_name_that_cannot_be_shown_is_refused(world: World, name: object) -> None:
    answer = world.visitor().post("/api/v1/players", json={"name": name})
    assert (answer.status_code, answer.json()["error"]["code"]) in {(422, "bad_name"), (422, "bad_request")}


def test_a_name_is_shown_at_the_seat(world: World) -> None:
    visitor = world.visitor()
    visitor.identify("Aino 3")
    game = visitor.new_game()
    assert visitor.get(f"/api/v1/games/{game['id']}").json()["seats"][0]["name"] == "Aino 3"


def test_what_is_not_json_is_refused_by_kind(player: Visitor) -> None:
    path = "/api/v1/games"
    malformed = player.post(path, content=b'{"ruleset": ', headers={"Content-Type": "application/json"})
    assert (malformed.status_code, malformed.json()["error"]["code"]) == (400, "malformed_json")
    form = player.post(path, data={"ruleset": "classic"})
    assert (form.status_code, form.json()["error"]["code"]) == (415, "not_json")
    large = player.post(
        path, content=json.dumps({"ruleset": "x" * 20_000}), headers={"Content-Type": "application/json"}
    )
    assert (large.status_code, large.json()["error"]["code"]) == (413, "too_large")
    deep = player.post(path, content=b"[" * 8_000 + b"]" * 8_000, headers={"Content-Type": "application/json"})
    assert deep.status_code in {400, 422}
    not_text = player.post(path, content=b'{"ruleset": "\xff\xfe"}', headers={"Content-Type": "application/json"})
    assert not_text.status_code == 400


def test_a_body_without_an_announced_length_is_counted(player: Visitor) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(5):
            yield b" " * 5_000

    answer = player.post("/api/v1/games", content=chunks(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


def test_unknown_games_addresses_and_methods_are_told_apart(player: Visitor) -> None:
    assert player.get("/api/v1/games/nowhere").json()["error"]["code"] == "unknown_game"
    missing = player.get("/api/v1/nothing")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    wrong = player.send("DELETE", "/api/v1/games/x")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (405, "method_not_allowed")
    assert wrong.headers["allow"]


def test_the_document_of_the_api_names_every_call_and_loads_nothing_from_elsewhere(world: World) -> None:
    visitor = world.visitor()
    document = visitor.get("/api/v1/openapi.json").json()
    assert {path.removeprefix("/api/v1") for path in document["paths"]} == {
        "/players", "/rulesets", "/games", "/games/{game_id}",
        "/games/{game_id}/moves", "/games/{game_id}/abandon", "/games/{game_id}/log", "/games/{game_id}/hint",
        "/games/{game_id}/review", "/daily", "/daily/{date}",
    }  # fmt: skip
    page = visitor.get("/api/docs")
    assert page.status_code == 200
    assert "/api/v1/games/{game_id}/moves" in page.text
