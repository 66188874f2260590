"""Board, rank and histogram as the store answers them, on both databases: right, in order, and read from an index."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from sqlalchemy import ClauseElement, text

from app.play.identity import new_id
from app.play.results import begins, ranks
from app.store import Reading, ResultRow, Store
from app.store.boards import BOARD, HISTOGRAM, ids_that_begin
from tests.support.after import DAY, fill, fill_other_days, published

TOTALS = [random.Random(5).choice((180, 200, 210, 230, 250)) for _ in range(300)]


@pytest.fixture
def filled(store: Store) -> Store:
    """A store with 300 results of five different totals on the day."""
    published(store)
    fill(store, TOTALS)
    return store


def a_page(tx: Reading, offset: int, limit: int = 50) -> list[ResultRow]:
    """Read a page of the board as the pages do."""
    highest, before = begins(tx.histogram(DAY, "yacht"), offset)
    return tx.board(DAY, "yacht", highest, limit=limit, offset=offset - before)


def test_everybody_stands_on_the_board_once_and_in_the_same_order_every_time(filled: Store) -> None:
    seen = []
    for offset in range(0, 300, 50):
        with filled.reading() as tx:
            page, again = (a_page(tx, offset) for _ in range(2))
        assert page == again
        seen += page
    assert len({row.player_id for row in seen}) == len(seen) == 300
    # The best first; of equal ones the one that was reached first.
    assert [(row.total, row.player_id) for row in seen] == sorted(
        ((total, f"player{number:05}") for number, total in enumerate(TOTALS)), key=lambda one: (-one[0], one[1])
    )


def test_ranks_run_1_1_3_over_all_pages(filled: Store) -> None:
    counted = Counter(TOTALS)
    for offset in (0, 50, 100, 290):
        with filled.reading() as tx:
            page = [row.total for row in a_page(tx, offset)]
            _, before = begins(tx.histogram(DAY, "yacht"), offset)
        expected = [1 + sum(count for total, count in counted.items() if total > own) for own in page]
        assert list(ranks(page, offset, before)) == expected


def test_an_equal_result_moves_nobody_down(filled: Store) -> None:
    with filled.reading() as tx:
        before = [row.player_id for row in a_page(tx, 0, 300)]
    fill(filled, [210], first=300)
    with filled.reading() as tx:
        after = [row.player_id for row in a_page(tx, 0, 301)]
    place = after.index("player00300")
    assert after[:place] == before[:place]
    assert place == sum(total >= 210 for total in TOTALS)


def test_a_hidden_result_is_left_out_and_the_ranks_close_up(filled: Store) -> None:
    with filled.writing() as tx:
        best = a_page(tx, 0, 1)[0]
        assert tx.hide(DAY, "yacht", best.player_id)
        assert best.player_id not in {row.player_id for row in a_page(tx, 0, 300)}
        assert sum(count for _, count in tx.histogram(DAY, "yacht")) == 299
        assert dict(tx.histogram(DAY, "yacht"))[best.total] == Counter(TOTALS)[best.total] - 1


def test_the_histogram_counts_every_total(filled: Store) -> None:
    with filled.reading() as tx:
        assert tx.histogram(DAY, "yacht") == sorted(Counter(TOTALS).items(), reverse=True)
        assert tx.histogram(DAY, "classic") == []


def test_a_result_is_found_by_the_letters_its_game_begins_with_if_they_are_enough(filled: Store) -> None:
    with filled.reading() as tx:
        found = tx.result_of(DAY, "yacht", "game00007")
        assert found is not None
        assert (found.player_id, found.total) == ("player00007", TOTALS[7])
        assert tx.result_of(DAY, "yacht", "game0000") is None
        assert tx.result_of(DAY, "yacht", "nothing") is None
        assert tx.result_of(DAY, "classic", "game00007") is None


@pytest.mark.parametrize("as_in_dictionaries", [False, True])
def test_the_bounds_hold_the_ids_that_begin_so_in_every_order_that_a_database_may_have(
    *, as_in_dictionaries: bool
) -> None:
    def place(id_: str) -> list[tuple[bool, str]]:
        # A dictionary has signs before digits and letters; the order of the codes has some after them.
        return [(as_in_dictionaries and letter.isalnum(), letter) for letter in id_]

    ids = [new_id() for _ in range(300)]
    for begins_with in (id_[:8] for id_ in ids):
        first, last = (place(bound) for bound in ids_that_begin(begins_with))
        assert all((first <= place(id_) <= last) == id_.startswith(begins_with) for id_ in ids)


def plan(store: Store, statement: ClauseElement, **values: object) -> str:
    """Ask the database how it goes about a question."""
    on_sqlite = store.engine.dialect.name == "sqlite"
    dialect = store.engine.dialect
    asked = str(statement.params(**values).compile(dialect=dialect, compile_kwargs={"literal_binds": True}))
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if not on_sqlite:
            # The database does this by itself after a while.
            connection.execute(text("VACUUM ANALYZE entries"))
            # A table as small as this is read whole; how it goes about a large one is asked for.
            connection.execute(text("SET enable_seqscan = off"))
            connection.execute(text("SET enable_bitmapscan = off"))
        rows = connection.execute(text(f"{'EXPLAIN QUERY PLAN' if on_sqlite else 'EXPLAIN'} {asked}"))
        return "\n".join(str(row[-1]) for row in rows)


@pytest.mark.parametrize(
    ("statement", "values"),
    [(BOARD, {"limit": 50, "offset": 10, "highest": 230}), (HISTOGRAM, {})],
    ids=["board", "histogram"],
)
def test_an_index_is_read_and_not_the_table(store: Store, statement: ClauseElement, values: dict[str, object]) -> None:
    fill_other_days(store)
    found = plan(store, statement, on=DAY, rules="yacht", hidden=False, **values)
    assert "ix_entries_board" in found
    assert "SCAN entries" not in found
    assert "Seq Scan on entries" not in found
