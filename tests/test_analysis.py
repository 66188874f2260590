"""The analysis board: positions as addresses, what it says of them, how one goes on, and what it refuses."""

from __future__ import annotations

import random
import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest

from app.coach.advice import Coach
from app.coach.making import Tables
from app.game.card import Card
from app.game.errors import Unreadable
from app.game.rules import Ruleset
from app.game.rulesets import VARIANTS, ruleset
from app.web.board import Board, address, read
from app.web.words import words
from tests.support.brute import random_card
from tests.support.web import Visitor, World, text_of

EN = words("en")
YACHT = ruleset("yacht")
EVERY = [ruleset(variant.id) for variant in VARIANTS]
LOCKED = ruleset("yatzy_kids", {"locked_dice": True})


def position(text: str) -> Board:
    """Read the position of an address."""
    return read(parse_qsl(urlsplit(text).query))


def links(page: str, label: str) -> list[str]:
    """Find the links of this label on the board, in order."""
    return [unescape(link) for link in re.findall(rf'href="(/analysis[^"]*)">{label}<', page)]


def entered(page: str) -> dict[str, str]:
    """Read what stands in the fields of the position."""
    form = page.partition('class="position"')[2].partition("</form>")[0]
    fields = re.findall(r'<input (?:type="hidden" )?name="(\w+)" value="([^"]*)"', form)
    chosen = re.findall(r'<option value="(\d+)" selected', form)
    return {**dict(fields), "rolls_left": chosen[0]}


@pytest.fixture
def visitor(coached: World, yacht: Coach) -> Visitor:
    """Somebody with a browser, where old Yacht is solved."""
    del yacht
    return coached.visitor()


# Positions as text


@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: rules.id)
def test_every_position_comes_back_from_its_address(rules: Ruleset) -> None:
    chance = random.Random(rules.id)
    for _ in range(20):
        card = random_card(rules, chance.randint(1, len(rules.boxes)), chance)
        dice = tuple(sorted(chance.choices(range(1, 7), k=rules.dice)))
        for board in (Board(card, dice, chance.randrange(rules.rolls)), Board(card, (), rules.rolls - 1)):
            assert position(address(board)) == board
        waiting = Board(card, (), 0, dice[: chance.randrange(1, rules.dice)])
        assert position(address(waiting)) == waiting


def test_no_field_of_a_position_has_two_meanings() -> None:
    own = {"ruleset", "dice", "keep", "rolls_left", "extra"}
    for variant in VARIANTS:
        options = {option.name for option in variant.options}
        boxes = set(ruleset(variant.id).index)
        assert len(own | options | boxes) == len(own) + len(options) + len(boxes)


def test_options_are_part_of_the_address() -> None:
    rules = ruleset("classic", {"joker": "none", "extra_five": 0})
    text = address(Board(Card.empty(rules), (1, 2, 3, 4, 5), 1))
    assert dict(parse_qsl(urlsplit(text).query)) == {
        "ruleset": "classic", "joker": "none", "extra_five": "0", "dice": "12345", "rolls_left": "1",
    }  # fmt: skip
    assert position(text).rules == rules


@pytest.mark.parametrize(
    "text", ["44451", "4 4 4 5 1", "4,4,4,5,1", "4-4-4-5-1", " 1 5 444 ", "\uff14\uff14\uff14\uff15\uff11"]
)
def test_dice_may_be_written_as_people_write_them(text: str) -> None:
    assert read([("ruleset", "yacht"), ("dice", text)]) == Board(Card.empty(YACHT), (1, 4, 4, 4, 5), 2)


def test_what_was_kept_and_what_was_thrown_are_the_dice_together() -> None:
    board = read([("ruleset", "yacht"), ("keep", "44"), ("dice", "641"), ("rolls_left", "1")])
    assert board == Board(Card.empty(YACHT), (1, 4, 4, 4, 6), 1)


def test_under_locked_dice_what_was_kept_stays_kept() -> None:
    pairs = [("ruleset", "yatzy_kids"), ("locked_dice", "true"), ("keep", "44"), ("dice", "641"), ("rolls_left", "1")]
    board = read(pairs)
    assert (board.dice, board.keep) == ((1, 4, 4, 4, 6), (4, 4))
    assert position(address(board)) == board


# What the board says


def test_the_board_shows_every_keep_and_every_box_with_its_worth(visitor: Visitor, yacht: Coach) -> None:
    page = visitor.get("/analysis?ruleset=yacht&sixes=18&dice=44451&rolls_left=2").text
    advice = yacht.advise(Card.empty(YACHT).put(YACHT.place("sixes"), 18), (1, 4, 4, 4, 5), 2)
    assert len(links(page, "Roll")) == len(advice.keeps)
    assert len(links(page, "Write")) == len(advice.boxes) == 11
    shown = text_of(page)
    for worth in (*(keep.expected for keep in advice.keeps), *advice.boxes.values()):
        assert EN.mean(worth) in shown
    assert f"{EN.mean(advice.value)} points to come on average" in shown


def test_before_the_roll_the_board_says_what_the_card_expects(visitor: Visitor, yacht: Coach) -> None:
    page = text_of(visitor.get("/analysis?ruleset=yacht").text)
    assert f"To come on average: {EN.mean(yacht.table.expected)}" in page


def test_the_form_holds_the_position_that_is_shown(visitor: Visitor) -> None:
    page = visitor.get("/analysis?ruleset=yacht&straights=15_20&ones=3&chance=0&dice=6 5 6 5 1&rolls_left=1").text
    fields = {name: value for name, value in entered(page).items() if value}
    assert fields == {
        "ruleset": "yacht", "straights": "15_20", "ones": "3", "chance": "0", "dice": "15566", "rolls_left": "1",
    }  # fmt: skip


def test_a_whole_game_with_real_dice_goes_by_links_and_dice(visitor: Visitor) -> None:
    chance = random.Random(4)
    page = visitor.get("/analysis?ruleset=yacht").text
    turns, go_on = 0, ""
    while "The card is full" not in page:
        fields = entered(page)
        missing = 5 - len(fields.get("keep", ""))
        fields["dice"] = "".join(str(chance.randint(1, 6)) for _ in range(missing))
        page = visitor.get("/analysis", params={name: value for name, value in fields.items() if value}).text
        roll, write = links(page, "Roll"), links(page, "Write")
        rolls_on = bool(roll) and chance.random() < 0.6
        go_on = roll[0] if rolls_on else write[0]
        turns += not rolls_on
        page = visitor.get(go_on).text
    assert turns == 12
    total = position(go_on).card.total
    assert f"The card is full: {EN.points(total)}." in text_of(page)


def test_the_first_link_of_each_list_is_the_best(visitor: Visitor, yacht: Coach) -> None:
    page = visitor.get("/analysis?ruleset=yacht&dice=11156&rolls_left=2").text
    advice = yacht.advise(Card.empty(YACHT), (1, 1, 1, 5, 6), 2)
    assert position(links(page, "Roll")[0]) == Board(Card.empty(YACHT), (), 1, advice.keeps[0].keep)
    best = max(advice.boxes, key=lambda box: advice.boxes[box])
    written = position(links(page, "Write")[0]).card
    assert written == Card.empty(YACHT).write(YACHT.place(best), (1, 1, 1, 5, 6), 1)


def test_the_bonus_of_a_further_five_of_a_kind_is_part_of_the_position() -> None:
    classic = ruleset("classic")
    card = Card.empty(classic).put(classic.place("five_of_a_kind"), 50)
    after = card.write(classic.place("fours"), (4, 4, 4, 4, 4), 1)
    assert after.extra == 100
    board = Board(after, (), 2)
    assert position(address(board)) == board


def test_locked_dice_cannot_be_let_go_on_the_board(coached: World, tables: Tables) -> None:
    tables.make(LOCKED)
    page = coached.visitor().get(address(Board(Card.empty(LOCKED), (2, 2, 3, 4, 6), 1, (2, 2)))).text
    keeps = [position(link).keep for link in links(page, "Roll")]
    assert len(keeps) == 7
    assert all(keep.count(2) == 2 for keep in keeps)


# What it refuses

WRONG = [
    ("ruleset=chess", "unknown_ruleset", "There is no ruleset"),
    ("ruleset=yacht&straights=5", "bad_option", "straights can be"),
    ("ruleset=yacht&bananas=5", "unknown_field", "bananas"),
    ("ruleset=yacht&ones=1&ones=2", "repeated_field", "twice"),
    ("ruleset=yacht&ones=6", "impossible_card", "ones cannot hold 6"),
    ("ruleset=yacht&ones=two", "bad_points", "ones is a number"),
    ("ruleset=yacht&twos=-2", "bad_points", "twos is a number"),
    ("ruleset=yacht&dice=4445", "bad_dice", "5 dice"),
    ("ruleset=yacht&dice=444516", "bad_dice", "5 dice"),
    ("ruleset=yacht&dice=44457", "bad_dice", "5 dice"),
    ("ruleset=yacht&dice=fives", "bad_dice", "5 dice"),
    ("ruleset=yacht&dice=44451&rolls_left=3", "bad_roll", "0 to 2"),
    ("ruleset=yacht&keep=44&rolls_left=2", "bad_roll", "0 to 1"),
    ("ruleset=yacht&keep=44444&rolls_left=1", "bad_dice", "At most 4"),
    ("ruleset=yacht&keep=44&dice=12&rolls_left=1", "bad_dice", "3 new ones"),
    ("ruleset=yacht&keep=66&dice=12345&rolls_left=1", "bad_locked", "not on the table"),
    ("ruleset=classic&extra=50", "impossible_card", "extra cannot be 50"),
    ("ruleset=classic&five_of_a_kind=50&extra=200", "impossible_card", "extra cannot be 200"),
    ("ruleset=yacht&extra=100", "impossible_card", "extra cannot be 100"),
    ("ruleset=classic&forced_order=true&chance=20", "impossible_card", "top to bottom"),
]


@pytest.mark.parametrize(("query", "code", "reason"), WRONG)
def test_a_position_that_cannot_be_is_refused_with_the_reason(
    visitor: Visitor, query: str, code: str, reason: str
) -> None:
    with pytest.raises(Unreadable) as refused:
        position(f"/analysis?{query}")
    assert refused.value.code == code
    page = visitor.get(f"/analysis?{query}")
    assert page.status_code == 422
    assert reason in text_of(page.text)
    assert 'class="position"' in page.text
    assert not links(page.text, "Write")


def test_what_was_entered_wrongly_still_stands_in_the_form(visitor: Visitor) -> None:
    page = visitor.get("/analysis?ruleset=yacht&ones=3&twos=7&dice=444").text
    fields = {name: value for name, value in entered(page).items() if value}
    assert fields == {"ruleset": "yacht", "ones": "3", "twos": "7", "dice": "444", "rolls_left": "2"}


def test_a_full_card_with_dice_is_refused(visitor: Visitor) -> None:
    full = dict.fromkeys(YACHT.index, 0)
    page = visitor.get("/analysis", params={"ruleset": "yacht", "dice": "12345", **full})
    assert page.status_code == 422
    assert "Every box of this card is filled" in text_of(page.text)


def test_while_the_game_is_worked_out_the_board_says_when_to_ask_again(world: World) -> None:
    page = world.visitor().get("/analysis?ruleset=kniffel&dice=11234")
    assert page.status_code == 503
    assert int(page.headers["retry-after"]) >= 1
    assert "The coach is working this game out" in text_of(page.text)
    assert links(page.text, "Ask again") == ["/analysis?ruleset=kniffel&dice=11234&rolls_left=2"]
    assert world.visitor().get("/analysis?ruleset=kniffel").status_code == 200


UNADVISED = [("saved_rolls=true", "Saved rolls"), ("saved_rolls=false", "fairwind solve maxi_yatzy")]


@pytest.mark.parametrize(("option", "reason"), UNADVISED)
def test_a_game_that_is_not_solved_here_says_why(world: World, option: str, reason: str) -> None:
    page = world.visitor().get(f"/analysis?ruleset=maxi_yatzy&{option}&dice=112345")
    assert page.status_code == 422
    assert reason in text_of(page.text)


def test_the_board_needs_no_game_and_no_cookie(visitor: Visitor) -> None:
    answer = visitor.get("/analysis?ruleset=yacht&dice=11234")
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
