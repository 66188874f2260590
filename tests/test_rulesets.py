"""Which rulesets there are, what can be chosen in them, and what is said to a choice that cannot be made."""

from __future__ import annotations

from itertools import product

import pytest

from app.game.errors import Unreadable
from app.game.rules import Value, Variant, text_of
from app.game.rulesets import VARIANTS, ruleset, variant
from tests.support.table import defaults

# The table of rulesets, options and values that is promised to people who script; the first value is the default.
OFF = (False, True)
TURN: dict[str, tuple[Value, ...]] = {"locked_dice": OFF, "forced_order": OFF}
CLASSIC: dict[str, tuple[Value, ...]] = {
    "joker": ("forced", "lower_free", "strict_1956", "free_choice", "none"),
    "extra_five": (100, 50, 0),
    "full_house_score": ("25", "sum"),
    "small_straight_score": (30, 15),
    "large_straight_score": (40, 30),
    "kind_scoring": ("all", "matching"),
    "lenient_full_house": OFF,
    "three_of_a_kind_box": (True, False),
    **TURN,
}
YATZY: dict[str, tuple[Value, ...]] = {
    "extra_yatzy": ("bonus100_joker", "plus50", "none"),
    "joker_upper": ("as_rolled", "wild"),
    "joker_after_zero": OFF,
    "two_pairs_full_house": OFF,
    "tie_break": ("draw", "upper_count"),
    **TURN,
}
OFFERED: dict[str, dict[str, tuple[Value, ...]]] = {
    "classic": CLASSIC,
    "classic_free": CLASSIC | {"joker": ("lower_free", "forced", "strict_1956", "free_choice", "none")},
    "classic_plain": CLASSIC
    | {"joker": ("none", "forced", "lower_free", "strict_1956", "free_choice"), "extra_five": (0, 100, 50)},
    "classic_ja_alt": CLASSIC
    | {"full_house_score": ("sum", "25"), "small_straight_score": (15, 30), "large_straight_score": (30, 40)},
    "yatzy": YATZY,
    "yatzy_scandinavian": YATZY
    | {"extra_yatzy": ("none", "bonus100_joker", "plus50"), "two_pairs_full_house": (True, False)},
    "yatzy_kids": {"size": (8, 10), "upper_bonus": (0, 50), **TURN},
    "maxi_yatzy": {"maxi_bonus": ("84_100", "75_50"), "saved_rolls": OFF, **TURN},
    "yacht": {
        "straights": ("30_30", "15_20", "25_30"),
        "four_sum": ("four", "all"),
        "lenient_full_house": OFF,
        **TURN,
    },
    "yacht_ww": {"lenient_full_house": OFF, **TURN},
    "kniffel": {"extra_kniffel": ("schmidt50", "bonus100"), **TURN},
    "generala": {
        "generala_value": (50, 60),
        "served_bonus": (5, 10),
        "wrap_straight": OFF,
        "ace_for_two": OFF,
        "double_generala_box": (True, False),
        "served_wins": (True, False),
    },
    "cheerio": {"rolls": (2, 3)},
    "crag": {},
    "kismet": {"straight_score": (30, 40), "five_alike_full_house": (True, False), "kismet_penalty": OFF},
    "red_hot": {"extra_five": (0, 100), **TURN},
}

# Dice, rolls and boxes of each sheet.
SHAPES = {
    "classic": (5, 3, 13),
    "classic_free": (5, 3, 13),
    "classic_plain": (5, 3, 13),
    "classic_ja_alt": (5, 3, 13),
    "yatzy": (5, 3, 15),
    "yatzy_scandinavian": (5, 3, 15),
    "yatzy_kids": (5, 3, 8),
    "maxi_yatzy": (6, 3, 20),
    "yacht": (5, 3, 12),
    "yacht_ww": (5, 3, 12),
    "kniffel": (5, 3, 13),
    "generala": (5, 3, 11),
    "cheerio": (5, 2, 11),
    "crag": (3, 2, 13),
    "kismet": (5, 3, 15),
    "red_hot": (5, 3, 13),
}


def test_rulesets_options_and_values_are_those_promised() -> None:
    assert {known.id: {option.name: option.values for option in known.options} for known in VARIANTS} == OFFERED
    types = {
        (known.id, option.name): [type(value) for value in option.values]
        for known in VARIANTS
        for option in known.options
    }
    promised = {
        (id_, name): [type(value) for value in values]
        for id_, options in OFFERED.items()
        for name, values in options.items()
    }
    assert types == promised  # 1 == True, so the values alone would not tell


def test_dice_rolls_and_boxes_are_those_of_the_sheet() -> None:
    assert {rules.id: (rules.dice, rules.rolls, len(rules.boxes)) for rules in defaults()} == SHAPES
    assert len(ruleset("yatzy_kids", {"size": 10}).boxes) == 10
    assert len(ruleset("generala", {"double_generala_box": False}).boxes) == 10
    assert len(ruleset("classic", {"three_of_a_kind_box": False}).boxes) == 12


@pytest.mark.parametrize("known", VARIANTS, ids=lambda known: known.id)
def test_the_same_choice_gives_the_same_ruleset_from_values_and_from_texts(known: Variant) -> None:
    assert ruleset(known.id) is ruleset(known.id, {})
    for option in known.options:
        assert option.default == option.values[0]
        assert ruleset(known.id, {option.name: option.default}) is ruleset(known.id)
        assert ruleset(known.id, {option.name: text_of(option.default)}, text=True) is ruleset(known.id)
    assert ruleset(known.id).options == known.choose({})
    assert variant(known.id) is known


@pytest.mark.parametrize("known", VARIANTS, ids=lambda known: known.id)
def test_every_mixture_of_options_is_a_ruleset_or_a_contradiction_that_is_named(known: Variant) -> None:
    names = [option.name for option in known.options]
    mixtures_of_values = [
        dict(zip(names, values, strict=True)) for values in product(*(option.values for option in known.options))
    ]
    for chosen in mixtures_of_values:
        joker = chosen.get("extra_yatzy", "bonus100_joker") == "bonus100_joker"
        if joker or (chosen["joker_upper"] == "as_rolled" and not chosen["joker_after_zero"]):
            assert known.choose(chosen) == chosen
        else:
            with pytest.raises(Unreadable) as found:
                known.choose(chosen)
            assert found.value.code == "contradicting_options"


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ({"wind": "north"}, "unknown_option", "classic has no option 'wind'; its options: joker, extra_five"),
        ({"joker": "wild"}, "bad_option", "joker can be forced, lower_free, strict_1956, free_choice, none, not wild"),
        ({"extra_five": "100"}, "bad_option", "extra_five can be 100, 50, 0, not 100"),
        ({"extra_five": True}, "bad_option", "not true"),
        ({"extra_five": 50.0}, "bad_option", "not 50.0"),
        ({"full_house_score": 25}, "bad_option", "full_house_score can be 25, sum"),
        ({"locked_dice": 1}, "bad_option", "locked_dice can be false, true, not 1"),
        ({"locked_dice": "true"}, "bad_option", "locked_dice can be false, true"),
        ({"locked_dice": None}, "bad_option", "not None"),
        ({"locked_dice": []}, "bad_option", "not "),
    ],
)
def test_a_choice_that_is_not_offered_is_refused_and_names_what_is(
    options: dict[str, object], code: str, words: str
) -> None:
    with pytest.raises(Unreadable) as found:
        ruleset("classic", options)
    assert found.value.code == code
    assert words in found.value.message


def test_an_unknown_ruleset_is_refused_and_names_those_there_are() -> None:
    with pytest.raises(Unreadable, match="there are classic, classic_free") as found:
        ruleset("chess")
    assert found.value.code == "unknown_ruleset"
    with pytest.raises(Unreadable, match="crag has no option 'joker'; its options: none"):
        ruleset("crag", {"joker": "none"})


def test_options_that_contradict_each_other_are_refused_by_name() -> None:
    with pytest.raises(Unreadable, match="joker_upper=wild needs extra_yatzy=bonus100_joker, not none"):
        ruleset("yatzy", {"extra_yatzy": "none", "joker_upper": "wild"})
    with pytest.raises(Unreadable, match="joker_after_zero=true needs extra_yatzy=bonus100_joker, not plus50"):
        ruleset("yatzy", {"extra_yatzy": "plus50", "joker_after_zero": True})
