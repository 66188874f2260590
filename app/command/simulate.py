"""`fairwind simulate`: many games of one of the computer players."""

from __future__ import annotations

import time

from app.coach.players import check_level, manner_of
from app.coach.simulate import Simulation, simulate
from app.coach.tables import Table
from app.command.line import Json
from app.command.tables import Bar


def play_games(table: Table, level: str, games: int, seed: int) -> tuple[Simulation, float]:
    """Play games of a level, with a bar; give what came of them and how many seconds it took.

    Raises:
        Unreadable: `unknown_level`, naming what there is.

    """
    rules = table.states.sheet.ruleset
    check_level(rules, level)
    begun = time.monotonic()
    bar = Bar(f"Playing {rules.id}")
    try:
        found = simulate(table, games, seed, manner=manner_of(table, level), progress=bar.show)
    finally:
        bar.end()
    return found, time.monotonic() - begun


def simulate_answer(table: Table, found: Simulation, seconds: float) -> Json:
    """Say what came of the games, in points."""
    return {
        "games": found.games,
        "mean": found.mean,
        "standard_deviation": found.standard_deviation,
        "standard_error": found.standard_error,
        "minimum": int(found.totals.min()),
        "maximum": int(found.totals.max()),
        "quantiles": {str(percent): total for percent, total in found.quantiles.items()},
        "boxes": _boxes(table, found),
        "bonus_rate": float((found.bonus > 0).mean()),
        "extra_mean": float(found.extra.mean()),
        "rolls_per_turn": found.rolls_a_turn,
        "seconds": round(seconds, 3),
    }


def simulate_text(table: Table, level: str, found: Simulation, seconds: float) -> str:
    """Write the same for people."""
    boxes = _boxes(table, found)
    width = max(len(box) for box in boxes)
    quantiles = ", ".join(f"{percent} %: {total}" for percent, total in found.quantiles.items())
    return "\n".join(
        [
            f"{table.header.ruleset}, {level}: {found.games:,} games in {seconds:.1f} s",
            f"  mean {found.mean:.2f} ± {found.standard_error:.2f}, standard deviation {found.standard_deviation:.2f}",
            f"  from {found.totals.min()} to {found.totals.max()}; {quantiles}",
            f"  upper bonus in {(found.bonus > 0).mean():.2%} of the games, {found.extra.mean():.2f} points of extra fives",
            f"  {found.rolls_a_turn:.2f} rolls a turn",
            *(f"  {box:{width}} {mean:7.2f}" for box, mean in boxes.items()),
        ]
    )


def _boxes(table: Table, found: Simulation) -> dict[str, float]:
    means = found.boxes.mean(axis=0, dtype=float).tolist()
    return dict(zip(table.states.sheet.ruleset.index, means, strict=True))
