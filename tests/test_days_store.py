"""The days of the daily challenge in the store, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import hashlib
from datetime import date

from app.daily import closes_at
from app.game.dice import Addressing
from app.game.state import Roll
from app.play import Play
from app.play.days import Days
from app.play.people import People
from app.store import Status, Store
from tests.support.days import ONE, SECRET, TODAY, days_on, finish, key_by_hand
from tests.support.stores import all_at_once
from tests.support.web import FakeClock


def test_today_and_thirty_days_ahead_are_published_with_their_commitments(store: Store, days: Days) -> None:
    del days
    with store.reading() as tx:
        for id_ in ("classic", "yatzy"):
            rows = tx.days_between(id_, date.min, date.max)
            assert [row.day for row in rows] == [TODAY + ahead * ONE for ahead in range(31)]
            for row in rows:
                assert row.key == key_by_hand(id_, row.day)
                assert row.commitment == hashlib.sha256(row.key).hexdigest()
                assert row.addressing == "by_turn"


def test_what_is_published_stays_whatever_becomes_of_secret_and_settings(store: Store, clock: FakeClock) -> None:
    days_on(store, clock)
    with store.reading() as tx:
        before = tx.days_between("classic", date.min, date.max)
    other = bytes(reversed(SECRET))
    days_on(store, clock, secret=other, addressing=Addressing.CONTINUOUS, rulesets=("crag", "classic"))
    with store.reading() as tx:
        assert tx.days_between("classic", date.min, date.max) == before
    clock.forward(days=1)
    later = days_on(store, clock, secret=other, addressing=Addressing.CONTINUOUS, rulesets=("crag", "classic"))
    with store.reading() as tx:
        *same, new = tx.days_between("classic", date.min, date.max)
    assert same == before
    assert new.day == TODAY + 31 * ONE
    assert new.key == key_by_hand("classic", new.day, other)
    assert new.addressing == "continuous"
    # Yatzy has no daily any more, but its published days are still there to be played.
    assert later.begin("", "yatzy").look.day == TODAY + ONE
    assert later.rulesets_on(TODAY + ONE) == ("crag", "classic", "yatzy")


def test_of_several_servers_that_publish_at_once_the_first_wins(store: Store, second: Store, clock: FakeClock) -> None:
    secrets = [bytes([number]) * 32 for number in range(8)]
    stores = (store, second)
    all_at_once(8, lambda number: days_on(stores[number % 2], clock, secret=secrets[number]))
    with store.reading() as tx:
        rows = tx.days_between("yatzy", date.min, date.max)
    assert len(rows) == 31
    (winner,) = {secret for secret in secrets for row in rows if row.key == key_by_hand("yatzy", row.day, secret)}
    assert all(row.key == key_by_hand("yatzy", row.day, winner) for row in rows)


def test_ten_starts_at_once_are_one_attempt(store: Store, second: Store, days: Days, clock: FakeClock) -> None:
    player, _ = People(store, clock).new_player()
    both = (days, days_on(second, clock))
    opened = all_at_once(10, lambda number: both[number % 2].begin(player))
    assert len({one.look.id for one in opened}) == 1
    assert [one.new for one in opened].count(True) == 1
    with store.reading() as tx:
        assert len(tx.games_of(player, Status.PLAYING)) == 1


def test_results_of_days_are_counted_again_from_the_logs(
    days: Days, play: Play, store: Store, clock: FakeClock
) -> None:
    opened, late = days.begin(None), days.begin(None)
    look = finish(play, opened.look, opened.player)
    clock.now = closes_at(TODAY)
    finish(play, late.look, late.player)
    assert play.recount() == []
    with store.writing() as tx:
        tx.count_result(look.id, 7, clock())
        tx.count_result(late.look.id, 250, clock())
    assert {one.game for one in play.recount()} == {look.id, late.look.id}
    with store.reading() as tx:
        entry, lapsed = tx.entry_of_game(look.id), tx.entry_of_game(late.look.id)
    assert entry is not None
    assert entry.total == look.state.card.total
    assert entry.finished_at == look.finished_at
    assert lapsed is not None
    assert (lapsed.total, lapsed.finished_at) == (None, None)


def test_the_operator_excuses_days_and_hides_results(days: Days, play: Play, store: Store, clock: FakeClock) -> None:
    opened = days.begin(None)
    finish(play, opened.look, opened.player)
    clock.forward(days=2)
    second = days.begin(opened.player)
    finish(play, second.look, opened.player)
    assert days.streak(opened.player, "classic").current == 1
    assert days.excuse(TODAY + ONE) == ("classic", "yatzy")
    assert days.streak(opened.player, "classic").current == 2
    assert days.see(None, TODAY + ONE).excused
    assert days.hide(TODAY, opened.player) == ("classic",)
    assert days.hide(TODAY, "nobody") == ()
    with store.reading() as tx:
        entry = tx.entry(TODAY, "classic", opened.player)
    assert entry is not None
    assert entry.hidden
    assert days.streak(opened.player, "classic").current == 2, "a hidden result is still one's own"


def test_starting_five_times_opens_the_same_attempt(days: Days, play: Play) -> None:
    first = days.begin(None)
    assert first.new
    play.move(first.look.id, first.player, 0, Roll())
    for _ in range(4):
        again = days.begin(first.player)
        assert (again.new, again.look.id, again.look.version) == (False, first.look.id, 1)
    other = days.begin(first.player, "yatzy")
    assert other.new
    assert other.look.id != first.look.id


def test_without_a_secret_in_the_settings_one_is_made_and_kept(store: Store, clock: FakeClock) -> None:
    first, other = (days_on(store, clock, secret=None) for _ in range(2))
    past = date(2026, 1, 1)
    assert first.see(None, past).key == other.see(None, past).key
    clock.forward(days=1)
    assert first.today(None).commitment == other.today(None).commitment
