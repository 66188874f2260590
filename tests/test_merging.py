"""Two histories become one: laws over random histories, on the store and on what a player sees."""

from __future__ import annotations

import random
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

import pytest

from app.daily import FIRST_DAY
from app.play.merging import merge
from app.store import DayRow, EntryRow, PlayerRow, Store, TokenKind, Tx
from tests.support.people import SURE, code_of, game_with, link_of, name_of, player_of, rows, take_name
from tests.support.stores import NOON, a_game
from tests.support.web import World

Key = tuple[date, str]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What there is of some players: whose each game is and of which kind, the attempts that count, tokens and names."""

    games: dict[str, tuple[str, str | None]]
    entries: dict[Key, tuple[str, bool, int | None]]
    tokens: dict[str, str]
    names: dict[str, str | None]


def snapshot(tx: Tx, games: Iterable[str], players: Iterable[str]) -> Snapshot:
    """Look at these games and players."""
    found = [game for id_ in games if (game := tx.game(id_))]
    living = [player for id_ in players if (player := tx.player(id_))]
    return Snapshot(
        {game.id: (game.kind, game.seats[0].player_id) for game in found},
        {
            (one.day, one.ruleset): (one.game_id, one.hidden, one.total)
            for player in living
            for one in tx.entries_of(player.id)
        },
        {token.hash: token.player_id for player in living for token in tx.tokens_of(player.id)},
        {player.id: player.name for player in living},
    )


def day_row(day: date, ruleset: str) -> DayRow:
    """Make a day."""
    return DayRow(day, ruleset, "{}", 1, "by_turn", bytes(32), "c0" * 32, NOON)


def attempt(tx: Tx, key: Key, player: str, chance: random.Random) -> None:
    """Let a player have played a day, to the end or not."""
    day, ruleset = key
    begun = NOON + (day - FIRST_DAY) + timedelta(minutes=chance.randint(0, 600))
    ended = begun + timedelta(minutes=5) if chance.random() < 0.7 else None
    game = a_game(
        f"{player}-{day}-{ruleset}", player, kind="daily", ruleset=ruleset, created_at=begun, finished_at=ended, day=day
    )
    tx.add_game(game)
    assert tx.add_entry(EntryRow(day, ruleset, player, game.id))
    if ended:
        tx.count_result(game.id, chance.randint(100, 400), ended)
    if chance.random() < 0.1:
        tx.hide(day, ruleset, player)


def history(tx: Tx, player: str, chance: random.Random) -> None:
    """Give a player a random history: days of both rulesets, games alone, tokens, a name."""
    tx.add_player(PlayerRow(player, NOON))
    if chance.random() < 0.5:
        tx.rename(player, player.title(), player)
    for key in KEYS:
        if chance.random() < 0.4:
            attempt(tx, key, player, chance)
    for number in range(chance.randint(0, 2)):
        tx.add_game(a_game(f"{player}-{number}", player))
    for kind in TokenKind:
        if chance.random() < 0.5:
            tx.add_token(f"{player}-{kind}", player, kind, NOON)


def check(tx: Tx, old: str, into: str) -> None:
    """Merge one history into another, and hold what there is then against an account of its own."""
    both = (old, into)
    attempts = {player: {(one.day, one.ruleset): one for one in tx.entries_of(player)} for player in both}
    games = [game for player in both for game in tx.games_played_by(player)]
    begun = {game: row.created_at for game in games if (row := tx.game(game))}
    before = snapshot(tx, games, both)
    merge(tx, old, into)
    after = snapshot(tx, games, both)

    assert set(after.names) == {into}
    assert after.names[into] == (before.names[into] or before.names[old])
    assert {player for _, player in after.games.values()} <= {into}
    assert sorted(tx.games_played_by(into)) == sorted(games)
    assert set(after.entries) == {*attempts[old], *attempts[into]}
    for key, found in after.entries.items():
        played = [attempts[player][key] for player in both if key in attempts[player]]
        first = min(played, key=lambda one: begun[one.game_id])
        assert found == (first.game_id, any(one.hidden for one in played), first.total)
        assert after.games[first.game_id][0] == "daily"
        assert all(after.games[one.game_id][0] == "practice" for one in played if one is not first)
    assert set(after.tokens.values()) <= {into}
    assert set(after.tokens) == set(before.tokens) - {f"{old}-device"} - (
        {f"{old}-recovery"} if f"{into}-recovery" in before.tokens else set()
    )
    # Once more, and the other way round: there is nothing left to do.
    for again in ((old, into), (into, old), (into, into), ("nobody", into), (into, "nobody")):
        merge(tx, *again)
    assert snapshot(tx, games, both) == after
    assert tx.successor(old) == into


KEYS = [(FIRST_DAY + timedelta(days=number), ruleset) for number in range(3) for ruleset in ("classic", "yatzy")]


@pytest.fixture
def published(store: Store) -> Store:
    """A store with the days of all histories."""
    with store.writing() as tx:
        tx.add_days(day_row(*key) for key in KEYS)
    return store


def test_merging_keeps_all_games_and_of_each_day_the_attempt_begun_first(published: Store) -> None:
    chance = random.Random(5)
    # A thousand histories, in pairs; on PostgreSQL, where each costs more, enough to see that it does the same.
    pairs = 500 if published.engine.dialect.name == "sqlite" else 50
    with published.writing() as tx:
        for number in range(pairs):
            for player in (f"old{number}", f"into{number}"):
                history(tx, player, chance)
            check(tx, f"old{number}", f"into{number}")


def merged_in(store: Store, order: list[str]) -> tuple[object, ...]:
    """Merge the same six histories one after the other in an order, say what came of it, and leave nothing behind."""
    chance = random.Random(2)
    found: tuple[object, ...] = ()
    with suppress(ConnectionError), store.writing() as tx:
        for player in sorted(order):
            history(tx, player, chance)
        for player in order:
            merge(tx, player, "p0")
        entries = tuple((one.day, one.ruleset, one.game_id, one.hidden, one.total) for one in tx.entries_of("p0"))
        found = entries, tuple(tx.games_played_by("p0")), tuple(tx.aliases_of("p0"))
        raise ConnectionError
    return found


def test_many_histories_become_one_whatever_the_order(published: Store) -> None:
    order = [f"p{number}" for number in range(6)]
    chance = random.Random(9)
    found = set()
    for _ in range(5):
        chance.shuffle(order)
        found.add(merged_in(published, order))
    assert len(found) == 1


def test_a_merge_that_fails_leaves_both_histories_as_they_were(published: Store) -> None:
    chance = random.Random(3)
    both = ("old", "into")
    with published.writing() as tx:
        for player in both:
            history(tx, player, chance)
        games = [game for player in both for game in tx.games_played_by(player)]
        before = snapshot(tx, games, both)
    with suppress(ConnectionError), published.writing() as tx:
        merge(tx, *both)
        raise ConnectionError
    with published.writing() as tx:
        assert snapshot(tx, games, both) == before


# What people see


def test_a_device_with_a_history_brings_it_along(world: World) -> None:
    phone, desk = world.visitor(), world.visitor()
    first, second = game_with(phone), game_with(desk, "yatzy")
    take_name(phone, "Aino")
    take_name(desk, "Bertta")
    link = link_of(phone)
    assert "comes along: 1 game." in " ".join(desk.get(link).text.split())
    desk.post(link, data=SURE)
    for visitor in (phone, desk):
        games = visitor.get("/games").text
        assert first in games
        assert second in games
        assert name_of(visitor) == "Aino"
    assert take_name(world.visitor(), "Bertta").status_code == 303, "the other name is free"


def test_a_name_comes_along_where_there_was_none(world: World) -> None:
    phone, desk = world.visitor(), world.visitor()
    game_with(phone)
    take_name(desk, "Bertta")
    desk.post(link_of(phone), data=SURE)
    assert name_of(phone) == name_of(desk) == "Bertta"
    assert take_name(world.visitor(), "bertta").status_code == 422


def test_a_third_device_of_the_joined_history_goes_on_with_it(world: World) -> None:
    phone, tablet, desk, late = (world.visitor() for _ in range(4))
    first = game_with(phone)
    tablet.post(link_of(phone), data=SURE)
    second = game_with(desk)
    phone.post(link_of(desk), data=SURE)
    # The tablet's cookie is of a player that is gone; it stands for the one that this player has become.
    assert tablet.get(first).status_code == tablet.get(second).status_code == 200
    third = game_with(tablet)
    assert desk.get(third).status_code == 200
    assert player_of(tablet) == player_of(desk), "by the next game the cookie is the new one"
    # And once more, so that the first id is two steps away.
    game_with(late)
    desk.post(link_of(late), data=SURE)
    for visitor in (phone, tablet, desk, late):
        assert visitor.get(first).status_code == 200
    late.post("/settings/sign-out", data=SURE)
    for visitor in (phone, tablet, desk):
        assert visitor.get(first).status_code == 403


def test_taking_the_same_history_over_twice_changes_nothing(world: World) -> None:
    phone, desk = world.visitor(), world.visitor()
    game_with(phone)
    game_with(desk)
    code = code_of(phone)
    desk.post("/settings/recover", data={"code": code})
    before = (
        rows(world, "SELECT * FROM players"),
        rows(world, "SELECT * FROM seats"),
        rows(world, "SELECT * FROM aliases"),
    )
    for visitor in (desk, phone):
        assert visitor.post("/settings/recover", data={"code": code}).status_code == 303
    after = (
        rows(world, "SELECT * FROM players"),
        rows(world, "SELECT * FROM seats"),
        rows(world, "SELECT * FROM aliases"),
    )
    assert after == before


def test_of_a_day_in_both_the_attempt_begun_first_stays_and_the_other_is_practice(world: World) -> None:
    phone, desk = world.visitor(), world.visitor()
    begun = desk.post("/daily", data={"ruleset": "classic"}).headers["location"]
    world.clock.forward(minutes=1)
    later = phone.post("/daily", data={"ruleset": "classic"}).headers["location"]
    desk.post(link_of(phone), data=SURE)
    for visitor in (phone, desk):
        assert visitor.get(f"/api/v1{begun}").json()["kind"] == "daily"
        assert visitor.get(f"/api/v1{later}").json()["kind"] == "practice"
        assert visitor.post("/daily", data={"ruleset": "classic"}).headers["location"] == begun
    assert rows(world, "SELECT count(*) FROM entries") == [(1,)]
    assert phone.get(f"/api/v1{later}/log").json()["key"] is None
