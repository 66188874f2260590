"""How long a hint and the review of a finished game take, from the request of the use case to the page."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from app.clock import system
from app.coach.making import Tables
from app.game.rulesets import ruleset
from app.game.state import Move, Roll, Score, legal
from app.play import Look, Plan, Play
from app.play.coaching import Coaches, Coaching
from app.settings import Settings
from app.store import Store
from app.web import hint, review
from app.web.render import Renderer
from app.web.words import words

RULESETS = ("classic", "yatzy")
TIMES = 40
GOALS_MS = {"hint": 10, "review": 50}


def main() -> None:
    """Measure, and print. The tables come from the data folder and are made there when they are missing."""
    tables = Tables(Settings.load().tables)
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Settings(data=Path(folder)).where)
        store.migrate()
        for id_ in RULESETS:
            tables.make(ruleset(id_))
            _measure(id_, Play(store, system), Coaching(store, Coaches(tables), system))
        store.close()


def _measure(id_: str, play: Play, coaching: Coaching) -> None:
    english, renderer = words("en"), Renderer()
    player, open_game = play.open_game(None, Plan(ruleset(id_)))
    rolled = play.move(open_game.id, player, open_game.version, Roll()).look
    finished = _play_out(play, player, play.open_game(player, Plan(ruleset(id_)))[1])
    _time(f"hint {id_}", "hint", lambda: hint.hint(coaching.hint(rolled.id, player, rolled.version), english))

    def show() -> str:
        found = review.review(coaching.review(finished.id, player), english)
        return renderer.page("review.html", found, english)

    _time(f"review {id_}", "review", show)


def _play_out(play: Play, player: str, look: Look) -> Look:
    chance = random.Random(1)
    while not look.state.over:
        move: Move
        if look.state.rolls_left and chance.random() < 0.8:  # noqa: PLR2004 - most turns use all their rolls
            count = 0 if look.state.dice is None else chance.randrange(look.state.ruleset.dice)
            move = Roll(tuple(chance.sample(range(look.state.ruleset.dice), count)))
        else:
            boxes = list(legal(look.state).boxes)
            move = Score(chance.choice(boxes)) if boxes else Roll()
        look = play.move(look.id, player, look.version, move).look
    return look


def _time(name: str, kind: str, work: Callable[[], object]) -> None:
    """Time some work, once warm, and print the median."""
    work()
    times = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - begun))
    goal = GOALS_MS[kind]
    print(f"  {name:16} {median(times):6.1f} ms (goal: under {goal})")
    print(json.dumps({"measurement": name, "ms": round(median(times), 2), "goal": goal}))
