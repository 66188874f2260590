"""Advice on positions, and the ledger of luck and choice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from app.coach.advice import Advice, Coach
from app.coach.ledger import Ledger, ledger
from app.coach.making import Tables
from app.coach.odds import chance as chance_of
from app.coach.policy import STOP, Judged, choose_keep, preferred
from app.game.card import Card, card_from
from app.game.dice import Dice, Stream
from app.game.errors import Unreadable
from app.game.rules import Box, Ruleset
from app.game.rulesets import VARIANTS, ruleset
from app.game.scores import Groups
from app.game.state import Move, Roll, Score, State, Undo, apply, start
from tests.support.brute import Brute, Turn, random_card, thrown
from tests.support.small import JOKERS, PAIR, SMALL, TRIPLE, UPPER, called, small
from tests.support.solved import THOROUGH
from tests.support.table import Loaded, Scripted, random_move

GAMES = 1_000 if THOROUGH else 20

IN_ORDER = [
    ruleset(variant.id, {"forced_order": True})
    for variant in VARIANTS
    if any(option.name == "forced_order" for option in variant.options)
]
QUICK = [ruleset(id_) for id_ in ("crag", "generala", "cheerio", "yatzy_kids", "yacht")]
QUICK += [ruleset("yatzy_kids", {"locked_dice": True}), ruleset("yacht", {"locked_dice": True})]


@pytest.fixture(scope="module")
def classic(tables: Tables) -> Coach:
    """A coach of the classic game."""
    return Coach(tables.make(ruleset("classic")))


def late(coach: Coach, seed: int, open_boxes: int = 1) -> Card:
    """Make a random card near its end."""
    return random_card(coach.rules, open_boxes, random.Random(seed))


@pytest.mark.parametrize("rules", [*SMALL, *QUICK], ids=called)
def test_every_keep_and_every_box_is_worth_what_brute_force_says(tables: Tables, rules: Ruleset) -> None:
    coach = Coach(tables.make(rules))
    chance = random.Random(5)
    card = random_card(rules, 1, chance)
    turn = Turn(Brute(rules), card)
    for left in range(rules.rolls):
        dice = chance.choice(coach.odds.rolls)
        locked = (dice[0],) if rules.locked_dice and 0 < left < rules.rolls - 1 else ()
        advice = coach.advise(card, dice, left, locked=locked)
        roll = rules.rolls - left
        for worth in advice.keeps:
            assert worth.expected + card.total == pytest.approx(turn.mean(worth.keep, roll), abs=2e-6)
        previews = card.previews(dice, roll)
        totals = {
            key: card.write(rules.place(key), dice, roll).total for key, one in previews.items() if not one.reason
        }
        assert {key: worth + card.total for key, worth in advice.boxes.items()} == pytest.approx(totals, abs=2e-6)
        loose = list(dice)
        for face in locked:
            loose.remove(face)
        keeps = {tuple(sorted(locked + more)) for more in Turn.fewer(tuple(loose))} if left else set()
        assert {worth.keep for worth in advice.keeps} == keeps
        assert len(advice.keeps) == len(keeps)


def test_advice_lists_the_keeps_best_first_and_never_all_dice(classic: Coach) -> None:
    advice = classic.advise(Card.empty(classic.rules), (6, 1, 6, 3, 6), 2)
    assert [worth.expected for worth in advice.keeps] == sorted((one.expected for one in advice.keeps), reverse=True)
    assert all(len(worth.keep) < 5 for worth in advice.keeps)
    assert (advice.best, advice.value) == ((6, 6, 6), advice.keeps[0].expected)
    assert list(advice.boxes) == [box.key for box in classic.rules.boxes]


def test_with_no_roll_left_only_boxes_are_advised(classic: Coach) -> None:
    advice = classic.advise(Card.empty(classic.rules), (2, 3, 4, 5, 6), 0)
    assert advice.keeps == ()
    assert advice.best == "large_straight"
    assert advice.value == advice.boxes["large_straight"] == max(advice.boxes.values())


def test_a_joker_closes_boxes_and_brings_its_bonus(classic: Coach) -> None:
    written = {"five_of_a_kind": 50, "ones": 3, "twos": 6, "threes": 9, "fives": 15, "sixes": 18}
    card = card_from(classic.rules, written)
    advice = classic.advise(card, (4, 4, 4, 4, 4), 0)
    assert list(advice.boxes) == ["fours"]
    # 20 points, the bonus of 100, the upper bonus of 35 with 71 points above, and what the other boxes still bring.
    after = classic.table.to_come(card.write(3, (4, 4, 4, 4, 4), 3))
    assert advice.value == pytest.approx(20 + 100 + 35 + after, abs=2e-6)


def test_a_value_counts_the_upper_bonus_only_until_it_is_earned(classic: Coach) -> None:
    lower = {box.key: 0 for box in classic.rules.boxes if not box.upper}
    ahead = {**lower, "ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15}
    before = classic.advise(card_from(classic.rules, ahead), (6, 6, 6, 1, 2), 0)
    earned = classic.advise(card_from(classic.rules, ahead | {"fours": 20, "fives": 25}), (6, 6, 6, 1, 2), 0)
    assert before.value == 18 + 35
    assert earned.value == 18


def test_a_correction_is_advised_for_the_roll_that_the_dice_lie_on(tables: Tables) -> None:
    coach = Coach(tables.make(ruleset("generala")))
    card = Card.empty(coach.rules)
    served = coach.advise(card, (3, 3, 3, 2, 2), 0, roll=1)
    later = coach.advise(card, (3, 3, 3, 2, 2), 0)
    assert served.boxes["full_house"] == pytest.approx(later.boxes["full_house"] + 5)
    assert served.boxes["ones"] == later.boxes["ones"]


@pytest.mark.parametrize("seed", range(6))
def test_the_best_of_all_rolls_is_on_average_what_the_keep_before_was_worth(classic: Coach, seed: int) -> None:
    chance = random.Random(seed)
    card = late(classic, seed, chance.randint(1, 13))
    keep = tuple(sorted(chance.choices(range(1, 7), k=chance.randint(0, 4))))
    turn = classic.turns([card])[0]
    for left in (1, 2, 3):
        before = turn.keeps[left][classic.odds.stack_row[keep]] if left < 3 else turn.start
        held = keep if left < 3 else ()
        best = 0.0
        for more, _ in thrown(5 - len(held)):
            advice = classic.advise(card, held + more, left - 1)
            best += chance_of(more) * (advice.value + card.upper_bonus)
        assert best == pytest.approx(before, abs=5e-6)


# ------------------------------------------------------------------------------------------ what is chosen among equals


def only_open(coach: Coach, *keys: str) -> Card:
    """Make a card on which everything but these boxes holds 0."""
    return card_from(coach.rules, {box.key: 0 for box in coach.rules.boxes if box.key not in keys})


@pytest.mark.parametrize(
    ("open_boxes", "dice", "left", "best"),
    [
        # Whatever is thrown, nothing can be gained any more: score at once.
        (("five_of_a_kind",), (6, 6, 6, 6, 6), 2, "five_of_a_kind"),
        # For five alike any one die is as good as any other or none, and so is each of two pairs.
        (("five_of_a_kind",), (1, 2, 3, 4, 6), 1, (6,)),
        (("five_of_a_kind",), (2, 2, 5, 5, 6), 2, (5, 5)),
        # Either four need a five.
        (("large_straight",), (1, 2, 3, 4, 6), 1, (2, 3, 4, 6)),
    ],
)
def test_among_equals_scoring_comes_first_then_more_dice_then_higher_faces(
    classic: Coach, open_boxes: Sequence[str], dice: Dice, left: int, best: object
) -> None:
    card = only_open(classic, *open_boxes)
    advice = classic.advise(card, dice, left)
    assert advice.best == best
    assert advice.value == max([one.expected for one in advice.keeps] + list(advice.boxes.values()))


def test_among_equal_boxes_the_first_on_the_sheet_is_taken() -> None:
    worth = np.array([[1.0, 2.0], [3.0, 2.0 - 9e-5], [3.0 + 9e-5, 1.0]])
    numbers = np.zeros((3, 2), dtype=np.intp)
    judged = Judged((0, 4, 7), worth, numbers, numbers, numbers, numbers[0])
    assert judged.choose().tolist() == [1, 0]


def test_what_is_worth_a_little_more_is_chosen_only_beyond_the_tolerance() -> None:
    offered = np.array([[10, 20]])
    keeps = np.array([[[1.0, 1.0, 1.0], [1.0 + 9e-5, 1.0 + 2e-4, 0.5]]])
    assert choose_keep(keeps, offered, np.array([[0.0, 0.0, 1.0 - 5e-5]])).tolist() == [[10, 20, STOP]]


def test_keeps_are_preferred_by_number_then_by_their_highest_faces() -> None:
    keeps: list[Dice] = [(), (6,), (1, 6), (5, 5), (2, 6), (1, 1, 1)]
    assert sorted(keeps, key=preferred) == [(1, 1, 1), (2, 6), (1, 6), (5, 5), (6,), ()]


# ---------------------------------------------------------------------------------------------- what cannot be advised


@pytest.mark.parametrize(
    ("dice", "left", "locked", "code"),
    [
        ((1, 2, 3, 4), 1, (), "bad_dice"),
        ((1, 2, 3, 4, 7), 1, (), "bad_dice"),
        ((1, 2, 3, 4, 5), 3, (), "bad_roll"),
        ((1, 2, 3, 4, 5), -1, (), "bad_roll"),
        ((1, 2, 3, 4, 5), 1, (1,), "bad_locked"),
    ],
)
def test_a_position_that_cannot_be_is_refused(classic: Coach, dice: Dice, left: int, locked: Dice, code: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        classic.advise(Card.empty(classic.rules), dice, left, locked=locked)
    assert refusal.value.code == code


@pytest.mark.parametrize(("left", "locked"), [(2, (1,)), (1, (6,)), (1, (1, 1))])
def test_dice_are_locked_only_if_they_are_there_and_after_the_second_roll(
    tables: Tables, left: int, locked: Dice
) -> None:
    coach = Coach(tables.make(ruleset("yacht", {"locked_dice": True})))
    with pytest.raises(Unreadable, match="locked"):
        coach.advise(Card.empty(coach.rules), (1, 2, 3, 4, 5), left, locked=locked)


def test_a_full_card_has_nothing_to_choose(classic: Coach) -> None:
    with pytest.raises(Unreadable, match="filled"):
        classic.advise(only_open(classic), (1, 2, 3, 4, 5), 0)


# ------------------------------------------------------------------------------------------------------------- the ledger


def random_game(
    rules: Ruleset, seed: int, *, seats: int = 1, corrections: bool = False
) -> tuple[list[State], list[Move]]:
    """Play a game by lot, with dice that are often all alike; now and then an entry is taken back."""
    chance = random.Random(seed)
    stream = Loaded(chance) if seed % 2 else Stream(chance.randbytes(32))
    states, moves = [start(rules, seats, corrections=corrections)], list[Move]()
    while not states[-1].over:
        undo = states[-1].before is not None and chance.random() < 0.3
        move = Undo() if undo else random_move(states[-1], chance)
        moves.append(move)
        states.append(apply(states[-1], move, stream))
    return states, moves


def adds_up(book: Ledger) -> bool:
    """Tell whether the ledger's sum is the total, to the last digits."""
    return abs(book.start + book.luck - book.given + book.outside - book.total) < 1e-9


@pytest.mark.parametrize("rules", [*SMALL, *JOKERS, *QUICK, *IN_ORDER], ids=called)
def test_luck_and_choice_add_up_to_the_total_whatever_was_played(tables: Tables, rules: Ruleset) -> None:
    coach = Coach(tables.make(rules))
    for seed in range(GAMES):
        states, moves = random_game(rules, seed)
        book = ledger(coach, states, moves)
        assert adds_up(book)
        assert book.outside == 0
        assert book.total == states[-1].seats[0].card.total
        assert all(decision.given >= 0 for turn in book.turns for decision in turn.decisions)


def test_the_ledger_of_classic_games_adds_up_with_jokers_extra_fives_and_corrections(classic: Coach) -> None:
    extra = 0
    for seed in range(3 * GAMES):
        states, moves = random_game(classic.rules, seed, corrections=True)
        assert adds_up(ledger(classic, states, moves))
        extra += states[-1].seats[0].card.extra
    assert extra > 0


def test_an_entry_taken_back_does_not_count(tables: Tables) -> None:
    coach = Coach(tables.make(ruleset("yatzy_kids")))
    states, moves = [start(coach.rules, corrections=True)], list[Move]()

    def do(move: Move, faces: str = "11111") -> None:
        moves.append(move)
        states.append(apply(states[-1], move, Scripted(faces)))

    do(Roll(), "66661")
    do(Score("ones"))
    do(Undo())
    do(Score("sixes"))
    for box in ("ones", "twos", "threes", "fours", "fives", "one_pair", "chance"):
        do(Roll(), "12345")
        do(Score(box))
    book = ledger(coach, states, moves)
    assert adds_up(book)
    assert [turn.decisions[-1].chosen for turn in book.turns][:2] == ["sixes", "ones"]
    assert len(book.turns) == 8


def test_the_perfect_player_gives_nothing_away_and_forced_choices_are_marked(tables: Tables) -> None:
    coach = Coach(tables.make(ruleset("yacht")))
    stream = Stream(bytes(range(32)))
    states, moves = [start(coach.rules)], list[Move]()
    while not states[-1].over:
        moves.append(perfect(coach, states[-1]))
        states.append(apply(states[-1], moves[-1], stream))
    book = ledger(coach, states, moves)
    assert book.given < 1e-3
    assert all(one.chosen == one.best for turn in book.turns for one in turn.decisions)
    forced = [one.forced for turn in book.turns for one in turn.decisions]
    last = book.turns[-1].decisions[-1]
    assert sum(forced) == (last.rolls_left == 0)


def perfect(coach: Coach, state: State) -> Move:
    """Choose the best move."""
    if state.dice is None:
        return Roll()
    advice: Advice = coach.advise(state.card, state.dice, state.rolls_left)
    if isinstance(advice.best, str):
        return Score(advice.best)
    places: list[int] = []
    for face in advice.best:
        places.append(next(n for n, shown in enumerate(state.dice) if shown == face and n not in places))
    return Roll(tuple(places))


def test_what_others_do_to_a_card_is_kept_apart(tmp_path: Path) -> None:
    rules = small("penalty", *UPPER, PAIR, TRIPLE, five_box="triple", penalty=True)
    coach = Coach(Tables(tmp_path).make(rules))
    lost = 0
    for seed in range(1, 2 * GAMES, 2):
        states, moves = random_game(rules, seed, seats=3)
        books = [ledger(coach, states, moves, seat) for seat in range(3)]
        assert all(adds_up(book) for book in books)
        lost += sum(book.outside < -1 for book in books)
    assert lost > 0


def test_a_game_that_is_won_at_once_leaves_what_was_still_to_come_outside(tables: Tables) -> None:
    coach = Coach(tables.make(ruleset("generala")))
    states, moves = [start(coach.rules, 2)], list[Move]()
    for move, faces in ((Roll(), "66612"), (Score("sixes"), ""), (Roll(), "33333")):
        moves.append(move)
        states.append(apply(states[-1], move, Scripted(faces)))
    assert states[-1].over
    first, second = (ledger(coach, states, moves, seat) for seat in range(2))
    assert adds_up(first)
    assert adds_up(second)
    assert (len(first.turns), len(second.turns)) == (1, 0)
    assert second.outside == pytest.approx(-coach.table.expected, abs=1e-6)


def test_a_rule_on_the_first_roll_is_reviewed_by_the_roll_that_was_scored(tmp_path: Path) -> None:
    rules = small("served", *UPPER, Box("triple", Groups((3,), 30)), Box("pair", Groups((2,), "used")))
    coach = Coach(Tables(tmp_path).make(rules))
    states, moves = random_game(rules, 4)
    book = ledger(coach, states, moves)
    assert [len(turn.rolls) for turn in book.turns] == [len(turn.decisions) for turn in book.turns]
    assert sum(len(turn.rolls) for turn in book.turns) == sum(isinstance(move, Roll) for move in moves)
