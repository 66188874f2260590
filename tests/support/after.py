"""Days that are played, and what comes after them: old Yacht, which is solved in a moment, and a small game beside it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from app.coach.making import Tables
from app.daily import commitment_of
from app.game.rulesets import ruleset
from app.settings import Settings
from app.store import DayRow, EntryRow, GameRow, PlayerRow, SeatRow, Store
from app.store.schema import entries, games, players
from tests.support.web import Visitor, World, open_world

DAY = date(2026, 11, 29)
"""The day on which the clock of these tests begins, at 08:00 UTC; its number is 333."""

NUMBER = 333


@pytest.fixture
def daily_world(tmp_path: Path, empty_database: Path, tables: Tables) -> Iterator[World]:
    """The application with two dailies, both of them solved."""
    for id_ in ("yacht", "yatzy_kids"):
        tables.make(ruleset(id_))
    settings = Settings(data=tmp_path, dailies=("yacht", "yatzy_kids"))
    shutil.copy(empty_database, tmp_path)
    settings.tables.symlink_to(tables.folder, target_is_directory=True)
    with open_world(settings) as opened:
        yield opened


def store_of(world: World) -> Store:
    """Give the store of an application."""
    found: Store = world.app.state.service.play.store
    return found


def attempt(visitor: Visitor, ruleset: str = "yacht") -> dict[str, Any]:
    """Begin today's attempt by the API."""
    made = visitor.post("/api/v1/games", json={"kind": "daily", "ruleset": ruleset})
    assert made.status_code in {200, 201}, made.text
    found: dict[str, Any] = made.json()
    return found


def finish(visitor: Visitor, ruleset: str = "yacht", *, worst: bool = False) -> dict[str, Any]:
    """Play today's attempt to its end with one roll a turn: into the box that brings the most points, or the fewest."""
    return visitor.play_out(
        attempt(visitor, ruleset), lambda boxes: (min if worst else max)(boxes, key=lambda box: boxes[box])
    )


def somebody(world: World, name: str | None = None) -> Visitor:
    """Let a player with a token come by."""
    visitor = world.visitor()
    visitor.identify(name)
    return visitor


def close(world: World) -> None:
    """Move on until the day of these tests has closed."""
    world.clock.forward(days=1)


def fill(store: Store, totals: Sequence[int], *, ruleset_id: str = "yacht", first: int = 0) -> list[str]:
    """Let players have these totals on the day, one minute after the other; gives the ids of their games."""
    made = []
    at = datetime(2026, 11, 29, 9, tzinfo=UTC)
    with store.writing() as tx:
        for number, total in enumerate(totals, start=first):
            player, game, ended = f"player{number:05}", f"game{number:05}", at + timedelta(minutes=number)
            tx.add_player(PlayerRow(player, at, name=f"Player {number}", name_skeleton=f"player {number}"))
            row = GameRow(
                game, "daily", ruleset_id, "{}", 1, "by_turn", bytes(32), at, day=DAY, seats=(SeatRow(0, player),)
            )
            tx.add_game(row)
            tx.add_entry(EntryRow(DAY, ruleset_id, player, game))
            tx.count_result(game, total, ended)
            made.append(game)
    return made


def published(store: Store, ruleset_id: str = "yacht") -> None:
    """Publish the day in a store that has no application."""
    key = bytes(range(32))
    at = datetime(2026, 11, 1, tzinfo=UTC)
    with store.writing() as tx:
        tx.add_days([DayRow(DAY, ruleset_id, "{}", 1, "by_turn", key, commitment_of(key), at)])


def fill_other_days(store: Store, count: int = 3_000) -> None:
    """Let so many players finish the day and many days before it, quickly: an index then pays."""
    at = datetime(2026, 11, 29, 9, tzinfo=UTC)
    on = [DAY - timedelta(days=number % 6) for number in range(count)]
    for day in set(on):
        with store.writing() as tx:
            tx.add_days([DayRow(day, "yacht", "{}", 1, "by_turn", bytes(32), "", at)])
    game = dict.fromkeys(("kind", "options", "addressing"), "")
    fixed = {
        "dice_version": 1,
        "key": b"",
        "corrections": False,
        "shared_dice": False,
        "first_seat": 0,
        "assisted": False,
    }
    with store.engine.begin() as connection:
        connection.execute(insert(players), [{"id": str(n), "settings": "{}", "created_at": at} for n in range(count)])
        connection.execute(
            insert(games), [{"id": str(n), "ruleset": "yacht", "created_at": at, **game, **fixed} for n in range(count)]
        )
        made = [
            {
                "day": day,
                "ruleset": "yacht",
                "player_id": str(n),
                "game_id": str(n),
                "total": 100 + n % 97,
                "finished_at": at,
            }
            for n, day in enumerate(on)
        ]
        connection.execute(insert(entries), made)


def finished_games(store: Store, count: int) -> list[str]:
    """Make games that ended one after the other; gives their ids."""
    at = datetime(2026, 11, 29, 9, tzinfo=UTC)
    made = [f"g{number:03}" for number in range(count)]
    with store.writing() as tx:
        tx.add_player(PlayerRow("ada", at))
        for number, id_ in enumerate(made):
            tx.add_game(GameRow(id_, "solo", "yacht", "{}", 1, "by_turn", bytes(32), at, seats=(SeatRow(0, "ada"),)))
            tx.finish(id_, at + timedelta(minutes=number), {0: 100})
    return made
