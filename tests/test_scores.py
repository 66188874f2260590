"""What dice are worth: every example of the rules sheet, and every roll there is against a second scorer."""

from __future__ import annotations

import random
from itertools import permutations, product
from typing import Any

import pytest

from app.game.card import Card, card_from
from app.game.dice import multisets
from app.game.rules import Ruleset
from app.game.rulesets import ruleset, variant
from app.game.scores import Contains, Groups, Score, Served, Total, Wild
from tests.support.sheet import SHEETS
from tests.support.table import defaults, dice, every_value, named, rows

TABLES = rows("sheet/tables.json")
PROSE = rows("sheet/prose.json")

# Options of the turn, of what a further five of a kind brings, and of the end: no box scores differently for them.
NOT_OF_THE_BOXES = {
    "locked_dice", "forced_order", "joker", "extra_five", "extra_yatzy", "joker_upper", "joker_after_zero", "tie_break",
    "upper_bonus", "maxi_bonus", "saved_rolls", "extra_kniffel", "served_wins", "rolls", "kismet_penalty",
}  # fmt: skip


def chosen(row: dict[str, Any]) -> Ruleset:
    return ruleset(row["ruleset"], row.get("options", {}))


def rolls_of(row: dict[str, Any], rules: Ruleset) -> list[int]:
    return [row["roll"]] if "roll" in row else list(range(1, rules.rolls + 1))


def example(row: dict[str, Any]) -> str:
    card = "".join(f",{box}={points}" for box, points in row.get("card", {}).items())
    roll = f"@{row['roll']}" if "roll" in row else ""
    return (
        f"{row['section']}-{named(chosen(row))}{card}-{''.join(map(str, row['dice']))}{roll}-{row.get('box', 'legal')}"
    )


def distinct(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({example(row): row for row in found}.values())


def test_the_fixtures_hold_all_worked_examples_of_the_sheet() -> None:
    assert len(TABLES) == 382
    assert len(TABLES) + len(PROSE) >= 500
    sections = {row["section"] for row in TABLES + PROSE + rows("sheet/bonus.json")}
    assert sections == {str(number) for number in (*range(1, 12), 13, 14, 16, 19)}


@pytest.mark.parametrize("row", distinct(TABLES + [row for row in PROSE if "box" in row]), ids=example)
def test_an_example_of_the_sheet_scores_what_the_sheet_says(row: dict[str, Any]) -> None:
    rules = chosen(row)
    card = card_from(rules, row.get("card", {}))
    for roll in rolls_of(row, rules):
        preview = card.previews(tuple(row["dice"]), roll)[row["box"]]
        assert (preview.points, preview.reason) == (row["points"], None)
        assert card.extra_for(tuple(row["dice"]), roll) == row.get("extra", 0)


@pytest.mark.parametrize("row", distinct([row for row in PROSE if "legal" in row]), ids=example)
def test_a_situation_of_the_sheet_allows_what_the_sheet_says(row: dict[str, Any]) -> None:
    rules = chosen(row)
    card = card_from(rules, row["card"])
    for roll in rolls_of(row, rules):
        previews = card.previews(tuple(row["dice"]), roll)
        assert {box: found.points for box, found in previews.items() if found.reason is None} == row["legal"]
        assert {box: found.reason for box, found in previews.items() if found.reason} == row.get("closed", {})
        assert card.extra_for(tuple(row["dice"]), roll) == row["extra"]


def scoring_rulesets() -> list[Ruleset]:
    return [
        rules
        for rules in every_value()
        if all(
            rules.options[name] == value
            for name, value in variant(rules.id).choose({}).items()
            if name in NOT_OF_THE_BOXES
        )
    ]


@pytest.mark.parametrize("rules", scoring_rulesets(), ids=named)
def test_every_roll_scores_what_a_second_scorer_written_from_the_sheet_says(rules: Ruleset) -> None:
    sheet = SHEETS[rules.id](rules.options)
    assert {box.key for box in rules.boxes} == set(sheet)
    rolls = range(1, rules.rolls + 1) if any(isinstance(box.score, Served) for box in rules.boxes) else (rules.rolls,)
    for faces in multisets(rules.dice):
        for roll in rolls:
            for box in rules.boxes:
                assert box.score(faces, roll) == sheet[box.key](faces, roll), (box.key, faces, roll)


@pytest.mark.parametrize("rules", [rules for rules in every_value() if rules not in scoring_rulesets()], ids=named)
def test_an_option_of_the_turn_or_the_joker_leaves_the_boxes_as_they_are(rules: Ruleset) -> None:
    assert rules.boxes == ruleset(rules.id).boxes


def unlike_scores(number: int) -> list[Score]:
    return list({box.score: box.score for rules in defaults() if rules.dice == number for box in rules.boxes})


@pytest.mark.parametrize("number", [3, 5])
def test_no_order_of_the_dice_matters(number: int) -> None:
    scores = [score for score in unlike_scores(number) if not isinstance(score, Wild)]
    points = {faces: [score(faces, 1) for score in scores] for faces in multisets(number)}
    for faces in product(range(1, 7), repeat=number):
        assert [score(faces, 1) for score in scores] == points[tuple(sorted(faces))], faces


@pytest.mark.parametrize("number", [5, 6])
def test_orders_drawn_by_lot_do_not_matter_where_there_are_too_many_to_try(number: int) -> None:
    chance = random.Random(6)
    for score in unlike_scores(number):
        if number == 6 or isinstance(score, Wild):
            for faces in multisets(number):
                orders = [tuple(chance.sample(faces, number)) for _ in range(4)]
                assert {score(order, 1) for order in orders} == {score(faces, 1)}


@pytest.mark.parametrize("faces", ["12334", "34564", "23452", "44444", "22333"])
def test_all_orders_of_the_same_dice_bring_the_same_previews(faces: str) -> None:
    for rules in defaults():
        if rules.dice == 5:
            card = Card.empty(rules)
            previews = {str(card.previews(order, 3)) for order in permutations(dice(faces))}
            assert len(previews) == 1


def test_three_of_a_kind_adds_all_dice_in_the_american_game_and_three_in_the_scandinavian() -> None:
    for id_, points in {"classic": 21, "yatzy": 18, "yatzy_scandinavian": 18}.items():
        assert Card.empty(ruleset(id_)).previews(dice("66621"), 3)["three_of_a_kind"].points == points


def test_groups_pay_the_dice_used_and_what_is_added_where_the_colours_allow_it() -> None:
    full_of_ones_and_fours = Groups((3, 2), "used", plus=31, colors=(frozenset({1, 4}),))
    found = [full_of_ones_and_fours(dice(faces), 1) for faces in ("11144", "44411", "11114", "11111", "11155")]
    assert found == [3 + 8 + 31, 12 + 2 + 31, 0, 0, 0]


def test_a_wanted_total_pays_its_own_points_and_nothing_beside_it() -> None:
    score = Total(13, 26)
    assert [score(dice(faces), 1) for faces in ("346", "661", "356", "345")] == [26, 26, 0, 0]


def test_a_wild_die_takes_the_best_place_in_a_straight() -> None:
    score = Wild(Contains(((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)), 40))
    assert [score(dice(faces), 1) for faces in ("12346", "11456", "11156", "11116", "22345")] == [40, 40, 40, 40, 0]


def test_a_served_hand_pays_more_on_the_first_roll_only_and_only_when_it_is_made() -> None:
    score = Served(Groups((4,), 40), 5)
    assert [score(dice("44441"), roll) for roll in (1, 2, 3)] == [45, 40, 40]
    assert score(dice("44421"), 1) == 0
