"""The card: the upper bonus at its edges, whole games at their maximum, and cards that cannot arise."""

from __future__ import annotations

from typing import Any

import pytest

from app.game.card import Card, card_from
from app.game.dice import multisets
from app.game.errors import Unreadable
from app.game.rules import UPPER_KEYS, Ruleset
from app.game.rulesets import ruleset
from app.game.state import outcome, start
from tests.support.table import dice, named, play, rows

LOWER = ("three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "chance")


def classic(**options: object) -> Ruleset:
    return ruleset("classic", options)


# The upper bonus


def numbers_of_dice(total: int, most: int) -> list[int]:
    """Say how many dice of each face, 1 to 6, make an upper sum of `total`."""
    found = [0] * 6
    for face in range(6, 0, -1):
        found[face - 1] = min(most, total // face)
        total -= face * found[face - 1]
    assert total == 0
    return found


def upper_turns(rules: Ruleset, total: int) -> list[str]:
    turns = []
    for face, number in enumerate(numbers_of_dice(total, rules.dice), start=1):
        other = 6 if face != 6 else 1
        turns.append(f"{str(face) * number + str(other) * (rules.dice - number)} {UPPER_KEYS[face - 1]}")
    return turns


@pytest.mark.parametrize(
    "row",
    rows("sheet/bonus.json"),
    ids=lambda row: f"{named(ruleset(row['ruleset'], row.get('options')))}-{row['upper']}",
)
def test_an_upper_sum_brings_the_bonus_of_the_sheet_in_a_whole_game(row: dict[str, Any]) -> None:
    rules = ruleset(row["ruleset"], row.get("options"))
    state = play(start(rules), *upper_turns(rules, row["upper"]))
    assert (state.card.upper_sum, state.card.upper_bonus) == (row["upper"], row["bonus"])
    # The rest of the card: dice that fit few boxes, so that the whole total is seen.
    plain = "112356"[-rules.dice :]
    state = play(state, *(f"{plain} {box.key}" for box in rules.boxes if not box.upper))
    assert state.over
    assert state.card.upper_bonus == row["bonus"]
    lower = sum(points or 0 for box, points in zip(rules.boxes, state.card.points, strict=True) if not box.upper)
    assert state.card.total == row["upper"] + row["bonus"] + lower


def test_the_upper_bonus_stands_on_the_card_as_soon_as_it_is_reached() -> None:
    card = card_from(classic(), {"sixes": 30, "fives": 25})
    assert (card.upper_sum, card.upper_bonus, card.total) == (55, 0, 55)
    card = card.write(3, dice("44123"), 1)
    assert (card.upper_sum, card.upper_bonus, card.total) == (63, 35, 98)


def test_lower_boxes_do_not_count_towards_the_upper_bonus() -> None:
    card = card_from(classic(), {"chance": 30, "five_of_a_kind": 50})
    assert (card.upper_sum, card.upper_bonus, card.total) == (0, 0, 80)


# Whole games at their maximum

FIVES = [f"{str(face) * 5} {key}" for face, key in enumerate(UPPER_KEYS, start=1)]
MAXIMA: dict[str, tuple[int, dict[str, object], list[str]]] = {
    "classic": (1575, {}, ["66666 five_of_a_kind", *FIVES, *(f"66666 {box}" for box in LOWER)]),
    "yatzy": (
        374,
        {"extra_yatzy": "none"},
        [
            *FIVES,
            *("66123 one_pair", "66551 two_pairs", "66612 three_of_a_kind", "66661 four_of_a_kind"),
            *("12345 small_straight", "23456 large_straight", "66655 full_house", "66666 chance"),
            "66666 five_of_a_kind",
        ],
    ),
    "maxi_yatzy": (
        649,
        {},
        [
            *(f"{str(face) * 6} {key}" for face, key in enumerate(UPPER_KEYS, start=1)),
            *("661234 one_pair", "665512 two_pairs", "665544 three_pairs", "666123 three_of_a_kind"),
            *("666612 four_of_a_kind", "666661 five_of_a_kind", "123456 small_straight", "123456 large_straight"),
            *("123456 full_straight", "666551 full_house", "666555 villa", "666655 tower", "666666 chance"),
            "666666 six_of_a_kind",
        ],
    ),
    "yacht": (
        297,
        {},
        [
            *FIVES,
            *("66655 full_house", "66665 four_of_a_kind", "12345 small_straight", "23456 large_straight"),
            *("66666 chance", "66666 five_of_a_kind"),
        ],
    ),
    "yacht_ww": (
        323,
        {},
        [
            *FIVES,
            *("66666 chance", "66666 four_of_a_kind", "66655 full_house", "34562 small_straight"),
            *("12345 large_straight", "66666 five_of_a_kind"),
        ],
    ),
    "crag": (
        244,
        {},
        [
            *(f"{str(face) * 3} {key}" for face, key in enumerate(UPPER_KEYS, start=1)),
            *("135 odd_straight", "246 even_straight", "123 low_straight", "456 high_straight"),
            *("444 three_of_a_kind", "346 thirteen", "661 crag"),
        ],
    ),
}


@pytest.mark.parametrize("id_", MAXIMA)
def test_the_best_game_there_is_reaches_the_maximum_of_the_sheet(id_: str) -> None:
    maximum, options, turns = MAXIMA[id_]
    state = play(start(ruleset(id_, options)), *turns)
    assert state.over
    assert state.card.total == maximum
    found = outcome(state)
    assert found is not None
    assert (found.winners, found.draw) == ((0,), False)


def test_lenient_full_houses_lift_the_maximum_of_the_twelve_box_game_to_325() -> None:
    _, _, turns = MAXIMA["yacht_ww"]
    turns = ["66666 full_house" if turn.endswith("full_house") else turn for turn in turns]
    assert play(start(ruleset("yacht_ww", {"lenient_full_house": True})), *turns).card.total == 325


# Cards that cannot arise


@pytest.mark.parametrize(
    ("id_", "options", "written"),
    [
        ("classic", {}, {"ones": 6}),
        ("classic", {}, {"twos": 3}),
        ("classic", {}, {"ones": -1}),
        ("classic", {}, {"full_house": 24}),
        ("classic", {}, {"three_of_a_kind": 4}),
        ("classic", {}, {"three_of_a_kind": 31}),
        ("classic", {}, {"five_of_a_kind": 30}),
        ("classic", {}, {"chance": 4}),
        ("classic", {"forced_order": True}, {"twos": 2}),
        # Five of a kind comes last on this sheet, so in its order no earlier box ever held a joker.
        (
            "yatzy",
            {"forced_order": True},
            dict.fromkeys(ruleset("yatzy").index, 0) | {"two_pairs": 24, "five_of_a_kind": 50},
        ),
        ("classic_ja_alt", {}, {"large_straight": 40}),
        ("yatzy", {}, {"two_pairs": 4}),
        ("yatzy", {}, {"two_pairs": 24, "five_of_a_kind": 0}),
        ("yatzy", {}, {"full_house": 30}),
        ("yatzy", {"extra_yatzy": "none"}, {"full_house": 30, "five_of_a_kind": 50}),
        ("generala", {}, {"double_generala": 100}),
        ("generala", {}, {"double_generala": 100, "five_of_a_kind": 0}),
        ("generala", {}, {"double_generala": 50, "five_of_a_kind": 50}),
        ("generala", {}, {"straight": 30}),
        ("maxi_yatzy", {}, {"three_pairs": 36}),
        ("crag", {}, {"crag": 26}),
        ("kismet", {}, {"five_of_a_kind": 50}),
    ],
)
def test_a_card_that_no_play_leads_to_is_refused(id_: str, options: dict[str, object], written: dict[str, int]) -> None:
    with pytest.raises(Unreadable) as refused:
        card_from(ruleset(id_, options), written)
    assert refused.value.code == "impossible_card"


@pytest.mark.parametrize(
    ("id_", "written"),
    [
        ("classic", {"ones": 5, "full_house": 25, "five_of_a_kind": 0, "chance": 30}),
        ("yatzy", {"two_pairs": 24, "five_of_a_kind": 50}),
        ("yatzy", {"full_house": 5, "five_of_a_kind": 50}),
        ("generala", {"double_generala": 100, "five_of_a_kind": 50, "straight": 25, "full_house": 30}),
        ("kismet", {"five_of_a_kind": 65, "full_house": 45}),
        ("classic", {}),
    ],
)
def test_a_card_that_play_can_lead_to_is_made_as_written(id_: str, written: dict[str, int]) -> None:
    card = card_from(ruleset(id_), written)
    assert {box: card.points[card.ruleset.place(box)] for box in written} == written
    assert card.filled == len(written)
    assert card.extra == 0


def test_a_box_that_is_not_on_the_sheet_is_refused_by_name() -> None:
    with pytest.raises(Unreadable, match="There is no box 'villa' here; the boxes are ones, twos") as refused:
        card_from(classic(), {"villa": 10})
    assert refused.value.code == "unknown_box"
    with pytest.raises(Unreadable):
        card_from(classic(three_of_a_kind_box=False), {"three_of_a_kind": 10})


def test_the_message_of_an_impossible_card_says_what_the_box_can_hold() -> None:
    with pytest.raises(Unreadable, match="ones cannot hold 7 on this card; it can hold 0, 1, 2, 3, 4, 5"):
        card_from(classic(), {"ones": 7})


# Counting


def test_a_card_counts_what_is_filled_a_zero_included() -> None:
    card = Card.empty(classic())
    assert (card.filled, card.full, list(card.open_places())) == (0, False, list(range(13)))
    for place in range(13):
        assert not card.full
        card = card.put(place, 0)
    assert (card.filled, card.full, list(card.open_places()), card.total) == (13, True, [], 0)


def test_a_card_is_not_changed_by_writing_into_it() -> None:
    card = Card.empty(classic())
    card.write(0, dice("11111"), 1)
    assert card == Card.empty(classic())


@pytest.mark.parametrize("five", [None, 0, 50])
def test_what_is_previewed_is_what_is_written_for_every_roll(five: int | None) -> None:
    rules = classic()
    card = Card.empty(rules) if five is None else card_from(rules, {"five_of_a_kind": five, "twos": 4})
    for faces in multisets(5):
        for box, preview in card.previews(faces, 3).items():
            if preview.reason is None:
                written = card.write(rules.place(box), faces, 3)
                assert written.points[rules.place(box)] == preview.points
                assert written.extra == card.extra_for(faces, 3)
