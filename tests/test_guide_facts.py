"""What single how-to-play pages say: the facts that people look up, and the joker step by step."""

from __future__ import annotations

import pytest

from app.game.dice import Addressing, Dice
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from app.web import guide
from app.web.guide_examples import most
from app.web.guide_fives import Step
from tests.support.reading import (
    WORDS,
    boxes,
    named,
    page,
    part,
    told,
)


def outcomes(step: Step) -> dict[str, int]:
    return {one.box: one.points for one in step.may}


LOWER_AS_JOKER = {
    "Three of a kind": 20,
    "Four of a kind": 20,
    "Full house": 25,
    "Small straight": 30,
    "Large straight": 40,
    "Chance": 20,
}
LOWER_AS_ROLLED = LOWER_AS_JOKER | {"Full house": 0, "Small straight": 0, "Large straight": 0}


def test_the_forced_joker_is_shown_in_three_steps() -> None:
    found = part(ruleset("classic"), "fives")
    first, second, third = found.steps
    assert (outcomes(first), first.extra) == ({"Fours": 20}, 100)
    assert "Large straight" in first.closed
    assert (outcomes(second), second.extra) == (LOWER_AS_JOKER, 100)
    assert second.closed == ("Ones",)
    assert (outcomes(third), third.extra) == ({"Ones": 0}, 100)
    assert "status line says why" in told(found)


def test_while_the_box_is_open_there_is_neither_bonus_nor_joker_and_after_a_zero_no_bonus() -> None:
    still_open, after_zero = part(ruleset("classic"), "fives").edges
    assert outcomes(still_open) == {"Ones": 0, "Fours": 20, "Five of a kind": 50} | LOWER_AS_ROLLED
    assert still_open.extra == 0
    assert (outcomes(after_zero), after_zero.extra) == (LOWER_AS_JOKER, 0)


@pytest.mark.parametrize(
    ("joker", "expected"),
    [
        ("lower_free", {"Ones": 0, "Fours": 20} | LOWER_AS_JOKER),
        ("strict_1956", {"Ones": 0, "Fours": 0} | LOWER_AS_JOKER),
        ("free_choice", {"Ones": 0, "Fours": 20} | LOWER_AS_ROLLED),
    ],
)
def test_the_other_readings_of_the_joker_are_shown_as_they_are_played(joker: str, expected: dict[str, int]) -> None:
    first = part(ruleset("classic", {"joker": joker}), "fives").steps[0]
    assert (outcomes(first), first.extra) == (expected, 100)


def test_a_page_without_joker_says_so_and_keeps_the_bonus() -> None:
    (only,) = part(ruleset("classic", {"joker": "none"}), "fives").steps
    assert "There is no joker" in only.rule
    assert (outcomes(only), only.extra) == ({"Ones": 0} | LOWER_AS_ROLLED, 100)
    assert "Joker:" not in told(part(ruleset("classic", {"joker": "none"}), "fives"))


def test_the_german_extra_is_fifty_above_or_a_joker_below() -> None:
    first, second, third = part(ruleset("kniffel"), "fives").steps
    assert (outcomes(first), first.extra) == ({"Fours": 20}, 50)
    assert (outcomes(second), second.extra) == (LOWER_AS_JOKER, 0)
    assert (outcomes(third), third.extra) == ({"Ones": 0}, 0)


def test_in_fixed_order_only_what_comes_after_five_of_a_kind_is_explained() -> None:
    (only,) = part(ruleset("classic", {"forced_order": True}), "fives").steps
    assert (outcomes(only), only.extra) == ({"Chance": 20}, 100)
    found = part(ruleset("yatzy", {"forced_order": True}), "fives")
    assert (found.steps, found.edges) == ((), ())
    assert "never" in told(found)


def example_points(rules: Ruleset, box: str) -> dict[Dice, int]:
    return {example.dice: example.points for example in boxes(rules)[box].examples}


def test_the_classic_page_has_the_facts_that_people_look_for() -> None:
    classic = ruleset("classic")
    assert example_points(classic, "fours")[4, 4, 2, 4, 6] == 12
    assert example_points(classic, "three_of_a_kind")[6, 6, 6, 2, 1] == 21
    assert example_points(classic, "small_straight")[1, 2, 3, 4, 4] == 30
    assert example_points(classic, "full_house")[4, 4, 4, 4, 4] == 0
    text = page(classic).text
    assert "3 + 6 + 9 + 12 + 15 + 18" in text
    assert "4 of one face can make up for 2 of another" in text
    for fact in (
        "13 boxes",
        "up to 3 rolls",
        "an upper sum of 62",
        "200 to 300",
        "254.6",
        "1,575",
        "on purpose",
        "in grey",
    ):
        assert fact in text
    assert {"/rules/classic_plain", "/rules/classic_free", "/rules/yacht"} <= set(page(classic).links)


def test_the_usual_questions_are_answered_by_the_rules_chosen() -> None:
    def answer(rules: Ruleset, question: str) -> str:
        return next(one.answer for one in part(rules, "lower").answers if one.question == question)

    assert answer(ruleset("classic"), "Does a large straight score in Small straight too?") == "Yes: 30 points."
    assert answer(ruleset("yatzy"), "Does a large straight score in Small straight too?") == "No: 0 points."
    assert answer(ruleset("classic"), "Are five alike a full house?") == "No: 0 points."
    assert answer(ruleset("classic", {"lenient_full_house": True}), "Are five alike a full house?") == "Yes: 25 points."
    assert answer(ruleset("classic"), "Do all dice count in Three of a kind?") == "Yes: 21 points."
    assert answer(ruleset("yatzy"), "Do all dice count in Three of a kind?") == "No: 18 points."
    assert answer(ruleset("generala"), "May Straight have a gap?") == "No: 0 points."
    assert answer(ruleset("generala", {"ace_for_two": True}), "May Straight have a gap?") == "Yes: 20 points."
    assert answer(ruleset("crag"), "Does a crag score in Thirteen too?") == "Yes: 26 points."


def test_the_finnish_page_says_that_a_full_house_is_not_two_pairs_and_that_sheets_differ() -> None:
    text = told(part(ruleset("yatzy"), "lower"))
    assert "A full house is not two pairs here" in text
    assert "most Scandinavian ones do count it" in text
    assert "/rules/yatzy_scandinavian" in page(ruleset("yatzy")).links
    assert "Here a full house counts as two pairs" in told(part(ruleset("yatzy_scandinavian"), "lower"))
    assert example_points(ruleset("yatzy"), "two_pairs")[3, 3, 5, 5, 5] == 0
    assert example_points(ruleset("yatzy_scandinavian"), "two_pairs")[3, 3, 5, 5, 5] == 16


@pytest.mark.parametrize(
    ("rules", "highest"),
    [
        (ruleset("classic"), 375),
        (ruleset("yatzy"), 374),
        (ruleset("maxi_yatzy"), 649),
        (ruleset("yacht"), 297),
        (ruleset("yacht_ww"), 323),
        (ruleset("yacht_ww", {"lenient_full_house": True}), 325),
        (ruleset("crag"), 244),
    ],
    ids=named,
)
def test_the_highest_total_on_the_page_is_that_of_the_sheet(rules: Ruleset, highest: int) -> None:
    assert most(rules) == highest
    assert f"more than {highest} points" in told(part(rules, "end"))


def test_results_of_the_usual_rules_are_not_claimed_for_others() -> None:
    text = page(ruleset("classic", {"extra_five": 0})).text
    assert "254.6" not in text
    assert "1,575" not in text


@pytest.mark.parametrize(
    ("rules", "edges"),
    [
        (ruleset("classic"), ("35 points from 63", "62 brings a bonus of 0, and 63 a bonus of 35")),
        (ruleset("yatzy"), ("50 points from 63", "62 brings a bonus of 0, and 63 a bonus of 50")),
        (ruleset("maxi_yatzy"), ("100 points from 84", "It is 4 of each face: 4 + 8 + 12 + 16 + 20 + 24")),
        (ruleset("kismet"), ("35 points from 63, 55 points from 71, and 75 points from 78",)),
        (ruleset("yacht"), ("no bonus for the upper boxes",)),
    ],
    ids=named,
)
def test_the_upper_bonus_is_told_with_its_edges(rules: Ruleset, edges: tuple[str, ...]) -> None:
    for edge in edges:
        assert edge in told(part(rules, "upper"))


def test_the_daily_and_the_computer_are_explained_where_they_are_offered() -> None:
    classic = ruleset("classic")
    assert "go first" not in told(part(classic, "need"))
    assert "one attempt" not in told(part(classic, "daily"))
    view = guide.rules(classic, WORDS, dailies=("classic", "yatzy"), has_computer=True)
    offered = {found.id: found for found in view.parts}
    assert list(offered)[-1] == "daily"
    assert "here in Classic and Yatzy, Finnish. Each player has one attempt" in told(offered["daily"])
    assert "the same dice in the same order" in told(offered["daily"])
    assert "06:00 UTC" in told(offered["daily"])
    assert "go first" in told(offered["need"])


def test_the_order_of_the_dice_of_the_day_is_told_as_it_is() -> None:
    classic = ruleset("classic")
    view = guide.rules(classic, WORDS, dailies=("classic",), addressing=Addressing.CONTINUOUS)
    (daily,) = [found for found in view.parts if found.id == "daily"]
    assert "one roll after the other through the whole game" in told(daily)
    assert "shifts nothing" not in told(daily)
