"""What a player asks the store for, on both databases: games, records, totals."""

from __future__ import annotations

import statistics

import pytest
from sqlalchemy import Select, text

from app.store import (
    Figures,
    GameRow,
    SeatRow,
    Status,
    Store,
    Totals,
    Tx,
)
from app.store.statements import RECORD, TOTALS
from tests.support.stores import a_game, later


def finish(tx: Tx, game: GameRow, score: int, minutes: int, *, assisted: bool = False) -> None:
    """Add a game and end it."""
    tx.add_game(game)
    assert tx.finish(game.id, later(minutes), {0: score}, assisted=assisted)


def test_my_games_are_mine_by_how_far_they_are_the_latest_first(played: Store) -> None:
    with played.writing() as tx:
        for number in range(4):
            tx.add_game(a_game(f"open{number}", created_at=later(number)))
        for number in range(3):
            finish(tx, a_game(f"done{number}"), 100 + number, 10 - number)
        tx.add_game(a_game("left"))
        tx.abandon("left", later(1))
        tx.add_game(a_game("bobs", "bob", created_at=later(50)))
        tx.add_game(a_game("both", created_at=later(60), seats=(SeatRow(0, "ada"), SeatRow(1, "bob"))))
    with played.reading() as reader:

        def ids(status: Status, **window: int) -> list[str]:
            return [game.id for game in reader.games_of("ada", status, **window)]

        assert ids(Status.PLAYING) == ["both", "open3", "open2", "open1", "open0", "game"]
        assert ids(Status.FINISHED) == ["done0", "done1", "done2"]
        assert ids(Status.ABANDONED) == ["left"]
        assert ids(Status.PLAYING, limit=2) == ["both", "open3"]
        assert ids(Status.PLAYING, limit=2, offset=3) == ["open1", "open0"]
        assert [seat.score for game in reader.games_of("ada", Status.FINISHED) for seat in game.seats] == [
            100,
            101,
            102,
        ]
        assert [seat.player_id for seat in reader.games_of("ada", Status.PLAYING)[0].seats] == ["ada", "bob"]
        assert [game.id for game in reader.games_of("bob", Status.PLAYING)] == ["both", "bobs"]
        assert reader.games_of("nobody", Status.PLAYING) == []


def test_someone_on_two_seats_has_the_game_once(played: Store) -> None:
    with played.writing() as tx:
        tx.add_game(a_game("alone", created_at=later(1), seats=(SeatRow(0, "ada"), SeatRow(1, "ada"))))
    with played.reading() as tx:
        assert [game.id for game in tx.games_of("ada", Status.PLAYING, limit=2)] == ["alone", "game"]


def test_totals_keep_sorts_of_games_assisted_ones_and_abandoned_ones_apart(played: Store) -> None:
    scores = [251, 180, 375, 63, 251]
    with played.writing() as tx:
        for number, score in enumerate(scores):
            finish(tx, a_game(f"plain{number}"), score, number)
        finish(tx, a_game("assisted"), 400, 1, assisted=True)
        finish(tx, a_game("options", options='{"x":1}'), 90, 1)
        finish(tx, a_game("yatzy", ruleset="yatzy"), 0, 1)
        finish(tx, a_game("computer", kind="computer", seats=(SeatRow(0, "ada"), SeatRow(1, "bob"))), 80, 1)
        finish(tx, a_game("bobs", "bob"), 999, 1)
        for name in ("left1", "left2"):
            tx.add_game(a_game(name))
            tx.abandon(name, later(1))
    with played.reading() as reader:
        totals = {(t.ruleset, t.options, t.kind, t.assisted): t for t in reader.totals("ada")}
        assert reader.totals("nobody") == []
    plain = totals.pop(("classic", "{}", "solo", False))
    assert (plain.finished.count, plain.finished.best, plain.abandoned) == (5, 375, 2)
    assert plain.finished.mean == pytest.approx(statistics.mean(scores))
    assert plain.finished.deviation == pytest.approx(statistics.stdev(scores))
    assert list(totals.values()) == [
        Totals("classic", '{"x":1}', "solo", assisted=False, finished=Figures(1, 90, 90, 8100), abandoned=0),
        Totals("classic", "{}", "computer", assisted=False, finished=Figures(1, 80, 80, 6400), abandoned=0),
        Totals("classic", "{}", "solo", assisted=True, finished=Figures(1, 400, 400, 160_000), abandoned=0),
        Totals("yatzy", "{}", "solo", assisted=False, finished=Figures(1, 0, 0, 0), abandoned=0),
    ]


def test_totals_of_a_player_who_only_gave_up_have_no_scores(played: Store) -> None:
    with played.writing() as tx:
        tx.abandon("game", later(1))
        assert tx.totals("ada") == [
            Totals("classic", "{}", "solo", assisted=False, finished=Figures(), abandoned=1),
        ]


def test_figures_of_too_few_scores_are_none_and_not_errors() -> None:
    assert (Figures().mean, Figures().deviation) == (None, None)
    assert (Figures(1, 7, 7, 49).mean, Figures(1, 7, 7, 49).deviation) == (7, None)


def test_the_sums_of_a_thousand_highest_games_do_not_overflow(played: Store) -> None:
    with played.writing() as tx:
        for number in range(1000):
            finish(tx, a_game(f"g{number}"), 1575, number)
    with played.reading() as tx:
        found = tx.record_of("ada", "classic", "{}")
        assert [total.finished for total in tx.totals("ada")] == [found]
    assert found == Figures(1000, 1575, 1_575_000, 2_480_625_000)
    assert found.deviation == 0


def test_a_record_counts_finished_unassisted_games_of_one_sort(played: Store) -> None:
    with played.writing() as tx:
        finish(tx, a_game("a"), 200, 1)
        finish(tx, a_game("b"), 300, 2)
        finish(tx, a_game("assisted"), 999, 3, assisted=True)
        finish(tx, a_game("kind", kind="computer"), 999, 3)
        finish(tx, a_game("ruleset", ruleset="yatzy"), 999, 3)
        finish(tx, a_game("options", options='{"x":1}'), 999, 3)
        finish(tx, a_game("bobs", "bob"), 999, 3)
        tx.abandon("game", later(4))
    with played.reading() as tx:
        assert tx.record_of("ada", "classic", "{}") == Figures(2, 300, 500, 130_000)
        assert tx.record_of("ada", "classic", "{}", kind="computer") == Figures(1, 999, 999, 998_001)
        assert tx.record_of("ada", "crag", "{}") == Figures()


def test_the_record_before_a_game_knows_nothing_of_it_and_of_later_ones(played: Store) -> None:
    with played.writing() as tx:
        for name, score, minutes in (("a", 200, 1), ("c", 300, 2), ("b", 250, 2), ("d", 100, 3)):
            finish(tx, a_game(name), score, minutes)
    with played.reading() as reader:

        def best_before(name: str) -> int | None:
            return reader.record_of("ada", "classic", "{}", before=reader.game(name)).best

        # b and c ended at the same moment: their ids decide, so that each has its place.
        assert [best_before(name) for name in "abcd"] == [None, 200, 250, 300]


@pytest.mark.parametrize("statement", [RECORD, TOTALS], ids=["record", "totals"])
def test_records_and_totals_find_a_players_games_by_an_index(
    store: Store, statement: Select[tuple[object, ...]]
) -> None:
    values = {"player": "ada", "ruleset": "classic", "options": "{}", "kind": "solo"}
    words = statement.params(values).compile(
        store.engine, compile_kwargs={"literal_binds": True, "render_postcompile": True}
    )
    with store.engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            # A table with no rows is read whole by choice; that it can do otherwise is what is asked.
            connection.execute(text("SET LOCAL enable_seqscan = off"))
        explain = "EXPLAIN QUERY PLAN " if connection.dialect.name == "sqlite" else "EXPLAIN "
        plan = " ".join(str(row) for row in connection.execute(text(explain + str(words))))
    assert "ix_seats_player_id_game_id" in plan
    assert "SCAN" not in plan
    assert "Seq Scan" not in plan
