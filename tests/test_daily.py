"""The calendar of the daily challenge."""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.daily import Streak, closes_at, commitment_of, day_of, day_of_number, is_closed, key_of, number_of, streak

SECRET = bytes(range(32))
FIRST = date(2026, 1, 1)


def test_every_day_from_2026_to_2036_is_one_number_on() -> None:
    assert number_of(FIRST) == 1
    day = FIRST
    while day < date(2037, 1, 1):
        assert number_of(day + timedelta(days=1)) == number_of(day) + 1
        assert day_of_number(number_of(day)) == day
        day += timedelta(days=1)


@pytest.mark.parametrize("offset", [-12, -11, 0, 2, 5.5, 9, 14])
def test_one_instant_is_one_day_wherever_one_lives(offset: float) -> None:
    instant = datetime(2027, 3, 28, 0, 30, tzinfo=UTC)
    assert day_of(instant.astimezone(timezone(timedelta(hours=offset)))) == date(2027, 3, 28)
    assert day_of((instant - timedelta(hours=1)).astimezone(timezone(timedelta(hours=offset)))) == date(2027, 3, 27)


def test_a_day_closes_at_six_the_day_after_and_not_a_second_before() -> None:
    day = date(2026, 11, 29)
    assert closes_at(day) == datetime(2026, 11, 30, 6, tzinfo=UTC)
    assert not is_closed(day, datetime(2026, 11, 30, 5, 59, 59, 999_999, tzinfo=UTC))
    assert is_closed(day, datetime(2026, 11, 30, 6, tzinfo=UTC))


def test_a_days_key_follows_from_the_secret_the_ruleset_and_the_date() -> None:
    expected = hmac.new(SECRET, b"daily/classic/2026-11-29", hashlib.sha256).digest()
    assert key_of(SECRET, "classic", date(2026, 11, 29)) == expected
    assert commitment_of(expected) == hashlib.sha256(expected).hexdigest()
    keys = {
        key_of(SECRET, rules, day_of_number(number)) for rules in ("classic", "yatzy") for number in range(-9, 3_650)
    }
    assert len(keys) == 2 * 3_659


NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def days(*back: int) -> set[date]:
    """Give the days so many days before the 29th."""
    return {date(2026, 11, 29) - timedelta(days=number) for number in back}


@pytest.mark.parametrize(
    ("played", "excused", "expected"),
    [
        (set(), set(), Streak(0, 0)),
        (days(0), set(), Streak(1, 1)),
        (days(1), set(), Streak(1, 1)),  # today can still be played
        (days(2), set(), Streak(0, 1)),  # the 28th closed this morning, unplayed
        (days(0, 1, 2), set(), Streak(3, 3)),
        (days(0, 2, 3, 4), set(), Streak(1, 3)),
        (days(0, 2, 3), days(1), Streak(3, 3)),
        (days(2, 3), days(1), Streak(2, 2)),
        (days(0), days(1, 2, 3), Streak(1, 1)),
    ],
)
def test_streaks_by_hand(played: set[date], excused: set[date], expected: Streak) -> None:
    assert streak(played, excused, NOW) == expected


def test_a_day_breaks_no_streak_before_it_has_closed() -> None:
    played = days(2)
    before, after = datetime(2026, 11, 29, 5, 59, 59, tzinfo=UTC), datetime(2026, 11, 29, 6, tzinfo=UTC)
    assert streak(played, set(), before).current == 1
    assert streak(played, set(), after).current == 0


@given(st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60)), st.integers(0, 24 * 62))
def test_streaks_equal_a_recount_in_words(played: set[int], excused: set[int], hour: int) -> None:
    """Write the history as a text, P played, x excused, ? still open, - missed, and split it."""
    now = datetime(2026, 10, 1, tzinfo=UTC) + timedelta(hours=hour)
    first = date(2026, 10, 1)
    today = hour // 24
    played = {number for number in played if number <= today}
    letters = []
    for number in range(today + 1):
        open_still = hour < (number + 1) * 24 + 6
        letters.append("P" if number in played else "x" if number in excused else "?" if open_still else "-")
    runs = [run.count("P") for run in "".join(letters).split("-")]
    expected = Streak(runs[-1], max(runs)) if played else Streak(0, 0)
    dates = {first + timedelta(days=number) for number in played}
    assert streak(dates, {first + timedelta(days=number) for number in excused}, now) == expected
