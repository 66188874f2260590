"""Measure how often `fairwind daily outliers` names honest attempts, and those of somebody who has rehearsed the day.

    python -m tools.outliers classic 1000

Plays so many random days: once as the skilled computer, who knows nothing of the dice, and for every tenth day once by the
best way there is with hindsight. Prints the luck of both beyond the perfect player's, and how many of them are named.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from app.coach.advice import Coach
from app.coach.hindsight import hindsight
from app.coach.ledger import ledger
from app.coach.making import Tables
from app.coach.par import par
from app.coach.players import Mind, calibration
from app.game.dice import KEY_BYTES, Stream
from app.game.rulesets import ruleset
from app.game.state import Move, State, apply, start
from app.play.outliers import luck_beyond, stands_out


def main(id_: str = "classic", days: str = "1000", tables: str = "data/tables") -> None:
    """Measure, and print."""
    rules = ruleset(id_)
    made = Tables(Path(tables))
    made.make(rules)
    if (table := made.find(rules)) is None:
        sys.exit(f"{id_} has no table in {tables}.")
    coach, mind, rng = Coach(table), Mind(table), random.Random(0)
    deviation = calibration()[id_]["perfect"].deviation

    def play(stream: Stream, choose: Callable[[State], Move]) -> tuple[float, bool]:
        states, moves = [start(rules)], []
        while not states[-1].over:
            moves.append(choose(states[-1]))
            states.append(apply(states[-1], moves[-1], stream))
        played = ledger(coach, states, moves)
        said = played.total, par(coach, stream), played.given
        return luck_beyond(*said) / deviation, stands_out(*said, deviation)

    honest, rehearsed = [], []
    for day in range(int(days)):
        stream = Stream(rng.randbytes(KEY_BYTES))
        honest.append(play(stream, lambda state: mind.choose(state, "skilled", rng.random())))
        if day % 10 == 0:
            rehearsed.append(play(stream, _in_order(hindsight(rules, stream).moves)))
    _say(f"{id_}, skilled computer", honest)
    _say(f"{id_}, best with hindsight", rehearsed)


def _in_order(moves: Sequence[Move]) -> Callable[[State], Move]:
    left = iter(moves)
    return lambda _: next(left)


def _say(who: str, games: Sequence[tuple[float, bool]]) -> None:
    luck = [one for one, _ in games]
    named = sum(named for _, named in games) / len(games)
    print(
        f"{who}: {len(games)} games, luck beyond the perfect player's {statistics.mean(luck):+.2f} ± {statistics.pstdev(luck):.2f} "
        f"standard deviations, {named:.1%} named"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
