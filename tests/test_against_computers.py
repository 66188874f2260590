"""Games against computers: their turns, the shared dice, who begins, and what a computer player gets to see."""

from __future__ import annotations

from typing import Any

import pytest

from app.game.dice import Stream
from tests.support.computers import Beginner, seat_computers
from tests.support.web import Visitor, World


@pytest.fixture
def beginner(world: World) -> Beginner:
    """Put the beginner into the computers' chairs."""
    player = Beginner()
    seat_computers(world.app, player)
    return player


@pytest.fixture
def person(world: World, beginner: Beginner) -> Visitor:
    """A program that plays against it."""
    del beginner
    visitor = world.visitor()
    visitor.identify("Aino")
    return visitor


def against(person: Visitor, *levels: str, **more: Any) -> dict[str, Any]:
    """Begin a game against computers."""
    return person.new_game(kind="computer", levels=list(levels), **more)


def one_turn(person: Visitor, game: dict[str, Any]) -> dict[str, Any]:
    """Roll once and take the first box."""
    game = person.play(game, action="roll", keep=[])
    return person.play(game, action="score", box=next(iter(game["legal"]["boxes"])))


def test_the_computers_turn_comes_with_the_answer_to_ones_own_score(person: Visitor) -> None:
    game = against(person, "novice", "perfect")
    assert [(seat["name"], seat["computer"]) for seat in game["seats"]] == [
        ("Aino", None),
        (None, "novice"),
        (None, "perfect"),
    ]
    after = one_turn(person, game)
    # Two entries of the person, three of each computer.
    assert (after["version"], after["to_play"], after["turn"], after["dice"]) == (8, 0, 2, None)
    assert [sum(points is not None for points in seat["card"].values()) for seat in after["seats"]] == [1, 1, 1]
    log = person.get(f"/api/v1/games/{game['id']}/log").json()["moves"]
    assert [(entry["seat"], entry["move"][0]) for entry in log] == [
        (0, "r"), (0, "s"), (1, "r"), (1, "r"), (1, "s"), (2, "r"), (2, "r"), (2, "s"),
    ]  # fmt: skip


def test_a_score_sent_twice_lets_the_computer_play_once(person: Visitor) -> None:
    game = person.play(against(person, "novice"), action="roll", keep=[])
    box = next(iter(game["legal"]["boxes"]))
    first = person.play(game, action="score", box=box)
    assert person.play(game, action="score", box=box) == first


def test_a_whole_game_has_a_winner_or_a_draw_by_the_totals(person: Visitor) -> None:
    game = against(person, "novice")
    while game["status"] == "playing":
        game = one_turn(person, game)
    totals = [seat["total"] for seat in game["seats"]]
    winners = [seat for seat, total in enumerate(totals) if total == max(totals)]
    assert game["outcome"] == {"winners": winners, "draw": len(winners) > 1}


def test_with_the_same_dice_every_seat_rolls_what_the_first_one_rolled(person: Visitor, world: World) -> None:
    game = one_turn(person, against(person, "novice", "novice", same_dice=True))
    log = person.get(f"/api/v1/games/{game['id']}/log").json()["moves"]
    stream = Stream(world.keys[-1])
    firsts = [entry["dice"] for entry in log if entry["move"] == "r" and entry["roll"] == 1]
    assert firsts == [list(stream.faces(5, 0, 1, 1, 0))] * 3


def test_without_the_same_dice_every_seat_has_dice_of_its_own(person: Visitor, world: World) -> None:
    game = one_turn(person, against(person, "novice"))
    log = person.get(f"/api/v1/games/{game['id']}/log").json()["moves"]
    stream = Stream(world.keys[-1])
    assert log[0]["dice"] == list(stream.faces(5, 0, 1, 1, 0))
    assert log[2]["dice"] == list(stream.faces(5, 1, 1, 1, 0))


def test_one_die_each_decides_who_begins(person: Visitor, world: World) -> None:
    begun = set()
    for _ in range(12):
        game = against(person, "novice", start="single_die")
        stream = Stream(world.keys[-1])
        throws = next(
            pair
            for roll in range(1, 99)
            if (pair := [stream.faces(1, seat, 0, roll, roll)[0] for seat in (0, 1)])[0] != pair[1]
        )
        first = throws.index(max(throws))
        assert game["version"] == (0 if first == 0 else 3)
        assert game["to_play"] == 0
        begun.add(first)
    assert begun == {0, 1}


def test_a_computer_player_sees_no_key_and_no_dice_to_come(person: Visitor, world: World, beginner: Beginner) -> None:
    one_turn(person, against(person, "novice"))
    key = world.keys[-1]
    stream = Stream(key)
    assert len(beginner.seen) == 3
    for state in beginner.seen:
        shown = repr(state)
        assert key.hex() not in shown
        assert repr(key) not in shown
        # What it gets is what a page shows: the cards, the dice on the table, whose turn it is.
        assert set(type(state).__slots__) == {
            "ruleset", "seats", "shared_dice", "corrections", "to_play", "roll", "dice", "kept", "locked", "winner", "before",
            "corrected", "assisted",
        }  # fmt: skip
        if state.roll == 0:
            assert state.dice is None
        else:
            assert state.dice == stream.faces(5, 1, 1, state.roll, 0)


def test_while_a_table_is_being_made_no_game_begins_and_the_answer_says_how_long(
    person: Visitor, beginner: Beginner, world: World
) -> None:
    running = against(person, "novice")
    beginner.wait = 7
    refused = person.post("/api/v1/games", json={"kind": "computer", "ruleset": "classic", "levels": ["novice"]})
    assert (refused.status_code, refused.json()["error"]["code"], refused.headers["retry-after"]) == (
        503,
        "not_ready",
        "7",
    )
    page = world.visitor().post("/games", data={"kind": "computer", "ruleset": "classic", "level": "novice"})
    assert (page.status_code, page.headers["retry-after"]) == (503, "7")
    # A running game always has its player.
    assert one_turn(person, running)["turn"] == 2


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"kind": "computer", "levels": []}, "bad_plan"),
        ({"kind": "computer", "levels": ["novice"] * 4}, "bad_request"),
        ({"kind": "computer", "levels": ["champion"]}, "unknown_level"),
        ({"kind": "computer", "levels": ["novice"], "corrections": True}, "bad_plan"),
        ({"kind": "computer", "levels": ["novice"], "same_dice": True, "start": "single_die"}, "bad_plan"),
        ({"kind": "computer", "levels": ["novice"], "start": "me"}, "bad_request"),
        ({"kind": "computer", "levels": "novice"}, "bad_request"),
        ({"kind": "solo", "levels": ["novice"]}, "bad_plan"),
        ({"kind": "solo", "same_dice": True}, "bad_plan"),
    ],
)
def test_a_game_that_cannot_be_is_refused(person: Visitor, asked: dict[str, Any], code: str) -> None:
    refused = person.post("/api/v1/games", json={"ruleset": "classic", **asked})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, code)


def test_the_form_takes_a_level_for_each_computer(world: World, beginner: Beginner) -> None:
    del beginner
    visitor = world.visitor()
    made = visitor.post(
        "/games", data={"kind": "computer", "ruleset": "yatzy", "level": ["novice", "perfect"], "same_dice": "1"}
    )
    assert made.status_code == 303
    game = visitor.get(f"/api/v1{made.headers['location']}").json()
    assert [seat["computer"] for seat in game["seats"]] == [None, "novice", "perfect"]
    assert visitor.get(made.headers["location"]).status_code == 200


def test_a_served_five_of_a_kind_wins_generala_at_once(person: Visitor, world: World) -> None:
    key = next(
        key
        for number in range(10**5)
        for key in [number.to_bytes(32, "big")]
        if len(set(Stream(key).faces(5, 0, 1, 1, 0))) == 1
    )
    world.keys_to_come.append(key)
    game = against(person, "novice", ruleset="generala")
    game = person.play(game, action="roll", keep=[])
    assert (game["status"], game["outcome"]) == ("finished", {"winners": [0], "draw": False})
