"""A position as an address carries it: the rules, the card, the dice, and the rolls left. So it can be sent, and gone on with.

The query string is the position's text: `ruleset=classic&ones=3&sixes=18&dice=44451&rolls_left=2`, with the options that are
not at their default by their names. Dice that were kept while the others are still to be thrown stand in `keep`; once the
others are there, `keep` and `dice` together are the dice on the table. `extra` is what further fives of a kind have brought.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from app.game.card import Card, card_from
from app.game.dice import FACES, Dice
from app.game.errors import Unreadable
from app.game.rules import Ruleset
from app.game.rulesets import ruleset, variant
from app.web.guide_options import fields as unusual

USUAL = "classic"
"""The ruleset of an address that names none."""

_BETWEEN = re.compile(r"[\s,.+-]+")
_NUMBER = re.compile(r"\d{1,4}")


@dataclass(frozen=True, slots=True)
class Board:
    """A position between or within turns.

    `dice` ascending, () while they are to be thrown; `keep` ascending: what was kept before that, and under locked dice stays
    kept. `rolls_left` counts the rolls after the dice are there.
    """

    card: Card
    dice: Dice = ()
    rolls_left: int = 0
    keep: Dice = ()

    @property
    def rules(self) -> Ruleset:
        """The rules of the position."""
        return self.card.ruleset


def address(board: Board) -> str:
    """Give the address of the analysis board with a position, without the base path."""
    card, rules = board.card, board.rules
    pairs: list[tuple[str, object]] = [("ruleset", rules.id), *unusual(rules)]
    pairs += [(box.key, points) for box, points in zip(rules.boxes, card.points, strict=True) if points is not None]
    pairs += [("extra", card.extra)] if card.extra else []
    pairs += [("keep", "".join(map(str, board.keep)))] if board.keep else []
    pairs += [("dice", "".join(map(str, board.dice)))] if board.dice else []
    pairs += [] if card.full else [("rolls_left", board.rolls_left)]
    return f"/analysis?{urlencode(pairs)}"


def rules_in(fields: Mapping[str, str]) -> Ruleset:
    """Read the rules of an address.

    Raises:
        Unreadable: there are no such rules.

    """
    id_ = fields.get("ruleset") or USUAL
    names = {option.name for option in variant(id_).options}
    return ruleset(id_, {name: value for name, value in fields.items() if name in names}, text=True)


def read(pairs: Iterable[tuple[str, str]]) -> Board:
    """Read a position.

    Raises:
        Unreadable: it cannot be understood, or cannot arise; says why.

    """
    fields = single(pairs)
    rules = rules_in(fields)
    own = {"ruleset", "extra", "keep", "dice", "rolls_left", *rules.options, *rules.index}
    for name in fields.keys() - own:
        raise Unreadable("unknown_field", f"A position of {rules.id} has no {name!r}; it has {', '.join(sorted(own))}.")
    card = _card(rules, fields)
    keep, dice = (_dice(rules, fields.get(name, "")) for name in ("keep", "dice"))
    rolls_left = _number(fields.get("rolls_left") or str(rules.rolls - 1), "bad_roll", "rolls_left")
    if card.full and not dice:
        return Board(card)
    return _board(card, keep, dice, rolls_left)


def single(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Take every field once, the empty ones left out.

    Raises:
        Unreadable: a field comes twice.

    """
    fields: dict[str, str] = {}
    for name, text in pairs:
        if name in fields:
            raise Unreadable("repeated_field", f"{name} is given twice.")
        if text.strip():
            fields[name] = text.strip()
    return fields


def _card(rules: Ruleset, fields: Mapping[str, str]) -> Card:
    written = {key: _number(fields[key], "bad_points", key) for key in rules.index if key in fields}
    extra = _number(fields.get("extra", "0"), "bad_points", "extra")
    card = card_from(rules, written)
    bonus = rules.extra_five.points if rules.extra_five else 0
    if extra and (not bonus or extra % bonus or extra > bonus * card.filled):
        raise Unreadable("impossible_card", f"extra cannot be {extra} on this card.")
    return Card(rules, card.points, extra)


def _board(card: Card, keep: Dice, dice: Dice, rolls_left: int) -> Board:
    """Put together what was kept and what was thrown."""
    rules = card.ruleset
    most = rules.rolls - 2 if keep else rules.rolls - 1
    if not 0 <= rolls_left <= most:
        raise Unreadable("bad_roll", f"Here rolls_left can be 0 to {most}, not {rolls_left}.")
    locked = keep if rules.locked_dice else ()
    if len(keep) >= rules.dice:
        raise Unreadable("bad_dice", f"At most {rules.dice - 1} dice are kept when the rest is rolled.")
    if not dice:
        return Board(card, (), rolls_left, keep)
    if len(dice) == rules.dice:
        # All dice are named, those that were kept among them.
        if Counter(keep) - Counter(dice):
            raise Unreadable("bad_locked", "Dice that were kept are not on the table any more.")
        return Board(card, dice, rolls_left, locked)
    together = tuple(sorted(keep + dice))
    if len(together) != rules.dice:
        wanted = f"{rules.dice - len(keep)} new ones" if keep else f"{rules.dice} dice"
        raise Unreadable("bad_dice", f"There must be {wanted}, each from 1 to 6, not {len(dice)}.")
    return Board(card, together, rolls_left, locked)


def _dice(rules: Ruleset, text: str) -> Dice:
    """Read faces, with or without something between them; digits of any script will do."""
    figures = _BETWEEN.sub("", text)
    if not all(figure.isdecimal() and int(figure) in FACES for figure in figures) or len(figures) > rules.dice:
        raise Unreadable("bad_dice", f"{rules.id} is played with {rules.dice} dice, each from 1 to 6, not {text!r}.")
    return tuple(sorted(int(figure) for figure in figures))


def _number(text: str, code: str, name: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise Unreadable(code, f"{name} is a number, not {text!r}.")
    return int(text)
