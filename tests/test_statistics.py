"""The exact statistics of the perfect player."""

from __future__ import annotations

from collections import defaultdict
from math import fsum, sqrt

import pytest

from app.coach.advice import Choice, Coach, Turn
from app.coach.making import Tables
from app.coach.statistics import Statistics, statistics
from app.game.card import Card
from app.game.dice import Dice
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from tests.support.brute import thrown
from tests.support.small import JOKERS, TINY, called
from tests.support.solved import THOROUGH


class Followed:
    """Every way that a game of the perfect player can end, found by going through the whole tree."""

    def __init__(self, coach: Coach) -> None:
        self.coach = coach
        self.rules = coach.rules
        self.ends: dict[Card, float] = {Card.empty(self.rules): 1.0}
        for _ in self.rules.boxes:
            after: dict[Card, float] = defaultdict(float)
            for card, chance in self.ends.items():
                for written, more in self.follow(coach.turns([card])[0]).items():
                    after[written] += chance * more
            self.ends = after

    def follow(self, turn: Turn) -> dict[Card, float]:
        """Give every card that the turn can lead to, with its chance."""
        found: dict[Card, float] = defaultdict(float)
        kept: dict[Dice, float] = {(): 1.0}
        for roll in range(1, self.rules.rolls + 1):
            before, kept = kept, defaultdict(float)
            for keep, likely in before.items():
                free = self.rules.dice - len(keep)
                for shown, ways in thrown(free):
                    dice = tuple(sorted(keep + shown))
                    choice = self.choose(turn, dice, roll, keep if self.rules.locked_dice else ())
                    if isinstance(choice, str):
                        written = turn.card.write(self.rules.place(choice), dice, roll)
                        found[written] += likely * ways / 6**free
                    else:
                        kept[choice] += likely * ways / 6**free
        return found

    def choose(self, turn: Turn, dice: Dice, roll: int, locked: Dice) -> Choice:
        """Choose as the perfect player does."""
        judged = self.coach.judge(turn, dice, roll)
        return self.coach.choose(judged, self.coach.keeps(turn, dice, self.rules.rolls - roll, locked))

    def mean(self, of: object) -> float:
        """Give the mean of what a function says of the final cards."""
        assert callable(of)
        return fsum(chance * of(card) for card, chance in self.ends.items())


@pytest.mark.parametrize("rules", TINY, ids=called)
def test_the_statistics_of_a_small_game_are_those_of_its_whole_tree(tables: Tables, rules: Ruleset) -> None:
    table = tables.make(rules)
    found, every = statistics(table), Followed(Coach(table))
    assert fsum(every.ends.values()) == pytest.approx(1, abs=1e-12)
    mean = every.mean(lambda card: card.total)
    assert found.mean == pytest.approx(mean, abs=1e-10)
    assert found.standard_deviation == pytest.approx(sqrt(every.mean(lambda card: (card.total - mean) ** 2)), abs=1e-8)
    assert found.bonus_rate == pytest.approx(every.mean(lambda card: card.upper_bonus > 0), abs=1e-12)
    assert found.bonus_mean == pytest.approx(every.mean(lambda card: card.upper_bonus), abs=1e-12)
    assert found.extra_mean == pytest.approx(every.mean(lambda card: card.extra), abs=1e-12)
    for key, place in rules.index.items():
        assert found.boxes[key] == pytest.approx(every.mean(lambda card, at=place: card.points[at]), abs=1e-12)
        assert found.zero_rates[key] == pytest.approx(
            every.mean(lambda card, at=place: card.points[at] == 0), abs=1e-12
        )


def check(found: Statistics, expected: float) -> None:
    """Check what holds for every game: the parts make the mean, and the policy loses nothing that can be seen."""
    parts = fsum([*found.boxes.values(), found.bonus_mean, found.extra_mean])
    assert parts == pytest.approx(found.mean, abs=1e-9)
    assert found.mean == pytest.approx(expected, abs=1e-5)
    assert all(0 <= rate <= 1 for rate in [found.bonus_rate, *found.zero_rates.values()])


@pytest.mark.parametrize(
    "rules",
    [
        *JOKERS,
        ruleset("crag"),
        ruleset("generala"),
        ruleset("yatzy_kids", {"upper_bonus": 50}),
        ruleset("yatzy_kids", {"locked_dice": True}),
        ruleset("kniffel", {"forced_order": True}),
        ruleset("yatzy", {"forced_order": True}),
        ruleset("red_hot", {"forced_order": True, "extra_five": 100}),
        ruleset("maxi_yatzy", {"forced_order": True}),
    ],
    ids=called,
)
def test_the_means_of_the_boxes_add_up_to_the_expected_total(tables: Tables, rules: Ruleset) -> None:
    table = tables.make(rules)
    check(statistics(table), table.expected)


# Source: Verhoeff 1999, as several have found again. The deviation depends a little on what is chosen among equals.
KNOWN = [("none", 0, 39.821, 0.0)] + [("free_choice", 100, 59.612, 9.58), ("forced", 100, 59.608, 9.58)] * THOROUGH


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("joker", "extra", "deviation", "extra_mean"), KNOWN)
def test_the_classic_figures_are_the_known_ones(
    tables: Tables, joker: str, extra: int, deviation: float, extra_mean: float
) -> None:
    table = tables.make(ruleset("classic", {"joker": joker, "extra_five": extra}))
    found = statistics(table)
    check(found, table.expected)
    assert found.standard_deviation == pytest.approx(deviation, abs=1e-3)
    assert found.extra_mean == pytest.approx(extra_mean, abs=5e-3)
    if extra:
        assert found.bonus_rate == pytest.approx(0.6812, abs=5e-5)


def test_one_thread_and_two_count_the_same(tables: Tables) -> None:
    table = tables.make(ruleset("yatzy_kids"))
    one, two = (statistics(table, threads=threads) for threads in (1, 2))
    assert one.mean == pytest.approx(two.mean, abs=1e-10)
    assert one.zero_rates == pytest.approx(two.zero_rates, abs=1e-12)


def test_the_progress_ends_with_all_states(tables: Tables) -> None:
    table = tables.make(ruleset("crag"))
    seen: list[int] = []
    statistics(table, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == table.states.count
