"""What the exact solver says about folk advice: measured by a command, kept as data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FACTS = Path(__file__).with_name("advice_facts.json")
"""What `python -m tools.advice_facts` found; the command's name and the number of games stand in it."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A rule of thumb that was tried: how often in a game it speaks, how often (0..1) the perfect player keeps to it then.

    `cost`: the points given away in a game by whoever always keeps to it, and their `standard_error`.
    """

    a_game: float
    kept: float | None
    cost: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class Counts:
    """A histogram: how many games lie in each step, from 0 on."""

    step: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one ruleset; `shares` and rates are 0..1."""

    ruleset: str
    figures: Mapping[str, Any]
    advice: Mapping[str, Tried]
    totals: Counts
    upper: Counts


@dataclass(frozen=True, slots=True)
class AllFacts:
    """What was found, by which command, over how many games."""

    command: str
    games: int
    rulesets: Mapping[str, Facts]


@cache
def facts() -> AllFacts:
    """Read what was found."""
    found = json.loads(FACTS.read_text(encoding="utf-8"))
    return AllFacts(
        found["command"],
        found["games"],
        {
            id_: Facts(
                id_,
                one,
                {name: Tried(**tried) for name, tried in one["advice"].items()},
                Counts(one["totals"]["step"], tuple(one["totals"]["counts"])),
                Counts(one["upper"]["step"], tuple(one["upper"]["counts"])),
            )
            for id_, one in found["rulesets"].items()
        },
    )
