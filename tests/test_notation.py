"""The text forms of a move and of a game: frozen, since stored games are written in them."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.game.dice import Addressing
from app.game.errors import IllegalMove, Unreadable
from app.game.notation import Game, read_game, read_move, write_game, write_move, write_options
from app.game.rulesets import VARIANTS, ruleset
from app.game.state import Move, Roll, Score, Undo
from tests.support.table import mixtures

CLASSIC = ruleset("classic")
KEY = bytes(range(32))
HEX = KEY.hex()

FROZEN: list[tuple[str, str, Move]] = [
    ("classic", "r", Roll()),
    ("classic", "r0", Roll((0,))),
    ("classic", "r03", Roll((0, 3))),
    ("classic", "r1234", Roll((1, 2, 3, 4))),
    ("maxi_yatzy", "r02345", Roll((0, 2, 3, 4, 5))),
    ("classic", "s1", Score("ones")),
    ("classic", "s8", Score("four_of_a_kind")),
    ("classic", "s12", Score("five_of_a_kind")),
    ("classic", "s13", Score("chance")),
    ("yatzy", "s15", Score("five_of_a_kind")),
    ("maxi_yatzy", "s20", Score("six_of_a_kind")),
    ("yacht_ww", "s7", Score("chance")),
    ("crag", "s13", Score("crag")),
    ("classic", "u", Undo()),
]


@pytest.mark.parametrize(("id_", "text", "move"), FROZEN, ids=[f"{id_}-{text}" for id_, text, _ in FROZEN])
def test_a_move_is_written_and_read_as_frozen(id_: str, text: str, move: Move) -> None:
    rules = ruleset(id_)
    assert write_move(rules, move) == text
    assert read_move(rules, text) == move


def test_kept_positions_are_written_in_order() -> None:
    assert write_move(CLASSIC, Roll((3, 0))) == "r03"


def test_a_box_that_is_not_on_the_sheet_cannot_be_written() -> None:
    with pytest.raises(Unreadable) as found:
        write_move(CLASSIC, Score("villa"))
    assert found.value.code == "unknown_box"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "R",
        "r ",
        " r",
        "rr",
        "r-1",
        "ra",
        "r٣",
        "s",
        "s0",
        "s14",
        "s-1",
        "s08",
        "s1 ",
        "s100",
        "S1",
        "uu",
        "u1",
        "x",
        "r0\n",
    ],
)
def test_what_is_not_a_move_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable) as found:
        read_move(CLASSIC, text)
    assert found.value.code == "bad_move"


def test_box_numbers_end_where_the_sheet_ends() -> None:
    short = ruleset("classic", {"three_of_a_kind_box": False})
    assert read_move(short, "s12") == Score("chance")
    with pytest.raises(Unreadable, match="The sheet has 12 boxes, there is no box 13"):
        read_move(short, "s13")


FROZEN_GAMES = [
    (Game(CLASSIC, KEY), f"fairwind/1 classic by_turn key={HEX}:"),
    (
        Game(CLASSIC, KEY, (Roll(), Roll((0, 3)), Score("four_of_a_kind"))),
        f"fairwind/1 classic by_turn key={HEX}: r r03 s8",
    ),
    (
        Game(ruleset("classic", {"joker": "none"}), KEY, (), Addressing.CONTINUOUS, seats=2, shared_dice=True),
        f"fairwind/1 classic[joker=none] continuous seats=2 shared key={HEX}:",
    ),
    (
        Game(ruleset("yatzy", {"two_pairs_full_house": True, "extra_yatzy": "none"}), KEY, seats=6, first=5),
        f"fairwind/1 yatzy[extra_yatzy=none,two_pairs_full_house=true] by_turn seats=6 first=5 key={HEX}:",
    ),
    (Game(CLASSIC, KEY, (Roll(),), corrections=True), f"fairwind/1 classic by_turn corrections key={HEX}: r"),
]


@pytest.mark.parametrize(("game", "text"), FROZEN_GAMES, ids=["new", "begun", "shared", "six", "corrected"])
def test_a_game_is_written_and_read_as_frozen(game: Game, text: str) -> None:
    assert write_game(game) == text
    assert read_game(text) == game
    assert read_game(f"  {text}\n") == game


def test_options_are_written_only_where_they_differ_from_the_ruleset_s_own_defaults() -> None:
    assert write_options(ruleset("classic_ja_alt").options, "classic_ja_alt") == ""
    assert write_options(ruleset("classic_ja_alt").options, "classic") == (
        "full_house_score=sum,small_straight_score=15,large_straight_score=30"
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_game"),
        ("fairwind/1 classic by_turn", "bad_game"),
        (f"fairwind/2 classic by_turn key={HEX}:", "bad_game"),
        (f"fairwind/1 classic sideways key={HEX}:", "bad_game"),
        (f"fairwind/1 classic by_turn key={HEX[:-1]}:", "bad_game"),
        (f"fairwind/1 classic by_turn key={HEX}0:", "bad_game"),
        (f"fairwind/1 classic by_turn key={HEX.upper()}:", "bad_game"),
        (f"fairwind/1 classic by_turn key={HEX}", "bad_game"),
        (f"fairwind/1 classic by_turn shared seats=2 key={HEX}:", "bad_game"),
        (f"fairwind/1 classic by_turn key={HEX}:r", "bad_game"),
        (f"fairwind/1 classic by_turn key={HEX}: r  r", "bad_game"),
        (f"fairwind/1 chess by_turn key={HEX}:", "unknown_ruleset"),
        (f"fairwind/1 classic[wind=north] by_turn key={HEX}:", "unknown_option"),
        (f"fairwind/1 classic[joker=none,joker=none] by_turn key={HEX}:", "bad_game"),
        (f"fairwind/1 classic[joker=none,,extra_five=0] by_turn key={HEX}:", "unknown_option"),
        (f"fairwind/1 classic[] by_turn key={HEX}:", "unknown_option"),
        (f"fairwind/1 classic[joker] by_turn key={HEX}:", "bad_option"),
        (f"fairwind/1 classic[joker=wild] by_turn key={HEX}:", "bad_option"),
        (f"fairwind/1 classic[locked_dice=True] by_turn key={HEX}:", "bad_option"),
        (f"fairwind/1 yatzy[extra_yatzy=none,joker_upper=wild] by_turn key={HEX}:", "contradicting_options"),
        (f"fairwind/1 classic by_turn key={HEX}: r q", "bad_move"),
        (f"fairwind/1 classic by_turn key={HEX}: s14", "bad_move"),
    ],
)
def test_what_is_not_a_game_is_unreadable(text: str, code: str) -> None:
    with pytest.raises(Unreadable) as found:
        read_game(text)
    assert found.value.code == code


def test_a_game_whose_table_cannot_be_set_up_is_read_but_not_played() -> None:
    for words in ("seats=7", "seats=0", "seats=2 first=2", "seats=2 corrections"):
        game = read_game(f"fairwind/1 classic by_turn {words} key={HEX}:")
        with pytest.raises(Unreadable) as found:
            game.start()
        assert found.value.code == "bad_seats"


def test_a_game_whose_moves_break_the_rules_is_read_but_not_played() -> None:
    with pytest.raises(IllegalMove):
        read_game(f"fairwind/1 classic by_turn key={HEX}: r s1 s2").play()


moves = st.one_of(
    st.builds(Roll, st.sets(st.integers(0, 4)).map(lambda keep: tuple(sorted(keep)))),
    st.sampled_from([Score(box.key) for box in CLASSIC.boxes]),
    st.just(Undo()),
)


games = st.builds(
    Game,
    ruleset=st.just(CLASSIC),
    key=st.binary(min_size=32, max_size=32),
    moves=st.lists(moves, max_size=60).map(tuple),
    addressing=st.sampled_from(Addressing),
    seats=st.integers(1, 6),
    first=st.integers(0, 5),
    shared_dice=st.booleans(),
    corrections=st.booleans(),
)


@given(games)
def test_any_game_comes_back_as_it_was_written(game: Game) -> None:
    assert read_game(write_game(game)) == game


def test_every_ruleset_with_options_drawn_by_lot_comes_back_as_the_same_object() -> None:
    for rules in mixtures(300):
        assert read_game(write_game(Game(rules, KEY))).ruleset is rules


@given(games, st.data())
def test_a_game_with_a_sign_changed_is_another_game_or_unreadable(game: Game, data: st.DataObject) -> None:
    text = write_game(game)
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + data.draw(st.characters()) + text[at + 1 :]
    if changed.strip() != text:
        with suppress(Unreadable):
            assert read_game(changed) != game


def test_every_box_of_every_ruleset_has_its_number() -> None:
    for variant in VARIANTS:
        rules = ruleset(variant.id)
        for number, box in enumerate(rules.boxes, start=1):
            assert write_move(rules, Score(box.key)) == f"s{number}"
            assert read_move(rules, f"s{number}") == Score(box.key)


def test_a_long_game_reads_in_no_time_worth_speaking_of() -> None:
    words = " ".join(random.Random(1).choice(["r", "r03", "s8", "u"]) for _ in range(20_000))
    assert len(read_game(f"fairwind/1 classic by_turn key={HEX}: {words}").moves) == 20_000
