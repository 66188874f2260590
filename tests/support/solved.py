"""Parts of a solve, for tests that need the end of a game only."""

from __future__ import annotations

from functools import lru_cache

from hypothesis import settings

from app.coach.choices import Plan
from app.coach.solve import solve, solve_rows
from app.coach.states import states
from app.coach.turns import Turns
from app.coach.workings import InMemory
from app.game.card import Card
from app.game.rules import Ruleset

THOROUGH = settings.default is not None and settings.default.max_examples > 1_000
"""Whether this is a long run (`make quality`), in which more games, options and figures are tried."""


@lru_cache(maxsize=4)
def fully(rules: Ruleset) -> InMemory:
    """Solve a small ruleset."""
    workings = InMemory(states(rules))
    solve(states(rules), workings)
    return workings


def expected_total(card: Card) -> float:
    """Give what the solver expects of a card near the end: it solves those rows that play can still come to."""
    of = states(card.ruleset)
    row, column = of.find(card)
    mask, _ = of.rows.states[row]
    workings, turns = InMemory(of), Turns(Plan(of))
    for other in reversed(range(row, of.shape[0])):
        if of.rows.states[other][0] & mask == mask:
            solve_rows(turns, workings.values, range(other, other + 1))
    return float(workings.values[row, column]) + card.total - card.upper_bonus
