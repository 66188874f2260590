"""A table for tests: dice that come as the test says, turns in short, and every ruleset that can be chosen."""

from __future__ import annotations

import json
import random
from collections import deque
from pathlib import Path
from typing import Any

import pytest

from app.game.dice import Dice
from app.game.errors import IllegalMove, Reason
from app.game.notation import write_options
from app.game.rules import Ruleset, Variant
from app.game.rulesets import VARIANTS, ruleset
from app.game.state import Move, Roll, Score, State, apply, legal

HERE = Path(__file__).parents[1]


def dice(text: str) -> Dice:
    """Read dice from their digits: "22566"."""
    return tuple(int(face) for face in text)


def rows(path: str) -> list[dict[str, Any]]:
    """Read a fixture: a list of JSON objects below tests/."""
    found: list[dict[str, Any]] = json.loads((HERE / path).read_text(encoding="utf-8"))
    return found


class Scripted:
    """Dice that come as a test says, one roll after the other, whatever the address; `asked` records the addresses."""

    def __init__(self, *rolls: str) -> None:
        """Take the faces of each roll to come: as many as there are dice, also where some are kept."""
        self.rolls = deque(rolls)
        self.asked: list[tuple[int, int, int, int, int]] = []

    def faces(self, count: int, seat: int, turn: int, roll: int, nth: int) -> Dice:
        """Give the next faces, filled up with ones."""
        self.asked.append((count, seat, turn, roll, nth))
        return dice(self.rolls.popleft().ljust(count, "1"))


class Loaded:
    """Dice that are all alike in every second roll, so that further fives of a kind come up."""

    def __init__(self, chance: random.Random) -> None:
        """Take the source of chance."""
        self.chance = chance

    def faces(self, count: int, seat: int, turn: int, roll: int, nth: int) -> Dice:
        """Give the next faces, whatever the address."""
        del seat, turn, roll, nth
        if self.chance.random() < 0.5:
            return (self.chance.randint(1, 6),) * count
        return tuple(self.chance.randint(1, 6) for _ in range(count))


def play(state: State, *turns: str) -> State:
    """Play turns of one roll each, written "22566 chance": these dice, into this box."""
    for turn in turns:
        faces, box = turn.split()
        state = apply(apply(state, Roll(), Scripted(faces)), Score(box), Scripted())
    return state


def rolled(state: State, faces: str) -> State:
    """Make a roll of all dice that shows these faces."""
    return apply(state, Roll(), Scripted(faces))


def keep_and_roll(state: State, keep: str, faces: str) -> State:
    """Keep the dice at these positions, and roll the rest: they show the first of these faces."""
    return apply(state, Roll(tuple(int(place) for place in keep)), Scripted(faces))


def refused(state: State, move: Move) -> Reason:
    """Make a move that must be refused, and give the reason."""
    with pytest.raises(IllegalMove) as found:
        apply(state, move, Scripted("123456"))
    return found.value.reason


def random_move(state: State, chance: random.Random) -> Move:
    """Choose any legal move but an undo; rolls are a little more likely than boxes."""
    allowed = legal(state)
    if state.dice is None:
        return Roll()
    if allowed.roll and chance.random() < 0.6:
        free = [place for place in range(state.ruleset.dice) if place not in state.locked]
        thrown = set(chance.sample(free, chance.randint(1, len(free))))
        return Roll(tuple(place for place in range(state.ruleset.dice) if place not in thrown))
    return Score(chance.choice(list(allowed.boxes)))


def with_needs(variant: Variant, chosen: dict[str, object]) -> Ruleset:
    """Make a ruleset; where an option needs another one's value, that is chosen too."""
    for need in variant.needs:
        if chosen.get(need.option) == need.value:
            chosen[need.other] = need.other_value
    return ruleset(variant.id, chosen)


def defaults() -> list[Ruleset]:
    """Make every ruleset at its defaults."""
    return [ruleset(variant.id) for variant in VARIANTS]


def every_value() -> list[Ruleset]:
    """Make every ruleset at its defaults, and with every single option at each of its other values."""
    made = defaults()
    for variant in VARIANTS:
        for option in variant.options:
            made += [with_needs(variant, {option.name: value}) for value in option.values[1:]]
    return made


def mixtures(count: int) -> list[Ruleset]:
    """Make `count` different rulesets with all options drawn by lot, the same ones each time."""
    chance = random.Random(20)
    found: dict[str, Ruleset] = {}
    while len(found) < count:
        variant = chance.choice([known for known in VARIANTS if known.options])
        rules = with_needs(variant, {option.name: chance.choice(option.values) for option in variant.options})
        found[named(rules)] = rules
    return list(found.values())


def named(rules: Ruleset) -> str:
    """Name a ruleset with the options that are not its defaults, for a test's id."""
    return f"{rules.id}[{write_options(rules.options, rules.id)}]"
