"""A day of 100,000 results: a page of the board, the rank and the histogram, each asked of the store as the pages ask."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import median

from sqlalchemy import insert

from app.daily import commitment_of
from app.play.results import ROWS_A_PAGE, begins
from app.store import DayRow, Store
from app.store.schema import entries, games, players

RESULTS = 100_000
GOAL = 0.05
DAY = date(2026, 11, 29)
AT = datetime(2026, 11, 29, 9, tzinfo=UTC)
CHUNK = 10_000
TIMES = 15


def main() -> None:
    """Measure, and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "days.sqlite3")
        store.migrate()
        _fill(store)
        slowest = max(_print_times(store))
        store.close()
    print(json.dumps({"measurement": "days", "slowest_seconds": round(slowest, 4), "goal": GOAL}))


def _fill(store: Store) -> None:
    """Let 100,000 players finish one day, with totals as people reach them."""
    chance = random.Random(7)
    key = bytes(32)
    with store.writing() as tx:
        tx.add_days([DayRow(DAY, "classic", "{}", 1, "by_turn", key, commitment_of(key), AT)])
    for first in range(0, RESULTS, CHUNK):
        numbers = range(first, first + CHUNK)
        with store.engine.begin() as connection:
            connection.execute(
                insert(players),
                [{"id": f"p{n:06}", "settings": "{}", "created_at": AT, "name": f"P {n}"} for n in numbers],
            )
            connection.execute(insert(games), [_game(number, key) for number in numbers])
            connection.execute(insert(entries), [_entry(number, chance) for number in numbers])


def _game(number: int, key: bytes) -> dict[str, object]:
    return {
        "id": f"g{number:06}",
        "kind": "daily",
        "ruleset": "classic",
        "options": "{}",
        "dice_version": 1,
        "addressing": "by_turn",
        "key": key,
        "created_at": AT,
        "corrections": False,
        "shared_dice": False,
        "first_seat": 0,
        "assisted": False,
        "day": DAY,
        "finished_at": AT + timedelta(seconds=number / 4),
    }


def _entry(number: int, chance: random.Random) -> dict[str, object]:
    return {
        "day": DAY,
        "ruleset": "classic",
        "player_id": f"p{number:06}",
        "game_id": f"g{number:06}",
        "total": max(60, round(chance.gauss(210, 50))),
        "finished_at": AT + timedelta(seconds=number / 4),
    }


def _print_times(store: Store) -> Iterator[float]:
    """Time each question, the median of some tries."""
    with store.reading() as tx:
        totals = tx.histogram(DAY, "classic")

        def page(offset: int) -> object:
            highest, before = begins(totals, offset)
            return tx.board(DAY, "classic", highest, limit=ROWS_A_PAGE, offset=offset - before)

        questions: dict[str, Callable[[], object]] = {
            "board, first page": lambda: page(0),
            "board, middle page": lambda: page(RESULTS // 2),
            "board, last page": lambda: page(RESULTS - ROWS_A_PAGE),
            # The rank is read off it.
            "histogram and rank": lambda: tx.histogram(DAY, "classic"),
        }
        for name, ask in questions.items():
            ask()
            seconds = median(_timed(ask) for _ in range(TIMES))
            print(f"  {name:20} {seconds * 1000:7.2f} ms (goal: under {GOAL * 1000:.0f})")
            yield seconds


def _timed(ask: Callable[[], object]) -> float:
    begun = time.perf_counter()
    ask()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
