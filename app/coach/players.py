"""The computer players: from a state to a move. They see what a player sees, never a key and no dice to come.

The perfect player takes the best choice of the exact solution, the others choose as people do. Where several play, each
plays for its own points: what the others hold, a win at once and a lost entry do not enter its thoughts.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import ceil, sqrt
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import numpy as np

from app.coach.advice import Choice, Coach
from app.coach.levels import BEST, LEVELS, PERFECT, Manner, boxes_seem, draw, keeps_seem, taste
from app.coach.making import Tables
from app.coach.tables import Table
from app.game.card import Card
from app.game.dice import Dice
from app.game.errors import Unreadable
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from app.game.state import Move, Roll, Score, State

CALIBRATION = Path(__file__).with_name("calibration.json")
"""What `python -m tools.calibrate` measured: for each ruleset the temperature of each level, and how strong it is."""

SAVED_ROLLS = "saved_rolls"

Strength: TypeAlias = tuple[float, float]
"""A mean total in points and its standard error."""


@dataclass(frozen=True, slots=True)
class Calibrated:
    """How a level plays under a ruleset: the temperature, the mean over so many games, and its standard error in points."""

    temperature: float
    mean: float
    standard_error: float
    games: int

    @property
    def deviation(self) -> float:
        """The standard deviation of one game's total, in points."""
        return self.standard_error * sqrt(self.games)


@cache
def calibration() -> Mapping[str, Mapping[str, Calibrated]]:
    """Read what was measured: ruleset → level → how it plays with the default options."""
    found = json.loads(CALIBRATION.read_text(encoding="utf-8")) if CALIBRATION.exists() else {"rulesets": {}}
    return {
        id_: {level: Calibrated(**measured) for level, measured in levels.items()}
        for id_, levels in found["rulesets"].items()
    }


def strength(ruleset_id: str) -> dict[str, Strength]:
    """Give for each level its mean total with the default options and the standard error; nothing where none was measured."""
    return {level: (one.mean, one.standard_error) for level, one in calibration().get(ruleset_id, {}).items()}


def levels_of(rules: Ruleset) -> tuple[str, ...]:
    """List the levels that can play by these rules, the weakest first.

    Nobody plays saved rolls well: the exact solution knows none, so only the levels that err much anyway are offered.
    """
    names = tuple(level.name for level in LEVELS)
    return names[:2] if rules.saved_rolls else (*names, PERFECT)


def manner_of(table: Table, level: str) -> Manner:
    """Find how a level plays by a table: as it was calibrated for the ruleset, with whatever options."""
    if level == PERFECT:
        return BEST
    wanted = next(known for known in LEVELS if known.name == level)
    rules = table.states.sheet.ruleset
    measured = calibration().get(rules.id, {}).get(level)
    usual = wanted.blur * table.expected / len(rules.boxes)
    return Manner(measured.temperature if measured else usual, wanted.appetite)


def check_level(rules: Ruleset, level: str) -> None:
    """See that a level can play by these rules.

    Raises:
        Unreadable: `unknown_level`, naming what there is.

    """
    known = levels_of(rules)
    if level not in known:
        why = " with saved rolls, which have no exact solution," if rules.saved_rolls else ""
        raise Unreadable("unknown_level", f"{rules.id}{why} has the levels {', '.join(known)}, not {level!r}.")


def solvable(rules: Ruleset) -> Ruleset:
    """Give the rules that a player thinks by: the same, but for saved rolls, which have no exact solution."""
    return ruleset(rules.id, {**rules.options, SAVED_ROLLS: False}) if rules.saved_rolls else rules


class Computers:
    """All computer players on a folder of tables. May be used by several threads."""

    def __init__(self, tables: Tables, chance: random.Random | None = None) -> None:
        """Play by these tables; `chance` is where the lower levels' errors come from."""
        self.tables = tables
        self._chance = chance or random.SystemRandom()
        self._minds: dict[Ruleset, Mind] = {}
        self._lock = Lock()

    def seconds_to_wait(self, ruleset: Ruleset, level: str) -> int:
        """Say how long until a level can play by these rules, 0 when it can now; a table that is missing is begun.

        Raises:
            Unreadable: `unknown_level`, naming what there is.

        """
        check_level(ruleset, level)
        rules = solvable(ruleset)
        if table := self.tables.find(rules):
            # Thought of now, so that the first move need not wait for it.
            self._mind(table)
            return 0
        return self.tables.ask(rules)

    def seconds_left(self, ruleset: Ruleset) -> int | None:
        """Say how long until the table of these rules is there, 0 when it is; None where nobody makes it. Begins nothing."""
        rules = solvable(ruleset)
        # Whoever makes a table leaves a file of that name. Without one there is no need to work out whose tables they are.
        if not any(self.tables.folder.glob(f"{rules.id}-*")):
            return None
        if self.tables.find(rules):
            return 0
        pace = self.tables.pace(rules)
        return max(1, ceil(pace.left)) if pace else None

    def choose(self, state: State, level: str) -> Move:
        """Choose the move of the seat to play; waits for a table that is missing.

        Raises:
            Unreadable: `unknown_level`.

        """
        check_level(state.ruleset, level)
        if state.dice is None:
            return Roll()
        return self._mind(self.tables.make(solvable(state.ruleset))).choose(state, level, self._chance.random())

    def close(self) -> None:
        """End what was begun and is not finished."""
        self.tables.close()

    def _mind(self, table: Table) -> Mind:
        rules = table.states.sheet.ruleset
        with self._lock:
            if rules not in self._minds:
                self._minds[rules] = Mind(table)
            return self._minds[rules]


class Mind:
    """Chooses moves by a table. May be used by several threads."""

    def __init__(self, table: Table) -> None:
        """Think by a table."""
        self.coach = Coach(table)
        self.rules = table.states.sheet.ruleset
        self._taste = taste(self.rules)
        # A turn has up to three choices from one card, and all of them follow from what is worked out for the first.
        self._turn = lru_cache(maxsize=64)(lambda card: self.coach.turns([card])[0])
        # Much is prepared at the first thought; here nobody waits for a move.
        self._turn(Card.empty(self.rules))

    def choose(self, state: State, level: str, chance: float) -> Move:
        """Choose a move for the dice on the table; `chance`, 0..1, decides where the level wavers."""
        if state.dice is None:
            return Roll()
        held = tuple(sorted(state.dice[place] for place in state.locked))
        # More rolls than the rules have are saved ones: thought of as the most that there are without.
        left = min(state.rolls_left, self.rules.rolls - 1)
        choice = self._choose(
            Card(self.rules, state.card.points, state.card.extra),
            tuple(sorted(state.dice)),
            min(state.roll, self.rules.rolls),
            left,
            held,
            manner_of(self.coach.table, level),
            chance,
        )
        return Score(choice) if isinstance(choice, str) else Roll(positions(state.dice, choice, state.locked))

    def _choose(  # noqa: PLR0913, PLR0917 - what there is to see, and how to look at it
        self, card: Card, dice: Dice, roll: int, left: int, held: Dice, manner: Manner, chance: float
    ) -> Choice:
        turn = self._turn(replace(card, extra=0))
        judged = self.coach.judge(turn, dice, roll)
        keeps = self.coach.keeps(turn, dice, left, held)
        if manner.perfect:
            return self.coach.choose(judged, keeps)
        rows = [self.coach.odds.stack_row[keep] for keep in keeps]
        liking = self._taste.of_keeps(self.coach.states.rows.open(turn.row))[rows]
        keeps_look = keeps_seem(manner, np.array(list(keeps.values())), liking)
        boxes_look = boxes_seem(manner, judged, self._taste, rolls_left=left > 0)
        seeming = np.concatenate([keeps_look, boxes_look[:, 0]])
        chosen = int(draw(manner, seeming[:, None], np.array([chance]))[0])
        return list(keeps)[chosen] if chosen < len(keeps) else self.rules.boxes[judged.places[chosen - len(keeps)]].key


def positions(dice: Dice, keep: Dice, locked: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Find positions, from 0, of dice that show the faces to keep; the locked ones are among them."""
    wanted = Counter(keep)
    found: list[int] = []
    for place in (*locked, *(place for place in range(len(dice)) if place not in locked)):
        if wanted[dice[place]]:
            wanted[dice[place]] -= 1
            found.append(place)
    return tuple(sorted(found))
