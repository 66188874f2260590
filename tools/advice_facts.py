"""Folk advice held against the exact solution: how often the perfect player keeps to it, and what always doing so costs.

`python -m tools.advice_facts` plays 20,000 games with each rule of thumb and writes app/web/advice_facts.json. Tables come
from the folder of the settings and are made there when they are missing. `--games N` plays another number of games.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from app.coach.making import Tables
from app.coach.odds import Ints, odds
from app.coach.statistics import Statistics, statistics
from app.coach.tables import Table
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from app.settings import Settings
from app.web.advice_facts import FACTS
from tools.ruled_games import Mask, Played, Player, Rule, Seen

COMMAND = "python -m tools.advice_facts"
GAMES = 20_000
SEED = 1956
RULESETS = ("classic", "yatzy")
"""Those that the advice is given for."""

LATE = 5
"""The first and the last five turns count as early and late."""
PAR = 3
"""So many of each face make up the bonus."""
FOUR = 4
STRONG = 20
"""Points from which a lower hand is a strong one."""
HANDS = ("four_of_a_kind", "full_house", "small_straight", "large_straight")
PERCENTS = (1, 5, 25, 50, 75, 95, 99)
TOTALS_STEP, UPPER_STEP = 25, 7


def main() -> int:
    """Find the facts of each ruleset and write the file anew after each, so that an interruption loses little."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Hold folk advice against the exact solution.")
    parser.add_argument("--games", type=int, default=GAMES)
    games = parser.parse_args().games
    tables = Tables(Settings.load().tables)
    found: dict[str, Any] = {}
    for id_ in RULESETS:
        found[id_] = facts(tables.make(ruleset(id_)), games)
        text = {"command": COMMAND, "games": games, "seed": SEED, "rulesets": found}
        FACTS.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")
    return 0


def facts(table: Table, games: int) -> dict[str, Any]:
    """Play with each rule, and without any."""
    rules = table.states.sheet.ruleset
    player, thumb = Player(table, games, SEED), rules_of_thumb(rules)
    perfect = player.play(watched=thumb)
    advice: dict[str, Any] = {}
    for name, rule in thumb.items():
        cost, error = player.play(rule).cost
        spoke, kept = perfect.kept[name]
        advice[name] = {
            "a_game": round(spoke / games, 3),
            "kept": round(kept / spoke, 4) if spoke else None,
            "cost": round(cost, 3),
            "standard_error": round(error, 3),
        }
        print(rules.id, name, advice[name], flush=True)
    return {**figures(rules, perfect, statistics(table)), "advice": advice}


# The rules of thumb, each as what it allows


def rules_of_thumb(rules: Ruleset) -> Mapping[str, Rule]:
    """Give what is tried with a ruleset."""
    chance, five, ones, four = (rules.index[key] for key in ("chance", "five_of_a_kind", "ones", "four_of_a_kind"))
    turns = len(rules.boxes)
    return {
        "most_points": lambda seen: seen.points == seen.points.max(axis=0),
        "chance_late": lambda seen: ~only(seen, chance) if seen.turn < turns - LATE else everything(seen),
        "zero_five": lambda seen: only(seen, five) & strikes(seen),
        "zero_ones": lambda seen: only(seen, ones) & strikes(seen),
        "upper_first": lambda seen: torn(rules, seen)[0],
        "lower_first": lambda seen: torn(rules, seen)[1],
        "close_bonus": lambda seen: makes_bonus(rules, seen) & (seen.turn >= turns - LATE),
        "four_above": lambda seen: four_alike(rules, seen),
        "four_below": lambda seen: only(seen, four) & four_alike(rules, seen).any(axis=0),
    }


def everything(seen: Seen) -> Mask:
    """Allow all boxes."""
    return np.ones(seen.points.shape, dtype=np.bool_)


def only(seen: Seen, place: int) -> Mask:
    """Allow one box, by its place on the sheet."""
    found = np.zeros(seen.points.shape, dtype=np.bool_)
    index = seen.index(place)
    if index is not None:
        found[index] = True
    return found


def strikes(seen: Seen) -> Mask:
    """Tell in which games the best box brings nothing."""
    best = seen.judged.worth.argmax(axis=0)
    return np.asarray(np.take_along_axis(seen.points, best[None], axis=0)[0] == 0)


def torn(rules: Ruleset, seen: Seen) -> tuple[Mask, Mask]:
    """Where three or more of an open face and a strong lower hand are on offer at once: the upper boxes, and the hands."""
    faces = np.array([rules.boxes[place].face for place in seen.judged.places])[:, None]
    keys = [rules.boxes[place].key for place in seen.judged.places]
    upper = (faces > 0) & (seen.points >= PAR * faces)
    lower = np.array([key in HANDS for key in keys])[:, None] & (seen.points >= STRONG)
    # Nobody doubts what to do with the first five of a kind.
    both = upper.any(axis=0) & lower.any(axis=0) & (counts(rules, seen).max(axis=1) < rules.dice)
    return upper & both, lower & both


def makes_bonus(rules: Ruleset, seen: Seen) -> Mask:
    """Give the upper boxes that would make the bonus now."""
    faces = np.array([rules.boxes[place].face for place in seen.judged.places])[:, None]
    missing = threshold(rules) - seen.upper
    return np.asarray((faces > 0) & (missing > 0) & (seen.points >= missing))


def four_alike(rules: Ruleset, seen: Seen) -> Mask:
    """Where an early roll shows just four alike whose upper box and four of a kind are both open: that upper box."""
    found = counts(rules, seen)
    faces = np.where((found == FOUR).any(axis=1), found.argmax(axis=1) + 1, -1)
    own = np.array([rules.boxes[place].face for place in seen.judged.places])[:, None]
    early = seen.index(rules.index["four_of_a_kind"]) is not None and seen.turn < LATE
    return np.asarray((own == faces) & early)


def counts(rules: Ruleset, seen: Seen) -> Ints:
    """Count the faces of each game's dice: games × faces."""
    table = np.array([[roll.count(face) for face in range(1, 7)] for roll in odds(rules.dice).rolls], dtype=np.intp)
    return np.asarray(table[seen.rolls])


def threshold(rules: Ruleset) -> int:
    """Give the upper sum from which the bonus is paid."""
    return rules.bonus[0].at_least


# Figures of the perfect player


def figures(rules: Ruleset, played: Played, exact: Statistics) -> dict[str, Any]:
    """Say how perfect games come out."""
    upper_places = list(rules.upper.values())
    by_box = np.zeros((len(played.totals), len(rules.boxes)), dtype=np.intp)
    np.put_along_axis(by_box, played.boxes, played.points, axis=1)
    upper = by_box[:, upper_places].sum(axis=1)
    made = upper >= threshold(rules)
    fewer = np.asarray((by_box[:, upper_places] < PAR * np.array(list(rules.upper))).any(axis=1))
    when = (played.boxes == rules.index["chance"]).argmax(axis=1)
    turns = len(rules.boxes)
    return {
        "expected": round(exact.mean, 4),
        "standard_deviation": round(exact.standard_deviation, 3),
        "bonus_rate": round(exact.bonus_rate, 4),
        "bonus_points": rules.bonus[0].points,
        "five_rate": round(1 - exact.zero_rates["five_of_a_kind"], 4),
        "zero_rates": {key: round(rate, 4) for key, rate in exact.zero_rates.items()},
        "mean": round(float(played.totals.mean()), 2),
        "standard_error": round(float(played.totals.std(ddof=1) / np.sqrt(len(played.totals))), 3),
        "percentiles": dict(zip(map(str, PERCENTS), quantiles(played.totals), strict=True)),
        "totals": {"step": TOTALS_STEP, "counts": histogram(played.totals, TOTALS_STEP)},
        "upper": {"step": UPPER_STEP, "counts": histogram(upper, UPPER_STEP), "mean": round(float(upper.mean()), 2)},
        "exactly_par": share(upper == threshold(rules)),
        "made_up": share(fewer[made]),
        "chance_early": share(when < LATE),
        "chance_late": share(when >= turns - LATE),
        "shares": {
            name: share((played.totals >= low) & (played.totals <= high))
            for name, (low, high) in {
                "150_180": (150, 180),
                "220_240": (220, 240),
                "200_300": (200, 300),
                "above_300": (301, 10**6),
                "above_350": (351, 10**6),
            }.items()
        },
    }


def quantiles(totals: Ints) -> list[int]:
    """Give the totals that so many percent of the games do not exceed."""
    found: list[int] = np.percentile(totals, PERCENTS, method="inverted_cdf").astype(int).tolist()
    return found


def histogram(values: Ints, step: int) -> list[int]:
    """Count values in steps from 0."""
    found: list[int] = np.bincount(values // step).tolist()
    return found


def share(mask: Mask) -> float:
    """Give the part, 0..1, for which something holds."""
    return round(float(mask.mean()), 4)


if __name__ == "__main__":
    sys.exit(main())
