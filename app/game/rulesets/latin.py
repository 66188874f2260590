"""Generala, of Latin America: points that depend on the roll number, and a win at once.

Source: the rules sheet's section 11 (the article on Generala and three public implementations).
"""

from __future__ import annotations

from itertools import combinations

from app.game.dice import FACES, Dice
from app.game.rules import Box, Options, Ruleset, Variant, choice, switch, upper_boxes
from app.game.scores import Contains, Groups, Served


def _straights(options: Options) -> tuple[Dice, ...]:
    """List the hands that count as a straight; an ace for two may stand for a 2 or a 6 that is missing."""
    hands: set[Dice] = {(1, 2, 3, 4, 5), (2, 3, 4, 5, 6)}
    if options["wrap_straight"]:
        hands |= set(combinations(FACES, 5))
    if options["ace_for_two"]:
        hands |= {(1, 1, 3, 4, 5), (1, 3, 4, 5, 6)}
    return tuple(sorted(hands))


def _generala(id_: str, options: Options) -> Ruleset:
    served = int(options["served_bonus"])
    five = int(options["generala_value"])
    boxes = (
        *upper_boxes(),
        Box("straight", Served(Contains(_straights(options), 20), served)),
        Box("full_house", Served(Groups((3, 2), 30), served)),
        Box("four_of_a_kind", Served(Groups((4,), 40), served)),
        Box("five_of_a_kind", Groups((5,), five)),
    )
    if options["double_generala_box"]:
        boxes += (Box("double_generala", Groups((5,), 2 * five), needs="five_of_a_kind"),)
    return Ruleset(id_, options, boxes, five_box="five_of_a_kind", served_wins=bool(options["served_wins"]))


GENERALA = Variant(
    "generala",
    _generala,
    (
        choice("generala_value", 50, 60),
        choice("served_bonus", 5, 10),
        switch("wrap_straight"),
        switch("ace_for_two"),
        switch("double_generala_box", default=True),
        switch("served_wins", default=True),
    ),
)
