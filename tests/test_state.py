"""The turn machine: rolling, keeping, scoring, saving rolls, taking back."""

from __future__ import annotations

from itertools import combinations

import pytest

from app.game.dice import Addressing, Stream
from app.game.errors import Reason, Unreadable
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from app.game.state import Outcome, Roll, Score, State, Undo, apply, legal, outcome, replay, start
from tests.support.table import Scripted, dice, keep_and_roll, play, refused, rolled

CLASSIC = ruleset("classic")
KEY = bytes(range(32))
NO_DICE = Scripted()


def fill(state: State, boxes: int, faces: str = "12346") -> State:
    """Fill so many boxes of each seat, from the bottom of the sheet, with the same dice."""
    for _ in range(boxes * len(state.seats)):
        state = rolled(state, faces)
        state = apply(state, Score(list(legal(state).boxes)[-1]), NO_DICE)
    return state


# A turn


def test_a_turn_begins_with_a_roll_of_all_dice() -> None:
    state = start(CLASSIC)
    assert (state.turn, state.roll, state.rolls_left, state.dice) == (1, 0, 3, None)
    found = legal(state)
    assert (found.roll, found.undo, found.boxes) == (True, False, {})
    assert set(found.closed.values()) == {Reason.ROLL_FIRST}
    assert refused(state, Score("chance")) is Reason.ROLL_FIRST
    assert refused(state, Roll((0,))) is Reason.ROLL_FIRST


def test_dice_being_rolled_take_the_first_faces_from_the_left_and_kept_dice_stay() -> None:
    state = rolled(start(CLASSIC), "22566")
    state = keep_and_roll(state, "34", "16344")
    assert state.dice == dice("16366")
    state = keep_and_roll(state, "02", "25111")
    assert state.dice == dice("12351")
    assert (state.kept, state.roll, state.rolls_left) == ((0, 2), 3, 0)


def test_the_same_first_faces_come_whatever_is_kept() -> None:
    first = rolled(start(CLASSIC), "22566")
    assert keep_and_roll(first, "34", "16344").dice == dice("16366")
    assert keep_and_roll(first, "01", "16344").dice == dice("22163")
    assert keep_and_roll(first, "2", "16344").dice == dice("16534")
    assert keep_and_roll(first, "", "16344").dice == dice("16344")


def test_which_of_two_equal_dice_is_kept_does_not_change_what_comes() -> None:
    state = apply(start(CLASSIC), Roll(), Scripted("23344"))
    for size in range(5):
        found: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
        for keep in combinations(range(5), size):
            after = apply(state, Roll(keep), Stream(KEY))
            faces = tuple(sorted(dice("23344")[place] for place in keep))
            assert after.dice is not None
            found.setdefault(faces, set()).add(tuple(sorted(after.dice)))
        assert all(len(outcomes) == 1 for outcomes in found.values())


def test_a_kept_die_may_be_rolled_again_later() -> None:
    state = keep_and_roll(rolled(start(CLASSIC), "66123"), "01", "45511")
    assert keep_and_roll(state, "234", "11111").dice == dice("11455")


def test_three_rolls_are_all_there_are() -> None:
    state = keep_and_roll(keep_and_roll(rolled(start(CLASSIC), "12345"), "", "12345"), "", "12346")
    assert state.rolls_left == 0
    assert not legal(state).roll
    assert refused(state, Roll(())) is Reason.NO_ROLLS_LEFT
    assert refused(state, Roll((0,))) is Reason.NO_ROLLS_LEFT


@pytest.mark.parametrize(
    ("id_", "options", "rolls"), [("cheerio", {}, 2), ("cheerio", {"rolls": 3}, 3), ("crag", {}, 2)]
)
def test_other_games_have_other_numbers_of_rolls(id_: str, options: dict[str, object], rolls: int) -> None:
    state = start(ruleset(id_, options))
    for left in range(rolls, 0, -1):
        assert state.rolls_left == left
        state = apply(state, Roll(), Scripted("123"))
    assert refused(state, Roll()) is Reason.NO_ROLLS_LEFT


def test_rolling_no_die_is_refused() -> None:
    assert refused(rolled(start(CLASSIC), "12345"), Roll((0, 1, 2, 3, 4))) is Reason.NOTHING_TO_ROLL


@pytest.mark.parametrize("keep", [(5,), (-1,), (0, 0), (1, 2, 1)])
def test_a_keep_that_names_no_die_or_one_twice_is_unreadable(keep: tuple[int, ...]) -> None:
    with pytest.raises(Unreadable) as found:
        apply(rolled(start(CLASSIC), "12345"), Roll(keep), Scripted("12345"))
    assert found.value.code == "bad_keep"


def test_keeps_are_remembered_in_order_of_position() -> None:
    assert apply(rolled(start(CLASSIC), "12345"), Roll((4, 0)), Scripted("666")).kept == (0, 4)


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_a_turn_may_end_after_any_roll(rolls: int) -> None:
    state = start(CLASSIC)
    for _ in range(rolls):
        state = apply(state, Roll(), Scripted("12346"))
    state = apply(state, Score("chance"), NO_DICE)
    assert (state.card.total, state.turn, state.roll, state.dice, state.kept) == (16, 2, 0, None, ())
    assert state.rolls_left == 3


def test_any_open_box_may_be_chosen_also_for_nothing() -> None:
    state = apply(rolled(start(CLASSIC), "33333"), Score("fours"), NO_DICE)
    assert (state.card.points[3], state.card.total) == (0, 0)


def test_a_filled_box_a_zero_included_is_closed_for_good() -> None:
    state = rolled(play(start(CLASSIC), "33333 fours"), "44444")
    assert legal(state).closed["fours"] is Reason.FILLED
    assert "fours" not in legal(state).boxes
    assert refused(state, Score("fours")) is Reason.FILLED


def test_a_filled_box_is_filled_before_the_first_roll_too() -> None:
    state = play(start(CLASSIC), "33333 fours")
    assert legal(state).closed["fours"] is Reason.FILLED
    assert refused(state, Score("fours")) is Reason.FILLED


def test_an_unknown_box_is_unreadable() -> None:
    with pytest.raises(Unreadable) as found:
        apply(rolled(start(CLASSIC), "12345"), Score("villa"), NO_DICE)
    assert found.value.code == "unknown_box"


def test_a_box_closed_by_the_joker_rule_is_refused_with_its_reason_and_nothing_changes() -> None:
    state = rolled(play(start(CLASSIC), "11111 five_of_a_kind"), "66666")
    assert legal(state).boxes == {"sixes": 30}
    before = repr(state)
    assert refused(state, Score("chance")) is Reason.JOKER_UPPER
    assert repr(state) == before
    state = rolled(apply(state, Score("sixes"), NO_DICE), "66666")
    assert refused(state, Score("ones")) is Reason.JOKER_LOWER
    assert state.card.total == 50 + 30 + 100


# Locked dice and forced order


def test_locked_dice_stay_once_they_were_kept() -> None:
    state = rolled(start(ruleset("classic", {"locked_dice": True})), "22566")
    assert state.locked == ()
    state = keep_and_roll(state, "34", "26111")
    assert (state.dice, state.locked) == (dice("26166"), (3, 4))
    assert refused(state, Roll((0,))) is Reason.LOCKED_DIE
    assert refused(state, Roll((0, 3))) is Reason.LOCKED_DIE
    third = keep_and_roll(state, "134", "45111")
    assert (third.dice, third.locked) == (dice("46566"), (1, 3, 4))
    assert apply(third, Score("chance"), NO_DICE).locked == ()


def test_dice_are_not_locked_in_the_ordinary_game() -> None:
    assert keep_and_roll(rolled(start(CLASSIC), "22566"), "34", "261").locked == ()


def test_a_forced_order_fills_the_sheet_from_top_to_bottom() -> None:
    rules = ruleset("yatzy", {"forced_order": True})
    state = start(rules)
    for box in rules.boxes:
        state = rolled(state, "12345")
        assert list(legal(state).boxes) == [box.key]
        if box is not rules.boxes[-1]:
            assert refused(state, Score(rules.boxes[-1].key)) is Reason.FORCED_ORDER
        state = apply(state, Score(box.key), NO_DICE)
    assert state.over


# Saved rolls


def test_rolls_that_are_not_used_go_to_the_pool_and_come_out_of_it() -> None:
    state = start(ruleset("maxi_yatzy", {"saved_rolls": True}))
    assert (state.seat.pool, state.rolls_left) == (0, 3)
    pools = []
    for turn, rolls in enumerate((1, 3, 2, 1, 3, 1)):
        for _ in range(rolls):
            state = apply(state, Roll(), Scripted("123456"))
        state = apply(state, Score(state.ruleset.boxes[turn].key), NO_DICE)
        pools.append(state.seat.pool)
    assert pools == [2, 2, 3, 5, 5, 7]
    assert state.rolls_left == 10


def test_a_turn_that_borrows_takes_one_at_a_time_and_saves_nothing() -> None:
    state = apply(rolled(start(ruleset("maxi_yatzy", {"saved_rolls": True})), "123456"), Score("ones"), NO_DICE)
    assert state.seat.pool == 2
    left = []
    for _ in range(5):
        state = apply(state, Roll(), Scripted("123456"))
        left.append((state.rolls_left, state.seat.pool))
    assert left == [(4, 2), (3, 2), (2, 2), (1, 1), (0, 0)]
    assert refused(state, Roll()) is Reason.NO_ROLLS_LEFT
    assert apply(state, Score("twos"), NO_DICE).seat.pool == 0


def test_without_the_option_nothing_is_saved() -> None:
    state = apply(rolled(start(ruleset("maxi_yatzy")), "123456"), Score("ones"), NO_DICE)
    assert (state.seat.pool, state.rolls_left) == (0, 3)


def test_each_seat_has_a_pool_of_its_own() -> None:
    state = start(ruleset("maxi_yatzy", {"saved_rolls": True}), 2)
    state = apply(rolled(state, "123456"), Score("ones"), NO_DICE)
    assert [seat.pool for seat in state.seats] == [2, 0]
    assert state.rolls_left == 3


# The end


def test_a_game_ends_when_every_box_is_filled_and_then_allows_nothing() -> None:
    state = fill(start(CLASSIC), 12)
    assert not state.over
    assert outcome(state) is None
    state = fill(state, 1)
    assert state.over
    assert outcome(state) == Outcome((0,), draw=False)
    assert (state.turn, state.rolls_left) == (13, 0)
    found = legal(state)
    assert (found.roll, found.undo, found.boxes) == (False, False, {})
    assert set(found.closed.values()) == {Reason.FILLED}
    for move in (Roll(), Score("ones"), Undo()):
        assert refused(state, move) is Reason.GAME_OVER


def test_dropping_the_three_of_a_kind_box_makes_twelve_turns() -> None:
    assert fill(start(ruleset("classic", {"three_of_a_kind_box": False})), 12).over


# Corrections


def corrected_game(rules: Ruleset = CLASSIC) -> State:
    return start(rules, corrections=True)


def test_an_entry_can_be_taken_back_for_the_same_dice_with_no_further_roll() -> None:
    state = apply(rolled(corrected_game(), "33333"), Score("fours"), NO_DICE)
    assert legal(state).undo
    state = apply(state, Undo(), NO_DICE)
    assert (state.dice, state.turn, state.roll, state.rolls_left) == (dice("33333"), 1, 1, 0)
    assert refused(state, Roll((0,))) is Reason.NO_ROLLS_LEFT
    assert not legal(state).roll
    assert legal(state).boxes["five_of_a_kind"] == 50
    state = apply(state, Score("five_of_a_kind"), NO_DICE)
    assert (state.card.total, state.card.filled, state.turn) == (50, 1, 2)


def test_the_same_box_may_be_chosen_again_after_taking_it_back() -> None:
    state = apply(apply(rolled(corrected_game(), "12345"), Score("chance"), NO_DICE), Undo(), NO_DICE)
    assert apply(state, Score("chance"), NO_DICE).card.total == 15


def test_an_entry_can_be_taken_back_once_only() -> None:
    state = apply(apply(rolled(corrected_game(), "12345"), Score("chance"), NO_DICE), Undo(), NO_DICE)
    assert refused(state, Undo()) is Reason.NOTHING_TO_UNDO
    assert not legal(state).undo
    state = apply(state, Score("ones"), NO_DICE)
    assert refused(state, Undo()) is Reason.NOTHING_TO_UNDO
    # The next turn's entry can be taken back again.
    state = apply(rolled(state, "22222"), Score("twos"), NO_DICE)
    assert apply(state, Undo(), NO_DICE).card.filled == 1


def test_nothing_can_be_taken_back_once_the_next_roll_was_made() -> None:
    state = rolled(apply(rolled(corrected_game(), "12345"), Score("chance"), NO_DICE), "66666")
    assert refused(state, Undo()) is Reason.NOTHING_TO_UNDO
    state = apply(state, Roll((0,)), Scripted("12345"))
    assert refused(state, Undo()) is Reason.NOTHING_TO_UNDO


def test_nothing_can_be_taken_back_before_the_first_entry_or_after_the_last() -> None:
    assert refused(corrected_game(), Undo()) is Reason.NOTHING_TO_UNDO
    assert refused(rolled(corrected_game(), "12345"), Undo()) is Reason.NOTHING_TO_UNDO
    state = fill(corrected_game(), 13)
    assert not legal(state).undo
    assert refused(state, Undo()) is Reason.GAME_OVER


def test_the_entry_before_the_last_can_still_be_taken_back() -> None:
    assert legal(fill(corrected_game(), 12)).undo


def test_without_corrections_an_entry_is_final() -> None:
    state = apply(rolled(start(CLASSIC), "12345"), Score("chance"), NO_DICE)
    assert not legal(state).undo
    assert refused(state, Undo()) is Reason.NOTHING_TO_UNDO


def test_a_game_with_a_correction_stays_marked_as_assisted() -> None:
    state = corrected_game()
    assert not state.assisted
    state = fill(state, 2)
    assert not state.assisted
    state = apply(state, Undo(), NO_DICE)
    assert state.assisted
    assert fill(apply(state, Score("ones"), NO_DICE), 11).assisted


def test_a_correction_takes_the_extra_bonus_and_the_saved_rolls_back_too() -> None:
    state = play(corrected_game(), "11111 five_of_a_kind", "66666 sixes")
    assert (state.card.total, state.card.extra) == (180, 100)
    state = apply(state, Undo(), NO_DICE)
    assert (state.card.total, state.card.extra) == (50, 0)
    assert legal(state).boxes == {"sixes": 30}

    state = apply(
        rolled(corrected_game(ruleset("maxi_yatzy", {"saved_rolls": True})), "123456"), Score("ones"), NO_DICE
    )
    assert state.seat.pool == 2
    state = apply(state, Undo(), NO_DICE)
    assert (state.seat.pool, state.rolls_left) == (0, 0)
    assert apply(state, Score("twos"), NO_DICE).seat.pool == 2


@pytest.mark.parametrize("addressing", Addressing)
def test_a_correction_shows_no_other_dice_now_or_later(addressing: Addressing) -> None:
    stream = Stream(KEY, addressing)
    straight = replay(corrected_game(), [Roll(), Roll((0,)), Score("ones"), Roll()], stream)
    back = replay(corrected_game(), [Roll(), Roll((0,)), Score("twos"), Undo(), Score("ones"), Roll()], stream)
    assert back.dice == straight.dice


def test_corrections_are_for_games_alone() -> None:
    with pytest.raises(Unreadable) as found:
        start(CLASSIC, 2, corrections=True)
    assert found.value.code == "bad_seats"
