"""Facts from public tests and pages that nobody here wrote: each row under its source's rules and under our defaults.

A row of a source that plays by other rules than our default names them; RULES says which ruleset and options these are.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from app.game.card import Card, card_from
from app.game.errors import Reason
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from app.game.state import Roll, Score, State, apply, legal, start
from tests.support.table import HERE, Scripted, rows

RULES: dict[str, Ruleset] = {
    "classic": ruleset("classic"),
    "classic_free_choice_joker": ruleset("classic", {"joker": "free_choice"}),
    "classic_lenient_full": ruleset("classic", {"lenient_full_house": True}),
    "kind_matching_only": ruleset("classic", {"kind_scoring": "matching"}),
    "ja_alt_scores": ruleset("classic_ja_alt"),
    "kniffel": ruleset("kniffel"),
    "yatzy": ruleset("yatzy"),
    "yatzy_scandinavian": ruleset("yatzy_scandinavian"),
    "maxi_yatzy": ruleset("maxi_yatzy"),
    "maxi_yatzy_saved_rolls": ruleset("maxi_yatzy", {"saved_rolls": True}),
    "yacht": ruleset("yacht"),
    "yacht_ww51": ruleset("yacht_ww"),
    "generala": ruleset("generala"),
    "crag": ruleset("crag"),
    "kismet": ruleset("kismet"),
}

# The default ruleset that `agrees_with_default` and `default_score` speak of.
DEFAULT_IDS = {
    "classic_free_choice_joker": "classic",
    "classic_lenient_full": "classic",
    "kind_matching_only": "classic",
    "ja_alt_scores": "classic",
    "yatzy_scandinavian": "yatzy",
    "maxi_yatzy_saved_rolls": "maxi_yatzy",
    "yacht_ww51": "yacht_ww",
}

# Rows whose note names an option that the source's rule name does not: (file, dice, box) → options.
NOTED: dict[tuple[str, str, str], dict[str, object]] = {
    # "60-point generala and no instant win in this source"
    ("generala__three_repos", "11111", "five_of_a_kind"): {"generala_value": 60, "served_wins": False},
}

# Rows that no ruleset can express, with the reason. It is empty: every row of every file is played below.
NOT_EXPRESSIBLE: dict[tuple[str, str, str], str] = {}

# How many rows each file holds, so that none is lost.
FILES = {
    "classic__akarasz_official": 111,
    "classic__articles": 13,
    "classic__dotnet_console_games": 10,
    "classic__faubes": 32,
    "classic__spacecoastweb": 6,
    "crag__readme_and_test": 7,
    "generala__three_repos": 18,
    "kismet__pages": 12,
    "kniffel__vjarai": 32,
    "maxi_yatzy__emilsundberg": 25,
    "maxi_yatzy__maxiyahtzee_com": 20,
    "maxi_yatzy__saved_rolls": 4,
    "yacht__exercism": 42,
    "yacht_ww51__mwbramble": 12,
    "yatzy__article_fi": 9,
    "yatzy__emilybache": 46,
    "yatzy__tactic_leaflet": 3,
}
ALL = [{**row, "file": file} for file in FILES for row in rows(f"vectors/{file}.json")]
SAVED = [row for row in ALL if "rolls_used" in row]
SCORES = [row for row in ALL if "rolls_used" not in row]


def place(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["file"], "".join(map(str, row["dice"])), row["category"]


def numbered(found: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(row, id=f"{row['file']}-{number}") for number, row in enumerate(found)]


def card_of(row: dict[str, Any], rules: Ruleset) -> Card:
    context = row.get("context", {})
    written = dict(context.get("upper", {}))
    if context.get("five_of_a_kind_box") is not None:
        written["five_of_a_kind"] = context["five_of_a_kind_box"]
    return card_from(rules, written)


def rolls_of(row: dict[str, Any], rules: Ruleset) -> list[int]:
    roll = row.get("context", {}).get("roll")
    return [roll] if roll else list(range(1, rules.rolls + 1))


def test_no_file_and_no_row_is_left_out() -> None:
    found = {path.stem for path in (HERE / "vectors").glob("*.json")} - {"daily", "dice_stream"}
    assert found == set(FILES)
    assert Counter(row["file"] for row in ALL) == FILES
    assert len(ALL) - len(NOT_EXPRESSIBLE) == 402
    assert all(row["source"] for row in ALL)
    assert {row["rules"] for row in ALL} == set(RULES)
    assert set(NOTED) <= {place(row) for row in SCORES}


@pytest.mark.parametrize("row", numbered(SCORES))
def test_a_published_score_comes_out_under_the_rules_of_its_source(row: dict[str, Any]) -> None:
    rules = RULES[row["rules"]]
    if place(row) in NOTED:
        rules = ruleset(rules.id, NOTED[place(row)])
    card, dice = card_of(row, rules), tuple(row["dice"])
    for roll in rolls_of(row, rules):
        preview = card.previews(dice, roll)[row["category"]]
        assert (preview.points, preview.reason) == (row["score"], None)
        assert card.extra_for(dice, roll) == row.get("bonus", 0)


@pytest.mark.parametrize("row", numbered(SCORES))
def test_a_published_score_agrees_with_our_default_or_differs_as_its_row_says(row: dict[str, Any]) -> None:
    rules = ruleset(DEFAULT_IDS.get(row["rules"], row["rules"]))
    card, dice = card_of(row, rules), tuple(row["dice"])
    for roll in rolls_of(row, rules):
        preview = card.previews(dice, roll)[row["category"]]
        if row["agrees_with_default"] is None:
            # The source lets a further five of a kind go where the forced joker does not.
            assert preview.reason is Reason.JOKER_UPPER
        else:
            assert preview.points == (row["score"] if row["agrees_with_default"] else row["default_score"])
            assert preview.points == row["score"] or not row["agrees_with_default"]
        if "legal_under_forced_joker" in row:
            assert (preview.reason is None) == row["legal_under_forced_joker"]


def turn_of(state: State, rolls: int) -> State:
    for _ in range(rolls):
        state = apply(state, Roll(), Scripted("123456"))
    return apply(state, Score(next(iter(legal(state).boxes))), Scripted())


@pytest.mark.parametrize("row", numbered(SAVED))
def test_rolls_are_saved_as_published(row: dict[str, Any]) -> None:
    state = start(RULES[row["rules"]])
    # A pool to begin with is earned: one roll used in a turn saves the other two.
    for _ in range(row["start_pool"] // 2):
        state = turn_of(state, 1)
    pools = []
    for rolls in row["rolls_used"]:
        state = turn_of(state, rolls)
        pools.append(state.seat.pool)
    assert pools == row["pool_after"]
