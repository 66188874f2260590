"""Many games at once: they agree with the exact solution, with games played move by move, and with themselves."""

from __future__ import annotations

import random
from math import sqrt

import numpy as np
import pytest

from app.coach.games import Games
from app.coach.levels import BEST, LEVELS, Manner
from app.coach.making import Tables
from app.coach.players import Mind, manner_of
from app.coach.simulate import GAMES_AT_ONCE, Simulation, simulate
from app.coach.statistics import statistics
from app.game.dice import Dice
from app.game.rulesets import ruleset
from app.game.state import apply, start

STANDARD_ERRORS = 4
GAMES = 10_000


def error(values: object) -> float:
    """Give the standard error of a mean."""
    found = np.asarray(values, dtype=float)
    return float(found.std(ddof=1) / sqrt(len(found)))


def rulesets() -> list[tuple[str, dict[str, object]]]:
    """List small games that differ in their dice, rolls, bonuses, and in what a roll pays."""
    return [
        ("yatzy_kids", {"upper_bonus": 50}),
        ("yatzy_kids", {"locked_dice": True}),
        ("crag", {}),
        ("generala", {}),
        ("cheerio", {}),
    ]


@pytest.mark.parametrize(("id_", "options"), rulesets())
def test_perfect_games_come_out_as_the_exact_solution_says(
    tables: Tables, id_: str, options: dict[str, object]
) -> None:
    table = tables.make(ruleset(id_, options))
    exact, played = statistics(table), simulate(table, GAMES, seed=3)
    assert exact.mean == pytest.approx(table.expected, abs=1e-5)
    assert abs(played.mean - table.expected) < STANDARD_ERRORS * played.standard_error
    assert played.standard_deviation == pytest.approx(exact.standard_deviation, rel=0.03)
    bonus = played.bonus > 0
    assert abs(bonus.mean() - exact.bonus_rate) <= STANDARD_ERRORS * error(bonus)
    for place, (key, mean) in enumerate(exact.boxes.items()):
        points = played.boxes[:, place]
        assert abs(points.mean() - mean) < STANDARD_ERRORS * error(points), key
        assert abs((points == 0).mean() - exact.zero_rates[key]) <= STANDARD_ERRORS * error(points == 0), key


def test_perfect_games_of_classic_reach_the_known_mean_with_jokers_and_further_fives(tables: Tables) -> None:
    played = simulate(tables.make(ruleset("classic")), GAMES, seed=4)
    # Source: several independent public solvers, for the forced joker.
    assert abs(played.mean - 254.5877287) < STANDARD_ERRORS * played.standard_error
    assert abs(played.standard_deviation - 59.608) < 2
    assert played.extra.max() >= 200
    assert set(np.unique(played.extra % 100)) == {0}


def test_a_game_adds_up(tables: Tables) -> None:
    played = simulate(tables.make(ruleset("yacht_ww")), 500, seed=5)
    upper = played.boxes[:, :6].sum(axis=1)
    assert ((played.bonus == 35) == (upper >= 63)).all()
    assert (played.totals == played.boxes.sum(axis=1) + played.bonus + played.extra).all()


@pytest.mark.parametrize("manner", [BEST, Manner(4.0, 1.5)], ids=["perfect", "human"])
def test_the_same_seed_gives_the_same_games_whatever_the_number_of_threads(tables: Tables, manner: Manner) -> None:
    table = tables.make(ruleset("yacht_ww"))
    first = simulate(table, 1000, seed=6, manner=manner, threads=1)
    again = simulate(table, 1000, seed=6, manner=manner, threads=3)
    other = simulate(table, 1000, seed=7, manner=manner, threads=3)
    assert (first.boxes == again.boxes).all()
    assert first.rolls == again.rolls
    assert (first.totals != other.totals).any()


def test_many_games_come_in_parts_with_dice_of_their_own(tables: Tables) -> None:
    told: list[float] = []
    played = simulate(tables.make(ruleset("crag")), GAMES_AT_ONCE + 500, seed=8, progress=told.append)
    assert played.games == GAMES_AT_ONCE + 500
    assert (played.totals[:500] != played.totals[-500:]).any()
    assert told == sorted(told)
    assert told[-1] == 1


class Drawn:
    """The dice and the wavering of one of the games at once, for a game that is played move by move."""

    def __init__(self, games: Games, nth: int) -> None:
        self.games, self.nth = games, nth

    def faces(self, count: int, seat: int, turn: int, roll: int, nth: int) -> Dice:
        """Read the faces from the differences of their sums; face f counts (dice + 1)^(f - 1)."""
        del seat, turn, nth
        sums = self.games.thrown[self.nth, roll - 1]
        return tuple(round(np.log(step) / np.log(count + 1)) + 1 for step in np.diff(sums).tolist())


@pytest.mark.parametrize("level", ["novice", "casual", "skilled", "perfect"])
@pytest.mark.parametrize(
    ("id_", "options"), [("yacht_ww", {}), ("generala", {}), ("yatzy_kids", {"locked_dice": True, "size": 10})]
)
def test_a_game_at_once_is_the_game_that_the_player_plays_move_by_move(
    tables: Tables, id_: str, options: dict[str, object], level: str
) -> None:
    rules = ruleset(id_, options)
    table = tables.make(rules)
    count, seed = 20, random.Random(level).randrange(1000)
    played = simulate(table, count, seed, manner=manner_of(table, level))
    mind = Mind(table)
    games = Games(table, count, np.random.default_rng([seed, 0]))
    states = [start(rules)] * count
    for turn in range(1, len(rules.boxes) + 1):
        games.throw()
        for nth in range(count):
            state = states[nth]
            while not state.over and state.turn == turn and state.card.filled < turn:
                chance = float(games.wavering[nth, state.roll - 1])
                state = apply(state, mind.choose(state, level, chance), Drawn(games, nth))
            states[nth] = state
    assert [list(state.card.points) for state in states] == played.boxes.tolist()
    assert [state.card.total for state in states] == played.totals.tolist()


def made(totals: list[int]) -> Simulation:
    """Make the outcome of games with these totals, each of one box."""
    array = np.array(totals)
    return Simulation(
        array, array[:, None].astype(np.int16), np.zeros_like(array), np.zeros_like(array), 2 * len(totals)
    )


def test_the_figures_of_games_follow_from_their_totals() -> None:
    found = made([10, 20, 30, 40])
    assert found.mean == 25
    assert found.standard_deviation == pytest.approx(sqrt(500 / 3))
    assert found.standard_error == pytest.approx(sqrt(500 / 3) / 2)
    assert found.quantiles == {1: 10, 5: 10, 25: 10, 50: 20, 75: 30, 95: 40, 99: 40}
    assert found.rolls_a_turn == 2
    assert made([7]).standard_error == 0


def test_the_levels_differ_in_strength_in_their_order(tables: Tables) -> None:
    for id_ in ("yacht_ww", "crag"):
        table = tables.make(ruleset(id_))
        means = [simulate(table, 1000, 9, manner=manner_of(table, level.name)).mean for level in LEVELS]
        means.append(simulate(table, 1000, 9).mean)
        assert means == sorted(means)
        assert len(set(means)) == 4
