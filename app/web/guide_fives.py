"""A further five of a kind, step by step: what the rules say, and for each step a card and what the engine answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.game.card import Card
from app.game.dice import Dice
from app.game.rules import ExtraWhen, Joker, Ruleset
from app.web.words import N_, Words

FACE = 4
"""The face of the example dice."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A box that may be used, and the points that it would bring."""

    box: str
    points: int
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the rule on a real card.

    `rule` says it, `situation` describes the card. `may` are the boxes that may be used, `closed` the names of the open
    ones that the rule closes, and `extra` is the bonus in points on top, whichever box is used.
    """

    rule: str
    situation: str
    dice: Dice
    may: tuple[Outcome, ...]
    closed: tuple[str, ...]
    extra: int
    card: Card


@dataclass(frozen=True, slots=True)
class Case:
    """A card to be shown, with the words for the rule and for the card.

    `five` says whether the five-of-a-kind box holds points (None: it is open), `matching` whether the upper box of the
    face is open, `lower` whether the lower boxes are.
    """

    rule: str
    situation: str
    five: bool | None = True
    matching: bool = True
    lower: bool = True


_OPEN_UPPER = N_("%(five)s holds %(points)d, and %(upper)s is open.")
_FILLED_UPPER = N_("%(five)s holds %(points)d, and %(upper)s is filled.")
_FULL_LOWER = N_("%(five)s holds %(points)d; %(upper)s and all lower boxes are filled.")
_FULL_LOWER_OPEN_UPPER = N_("%(five)s holds %(points)d and all lower boxes are filled, but %(upper)s is open.")
_STILL_OPEN = N_("%(five)s is still open.")

_NOT_YET = Case(
    N_("While the box %(five)s is open there is neither bonus nor joker: each box pays what it always pays."),
    _STILL_OPEN,
    five=None,
)

_READINGS: Mapping[Joker, tuple[Case, ...]] = {
    Joker.FORCED: (
        Case(N_("If the upper box of that face is open, it must be used."), _OPEN_UPPER),
        Case(
            N_("Otherwise any open lower box must be used, and it pays as if the dice were just what it asks for."),
            _FILLED_UPPER,
            matching=False,
        ),
        Case(
            N_("If the lower boxes are full too, an open upper box must be taken with 0."),
            _FULL_LOWER,
            matching=False,
            lower=False,
        ),
    ),
    Joker.LOWER_FREE: (
        Case(
            N_(
                "Any open box may be used at once: a lower box pays as if the dice were just what it asks for, an upper"
                " box pays as rolled."
            ),
            _OPEN_UPPER,
        ),
        Case(
            N_(
                "When the lower boxes are full, an upper box still pays as rolled: 0 unless it is the box of that face."
            ),
            _FULL_LOWER_OPEN_UPPER,
            lower=False,
        ),
    ),
    Joker.STRICT_1956: (
        Case(
            N_(
                "Any open box may be used at once: a lower box pays as if the dice were just what it asks for, but"
                " every upper box pays 0."
            ),
            _OPEN_UPPER,
        ),
        Case(
            N_("When the lower boxes are full, only upper boxes with 0 are left."), _FULL_LOWER_OPEN_UPPER, lower=False
        ),
    ),
    Joker.FREE_CHOICE: (
        Case(
            N_("While the upper box of that face is open there is no joker: every box pays what it always pays."),
            _OPEN_UPPER,
        ),
        Case(
            N_("Once that upper box is filled, any open lower box pays as if the dice were just what it asks for."),
            _FILLED_UPPER,
            matching=False,
        ),
        Case(
            N_("When the lower boxes are full as well, an open upper box has to be taken with 0."),
            _FULL_LOWER,
            matching=False,
            lower=False,
        ),
    ),
    Joker.LOWER_FREE_WILD: (
        Case(
            N_(
                "Any open box may be used at once: a lower box pays as if the dice were just what it asks for, an upper"
                " box pays as rolled."
            ),
            _OPEN_UPPER,
        ),
        Case(
            N_("When the lower boxes are full, any open upper box pays as if all the dice showed its own face."),
            _FULL_LOWER,
            matching=False,
            lower=False,
        ),
    ),
    Joker.NONE: (
        Case(
            N_("There is no joker: the dice may go in any open box and bring what they always bring there."),
            _FILLED_UPPER,
            matching=False,
        ),
    ),
}

_AFTER_ZERO = Case(
    N_("If the box %(five)s holds 0, the same steps hold, but there is no bonus."),
    _FILLED_UPPER,
    five=False,
    matching=False,
)
_AFTER_ZERO_PLAIN = Case(
    N_("If the box %(five)s holds 0, a further five of a kind is a roll like any other."),
    _FILLED_UPPER,
    five=False,
    matching=False,
)


def steps(rules: Ruleset, words: Words) -> tuple[Step, ...]:
    """Explain where a further five of a kind may go, step by step; nothing where the sheet has no rule for it."""
    if not rules.five_box:
        return ()
    if rules.forced_order:
        return _in_order(rules, words)
    return tuple(_step(rules, case, words) for case in _READINGS[rules.joker])


def edges(rules: Ruleset, words: Words) -> tuple[Step, ...]:
    """Explain what holds while the five-of-a-kind box is open, and when it holds 0."""
    if not rules.five_box or rules.forced_order:
        return ()
    return tuple(_step(rules, case, words) for case in _edges(rules))


def bonus(rules: Ruleset, words: Words) -> tuple[str, ...]:
    """Say what each further five of a kind brings on top of its box, and that it may be a joker."""
    if not rules.five_box:
        return (words.gettext("A further five of a kind is a roll like any other: no bonus and no joker."),)
    five = words.box(rules.five_box, rules.id)
    if _comes_last(rules):
        return (
            words.say(
                N_("In the fixed order nothing comes after %(five)s, so there is never a further one."), five=five
            ),
        )
    return (_bonus(rules, five, words), *_joker(rules, words))


def _joker(rules: Ruleset, words: Words) -> Iterator[str]:
    if rules.joker is not Joker.NONE and not rules.forced_order:
        yield words.gettext(
            "Joker: the same roll may stand for another hand. Bonus and joker are two rules; where the roll may go:"
        )


def _bonus(rules: Ruleset, five: str, words: Words) -> str:
    if rules.extra_five is None:
        return words.gettext("A further five of a kind brings no bonus.")
    if rules.extra_five.when is ExtraWhen.FIVE_BOX_SCORED:
        text = N_(
            "Bonus: every further five of a kind brings %(points)d points on top if the box %(five)s holds points, and"
            " none if it holds 0."
        )
    else:
        text = N_(
            "Bonus: a further five of a kind brings %(points)d points on top if the box %(five)s is filled, with 0 too,"
            " and the upper box of its face is still open."
        )
    return words.say(text, points=rules.extra_five.points, five=five)


def _edges(rules: Ruleset) -> Iterator[Case]:
    if rules.joker is not Joker.NONE or rules.extra_five is not None:
        yield _NOT_YET
    if rules.extra_five is not None and rules.extra_five.when is ExtraWhen.FIVE_BOX_SCORED:
        yield _AFTER_ZERO_PLAIN if rules.joker is Joker.NONE or rules.joker_needs_points else _AFTER_ZERO


def _step(rules: Ruleset, case: Case, words: Words) -> Step:
    card = _card(rules, case)
    upper = rules.boxes[rules.upper[FACE]].key
    facts = {
        "five": words.box(rules.five_box, rules.id),
        "points": card.points[rules.index[rules.five_box]],
        "upper": words.box(upper, rules.id),
    }
    return _worked(card, words.say(case.rule, **facts), words.say(case.situation, **facts), words)


def _card(rules: Ruleset, case: Case) -> Card:
    """Fill a card until it is in the case; of the other upper boxes only the ones stay open, to stand for them all."""
    card = Card.empty(rules)
    for place, box in enumerate(rules.boxes):
        if box.key == rules.five_box:
            if case.five is not None:
                card = card.put(place, box.score((FACE,) * rules.dice, rules.rolls) if case.five else 0)
        elif not _shown_open(rules, place, case):
            card = card.put(place, 0)
    return card


def _shown_open(rules: Ruleset, place: int, case: Case) -> bool:
    box = rules.boxes[place]
    if box.upper:
        return case.matching if box.face == FACE else box.face == 1
    return case.lower


def _worked(card: Card, rule: str, situation: str, words: Words) -> Step:
    """Ask the engine what the dice may do on this card."""
    rules = card.ruleset
    dice = (FACE,) * rules.dice
    found = card.previews(dice, rules.rolls)
    return Step(
        rule,
        situation,
        dice,
        tuple(
            Outcome(words.box(key, rules.id), preview.points, words.points(preview.points))
            for key, preview in found.items()
            if preview.reason is None
        ),
        tuple(words.box(key, rules.id) for key, preview in found.items() if preview.reason is not None),
        card.extra_for(dice, rules.rolls),
        card,
    )


def _in_order(rules: Ruleset, words: Words) -> tuple[Step, ...]:
    """Explain the rule where boxes are filled from top to bottom: only boxes below the five-of-a-kind box matter."""
    if _comes_last(rules):
        return ()
    place = rules.index[rules.five_box]
    card = Card.empty(rules)
    for above in range(place):
        card = card.put(above, 0)
    five = rules.boxes[place]
    card = card.put(place, five.score((FACE,) * rules.dice, rules.rolls))
    facts = {"five": words.box(five.key, rules.id), "next": words.box(rules.boxes[place + 1].key, rules.id)}
    return (
        _worked(
            card,
            words.say(N_("The fixed order comes before every joker rule: the next box down is used."), **facts),
            words.say(N_("All boxes down to %(five)s are filled; %(next)s is next."), **facts),
            words,
        ),
    )


def _comes_last(rules: Ruleset) -> bool:
    return rules.forced_order and rules.boxes[-1].key == rules.five_box
