"""Games so small that everything about them can be tried out."""

from __future__ import annotations

from dataclasses import replace

from app.game.rules import Box, ExtraFive, Ruleset, Step
from app.game.scores import Faces, Groups, Served, Total
from tests.support.table import named

PAIR = Box("pair", Groups((2,), "used"))
TRIPLE = Box("triple", Groups((3,), 30))
UPPER = (Box("twos", Faces(2), face=2), Box("sixes", Faces(6), face=6))


def small(name: str, *boxes: Box, **rules: object) -> Ruleset:
    """Make a game of three dice that brute force can finish."""
    plain = Ruleset(name, {}, boxes, dice=3, bonus=(Step(12, 5), Step(18, 20)))
    return replace(plain, **rules)  # type: ignore[arg-type]


SMALL = [
    small("plain", *UPPER, PAIR, TRIPLE),
    small("a bonus for further triples", *UPPER, PAIR, TRIPLE, five_box="triple", extra_five=ExtraFive(40)),
    small("a box that needs another", *UPPER, TRIPLE, Box("double", Groups((3,), 70), needs="triple"), rolls=2),
    small("more for the first roll", *UPPER, Box("pair", Served(Groups((2,), 20), 9)), TRIPLE),
    small("locked dice", *UPPER, TRIPLE, Box("thirteen", Total(13, 26)), locked_dice=True),
    small("forced order", *UPPER, Box("chance", Total()), TRIPLE, forced_order=True, rolls=2),
    small("one roll", *UPPER, PAIR, TRIPLE, rolls=1),
    small("four rolls, locked", UPPER[1], PAIR, TRIPLE, rolls=4, locked_dice=True),
]


def called(rules: Ruleset) -> str:
    """Name a ruleset for a test's id, a small one too."""
    return rules.id if rules in SMALL else named(rules)
