"""The computer players to choose from, and how strong each is."""

from __future__ import annotations

from dataclasses import dataclass

from app.coach.players import levels_of, strength
from app.game.rules import Ruleset
from app.web.words import N_, P_, Words

USUAL = "casual"
"""The level that is offered first: about as strong as most people."""


_MINUTE = 60
_SECONDS = P_(
    "The computer is working this game out, about %(n)s second more.",
    "The computer is working this game out, about %(n)s seconds more.",
)
_MINUTES = P_(
    "The computer is working this game out, about %(n)s minute more.",
    "The computer is working this game out, about %(n)s minutes more.",
)


@dataclass(frozen=True, slots=True)
class Level:
    """A computer player: its level as a form sends it, its name, and its mean with the standard error ("" for not measured)."""

    value: str
    name: str
    strength: str
    usual: bool


def levels(rules: Ruleset, words: Words) -> tuple[Level, ...]:
    """List who can play by these rules, the weakest first; the means were measured with the usual options."""
    measured = strength(rules.id)
    return tuple(
        Level(level, words.level(level), mean(*measured[level], words) if level in measured else "", level == USUAL)
        for level in levels_of(rules)
    )


def mean(points: float, error: float, words: Words) -> str:
    """Write a mean with its standard error."""
    return words.say(N_("%(mean)s ± %(error)s"), mean=words.mean(points), error=words.mean(error))


def waiting(seconds: int | None, words: Words) -> str:
    """Say how long the computers still need to work a game out, "" where there is nothing to wait for."""
    if not seconds:
        return ""
    if seconds >= _MINUTE + _MINUTE:
        return words.count(*_MINUTES, round(seconds / _MINUTE))
    return words.count(*_SECONDS, seconds)
