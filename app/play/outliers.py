"""Attempts at a day that were luckier than anybody can be who does not know the dice: a reason to look, and no proof.

What is compared is the luck of an attempt with that of the perfect player on the same dice: how much more it scored, and
all that its choices gave away besides. Whoever chooses without knowing what comes next is as often unluckier as luckier,
however well or badly they play; whoever has rehearsed the day gives points away just where the dice bring them back.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.coach.players import calibration
from app.play.coaching import Coaching
from app.play.errors import DayOpen, NoCoach, Unadvised
from app.play.results import Results
from app.play.sights import Sight

DEVIATIONS = 2.0
"""From so many standard deviations of the perfect player's total on an attempt is named. `python -m tools.outliers` measures
how often that meets honest players, and how often those who play the best that hindsight knows."""
MOST = 500
"""So many results above par are looked at, the highest first."""


def luck_beyond(total: int, par: int, given: float) -> float:
    """Give how much luckier than the perfect player an attempt was that gave away so much, in points."""
    return total - par + given


def stands_out(total: int, par: int, given: float, deviation: float) -> bool:
    """Tell whether an attempt is to be named: it is above par, and far luckier than the perfect player."""
    return total > par and luck_beyond(total, par, given) >= DEVIATIONS * deviation


@dataclass(frozen=True, slots=True)
class Outlier:
    """An attempt, whose it is (`name` is None for those without one), and its `luck` beyond the perfect player's, in points."""

    player: str
    name: str | None
    game: str
    total: int
    given: float
    luck: float
    deviations: float


@dataclass(frozen=True, slots=True)
class Outliers:
    """A closed day's outliers, the luckiest first; so many results are above par, and so many of them were looked at."""

    par: int
    above_par: int
    looked_at: int
    found: tuple[Outlier, ...]


def outliers(results: Results, coaching: Coaching, sight: Sight) -> Outliers:
    """Look through the shown results of a closed day that are above par.

    Raises:
        DayOpen: the day has not closed.
        NoCoach: nobody knows what choices by these rules are worth, or how far perfect games differ.

    """
    if not sight.closed:
        raise DayOpen
    if results.coaches.knows(sight.ruleset):
        results.coaches.tables.make(sight.ruleset)
    par = results.complete(sight, wait=True, par_only=True).par
    perfect = calibration().get(sight.ruleset.id, {}).get("perfect")
    if par is None or perfect is None:
        raise NoCoach(Unadvised.NOT_SOLVED, f"Nobody knows how luck and choice share in {sight.ruleset.id} here.")
    with results.store.reading() as tx:
        totals = tx.histogram(sight.day, sight.ruleset.id)
        above_par = sum(count for total, count in totals if total > par)
        best = max((total for total, _ in totals), default=0)
        rows = tx.board(sight.day, sight.ruleset.id, best, limit=min(MOST, above_par))
    found = []
    for row in rows:
        given = coaching.review(row.game_id, row.player_id).ledger.given
        if stands_out(row.total, par, given, perfect.deviation):
            luck, name = luck_beyond(row.total, par, given), None if row.deleted else row.name
            found.append(Outlier(row.player_id, name, row.game_id, row.total, given, luck, luck / perfect.deviation))
    return Outliers(par, above_par, len(rows), tuple(sorted(found, key=lambda one: -one.luck)))
