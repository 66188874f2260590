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
from tests.support.small import SMALL, called


class Followed:
    """Every way that a game of the perfect player can end, found by going through the whole tree."""

    def __init__(self, coach: Coach) -> None:
        self.coach = coach
        self.rules = coach.rules
        self.ends: dict[Card, float] = defaultdict(float)
        level = {Card.empty(self.rules): 1.0}
        for _ in self.rules.boxes:
            after: dict[Card, float] = defaultdict(float)
            for card, chance in level.items():
                turn = coach.turns([card])[0]
                for written, more in self.follow(turn, (), 0).items():
                    after[written] += chance * more
            level = after
        self.ends = level

    def follow(self, turn: Turn, keep: Dice, roll: int) -> dict[Card, float]:
        """Throw the dice besides `keep`, and go on as the perfect player does."""
        found: dict[Card, float] = defaultdict(float)
        free = self.rules.dice - len(keep)
        for shown, ways in thrown(free):
            dice = tuple(sorted(keep + shown))
            chance = ways / 6**free
            choice = self.choose(turn, dice, roll + 1, keep if self.rules.locked_dice else ())
            if isinstance(choice, str):
                found[turn.card.write(self.rules.place(choice), dice, roll + 1)] += chance
            else:
                for card, more in self.follow(turn, choice, roll + 1).items():
                    found[card] += chance * more
        return found

    def choose(self, turn: Turn, dice: Dice, roll: int, locked: Dice) -> Choice:
        """Choose as the perfect player does."""
        judged = self.coach.judge(turn, dice, roll)
        return self.coach.choose(judged, self.coach.keeps(turn, dice, self.rules.rolls - roll, locked))

    def mean(self, of: object) -> float:
        """Give the mean of what a function says of the final cards."""
        assert callable(of)
        return fsum(chance * of(card) for card, chance in self.ends.items())


@pytest.mark.parametrize("rules", [rules for rules in SMALL if rules.rolls < 4], ids=called)
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
    ("id_", "options"),
    [
        ("crag", {}),
        ("generala", {}),
        ("yatzy_kids", {"upper_bonus": 50}),
        ("yacht", {"locked_dice": True}),
        ("kniffel", {"forced_order": True}),
        ("yatzy", {"forced_order": True}),
        ("red_hot", {"forced_order": True, "extra_five": 100}),
        ("maxi_yatzy", {"forced_order": True}),
    ],
)
def test_the_means_of_the_boxes_add_up_to_the_expected_total(
    tables: Tables, id_: str, options: dict[str, object]
) -> None:
    table = tables.make(ruleset(id_, options))
    check(statistics(table), table.expected)


@pytest.mark.timeout(600)
def test_the_classic_figures_are_the_known_ones(tables: Tables) -> None:
    table = tables.make(ruleset("classic", {"joker": "free_choice"}))
    found = statistics(table)
    check(found, table.expected)
    # Source: Verhoeff 1999, as several have found again. The deviation depends on what is chosen among equals.
    assert found.standard_deviation == pytest.approx(59.612, abs=1e-3)
    assert found.bonus_rate == pytest.approx(0.6812, abs=5e-5)
    assert found.extra_mean == pytest.approx(9.58, abs=5e-3)


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
