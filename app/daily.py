"""The daily challenge's calendar: days, numbers, keys, closing times, streaks. Pure; the moment is always given.

One UTC day for everybody. A day's key follows from the server's daily secret, so its dice are fixed before anybody plays; what is
published is the key's commitment. A day's count closes at 06:00 UTC of the day after; until then its key stays secret.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

FIRST_DAY = date(2026, 1, 1)
"""The day of number 1."""

CLOSING_TIME = time(6, tzinfo=UTC)
"""When the count of a day closes, on the day after."""

ONE_DAY = timedelta(days=1)

AHEAD = 30
"""So many days after today are published with it."""


@dataclass(frozen=True, slots=True)
class Streak:
    """Days played in a row: the run that goes on now, and the longest there was."""

    current: int
    longest: int


def day_of(moment: datetime) -> date:
    """Give the day that a moment (aware) belongs to."""
    return moment.astimezone(UTC).date()


def number_of(day: date) -> int:
    """Give the number of a day: 1 on the first, one more every day; 0 and below before it."""
    return (day - FIRST_DAY).days + 1


def day_of_number(number: int) -> date:
    """Give the day of a number."""
    return FIRST_DAY + (number - 1) * ONE_DAY


def begins_at(day: date) -> datetime:
    """Give the moment at which a day begins."""
    return datetime.combine(day, time(tzinfo=UTC))


def closes_at(day: date) -> datetime:
    """Give the moment from which nothing counts for a day any more and its key is open."""
    return datetime.combine(day + ONE_DAY, CLOSING_TIME)


def is_closed(day: date, now: datetime) -> bool:
    """Tell whether the count of a day has closed."""
    return now >= closes_at(day)


def last_closed(now: datetime) -> date:
    """Give the last day whose count has closed."""
    day = day_of(now)
    while not is_closed(day, now):
        day -= ONE_DAY
    return day


def key_of(secret: bytes, ruleset_id: str, day: date) -> bytes:
    """Derive the 32 bytes of a day's key from the daily secret."""
    return hmac.digest(secret, f"daily/{ruleset_id}/{day.isoformat()}".encode("ascii"), "sha256")


def commitment_of(key: bytes) -> str:
    """Give what is published of a key ahead: its SHA-256 in hexadecimal."""
    return hashlib.sha256(key).hexdigest()


def streak(played: Collection[date], excused: Collection[date], now: datetime) -> Streak:
    """Count days played in a row, from the results themselves.

    An excused day (the server was down) neither counts nor breaks; a day not played yet breaks only when it has closed.
    """
    if not played:
        return Streak(0, 0)
    runs = [0]
    day, last = min(played), max(day_of(now), *played)
    while day <= last:
        if day in played:
            runs[-1] += 1
        elif day not in excused and is_closed(day, now):
            runs.append(0)
        day += ONE_DAY
    return Streak(runs[-1], max(runs))
