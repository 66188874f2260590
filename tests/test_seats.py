"""A table of several seats: whose turn it is, whose dice they are, who wins, and what one seat does to the others."""

from __future__ import annotations

import pytest

from app.game.dice import Addressing, Stream
from app.game.errors import Reason, Unreadable
from app.game.rules import UPPER_KEYS
from app.game.rulesets import ruleset
from app.game.state import Move, Outcome, Roll, Score, State, apply, legal, outcome, replay, start
from tests.support.table import Scripted, keep_and_roll, play, refused, rolled

CLASSIC = ruleset("classic")
KEY = bytes(range(32))
NO_DICE = Scripted()


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


def test_a_served_generala_scores_fifty_alone_with_shared_dice_or_with_the_win_switched_off() -> None:
    for state in (
        start(ruleset("generala")),
        start(ruleset("generala"), 2, shared_dice=True),
        start(ruleset("generala", {"served_wins": False}), 2),
    ):
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
