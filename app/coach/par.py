"""Par: what the perfect player reaches on given dice. It sees them as every player does, one roll at a time."""

from __future__ import annotations

from app.coach.advice import Coach
from app.coach.players import positions
from app.game.dice import Stream
from app.game.state import Roll, Score, apply, start


def par(coach: Coach, stream: Stream) -> int:
    """Play a game alone with the best choice everywhere; gives its total in points."""
    state = start(coach.rules)
    while not state.over:
        if state.dice is None:
            state = apply(state, Roll(), stream)
            continue
        locked = [state.dice[place] for place in state.locked]
        best = coach.advise(state.card, state.dice, state.rolls_left, locked=locked, roll=state.roll).best
        move = Score(best) if isinstance(best, str) else Roll(positions(state.dice, best, state.locked))
        state = apply(state, move, stream)
    return state.card.total
