"""What a box asks for and what it pays, in sentences made from the scoring function that the engine uses.

Most of it follows from the function's type and parameters. How it treats a certain hand (five alike in a full house,
a full house as two pairs) is asked of the function, so that no sentence can disagree with play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from babel.lists import format_list

from app.game.dice import FACES, Dice
from app.game.rules import Box, Joker, Ruleset
from app.game.scores import Contains, Faces, Groups, OneColor, Score, Served, Total, Wild
from app.web.words import N_, Words


@dataclass(frozen=True, slots=True)
class Probe:
    """A hand about which people ask: groups of equal dice by size; what to say when it counts and when it does not."""

    sizes: tuple[int, ...]
    counts: str
    misses: str


_HANDS: Mapping[tuple[int, ...], str] = {
    (2,): N_("Two dice alike."),
    (3,): N_("At least three dice alike."),
    (4,): N_("At least four dice alike."),
    (5,): N_("At least five dice alike."),
    (2, 2): N_("Two pairs of different faces."),
    (3, 2): N_("Three dice alike and two of another face."),
    (2, 2, 2): N_("Three pairs of different faces."),
    (3, 3): N_("Three dice alike and three of another face."),
    (4, 2): N_("Four dice alike and two of another face."),
}

_PROBES: Mapping[tuple[int, ...], tuple[Probe, ...]] = {
    (2, 2): (
        Probe((3, 2), N_("A full house counts as two pairs."), N_("A full house does not count as two pairs.")),
        Probe((3, 2, 1), N_("A full house counts as two pairs."), N_("A full house does not count as two pairs.")),
        Probe((4, 1), N_("Four alike count as two pairs."), N_("Four alike do not count as two pairs.")),
        Probe((4, 1, 1), N_("Four alike count as two pairs."), N_("Four alike do not count as two pairs.")),
    ),
    (3, 2): (
        Probe((5,), N_("Five alike count too."), N_("Five alike do not count.")),
        Probe((3, 3), N_("Twice three alike count too."), N_("Twice three alike do not count.")),
        Probe((4, 2), N_("Four alike and a pair count too."), N_("Four alike and a pair do not count.")),
    ),
    (2, 2, 2): (
        Probe((4, 2), N_("Four alike and a pair count too."), N_("Four alike and a pair do not count.")),
        Probe((3, 3), N_("Twice three alike count too."), N_("Twice three alike do not count.")),
    ),
    (3, 3): (Probe((6,), N_("Six alike count too."), N_("Six alike do not count.")),),
    (4, 2): (Probe((6,), N_("Six alike count too."), N_("Six alike do not count.")),),
}

# In this order neighbours share a colour where pips are coloured, so a probe never misses because of its colours.
_PROBE_FACES = (3, 4, 5, 2, 6, 1)


def describe(box: Box, rules: Ruleset, words: Words) -> tuple[str, ...]:
    """Say in sentences what a box asks for, what it pays, and what is special about it."""
    return (
        *_score(box.score, rules, words),
        *_probes(box, rules, words),
        *_needs(box, words, rules),
        *_joker(box, rules, words),
    )


def hand_text(dice: Dice) -> str:
    """Write dice as people say them: 4-4-2-4-6."""
    return "-".join(str(face) for face in dice)


def _hands_text(hands: tuple[Dice, ...], words: Words) -> str:
    return format_list([words.left_to_right(hand_text(hand)) for hand in hands], style="or", locale=words.locale)


def _score(score: Score, rules: Ruleset, words: Words) -> Iterator[str]:
    match score:
        case Faces(face):
            yield words.ngettext(
                "Only dice that show %(face)d count: %(points)d point each.",
                "Only dice that show %(face)d count: %(points)d points each.",
                face,
            ) % {"face": face, "points": face}
        case Total(None):
            yield words.gettext("Any dice: it pays the sum of them all.")
        case Total(wanted, pays):
            yield words.say(N_("Dice that add up to %(sum)d."), sum=wanted)
            yield words.say(N_("It pays %(points)d points."), points=pays)
        case Groups():
            yield from _groups(score, rules, words)
        case Contains(hands, pays):
            yield from _contains(hands, rules, words)
            yield words.say(N_("It pays %(points)d points."), points=pays)
        case OneColor(colors, pays):
            yield words.gettext("All dice of one colour.")
            yield _colors(colors, words)
            yield words.say(N_("It pays %(points)d points."), points=pays)
        case Wild(inner, wild):
            yield from _score(inner, rules, words)
            yield words.say(N_("Each %(wild)d stands for the face that brings most."), wild=wild)
        case Served(inner, plus):
            yield from _score(inner, rules, words)
            yield words.say(N_("Made on the first roll it pays %(points)d points more."), points=plus)
        case _:
            yield words.gettext("The examples show what it pays.")


def _groups(score: Groups, rules: Ruleset, words: Words) -> Iterator[str]:
    if score.sizes == (rules.dice,):
        yield words.gettext("All dice alike, whatever the face.")
    elif score.sizes in _HANDS:
        yield words.gettext(_HANDS[score.sizes])
    else:
        yield words.say(
            N_("Groups of dice alike, of different faces: %(groups)s."), groups=" + ".join(map(str, score.sizes))
        )
    if score.colors:
        yield words.gettext("The dice of the hand must share a colour.")
        yield _colors(score.colors, words)
    yield _groups_pay(score, rules, words)
    if score.pays == "used" and not score.exact and sum(score.sizes) + score.sizes[-1] <= rules.dice:
        yield words.gettext("Where the dice hold more than one such hand, the highest counts.")


def _groups_pay(score: Groups, rules: Ruleset, words: Words) -> str:
    every_die = score.pays == "all" or sum(score.sizes) == rules.dice
    if isinstance(score.pays, int):
        return words.say(N_("It pays %(points)d points."), points=score.pays + score.plus)
    if score.plus:
        sentence = (
            N_("It pays the sum of all dice and %(points)d points more.")
            if every_die
            else N_("It pays the sum of the dice that make the hand and %(points)d points more.")
        )
        return words.say(sentence, points=score.plus)
    if every_die:
        return words.gettext("It pays the sum of all dice.")
    return words.gettext("It pays the sum of the dice that make the hand; the others do not count.")


def _contains(hands: tuple[Dice, ...], rules: Ruleset, words: Words) -> Iterator[str]:
    different = set(combinations(FACES, rules.dice))
    others = tuple(hand for hand in hands if hand not in different)
    if different <= set(hands):
        yield words.gettext("All dice of different faces, in any order.")
        if others:
            yield words.say(N_("These hands count too: %(hands)s."), hands=_hands_text(others, words))
        return
    shown, free = _hands_text(hands, words), rules.dice - len(hands[0])
    if not free:
        yield words.say(N_("Exactly %(hands)s, in any order."), hands=shown)
    elif all(hand == tuple(range(hand[0], hand[0] + len(hand))) for hand in hands):
        yield words.say(N_("%(count)s in a row, in any order: %(hands)s."), count=len(hands[0]), hands=shown)
    else:
        yield words.say(N_("The dice hold %(hands)s, in any order."), hands=shown)
    if free:
        yield words.ngettext(
            "The other die may show anything, a double too.",
            "The other %(count)d dice may show anything, doubles too.",
            free,
        ) % {"count": free}


def _colors(colors: tuple[frozenset[int], ...], words: Words) -> str:
    pairs = tuple(format_list([str(face) for face in sorted(color)], locale=words.locale) for color in colors)
    return words.say(N_("These faces share a colour: %(colors)s."), colors="; ".join(pairs))


def _probes(box: Box, rules: Ruleset, words: Words) -> Iterator[str]:
    score = box.score
    while isinstance(score, Wild | Served):
        score = score.score
    if not isinstance(score, Groups):
        return
    for probe in _PROBES.get(score.sizes, ()):
        if sum(probe.sizes) == rules.dice:
            dice = tuple(face for face, size in zip(_PROBE_FACES, probe.sizes, strict=False) for _ in range(size))
            yield words.gettext(probe.counts if box.score(dice, rules.rolls) else probe.misses)


def _needs(box: Box, words: Words, rules: Ruleset) -> Iterator[str]:
    if box.needs:
        yield words.say(
            N_("It pays only while the box %(box)s holds points; it may be struck with 0 at any time."),
            box=words.box(box.needs, rules.id),
        )


def _joker(box: Box, rules: Ruleset, words: Words) -> Iterator[str]:
    """Say what a joker brings: the same points for every face, or so many times the face."""
    if box.joker is None or rules.joker is Joker.NONE:
        return
    points = {face: box.joker((face,) * rules.dice, rules.rolls) for face in FACES}
    if len(set(points.values())) == 1:
        yield words.say(N_("A joker pays %(points)d points here."), points=points[1])
    else:
        yield words.ngettext(
            "A joker pays its face here.", "A joker pays %(times)d times its face here.", points[1]
        ) % {"times": points[1]}
