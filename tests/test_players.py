"""The computer players: what they may and may not do, how strong they are, and that there is always one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from app.coach.levels import PERFECT, taste
from app.coach.making import Tables
from app.coach.players import Computers, Mind, calibration, levels_of, manner_of, positions, solvable, strength
from app.coach.simulate import simulate
from app.coach.states import states
from app.game.card import card_from
from app.game.dice import Stream
from app.game.errors import Unreadable
from app.game.rules import Box, Ruleset
from app.game.rulesets import VARIANTS, ruleset
from app.game.scores import Faces, Groups
from app.game.state import Move, Roll, Score, Seat, State, apply, legal, start
from app.settings import Settings
from tests.support.web import open_world

NAMES = ["novice", "casual", "skilled", "perfect"]
BELOW_PERFECT = NAMES[:3]
UNMEASURED = {"maxi_yatzy"}
"""Its table takes most of an hour, so no test counts on figures of it."""


@pytest.fixture
def computers(tables: Tables) -> Computers:
    """The players, on tables that are there when they are needed."""
    return Computers(tables, random.Random(11))


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def play(computers: Computers, rules: Ruleset, level: str, number: int, seats: int = 1) -> Iterator[tuple[State, Move]]:
    """Play a game, every seat by the same level, and give each state with the move chosen there."""
    state, stream = start(rules, seats), Stream(key(number))
    while not state.over:
        move = computers.choose(state, level)
        yield state, move
        # Refuses whatever the rules do not allow.
        state = apply(state, move, stream)


GAMES_TO_PLAY: list[tuple[str, dict[str, object]]] = [
    ("yacht_ww", {}),
    ("crag", {}),
    ("generala", {"served_wins": False}),
    ("yatzy_kids", {"locked_dice": True, "size": 10}),
    ("yatzy_kids", {"forced_order": True}),
    ("cheerio", {}),
]


@pytest.mark.parametrize("level", NAMES)
@pytest.mark.parametrize(("id_", "options"), GAMES_TO_PLAY)
def test_whole_games_are_legal_without_haste_and_without_a_needless_zero(
    computers: Computers, id_: str, options: dict[str, object], level: str
) -> None:
    rules = ruleset(id_, options)
    rolls = turns = 0
    for number in range(12):
        for state, move in play(computers, rules, level, number):
            match move:
                case Roll():
                    rolls += 1
                case Score(box):
                    turns += 1
                    boxes = legal(state).boxes
                    # Best play gives up a box now and then, where that costs nothing; the others never do.
                    needless = not boxes[box] and any(boxes.values())
                    assert level == PERFECT or not needless
    assert turns == 12 * len(rules.boxes)
    assert rolls / turns > 1.5


@pytest.mark.parametrize("level", NAMES)
def test_a_table_of_several_players_plays_on_whatever_happens_to_their_cards(computers: Computers, level: str) -> None:
    # The immediate win ends games of Generala early; what the exact solution of the solo game says is still played.
    for number in range(6):
        *_, (state, move) = play(computers, ruleset("generala"), level, number, seats=3)
        assert apply(state, move, Stream(key(number))).over


def test_the_perfect_player_gives_a_box_up_only_where_that_is_best(tables: Tables, computers: Computers) -> None:
    rules = ruleset("crag")
    mind = Mind(tables.make(rules))
    for number in range(20):
        for state, move in play(computers, rules, PERFECT, number):
            if isinstance(move, Score):
                worths = mind.coach.advise(state.card, state.dice or (), state.rolls_left).boxes
                assert worths[move.box] >= max(worths.values()) - 1e-4


def test_the_perfect_player_leaves_nothing_to_chance(tables: Tables) -> None:
    rules = ruleset("yacht_ww")
    first, second = (Computers(tables, random.Random(seed)) for seed in (1, 2))
    assert list(play(first, rules, PERFECT, 3)) == list(play(second, rules, PERFECT, 3))


def test_the_others_waver(tables: Tables) -> None:
    rules = ruleset("yacht_ww")
    for level in BELOW_PERFECT:
        games = {
            tuple(move for _, move in play(Computers(tables, random.Random(n)), rules, level, 3)) for n in range(5)
        }
        assert len(games) > 1


def test_a_made_straight_is_not_thrown_away(computers: Computers) -> None:
    # Forty points at once on an empty card: even a novice takes them, or goes on from four of the five dice now and then.
    state = replace(start(ruleset("yacht_ww")), roll=1, dice=(2, 3, 4, 5, 6))
    moves = [computers.choose(state, "novice") for _ in range(200)]
    assert sum(isinstance(move, Score) for move in moves) > 150
    assert {move.box for move in moves if isinstance(move, Score)} <= {"large_straight", "small_straight", "chance"}


# What looks good


def keep_counts(rules: Ruleset, *open_boxes: str) -> dict[tuple[int, ...], float]:
    found = taste(rules)
    places = tuple(rules.place(box) for box in open_boxes)
    return dict(zip(found.sheet.odds.stack, found.of_keeps(places).tolist(), strict=True))


def test_four_and_five_alike_and_straights_are_what_looks_good() -> None:
    rules = ruleset("classic")
    found = taste(rules)
    keys = [box.key for box in rules.boxes]
    assert {keys[place]: size for place, size in found.alike.items()} == {"four_of_a_kind": 4, "five_of_a_kind": 5}
    assert {keys[place]: size for place, size in found.runs.items()} == {"small_straight": 4, "large_straight": 5}
    counts = keep_counts(rules, "four_of_a_kind", "large_straight", "chance")
    assert [counts[keep] for keep in ((), (4,), (4, 4), (4, 4, 4), (2, 3, 4), (2, 3, 4, 5), (1, 3, 4, 5))] == [
        0, 0, 2, 3, 3, 4, 4,
    ]  # fmt: skip
    assert counts[1, 1, 6, 6] == 0


def test_what_is_filled_does_not_tempt() -> None:
    counts = keep_counts(ruleset("classic"), "ones", "full_house", "chance")
    assert not any(counts.values())
    counts = keep_counts(ruleset("classic"), "small_straight")
    assert counts[4, 4, 4] == 0
    assert counts[2, 3, 4] == 3
    # All five can be kept of no roll, and 1, 3, 5 go for no straight of four.
    assert counts[1, 3, 5] == 0


def test_wild_faces_and_points_by_roll_hide_nothing_and_fewer_dice_ask_for_fewer_alike() -> None:
    for id_, sizes in (("red_hot", [4, 5]), ("generala", [4, 5, 5]), ("crag", [3])):
        assert sorted(taste(ruleset(id_)).alike.values()) == sizes
    assert set(taste(ruleset("generala")).runs.values()) == {5}
    assert set(taste(ruleset("crag")).runs.values()) == {3}


# How strong they are


def test_every_ruleset_has_measured_levels() -> None:
    assert set(calibration()) | UNMEASURED == {variant.id for variant in VARIANTS}
    for id_, levels in calibration().items():
        assert list(levels) == NAMES, id_
        assert all(one.games >= 100_000 for one in levels.values())
        assert strength(id_) == {name: (one.mean, one.standard_error) for name, one in levels.items()}


def test_the_levels_reach_the_wanted_parts_of_the_perfect_mean() -> None:
    for id_, levels in calibration().items():
        means = [levels[name].mean for name in NAMES]
        shares = [mean / means[-1] for mean in means]
        assert shares == pytest.approx([0.66, 0.80, 0.92, 1.0], abs=0.015), id_
        assert all(0 < one.standard_error < 0.01 * one.mean for one in levels.values())


def test_the_measured_perfect_mean_of_classic_is_the_known_one() -> None:
    # Source: several independent public solvers, for the forced joker: 254.5877 with a deviation of 59.608.
    measured = calibration()["classic"]["perfect"]
    assert measured.standard_error == pytest.approx(59.608 / measured.games**0.5, rel=0.02)
    assert abs(measured.mean - 254.5877) < 4 * measured.standard_error


@pytest.mark.parametrize("level", NAMES)
@pytest.mark.parametrize("id_", ["yacht_ww", "crag"])
def test_the_measured_means_are_those_that_games_still_bring(tables: Tables, id_: str, level: str) -> None:
    table = tables.make(ruleset(id_))
    found = simulate(table, 4000, seed=21, manner=manner_of(table, level))
    mean, standard_error = strength(id_)[level]
    assert abs(found.mean - mean) < 4 * (found.standard_error + standard_error)


def test_a_game_that_nobody_measured_has_levels_of_about_the_usual_strength(tables: Tables) -> None:
    rules = replace(ruleset("yatzy_kids"), id="new")
    assert strength("new") == {}
    table = tables.make(rules)
    means = [simulate(table, 4000, 1, manner=manner_of(table, name)).mean / table.expected for name in NAMES]
    assert means == sorted(means)
    assert means == pytest.approx([0.66, 0.80, 0.92, 1.0], abs=0.08)


# Who there is


@pytest.mark.parametrize("level", ["champion", "", "Perfect"])
def test_an_unknown_level_is_refused_with_those_that_there_are(computers: Computers, level: str) -> None:
    for ask in (
        lambda: computers.seconds_to_wait(ruleset("crag"), level),
        lambda: computers.choose(start(ruleset("crag")), level),
    ):
        with pytest.raises(Unreadable, match="novice, casual, skilled, perfect") as refused:
            ask()
        assert refused.value.code == "unknown_level"


def test_saved_rolls_have_no_exact_solution_and_only_the_levels_that_need_none(computers: Computers) -> None:
    rules = ruleset("maxi_yatzy", {"saved_rolls": True, "maxi_bonus": "75_50"})
    assert levels_of(rules) == ("novice", "casual")
    assert levels_of(ruleset("maxi_yatzy")) == tuple(NAMES)
    with pytest.raises(Unreadable, match=r"no exact solution, has the levels novice, casual, not 'perfect'"):
        computers.seconds_to_wait(rules, PERFECT)
    thought = solvable(rules)
    assert thought.options == {**rules.options, "saved_rolls": False}
    assert not thought.saved_rolls


def test_saved_rolls_are_played_by_the_game_without_them(tables: Tables) -> None:
    boxes = (Box("sixes", Faces(6), face=6), Box("three", Groups((3,), 30)), Box("pair", Groups((2,), "used")))
    plain = Ruleset("pooled", {}, boxes, dice=3)
    saved = replace(plain, options={"saved_rolls": True}, saved_rolls=True)
    mind, chance = Mind(tables.make(plain)), random.Random(1)
    used = 0
    for number in range(30):
        state, stream = start(saved), Stream(key(number))
        while not state.over:
            used = max(used, state.roll)
            state = apply(state, mind.choose(state, "novice", chance.random()), stream)
    # The fourth roll of a turn and later ones come from the pool.
    assert used > 3


def test_a_lost_entry_of_another_seat_changes_nothing_in_how_a_player_thinks(tables: Tables) -> None:
    # The rule of lost entries is one between seats: alone it is the same game, so it has the same table.
    plain, strict = (ruleset("kismet", {"kismet_penalty": penalty}) for penalty in (False, True))
    assert levels_of(strict) == tuple(NAMES)
    assert tables.path(states(plain)) == tables.path(states(strict))


# Dice to keep


@pytest.mark.parametrize(
    ("dice", "keep", "locked", "expected"),
    [
        ((4, 2, 4, 4, 5), (4, 4, 4), (), (0, 2, 3)),
        ((4, 2, 4, 4, 5), (), (), ()),
        ((4, 4, 4, 4, 4), (4, 4), (), (0, 1)),
        ((4, 4, 4, 4, 4), (4, 4), (3,), (0, 3)),
        ((6, 1, 6, 2, 1), (1, 2, 6), (2, 4), (2, 3, 4)),
    ],
)
def test_kept_faces_become_positions_with_the_locked_ones_among_them(
    dice: tuple[int, ...], keep: tuple[int, ...], locked: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert positions(dice, keep, locked) == expected


def test_a_turn_begins_with_a_roll_and_no_table_is_needed_for_that(tmp_path: Path) -> None:
    assert Computers(Tables(tmp_path)).choose(start(ruleset("classic")), PERFECT) == Roll()
    assert list(tmp_path.iterdir()) == []


def test_two_open_boxes_of_classic_are_played_as_anybody_would(computers: Computers) -> None:
    rules = ruleset("classic")
    points = {box.key: 0 for box in rules.boxes if box.key not in {"sixes", "chance"}}
    state = replace(start(rules), seats=(Seat(card_from(rules, points)),), roll=3, dice=(6, 6, 6, 6, 1))
    assert computers.choose(state, PERFECT) == Score("sixes")
    assert computers.choose(replace(state, dice=(4, 5, 5, 6, 4)), PERFECT) == Score("chance")
    assert computers.choose(replace(state, roll=2), PERFECT) == Roll((0, 1, 2, 3))


# Waiting for a table


@contextmanager
def own(folder: Path) -> Iterator[Computers]:
    """Players on a folder of their own."""
    found = Computers(Tables(folder), random.Random(5))
    try:
        yield found
    finally:
        found.close()


def test_a_missing_table_is_begun_and_one_is_told_how_long_it_takes(tmp_path: Path) -> None:
    rules = ruleset("yatzy_kids")
    with own(tmp_path / "tables") as computers:
        assert computers.seconds_left(rules) is None
        assert computers.seconds_to_wait(rules, "novice") >= 1
        computers.tables.wait()
        assert computers.seconds_left(rules) == 0
        assert computers.seconds_to_wait(rules, "novice") == 0


def test_tables_are_made_one_at_a_time_however_many_are_asked_for(tmp_path: Path) -> None:
    first, second = (ruleset("yacht", {"straights": straights}) for straights in ("30_30", "15_20"))
    with own(tmp_path / "tables") as computers:
        wait = computers.seconds_to_wait(first, PERFECT)
        assert computers.seconds_to_wait(second, PERFECT) >= wait
        assert computers.seconds_left(second) is None
        computers.tables.wait()
        assert computers.seconds_to_wait(second, PERFECT) >= 1
        computers.tables.wait()
        assert [computers.seconds_to_wait(rules, PERFECT) for rules in (first, second)] == [0, 0]


def test_who_is_asked_to_move_without_a_table_makes_it(tmp_path: Path) -> None:
    state = apply(start(ruleset("crag")), Roll(), Stream(key(1)))
    with own(tmp_path / "tables") as computers:
        move = computers.choose(state, PERFECT)
        assert computers.seconds_to_wait(ruleset("crag"), PERFECT) == 0
        assert computers.choose(state, PERFECT) == move


# At a table of the real application


def test_a_whole_game_against_three_levels_is_played_over_the_api(tables: Tables, tmp_path: Path) -> None:
    tables.make(ruleset("crag"))
    (tmp_path / "tables").symlink_to(tables.folder)
    with open_world(Settings(data=tmp_path)) as world:
        person = world.visitor()
        person.identify("Aino")
        game = person.new_game("crag", kind="computer", levels=["perfect", "novice", "skilled"])
        game = person.play_out(game)
        assert [seat["computer"] for seat in game["seats"]] == [None, "perfect", "novice", "skilled"]
        assert all(None not in seat["card"].values() for seat in game["seats"])
        assert game["outcome"]["winners"] == [
            seat["seat"] for seat in game["seats"] if seat["total"] == max(one["total"] for one in game["seats"])
        ]
        refused = person.post("/api/v1/games", json={"kind": "computer", "ruleset": "crag", "levels": ["champion"]})
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "unknown_level")
