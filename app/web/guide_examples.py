"""Example dice for each box: which dice tell most is chosen here, what they bring is asked of the engine.

For the boxes that people know there are lists of telling dice, best first; for all others dice are found: a usual
hand, the best one, and a near miss. Two or three are shown: one that scores and, if there is one, one that misses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, prod

from app.game.card import Card
from app.game.dice import Dice, counts, multisets
from app.game.rules import Box, Ruleset
from app.game.rulesets import ruleset
from app.game.scores import Served
from app.web.words import N_, Words

SHOWN = 3
"""How many examples a box has at most."""


@dataclass(frozen=True, slots=True)
class Example:
    """Dice, the points that the engine gives them in the box, these in words, and what else matters, if anything."""

    dice: Dice
    points: int
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """Dice to be scored: the roll they lie on, and whether the box that this one needs holds points."""

    dice: Dice
    roll: int
    needs_met: bool = True


def _hands(*texts: str) -> tuple[Dice, ...]:
    return tuple(tuple(map(int, text)) for text in texts)


_FIVE_DICE: Mapping[str, tuple[Dice, ...]] = {
    "ones": _hands("11135", "23456", "11111"),
    "twos": _hands("22234", "13456", "23232", "34566"),
    "threes": _hands("33345", "12456", "31313", "24566"),
    "fours": _hands("44246", "12356", "44444", "23556"),
    "fives": _hands("55512", "12346", "15555", "23446"),
    "sixes": _hands("66662", "12345", "66666", "23445"),
    "one_pair": _hands("22663", "12346", "33344"),
    "two_pairs": _hands("33554", "33555", "33335", "11234"),
    "three_of_a_kind": _hands("66621", "11223", "44442", "33333"),
    "four_of_a_kind": _hands("45555", "33344", "33333"),
    "full_house": _hands("22555", "44444", "33334", "66655"),
    "small_straight": _hands("12344", "12356", "12345", "12346", "23456"),
    "large_straight": _hands("23456", "12346", "65432", "12345"),
    "straight": _hands("12345", "12346", "23456", "13456"),
    "five_of_a_kind": _hands("66666", "66665", "11111"),
    "double_generala": _hands("66666", "12345"),
    "chance": _hands("11336", "12345", "66666"),
    "two_pairs_same_color": _hands("33441", "11223", "55551", "22552"),
    "flush": _hands("55552", "33345", "11666"),
    "full_house_same_color": _hands("33344", "11144", "55555", "66611"),
}

_WITH_WILD: Mapping[str, tuple[Dice, ...]] = {
    "ones": _hands("11426", "23456", "11111"),
    "twos": _hands("12246", "34566", "11111"),
    "threes": _hands("13345", "24566", "11333"),
    "fours": _hands("11426", "23556", "44144"),
    "fives": _hands("15526", "23446", "55111"),
    "sixes": _hands("16625", "23445", "66661"),
    "three_of_a_kind": _hands("16623", "23456", "11425"),
    "four_of_a_kind": _hands("11335", "13356", "16666"),
    "full_house": _hands("13355", "12234", "11144"),
    "small_straight": _hands("13466", "12256", "11256"),
    "large_straight": _hands("12356", "12345", "12336"),
    "five_of_a_kind": _hands("11666", "16665", "11111"),
    "chance": _hands("11666", "12345", "66666"),
}

_SIX_DICE: Mapping[str, tuple[Dice, ...]] = {
    "ones": _hands("311614", "223456", "111111"),
    "twos": _hands("254326", "113456", "222222"),
    "threes": _hands("321343", "124566", "333333"),
    "fours": _hands("443454", "123566", "444444"),
    "fives": _hands("512552", "123466", "555555"),
    "sixes": _hands("463166", "123455", "666666"),
    "one_pair": _hands("642651", "123456", "444444"),
    "two_pairs": _hands("213355", "111156", "414122"),
    "three_pairs": _hands("225566", "111144", "222555"),
    "three_of_a_kind": _hands("453554", "123456", "655656"),
    "four_of_a_kind": _hands("242252", "222333", "444444"),
    "five_of_a_kind": _hands("332333", "222233", "444444"),
    "small_straight": _hands("123453", "123466", "123456"),
    "large_straight": _hands("234566", "223451", "123456"),
    "full_straight": _hands("123456", "123455", "654321"),
    "full_house": _hands("344666", "111112", "444533", "111222"),
    "villa": _hands("222555", "555555", "444222"),
    "tower": _hands("336666", "111111", "223333"),
    "chance": _hands("342654", "123456", "666666"),
    "six_of_a_kind": _hands("444444", "666665", "111111"),
}

_THREE_DICE: Mapping[str, tuple[Dice, ...]] = {
    "ones": _hands("113", "246", "111"),
    "twos": _hands("221", "135", "222"),
    "threes": _hands("331", "246", "333"),
    "fours": _hands("441", "135", "444"),
    "fives": _hands("551", "246", "555"),
    "sixes": _hands("661", "135", "666"),
    "odd_straight": _hands("135", "136", "531"),
    "even_straight": _hands("246", "245", "642"),
    "low_straight": _hands("123", "122", "321"),
    "high_straight": _hands("456", "345", "654"),
    "three_of_a_kind": _hands("444", "445", "111"),
    "thirteen": _hands("346", "356", "661"),
    "crag": _hands("661", "346", "553", "445"),
}

_TELLING: Mapping[tuple[int, bool], Mapping[str, tuple[Dice, ...]]] = {
    (5, False): _FIVE_DICE,
    (5, True): _WITH_WILD,
    (6, False): _SIX_DICE,
    (3, False): _THREE_DICE,
}


def examples(box: Box, rules: Ruleset, words: Words) -> tuple[Example, ...]:
    """Choose two or three examples for a box, those that score first."""
    telling = _TELLING.get((rules.dice, rules.wild_face > 0), {}).get(box.key, ())
    scored = _scored(box, rules, telling)
    if not any(found for _, found in scored) or all(found for _, found in scored):
        scored += _scored(box, rules, _found(box, rules))
    chosen = _choose(scored)
    return tuple(
        _example(box, rules, trial, found, words) for trial, found in sorted(chosen, key=lambda one: one[1] == 0)
    )


def points(box: Box, rules: Ruleset, trial: Trial) -> int:
    """Ask the engine what the dice bring in this box of a card that is empty but for the box that this one needs."""
    free = in_any_order(rules)
    card = Card.empty(free)
    if box.needs and trial.needs_met:
        place = free.place(box.needs)
        card = card.put(place, _most(free.boxes[place], free.dice, free.rolls))
    return card.previews(trial.dice, trial.roll)[box.key].points


def in_any_order(rules: Ruleset) -> Ruleset:
    """Give the same rules without the fixed order, under which only one box could ever be looked at."""
    return ruleset(rules.id, {**rules.options, "forced_order": False}) if rules.forced_order else rules


def _scored(box: Box, rules: Ruleset, hands: tuple[Dice, ...]) -> list[tuple[Trial, int]]:
    return [(trial, points(box, rules, trial)) for trial in _trials(box, rules, hands)]


def _trials(box: Box, rules: Ruleset, hands: tuple[Dice, ...]) -> Iterator[Trial]:
    """Give the dice worth showing, best first, in the circumstances that matter."""
    last = rules.rolls
    for place, dice in enumerate(hands):
        yield Trial(dice, last)
        if place == 0 and box.needs:
            yield Trial(dice, last, needs_met=False)
        if place == 0 and isinstance(box.score, Served):
            yield Trial(dice, 1)


def _choose(scored: list[tuple[Trial, int]]) -> list[tuple[Trial, int]]:
    """Take the first that scores, the first that misses, and what tells most besides."""
    hit = next((one for one in scored if one[1]), None)
    miss = next((one for one in scored if not one[1]), None)
    chosen = [one for one in (hit, miss) if one is not None]
    for one in scored:
        if len(chosen) < SHOWN and one not in chosen:
            chosen.append(one)
    return chosen


def _example(box: Box, rules: Ruleset, trial: Trial, found: int, words: Words) -> Example:
    text = words.points(found)
    if box.needs:
        note = N_("%(box)s holds points") if trial.needs_met else N_("%(box)s is open or holds 0")
        return Example(trial.dice, found, text, words.say(note, box=words.box(box.needs, rules.id)))
    if isinstance(box.score, Served) and found:
        note = N_("on the first roll") if trial.roll == 1 else N_("on a later roll")
        return Example(trial.dice, found, text, words.gettext(note))
    return Example(trial.dice, found, text)


@lru_cache(maxsize=512)
def _most(box: Box, dice: int, rolls: int) -> int:
    """Give the most that a box can pay without a joker, in points."""
    return max(box.score(hand, roll) for hand in multisets(dice) for roll in range(1, rolls + 1))


def most(rules: Ruleset) -> int:
    """Add up the most that each box can pay and the highest bonus: the best card without anything extra, in points."""
    boxes = sum(_most(box, rules.dice, rules.rolls) for box in rules.boxes)
    return boxes + max((step.points for step in rules.bonus), default=0)


@lru_cache(maxsize=512)
def _found_for(box: Box, dice: int, rolls: int) -> tuple[Dice, ...]:
    hands = multisets(dice)
    scoring = sorted((box.score(hand, rolls), -_chance(hand), hand) for hand in hands if box.score(hand, rolls))
    if not scoring:
        return tuple(hands[:1])
    middle = scoring[len(scoring) // 2][0]
    usual = min((one for one in scoring if one[0] == middle), key=lambda one: one[1:])[2]
    best = scoring[-1][2]
    misses = [hand for hand in hands if not box.score(hand, rolls)]
    near = [max(misses, key=lambda hand: (_in_common(hand, usual), len(set(hand))))] if misses else []
    return (usual, *near, best) if best != usual else (usual, *near)


def _found(box: Box, rules: Ruleset) -> tuple[Dice, ...]:
    """Find a usual hand, a near miss of it and the best hand."""
    return _found_for(box, rules.dice, rules.rolls)


def _chance(hand: Dice) -> int:
    """Count the ways in which a roll gives this hand."""
    return factorial(len(hand)) // prod(factorial(count) for count in counts(hand))


def _in_common(one: Dice, other: Dice) -> int:
    return sum(min(mine, theirs) for mine, theirs in zip(counts(one), counts(other), strict=True))
