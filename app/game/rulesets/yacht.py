"""The older games: Yacht, its console form, Cheerio, and Crag with three dice.

Source: the rules sheet's sections 8, 9, 13 and 14 (the 1938 rules of Yacht, pages on 51 Worldwide Games, thegamesforum.com, the
article on Crag).
"""

from __future__ import annotations

from app.game.rules import TURN_OPTIONS, Box, Options, Ruleset, Step, Variant, choice, switch, upper_boxes
from app.game.scores import Contains, Groups, Total

LOW = (1, 2, 3, 4, 5)
HIGH = (2, 3, 4, 5, 6)


def _yacht(id_: str, options: Options) -> Ruleset:
    low, high = (int(points) for points in str(options["straights"]).split("_"))
    boxes = (
        *upper_boxes(),
        Box("full_house", Groups((3, 2), alike=bool(options["lenient_full_house"]))),
        Box("four_of_a_kind", Groups((4,), "all" if options["four_sum"] == "all" else "used")),
        Box("small_straight", Contains((LOW,), low)),
        Box("large_straight", Contains((HIGH,), high)),
        Box("chance", Total()),
        Box("five_of_a_kind", Groups((5,), 50)),
    )
    return _plain(id_, options, boxes)


def _yacht_ww(id_: str, options: Options) -> Ruleset:
    boxes = (
        *upper_boxes(),
        Box("chance", Total()),
        Box("four_of_a_kind", Groups((4,))),
        Box("full_house", Groups((3, 2), alike=bool(options["lenient_full_house"]))),
        Box("small_straight", Contains(((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6)), 15)),
        Box("large_straight", Contains((LOW, HIGH), 30)),
        Box("five_of_a_kind", Groups((5,), 50)),
    )
    return _plain(id_, options, boxes, bonus=(Step(63, 35),))


def _plain(id_: str, options: Options, boxes: tuple[Box, ...], bonus: tuple[Step, ...] = ()) -> Ruleset:
    """Make a game of five dice and three rolls in which a further five of a kind is nothing special."""
    return Ruleset(
        id_,
        options,
        boxes,
        bonus=bonus,
        locked_dice=bool(options["locked_dice"]),
        forced_order=bool(options["forced_order"]),
    )


def _cheerio(id_: str, options: Options) -> Ruleset:
    boxes = (
        *upper_boxes(),
        Box("small_straight", Contains((LOW,), 20)),
        Box("large_straight", Contains((HIGH,), 25)),
        Box("full_house", Groups((3, 2))),
        Box("chance", Total()),
        Box("five_of_a_kind", Groups((5,), 50)),
    )
    return Ruleset(id_, options, boxes, rolls=int(options["rolls"]))


def _crag(id_: str, options: Options) -> Ruleset:
    boxes = (
        *upper_boxes(),
        Box("odd_straight", Contains(((1, 3, 5),), 20)),
        Box("even_straight", Contains(((2, 4, 6),), 20)),
        Box("low_straight", Contains(((1, 2, 3),), 20)),
        Box("high_straight", Contains(((4, 5, 6),), 20)),
        Box("three_of_a_kind", Groups((3,), 25)),
        Box("thirteen", Total(13, 26)),
        Box("crag", Contains(((6, 6, 1), (5, 5, 3), (4, 4, 5)), 50)),
    )
    return Ruleset(id_, options, boxes, dice=3, rolls=2)


YACHT = Variant(
    "yacht",
    _yacht,
    (
        choice("straights", "30_30", "15_20", "25_30"),
        choice("four_sum", "four", "all"),
        switch("lenient_full_house"),
        *TURN_OPTIONS,
    ),
)
YACHT_WW = Variant("yacht_ww", _yacht_ww, (switch("lenient_full_house"), *TURN_OPTIONS))
CHEERIO = Variant("cheerio", _cheerio, (choice("rolls", 2, 3),))
CRAG = Variant("crag", _crag)
