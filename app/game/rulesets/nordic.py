"""Yatzy as played in Finland and Scandinavia, its children's form, and Maxi Yatzy with six dice.

Source: the rules sheet's sections 5 to 7 (the Finnish guide to Yatzy; maxiyahtzee.com and the Tactic leaflet for Maxi). The
children's form follows a design of our own: the guide says only that the lower section keeps the simplest combinations.
"""

from __future__ import annotations

from app.game.rules import (
    TURN_OPTIONS,
    Box,
    ExtraFive,
    Joker,
    Need,
    Option,
    Options,
    Ruleset,
    Step,
    TieBreak,
    Variant,
    choice,
    switch,
    upper_boxes,
)
from app.game.scores import Contains, Flat, Groups, Total

LOW = (1, 2, 3, 4, 5)
HIGH = (2, 3, 4, 5, 6)


def _yatzy(id_: str, options: Options) -> Ruleset:
    boxes = (
        *upper_boxes(),
        Box("one_pair", Groups((2,), "used")),
        Box(
            "two_pairs",
            Groups((2, 2), "used", exact=not options["two_pairs_full_house"]),
            joker=Groups((2, 2), "used", alike=True),
        ),
        Box("three_of_a_kind", Groups((3,), "used")),
        Box("four_of_a_kind", Groups((4,), "used")),
        Box("small_straight", Contains((LOW,), 15), joker=Flat(15)),
        Box("large_straight", Contains((HIGH,), 20), joker=Flat(20)),
        Box("full_house", Groups((3, 2)), joker=Groups((3, 2), alike=True)),
        Box("chance", Total()),
        Box("five_of_a_kind", Groups((5,), 50)),
    )
    with_joker = options["extra_yatzy"] == "bonus100_joker"
    wild = options["joker_upper"] == "wild"
    extra = {"bonus100_joker": ExtraFive(100), "plus50": ExtraFive(50), "none": None}
    return Ruleset(
        id_,
        options,
        boxes,
        bonus=(Step(63, 50),),
        five_box="five_of_a_kind",
        joker=(Joker.LOWER_FREE_WILD if wild else Joker.LOWER_FREE) if with_joker else Joker.NONE,
        joker_needs_points=not options["joker_after_zero"],
        extra_five=extra[str(options["extra_yatzy"])],
        locked_dice=bool(options["locked_dice"]),
        forced_order=bool(options["forced_order"]),
        tie_break=TieBreak(str(options["tie_break"])),
    )


def _yatzy_options(extra: str, *, full_house_is_two_pairs: bool) -> tuple[Option, ...]:
    return (
        choice("extra_yatzy", extra, "bonus100_joker", "plus50", "none"),
        choice("joker_upper", "as_rolled", "wild"),
        switch("joker_after_zero"),
        switch("two_pairs_full_house", default=full_house_is_two_pairs),
        choice("tie_break", "draw", "upper_count"),
        *TURN_OPTIONS,
    )


YATZY_NEEDS = (
    Need("joker_upper", "wild", "extra_yatzy", "bonus100_joker"),
    Need("joker_after_zero", value=True, other="extra_yatzy", other_value="bonus100_joker"),
)


def _yatzy_kids(id_: str, options: Options) -> Ruleset:
    boxes = (
        *upper_boxes(),
        Box("one_pair", Groups((2,), "used")),
        Box("chance", Total()),
        Box("three_of_a_kind", Groups((3,), "used")),
        Box("five_of_a_kind", Groups((5,), 50)),
    )
    bonus = int(options["upper_bonus"])
    return Ruleset(
        id_,
        options,
        boxes[: int(options["size"])],
        bonus=(Step(63, bonus),) if bonus else (),
        locked_dice=bool(options["locked_dice"]),
        forced_order=bool(options["forced_order"]),
    )


def _maxi(id_: str, options: Options) -> Ruleset:
    boxes = (
        *upper_boxes(),
        Box("one_pair", Groups((2,), "used")),
        Box("two_pairs", Groups((2, 2), "used")),
        Box("three_pairs", Groups((2, 2, 2))),
        Box("three_of_a_kind", Groups((3,), "used")),
        Box("four_of_a_kind", Groups((4,), "used")),
        Box("five_of_a_kind", Groups((5,), "used")),
        Box("small_straight", Contains((LOW,), 15)),
        Box("large_straight", Contains((HIGH,), 20)),
        Box("full_straight", Contains(((1, 2, 3, 4, 5, 6),), 21)),
        Box("full_house", Groups((3, 2), "used")),
        Box("villa", Groups((3, 3))),
        Box("tower", Groups((4, 2))),
        Box("chance", Total()),
        Box("six_of_a_kind", Groups((6,), 100)),
    )
    return Ruleset(
        id_,
        options,
        boxes,
        dice=6,
        bonus=(Step(84, 100) if options["maxi_bonus"] == "84_100" else Step(75, 50),),
        locked_dice=bool(options["locked_dice"]),
        forced_order=bool(options["forced_order"]),
        saved_rolls=bool(options["saved_rolls"]),
    )


YATZY = Variant("yatzy", _yatzy, _yatzy_options("bonus100_joker", full_house_is_two_pairs=False), YATZY_NEEDS)
YATZY_SCANDINAVIAN = Variant(
    "yatzy_scandinavian", _yatzy, _yatzy_options("none", full_house_is_two_pairs=True), YATZY_NEEDS
)
YATZY_KIDS = Variant("yatzy_kids", _yatzy_kids, (choice("size", 8, 10), choice("upper_bonus", 0, 50), *TURN_OPTIONS))
MAXI_YATZY = Variant(
    "maxi_yatzy", _maxi, (choice("maxi_bonus", "84_100", "75_50"), switch("saved_rolls"), *TURN_OPTIONS)
)
