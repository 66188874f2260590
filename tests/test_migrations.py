"""From an empty database to the tables, on both databases, however many processes try."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, Inspector, MetaData, Text, inspect, text

from app.store import NewerSchema, OlderSchema, Store, StoreUnavailable
from app.store.migrating import alembic_config
from app.store.schema import REVISIONS, metadata

ROOT = Path(__file__).parent.parent


@pytest.fixture
def empty(database: str) -> Iterator[Store]:
    """A store whose database has nothing in it."""
    opened = Store.open(database)
    yield opened
    opened.close()


def differences(connection: Connection, expected: MetaData) -> list[object]:
    """Compare a database with the tables in the code: tables, columns, types, nulls, keys, indices."""
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    return list(compare_metadata(context, expected))


def rules_of(inspector: Inspector, table: str) -> set[tuple[object, ...]]:
    """List what a database enforces in a table, with names; alembic's comparison leaves names and checks out."""
    rules: set[tuple[object, ...]] = set()
    key = inspector.get_pk_constraint(table)
    rules.add(("primary key", key["name"], *key["constrained_columns"]))
    for foreign in inspector.get_foreign_keys(table):
        end = foreign["referred_table"], *foreign["referred_columns"], foreign["options"].get("ondelete")
        rules.add(("foreign key", foreign["name"], *foreign["constrained_columns"], *end))
    for unique in inspector.get_unique_constraints(table):
        rules.add(("unique", unique["name"], *unique["column_names"]))
    for check in inspector.get_check_constraints(table):
        rules.add(("check", check["name"], check["sqltext"]))
    for index in inspector.get_indexes(table):
        rules.add(("index", index["name"], *index["column_names"]))
    return rules


def all_rules(store: Store) -> dict[str, set[tuple[object, ...]]]:
    """List what a database enforces."""
    inspector = inspect(store.engine)
    return {table: rules_of(inspector, table) for table in metadata.tables}


def tables(store: Store) -> set[str]:
    """Name the tables that are there."""
    return set(inspect(store.engine).get_table_names())


def test_migrating_an_empty_database_gives_the_tables_of_the_code(empty: Store) -> None:
    empty.migrate()
    with empty.engine.connect() as connection:
        assert differences(connection, metadata) == []
    assert tables(empty) == {*metadata.tables, "alembic_version"}
    empty.check_schema()


def test_a_column_that_no_migration_makes_would_be_found(empty: Store) -> None:
    empty.migrate()
    changed = MetaData()
    for table in metadata.tables.values():
        table.to_metadata(changed)
    changed.tables["games"].append_column(Column("colour", Text))
    with empty.engine.connect() as connection:
        assert len(differences(connection, changed)) == 1


def test_the_migrations_make_the_same_constraints_by_the_same_names_as_the_code(
    empty: Store, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    empty.migrate()
    migrated = all_rules(empty)
    if empty.engine.dialect.name == "sqlite":
        created = Store.open(tmp_path / "created.sqlite3")
    else:
        created = Store.open(request.getfixturevalue("postgres_url"))
    metadata.create_all(created.engine)
    assert migrated == all_rules(created)
    created.close()


def test_every_constraint_has_a_name(empty: Store) -> None:
    empty.migrate()
    rules = [rule for of_table in all_rules(empty).values() for rule in of_table]
    assert len(rules) >= 18, "6 keys, 4 references, 1 unique name, 4 checks, 3 indices"
    assert [rule for rule in rules if rule[1] is None] == []


def test_a_move_is_found_by_its_key_and_a_log_lies_in_one_place_in_sqlite(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "fairwind.sqlite3")
    store.migrate()
    with store.engine.connect() as connection:
        made = str(connection.scalar(text("SELECT sql FROM sqlite_master WHERE name = 'moves'")))
        plan = connection.execute(text("EXPLAIN QUERY PLAN SELECT move FROM moves WHERE game_id = 'g' ORDER BY seq"))
        steps = [str(row[-1]) for row in plan]
    assert made.strip().endswith("WITHOUT ROWID")
    assert steps == ["SEARCH moves USING PRIMARY KEY (game_id=?)"], "no sorting"
    store.close()


def test_migrating_again_changes_nothing(empty: Store) -> None:
    empty.migrate()
    before = all_rules(empty)
    empty.migrate()
    assert all_rules(empty) == before


def test_every_step_can_be_taken_back_and_made_again(empty: Store) -> None:
    empty.migrate()
    with empty.engine.begin() as connection:
        command.downgrade(alembic_config(connection), "base")
    assert tables(empty) == {"alembic_version"}
    with pytest.raises(OlderSchema):
        empty.check_schema()
    empty.migrate()
    with empty.engine.connect() as connection:
        assert differences(connection, metadata) == []


def test_the_list_of_revisions_in_the_code_is_that_of_the_files() -> None:
    script = ScriptDirectory.from_config(alembic_config())
    assert tuple(revision.revision for revision in script.walk_revisions())[::-1] == REVISIONS
    assert script.get_heads() == [REVISIONS[-1]]


def test_several_processes_that_migrate_one_empty_database_at_once_all_end_well(database: str) -> None:
    program = """
import sys
import alembic.command  # before the start: loading it would spread the processes out
from app.store import Store
store = Store.open(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
store.migrate()
store.check_schema()
"""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, database],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=60)[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, said
    store = Store.open(database)
    with store.engine.connect() as connection:
        assert differences(connection, metadata) == []
        assert connection.execute(text("SELECT version_num FROM alembic_version")).all() == [(REVISIONS[-1],)]
    store.close()


def test_an_empty_database_is_older_and_the_sentence_says_what_to_do(empty: Store) -> None:
    with pytest.raises(OlderSchema, match=r"no tables.*fairwind migrate.*\.$"):
        empty.check_schema()


def test_a_newer_database_is_refused_in_one_sentence_and_stays_as_it_is(empty: Store) -> None:
    empty.migrate()
    with empty.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9876'"))
    before = all_rules(empty)
    for refuse in (empty.migrate, empty.check_schema):
        with pytest.raises(NewerSchema) as refused:
            refuse()
        sentence = str(refused.value)
        assert "9876" in sentence
        assert REVISIONS[-1] in sentence
        assert sentence.endswith(".")
        assert "\n" not in sentence
    assert all_rules(empty) == before
    with empty.engine.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9876"


def test_a_migration_that_fails_in_the_middle_leaves_nothing(empty: Store) -> None:
    with empty.engine.begin() as connection:
        # The last table that the first step makes.
        connection.execute(text("CREATE TABLE secrets (somebody_elses TEXT)"))
    with pytest.raises(StoreUnavailable, match=r"cannot be migrated: .*secrets.*\.$"):
        empty.migrate()
    assert tables(empty) == {"secrets"}


def test_a_start_with_nothing_to_migrate_does_not_load_alembic(database: str) -> None:
    store = Store.open(database)
    store.migrate()
    store.close()
    program = """
import sys
from app.store import Store
store = Store.open(sys.argv[1])
store.migrate()
store.check_schema()
print("alembic" in sys.modules)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program, database], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert ran.stdout == "False\n"
