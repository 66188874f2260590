"""`fairwind solve`: what a game is worth under best play, and with `--statistics` how its games come out."""

from __future__ import annotations

from app.coach.statistics import Statistics, statistics
from app.command.line import Json
from app.command.tables import Bar, Solved
from app.game.rules import text_of


def follow(solved: Solved) -> Statistics:
    """Work out the statistics of a solved ruleset, with a bar."""
    bar = Bar(f"Following the games of {solved.table.header.ruleset}")
    try:
        return statistics(solved.table, progress=lambda done: bar.show(done / solved.table.states.count))
    finally:
        bar.end()


def solve_answer(solved: Solved, found: Statistics | None) -> Json:
    """Say what was found; without statistics their fields are None."""
    header = solved.table.header
    return {
        "ruleset": header.ruleset,
        "options": dict(header.options),
        "expected": header.expected,
        "standard_deviation": found and found.standard_deviation,
        "bonus_rate": found and found.bonus_rate,
        "boxes": found and dict(found.boxes),
        "zero_rates": found and dict(found.zero_rates),
        "states": header.states,
        "seconds": header.seconds,
        "table_bytes": solved.path.stat().st_size,
        "cached": solved.cached,
    }


def solve_text(solved: Solved, found: Statistics | None) -> str:
    """Write the same for people."""
    header = solved.table.header
    options = ", ".join(f"{name}={text_of(value)}" for name, value in header.options.items())
    lines = [
        f"{header.ruleset}: {header.expected:.6f} points on average under best play",
        *([f"  {options}"] if options else []),
        f"  {header.states:,} states, solved in {header.seconds:.1f} s, {solved.path.stat().st_size:,} bytes in {solved.path}",
    ]
    return "\n".join(lines + (_statistics(found) if found else []))


def _statistics(found: Statistics) -> list[str]:
    width = max(len(box) for box in (*found.boxes, "extra fives"))
    return [
        f"  standard deviation {found.standard_deviation:.3f}, upper bonus in {found.bonus_rate:.2%} of the games",
        f"  {'':{width}}    mean   zero in",
        *(f"  {box:{width}} {mean:7.2f} {found.zero_rates[box]:9.2%}" for box, mean in found.boxes.items()),
        *([f"  {'upper bonus':{width}} {found.bonus_mean:7.2f}"] if found.bonus_mean else []),
        *([f"  {'extra fives':{width}} {found.extra_mean:7.2f}"] if found.extra_mean else []),
    ]
