"""Games of random moves, legal and illegal, beside a second machine written from the rules sheet in plain Python.

The second machine knows the thirteen-box game with every joker reading, the Finnish game with its own, locked dice, a
forced order, corrections and several seats. It shares no code with `app.game`: not even the scores.
"""

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
from tests.support.sheet import UPPER, Sheet, thirteen_boxes, yatzy
from tests.support.table import Scripted

ROLLS = 3


class Model:
    """A table as the rules sheet describes it: plain dictionaries and lists, nothing clever."""

    def __init__(
        self, options: dict[str, Any], sheet: Sheet, boxes: list[str], seats: int, *, corrections: bool
    ) -> None:
        """Set up empty cards; `boxes` in the order of the sheet, `sheet` says what dice bring in each."""
        self.options, self.sheet, self.boxes = options, sheet, boxes
        self.cards: list[dict[str, int]] = [{} for _ in range(seats)]
        self.extras = [0] * seats
        self.finnish = "one_pair" in boxes
        self.to_play, self.rolls = 0, 0
        self.dice: tuple[int, ...] = ()
        self.locked: set[int] = set()
        self.corrections, self.reopened, self.assisted = corrections, False, False
        self.taken_back: tuple[str, int, tuple[int, ...], int] | None = None

    @property
    def card(self) -> dict[str, int]:
        """The card of the seat to play."""
        return self.cards[self.to_play]

    @property
    def over(self) -> bool:
        """Whether every box is filled."""
        return all(len(card) == len(self.boxes) for card in self.cards)

    # What a further five of a kind means (sections 1 and 2, and 5 for the Finnish game)

    def further(self) -> bool:
        """Whether the dice are five alike with the box for them filled."""
        return len(set(self.dice)) == 1 and "five_of_a_kind" in self.card

    def joker_reading(self) -> str:
        """Name how a joker may be used now, "none" where these dice are none."""
        if not self.further():
            return "none"
        if not self.finnish:
            return str(self.options["joker"])
        if self.options["extra_yatzy"] != "bonus100_joker":
            return "none"
        scored = self.card["five_of_a_kind"] == 50
        return "finnish" if scored or self.options["joker_after_zero"] else "none"

    def extra(self) -> int:
        """What the dice bring beside their box."""
        if not self.further() or self.card["five_of_a_kind"] != 50:
            return 0
        if self.finnish:
            return {"bonus100_joker": 100, "plus50": 50, "none": 0}[self.options["extra_yatzy"]]
        return int(self.options["extra_five"])

    def joker_points(self, box: str) -> int:
        """Full value, with all dice showing one face."""
        face = self.dice[0]
        full = 5 * face if self.finnish or self.options["full_house_score"] == "sum" else 25
        small = 15 if self.finnish else self.options["small_straight_score"]
        large = 20 if self.finnish else self.options["large_straight_score"]
        values = {"full_house": full, "small_straight": small, "large_straight": large, "two_pairs": 4 * face}
        return int(values.get(box, self.sheet[box](self.dice, self.rolls)))

    def points(self, box: str) -> int:
        """What the dice bring in an open box."""
        plain = self.sheet[box](self.dice, self.rolls)
        reading = self.joker_reading()
        own = UPPER[self.dice[0] - 1]
        if reading == "none":
            return plain
        if box in UPPER:
            if reading == "strict_1956":
                return 0
            below_full = all(key in self.card for key in self.boxes if key not in UPPER)
            if reading == "finnish" and self.options["joker_upper"] == "wild" and below_full:
                return 5 * (UPPER.index(box) + 1)
            return plain
        if reading == "free_choice" and own not in self.card:
            return plain
        return self.joker_points(box)

    def reason(self, box: str) -> str | None:
        """Say why a box may not be chosen now, None where it may."""
        if box in self.card:
            return "filled"
        if not self.dice:
            return "roll_first"
        free = [key for key in self.boxes if key not in self.card]
        if self.options["forced_order"]:
            return None if box == free[0] else "forced_order"
        if self.joker_reading() == "forced":
            own = UPPER[self.dice[0] - 1]
            if own in free:
                return None if box == own else "joker_upper"
            if any(key not in UPPER for key in free) and box in UPPER:
                return "joker_lower"
        return None

    # Moves; each gives the reason why it is refused, or None and is made

    def rolls_left(self) -> int:
        """How often the dice may still be rolled."""
        return 0 if self.reopened or self.over else ROLLS - self.rolls

    def roll(self, keep: set[int], faces: tuple[int, ...]) -> str | None:
        """Roll all dice but those kept."""
        if self.over:
            return "game_over"
        if self.rolls_left() == 0:
            return "no_rolls_left"
        if not self.dice and keep:
            return "roll_first"
        if len(keep) == 5:
            return "nothing_to_roll"
        if not self.locked <= keep:
            return "locked_die"
        coming = iter(faces)
        self.dice = tuple(self.dice[at] if at in keep else next(coming) for at in range(5))
        self.rolls += 1
        self.locked = keep if self.options["locked_dice"] else set()
        self.taken_back = None
        return None

    def score(self, box: str) -> str | None:
        """Write a box."""
        if self.over:
            return "game_over"
        reason = self.reason(box)
        if reason is None:
            points, extra = self.points(box), self.extra()
            can_be_undone = self.corrections and not self.reopened
            self.taken_back = (box, extra, self.dice, self.rolls) if can_be_undone else None
            self.card[box] = points
            self.extras[self.to_play] += extra
            self.rolls, self.dice, self.locked, self.reopened = 0, (), set(), False
            self.to_play = (self.to_play + 1) % len(self.cards)
        return reason

    def undo(self) -> str | None:
        """Take the last entry back."""
        if self.over:
            return "game_over"
        if self.taken_back is None:
            return "nothing_to_undo"
        box, extra, self.dice, self.rolls = self.taken_back
        del self.card[box]
        self.extras[self.to_play] -= extra
        self.taken_back, self.reopened, self.assisted = None, True, True
        return None

    # Totals

    def total(self, seat: int) -> int:
        """Boxes, upper bonus and extras."""
        upper = sum(points for box, points in self.cards[seat].items() if box in UPPER)
        bonus = (50 if self.finnish else 35) if upper >= 63 else 0
        return sum(self.cards[seat].values()) + bonus + self.extras[seat]


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
