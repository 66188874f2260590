"""What anybody may check of the days: the commitments of those to come, the keys of those that have closed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from app.daily import AHEAD, ONE_DAY, day_of, last_closed, number_of
from app.game.dice import Addressing
from app.game.rules import Ruleset
from app.play.course import rules_of
from app.play.days import Days
from app.store import DayRow

OPENED = 14
"""Days that are listed with their keys; the keys of earlier ones stand on their own pages."""


@dataclass(frozen=True, slots=True)
class Published:
    """A day by one ruleset as everybody may know it; `key` is None until it has closed."""

    day: date
    ruleset: Ruleset
    addressing: Addressing
    commitment: str
    key: bytes | None = field(default=None, repr=False)

    @property
    def number(self) -> int:
        """The number of the day."""
        return number_of(self.day)


@dataclass(frozen=True, slots=True)
class Fairness:
    """The use cases of checking, on the days."""

    days: Days

    def sealed(self) -> tuple[Published, ...]:
        """Give the days whose keys are still kept back, the next ones first: those not closed yet, and those to come."""
        now = self.days.now()
        first, last = last_closed(now) + ONE_DAY, day_of(now) + AHEAD * ONE_DAY
        found = [_published(row) for row in self._between(first, last)]
        return tuple(sorted(found, key=lambda one: one.day))

    def opened(self) -> tuple[Published, ...]:
        """Give the latest days that have closed, with their keys, the latest first."""
        last = last_closed(self.days.clock())
        found = [_published(row, row.key) for row in self._between(last - (OPENED - 1) * ONE_DAY, last)]
        return tuple(sorted(found, key=lambda one: one.day, reverse=True))

    def _between(self, first: date, last: date) -> list[DayRow]:
        with self.days.store.reading() as tx:
            return [row for id_ in self.days.dailies.rulesets for row in tx.days_between(id_, first, last)]


def _published(row: DayRow, key: bytes | None = None) -> Published:
    return Published(row.day, rules_of(row), Addressing(row.addressing), row.commitment, key)
