"""The American 13-box game, its house rules, and its nearest relatives: German, coloured pips, wild ones.

Source: the rules sheet's sections 1 to 4, 10, 16 and 19 (the how-to-play page of kawu, the Japanese and Hebrew encyclopaedias, the
Schmidt travel game's manual, the Kismet pages); the wild ones follow a design of our own, since no rules text was found.
"""

from __future__ import annotations

from app.game.rules import (
    TURN_OPTIONS,
    Box,
    ExtraFive,
    ExtraWhen,
    Joker,
    Option,
    Options,
    Ruleset,
    Step,
    Value,
    Variant,
    choice,
    switch,
    upper_boxes,
)
from app.game.scores import Contains, Flat, Groups, OneColor, Pays, Total, Wild

FOUR_IN_A_ROW = ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6))
FIVE_IN_A_ROW = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
UPPER_35 = (Step(63, 35),)
PIP_COLORS = (frozenset({1, 6}), frozenset({2, 5}), frozenset({3, 4}))
"""Opposite faces share a colour: 1 and 6 black, 2 and 5 red, 3 and 4 green."""


def sheet_of_13(
    full_house: Pays = 25, small: int = 30, large: int = 40, *, matching: bool = False, lenient: bool = False
) -> tuple[Box, ...]:
    """Make the 13 boxes; a joker pays in each box what the box pays at its best."""
    kind: Pays = "used" if matching else "all"
    return (
        *upper_boxes(),
        Box("three_of_a_kind", Groups((3,), kind)),
        Box("four_of_a_kind", Groups((4,), kind)),
        Box("full_house", Groups((3, 2), full_house, alike=lenient), joker=Groups((3, 2), full_house, alike=True)),
        Box("small_straight", Contains(FOUR_IN_A_ROW, small), joker=Flat(small)),
        Box("large_straight", Contains(FIVE_IN_A_ROW, large), joker=Flat(large)),
        Box("five_of_a_kind", Groups((5,), 50)),
        Box("chance", Total()),
    )


def _classic(id_: str, options: Options) -> Ruleset:
    full_house = options["full_house_score"]
    boxes = sheet_of_13(
        full_house="all" if full_house == "sum" else 25,
        small=int(options["small_straight_score"]),
        large=int(options["large_straight_score"]),
        matching=options["kind_scoring"] == "matching",
        lenient=bool(options["lenient_full_house"]),
    )
    if not options["three_of_a_kind_box"]:
        boxes = tuple(box for box in boxes if box.key != "three_of_a_kind")
    extra = int(options["extra_five"])
    return Ruleset(
        id_,
        options,
        boxes,
        bonus=UPPER_35,
        five_box="five_of_a_kind",
        joker=Joker(str(options["joker"])),
        extra_five=ExtraFive(extra) if extra else None,
        locked_dice=bool(options["locked_dice"]),
        forced_order=bool(options["forced_order"]),
    )


def _classic_options(
    joker: str = "forced", extra: int = 100, full: Value = "25", small: int = 30, large: int = 40
) -> tuple[Option, ...]:
    return (
        choice("joker", joker, "forced", "lower_free", "strict_1956", "free_choice", "none"),
        choice("extra_five", extra, 100, 50, 0),
        choice("full_house_score", full, "25", "sum"),
        choice("small_straight_score", small, 30, 15),
        choice("large_straight_score", large, 40, 30),
        choice("kind_scoring", "all", "matching"),
        switch("lenient_full_house"),
        switch("three_of_a_kind_box", default=True),
        *TURN_OPTIONS,
    )


def _kniffel(id_: str, options: Options) -> Ruleset:
    schmidt = options["extra_kniffel"] == "schmidt50"
    return Ruleset(
        id_,
        options,
        sheet_of_13(),
        bonus=UPPER_35,
        five_box="five_of_a_kind",
        joker=Joker.FORCED,
        extra_five=ExtraFive(50, ExtraWhen.MATCHING_UPPER_OPEN) if schmidt else ExtraFive(100),
        locked_dice=bool(options["locked_dice"]),
        forced_order=bool(options["forced_order"]),
    )


def _kismet(id_: str, options: Options) -> Ruleset:
    alike = bool(options["five_alike_full_house"])
    boxes = (
        *upper_boxes(),
        Box("two_pairs_same_color", Groups((2, 2), alike=True, colors=PIP_COLORS)),
        Box("three_of_a_kind", Groups((3,))),
        Box("straight", Contains(FIVE_IN_A_ROW, int(options["straight_score"]))),
        Box("flush", OneColor(PIP_COLORS, 35)),
        Box("full_house", Groups((3, 2), plus=15, alike=alike)),
        Box("full_house_same_color", Groups((3, 2), plus=20, alike=alike, colors=PIP_COLORS)),
        Box("four_of_a_kind", Groups((4,), plus=25)),
        Box("chance", Total()),
        Box("five_of_a_kind", Groups((5,), plus=50)),
    )
    return Ruleset(
        id_,
        options,
        boxes,
        bonus=(Step(63, 35), Step(71, 55), Step(78, 75)),
        five_box="five_of_a_kind",
        penalty=bool(options["kismet_penalty"]),
        colors=PIP_COLORS,
    )


def _red_hot(id_: str, options: Options) -> Ruleset:
    extra = int(options["extra_five"])
    # Ones count as ones and chance counts pips as they lie; in every other box a 1 stands for what suits best.
    boxes = tuple(
        box if box.key in {"ones", "chance"} else Box(box.key, Wild(box.score), face=box.face) for box in sheet_of_13()
    )
    return Ruleset(
        id_,
        options,
        boxes,
        bonus=UPPER_35,
        five_box="five_of_a_kind",
        extra_five=ExtraFive(extra) if extra else None,
        locked_dice=bool(options["locked_dice"]),
        forced_order=bool(options["forced_order"]),
        wild_face=1,
    )


CLASSIC = Variant("classic", _classic, _classic_options())
CLASSIC_FREE = Variant("classic_free", _classic, _classic_options(joker="lower_free"))
CLASSIC_PLAIN = Variant("classic_plain", _classic, _classic_options(joker="none", extra=0))
CLASSIC_JA_ALT = Variant("classic_ja_alt", _classic, _classic_options(full="sum", small=15, large=30))
KNIFFEL = Variant("kniffel", _kniffel, (choice("extra_kniffel", "schmidt50", "bonus100"), *TURN_OPTIONS))
KISMET = Variant(
    "kismet",
    _kismet,
    (choice("straight_score", 30, 40), switch("five_alike_full_house", default=True), switch("kismet_penalty")),
)
RED_HOT = Variant("red_hot", _red_hot, (choice("extra_five", 0, 100), *TURN_OPTIONS))
