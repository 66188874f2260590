"""A position: dice that wait for a box. It may come from a real table, so it is checked that play can lead to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.game.card import Card, card_from
from app.game.dice import FACES, Dice
from app.game.errors import Unreadable
from app.game.rules import Ruleset


@dataclass(frozen=True, slots=True)
class Position:
    """The card before the dice are written, the dice, and the number of the roll they lie on, from 1."""

    card: Card
    dice: Dice
    roll: int


def position(rules: Ruleset, dice: Sequence[int], written: Mapping[str, int], roll: int | None = None) -> Position:
    """Make a position of dice and of the points in the filled boxes; without `roll` on a turn's last ordinary roll.

    Raises:
        Unreadable: `bad_dice`, `bad_roll`, `unknown_box` or `impossible_card`, naming what is allowed.

    """
    if len(dice) != rules.dice or any(face not in FACES for face in dice):
        shown = " ".join(str(face) for face in dice) or "none"
        raise Unreadable("bad_dice", f"{rules.id} is played with {rules.dice} dice, each from 1 to 6, not {shown}.")
    card = card_from(rules, written)
    if card.full:
        raise Unreadable("impossible_card", "Every box of this card is filled, so there are no dice left to score.")
    last = _last_roll(card)
    if roll is not None and not 1 <= roll <= last:
        raise Unreadable("bad_roll", f"The roll can be 1 to {last} here, not {roll}.")
    return Position(card, tuple(dice), rules.rolls if roll is None else roll)


def _last_roll(card: Card) -> int:
    """Give the highest roll that a turn can reach: with saved rolls each earlier turn may have left all but one."""
    rules = card.ruleset
    return rules.rolls + (card.filled * (rules.rolls - 1) if rules.saved_rolls else 0)
