"""Several writers of one store, and what is left when something goes wrong in the middle, on both databases."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

import app.store
from app.store import (
    Contradiction,
    PlayerRow,
    Status,
    Store,
    StoreUnavailable,
    Taken,
    TokenKind,
)
from tests.support.stores import NOON, a_game, all_at_once, later, log_of

ROOT = Path(__file__).parent.parent


# Two writers, one winner


def test_of_two_threads_that_write_the_same_entry_exactly_one_wins(played: Store) -> None:
    for seq in range(1, 21):

        def write(number: int, seq: int = seq) -> str | None:
            try:
                with played.writing() as tx:
                    tx.append("game", seq, f"r{number}", NOON)
            except Taken as taken:
                assert (taken.game_id, taken.seq) == ("game", seq)  # noqa: PT017  raises() would demand it of both
                return None
            return f"r{number}"

        answers = all_at_once(2, write)
        winners = [answer for answer in answers if answer is not None]
        assert len(winners) == 1
        assert log_of(played)[seq - 1 :] == winners


def test_of_thirteen_entries_at_one_number_one_is_stored_whoever_writes_them(played: Store, second: Store) -> None:
    def write(number: int) -> bool:
        try:
            with (played, second)[number % 2].writing() as tx:
                tx.append("game", 1, f"s{number + 1}", NOON)
        except Taken:
            return False
        return True

    answers = all_at_once(13, write)
    assert answers.count(True) == 1
    assert log_of(played) == [f"s{answers.index(True) + 1}"]


def test_a_transaction_can_go_on_after_a_taken_entry_and_sees_who_was_first(played: Store, second: Store) -> None:
    with second.writing() as tx:
        tx.append("game", 1, "r", NOON)
    with played.writing() as tx:
        with pytest.raises(Taken):
            tx.append("game", 1, "r0", NOON)
        assert tx.moves("game") == ["r"]
        tx.append("game", 2, "s1", NOON)
    assert log_of(played) == ["r", "s1"]


def test_a_taken_entry_that_ends_the_transaction_leaves_nothing_of_it(played: Store) -> None:
    with played.writing() as tx:
        tx.append("game", 1, "r", NOON)
    with pytest.raises(Taken), played.writing() as tx:  # noqa: PT012  the block is what is tested
        tx.append("game", 2, "s1", NOON)
        tx.append("game", 1, "r0", NOON)
    assert log_of(played) == ["r"]


def test_writers_that_look_first_wait_for_each_other_and_none_is_lost(played: Store, second: Store) -> None:
    def write(number: int) -> None:
        for turn in range(25):
            with (played, second)[number % 2].writing() as tx:
                loaded = tx.load("game")
                assert loaded is not None
                tx.append("game", len(loaded[1]) + 1, f"{number}-{turn}", NOON)

    all_at_once(8, write)
    log = log_of(played)
    assert sorted(log) == sorted(f"{number}-{turn}" for number in range(8) for turn in range(25))
    for number in range(8):
        assert [entry for entry in log if entry.startswith(f"{number}-")] == [f"{number}-{turn}" for turn in range(25)]


def test_a_game_given_up_meanwhile_takes_no_further_entry_of_a_writer_that_looks_first(
    played: Store, second: Store
) -> None:
    def work(number: int) -> None:
        if number == 0:
            with played.writing() as tx:
                tx.abandon("game", later(1))
            return
        with second.writing() as tx:
            loaded = tx.load("game")
            assert loaded is not None
            game, log = loaded
            if game.status is Status.PLAYING:
                tx.append("game", len(log) + 1, "before" if tx.game("game") == game else "after", NOON)

    all_at_once(6, work)
    assert set(log_of(played)) <= {"before"}


def test_two_server_processes_read_and_write_at_once_without_an_error(played: Store, database: str) -> None:
    program = """
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from app.store import Store
store, name = Store.open(sys.argv[1]), sys.argv[2]
def play(number):
    for turn in range(25):
        with store.writing() as tx:
            game, log = tx.load("game")
            tx.append("game", len(log) + 1, name, datetime.now(UTC))
with ThreadPoolExecutor(4) as threads:
    list(threads.map(play, range(4)))
"""
    running = [subprocess.Popen([sys.executable, "-c", program, database, name], cwd=ROOT) for name in ("one", "two")]
    assert [process.wait(60) for process in running] == [0, 0]
    assert sorted(log_of(played)) == ["one"] * 100 + ["two"] * 100


def test_whoever_waits_first_for_a_sqlite_file_writes_first(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    stores = [Store.open(path) for _ in range(2)]
    stores[0].migrate()
    order: list[int] = []

    def write(number: int) -> None:
        with stores[number].writing():
            order.append(number)

    for _ in range(5):
        order.clear()
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            threads = [threading.Thread(target=write, args=(number,)) for number in range(2)]
            threads[0].start()
            _wait_until_somebody_queues(tmp_path)
            threads[1].start()
            other.execute("COMMIT")
        for thread in threads:
            thread.join()
        assert order == [0, 1]
    for store in stores:
        store.close()


def _wait_until_somebody_queues(queue: Path) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        place = os.open(queue, os.O_RDONLY)
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        finally:
            os.close(place)
    raise AssertionError("nobody queues")


def test_a_thread_that_cannot_write_to_a_sqlite_file_for_long_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In PostgreSQL nobody waits but for rows: test_faults.py.
    store = Store.open(tmp_path / "store.sqlite3")
    store.migrate()
    monkeypatch.setattr(app.store, "BUSY_SECONDS", 0.05)

    def write(_: int) -> None:
        with pytest.raises(StoreUnavailable, match="busy"), store.writing():
            raise AssertionError

    with store.writing() as tx:
        all_at_once(3, write)
        tx.add_player(PlayerRow("ada", NOON))
    with store.reading() as seen:
        assert seen.player("ada") is not None
    store.close()


def test_a_secret_is_made_once_and_the_first_maker_wins_for_all(played: Store, second: Store) -> None:
    def ask(number: int) -> bytes:
        with (played, second)[number % 2].writing() as tx:
            return tx.secret("signing", lambda: bytes([number]) * 32, NOON)

    answers = all_at_once(8, ask)
    assert len(set(answers)) == 1
    assert answers[0] in {bytes([number]) * 32 for number in range(8)}
    with played.writing() as tx:
        assert tx.secret("signing", lambda: b"new", later(1)) == answers[0]
        assert tx.secret("other", lambda: b"new", later(1)) == b"new"


# All or nothing


class _StopError(Exception):
    """Something that goes wrong in the middle of a transaction."""


def test_a_writing_transaction_that_raises_leaves_nothing(played: Store) -> None:
    with pytest.raises(_StopError), played.writing() as tx:  # noqa: PT012  the block is what is tested
        tx.add_player(PlayerRow("eve", NOON))
        tx.add_game(a_game("new", "eve"))
        tx.append("new", 1, "r", NOON)
        tx.append("game", 1, "r", NOON)
        tx.secret("signing", lambda: b"x", NOON)
        tx.abandon("game", later(1))
        raise _StopError
    with played.writing() as tx:
        assert tx.player("eve") is None
        assert tx.game("new") is None
        assert tx.load("game") == (a_game(), [])
        assert tx.secret("signing", lambda: b"y", NOON) == b"y"


def test_a_reader_sees_one_moment_whatever_is_written_meanwhile(played: Store) -> None:
    with played.reading() as tx:
        assert tx.load("game") == (a_game(), [])
        with played.writing() as writer:
            writer.append("game", 1, "r", NOON)
            writer.abandon("game", later(1))
        assert tx.load("game") == (a_game(), [])
    assert log_of(played) == ["r"]


def test_a_seat_of_an_unknown_player_is_refused_and_its_game_too(played: Store) -> None:
    with pytest.raises(Contradiction), played.writing() as tx:
        tx.add_game(a_game("new", "nobody"))
    with played.reading() as tx:
        assert tx.game("new") is None


def test_an_entry_of_an_unknown_game_is_refused(played: Store) -> None:
    with pytest.raises(Contradiction), played.writing() as tx:
        tx.append("other", 1, "r", NOON)
    assert log_of(played, "other") == []


def test_a_token_of_an_unknown_player_is_refused(played: Store) -> None:
    with pytest.raises(Contradiction), played.writing() as tx:
        tx.add_token("hash", "nobody", TokenKind.API, NOON)


def test_two_players_cannot_have_names_that_look_alike(played: Store) -> None:
    with played.writing() as tx:
        tx.add_player(PlayerRow("eve", NOON, "Eve", "eve"))
    with pytest.raises(Contradiction), played.writing() as tx:
        tx.add_player(PlayerRow("mallory", NOON, "EVE", "eve"))
    with played.writing() as tx:
        tx.add_player(PlayerRow("mallory", NOON, "Mallory", "mallory"))


def test_the_same_id_cannot_be_used_twice(played: Store) -> None:
    with pytest.raises(Contradiction), played.writing() as tx:
        tx.add_game(a_game())
    with pytest.raises(Contradiction), played.writing() as tx:
        tx.add_player(PlayerRow("ada", NOON))


@pytest.mark.parametrize("seq", [0, -1])
def test_entries_are_numbered_from_one(played: Store, seq: int) -> None:
    with pytest.raises(Contradiction), played.writing() as tx:
        tx.append("game", seq, "r", NOON)
