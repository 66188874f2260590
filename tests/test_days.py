"""The days of the daily challenge: published ahead and frozen, one counted attempt a player, closed days for practice."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, timedelta

import pytest

from app.coach.advice import Coach
from app.coach.making import Tables
from app.daily import closes_at, number_of
from app.game.errors import IllegalMove, Reason, Unreadable
from app.game.rulesets import ruleset
from app.game.state import Roll, Score, Undo, legal
from app.play import Kind, Look, Plan, Play
from app.play.coaching import Coaches, Coaching
from app.play.days import Days, read_day
from app.play.errors import DayOpen, DayToCome, NoDaily, NoHints, NotFinished, NotYourSeat, StaleGame, UnknownDay
from app.play.sights import Phase, Standing
from app.store import Status, Store
from tests.support.days import ONE, TODAY, days_on, finish, key_by_hand
from tests.support.web import FakeClock


@pytest.fixture
def store(lone_store: Store) -> Store:
    """A store on SQLite."""
    return lone_store


def test_in_49_hours_one_process_changes_the_day_twice(days: Days, clock: FakeClock) -> None:
    seen: list[tuple[date, int, str]] = []
    for _ in range(50):
        sight = days.today(None)
        if not seen or seen[-1] != (sight.day, sight.number, sight.commitment):
            seen.append((sight.day, sight.number, sight.commitment))
        clock.forward(hours=1)
    assert [(day, number) for day, number, _ in seen] == [(TODAY + n * ONE, 333 + n) for n in range(3)]
    assert [commitment for _, _, commitment in seen] == [
        hashlib.sha256(key_by_hand("classic", day)).hexdigest() for day, _, _ in seen
    ]


def test_thirty_days_ahead_are_public_on_every_day_of_a_long_run(store: Store, days: Days, clock: FakeClock) -> None:
    for _ in range(40):
        clock.forward(days=1)
        sight = days.today(None)
        assert sight.sealed
        with store.reading() as tx:
            assert tx.day(sight.day + 30 * ONE, "yatzy") is not None


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2027, 3, 14, 9, 59, tzinfo=UTC),  # New York, summer time begins
        datetime(2027, 3, 26, 0, 0, tzinfo=UTC),  # Jerusalem
        datetime(2027, 3, 28, 1, 0, tzinfo=UTC),  # Helsinki
        datetime(2027, 10, 31, 1, 0, tzinfo=UTC),  # Helsinki and Jerusalem, winter time begins
        datetime(2027, 11, 7, 6, 0, tzinfo=UTC),  # New York
    ],
)
def test_where_clocks_are_put_forward_or_back_the_day_changes_at_midnight_utc(
    days: Days, clock: FakeClock, moment: datetime
) -> None:
    clock.now = moment.replace(hour=0, minute=0) - timedelta(seconds=1)
    before = days.today(None)
    clock.forward(seconds=1)
    assert days.today(None).number == before.number + 1
    clock.forward(hours=23, minutes=59, seconds=59)
    assert days.today(None).number == before.number + 1
    clock.forward(seconds=1)
    assert days.today(None).number == before.number + 2


def test_the_key_opens_at_the_close_and_not_a_second_before(store: Store, days: Days, clock: FakeClock) -> None:
    with store.writing() as tx:
        tx.note_par(TODAY, "classic", 240)
        tx.note_best(TODAY, "classic", 400, "r s0")
    clock.now = closes_at(TODAY) - timedelta(seconds=1)
    sight = days.see(None, TODAY)
    assert sight.phase is Phase.ENDED
    assert (sight.key, sight.par, sight.best, sight.best_line) == (None, None, None, None)
    clock.forward(seconds=1)
    sight = days.see(None, TODAY)
    assert sight.phase is Phase.CLOSED
    assert (sight.key, sight.par, sight.best, sight.best_line) == (key_by_hand("classic", TODAY), 240, 400, "r s0")


def test_finishing_ones_own_attempt_opens_no_key(days: Days, play: Play, clock: FakeClock) -> None:
    opened = days.begin(None)
    look = finish(play, opened.look, opened.player)
    assert look.status is Status.FINISHED
    assert look.key is None
    sight = days.today(opened.player)
    assert sight.key is None
    assert sight.attempt is not None
    assert sight.attempt.look.key is None
    clock.now = closes_at(TODAY)
    assert play.look(look.id, opened.player).key == key_by_hand("classic", TODAY)


def test_an_attempt_has_the_days_key_and_no_corrections(days: Days, play: Play, store: Store) -> None:
    opened = days.begin(None)
    look = opened.look
    assert (look.kind, look.day, look.day_open) == (Kind.DAILY, TODAY, True)
    with store.reading() as tx:
        row = tx.game(look.id)
    assert row is not None
    assert row.key == key_by_hand("classic", TODAY)
    look = play.move(look.id, opened.player, 0, Roll()).look
    look = play.move(look.id, opened.player, 1, Score("chance")).look
    with pytest.raises(IllegalMove) as refused:
        play.move(look.id, opened.player, 2, Undo())
    assert refused.value.reason is Reason.NOTHING_TO_UNDO


def test_a_daily_attempt_gets_no_hint_and_its_practice_does(
    store: Store, play: Play, clock: FakeClock, tables: Tables, yacht: Coach
) -> None:
    del yacht  # it is solved, so that only the day stands between player and hint
    coaching = Coaching(store, Coaches(tables), clock)
    opened = days_on(store, clock, rulesets=("yacht",)).begin(None)
    look = play.move(opened.look.id, opened.player, 0, Roll()).look
    assert not coaching.offers(look)
    with pytest.raises(NoHints):
        coaching.hint(look.id, opened.player, 1)
    clock.now = closes_at(TODAY)
    look = play.look(look.id, opened.player)
    assert coaching.offers(look)
    assert coaching.hint(look.id, opened.player, 1).look.kind is Kind.PRACTICE
    with store.reading() as tx:
        assert [row.kind for row in tx.games_of(opened.player, Status.PLAYING)] == ["practice"]


def test_ones_own_finished_attempt_can_be_reviewed_before_the_close_and_those_of_others_cannot(
    store: Store, play: Play, clock: FakeClock, tables: Tables, yacht: Coach
) -> None:
    del yacht
    coaching = Coaching(store, Coaches(tables), clock)
    days = days_on(store, clock, rulesets=("yacht",))
    ada, bob = days.begin(None), days.begin(None)
    look = finish(play, ada.look, ada.player)
    review = coaching.review(look.id, ada.player)
    assert review.ledger.total == look.state.card.total
    assert review.look.key is None
    with pytest.raises(DayOpen):
        coaching.review(look.id, bob.player)
    with pytest.raises(NotFinished):
        coaching.review(bob.look.id, bob.player)


def test_begun_before_midnight_and_finished_after_it_counts_for_its_own_day(
    days: Days, play: Play, clock: FakeClock
) -> None:
    clock.now = datetime(2026, 11, 29, 23, 59, 50, tzinfo=UTC)
    opened = days.begin(None)
    look = play.move(opened.look.id, opened.player, 0, Roll()).look
    clock.now = datetime(2026, 11, 30, 0, 10, tzinfo=UTC)
    look = finish(play, look, opened.player)
    assert (look.kind, look.day) == (Kind.DAILY, TODAY)
    assert days.calendar(opened.player, "classic").totals == {TODAY: look.state.card.total}
    tomorrow = days.begin(opened.player)
    assert (tomorrow.new, tomorrow.look.day) == (True, TODAY + ONE)
    finish(play, tomorrow.look, opened.player)
    streak = days.streak(opened.player, "classic")
    assert (streak.current, streak.longest) == (2, 2)


def test_an_attempt_finished_in_the_last_second_counts_and_one_second_later_it_is_practice(
    days: Days, play: Play, clock: FakeClock
) -> None:
    in_time, late = days.begin(None), days.begin(None)
    last = [_all_but_the_last_move(play, one.look, one.player) for one in (in_time, late)]
    clock.now = closes_at(TODAY) - timedelta(seconds=1)
    finish(play, last[0], in_time.player)
    clock.forward(seconds=1)
    lapsed = days.see(late.player, TODAY).attempt
    assert lapsed is not None
    assert (lapsed.standing, lapsed.look.kind) == (Standing.LAPSED, Kind.PRACTICE)
    look = finish(play, last[1], late.player)
    assert (look.kind, look.day, look.status) == (Kind.PRACTICE, TODAY, Status.FINISHED)
    assert list(days.calendar(in_time.player, "classic").totals) == [TODAY]
    assert days.calendar(late.player, "classic").totals == {}
    assert days.streak(late.player, "classic").longest == 0
    lapsed = days.see(late.player, TODAY).attempt
    assert lapsed is not None
    assert (lapsed.standing, lapsed.total) == (Standing.LAPSED, None)


def _all_but_the_last_move(play: Play, look: Look, player: str) -> Look:
    while look.state.card.filled < 12 or look.state.dice is None:
        box = next(iter(legal(look.state).boxes), None)
        look = play.move(look.id, player, look.version, Roll() if box is None else Score(box)).look
    return look


def test_an_attempt_given_up_is_given_up_for_that_day(days: Days, play: Play) -> None:
    opened = days.begin(None)
    play.abandon(opened.look.id, opened.player, 0)
    again = days.begin(opened.player)
    assert (again.new, again.look.status) == (False, Status.ABANDONED)
    sight = days.today(opened.player)
    assert sight.attempt is not None
    assert sight.attempt.standing is Standing.GIVEN_UP
    assert not sight.may_see_others


def test_closed_days_are_there_for_practice_and_never_count(days: Days, play: Play, clock: FakeClock) -> None:
    counted = days.begin(None)
    player = counted.player
    finish(play, counted.look, player)
    totals = [one for one in play.totals(player) if one.kind == "daily"]
    clock.now = closes_at(TODAY)
    before = days.calendar(player, "classic")
    for day in (date(2026, 1, 1), TODAY - ONE, TODAY):
        opened = days.practise(player, day)
        assert (opened.look.kind, opened.look.day) == (Kind.PRACTICE, day)
        look = finish(play, opened.look, player)
        assert look.key == key_by_hand("classic", day)
    assert days.calendar(player, "classic") == before
    assert [one for one in play.totals(player) if one.kind == "daily"] == totals
    assert [one.finished.count for one in play.totals(player) if one.kind == "practice"] == [3]


def test_days_that_are_not_closed_or_have_not_begun_cannot_be_practised(days: Days, clock: FakeClock) -> None:
    for day in (TODAY + ONE, TODAY + 200 * ONE):
        with pytest.raises(DayToCome):
            days.practise(None, day)
    with pytest.raises(DayOpen):
        days.practise(None, TODAY)
    clock.now = closes_at(TODAY) - timedelta(seconds=1)
    with pytest.raises(DayOpen):
        days.practise(None, TODAY)
    for day in (date(2025, 12, 31), date(1, 1, 1)):
        with pytest.raises(UnknownDay):
            days.practise(None, day)
    with pytest.raises(NoDaily, match="classic, yatzy"):
        days.practise(None, TODAY - ONE, "crag")


def test_the_calendar_of_a_game_whose_daily_was_taken_away_stays(
    store: Store, days: Days, play: Play, clock: FakeClock
) -> None:
    opened = days.begin(None, "yatzy")
    finish(play, opened.look, opened.player)
    # By then none of the days is left that were published ahead.
    clock.forward(days=40)
    later = days_on(store, clock, rulesets=("classic",))
    calendar = later.calendar(opened.player, "yatzy")
    assert list(calendar.totals) == [TODAY]
    assert (calendar.streak.current, calendar.streak.longest) == (0, 1)
    assert later.calendar(None, "yatzy").totals == {}
    for refused in (later.see, lambda player, _, id_: later.calendar(player, id_)):
        with pytest.raises(NoDaily, match="'crag' has no daily; classic have one"):
            refused(opened.player, TODAY, "crag")


def test_a_day_before_the_servers_first_one_follows_from_the_secret_and_is_marked(
    days: Days, store: Store, clock: FakeClock
) -> None:
    past = date(2026, 3, 1)
    sight = days.see(None, past)
    assert not sight.sealed
    assert sight.key == key_by_hand("classic", past)
    with store.reading() as tx:
        assert tx.day(past, "classic") is None, "looking writes nothing"
    days.practise(None, past)
    # Played once, the day stays what it was, also with another secret.
    assert days_on(store, clock, secret=bytes(32)).see(None, past).key == key_by_hand("classic", past)


def test_others_see_an_attempt_of_an_open_day_once_they_have_finished_that_day(
    days: Days, play: Play, clock: FakeClock
) -> None:
    ada, bob = days.begin(None), days.begin(None)
    look = finish(play, ada.look, ada.player)
    for stranger in (None, bob.player):
        for see in (play.look, play.log):
            with pytest.raises(DayOpen):
                see(look.id, stranger)
    with pytest.raises(NotYourSeat):
        play.look(bob.look.id, ada.player)
    finish(play, bob.look, bob.player)
    assert play.look(look.id, bob.player).key is None
    with pytest.raises(DayOpen):
        play.look(look.id, None)
    clock.now = closes_at(TODAY)
    assert play.look(look.id, None).key is not None


def test_who_finished_yatzy_may_not_see_the_days_classic(days: Days, play: Play) -> None:
    ada, bob = days.begin(None, "classic"), days.begin(None, "yatzy")
    look = finish(play, ada.look, ada.player)
    finish(play, bob.look, bob.player)
    with pytest.raises(DayOpen):
        play.look(look.id, bob.player)


def test_two_tabs_on_an_attempt_use_one_roll(days: Days, play: Play) -> None:
    opened = days.begin(None)
    look = play.move(opened.look.id, opened.player, 0, Roll()).look
    play.move(look.id, opened.player, 1, Roll((0,)))
    with pytest.raises(StaleGame) as stale:
        play.move(look.id, opened.player, 1, Roll((1, 2)))
    assert stale.value.look.version == 2


def test_a_daily_is_no_game_that_can_be_planned(play: Play) -> None:
    for kind in (Kind.DAILY, Kind.PRACTICE):
        with pytest.raises(Unreadable, match="day"):
            play.open_game(None, Plan(ruleset("classic"), kind))


@pytest.mark.parametrize(
    "text", ["", "today", "2026-11-31", "2026-1-1", "20261129", "2026-W48-7", "٢٠٢٦-11-29", "2026-11-29 "]
)
def test_a_text_that_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_day(text)
    assert refused.value.code == "bad_day"


def test_number_1_is_new_years_day_2026() -> None:
    assert number_of(date(2026, 1, 1)) == 1
    assert number_of(TODAY) == 333


def test_where_nothing_can_be_written_an_unpublished_today_is_shown_all_the_same(
    days: Days, store: Store, clock: FakeClock
) -> None:
    store.read_only = True
    clock.forward(days=40)
    sight = days.today(None)
    assert sight.commitment == hashlib.sha256(key_by_hand("classic", sight.day)).hexdigest()
    assert not sight.sealed
    assert [one.day for one in days.todays(None)] == [sight.day] * 2
