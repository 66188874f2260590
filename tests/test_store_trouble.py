"""A database that cannot be used: one sentence for whoever runs the server."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.store import (
    PlayerRow,
    Store,
    StoreUnavailable,
)
from tests.support.stores import NOON, log_of


def refusal(where: str | Path) -> str:
    """Open what cannot be opened, and give the sentence."""
    with pytest.raises(StoreUnavailable) as refused:
        Store.open(where)
    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_a_data_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    assert str(tmp_path / "data" / "fairwind.sqlite3") in refusal(tmp_path / "data" / "fairwind.sqlite3")
    assert "cannot be opened" in refusal(tmp_path / "data" / "below" / "fairwind.sqlite3")


def test_a_folder_where_the_database_should_be_is_one_sentence(tmp_path: Path) -> None:
    assert "cannot be opened" in refusal(tmp_path)


def test_a_file_that_is_no_database_is_one_sentence_and_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "fairwind.sqlite3"
    file.write_bytes(b"holiday photographs " * 500)
    assert "not a database" in refusal(file)
    assert file.read_bytes() == b"holiday photographs " * 500


def test_a_database_in_memory_is_refused_because_each_connection_would_have_its_own() -> None:
    assert "file" in refusal("sqlite://")


@pytest.mark.parametrize("address", ["no address", "mysql+pymysql://root@localhost/games", "oracle://x"])
def test_an_address_of_another_kind_of_database_is_one_sentence(address: str) -> None:
    assert "postgresql" in refusal(address).lower()


def test_an_unreachable_postgresql_is_one_sentence_without_the_password(tmp_path: Path) -> None:
    sentence = refusal(f"postgresql://ada:swordfish@/games?host={tmp_path}")
    assert "cannot be opened" in sentence
    assert "swordfish" not in sentence


def test_an_address_may_be_written_as_postgresql_publishes_it(postgres_url: str) -> None:
    for scheme in ("postgres:", "postgresql:"):
        store = Store.open(postgres_url.replace("postgresql+psycopg:", scheme))
        store.migrate()
        store.check_schema()
        store.close()


def test_a_connection_that_breaks_is_a_refusal_and_the_next_transaction_works(played: Store) -> None:
    kill = {
        "postgresql": "SELECT pg_terminate_backend(pg_backend_pid())",
        # SQLite has no connection to break; a full disk is the like.
        "sqlite": "PRAGMA max_page_count = 1",
    }[played.engine.dialect.name]
    with pytest.raises(StoreUnavailable, match="cannot be used now"), played.writing() as tx:  # noqa: PT012
        tx.append("game", 1, "r", NOON)
        tx._connection.exec_driver_sql(kill)  # noqa: SLF001
        tx.add_player(PlayerRow("eve", NOON, settings="x" * 1_000_000))
    played.engine.dispose()
    assert log_of(played) == []
    with played.writing() as tx:
        tx.append("game", 1, "r", NOON)
    assert log_of(played) == ["r"]


def test_a_postgresql_that_was_restarted_costs_no_request(postgres_url: str) -> None:
    store, other = Store.open(postgres_url), Store.open(postgres_url)
    store.migrate()
    with store.reading() as tx:
        assert tx.player("ada") is None
    with other.writing() as tx:
        tx._connection.exec_driver_sql(  # noqa: SLF001
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with store.reading() as tx:
        assert tx.player("ada") is None
    store.close()
    other.close()


@pytest.mark.parametrize(("synchronous", "number"), [("FULL", 2), ("NORMAL", 1)])
def test_every_sqlite_connection_is_set_to_keep_answered_moves(tmp_path: Path, synchronous: str, number: int) -> None:
    store = Store.open(tmp_path / "fairwind.sqlite3", synchronous=synchronous)  # type: ignore[arg-type]
    with store.engine.connect() as first, store.engine.connect() as another:
        for connection in (first, another):
            found = {
                name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            }
            assert found == {
                "journal_mode": "wal",
                "synchronous": number,
                "foreign_keys": 1,
                "busy_timeout": 5000,
            }
    store.close()


def test_a_file_that_another_process_is_just_setting_up_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "fairwind.sqlite3"
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(1) as thread:
        opening = thread.submit(Store.open, file)
        with pytest.raises(TimeoutError):
            opening.result(timeout=0.3)
        other.execute("COMMIT")
        opening.result(timeout=30).close()
    other.close()
