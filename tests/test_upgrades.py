"""Every schema that was ever released, with a played game in it, brought to the newest; and backups of then restored now."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from app.game.notation import read_move
from app.game.rulesets import ruleset
from app.play import Play
from app.play.course import options_text
from app.play.keeping import Keeping
from app.store import Status, Store, StoreUnavailable, TokenKind, migrating
from app.store.engine import engine_for_writing
from app.store.migrating import alembic_config, hold_tables
from app.store.schema import REVISIONS, metadata
from tests.support.clients import Client, all_playing, see_the_logs
from tests.support.postgres import Cluster
from tests.support.server import started
from tests.support.stores import KEY, NOON
from tests.support.web import FakeClock

MOVES = ["r", "r0", "s13", "r", "s1"]
PLAYER, GAME, OVER = "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc"

# What the first release wrote, statement by statement: later columns have values of their own.
ROWS = [
    "INSERT INTO players (id, settings, created_at) VALUES (:player, '{}', :at)",
    "INSERT INTO tokens (hash, player_id, kind, created_at) VALUES ('hash', :player, 'api', :at)",
    (
        "INSERT INTO games (id, kind, ruleset, options, dice_version, addressing, key, created_at, corrections, shared_dice, "
        "first_seat, assisted) VALUES (:game, 'solo', 'classic', :options, 1, 'by_turn', :key, :at, :no, :no, 0, :no)"
    ),
    "INSERT INTO seats (game_id, seat, player_id) VALUES (:game, 0, :player)",
    (
        "INSERT INTO games (id, kind, ruleset, options, dice_version, addressing, key, created_at, corrections, shared_dice, "
        "first_seat, abandoned_at, assisted) "
        "VALUES (:over, 'solo', 'classic', :options, 1, 'by_turn', :key, :at, :no, :no, 0, :at, :no)"
    ),
    "INSERT INTO seats (game_id, seat, player_id) VALUES (:over, 0, :player)",
    "INSERT INTO secrets (name, value, created_at) VALUES ('signing', :key, :at)",
]


def fill(store: Store, revision: str) -> None:
    """Make a database as a release with that schema left it."""
    at = NOON.strftime("%Y-%m-%d %H:%M:%S.%f") if store.engine.dialect.name == "sqlite" else NOON
    values = {"player": PLAYER, "game": GAME, "over": OVER, "key": KEY, "at": at, "no": False}
    values["options"] = options_text(ruleset("classic"))
    with store.engine.begin() as connection:
        command.upgrade(alembic_config(connection), revision)
        for row in ROWS:
            connection.execute(text(row), values)
        for seq, move in enumerate(MOVES, start=1):
            connection.execute(
                text("INSERT INTO moves (game_id, seq, move, made_at) VALUES (:game, :seq, :move, :at)"),
                {"game": GAME, "seq": seq, "move": move, "at": at},
            )


def see_everything(store: Store) -> None:
    """See that what was played then is there now, and that play goes on."""
    clock = FakeClock()
    play = Play(store, clock)
    with store.reading() as tx:
        row, moves = tx.load(GAME) or (None, [])
        assert tx.player_of_token("hash", TokenKind.API, clock()) == PLAYER
    assert row is not None
    assert (row.key, row.created_at, row.status) == (KEY, NOON, Status.PLAYING)
    assert moves == MOVES
    with store.writing() as tx:
        assert tx.secret("signing", lambda: b"another", clock()) == KEY
    look = play.look(GAME, PLAYER)
    after = play.move(GAME, PLAYER, look.version, read_move(look.state.ruleset, "r")).look
    assert after.version == len(MOVES) + 1
    clock.forward(days=3)
    assert Keeping(store, clock).tidy().packed == 1, "the abandoned one"
    assert play.look(OVER, PLAYER).status == "abandoned"
    assert Keeping(store, clock).check().differences == ()


@pytest.mark.parametrize("revision", REVISIONS)
def test_what_was_played_on_every_released_schema_is_there_on_the_newest(database: str, revision: str) -> None:
    store = Store.open(database)
    fill(store, revision)
    store.migrate()
    store.check_schema()
    see_everything(store)
    store.close()


@pytest.mark.parametrize("revision", [REVISIONS[0], REVISIONS[-2]])
def test_a_backup_of_an_earlier_release_is_restored_by_this_one(database: str, tmp_path: Path, revision: str) -> None:
    then = Store.open(tmp_path / "then.sqlite3")
    fill(then, revision)
    with (
        closing(sqlite3.connect(tmp_path / "then.sqlite3")) as file,
        closing(sqlite3.connect(tmp_path / "copy")) as copy,
    ):
        file.backup(copy)
    then.close()
    before = (tmp_path / "copy").read_bytes()
    store = Store.open(database)
    store.migrate()
    with Store.opened_copy(tmp_path / "copy") as copy_now:
        copy_now.copy_to(store)
    see_everything(store)
    store.close()
    assert (tmp_path / "copy").read_bytes() == before, "the copy itself stays as it was"


def test_every_step_only_adds_so_that_the_release_before_can_go_on_meanwhile(database: str) -> None:
    """What the release before reads is still there, and what it writes is still complete."""
    store = Store.open(database)
    with store.engine.begin() as connection:
        command.upgrade(alembic_config(connection), REVISIONS[0])
        before = _columns(connection)
        for revision in REVISIONS[1:]:
            command.upgrade(alembic_config(connection), revision)
            after = _columns(connection)
            for table, columns in before.items():
                assert {name: type_ for name, (type_, _) in columns.items()}.items() <= {
                    name: type_ for name, (type_, _) in after[table].items()
                }.items(), revision
                for name in after[table].keys() - columns.keys():
                    assert after[table][name][1], f"{revision}: {table}.{name} must be nullable or have a default"
            before = after
    store.close()


def make_the_next_schema(connection: Connection) -> None:
    """Add what a migration may: columns that may be empty or have a default, a table, an index."""
    for number, table in enumerate(sorted(metadata.tables)):
        connection.execute(text(f"ALTER TABLE {table} ADD COLUMN may_be_empty VARCHAR"))
        connection.execute(text(f"ALTER TABLE {table} ADD COLUMN has_a_default INTEGER DEFAULT 7 NOT NULL"))
        connection.execute(text(f"CREATE INDEX added_{number} ON {table} (has_a_default)"))
    connection.execute(text("CREATE TABLE added (id VARCHAR PRIMARY KEY)"))
    connection.execute(text("UPDATE alembic_version SET version_num = '9876'"))


def test_a_server_that_runs_goes_on_while_the_next_version_migrates(database: str, tmp_path: Path) -> None:
    """The release before is the present one here: no move is refused, and new games can be begun."""
    with started(tmp_path / "data", database) as program:
        clients = [Client(program.url) for _ in range(2)]
        for client in clients:
            client.sit_down()
        with all_playing(clients, answers=20):
            store = Store.open(database)
            with engine_for_writing(store.engine).begin() as connection:
                if store.engine.dialect.name == "postgresql":
                    hold_tables(connection)
                make_the_next_schema(connection)
            store.close()
        late = Client(program.url)
        late.sit_down()
        with all_playing([late], answers=1):
            pass
        assert [client.game["status"] for client in (*clients, late)] == ["finished"] * 3
        assert httpx.get(f"{program.url}/ready").status_code == 200
        see_the_logs(program, [*clients, late])


def test_a_table_that_somebody_holds_is_waited_for_with_patience_and_then_with_a_sentence(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrating, "_TRIES", 2)
    with postgres.fresh_database() as url:
        store = Store.open(url)
        with store.engine.begin() as first:
            command.upgrade(alembic_config(first), REVISIONS[0])
        with store.engine.begin() as somebody:
            somebody.execute(text("SELECT count(*) FROM moves"))
            with pytest.raises(StoreUnavailable, match=r"in use without a pause and cannot be migrated now\.$"):
                store.migrate()
        store.migrate()
        store.check_schema()
        store.close()


def _columns(connection: Connection) -> dict[str, dict[str, tuple[str, bool]]]:
    """List each table's columns: their type, and whether a row may leave them out."""
    inspector = inspect(connection)
    return {
        table: {
            column["name"]: (str(column["type"]), bool(column["nullable"]) or column["default"] is not None)
            for column in inspector.get_columns(table)
        }
        for table in inspector.get_table_names()
    }


def test_every_released_step_is_a_file_of_its_own() -> None:
    script = ScriptDirectory.from_config(alembic_config())
    assert [Path(script.get_revision(one).path).name[1:5] for one in REVISIONS] == list(REVISIONS)
