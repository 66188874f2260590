"""The turn machine: rolling, keeping, scoring, taking back; and what a whole table of seats does."""

from __future__ import annotations

from itertools import combinations

import pytest

from app.game.dice import Addressing, Stream
from app.game.errors import IllegalMove, Reason, Unreadable
from app.game.rules import UPPER_KEYS, Ruleset
from app.game.rulesets import ruleset
from app.game.state import Move, Outcome, Roll, Score, State, Undo, apply, legal, outcome, replay, start
from tests.support.table import Scripted, dice, play, rolled

CLASSIC = ruleset("classic")
KEY = bytes(range(32))
NO_DICE = Scripted()


def refused(state: State, move: Move) -> Reason:
    """Make a move that must be refused, and give the reason."""
    with pytest.raises(IllegalMove) as found:
        apply(state, move, Scripted("123456"))
    return found.value.reason


def keep_and_roll(state: State, keep: str, faces: str) -> State:
    return apply(state, Roll(tuple(int(place) for place in keep)), Scripted(faces))


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


# Several seats


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_seats_take_turns_clockwise_from_the_first_and_fill_the_same_number_of_boxes(seats: int) -> None:
    state = start(CLASSIC, seats, first=seats - 1)
    order = []
    while not state.over:
        order.append(state.to_play)
        state = fill_one(state)
    assert order == [(seats - 1 + turn) % seats for turn in range(13 * seats)]
    assert all(seat.card.full for seat in state.seats)


def fill_one(state: State, faces: str = "12346") -> State:
    state = rolled(state, faces)
    return apply(state, Score(next(iter(legal(state).boxes))), NO_DICE)


@pytest.mark.parametrize(("seats", "first"), [(0, 0), (7, 0), (2, 2), (1, -1)])
def test_a_table_has_one_to_six_seats(seats: int, first: int) -> None:
    with pytest.raises(Unreadable) as found:
        start(CLASSIC, seats, first=first)
    assert found.value.code == "bad_seats"


def test_a_seat_s_moves_touch_no_other_card() -> None:
    state = play(start(CLASSIC, 3), "11111 ones")
    assert [seat.card.total for seat in state.seats] == [5, 0, 0]
    assert [seat.rolled for seat in state.seats] == [1, 0, 0]
    assert state.to_play == 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_highest_total_wins_and_equal_totals_are_a_draw(seats: int) -> None:
    state = start(CLASSIC, seats)
    while not state.over:
        state = fill_one(state)
    assert outcome(state) == Outcome(tuple(range(seats)), draw=True)
    # The last seat has better dice for chance, its last box: it alone wins.
    state = start(CLASSIC, seats)
    while not state.over:
        ahead = state.to_play == seats - 1 and state.turn == 13
        state = fill_one(state, "66661" if ahead else "12346")
    assert outcome(state) == Outcome((seats - 1,), draw=False)


def test_some_seats_may_draw_ahead_of_the_others() -> None:
    state = start(CLASSIC, 3)
    while not state.over:
        state = fill_one(state, "12256" if state.to_play == 0 else "12346")
    assert outcome(state) == Outcome((1, 2), draw=True)


# Ten points above in three ways: from one, two and four boxes.
TENS: dict[int, dict[str, str]] = {
    1: {"fives": "55111"},
    2: {"ones": "11666", "fours": "44666"},
    4: {"ones": "16666", "twos": "26666", "threes": "36666", "fours": "46666"},
}
NOTHING = dict.fromkeys(UPPER_KEYS, "66661") | {"ones": "66662", "sixes": "11112"}


def tied_game(tie_break: str, boxes_above: list[int]) -> State:
    """Play a game of equal totals in which each seat has so many upper boxes above zero."""
    state = start(ruleset("yatzy", {"tie_break": tie_break}), len(boxes_above))
    while not state.over:
        box = state.ruleset.boxes[state.turn - 1].key
        faces = TENS[boxes_above[state.to_play]].get(box) or NOTHING.get(box, "12346")
        state = apply(rolled(state, faces), Score(box), NO_DICE)
    assert {seat.card.total for seat in state.seats} == {10 + 16}
    return state


@pytest.mark.parametrize(
    ("boxes_above", "winners"),
    [
        ([1, 4], (1,)),
        ([4, 4], (0, 1)),
        ([2, 1, 4], (2,)),
        ([4, 1, 4, 2], (0, 2)),
        ([1, 2, 2, 1, 1], (1, 2)),
        ([1, 1, 2, 1, 4, 1], (4,)),
        ([2, 2, 2, 2, 2, 2], (0, 1, 2, 3, 4, 5)),
    ],
)
def test_equal_totals_are_a_draw_or_go_to_more_upper_boxes_above_zero(
    boxes_above: list[int], winners: tuple[int, ...]
) -> None:
    everybody = tuple(range(len(boxes_above)))
    assert outcome(tied_game("draw", boxes_above)) == Outcome(everybody, draw=True)
    assert outcome(tied_game("upper_count", boxes_above)) == Outcome(winners, draw=len(winners) > 1)


def test_upper_boxes_decide_nothing_between_unequal_totals() -> None:
    state = start(ruleset("yatzy", {"tie_break": "upper_count"}), 2)
    while not state.over:
        box = state.ruleset.boxes[state.turn - 1].key
        wanted = TENS[4] if state.to_play == 0 else {"fives": "55511"}
        state = apply(rolled(state, wanted.get(box) or NOTHING.get(box, "12346")), Score(box), NO_DICE)
    assert outcome(state) == Outcome((1,), draw=False)


# Generala: a win at once


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_served_generala_wins_at_once_among_several(seats: int) -> None:
    state = play(start(ruleset("generala"), seats), "12346 ones")
    state = rolled(state, "44444")
    assert state.over
    assert outcome(state) == Outcome((1,), draw=False)
    found = legal(state)
    assert (found.roll, found.boxes) == (False, {})
    assert set(found.closed.values()) == {Reason.GAME_OVER}
    assert refused(state, Score("fours")) is Reason.GAME_OVER
    assert refused(state, Roll()) is Reason.GAME_OVER


def test_a_served_generala_wins_again_when_the_first_was_scored() -> None:
    state = rolled(start(ruleset("generala"), 2), "12345")
    state = apply(keep_and_roll(state, "", "66666"), Score("five_of_a_kind"), NO_DICE)
    state = play(state, "12346 ones")
    assert outcome(rolled(state, "22222")) == Outcome((0,), draw=False)


def test_a_served_generala_does_not_win_for_a_seat_that_has_struck_its_box() -> None:
    state = play(start(ruleset("generala"), 2), "12346 five_of_a_kind", "12346 ones")
    state = rolled(state, "22222")
    assert not state.over
    assert legal(state).boxes["twos"] == 10
    assert legal(state).boxes["double_generala"] == 0


def test_five_alike_on_a_later_roll_wins_nothing_at_once() -> None:
    state = keep_and_roll(rolled(start(ruleset("generala"), 2), "44445"), "0123", "4")
    assert not state.over
    assert legal(state).boxes["five_of_a_kind"] == 50


def test_a_served_generala_scores_fifty_alone_or_with_the_win_switched_off() -> None:
    for state in (start(ruleset("generala")), start(ruleset("generala", {"served_wins": False}), 2)):
        served = rolled(state, "44444")
        assert not served.over
        assert legal(served).boxes["five_of_a_kind"] == 50
        assert legal(served).boxes["four_of_a_kind"] == 45


# Kismet: the penalty


def further_kismet(seats: int, *, penalty: bool = True) -> State:
    """Let seat 0 throw five alike twice, the first into its box, the second into chance; the others score between."""
    state = play(start(ruleset("kismet", {"kismet_penalty": penalty}), seats), "33333 five_of_a_kind")
    for _ in range(seats - 1):
        state = play(state, "12346 ones")
    return play(state, "44444 chance")


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_further_kismet_costs_every_other_seat_its_topmost_box_and_its_turn(seats: int) -> None:
    state = further_kismet(seats)
    assert state.to_play == 0
    assert state.turn == 3
    for seat in state.seats[1:]:
        assert seat.card.points[:3] == (1, 0, None)
        assert (seat.card.filled, seat.penalties, seat.rolled) == (2, 0, 1)
    assert state.seats[0].card.filled == 2


def test_the_first_kismet_and_a_kismet_after_a_struck_box_cost_nobody_anything() -> None:
    state = play(start(ruleset("kismet", {"kismet_penalty": True}), 2), "33333 five_of_a_kind")
    assert (state.to_play, state.seats[1].card.filled) == (1, 0)
    state = play(
        start(ruleset("kismet", {"kismet_penalty": True}), 2), "12346 five_of_a_kind", "12346 ones", "44444 chance"
    )
    assert (state.to_play, state.seats[1].card.filled) == (1, 1)


def test_without_the_penalty_a_further_kismet_costs_nobody_anything() -> None:
    state = further_kismet(3, penalty=False)
    assert state.to_play == 1
    assert [seat.card.filled for seat in state.seats] == [2, 1, 1]


def test_a_further_kismet_alone_costs_nothing() -> None:
    state = play(start(ruleset("kismet", {"kismet_penalty": True})), "33333 five_of_a_kind", "44444 chance")
    assert (state.card.filled, state.seat.penalties) == (2, 0)


def test_two_further_kismets_in_a_row_cost_two_boxes() -> None:
    state = play(further_kismet(2), "55555 flush")
    assert state.seats[1].card.points[:4] == (1, 0, 0, None)
    assert (state.to_play, state.seats[0].card.filled, state.seats[1].card.filled) == (0, 3, 3)


def test_seats_that_throw_further_kismets_against_each_other_all_pay() -> None:
    rules = ruleset("kismet", {"kismet_penalty": True})
    state = play(start(rules, 3), "33333 five_of_a_kind", "44444 five_of_a_kind", "12346 ones")
    state = play(state, "55555 chance")
    # Seats 1 and 2 have paid; it is seat 0 again, then seat 1 throws its own further one.
    assert state.to_play == 0
    state = play(state, "12346 ones", "66666 chance")
    assert state.to_play == 1
    assert [seat.card.filled for seat in state.seats] == [4, 3, 3]
    assert state.seats[0].card.points[:3] == (1, 0, None)
    assert state.seats[2].card.points[:3] == (1, 0, 0)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_game_with_penalties_ends_with_every_card_full(seats: int) -> None:
    state = start(ruleset("kismet", {"kismet_penalty": True}), seats)
    while not state.over:
        state = rolled(state, "44444")
        boxes = legal(state).boxes
        state = apply(state, Score(max(boxes, key=lambda box: boxes[box])), NO_DICE)
    assert all(seat.card.full for seat in state.seats)
    # Seat 0 throws further ones all the time: the others never score but on their first turn.
    totals = [seat.card.total for seat in state.seats]
    assert outcome(state) == Outcome((0,), draw=False)
    assert totals[1:] == [70] * (seats - 1)


# Whose dice


@pytest.mark.parametrize("addressing", Addressing)
def test_with_shared_dice_every_seat_reads_the_same_faces(addressing: Addressing) -> None:
    state = start(CLASSIC, 3, shared_dice=True)
    seen: list[list[tuple[int, ...] | None]] = [[], [], []]
    while not state.over:
        seat = state.to_play
        for keep in ((), (0, 1), (2,)):
            state = apply(state, Roll(keep), Stream(KEY, addressing))
            seen[seat].append(state.dice)
        state = apply(state, Score(next(iter(legal(state).boxes))), NO_DICE)
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("addressing", Addressing)
def test_without_shared_dice_the_seats_read_different_faces(addressing: Addressing) -> None:
    state = start(CLASSIC, 2)
    firsts = []
    for _ in range(2):
        state = apply(state, Roll(), Stream(KEY, addressing))
        firsts.append(state.dice)
        state = apply(state, Score("chance"), NO_DICE)
    assert firsts[0] != firsts[1]


def second_turn(addressing: Addressing, rolls_in_the_first: int) -> list[tuple[int, ...] | None]:
    """Use so many rolls in the first turn, and give the dice of the first two rolls of the second."""
    stream = Stream(KEY, addressing)
    state = replay(start(CLASSIC), [Roll()] * rolls_in_the_first + [Score("chance"), Roll()], stream)
    return [state.dice, apply(state, Roll(), stream).dice]


def test_by_turn_an_early_stop_shifts_nothing() -> None:
    assert second_turn(Addressing.BY_TURN, 1) == second_turn(Addressing.BY_TURN, 3)


def test_continuous_an_early_stop_moves_later_dice_up() -> None:
    two, three = second_turn(Addressing.CONTINUOUS, 2), second_turn(Addressing.CONTINUOUS, 3)
    assert two[1] == three[0]
    assert two[0] == replay(start(CLASSIC), [Roll()] * 3, Stream(KEY, Addressing.CONTINUOUS)).dice


def test_each_roll_asks_for_its_own_address() -> None:
    source = Scripted(*["12346"] * 7)
    moves: list[Move] = [
        Roll(),
        Roll((0,)),
        Score("chance"),
        Roll(),
        Score("chance"),
        Roll(),
        Roll(),
        Roll(),
        Score("ones"),
        Roll(),
    ]
    replay(start(CLASSIC, 2), moves, source)
    # Number of dice, seat, turn, roll, rolls of this seat before.
    assert source.asked == [
        (5, 0, 1, 1, 0),
        (5, 0, 1, 2, 1),
        (5, 1, 1, 1, 0),
        (5, 0, 2, 1, 2),
        (5, 0, 2, 2, 3),
        (5, 0, 2, 3, 4),
        (5, 1, 2, 1, 1),
    ]


def test_shared_dice_ask_for_seat_0_with_each_seat_s_own_count() -> None:
    source = Scripted(*["12346"] * 4)
    moves: list[Move] = [Roll(), Roll(), Score("chance"), Roll(), Score("chance"), Roll()]
    replay(start(CLASSIC, 2, shared_dice=True), moves, source)
    assert source.asked == [(5, 0, 1, 1, 0), (5, 0, 1, 2, 1), (5, 0, 1, 1, 0), (5, 0, 2, 1, 2)]


@pytest.mark.parametrize(("id_", "count"), [("classic", 5), ("maxi_yatzy", 6), ("crag", 3)])
def test_a_roll_has_as_many_faces_as_the_game_has_dice(id_: str, count: int) -> None:
    state = apply(start(ruleset(id_)), Roll(), Stream(KEY))
    assert state.dice == Stream(KEY).faces(count, 0, 1, 1, 0)
    again = apply(state, Roll((0,)), Stream(KEY))
    assert again.dice == (state.dice[0], *Stream(KEY).faces(count - 1, 0, 1, 2, 1)) if state.dice else False
