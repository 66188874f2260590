"""docs/strength.md: how strong best play and the computer players are, ruleset by ruleset.

`python -m tools.strength [RULESET…]` writes it for all rulesets, or for those named beside what it holds of the others. Means,
deviations and rates of best play are exact, worked out from the tables, but for large games, whose deviation and rate are
measured; the figures of the levels come from app/coach/calibration.json, which `python -m tools.calibrate` measures.
"""

from __future__ import annotations

import sys
from pathlib import Path

from app.coach.levels import LEVELS, PERFECT
from app.coach.making import Tables
from app.coach.players import calibration
from app.coach.simulate import simulate
from app.coach.statistics import statistics
from app.coach.tables import Table
from app.coach.workings import LARGE
from app.game.rules import Ruleset
from app.game.rulesets import VARIANTS, ruleset
from app.settings import Settings

DOCUMENT = Path(__file__).parents[1] / "docs" / "strength.md"
GAMES = 100_000
SEED = 1956
NAMES = [*(level.name for level in LEVELS), PERFECT]

HEAD = """# How strong the computer players are

Made by `make strength`; do not edit. All figures are points of games played alone with the default options.

**Best play** is exact: the mean, the standard deviation and the rate of the upper bonus of a player who always chooses what
brings the most points on average, worked out by following every possible game. The **levels** were measured over {games:,} games
each; the number behind ± is the standard error of the mean, and the part of the exact mean stands below. Where a ≈ stands,
following every game would take hours: that figure was measured over {own:,} games of best play, and the mean alone is exact.

The level perfect plays just that way. The others know the same exact values but choose as people do: the smaller a difference,
the more often they take the lesser choice, and four, five or more alike and straights tempt them. They never write a zero while a
box pays. Their temperature, the points by which worths blur, is set so that they reach about {shares} of the exact mean.

| ruleset | best play | deviation | bonus in | {names} |
|---|---|---|---|{lines}
"""


def main() -> int:
    """Write the document anew after each ruleset, so that an interruption loses little."""
    tables = Tables(Settings.load().tables)
    rows = _kept()
    for id_ in sys.argv[1:] or [variant.id for variant in VARIANTS]:
        rows[id_] = _row(tables, ruleset(id_))
        print(rows[id_], end="", flush=True)
        DOCUMENT.write_text(_head() + "".join(rows[v.id] for v in VARIANTS if v.id in rows), encoding="utf-8")
    return 0


def _head() -> str:
    return HEAD.format(
        own=GAMES,
        games=min(one.games for levels in calibration().values() for one in levels.values()),
        shares=", ".join(f"{level.share:.0%}" for level in LEVELS),
        names=" | ".join(NAMES),
        lines="---|" * len(NAMES),
    )


def _kept() -> dict[str, str]:
    """Give the rows that the document holds, by ruleset."""
    text = DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else ""
    lines = [line for line in text.splitlines(keepends=True) if line.startswith("| `")]
    return {line.split("`")[1]: line for line in lines}


def _row(tables: Tables, rules: Ruleset) -> str:
    table = tables.make(rules)
    deviation, bonus_rate = _spread(table)
    measured = calibration().get(rules.id, {})
    levels = [
        f"{one.mean:.2f} ± {one.standard_error:.2f}<br>{one.mean / table.expected:.1%}" if one else "not measured"
        for one in (measured.get(name) for name in NAMES)
    ]
    bonus = bonus_rate if rules.bonus else "–"
    cells = [f"`{rules.id}`", f"{table.expected:.4f}", deviation, bonus, *levels]
    return f"| {' | '.join(cells)} |\n"


def _spread(table: Table) -> tuple[str, str]:
    """Give the deviation and the rate of the upper bonus: exact, or of a large game measured."""
    if table.states.count < LARGE:
        found = statistics(table)
        return f"{found.standard_deviation:.3f}", f"{found.bonus_rate:.2%}"
    played = simulate(table, GAMES, SEED)
    return f"≈ {played.standard_deviation:.1f}", f"≈ {(played.bonus > 0).mean():.1%}"


if __name__ == "__main__":
    sys.exit(main())
