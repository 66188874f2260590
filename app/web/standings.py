"""The statistics of a player: best, mean and spread by rules and kind of game, and the daily's streaks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.daily import Streak
from app.game.rulesets import ruleset
from app.play import Kind
from app.store import Totals
from app.web.day_words import streak_line
from app.web.words import N_, Words


@dataclass(frozen=True, slots=True)
class Standing:
    """Games of one sort: texts, "–" where there is nothing to tell.

    `played` counts those that have ended, finished or given up; `abandoned` those given up. The others are of finished ones.
    """

    ruleset: str
    details: tuple[str, ...]
    played: str
    abandoned: str
    best: str
    mean: str
    spread: str


@dataclass(frozen=True, slots=True)
class Section:
    """A kind of games under its heading."""

    heading: str
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """The days in a row by one ruleset, and where its calendar is."""

    ruleset: str
    streak: str
    calendar: str


@dataclass(frozen=True, slots=True)
class StatsView:
    """What has been played, by kind and rules, and the days in a row of those who have finished one."""

    runs: tuple[Run, ...]
    sections: tuple[Section, ...]


_KINDS: Final[Mapping[str, str]] = {
    Kind.SOLO: N_("Your games"),
    Kind.COMPUTER: N_("Against computers"),
    Kind.DAILY: N_("The daily"),
    Kind.PRACTICE: N_("Practice on past days"),
}
"""The kinds of games in the order of their sections; each is counted by itself."""

_ASSISTED: Final[Mapping[str, str]] = {
    Kind.SOLO: "",
    Kind.COMPUTER: N_("against computers"),
    Kind.DAILY: "",
    Kind.PRACTICE: N_("practice on past days"),
}


def stats(totals: Sequence[Totals], streaks: Mapping[str, Streak], words: Words) -> StatsView:
    """Show a player's statistics; `streaks` are those by ruleset."""
    sections = [
        Section(
            words.gettext(heading),
            tuple(_standing(one, words) for one in totals if one.kind == kind and not one.assisted),
        )
        for kind, heading in _KINDS.items()
    ]
    assisted = tuple(_assisted(one, words) for one in totals if one.assisted)
    sections.append(Section(words.say(N_("Assisted games")), assisted))
    runs = (
        Run(words.ruleset(id_), streak_line(streak, words), f"/daily/archive?ruleset={id_}")
        for id_, streak in streaks.items()
        if streak.longest
    )
    return StatsView(tuple(runs), tuple(section for section in sections if section.standings))


def _assisted(total: Totals, words: Words) -> Standing:
    kind = _ASSISTED[total.kind]
    return _standing(total, words, (words.gettext(kind),) if kind else ())


def _standing(total: Totals, words: Words, details: tuple[str, ...] = ()) -> Standing:
    rules = ruleset(total.ruleset, json.loads(total.options))
    figures = total.finished
    return Standing(
        ruleset=words.ruleset(rules.id),
        details=(*details, *words.chosen(rules)),
        played=words.number(figures.count + total.abandoned),
        abandoned=words.number(total.abandoned),
        best=_or_dash(figures.best, words),
        mean=_or_dash(figures.mean, words),
        spread=_or_dash(figures.deviation, words),
    )


def _or_dash(number: float | None, words: Words) -> str:
    match number:
        case None:
            return "–"
        case int():
            return words.number(number)
        case _:
            return words.mean(number)
