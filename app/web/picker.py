"""The rulesets to choose from: grouped, each with what one wants to know before choosing it, and its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from app.game.dice import Addressing
from app.game.rules import Ruleset
from app.game.rulesets import VARIANTS, ruleset, variant
from app.play import MAX_OPPONENTS, Plan
from app.web import levels
from app.web.guide_facts import Group, facts
from app.web.guide_options import OptionChoice, choices, fields, query
from app.web.levels import Level
from app.web.words import N_, Words

# A roll with the thought behind it: our own guess, by which a classic game alone lasts five minutes.
_SECONDS_A_ROLL = 8


def nobody_waits(_rules: Ruleset) -> int | None:
    """Know of no computers that are being prepared."""
    return None


@dataclass(frozen=True, slots=True)
class Entry:
    """A ruleset in the list.

    `size` says dice, rolls and boxes, `length` how long a game takes, `query` and `house_rules` its unusual options for
    links and in words, `open` whether its options are shown at once. `levels` are the computers to play against, `waiting` says
    that they are not ready yet ("" for ready, or not begun).
    """

    id: str
    name: str
    character: str
    size: tuple[str, ...]
    length: str
    origin: str
    query: str
    house_rules: tuple[str, ...]
    options: tuple[OptionChoice, ...]
    open: bool
    levels: tuple[Level, ...]
    waiting: str


@dataclass(frozen=True, slots=True)
class Family:
    """A group of rulesets under its heading."""

    id: str
    heading: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class LastTime:
    """The player's last game: its rules, against whom ("" alone), its unusual options in words, and the form fields for it."""

    name: str
    against: str
    house_rules: tuple[str, ...]
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class NewGameView:
    """The page of all rulesets with their options; `last` is what "play like last time" means (None: first time).

    `opponents` is the most that a game can have.
    """

    families: tuple[Family, ...]
    last: LastTime | None
    addressings: tuple[tuple[str, str], ...]
    opponents: int


def new_game(
    ruleset_id: str | None,
    words: Words,
    *,
    options: Mapping[str, str] | None = None,
    last: Plan | None = None,
    seconds_left: Callable[[Ruleset], int | None] = nobody_waits,
) -> NewGameView:
    """List all rulesets; one named by its id is shown with its options open, and with these chosen.

    `seconds_left` tells how long the computers still need for a game, None or 0 where there is nothing to wait for.

    Raises:
        Unreadable: there is no such ruleset, or it has no such options.

    """
    chosen = None if ruleset_id is None else ruleset(ruleset_id, options, text=True)
    return NewGameView(
        families(words, chosen, seconds_left),
        None if last is None else _last_time(last, words),
        (
            (Addressing.BY_TURN.value, words.gettext("by turn")),
            (Addressing.CONTINUOUS.value, words.gettext("in one row")),
        ),
        MAX_OPPONENTS,
    )


def _last_time(plan: Plan, words: Words) -> LastTime:
    rules = plan.ruleset
    more = {
        "addressing": plan.addressing.value,
        "corrections": "1" if plan.corrections else "0",
        "same_dice": "1" if plan.same_dice else "0",
        "start": plan.start.value,
    }
    levels = tuple(("level", level) for level in plan.levels)
    sent = (("kind", plan.kind.value), ("ruleset", rules.id), *fields(rules), *levels, *more.items())
    against = words.listing([words.against(level) for level in plan.levels])
    return LastTime(
        words.ruleset(rules.id),
        words.say(N_("against %(opponents)s"), opponents=against) if plan.levels else "",
        words.chosen(rules),
        sent,
    )


def families(
    words: Words, chosen: Ruleset | None = None, seconds_left: Callable[[Ruleset], int | None] = nobody_waits
) -> tuple[Family, ...]:
    """Group the rulesets; `chosen` is shown opened, with its options."""
    every = [chosen if chosen and chosen.id == offered.id else ruleset(offered.id) for offered in VARIANTS]
    return tuple(
        Family(
            group.name.lower(),
            words.gettext(group.value),
            tuple(
                entry(rules, words, open_=rules is chosen, waiting=levels.waiting(seconds_left(rules), words))
                for rules in every
                if facts(rules.id).group is group
            ),
        )
        for group in Group
    )


def entry(rules: Ruleset, words: Words, *, open_: bool = False, waiting: str = "") -> Entry:
    """Say what one wants to know of a ruleset before choosing it."""
    told = facts(rules.id)
    return Entry(
        rules.id,
        words.ruleset(rules.id),
        words.gettext(told.character),
        size(rules, words),
        length(rules, words),
        words.gettext(told.origin),
        query(rules),
        words.chosen(rules),
        choices(rules, words) if variant(rules.id).options else (),
        open_,
        levels.levels(rules, words),
        waiting,
    )


def size(rules: Ruleset, words: Words) -> tuple[str, ...]:
    """Say with how many dice, rolls and boxes a game is played."""
    return (
        words.count(N_("%(n)s die"), N_("%(n)s dice"), rules.dice),
        words.count(N_("%(n)s roll a turn"), N_("%(n)s rolls a turn"), rules.rolls),
        words.count(N_("%(n)s box"), N_("%(n)s boxes"), len(rules.boxes)),
    )


def length(rules: Ruleset, words: Words) -> str:
    """Say about how long a game alone takes."""
    minutes = max(1, round(len(rules.boxes) * rules.rolls * _SECONDS_A_ROLL / 60))
    return words.count(N_("about %(n)s minute"), N_("about %(n)s minutes"), minutes)
