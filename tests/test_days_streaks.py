"""Streaks are what the stored results say, recounted here in words."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest

from app.daily import Streak
from app.play.days import Days
from app.store import DayRow, EntryRow, GameRow, PlayerRow, SeatRow, Store, Tx
from tests.support.days import days_on
from tests.support.web import FakeClock

FIRST = date(2026, 10, 1)
LENGTH = 16
HISTORIES = 1_000


@pytest.fixture
def store(lone_store: Store) -> Store:
    """A store on SQLite."""
    return lone_store


def streak_in_words(letters: str) -> Streak:
    """Count a history written day by day: P played, x excused, ? still open, - missed or not finished in time."""
    runs = [run.count("P") for run in letters.split("-")]
    return Streak(runs[-1], max(runs)) if "P" in letters else Streak(0, 0)


def day_of(number: int) -> date:
    """Give a day of the histories, counted from 0."""
    return FIRST + timedelta(days=number)


def write(tx: Tx, player: str, id_: str, excused: set[int], chance: random.Random) -> Streak:
    """Store a random history, and count its streaks from the letters that it is written down in."""
    letters = ""
    eager = chance.random()
    for number in range(LENGTH):
        begun = chance.random() < eager
        finished = begun and chance.random() < 0.9
        if begun:
            add(tx, player, id_, number, total=200 + number if finished else None)
        open_still = number >= LENGTH - 2
        letters += "P" if finished else "x" if number in excused else "?" if open_still else "-"
    return streak_in_words(letters)


def add(tx: Tx, player: str, id_: str, number: int, *, total: int | None) -> None:
    """Store an attempt, with its total where it was finished."""
    game, at = f"{player}-{number}", datetime(2026, 10, 1, 12, tzinfo=UTC) + timedelta(days=number)
    seats = (SeatRow(0, player),)
    tx.add_game(GameRow(game, "daily", id_, "{}", 1, "by_turn", bytes(32), at, day=day_of(number), seats=seats))
    assert tx.add_entry(EntryRow(day_of(number), id_, player, game))
    if total is not None:
        tx.count_result(game, total, at)


def test_streaks_of_a_thousand_histories_are_those_recounted_from_the_results(store: Store, clock: FakeClock) -> None:
    chance = random.Random(5)
    clock.now = datetime(2026, 10, LENGTH, 5, tzinfo=UTC)  # the day before has not closed yet
    days = days_on(store, clock)
    excused = {"classic": {3, 9}, "yatzy": {4}}
    expected: dict[tuple[str, str], Streak] = {}
    with store.writing() as tx:
        for id_, numbers in excused.items():
            tx.add_days(DayRow(day_of(n), id_, "{}", 1, "by_turn", bytes(32), "", clock.now) for n in range(LENGTH))
            for number in numbers:
                tx.excuse(day_of(number), id_)
        for history in range(HISTORIES):
            player, id_ = f"player{history}", chance.choice(["classic", "yatzy"])
            tx.add_player(PlayerRow(player, clock.now))
            expected[player, id_] = write(tx, player, id_, excused[id_], chance)
    assert len({(one.current, one.longest) for one in expected.values()}) > 20
    for (player, id_), streak in expected.items():
        assert days.streak(player, id_) == streak


@pytest.mark.parametrize("hours", [-8, 9])
def test_a_streak_counts_numbers_in_a_row_wherever_one_lives(days: Days, clock: FakeClock, hours: int) -> None:
    """Played half an hour before and after each change of the day, by the clock on the player's wall."""
    zone = timezone(timedelta(hours=hours))
    player, numbers = "", []
    for change in (date(2026, 12, 2), date(2026, 12, 4), date(2026, 12, 6)):
        midnight = datetime.combine(change, time(tzinfo=UTC))
        for moment in (midnight - timedelta(minutes=30), midnight + timedelta(minutes=30)):
            clock.now = moment.astimezone(zone)
            opened = days.begin(player)
            player = opened.player
            numbers.append(days.today(player).number)
            with days.store.writing() as tx:
                tx.count_result(opened.look.id, 200, clock.now)
    assert numbers == list(range(numbers[0], numbers[0] + 6))
    assert days.streak(player, "classic") == Streak(6, 6)


def test_opening_a_result_again_and_practising_the_day_raise_no_streak(days: Days, clock: FakeClock) -> None:
    opened = days.begin(None)
    with days.store.writing() as tx:
        tx.count_result(opened.look.id, 200, clock.now)
    for _ in range(3):
        days.begin(opened.player)
        days.today(opened.player)
        clock.forward(hours=1)
    assert days.streak(opened.player, "classic") == Streak(1, 1)
    clock.forward(days=1)
    days.practise(opened.player, opened.look.day or FIRST)
    assert days.streak(opened.player, "classic") == Streak(1, 1)
