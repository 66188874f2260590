"""Two requests at once: one log, one order, no lost and no doubled entry. On both databases."""

from __future__ import annotations

from typing import Any

from app.game.rulesets import ruleset
from tests.support.web import Visitor, World


def at_table(world: World, *, rolls: int) -> tuple[Visitor, dict[str, Any]]:
    """Sit down as a player of the API and roll so many times."""
    visitor = world.visitor()
    visitor.identify()
    game = visitor.new_game()
    for _ in range(rolls):
        game = visitor.play(game, action="roll", keep=[])
    return visitor, game


def moves_path(game: dict[str, Any]) -> str:
    """Give the address that moves of the game are sent to."""
    return f"/api/v1/games/{game['id']}/moves"


def test_of_thirteen_boxes_scored_at_once_one_is_filled(any_world: World) -> None:
    visitor, game = at_table(any_world, rolls=1)
    boxes = list(ruleset("classic").index)
    answers = visitor.at_once(
        [("POST", moves_path(game), {"json": {"version": 1, "action": "score", "box": box}}) for box in boxes]
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 12
    after = visitor.get(f"/api/v1/games/{game['id']}").json()
    filled = [box for box, points in after["seats"][0]["card"].items() if points is not None]
    winner = next(box for box, answer in zip(boxes, answers, strict=True) if answer.status_code == 200)
    assert filled == [winner]
    assert after["version"] == 2


def test_twenty_equal_scores_at_once_are_one(any_world: World) -> None:
    visitor, game = at_table(any_world, rolls=1)
    request = ("POST", moves_path(game), {"json": {"version": 1, "action": "score", "box": "chance"}})
    answers = visitor.at_once([request] * 20)
    assert [answer.status_code for answer in answers] == [200] * 20
    assert len({answer.text for answer in answers}) == 1
    assert answers[0].json()["version"] == 2


def test_the_same_roll_sent_twice_uses_one_roll_and_shows_the_same_dice(any_world: World) -> None:
    visitor, game = at_table(any_world, rolls=0)
    request = ("POST", moves_path(game), {"json": {"version": 0, "action": "roll", "keep": []}})
    first, second = visitor.at_once([request] * 2)
    assert first.status_code == second.status_code == 200
    assert first.json() == second.json()
    assert first.json()["rolls_left"] == 2


def test_rolls_with_other_keeps_at_once_are_one_roll_and_told_so(any_world: World) -> None:
    visitor, game = at_table(any_world, rolls=1)
    answers = visitor.at_once(
        [("POST", moves_path(game), {"json": {"version": 1, "action": "roll", "keep": [place]}}) for place in range(5)]
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 4
    dice = next(answer.json()["dice"] for answer in answers if answer.status_code == 200)
    assert all(
        answer.json()["error"]["details"]["game"]["dice"] == dice for answer in answers if answer.status_code == 409
    )


def test_forms_race_like_the_api(any_world: World) -> None:
    visitor = any_world.visitor()
    table = visitor.open_table()
    visitor.post(f"{table}/roll", data={"version": "0"})
    boxes = list(ruleset("classic").index)
    answers = visitor.at_once(
        [("POST", f"{table}/score", {"data": {"version": "1", "box": box, "confirm": "1"}}) for box in boxes]
    )
    assert sorted(answer.status_code for answer in answers) == [303] + [409] * 12


def test_two_hundred_games_at_once_have_dice_of_their_own(world: World) -> None:
    visitor = world.visitor()
    visitor.identify()
    made = visitor.at_once([("POST", "/api/v1/games", {"json": {"ruleset": "classic"}})] * 200)
    games = [answer.json()["id"] for answer in made]
    for version in range(3):
        rolled = visitor.at_once(
            [
                ("POST", f"/api/v1/games/{game}/moves", {"json": {"version": version, "action": "roll", "keep": []}})
                for game in games
            ]
        )
        assert {answer.status_code for answer in rolled} == {200}
    logs = visitor.at_once([("GET", f"/api/v1/games/{game}/log", {}) for game in games])
    assert len({str([entry["dice"] for entry in log.json()["moves"]]) for log in logs}) == 200


def test_a_first_game_made_twice_at_once_leaves_two_whole_games(any_world: World) -> None:
    visitor = any_world.visitor()
    answers = visitor.at_once([("POST", "/games", {"data": {"ruleset": "classic"}})] * 2)
    assert [answer.status_code for answer in answers] == [303, 303]
    assert len({answer.headers["location"] for answer in answers}) == 2
