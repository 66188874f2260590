"""What a computer's turn adds to the request of the person's score, and how long 100,000 perfect games take."""

from __future__ import annotations

import json
import random
import tempfile
import time
from pathlib import Path
from statistics import median

from app.clock import system
from app.coach.making import Tables
from app.coach.players import Computers, levels_of
from app.coach.simulate import simulate
from app.game.rulesets import ruleset
from app.game.state import Roll, Score, legal
from app.play import Kind, Plan, Play
from app.settings import Settings
from app.store import Store

RULESETS = ("classic", "yatzy")
GAMES = 8
GOAL_MS = 10
SIMULATED = 100_000
GOAL_SECONDS = 40


def main() -> None:
    """Measure, and print a table. The tables come from the data folder and are made there when they are missing."""
    tables = Tables(Settings.load().tables)
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Settings(data=Path(folder)).where)
        store.migrate()
        play = Play(store, system, computers=Computers(tables, random.Random(1)))
        for id_ in RULESETS:
            tables.make(ruleset(id_))
            _race(play, id_)
        store.close()
    for id_ in RULESETS:
        begun = time.perf_counter()
        simulate(tables.make(ruleset(id_)), SIMULATED, seed=1)
        seconds = time.perf_counter() - begun
        print(f"  {id_:8} {SIMULATED:,} perfect games in {seconds:.1f} s (goal: under {GOAL_SECONDS})")
        print(json.dumps({"measurement": f"simulate {id_}", "seconds": round(seconds, 2), "goal": GOAL_SECONDS}))


def _race(play: Play, id_: str) -> None:
    """Play games alone and against each level in turn, so that noise falls on all of them."""
    rules = ruleset(id_)
    plans = {"": Plan(rules)} | {level: Plan(rules, Kind.COMPUTER, levels=(level,)) for level in levels_of(rules)}
    times: dict[str, list[float]] = {level: [] for level in plans}
    for _ in range(GAMES):
        for level, plan in plans.items():
            times[level] += _scores(play, plan)
    for level in levels_of(rules):
        _print(id_, level, times[""], times[level])


def _scores(play: Play, plan: Plan) -> list[float]:
    """Play a game, one roll a turn, and give the seconds that each score took, with whatever turn came with it."""
    times = []
    player, look = play.open_game(None, plan)
    while not look.state.over:
        look = play.move(look.id, player, look.version, Roll()).look
        boxes = legal(look.state).boxes
        begun = time.perf_counter()
        look = play.move(look.id, player, look.version, Score(next(iter(boxes)))).look
        times.append(time.perf_counter() - begun)
    return times


def _print(id_: str, level: str, alone: list[float], against: list[float]) -> None:
    added = 1000 * (median(against) - median(alone))
    slow = 1000 * (sorted(against)[int(0.99 * len(against))] - median(alone))
    print(
        f"  {id_:8} {level:8} a turn adds {added:5.2f} ms, one of a hundred {slow:5.2f} ms (goal: under {GOAL_MS} ms)"
    )
    print(json.dumps({"measurement": f"turn {id_} {level}", "milliseconds": round(added, 2), "goal": GOAL_MS}))


if __name__ == "__main__":
    main()
