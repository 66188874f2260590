"""Games of random moves, legal and illegal, beside a second machine that shares no code with `app.game`: not even the scores."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from app.game.errors import IllegalMove, Unreadable
from app.game.rulesets import ruleset
from app.game.state import Move, Roll, Score, State, Undo, apply, legal, outcome, start
from tests.support.model import Model
from tests.support.sheet import Sheet, thirteen_boxes, yatzy
from tests.support.table import Scripted

faces = st.one_of(
    st.lists(st.integers(1, 6), min_size=5, max_size=5),
    st.integers(1, 6).map(lambda face: [face] * 5),
)
switches = st.booleans()
classic_options = st.fixed_dictionaries(
    {
        "joker": st.sampled_from(["forced", "lower_free", "strict_1956", "free_choice", "none"]),
        "extra_five": st.sampled_from([100, 50, 0]),
        "full_house_score": st.sampled_from(["25", "sum"]),
        "small_straight_score": st.sampled_from([30, 15]),
        "large_straight_score": st.sampled_from([40, 30]),
        "kind_scoring": st.sampled_from(["all", "matching"]),
        "lenient_full_house": switches,
        "three_of_a_kind_box": switches,
        "locked_dice": switches,
        "forced_order": switches,
    }
)
yatzy_options = st.fixed_dictionaries(
    {
        "extra_yatzy": st.just("bonus100_joker"),
        "joker_upper": st.sampled_from(["as_rolled", "wild"]),
        "joker_after_zero": switches,
        "two_pairs_full_house": switches,
        "locked_dice": switches,
        "forced_order": switches,
    }
) | st.fixed_dictionaries(
    {
        "extra_yatzy": st.sampled_from(["plus50", "none"]),
        "joker_upper": st.just("as_rolled"),
        "joker_after_zero": st.just(value=False),
        "two_pairs_full_house": switches,
        "locked_dice": switches,
        "forced_order": st.just(value=False),
    }
)


class Table(RuleBasedStateMachine):
    """Both machines get the same moves; every refusal and every number must be the same."""

    state: State
    model: Model

    def setting_up(self, id_: str, options: dict[str, Any], sheet: Sheet, seats: int) -> None:
        """Begin with any options; corrections where there is one seat, every second time at least."""
        rules = ruleset(id_, options)
        corrections = seats == 1
        self.state = start(rules, seats, corrections=corrections)
        self.model = Model(options, sheet, [box.key for box in rules.boxes], seats, corrections=corrections)

    def make(self, move: Move, expected: str | None, dice: list[int]) -> None:
        """Make the move that the model made or refused."""
        before = self.state
        try:
            self.state = apply(self.state, move, Scripted("".join(map(str, dice))))
        except IllegalMove as error:
            found: str | None = error.reason.value
        else:
            found = None
        assert found == expected
        assert found is None or self.state is before

    def play_turns(self, five: int | None, turns: list[tuple[list[int], int]]) -> None:
        """Fill some boxes first, so that there is a late game too: the five-of-a-kind box with 50 or 0 where asked."""
        if five is not None and not self.model.options["forced_order"]:
            for _ in self.model.cards:
                dice = [3] * 5 if five else [1, 2, 3, 4, 6]
                self.make(Roll(), self.model.roll(set(), tuple(dice)), dice)
                self.make(Score("five_of_a_kind"), self.model.score("five_of_a_kind"), [])
                self.both_machines_agree()
        for dice, choice in turns * len(self.model.cards):
            if not self.model.over:
                self.play_a_turn(dice, choice)
                self.both_machines_agree()

    @rule(dice=faces, choice=st.integers(0, 19))
    def play_a_turn(self, dice: list[int], choice: int) -> None:
        """Roll all dice and score."""
        if not self.model.over and self.model.rolls_left():
            self.make(Roll(), self.model.roll(set(), tuple(dice)), dice)
            if self.model.dice:
                self.score_an_open_box(choice)

    @rule(keep=st.sets(st.integers(0, 4)), dice=faces)
    def roll(self, keep: set[int], dice: list[int]) -> None:
        """Roll, keeping what may be kept; a roll that is not allowed is tried too."""
        keep = keep | self.model.locked if self.model.dice else set()
        self.make(Roll(tuple(keep)), self.model.roll(keep, tuple(dice)), dice)

    @precondition(lambda self: self.model.dice)
    @rule(choice=st.integers(0, 19))
    def score_an_open_box(self, choice: int) -> None:
        """Choose a box that the model holds for allowed."""
        allowed = [box for box in self.model.boxes if self.model.reason(box) is None]
        box = allowed[choice % len(allowed)]
        self.make(Score(box), self.model.score(box), [])

    @precondition(lambda self: self.model.taken_back)
    @rule(choice=st.integers(0, 19))
    def take_back_and_score_again(self, choice: int) -> None:
        """Take the last entry back; roll again in vain; choose a box anew."""
        self.make(Undo(), self.model.undo(), [])
        self.both_machines_agree()
        self.make(Roll(), self.model.roll(set(), (1, 1, 1, 1, 1)), [1] * 5)
        if self.model.dice:
            self.score_an_open_box(choice)

    @rule(move=st.one_of(st.integers(0, 19), st.sets(st.integers(0, 4)), st.none()), dice=faces)
    def try_anything(self, move: int | set[int] | None, dice: list[int]) -> None:
        """Try a box, a keep or an undo, allowed or not."""
        match move:
            case None:
                self.make(Undo(), self.model.undo(), [])
            case int():
                box = self.model.boxes[move % len(self.model.boxes)]
                self.make(Score(box), self.model.score(box), [])
            case set():
                self.make(Roll(tuple(move)), self.model.roll(move, tuple(dice)), dice)

    @precondition(lambda self: not self.model.over)
    @rule(
        keep=st.lists(st.integers(-2, 8), min_size=1).filter(
            lambda keep: len(set(keep)) < len(keep) or not set(keep) <= set(range(5))
        )
    )
    def keep_what_is_not_there(self, keep: list[int]) -> None:
        """Keep a die twice, or one that does not exist."""
        before = self.state
        with pytest.raises(Unreadable):
            apply(self.state, Roll(tuple(keep)), Scripted("11111"))
        assert self.state is before

    @invariant()
    def both_machines_agree(self) -> None:
        """Compare all that can be seen."""
        model, state = self.model, self.state
        assert (state.over, state.dice or ()) == (model.over, model.dice)
        assert [
            {
                box.key: points
                for box, points in zip(state.ruleset.boxes, seat.card.points, strict=True)
                if points is not None
            }
            for seat in state.seats
        ] == model.cards
        assert [seat.card.total for seat in state.seats] == [model.total(seat) for seat in range(len(model.cards))]
        assert state.assisted == model.assisted
        found = legal(state)
        assert (found.roll, state.rolls_left) == (model.rolls_left() > 0, model.rolls_left())
        assert found.undo == (model.taken_back is not None and not model.over)
        if model.over:
            self.the_highest_total_won()
            return
        assert state.to_play == model.to_play
        reasons = {box: model.reason(box) for box in model.boxes}
        assert {box: reason.value for box, reason in found.closed.items()} == {
            box: reason for box, reason in reasons.items() if reason
        }
        assert found.boxes == {box: model.points(box) for box, reason in reasons.items() if reason is None}
        if model.dice:
            assert state.card.extra_for(model.dice, model.rolls) == model.extra()

    def the_highest_total_won(self) -> None:
        """Compare the outcome."""
        totals = [self.model.total(seat) for seat in range(len(self.model.cards))]
        found = outcome(self.state)
        assert found is not None
        assert found.winners == tuple(seat for seat, total in enumerate(totals) if total == max(totals))
        assert found.draw == (totals.count(max(totals)) > 1)


fives = st.sampled_from([None, 0, 50, 50])
beginnings = st.lists(st.tuples(faces, st.integers(0, 19)), max_size=13)


class ClassicTable(Table):
    """Thirteen boxes, every joker reading."""

    @initialize(options=classic_options, seats=st.sampled_from([1, 1, 2, 3]), five=fives, turns=beginnings)
    def set_up(self, options: dict[str, Any], seats: int, five: int | None, turns: list[tuple[list[int], int]]) -> None:
        """Begin."""
        self.setting_up("classic", options, thirteen_boxes(options), seats)
        self.play_turns(five, turns)


class YatzyTable(Table):
    """Fifteen boxes, the Finnish joker."""

    @initialize(options=yatzy_options, seats=st.sampled_from([1, 1, 2]), five=fives, turns=beginnings)
    def set_up(self, options: dict[str, Any], seats: int, five: int | None, turns: list[tuple[list[int], int]]) -> None:
        """Begin."""
        self.setting_up("yatzy", options, yatzy(options), seats)
        self.play_turns(five, turns)


@pytest.mark.parametrize("table", [ClassicTable, YatzyTable])
def test_random_moves_do_what_a_second_machine_written_from_the_sheet_does(table: type[Table]) -> None:
    run_state_machine_as_test(
        table,
        settings=settings(
            max_examples=80, stateful_step_count=30, deadline=None, phases=[Phase.generate, Phase.shrink]
        ),
    )
