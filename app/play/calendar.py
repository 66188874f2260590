"""A player's calendar of the daily challenge, made from the results themselves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property

from app.daily import Streak, day_of, is_closed, streak
from app.store import PlayedDay


class Mark(StrEnum):
    """What a calendar says of a day. `OPEN`: not played yet, or not to the end, and its count has not closed."""

    PLAYED = "played"
    OPEN = "open"
    MISSED = "missed"
    EXCUSED = "excused"
    TO_COME = "to_come"


@dataclass(frozen=True)
class Calendar:
    """A player's counted attempts by one ruleset at a moment, and the days that break no streak."""

    now: datetime
    played: tuple[PlayedDay, ...]
    excused: frozenset[date]

    @cached_property
    def totals(self) -> dict[date, int]:
        """The totals of the days that count."""
        return {one.day: one.total for one in self.played if one.total is not None}

    @property
    def streak(self) -> Streak:
        """Days in a row."""
        return streak(self.totals.keys(), self.excused, self.now)

    @property
    def against_par(self) -> tuple[float, int] | None:
        """The mean of total minus par, and over how many closed days whose par is known; None for none."""
        found = [
            one.total - one.par
            for one in self.played
            if one.total is not None and one.par is not None and is_closed(one.day, self.now)
        ]
        return (sum(found) / len(found), len(found)) if found else None

    def mark(self, day: date) -> Mark:
        """Mark a day."""
        if day in self.totals:
            return Mark.PLAYED
        if day > day_of(self.now):
            return Mark.TO_COME
        if not is_closed(day, self.now):
            return Mark.OPEN
        return Mark.EXCUSED if day in self.excused else Mark.MISSED
