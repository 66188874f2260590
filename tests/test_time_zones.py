"""The time zone of the machine changes nothing that is stored."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PLAY = """
import sqlite3, sys
from datetime import UTC, datetime
from pathlib import Path
from app.game.rulesets import ruleset
from app.game.state import Roll, Score
from app.play import Plan, Play
from app.store import Store

path = Path(sys.argv[1]) / "game.sqlite3"
store = Store.open(path)
store.migrate()
play = Play(store, lambda: datetime(2026, 10, 25, 0, 30, 15, 250000, tzinfo=UTC), lambda: bytes(32))
player, look = play.open_game(None, Plan(ruleset("crag")))
while look.status == "playing":
    move = Roll() if look.state.dice is None else Score(next(box.key for box, had in zip(
        look.state.ruleset.boxes, look.state.card.points) if had is None))
    look = play.move(look.id, player, look.version, move).look
again = play.look(look.id, player)
print(again.created_at.isoformat(), again.finished_at.isoformat())
store.close()
connection = sqlite3.connect(path)
for table, column in (("players", "created_at"), ("games", "created_at"), ("games", "finished_at"), ("moves", "made_at")):
    print(connection.execute(f"SELECT DISTINCT {column} FROM {table}").fetchall())
connection.close()
"""


@pytest.mark.parametrize("zone", ["UTC", "Asia/Jerusalem", "America/Los_Angeles"])
def test_the_same_instants_are_stored_in_every_time_zone(tmp_path: Path, zone: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAY, str(tmp_path)],
        env=os.environ | {"TZ": zone},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    moment = "2026-10-25 00:30:15.250000"
    assert done.stdout.splitlines() == [
        "2026-10-25T00:30:15.250000+00:00 2026-10-25T00:30:15.250000+00:00",
        *[f"[('{moment}',)]"] * 4,
    ]
