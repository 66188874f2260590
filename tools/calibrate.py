"""How strong the computer players are: finds each level's temperature and measures what it brings.

`python -m tools.calibrate [RULESET…]` writes app/coach/calibration.json, for all rulesets or for those named. For each level
it looks for the temperature whose mean is the wanted part of the perfect player's, then plays 100,000 games with it.
`--games N` plays another number of games, `--quick` lets the temperatures stand and only measures again.
Tables come from the folder of the settings and are made there when they are missing.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from math import exp, log
from typing import Any

from app.coach.levels import BEST, LEVELS, PERFECT, Level, Manner
from app.coach.making import Tables
from app.coach.players import CALIBRATION, Calibrated, calibration
from app.coach.simulate import Simulation, simulate
from app.coach.tables import Table
from app.game.rulesets import VARIANTS, ruleset
from app.settings import Settings

COMMAND = "python -m tools.calibrate"
GAMES = 100_000
GAMES_OF_A_TRY = 8_000
SEED = 1956
TRIES = 8
NEAR = 0.002
"""A share so near the wanted one is good enough; the error of a try's mean is about as large."""
USUAL_SLOPE, FLATTEST_SLOPE = -0.25, -0.05
"""How the share falls with the logarithm of the temperature: about so, and never taken to be less steep than the second."""


def main() -> int:
    """Calibrate and write the file anew after each ruleset, so that an interruption loses little."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Calibrate the levels of the computer players.")
    parser.add_argument("rulesets", nargs="*", metavar="RULESET")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    tables = Tables(Settings.load().tables)
    found = {id_: dict(levels) for id_, levels in calibration().items()}
    for id_ in asked.rulesets or [variant.id for variant in VARIANTS]:
        table = tables.make(ruleset(id_))
        known = found.get(id_, {}) if asked.quick else {}
        found[id_] = {
            level.name: _measured(
                table, _manner(table, level, known.get(level.name)), asked.games, f"{id_} {level.name}"
            )
            for level in LEVELS
        }
        found[id_][PERFECT] = _measured(table, BEST, asked.games, f"{id_} {PERFECT}")
        _write(found, asked.games)
    return 0


def _manner(table: Table, level: Level, known: Calibrated | None) -> Manner:
    if known:
        return Manner(known.temperature, level.appetite)
    return Manner(find_temperature(table, level), level.appetite)


def find_temperature(table: Table, level: Level) -> float:
    """Find the temperature, in points, at which a level reaches its share: secants over its logarithm."""
    at, slope = log(level.blur * table.expected / len(table.states.sheet.ruleset.boxes)), USUAL_SLOPE
    excess = _excess(table, level, at)
    for _ in range(TRIES):
        if abs(excess) < NEAR:
            break
        before = at, excess
        at -= excess / slope
        excess = _excess(table, level, at)
        slope = min((excess - before[1]) / (at - before[0]), FLATTEST_SLOPE)
    return round(exp(at), 4)


def _excess(table: Table, level: Level, temperature: float) -> float:
    """Play some games and give by how much the share that was reached exceeds the wanted one."""
    manner = Manner(exp(temperature), level.appetite)
    return simulate(table, GAMES_OF_A_TRY, SEED, manner=manner).mean / table.expected - level.share


def _measured(table: Table, manner: Manner, games: int, name: str) -> Calibrated:
    # Other dice than those of the tries, so that what was fitted to them does not flatter.
    found = simulate(table, games, SEED + 1, manner=manner)
    _say(name, manner, found, table.expected)
    return Calibrated(manner.temperature, round(found.mean, 2), round(found.standard_error, 3), found.games)


def _say(name: str, manner: Manner, found: Simulation, expected: float) -> None:
    print(
        f"{name:28} temperature {manner.temperature:7.4f}  mean {found.mean:7.2f} ± {found.standard_error:.2f}"
        f"  {found.mean / expected:6.1%} of {expected:.2f}  {found.rolls_a_turn:.2f} rolls a turn",
        flush=True,
    )


def _write(found: dict[str, dict[str, Calibrated]], games: int) -> None:
    order = [variant.id for variant in VARIANTS if variant.id in found]
    document: dict[str, Any] = {
        "command": COMMAND if games == GAMES else f"{COMMAND} --games {games}",
        "rulesets": {id_: {level: asdict(one) for level, one in found[id_].items()} for id_ in order},
    }
    CALIBRATION.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
