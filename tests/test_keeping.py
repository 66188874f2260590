"""Packing, clearing away, copies of safety and moving to another database: nothing that counts is lost by any of them."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from app.__main__ import main
from app.clock import system
from app.coach.clearing import clear_tables
from app.coach.making import Tables, alone
from app.coach.states import states
from app.command.serve import tidying
from app.game.rulesets import ruleset
from app.game.state import Roll
from app.play import Plan, Play
from app.play.keeping import Keeping
from app.play.people import People
from app.settings import DATABASE_FILE, Settings
from app.store import NotEmpty, Store, StoreUnavailable, TokenKind
from tests.support.games import finished_game, play_on
from tests.support.postgres import Cluster
from tests.support.stores import all_at_once
from tests.support.web import FakeClock, World


@pytest.fixture
def clock() -> FakeClock:
    """A clock that the test moves."""
    return FakeClock()


@pytest.fixture
def play(store: Store, clock: FakeClock) -> Play:
    """The use cases on each database."""
    return Play(store, clock)


@pytest.fixture
def keeping(store: Store, clock: FakeClock) -> Keeping:
    """What is tested."""
    return Keeping(store, clock)


def stored(store: Store) -> dict[str, int]:
    """Count what lies in the tables."""
    with store.engine.connect() as connection:
        return {
            table: connection.scalar(text(f"SELECT count(*) FROM {table}"))  # noqa: S608 -- names of our own
            for table in ("players", "games", "seats", "moves", "tokens", "counters")
        }


def packed(store: Store) -> int:
    """Count the packed logs."""
    with store.engine.connect() as connection:
        return int(connection.scalar(text("SELECT count(*) FROM games WHERE packed_log IS NOT NULL")) or 0)


def test_a_day_after_its_end_a_log_is_packed_and_nobody_can_tell(
    play: Play, keeping: Keeping, clock: FakeClock
) -> None:
    player, game = finished_game(play, rolls=2)
    _, other = finished_game(play, player)
    shown = (
        play.look(game, player),
        play.log(game, player),
        play.totals(player),
        play.record(play.look(game, player), player),
    )
    with play.store.reading() as tx:
        moments = tx.moments_of(game)
    clock.forward(hours=23)
    assert keeping.tidy().packed == 0
    clock.forward(hours=2)
    assert keeping.tidy().packed == 2
    assert stored(play.store)["moves"] == 0
    assert shown == (
        play.look(game, player),
        play.log(game, player),
        play.totals(player),
        play.record(play.look(game, player), player),
    )
    assert play.recount() == []
    assert keeping.check().games == 2
    assert keeping.check().entries == 3 * 12 + 2 * 12
    assert keeping.check().differences == ()
    with play.store.reading() as tx:
        assert tx.moments_of(game) == [moment.replace(microsecond=0) for moment in moments]
        assert tx.last_move_at(other) == tx.moments_of(other)[-1]
    assert keeping.tidy().packed == 0


def test_a_move_sent_again_after_its_game_was_packed_is_still_a_repeat(
    play: Play, keeping: Keeping, clock: FakeClock
) -> None:
    player, game = finished_game(play)
    clock.forward(days=2)
    keeping.tidy()
    assert play.move(game, player, 0, Roll(())).repeated


def test_abandoned_games_are_packed_and_open_ones_are_not(play: Play, keeping: Keeping, clock: FakeClock) -> None:
    player, look = play.open_game(None, Plan(ruleset("classic")))
    play.move(look.id, player, 0, Roll(()))
    _, other = play.open_game(player, Plan(ruleset("classic")))
    play.move(other.id, player, 0, Roll(()))
    play.abandon(other.id, player, 1)
    clock.forward(days=20)
    assert keeping.tidy().packed == 1
    with play.store.reading() as tx:
        assert tx.moves(look.id) == tx.moves(other.id) == ["r"]
    assert stored(play.store)["moves"] == 1


def test_records_count_packed_and_unpacked_games_of_the_same_options_together(
    play: Play, keeping: Keeping, clock: FakeClock
) -> None:
    player, _ = finished_game(play)
    clock.forward(days=2)
    keeping.tidy()
    _, game = finished_game(play, player)
    record = play.record(play.look(game, player), player)
    assert record is not None
    assert record.count == 2
    (totals,) = play.totals(player)
    assert totals.finished.count == 2
    assert json.loads(totals.options) == dict(ruleset("yacht").options)


def test_a_short_name_that_another_choice_has_is_not_used(play: Play, keeping: Keeping, clock: FakeClock) -> None:
    player, game = finished_game(play)
    look = play.look(game, player)
    clock.forward(days=2)
    with play.store.writing() as tx:
        options = tx.connection.scalar(text("SELECT options FROM games"))
        keeping_name = tx._name(str(options))  # noqa: SLF001
        tx.connection.execute(text("UPDATE option_sets SET options = '{}' WHERE name = :name"), {"name": keeping_name})
    assert keeping.tidy().packed == 1
    assert play.look(game, player) == look


def test_several_that_pack_at_once_pack_each_log_once(
    play: Play, keeping: Keeping, clock: FakeClock, second: Store
) -> None:
    player, _ = finished_game(play)
    for _ in range(9):
        finished_game(play, player)
    clock.forward(days=2)
    both = [keeping, Keeping(second, clock)]
    assert sum(all_at_once(2, lambda number: both[number].tidy().packed)) in {10, *range(11)}
    keeping.tidy()
    assert packed(play.store) == 10
    assert keeping.check().differences == ()


def test_the_rows_of_packed_games_lie_one_after_the_other_in_sqlite(tmp_path: Path, clock: FakeClock) -> None:
    store = Store.open(tmp_path / DATABASE_FILE)
    store.migrate()
    play, keeping = Play(store, clock), Keeping(store, clock)
    player, _ = finished_game(play)
    for _ in range(3):
        play.open_game(player, Plan(ruleset("yacht")))
        finished_game(play, player)
    clock.forward(days=2)
    keeping.tidy()
    with store.engine.connect() as connection:
        rows = connection.scalars(text("SELECT rowid FROM games WHERE packed_log IS NOT NULL ORDER BY rowid")).all()
    assert list(rows) == [8, 9, 10, 11], "behind the seven games that there were: no gaps stay between them"
    store.close()


def test_players_who_never_finished_a_game_are_forgotten_after_thirty_days(
    play: Play, keeping: Keeping, clock: FakeClock
) -> None:
    newcomer, left = play.open_game(None, Plan(ruleset("yacht")))
    play.move(left.id, newcomer, 0, Roll(()))
    finisher, finished = finished_game(play)
    _, hers = play.open_game(finisher, Plan(ruleset("yacht")))
    careful, _ = play.open_game(None, Plan(ruleset("yacht")))
    slow, slowly = play.open_game(None, Plan(ruleset("yacht")))
    with play.store.writing() as tx:
        tx.add_token("code", careful, TokenKind.RECOVERY, clock())
        tx.add_token("api", newcomer, TokenKind.API, clock())
        tx.add_token("old", finisher, TokenKind.DEVICE, clock(), clock() + timedelta(minutes=15))
    clock.forward(days=29)
    play.move(slowly.id, slow, 0, Roll(()))
    nothing_yet = keeping.prune()
    assert (nothing_yet.players, nothing_yet.abandoned, nothing_yet.tokens) == (0, 0, 1)
    clock.forward(days=2)
    done = keeping.prune()
    assert (done.players, done.forgotten, done.abandoned) == (1, 1, 3)
    with play.store.reading() as tx:
        assert tx.player(newcomer) is None
        assert tx.game(left.id) is None
        for kept in (finisher, careful, slow):
            assert tx.player(kept) is not None
        assert [tx.game(game).status for game in (finished, hers.id, slowly.id)] == ["finished", "abandoned", "playing"]  # type: ignore[union-attr]
    assert stored(play.store)["tokens"] == 1
    assert keeping.prune().players == 0
    clock.forward(days=60)
    assert keeping.prune().players == 1, "the slow one, at last"


def test_a_table_shared_with_somebody_else_keeps_its_players(play: Play, keeping: Keeping, clock: FakeClock) -> None:
    one, look = play.open_game(None, Plan(ruleset("yacht")))
    other, _ = play.open_game(None, Plan(ruleset("yacht")))
    with play.store.writing() as tx:
        tx.connection.execute(
            text("INSERT INTO seats (game_id, seat, player_id) VALUES (:game, 1, :player)"),
            {"game": look.id, "player": other},
        )
    clock.forward(days=40)
    keeping.prune()
    with play.store.reading() as tx:
        assert tx.player(one)
        assert tx.player(other)


def test_more_idle_players_than_one_transaction_takes_are_all_forgotten(
    play: Play, keeping: Keeping, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.play.keeping._AT_ONCE", 2)
    for _ in range(5):
        play.open_game(None, Plan(ruleset("yacht")))
    clock.forward(days=40)
    assert keeping.prune().players == 5
    assert stored(play.store)["games"] == stored(play.store)["players"] == 0


def test_a_player_who_comes_back_while_idle_ones_are_looked_for_is_kept(play: Play, clock: FakeClock) -> None:
    (back, look), (gone, _) = (play.open_game(None, Plan(ruleset("yacht"))) for _ in range(2))
    clock.forward(days=40)
    before = clock() - timedelta(days=30)
    with play.store.reading() as tx:
        idle = tx.idle_players(before, "", 9)
    assert sorted(idle) == sorted([back, gone])
    play_on(play, look.id, back, turns=1)
    with play.store.writing() as tx:
        assert tx.still_idle(idle, before) == [gone]
        assert tx.still_idle([], before) == []


def test_tables_of_unusual_options_go_when_nobody_has_asked_for_a_while(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    tables.make(ruleset("yacht"))
    tables.make(ruleset("yacht"), raised=True)
    usual = {path.name for path in tmp_path.glob("*.table")}
    unusual = ruleset("yacht", {name: values[-1] for name, values in _options("yacht").items() if len(values) > 1})
    tables.make(unusual)
    (tmp_path / "old-1-1.table").write_bytes(b"of another time")
    assert clear_tables(tmp_path, 0.0) == []
    later = system().timestamp() + 60
    assert {path.name for path in clear_tables(tmp_path, later)} & usual == set()
    assert {path.name for path in tmp_path.glob("*.table")} == usual
    assert clear_tables(tmp_path / "nowhere", later) == []


def test_what_interrupted_solves_left_is_cleared_too_unless_somebody_is_solving(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    tables.make(ruleset("yacht"))
    unusual = ruleset("yacht", {name: values[-1] for name, values in _options("yacht").items() if len(values) > 1})
    tables.make(unusual)
    gone, going_on = ("lock", "pace", "pace-draft", "workings", "workings.json", "workings.draft"), ("lock", "workings")
    for name, endings in (("crag-1-1", gone), ("crag-2-1", going_on)):
        for ending in endings:
            (tmp_path / f"{name}.{ending}").write_bytes(b"1")
    (tmp_path / "crag-3-1.table.17.draft").write_bytes(b"1")
    (tmp_path / "notes.txt").write_bytes(b"somebody's own")
    everything = {path.name for path in tmp_path.iterdir()}
    with alone(tmp_path / "crag-2-1.table"):
        clear_tables(tmp_path, system().timestamp() - 60)
        assert {path.name for path in tmp_path.iterdir()} == everything, "it may still be of use"
        clear_tables(tmp_path, system().timestamp() + 60)
    usual = tables.path(states(ruleset("yacht"))).name
    assert {path.name for path in tmp_path.iterdir()} == {usual, "crag-2-1.lock", "crag-2-1.workings", "notes.txt"}


def test_what_lies_beside_a_removed_table_goes_with_it_however_new_it_is(tmp_path: Path) -> None:
    table = tmp_path / "old-1-1.table"
    table.write_bytes(b"of another time")
    os.utime(table, (0, 0))
    (tmp_path / "old-1-1.lock").touch()
    assert clear_tables(tmp_path, system().timestamp() - 60) == [table]
    assert list(tmp_path.iterdir()) == []


def test_whoever_waited_for_a_lock_that_was_cleared_away_takes_the_one_that_others_take(tmp_path: Path) -> None:
    table = tmp_path / "crag-1-1.table"
    held = threading.Event()

    def wait_and_hold() -> None:
        with alone(table) as mine:
            assert mine
            held.set()
            done.wait(60)

    done = threading.Event()
    waiting = threading.Thread(target=wait_and_hold)
    with alone(table):
        waiting.start()
        threading.Event().wait(0.05)
        table.with_suffix(".lock").unlink()
    assert held.wait(60)
    with alone(table, wait=False) as ours:
        assert not ours
    done.set()
    waiting.join()


def _options(id_: str) -> dict[str, tuple[Any, ...]]:
    from app.game.rulesets import variant  # noqa: PLC0415

    return {option.name: option.values for option in variant(id_).options}


@pytest.fixture
def elsewhere(database: str, tmp_path: Path, postgres: Cluster) -> Iterator[str]:
    """The address of an empty database of the other kind."""
    if database.startswith("sqlite"):
        with postgres.fresh_database() as url:
            yield url
    else:
        yield f"sqlite:///{tmp_path / 'elsewhere.sqlite3'}"


@pytest.fixture
def lively(play: Play, keeping: Keeping, clock: FakeClock) -> Play:
    """A database with something of everything: packed and open games, tokens, secrets, counters."""
    player, _ = finished_game(play)
    clock.forward(days=2)
    keeping.tidy()
    finished_game(play, player)
    _, look = play.open_game(player, Plan(ruleset("classic")))
    play_on(play, look.id, player, turns=2)
    People(play.store, clock).new_player()
    with play.store.writing() as tx:
        tx.secret("signing", lambda: bytes(range(32)), clock())
        tx.count("count", 3, clock(), clock() + timedelta(hours=1))
    return play


def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Read every row of every table."""
    from app.store.schema import metadata  # noqa: PLC0415

    with store.engine.connect() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(table.select())), key=repr)
            for table in metadata.sorted_tables
        }


def call(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Call the command line in this process and read what it says."""
    assert main([*words, "--json"]) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Call what is refused; give the sentence."""
    assert main(list(words)) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, database: str) -> None:
    """The settings name the test's database."""
    monkeypatch.setenv("FAIRWIND_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("FAIRWIND_DATABASE", database)


@pytest.mark.usefixtures("at_home")
def test_a_backup_is_one_private_file_that_brings_everything_back(
    lively: Play, tmp_path: Path, elsewhere: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "copies" / "monday"
    said = call(capsys, "backup", str(file))
    assert said["rows"]["games"] == 3
    assert said["bytes"] == file.stat().st_size
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["monday"], "no log and no draft stay beside it"
    assert "there already" in refused(capsys, "backup", str(file))
    before = everything(lively.store)
    monkeypatch.setenv("FAIRWIND_DATABASE", elsewhere)
    back = call(capsys, "restore", str(file))
    assert back["rows"] == said["rows"]
    assert (back["games"], back["differences"]) == (3, [])
    other = Store.open(elsewhere)
    assert everything(other) == before
    other.close()
    assert "already" in refused(capsys, "restore", str(file))
    assert call(capsys, "restore", str(file), "--force")["rows"] == said["rows"]
    assert file.exists()


@pytest.mark.usefixtures("at_home")
def test_a_backup_that_was_taken_before_a_change_undoes_it(
    lively: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(lively.store)
    call(capsys, "backup", str(tmp_path / "copy"))
    finished_game(lively)
    assert everything(lively.store) != before
    assert "--force" in refused(capsys, "restore", str(tmp_path / "copy"))
    call(capsys, "restore", str(tmp_path / "copy"), "--force")
    assert everything(lively.store) == before


@pytest.mark.usefixtures("at_home")
def test_restore_says_which_games_are_not_as_their_logs_say(
    lively: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with lively.store.engine.begin() as connection:
        connection.execute(text("UPDATE seats SET score = 5000 WHERE score IS NOT NULL"))
    call(capsys, "backup", str(tmp_path / "copy"))
    said = call(capsys, "restore", str(tmp_path / "copy"), "--force")
    assert {one["stored"] for one in said["differences"]} == {"5000"}
    assert len(said["differences"]) == 2
    assert main(["restore", str(tmp_path / "copy"), "--force"]) == 0
    assert "fairwind recount" in capsys.readouterr().out


def test_a_backup_while_others_play_is_of_one_moment(lively: Play, tmp_path: Path) -> None:
    done = threading.Event()

    def keep_playing() -> None:
        while not done.is_set():
            finished_game(lively)

    thread = threading.Thread(target=keep_playing)
    thread.start()
    try:
        for number in range(3):
            lively.store.save(tmp_path / f"copy{number}")
    finally:
        done.set()
        thread.join()
    for number in range(3):
        with Store.opened_copy(tmp_path / f"copy{number}") as copy:
            report = Keeping(copy, FakeClock()).check()
        assert report.games >= 3
        assert report.differences == ()


@pytest.mark.usefixtures("at_home")
def test_copy_moves_everything_to_the_other_kind_of_database(
    lively: Play, elsewhere: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = call(capsys, "copy", "--to", elsewhere)
    assert said["rows"]["seats"] == 3
    assert said["differences"] == []
    other = Store.open(elsewhere)
    assert everything(other) == everything(lively.store)
    # And play goes on there.
    with other.reading() as tx:
        ada = tx.connection.scalar(text("SELECT player_id FROM seats"))
    assert Play(other, FakeClock()).games_of(ada)[0]
    other.close()
    assert "already" in refused(capsys, "copy", "--to", elsewhere)


def test_a_copy_that_does_not_arrive_as_it_is_leaves_the_target_as_it_was(
    lively: Play, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Store.open(elsewhere)
    other.migrate()
    monkeypatch.setattr("app.store.moving.copy_all", lambda *_: None)
    with pytest.raises(StoreUnavailable, match="games"):
        lively.store.copy_to(other)
    assert set(stored(other).values()) == {0}
    finished_game(Play(other, FakeClock()))
    with pytest.raises(NotEmpty):
        lively.store.copy_to(other)
    assert stored(other)["games"] == 1
    other.close()


@pytest.mark.usefixtures("at_home", "store")
def test_what_is_no_backup_is_one_sentence_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").write_text("buy dice")
    assert "no copy" in refused(capsys, "restore", str(tmp_path / "notes"))
    assert "cannot be read" in refused(capsys, "restore", str(tmp_path / "nowhere"))
    assert "cannot be read" in refused(capsys, "restore", str(tmp_path))
    assert "cannot be written" in refused(capsys, "backup", str(tmp_path / "notes" / "copy"))
    assert "mysql" in refused(capsys, "copy", "--to", "mysql://somewhere/else")
    newer = sqlite3.connect(tmp_path / "newer")
    newer.executescript("CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('9876')")
    newer.close()
    assert "9876" in refused(capsys, "restore", str(tmp_path / "newer"))


@pytest.mark.usefixtures("at_home")
def test_a_prune_says_what_it_did(lively: Play, capsys: pytest.CaptureFixture[str]) -> None:
    # The command goes by the system's clock, which is later than the games'.
    with lively.store.engine.begin() as connection:
        connection.execute(text("UPDATE games SET finished_at = '2020-01-01' WHERE finished_at IS NOT NULL"))
    said = call(capsys, "prune")
    assert said["packed"] == 1
    assert said["tables"] == []
    assert main(["prune"]) == 0
    assert "0 ended games were packed" in capsys.readouterr().out


def test_a_copy_is_made_where_files_have_one_name_only(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_names: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    store = world.app.state.service.play.store
    rows = store.save(tmp_path / "copies" / "copy")
    assert rows["games"] == 0
    assert [path.name for path in (tmp_path / "copies").iterdir()] == ["copy"]
    with pytest.raises(StoreUnavailable):
        store.save(tmp_path / "copies" / "copy")
    assert [path.name for path in (tmp_path / "copies").iterdir()] == ["copy"]
    with Store.opened_copy(tmp_path / "copies" / "copy") as copy:
        copy.check_schema()


def test_a_backup_of_every_user_is_private_whatever_the_umask(world: World, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        world.app.state.service.play.store.save(tmp_path / "copy")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600


def test_a_server_packs_old_logs_in_the_background(play: Play, clock: FakeClock, database: str, tmp_path: Path) -> None:
    # The server goes by the system's clock.
    clock.now = system() - timedelta(days=2)
    player, game = finished_game(play)
    shown = play.log(game, player)
    with tidying(Settings(data=tmp_path, database=database), pause=0.01):
        for _ in range(1000):
            if packed(play.store):
                break
            threading.Event().wait(0.01)
    assert packed(play.store) == 1
    assert play.log(game, player) == shown


def test_a_log_that_cannot_be_packed_is_noted_and_tried_again(
    play: Play, clock: FakeClock, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock.now = system() - timedelta(days=2)
    finished_game(play)
    with play.store.engine.begin() as connection:
        connection.execute(text("UPDATE moves SET move = 'nonsense' WHERE seq = 1"))
    with capture_logs() as notes, tidying(Settings(data=tmp_path, database=database), pause=0.01):
        for _ in range(1000):
            if len(notes) > 1:
                break
            threading.Event().wait(0.01)
    assert {note["event"] for note in notes} == {"tidying_failed"}
    assert {note["fault"] for note in notes} == {"BadPack"}
    assert len(notes) > 1
    assert capsys.readouterr().err == ""


def test_tidying_stops_after_a_handful_when_it_is_told_to(
    play: Play, keeping: Keeping, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.play.keeping._AT_ONCE", 1)
    for _ in range(3):
        finished_game(play)
    clock.forward(days=2)
    assert keeping.tidy(lambda: False).packed == 1
    assert keeping.tidy().packed == 2


def test_a_server_whose_database_is_gone_goes_on_trying(tmp_path: Path) -> None:
    (tmp_path / DATABASE_FILE).mkdir()
    with tidying(Settings(data=tmp_path), pause=0.001):
        threading.Event().wait(0.05)
