"""Two tabs of one player at one game, each with what it saw last, sending whatever comes to mind, often at the same moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from app.game.notation import read_move
from app.game.rulesets import ruleset
from app.game.state import replay, start
from app.play.course import stream_of
from app.store import Store
from tests.support.clients import written
from tests.support.web import Visitor

BOXES = tuple(ruleset("classic").index)


@dataclass(slots=True)
class Tab:
    """What a tab shows: the game as it was answered last."""

    game: dict[str, Any]

    def choose(self, rng: Random) -> dict[str, Any]:
        """Choose what a person could send from here, possible or not."""
        version = max(0, self.game["version"] - (rng.random() < 0.1))
        if rng.random() < 0.55:
            keep = sorted(rng.sample(range(5), rng.randrange(5))) if self.game["dice"] else []
            return {"version": version, "action": "roll", "keep": keep}
        return {"version": version, "action": "score", "box": rng.choice(list(self.game["legal"]["boxes"]) or BOXES)}


@dataclass(slots=True)
class Sitting:
    """A game in two tabs, and what was sent and answered: the move, the status, the version that came back."""

    visitor: Visitor
    game: str
    tabs: tuple[Tab, Tab]
    answered: list[tuple[dict[str, Any], int, int]] = field(default_factory=list)

    def act(self, rng: Random) -> None:
        """Let one tab send something, or both at once, and sometimes one of them the same thing twice."""
        senders = [rng.choice(self.tabs)] if rng.random() < 0.6 else list(self.tabs)
        moves = [(tab, tab.choose(rng)) for tab in senders]
        if rng.random() < 0.3:
            moves.append(moves[0])
        path = f"/api/v1/games/{self.game}/moves"
        answers = self.visitor.at_once([("POST", path, {"json": move}) for _, move in moves])
        for (tab, move), answer in zip(moves, answers, strict=True):
            body = answer.json()
            shown = body if answer.status_code == 200 else body["error"]["details"].get("game")
            if shown:
                tab.game = shown
            self.answered.append((move, answer.status_code, shown["version"] if shown else -1))
        if rng.random() < 0.1:
            rng.choice(self.tabs).game = self.visitor.get(f"/api/v1/games/{self.game}").json()


def sit_down(visitor: Visitor) -> Sitting:
    """Open a game in two tabs."""
    game = visitor.new_game()
    return Sitting(visitor, game["id"], (Tab(game), Tab(game)))


def check_one_order(sitting: Sitting, store: Store) -> None:
    """See that what both tabs were told fits one order of moves, and that the game is what that order leads to."""
    with store.reading() as tx:
        row, log = tx.load(sitting.game) or (None, [])
    assert row is not None
    rules = ruleset("classic")
    for move, status, version in sitting.answered:
        entry = log[move["version"]] if move["version"] < len(log) else None
        if status == 200:
            assert entry == written(move), "what was accepted stands where it said"
            assert version > move["version"]
        else:
            assert status in {409, 422}, status
            # A refusal named a moment at which another move stood there, or at which the rules forbade this one.
            assert status == 422 or version != move["version"]
    # Each entry was sent by somebody who was told that it was done.
    done = {(move["version"], written(move)) for move, status, _ in sitting.answered if status == 200}
    assert done == set(enumerate(log))
    state = replay(start(rules, 1), [read_move(rules, text) for text in log], stream_of(row))
    now = sitting.visitor.get(f"/api/v1/games/{sitting.game}").json()
    assert now["version"] == len(log)
    assert list(now["seats"][0]["card"].values()) == list(state.card.points)
    assert now["dice"] == (None if state.dice is None else list(state.dice))
