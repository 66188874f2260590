"""Games so small that everything about them can be tried out."""

from __future__ import annotations

from dataclasses import replace

from app.game.rules import Box, ExtraFive, Joker, Ruleset, Step
from app.game.scores import Contains, Faces, Flat, Groups, Served, Total
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

TWINS = Box("twins", Groups((2,), 30))
_TWO = {"dice": 2, "bonus": (Step(6, 5), Step(12, 20))}

TINY = [
    small("tiny plain", *UPPER, PAIR, TWINS, **_TWO),
    small(
        "tiny with a bonus for further twins", *UPPER, PAIR, TWINS, five_box="twins", extra_five=ExtraFive(40), **_TWO
    ),
    small("tiny with a box that needs another", *UPPER, TWINS, Box("double", Groups((2,), 70), needs="twins"), **_TWO),
    small("tiny with more for the first roll", *UPPER, Box("served", Served(Groups((2,), 20), 9)), TWINS, **_TWO),
    small("tiny with locked dice", *UPPER, PAIR, TWINS, locked_dice=True, **_TWO),
    small("tiny in order", *UPPER, PAIR, TWINS, forced_order=True, **_TWO),
    small("tiny with locked dice and four rolls", UPPER[0], PAIR, TWINS, rolls=4, locked_dice=True, **_TWO),
    small("tiny with one roll", *UPPER, PAIR, TWINS, rolls=1, **_TWO),
]

EVERY_UPPER = tuple(Box(f"face {face}", Faces(face), face=face) for face in range(1, 7))

JOKERS = [
    small(
        f"tiny with the joker {joker}",
        *EVERY_UPPER,
        Box("straight", Contains(((1, 2), (2, 3), (3, 4), (4, 5), (5, 6)), 9), joker=Flat(12)),
        TWINS,
        dice=2,
        five_box="twins",
        joker=joker,
        extra_five=ExtraFive(40),
    )
    for joker in Joker
]
"""Every reading of the joker rule in a game of two dice; too large for brute force, but quickly solved."""


def called(rules: Ruleset) -> str:
    """Name a ruleset for a test's id, a small one too."""
    return rules.id if rules in (*SMALL, *TINY, *JOKERS) else named(rules)
