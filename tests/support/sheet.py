"""The scoring of every sheet once more, written from the rules alone in plain Python: what the engine is held against.

Nothing here comes from `app`, and nothing here is clever: each box is a few words of the rules sheet turned into code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import product

Points = Callable[[tuple[int, ...], int], int]
Sheet = dict[str, Points]
Options = Mapping[str, object]

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")


def shape(dice: tuple[int, ...]) -> tuple[int, ...]:
    """Give the sizes of the groups of equal dice, largest first: (3, 2) for a full house."""
    return tuple(size for _, size in Counter(dice).most_common())


def alike(dice: tuple[int, ...], least: int) -> list[int]:
    """List the faces that at least so many dice show, highest first."""
    return sorted((face for face, size in Counter(dice).items() if size >= least), reverse=True)


def when(test: Callable[[tuple[int, ...]], bool], points: Callable[[tuple[int, ...]], int] | int) -> Points:
    """Pay points where a test of the dice holds, else 0."""
    return lambda dice, _roll: (points if isinstance(points, int) else points(dice)) if test(dice) else 0


def upper() -> Sheet:
    """Face times number of dice that show it."""

    def box(face: int) -> Points:
        return lambda dice, _roll: sum(die for die in dice if die == face)

    return {key: box(face) for face, key in enumerate(UPPER, start=1)}


def full_house(dice: tuple[int, ...]) -> bool:
    """Three of one face and two of another."""
    return shape(dice) == (3, 2)


def five_alike(dice: tuple[int, ...]) -> bool:
    """All five dice equal."""
    return shape(dice) == (5,)


def four_in_a_row(dice: tuple[int, ...]) -> bool:
    """1234, 2345 or 3456 somewhere among the dice."""
    return any({low, low + 1, low + 2, low + 3} <= set(dice) for low in (1, 2, 3))


def exactly(*faces: int) -> Callable[[tuple[int, ...]], bool]:
    """These faces and no others, in any order."""
    return lambda dice: sorted(dice) == sorted(faces)


low_five, high_five = exactly(1, 2, 3, 4, 5), exactly(2, 3, 4, 5, 6)


def five_in_a_row(dice: tuple[int, ...]) -> bool:
    """12345 or 23456."""
    return low_five(dice) or high_five(dice)


def chance(dice: tuple[int, ...], _roll: int) -> int:
    """The sum of all dice."""
    return sum(dice)


def equal_dice(number: int) -> Points:
    """The best so many equal dice: their sum alone."""
    return lambda dice, _roll: number * max(alike(dice, number), default=0)


def thirteen_boxes(options: Options) -> Sheet:
    """Sections 1 to 4 and 10."""
    matching = options.get("kind_scoring") == "matching"
    full = sum if options.get("full_house_score") == "sum" else 25
    lenient = options.get("lenient_full_house", False)
    boxes = upper() | {
        "three_of_a_kind": equal_dice(3) if matching else when(lambda dice: shape(dice)[0] >= 3, sum),
        "four_of_a_kind": equal_dice(4) if matching else when(lambda dice: shape(dice)[0] >= 4, sum),
        "full_house": when(lambda dice: full_house(dice) or (bool(lenient) and five_alike(dice)), full),
        "small_straight": when(four_in_a_row, int(str(options.get("small_straight_score", 30)))),
        "large_straight": when(five_in_a_row, int(str(options.get("large_straight_score", 40)))),
        "five_of_a_kind": when(five_alike, 50),
        "chance": chance,
    }
    if options.get("three_of_a_kind_box") is False:
        del boxes["three_of_a_kind"]
    return boxes


def two_pairs(dice: tuple[int, ...], _roll: int) -> int:
    """Two different faces, each at least twice: the sum of those four dice, the highest two where there are three."""
    faces = alike(dice, 2)
    return 2 * (faces[0] + faces[1]) if len(faces) >= 2 else 0


def yatzy(options: Options) -> Sheet:
    """Section 5."""
    strict = when(lambda dice: shape(dice) == (2, 2, 1), lambda dice: two_pairs(dice, 0))
    return upper() | {
        "one_pair": equal_dice(2),
        "two_pairs": two_pairs if options["two_pairs_full_house"] else strict,
        "three_of_a_kind": equal_dice(3),
        "four_of_a_kind": equal_dice(4),
        "small_straight": when(low_five, 15),
        "large_straight": when(high_five, 20),
        "full_house": when(full_house, sum),
        "chance": chance,
        "five_of_a_kind": when(five_alike, 50),
    }


def yatzy_kids(options: Options) -> Sheet:
    """Section 6."""
    boxes = upper() | {"one_pair": equal_dice(2), "chance": chance}
    if options["size"] == 10:
        boxes |= {"three_of_a_kind": equal_dice(3), "five_of_a_kind": when(five_alike, 50)}
    return boxes


def best_full_house(dice: tuple[int, ...], _roll: int) -> int:
    """Three of one face and two of another among six dice: the best such five dice."""
    return max((3 * a + 2 * b for a in alike(dice, 3) for b in alike(dice, 2) if a != b), default=0)


def maxi_yatzy(_options: Options) -> Sheet:
    """Section 7."""
    return upper() | {
        "one_pair": equal_dice(2),
        "two_pairs": two_pairs,
        "three_pairs": when(lambda dice: shape(dice) == (2, 2, 2), sum),
        "three_of_a_kind": equal_dice(3),
        "four_of_a_kind": equal_dice(4),
        "five_of_a_kind": equal_dice(5),
        "small_straight": when(lambda dice: {1, 2, 3, 4, 5} <= set(dice), 15),
        "large_straight": when(lambda dice: {2, 3, 4, 5, 6} <= set(dice), 20),
        "full_straight": when(lambda dice: len(set(dice)) == 6, 21),
        "full_house": best_full_house,
        "villa": when(lambda dice: shape(dice) == (3, 3), sum),
        "tower": when(lambda dice: shape(dice) == (4, 2), sum),
        "chance": chance,
        "six_of_a_kind": when(lambda dice: len(set(dice)) == 1, 100),
    }


def yacht(options: Options) -> Sheet:
    """Section 8."""
    low, high = str(options["straights"]).split("_")
    lenient = bool(options["lenient_full_house"])
    return upper() | {
        "full_house": when(lambda dice: full_house(dice) or (lenient and five_alike(dice)), sum),
        "four_of_a_kind": when(lambda dice: shape(dice)[0] >= 4, sum)
        if options["four_sum"] == "all"
        else equal_dice(4),
        "small_straight": when(low_five, int(low)),
        "large_straight": when(high_five, int(high)),
        "chance": chance,
        "five_of_a_kind": when(five_alike, 50),
    }


def yacht_ww(options: Options) -> Sheet:
    """Section 9."""
    lenient = bool(options["lenient_full_house"])
    return upper() | {
        "chance": chance,
        "four_of_a_kind": when(lambda dice: shape(dice)[0] >= 4, sum),
        "full_house": when(lambda dice: full_house(dice) or (lenient and five_alike(dice)), sum),
        "small_straight": when(four_in_a_row, 15),
        "large_straight": when(five_in_a_row, 30),
        "five_of_a_kind": when(five_alike, 50),
    }


def generala(options: Options) -> Sheet:
    """Section 11; the rule that the double needs the first is the card's, not the dice's."""
    served, value = int(str(options["served_bonus"])), int(str(options["generala_value"]))

    def straight(dice: tuple[int, ...]) -> bool:
        wrapped = bool(options["wrap_straight"]) and len(set(dice)) == 5
        # A 1 may stand for a 2 or a 6: then the other four and that one make five in a row.
        ace = bool(options["ace_for_two"]) and 1 in dice
        others = list(dice)
        if ace:
            others.remove(1)
        return five_in_a_row(dice) or wrapped or (ace and any(five_in_a_row((*others, face)) for face in (2, 6)))

    def hand(test: Callable[[tuple[int, ...]], bool], points: int) -> Points:
        return lambda dice, roll: (points + (served if roll == 1 else 0)) if test(dice) else 0

    boxes = upper() | {
        "straight": hand(straight, 20),
        "full_house": hand(full_house, 30),
        "four_of_a_kind": hand(lambda dice: shape(dice)[0] >= 4, 40),
        "five_of_a_kind": when(five_alike, value),
    }
    if options["double_generala_box"]:
        boxes["double_generala"] = when(five_alike, 2 * value)
    return boxes


def cheerio(_options: Options) -> Sheet:
    """Section 13."""
    return upper() | {
        "small_straight": when(low_five, 20),
        "large_straight": when(high_five, 25),
        "full_house": when(full_house, sum),
        "chance": chance,
        "five_of_a_kind": when(five_alike, 50),
    }


def crag(_options: Options) -> Sheet:
    """Section 14."""
    return upper() | {
        "odd_straight": when(exactly(1, 3, 5), 20),
        "even_straight": when(exactly(2, 4, 6), 20),
        "low_straight": when(exactly(1, 2, 3), 20),
        "high_straight": when(exactly(4, 5, 6), 20),
        "three_of_a_kind": when(lambda dice: len(set(dice)) == 1, 25),
        "thirteen": when(lambda dice: sum(dice) == 13, 26),
        "crag": when(lambda dice: sum(dice) == 13 and len(set(dice)) == 2, 50),
    }


def kismet(options: Options) -> Sheet:
    """Section 16: 1 and 6 are black, 2 and 5 red, 3 and 4 green."""
    color = {1: "black", 6: "black", 2: "red", 5: "red", 3: "green", 4: "green"}

    def one_color(dice: tuple[int, ...]) -> bool:
        return len({color[face] for face in dice}) == 1

    def full(dice: tuple[int, ...]) -> bool:
        return full_house(dice) or (bool(options["five_alike_full_house"]) and five_alike(dice))

    def pairs(dice: tuple[int, ...]) -> bool:
        found = Counter(dice)
        return shape(dice)[0] >= 4 or any(found[a] >= 2 and found[7 - a] >= 2 for a in (1, 2, 3))

    return upper() | {
        "two_pairs_same_color": when(pairs, sum),
        "three_of_a_kind": when(lambda dice: shape(dice)[0] >= 3, sum),
        "straight": when(five_in_a_row, int(str(options["straight_score"]))),
        "flush": when(one_color, 35),
        "full_house": when(full, lambda dice: sum(dice) + 15),
        "full_house_same_color": when(lambda dice: full(dice) and one_color(dice), lambda dice: sum(dice) + 20),
        "four_of_a_kind": when(lambda dice: shape(dice)[0] >= 4, lambda dice: sum(dice) + 25),
        "chance": chance,
        "five_of_a_kind": when(five_alike, lambda dice: sum(dice) + 50),
    }


def red_hot(_options: Options) -> Sheet:
    """Section 19: outside ones and chance, each 1 may stand for any face; every way is tried."""

    def wild(points: Points) -> Points:
        def best(dice: tuple[int, ...], roll: int) -> int:
            ways = product(*[range(1, 7) if die == 1 else (die,) for die in dice])
            return max(points(way, roll) for way in ways)

        return best

    return {key: box if key in ("ones", "chance") else wild(box) for key, box in thirteen_boxes({}).items()}


SHEETS: dict[str, Callable[[Options], Sheet]] = {
    "classic": thirteen_boxes,
    "classic_free": thirteen_boxes,
    "classic_plain": thirteen_boxes,
    "classic_ja_alt": thirteen_boxes,
    "yatzy": yatzy,
    "yatzy_scandinavian": yatzy,
    "yatzy_kids": yatzy_kids,
    "maxi_yatzy": maxi_yatzy,
    "yacht": yacht,
    "yacht_ww": yacht_ww,
    "kniffel": lambda _options: thirteen_boxes({}),
    "generala": generala,
    "cheerio": cheerio,
    "crag": crag,
    "kismet": kismet,
    "red_hot": red_hot,
}
