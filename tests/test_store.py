"""The store, on SQLite and on PostgreSQL alike: what goes in comes out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import text

from app.store import (
    GameRow,
    PlayerRow,
    SeatRow,
    Status,
    Store,
    TokenKind,
    Tx,
)
from app.store.schema import NaiveTime
from tests.support.stores import KEY, NOON, a_game, later


def test_a_player_comes_back_as_it_was_stored(store: Store) -> None:
    player = PlayerRow("eve", NOON, "Ève ⚅", "eve", '{"corrections":true}', later(1))
    with store.writing() as tx:
        tx.add_player(player)
    with store.reading() as tx:
        assert tx.player("eve") == player
        assert tx.player("nobody") is None


def test_a_game_comes_back_with_its_seats_and_the_names_of_their_players(store: Store) -> None:
    game = GameRow(
        "game",
        "computer",
        "yatzy",
        '{"a":"ä"}',
        1,
        "continuous",
        b"\x00\xff" * 16,
        NOON,
        corrections=True,
        shared_dice=True,
        first_seat=2,
        assisted=True,
        seats=(SeatRow(0, "eve"), SeatRow(1, computer="perfect"), SeatRow(2)),
    )
    with store.writing() as tx:
        tx.add_player(PlayerRow("eve", NOON, name="Ève"))
        tx.add_game(game)
    expected = replace(game, seats=(SeatRow(0, "eve", name="Ève"), *game.seats[1:]))
    with store.reading() as tx:
        assert tx.game("game") == expected
        assert tx.load("game") == (expected, [])
    with store.writing() as tx:
        assert tx.load("game") == (expected, [])


def test_a_game_that_is_not_there_is_none(played: Store) -> None:
    with played.reading() as tx:
        assert tx.game("other") is None
        assert tx.load("other") is None
        assert tx.moves("other") == []
        assert tx.last_move_at("other") is None


def test_a_log_comes_back_in_the_order_of_its_numbers(played: Store) -> None:
    entries = [f"r{number}" for number in range(1, 121)]
    with played.writing() as tx:
        for seq in [*range(120, 60, -1), *range(1, 61)]:
            tx.append("game", seq, entries[seq - 1], later(seq))
    with played.reading() as tx:
        assert tx.load("game") == (a_game(), entries)
        assert tx.last_move_at("game") == later(120)


def test_a_game_does_not_show_its_key_when_it_is_printed() -> None:
    printed = f"{a_game()!r} {a_game()}"
    assert repr(KEY)[2:10] not in printed
    assert KEY.hex() not in printed


def test_all_games_are_gone_through_once_with_their_own_logs(played: Store) -> None:
    with played.writing() as tx:
        for number in range(1050):
            tx.add_game(a_game(f"g{number:04}", seats=(SeatRow(0, "ada"), SeatRow(1, "bob"))))
            if number % 3:
                tx.append(f"g{number:04}", 1, "r", NOON)
                tx.append(f"g{number:04}", 2, f"s{number}", NOON)
    with played.reading() as tx:
        found = [(game.id, len(game.seats), log) for game, log in tx.all_games()]
    expected = [(f"g{number:04}", 2, ["r", f"s{number}"] if number % 3 else []) for number in range(1050)]
    assert sorted(found) == sorted([("game", 1, []), *expected])


def test_a_finished_game_keeps_its_end_and_the_points_of_each_seat(played: Store) -> None:
    with played.writing() as tx:
        tx.add_game(a_game("two", seats=(SeatRow(0, "ada"), SeatRow(1, computer="easy"))))
        assert tx.finish("two", later(5), {0: 251, 1: 0}, assisted=True)
    with played.reading() as tx:
        game = tx.game("two")
    assert game is not None
    assert game.status is Status.FINISHED
    assert (game.finished_at, game.abandoned_at, game.assisted) == (later(5), None, True)
    assert [seat.score for seat in game.seats] == [251, 0]


def test_a_game_ends_once(played: Store) -> None:
    with played.writing() as tx:
        tx.add_game(a_game("other"))
        assert tx.finish("game", later(1), {0: 100})
        assert not tx.finish("game", later(2), {0: 200})
        assert not tx.abandon("game", later(2))
        assert tx.abandon("other", later(1))
        assert not tx.abandon("other", later(2))
        assert not tx.finish("other", later(2), {0: 200})
        finished, abandoned = tx.game("game"), tx.game("other")
    assert finished == a_game(finished_at=later(1), seats=(SeatRow(0, "ada", score=100),))
    assert abandoned == a_game("other", abandoned_at=later(1))
    assert abandoned.status is Status.ABANDONED


def test_what_is_derived_from_a_log_can_be_overwritten(played: Store) -> None:
    with played.writing() as tx:
        assert tx.finish("game", later(1), {0: 100}, assisted=True)
        tx.project("game", later(3), {0: 250}, assisted=False)
        assert tx.game("game") == a_game(finished_at=later(3), seats=(SeatRow(0, "ada", score=250),))
        tx.project("game", None, {0: None}, assisted=False)
        assert tx.game("game") == a_game()


def test_a_token_is_good_for_its_kind_until_it_expires(played: Store) -> None:
    with played.writing() as tx:
        tx.add_token("h1", "ada", TokenKind.API, NOON)
        tx.add_token("h2", "bob", TokenKind.RECOVERY, NOON, later(10))
    with played.reading() as tx:
        assert tx.player_of_token("h1", TokenKind.API, later(10**6)) == "ada"
        assert tx.player_of_token("h1", TokenKind.RECOVERY, NOON) is None
        assert tx.player_of_token("h2", TokenKind.RECOVERY, later(9)) == "bob"
        assert tx.player_of_token("h2", TokenKind.RECOVERY, later(10)) is None
        assert tx.player_of_token("h3", TokenKind.API, NOON) is None


def test_a_revoked_token_is_good_for_nothing(played: Store) -> None:
    with played.writing() as tx:
        for number, player in enumerate(["ada", "ada", "ada", "bob"]):
            tx.add_token(f"h{number}", player, TokenKind.API, NOON)
        assert tx.revoke_token("h0")
        assert not tx.revoke_token("h0")
        assert tx.revoke_tokens_of("ada") == 2
        found = [tx.player_of_token(f"h{number}", TokenKind.API, NOON) for number in range(4)]
    assert found == [None, None, None, "bob"]


def test_a_deleted_players_token_is_good_for_nothing(store: Store) -> None:
    with store.writing() as tx:
        tx.add_player(PlayerRow("gone", NOON, deleted_at=later(1)))
        tx.add_token("hash", "gone", TokenKind.API, NOON)
        assert tx.player_of_token("hash", TokenKind.API, later(2)) is None


# Times


ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "store_it",
    [
        lambda tx, at: tx.add_player(PlayerRow("eve", at)),
        lambda tx, at: tx.add_game(a_game("new", created_at=at)),
        lambda tx, at: tx.append("game", 1, "r", at),
        lambda tx, at: tx.finish("game", at, {0: 1}),
        lambda tx, at: tx.abandon("game", at),
        lambda tx, at: tx.add_token("hash", "ada", TokenKind.API, NOON, at),
        lambda tx, at: tx.player_of_token("hash", TokenKind.API, at),
        lambda tx, at: tx.secret("signing", lambda: b"x", at),
    ],
    ids=["player", "game", "entry", "finish", "abandon", "expiry", "token", "secret"],
)
def test_a_time_without_a_zone_is_refused_and_nothing_is_stored(
    played: Store, store_it: Callable[[Tx, datetime], object]
) -> None:
    with pytest.raises(NaiveTime, match="time zone"), played.writing() as tx:
        store_it(tx, NOON.replace(tzinfo=None))
    with played.reading() as tx:
        assert tx.load("game") == (a_game(), [])
        assert tx.player("eve") is None


def test_a_time_of_another_zone_comes_back_as_the_same_moment_in_utc(played: Store) -> None:
    tokyo = datetime(2026, 11, 30, 0, 30, 0, 7, tzinfo=timezone(timedelta(hours=9)))
    with played.writing() as tx:
        tx.append("game", 1, "r", tokyo)
        found = tx.last_move_at("game")
    assert found == datetime(2026, 11, 29, 15, 30, 0, 7, tzinfo=UTC)
    assert found.tzinfo is UTC


ZONES = ("UTC", "Asia/Jerusalem", "America/Los_Angeles")
_IN_A_ZONE = """
import sys, time
from datetime import UTC, datetime
from app.store import PlayerRow, Store
store, zone = Store.open(sys.argv[1]), sys.argv[2]
# Summer and winter, and the hour that both zones have twice in autumn.
moments = [datetime(2026, 7, 1, 3, tzinfo=UTC), datetime(2026, 1, 1, 3, tzinfo=UTC)]
moments += [datetime(2026, 10, 24, 22, 30, tzinfo=UTC), datetime(2026, 11, 1, 8, 30, 0, 1, tzinfo=UTC)]
with store.writing() as tx:
    for number, moment in enumerate(moments):
        tx.add_player(PlayerRow(f"{zone} {number}", moment))
with store.reading() as tx:
    for number, moment in enumerate(moments):
        assert tx.player(f"{zone} {number}").created_at == moment
print(time.strftime("%z", time.localtime(0)))
"""


def test_stored_times_do_not_depend_on_the_zone_of_the_machine(store: Store, database: str) -> None:
    offsets = set()
    for zone in ZONES:
        ran = subprocess.run(
            [sys.executable, "-c", _IN_A_ZONE, database, zone],
            cwd=ROOT,
            env=os.environ | {"TZ": zone, "PGTZ": zone},
            check=True,
            capture_output=True,
            text=True,
        )
        offsets.add(ran.stdout)
    assert len(offsets) == 3, "the zones took effect"
    with store.reading() as tx:
        rows = [[tx.player(f"{zone} {number}") for number in range(4)] for zone in ZONES]
    moments = [[row and row.created_at for row in of_zone] for of_zone in rows]
    assert moments[0] == moments[1] == moments[2]
    assert moments[0][3] == datetime(2026, 11, 1, 8, 30, 0, 1, tzinfo=UTC)
    with store.engine.connect() as connection:
        stored = connection.execute(text("SELECT DISTINCT created_at FROM players")).all()
    assert len(stored) == 4, "the same instants were stored"
