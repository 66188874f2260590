"""The exact solver beside `yatzy-solver` 1.0.0 in the same run, and the time of one piece of advice and of one review."""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from app.coach.advice import Coach
from app.coach.ledger import ledger
from app.coach.making import Tables
from app.game.card import Card
from app.game.dice import Stream
from app.game.rulesets import ruleset
from app.game.state import Move, Roll, Score, State, apply, start

RUNS = 3
GAMES = (("classic", "american"), ("yatzy_scandinavian", "yatzy-scandinavian"))
GOAL_SOLVE = 0.45
GOAL_ADVICE_MS = 1.0
GOAL_REVIEW_MS = 50.0

OURS = "import sys; from app.__main__ import main; sys.exit(main(['solve', sys.argv[1], '--force', '--json']))"
THEIRS = "import sys, yatzy_solver; yatzy_solver.Solver.build(yatzy_solver.Variant(sys.argv[1]))"


def main() -> None:
    """Measure, and print tables."""
    if importlib.util.find_spec("yatzy_solver") is None:
        print("yatzy-solver is not installed (`make bench` installs it): only our own times.")
    for ours, theirs in GAMES:
        _race(ours, theirs)
    with tempfile.TemporaryDirectory() as folder:
        for name, _ in GAMES:
            coach = Coach(Tables(Path(folder)).make(ruleset(name)))
            _advice(name, coach)
            _review(name, coach)


def _race(ours: str, theirs: str) -> None:
    """Solve by turns, ours as the whole command with its table written, so that noise falls on both."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(RUNS):
        times[0].append(_seconds(OURS, ours))
        if importlib.util.find_spec("yatzy_solver"):
            times[1].append(_seconds(THEIRS, theirs))
    print(f"{ours:20} {median(times[0]):6.2f} s", end="")
    if times[1]:
        ratio = median(times[0]) / median(times[1])
        print(f"   yatzy-solver {median(times[1]):6.2f} s   ratio {ratio:.2f} (goal {GOAL_SOLVE})", end="")
    print(flush=True)


def _seconds(program: str, argument: str) -> float:
    """Time a whole process; nothing in the environment favours one linear algebra or another."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("OPENBLAS", "OMP", "MKL"))}
    with tempfile.TemporaryDirectory() as folder:
        environment["FAIRWIND_DATA"] = folder
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", program, argument], check=True, env=environment, stdout=subprocess.DEVNULL
        )
        return time.perf_counter() - began


def _advice(name: str, coach: Coach) -> None:
    """Time every keep and box of one decision, on cards and dice by lot."""
    chance = random.Random(1)
    positions = [
        (_card(coach, chance), tuple(chance.choices(range(1, 7), k=5)), chance.randint(0, 2)) for _ in range(300)
    ]
    coach.advise(*positions[0])
    times = [_milliseconds(lambda: coach.advise(*position)) for position in positions]  # noqa: B023 - called at once
    print(f"{name:20} one decision {median(times):6.2f} ms (goal {GOAL_ADVICE_MS})", flush=True)


def _review(name: str, coach: Coach) -> None:
    """Time the ledger of whole games of the perfect player."""
    times = []
    for seed in range(20):
        states, moves = _game(coach, Stream(bytes([seed] * 32)))
        times.append(_milliseconds(lambda: ledger(coach, states, moves)))  # noqa: B023 - called at once
    print(f"{name:20} one review   {median(times):6.2f} ms (goal {GOAL_REVIEW_MS})", flush=True)


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def _card(coach: Coach, chance: random.Random) -> Card:
    """Fill some boxes by lot."""
    card = Card.empty(coach.rules)
    for place in chance.sample(range(len(coach.rules.boxes)), chance.randrange(len(coach.rules.boxes))):
        card = card.write(place, tuple(chance.choices(range(1, 7), k=5)), 3)
    return card


def _game(coach: Coach, stream: Stream) -> tuple[list[State], list[Move]]:
    states, moves = [start(coach.rules)], list[Move]()
    while not states[-1].over:
        moves.append(_best(coach, states[-1]))
        states.append(apply(states[-1], moves[-1], stream))
    return states, moves


def _best(coach: Coach, state: State) -> Move:
    if state.dice is None:
        return Roll()
    best = coach.advise(state.card, state.dice, state.rolls_left).best
    if isinstance(best, str):
        return Score(best)
    left = list(best)
    kept = []
    for place, face in enumerate(state.dice):
        if face in left:
            left.remove(face)
            kept.append(place)
    return Roll(tuple(kept))


if __name__ == "__main__":
    main()
