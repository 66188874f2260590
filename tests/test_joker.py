"""A further five of a kind: the bonus, the joker in all its readings, and what it closes and why."""

from __future__ import annotations

import pytest

from app.game.card import Card, Preview, card_from
from app.game.errors import Reason
from app.game.rules import UPPER_KEYS, Ruleset
from app.game.rulesets import ruleset
from app.game.state import start
from tests.support.table import dice, play

LOWER = ("three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "chance")


def classic(**options: object) -> Ruleset:
    return ruleset("classic", options)


def reasons(card: Card, faces: str) -> dict[Reason | None, set[str]]:
    found: dict[Reason | None, set[str]] = {}
    for box, preview in card.previews(dice(faces), 3).items():
        found.setdefault(preview.reason, set()).add(box)
    return found


def test_the_first_five_of_a_kind_is_no_joker_and_may_go_anywhere_at_its_ordinary_value() -> None:
    card = Card.empty(classic())
    previews = card.previews(dice("33333"), 3)
    assert {box: found.points for box, found in previews.items() if found.points} == {
        "threes": 15,
        "three_of_a_kind": 15,
        "four_of_a_kind": 15,
        "five_of_a_kind": 50,
        "chance": 15,
    }
    assert len(previews) == 13
    assert all(found.reason is None for found in previews.values())
    assert card.extra_for(dice("33333"), 3) == 0


@pytest.mark.parametrize(("five", "extra"), [(50, 100), (0, 0)])
def test_the_forced_joker_goes_first_to_its_upper_box_then_below_then_to_any_upper_box(five: int, extra: int) -> None:
    card = card_from(classic(), {"five_of_a_kind": five})
    others = set(UPPER_KEYS + LOWER) - {"sixes"}
    assert reasons(card, "66666") == {None: {"sixes"}, Reason.JOKER_UPPER: others}
    assert card.extra_for(dice("66666"), 3) == extra

    card = card.write(5, dice("66666"), 3)
    assert (card.points[5], card.extra) == (30, extra)
    assert reasons(card, "66666") == {None: set(LOWER), Reason.JOKER_LOWER: set(UPPER_KEYS) - {"sixes"}}
    for box, points in zip(LOWER, (30, 30, 25, 30, 40, 30), strict=True):
        assert card.previews(dice("66666"), 3)[box] == Preview(points)

    for box in LOWER:
        card = card.write(card.ruleset.place(box), dice("66666"), 3)
    assert card.extra == 7 * extra
    assert reasons(card, "66666") == {None: set(UPPER_KEYS) - {"sixes"}}
    assert {found.points for found in card.previews(dice("66666"), 3).values()} == {0}
    # Even a zero brings the bonus.
    assert card.write(0, dice("66666"), 3).extra == 8 * extra


def test_ordinary_dice_are_free_whatever_the_five_of_a_kind_box_holds() -> None:
    for five in (0, 50):
        card = card_from(classic(), {"five_of_a_kind": five})
        assert set(reasons(card, "66665")) == {None}
        assert card.extra_for(dice("66665"), 3) == 0


def test_the_bonus_looks_at_the_box_before_the_entry_is_written() -> None:
    card = Card.empty(classic()).write(11, dice("22222"), 3)
    assert (card.points[11], card.extra, card.total) == (50, 0, 50)


@pytest.mark.parametrize(
    ("joker", "upper", "below", "once_filled"),
    [
        ("lower_free", 20, (20, 20, 25, 30, 40, 20), (20, 20, 25, 30, 40, 20)),
        ("strict_1956", 0, (20, 20, 25, 30, 40, 20), (20, 20, 25, 30, 40, 20)),
        ("free_choice", 20, (20, 20, 0, 0, 0, 20), (20, 20, 25, 30, 40, 20)),
        ("none", 20, (20, 20, 0, 0, 0, 20), (20, 20, 0, 0, 0, 20)),
    ],
)
def test_the_other_joker_readings_close_no_box_and_pay_as_their_table_says(
    joker: str, upper: int, below: tuple[int, ...], once_filled: tuple[int, ...]
) -> None:
    for five, extra in ((50, 100), (0, 0)):
        card = card_from(classic(joker=joker), {"five_of_a_kind": five})
        previews = card.previews(dice("44444"), 2)
        assert {found.reason for found in previews.values()} == {None}
        assert [previews[box].points for box in UPPER_KEYS] == [0, 0, 0, upper, 0, 0]
        assert tuple(previews[box].points for box in LOWER) == below
        assert card.extra_for(dice("44444"), 2) == extra
        filled = card.put(3, 12)
        assert tuple(filled.previews(dice("44444"), 2)[box].points for box in LOWER) == once_filled


@pytest.mark.parametrize("extra", [100, 50, 0])
def test_the_bonus_and_the_joker_are_two_rules(extra: int) -> None:
    for joker in ("forced", "lower_free", "strict_1956", "free_choice", "none"):
        card = card_from(classic(joker=joker, extra_five=extra), {"five_of_a_kind": 50})
        assert card.extra_for(dice("11111"), 1) == extra


def test_a_joker_pays_the_alternative_scores_too() -> None:
    card = card_from(ruleset("classic_ja_alt"), {"five_of_a_kind": 50, "fours": 12})
    assert [card.previews(dice("44444"), 3)[box].points for box in LOWER] == [20, 20, 20, 15, 30, 20]


def test_a_forced_order_wins_over_the_joker_rule() -> None:
    # The five of a kind box is the last but one: only chance can be open after it.
    rules = classic(forced_order=True)
    written = dict.fromkeys(UPPER_KEYS, 0) | dict.fromkeys(LOWER[:-1], 0) | {"five_of_a_kind": 50}
    card = card_from(rules, written)
    assert card.previews(dice("44444"), 3) == {"chance": Preview(20)}
    assert card.extra_for(dice("44444"), 3) == 100


def test_a_forced_order_leaves_the_topmost_open_box_alone() -> None:
    card = card_from(classic(forced_order=True), {"ones": 3, "twos": 0})
    assert reasons(card, "44441") == {
        None: {"threes"},
        Reason.FORCED_ORDER: {"fours", "fives", "sixes", "five_of_a_kind", *LOWER},
    }


def test_a_yatzy_joker_needs_points_in_its_box_and_pays_full_value_below_at_once() -> None:
    card = card_from(ruleset("yatzy"), {"five_of_a_kind": 50})
    previews = card.previews(dice("66666"), 3)
    assert {found.reason for found in previews.values()} == {None}
    assert previews["small_straight"] == Preview(15)
    assert previews["sixes"] == Preview(30)
    assert previews["fives"] == Preview(0)
    assert card.extra_for(dice("66666"), 3) == 100
    zeroed = card_from(ruleset("yatzy"), {"five_of_a_kind": 0})
    assert zeroed.previews(dice("66666"), 3)["small_straight"] == Preview(0)
    assert zeroed.extra_for(dice("66666"), 3) == 0


def test_the_german_rule_never_gives_its_fifty_and_its_joker_together() -> None:
    rules = ruleset("kniffel")
    for five in (0, 50):
        for face, key in enumerate(UPPER_KEYS, start=1):
            faces = (face,) * 5
            card = card_from(rules, {"five_of_a_kind": five})
            assert [box for box, found in card.previews(faces, 3).items() if found.reason is None] == [key]
            assert card.extra_for(faces, 3) == 50
            card = card_from(rules, {"five_of_a_kind": five, key: 0})
            assert card.previews(faces, 3)["large_straight"] == Preview(40)
            assert card.extra_for(faces, 3) == 0
    assert Card.empty(rules).extra_for(dice("11111"), 3) == 0


def test_the_double_generala_pays_only_after_a_generala_that_scored() -> None:
    for written, points in (({}, 0), ({"five_of_a_kind": 0}, 0), ({"five_of_a_kind": 50}, 100)):
        card = card_from(ruleset("generala"), written)
        assert card.previews(dice("66666"), 2)["double_generala"] == Preview(points)
        # It may be struck at any time, and no other dice score in it.
        assert card.previews(dice("66665"), 2)["double_generala"] == Preview(0)


@pytest.mark.parametrize(
    ("id_", "options", "total"),
    [
        # 50, then 30 + 100 as a joker, then 30 + 100 above
        ("yatzy", {}, 50 + 130 + 130 + 26),
        # 50, then an ordinary 0 + 50, then 30 + 50
        ("yatzy", {"extra_yatzy": "plus50"}, 50 + 50 + 80 + 26),
        ("yatzy", {"extra_yatzy": "none"}, 50 + 0 + 30 + 26),
        ("yatzy_scandinavian", {}, 50 + 0 + 30 + 26),
    ],
)
def test_the_same_game_gives_each_extra_yatzy_rule_its_own_total(
    id_: str, options: dict[str, object], total: int
) -> None:
    rules = ruleset(id_, options)
    state = play(start(rules), "66666 five_of_a_kind", "66666 full_house", "66666 sixes")
    # 12346 brings 1, 2, 3 and 4 above, 16 in chance, and nothing elsewhere: 26.
    rest = [box.key for box in rules.boxes if box.key not in ("five_of_a_kind", "full_house", "sixes")]
    state = play(state, *(f"12346 {box}" for box in rest))
    assert (state.over, state.card.total) == (True, total)


def test_a_zeroed_yatzy_box_leaves_a_joker_only_where_the_option_says_so() -> None:
    for joker_after_zero, points in ((False, 0), (True, 30)):
        rules = ruleset("yatzy", {"joker_after_zero": joker_after_zero})
        state = play(start(rules), "12346 five_of_a_kind", "66666 full_house")
        assert state.card.total == points
