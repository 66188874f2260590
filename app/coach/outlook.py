"""Where a choice leads: which boxes the perfect player fills at the end of the turn, and how often; whether to the bonus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from app.coach.advice import Advice, Choice, Coach, Turn
from app.coach.boxes import Cards
from app.coach.odds import Floats, Ints, odds
from app.coach.policy import STOP, Judge
from app.coach.states import RAISE
from app.coach.walk import Crossroads
from app.game.card import Card
from app.game.dice import Dice


@dataclass(frozen=True, slots=True)
class BonusChances:
    """Chances, 0..1, that the upper bonus is earned under best play: before this turn's first roll, and after a choice."""

    before: float
    after: Mapping[Choice, float]


def bonus_chances(coach: Coach, card: Card, advice: Advice, raised: Advice) -> BonusChances:
    """Compare what a position is worth with what it is worth to the coach's `raised` one."""
    dearer = coach.raised or coach
    before = dearer.turn(card).start - coach.turn(card).start
    worths = raised.choices
    after = {choice: _chance(worths[choice] - worth) for choice, worth in advice.choices.items()}
    return BonusChances(_chance(before), after)


def _chance(more: float) -> float:
    return min(max(more / RAISE, 0.0), 1.0)


def outlook(coach: Coach, card: Card, keep: Dice, rolls_left: int) -> dict[str, float]:
    """Give for each open box the chance, 0..1, that the turn ends in it when `keep` is kept and the rest is rolled.

    `rolls_left` counts the rolls from here on, 1 or more.
    """
    turn = coach.turn(card)
    judge = Judge(coach.plan)
    every = np.arange(len(coach.odds.rolls))
    cards = Cards(turn.row, turn.level, np.full(len(every), turn.column), len(every))
    found = {coach.rules.boxes[place].key: 0.0 for place in card.open_places()}
    for kind, chances in _ends(coach, turn, keep, rolls_left):
        judged = judge.judge(coach.table, cards, every, kind)
        sums = np.bincount(judged.choose(), chances, len(judged.places)).tolist()
        for place, chance in zip(judged.places, sums, strict=True):
            if chance:
                found[coach.rules.boxes[place].key] += chance
    return found


def _ends(coach: Coach, turn: Turn, keep: Dice, rolls_left: int) -> Iterator[tuple[int, Floats]]:
    """Give for each roll to come its kind, and the chance that the turn ends on it, by the roll's row."""
    kinds = coach.states.sheet.kinds
    # No game has more than three rolls, so what is held fast at a choice to come is what is kept now.
    at = _crossroads(coach.rules.dice, keep if coach.rules.locked_dice else ())
    chances = _after(coach, {keep: 1.0})
    for left in reversed(range(1, rolls_left)):
        kind = kinds[coach.rules.rolls - left - 1]
        chosen = at.choose(turn.keeps[left][:, None], turn.stop[kind][:, None])[:, 0]
        goes_on = chosen != STOP
        ended = chances.copy()
        ended[at.rolls[goes_on]] = 0.0
        yield kind, ended
        weights = np.bincount(chosen[goes_on], chances[at.rolls[goes_on]], len(coach.odds.stack))
        chances = _after(coach, {coach.odds.stack[row]: weights[row] for row in np.flatnonzero(weights).tolist()})
    yield kinds[-1], chances


def _after(coach: Coach, kept: Mapping[Dice, float]) -> Floats:
    """Give the chance of each roll, by its row, once the dice that are not kept are thrown."""
    chances = np.zeros(len(coach.odds.rolls))
    for keep, weight in kept.items():
        rows, thrown = _thrown(coach.rules.dice, keep)
        chances[rows] += weight * thrown
    return chances


@lru_cache(maxsize=512)
def _crossroads(dice: int, held: Dice) -> Crossroads:
    """Give what can lie on the table besides the dice held fast."""
    of = odds(dice)
    return Crossroads(of, tuple((held, loose) for loose in of.keeps[dice - len(held)]))


@lru_cache(maxsize=2048)
def _thrown(dice: int, keep: Dice) -> tuple[Ints, Floats]:
    """Give the rolls that a keep can become, by their rows, each once, and their chances."""
    of = odds(dice)
    size = dice - len(keep)
    rows = [of.row[tuple(sorted(keep + more))] for more in of.keeps[size]]
    return np.array(rows, dtype=np.intp), of.chances[size]
