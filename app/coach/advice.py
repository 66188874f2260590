"""Advice: what every keep and every box is worth in a position, and which of them the perfect player chooses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import local
from typing import TypeAlias

import numpy as np

from app.coach.boxes import CLOSED, Cards
from app.coach.choices import Plan
from app.coach.odds import Floats
from app.coach.policy import STOP, Judge, Judged, choose_keep, keeping
from app.coach.tables import Table
from app.coach.turns import Turns
from app.game.card import Card
from app.game.dice import FACES, Dice
from app.game.errors import Unreadable

DECIMALS = 6
"""Worths are told to this many decimals, which is about as far as tables are right: so equal worths look equal."""

Choice: TypeAlias = Dice | str
"""The faces to keep, ascending, or the key of the box to take."""


@dataclass(frozen=True, slots=True)
class Worth:
    """A keep and what it is worth."""

    keep: Dice
    expected: float


@dataclass(frozen=True, slots=True)
class Advice:
    """The choices in a position.

    `keeps`: every keep once, best first; none with no roll left. `boxes`: the boxes that may be chosen, in sheet order.
    `value`: what the best choice is worth. All worths are points from now to the end of the game: what the choice scores,
    further bonuses, and an upper bonus not yet earned.
    """

    best: Choice
    keeps: tuple[Worth, ...]
    boxes: Mapping[str, float]
    value: float

    @property
    def choices(self) -> dict[Choice, float]:
        """Every choice and its worth, the keeps first."""
        choices: dict[Choice, float] = {some.keep: some.expected for some in self.keeps}
        choices.update(self.boxes)
        return choices

    @property
    def second(self) -> Choice | None:
        """The best of the other choices; None where there is none."""
        others = {choice: worth for choice, worth in self.choices.items() if choice != self.best}
        return max(others, key=others.__getitem__, default=None)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn from one card, with all its worths; they count the whole upper bonus, also what is earned already.

    `keeps[left]`: the worth of every keep with so many rolls left, in the order of a stack; `stop[kind]` that of the best
    box for every final roll; `start` that of the card before the first roll.
    """

    card: Card
    row: int
    level: int
    column: int
    keeps: tuple[Floats, ...]
    stop: tuple[Floats, ...]
    start: float


class Coach:
    """Knows what every choice of a ruleset is worth. May be used by several threads.

    `raised`: another coach of the same ruleset, by a table with the bonus raised, if there is one.
    """

    def __init__(self, table: Table, raised: Coach | None = None) -> None:
        """Advise by a table."""
        self.table = table
        self.raised = raised
        self.states = table.states
        self.rules = table.states.sheet.ruleset
        self.odds = table.states.sheet.odds
        self.plan = Plan(table.states)
        self._judge = Judge(self.plan)
        self._local = local()
        self._turn = lru_cache(maxsize=256)(lambda card: self.turns([card])[0])

    def advise(
        self, card: Card, dice: Sequence[int], rolls_left: int, *, locked: Sequence[int] = (), roll: int | None = None
    ) -> Advice:
        """Say what every choice is worth. `locked`: faces that must be kept; `roll` counts the rolls made, from 1.

        Raises:
            Unreadable: `bad_dice`, `bad_roll`, `bad_locked` or `impossible_card`: the position cannot arise.

        """
        check_position(card, dice, rolls_left, locked)
        turn = self.turn(card)
        shown = tuple(sorted(dice))
        judged = self.judge(turn, shown, self.rules.rolls - rolls_left if roll is None else roll)
        keeps = self.keeps(turn, shown, rolls_left, tuple(sorted(locked)))
        chosen = self.choose(judged, keeps)
        earned = card.upper_bonus
        boxes = {key: round(worth - earned, DECIMALS) for key, worth in self.boxes(judged).items()}
        worths = [Worth(keep, round(worth - earned, DECIMALS)) for keep, worth in keeps.items()]
        # The keeps come in the order of preference, and sorting leaves equal ones in theirs.
        worths.sort(key=lambda some: -some.expected)
        value = boxes[chosen] if isinstance(chosen, str) else round(keeps[chosen] - earned, DECIMALS)
        return Advice(chosen, tuple(worths), boxes, value)

    def turn(self, card: Card) -> Turn:
        """Work out a turn from a card that is not full; kept for a while, since a turn has several choices."""
        return self._turn(card)

    def turns(self, cards: Sequence[Card]) -> list[Turn]:
        """Work out a turn from each card, none of them full."""
        places = [self.states.find(card) for card in cards]
        levels = [self.states.level(column) for _, column in places]
        several = [
            Cards(row, level, slice(column, column + 1), 1) for (row, column), level in zip(places, levels, strict=True)
        ]
        if not hasattr(self._local, "turns"):
            self._local.turns = Turns(self.plan)
        rolling = self._local.turns.run(self.table, several, len(several))
        starts = self.table.at(np.array([row for row, _ in places]), np.array([column for _, column in places]))
        return [
            Turn(
                card,
                *(row, level, column),
                tuple(keeps[:, nth].copy() for keeps in rolling.keeps),
                tuple(stop[:, nth].copy() for stop in rolling.stop),
                float(starts[nth]),
            )
            for nth, (card, (row, column), level) in enumerate(zip(cards, places, levels, strict=True))
        ]

    def judge(self, turn: Turn, dice: Dice, roll: int) -> Judged:
        """Judge the boxes for dice, faces ascending, on the roll of that number."""
        kind = self.states.sheet.kinds[roll - 1]
        cards = Cards(turn.row, turn.level, np.array([turn.column]), 1)
        return self._judge.judge(self.table, cards, np.array([self.odds.row[dice]]), kind)

    def keeps(self, turn: Turn, dice: Dice, rolls_left: int, locked: Dice = ()) -> dict[Dice, float]:
        """Give the worth of every keep, the preferred first."""
        if not rolls_left:
            return {}
        loose = tuple((Counter(dice) - Counter(locked)).elements())
        rows = keeping(self.rules.dice).of(locked, loose)
        worths = turn.keeps[rolls_left].take(rows).tolist()
        return dict(zip((self.odds.stack[row] for row in rows), worths, strict=True))

    def boxes(self, judged: Judged) -> dict[str, float]:
        """Give the worth of every box that may be chosen, in sheet order."""
        worths = zip(judged.places, judged.worth[:, 0].tolist(), strict=True)
        return {self.rules.boxes[place].key: worth for place, worth in worths if worth > CLOSED / 2}

    def choose(self, judged: Judged, keeps: Mapping[Dice, float]) -> Choice:
        """Choose as the perfect player does."""
        box = self.rules.boxes[judged.places[int(judged.choose()[0])]].key
        if not keeps:
            return box
        worths = np.array(list(keeps.values())).reshape(1, -1, 1)
        chosen = int(choose_keep(worths, np.arange(len(keeps))[None], judged.worth.max(axis=0)[None])[0, 0])
        return box if chosen == STOP else list(keeps)[chosen]


def check_position(card: Card, dice: Sequence[int], rolls_left: int, locked: Sequence[int] = ()) -> None:
    """See that dice can lie there on this card with so many rolls left and these faces locked.

    Raises:
        Unreadable: `bad_dice`, `bad_roll`, `bad_locked` or `impossible_card`, naming what is allowed.

    """
    rules = card.ruleset
    if card.full:
        raise Unreadable("impossible_card", "Every box of this card is filled, so there is nothing left to choose.")
    if len(dice) != rules.dice or any(face not in FACES for face in dice):
        shown = " ".join(str(face) for face in dice) or "none"
        raise Unreadable("bad_dice", f"{rules.id} is played with {rules.dice} dice from 1 to 6, not {shown}.")
    if not 0 <= rolls_left < rules.rolls:
        raise Unreadable("bad_roll", f"With dice on the table 0 to {rules.rolls - 1} rolls are left, not {rolls_left}.")
    if Counter(locked) - Counter(dice):
        raise Unreadable("bad_locked", "Only dice that are on the table can be locked.")
    if locked and (not rules.locked_dice or rolls_left == rules.rolls - 1):
        raise Unreadable("bad_locked", "Dice are locked only under locked_dice, and not before the second roll.")
