"""How to play: a page for each ruleset, built from the data of the engine, so that it cannot disagree with play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from app.game.dice import FACES, Addressing
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from app.web import guide_parts as text
from app.web.guide_boxes import describe
from app.web.guide_examples import Example, examples
from app.web.guide_facts import facts
from app.web.guide_fives import Step, bonus, edges, steps
from app.web.guide_options import OptionChoice, choices, fields
from app.web.guide_questions import Answer, answers
from app.web.picker import Entry, Family, entry, families, length, size
from app.web.table import tone
from app.web.words import N_, Words


@dataclass(frozen=True, slots=True)
class BoxGuide:
    """A box: its name, what it asks for and pays in sentences, and two or three examples."""

    key: str
    name: str
    sentences: tuple[str, ...]
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the page: a heading, running text, and whatever else that part shows.

    `known` tells what the game is known as elsewhere, `after` is text that follows the rest.
    """

    id: str
    heading: str
    paragraphs: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    boxes: tuple[BoxGuide, ...] = ()
    answers: tuple[Answer, ...] = ()
    steps: tuple[Step, ...] = ()
    edges: tuple[Step, ...] = ()
    after: tuple[str, ...] = ()
    options: tuple[OptionChoice, ...] = ()
    related: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class RulesView:
    """How to play one ruleset with its options chosen.

    `size`, `length` and `origin` are the facts at a glance. `house_rules` are the unusual options in words, `choose`
    is the address where they can be chosen, and `fields` has them for the form that starts a game. `tones` names the
    colour of the pips for each face from 0 up ("" for the usual one). `changed` is the day of the last change,
    `changed_iso` the same as YYYY-MM-DD.
    """

    ruleset_id: str
    name: str
    character: str
    size: tuple[str, ...]
    length: str
    origin: str
    house_rules: tuple[str, ...]
    choose: str
    fields: tuple[tuple[str, str], ...]
    tones: tuple[str, ...]
    parts: tuple[Part, ...]
    changed: str
    changed_iso: str


@dataclass(frozen=True, slots=True)
class RulesIndexView:
    """The list of the how-to-play pages."""

    families: tuple[Family, ...]


def rules_index(words: Words) -> RulesIndexView:
    """List the how-to-play pages."""
    return RulesIndexView(families(words))


def rules(
    ruleset_: Ruleset,
    words: Words,
    *,
    dailies: Sequence[str] = (),
    addressing: Addressing = Addressing.BY_TURN,
    has_computer: bool = False,
) -> RulesView:
    """Explain a ruleset with its options.

    `dailies` are the rulesets that have a daily here, with the dice in the order of `addressing`; `has_computer`: there are
    computers to play against.
    """
    told = facts(ruleset_.id)
    parts = (
        *_parts(ruleset_, words, has_computer=has_computer),
        _part("daily", N_("The daily"), text.daily(words, dailies=dailies, addressing=addressing), words),
    )
    return RulesView(
        ruleset_id=ruleset_.id,
        name=words.ruleset(ruleset_.id),
        character=words.gettext(told.character),
        size=size(ruleset_, words),
        length=length(ruleset_, words),
        origin=words.gettext(told.origin),
        house_rules=words.chosen(ruleset_),
        choose=f"/new?{urlencode((('ruleset', ruleset_.id), *fields(ruleset_)))}",
        fields=fields(ruleset_),
        tones=("", *(tone(ruleset_, face) for face in FACES)),
        parts=parts,
        changed=words.date(told.changed),
        changed_iso=told.changed.isoformat(),
    )


def _parts(rules_: Ruleset, words: Words, *, has_computer: bool) -> tuple[Part, ...]:
    return (
        _what(rules_, words),
        _part("need", N_("What you need"), text.need(rules_, words, has_computer=has_computer), words),
        _part("turn", N_("A turn"), text.turn(rules_, words), words),
        _upper(rules_, words),
        _lower(rules_, words),
        _fives(rules_, words),
        _part("end", N_("The end"), text.end(rules_, words), words),
        _variants(rules_, words),
    )


def _part(id_: str, heading: str, paragraphs: Iterable[str], words: Words) -> Part:
    return Part(id_, words.gettext(heading), tuple(paragraphs))


def _what(rules_: Ruleset, words: Words) -> Part:
    known = tuple(words.gettext(sentence) for sentence in facts(rules_.id).known)
    return Part("what", words.gettext("What it is"), tuple(text.what(rules_, words)), known=known)


def _upper(rules_: Ruleset, words: Words) -> Part:
    return Part(
        "upper",
        words.gettext("The upper boxes"),
        tuple(text.upper(rules_, words)),
        boxes=_boxes(rules_, words, upper=True),
    )


def _lower(rules_: Ruleset, words: Words) -> Part:
    return Part(
        "lower",
        words.gettext("The lower boxes"),
        tuple(text.lower(rules_, words)),
        boxes=_boxes(rules_, words, upper=False),
        answers=answers(rules_, words),
    )


def _fives(rules_: Ruleset, words: Words) -> Part:
    shown, more = steps(rules_, words), edges(rules_, words)
    closes = any(step.closed for step in shown)
    after = (words.gettext("Closed boxes cannot be chosen, and the status line says why."),) if closes else ()
    return Part(
        "fives",
        words.gettext("Five of a kind again"),
        (*text.more_fives(rules_, words), *bonus(rules_, words)),
        steps=shown,
        edges=more,
        after=after,
    )


def _variants(rules_: Ruleset, words: Words) -> Part:
    told = facts(rules_.id)
    return Part(
        "variants",
        words.gettext("Variants"),
        tuple(words.gettext(sentence) for sentence in told.variants),
        options=choices(rules_, words),
        related=tuple(entry(ruleset(other), words) for other in told.related),
    )


def _boxes(rules_: Ruleset, words: Words, *, upper: bool) -> tuple[BoxGuide, ...]:
    return tuple(
        BoxGuide(box.key, words.box(box.key, rules_.id), describe(box, rules_, words), examples(box, rules_, words))
        for box in rules_.boxes
        if box.upper is upper
    )
