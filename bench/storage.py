"""What a finished game costs in SQLite: games played alone, day after day, each packed a day later."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from sqlalchemy import insert

from app.game.dice import Stream
from app.game.notation import write_move
from app.game.rulesets import ruleset
from app.game.state import Roll, Score, State, apply, legal, start
from app.play import new_id
from app.play.course import options_text
from app.play.keeping import Keeping
from app.settings import DATABASE_FILE
from app.store import GameRow, PlayerRow, Reading, SeatRow, Store
from app.store.schema import moves

GAMES = 100_000
GAMES_A_DAY = 2_000
GAMES_A_PLAYER = 20
PATTERNS = 500
GOAL_MB = 400
"""Megabytes that a million finished games may take."""


@dataclass(slots=True)
class Days:
    """A clock that goes from day to day."""

    now: datetime = field(default_factory=lambda: datetime(2026, 1, 1, 12, 0, 0, 123456, tzinfo=UTC))

    def __call__(self) -> datetime:
        """Give the present moment."""
        return self.now


def main() -> None:
    """Measure, and print a table; BENCH_GAMES in the environment is another number of games."""
    games = int(os.environ.get("BENCH_GAMES", GAMES))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / DATABASE_FILE
        store, clock = Store.open(path, synchronous="NORMAL"), Days()
        store.migrate()
        keeping = Keeping(store, clock)
        begun = time.perf_counter()
        packing, entries = _live(store, keeping, clock, games)
        whole = time.perf_counter() - begun
        with store.reading() as tx:
            left = _number(tx, "SELECT count(*) FROM moves")
            page, free = _number(tx, "PRAGMA page_size"), _number(tx, "PRAGMA freelist_count")
        store.close()
        size = path.stat().st_size
    # Pages that the logs of the last two days filled are free again, and stay so: they do not grow with the number of games.
    a_game = (size - free * page) / games
    a_million = (a_game * 1_000_000 + free * page) / 1e6
    print(f"  {games:,} finished solo games, {entries / games:.1f} entries each; {left} entries are not packed")
    print(
        f"  {size / 1e6:.1f} MB, {free * page / 1e6:.1f} of them free for the logs of the next days, {GAMES_A_DAY:,} games each"
    )
    print(f"  {a_game:.0f} bytes a game, {a_million:.0f} MB for a million (goal: below {GOAL_MB})")
    print(f"  packed in {packing:.1f} s of {whole:.1f} s, {packing / games * 1e6:.0f} µs a game")
    print(json.dumps({"measurement": "storage", "mb_a_million": round(a_million), "goal": GOAL_MB}))
    if a_million >= GOAL_MB:
        sys.exit("A million finished games take too much.")


def _number(tx: Reading, question: str) -> int:
    return int(tx.connection.exec_driver_sql(question).scalar_one())


def _live(store: Store, keeping: Keeping, clock: Days, games: int) -> tuple[float, int]:
    """Let day after day go by; give the seconds that packing took, and how many entries there were."""
    rng = Random(1)
    patterns = [_play(rng) for _ in range(PATTERNS)]
    packing, entries, player = 0.0, 0, ""
    for first in range(0, games + 2 * GAMES_A_DAY, GAMES_A_DAY):
        with store.writing() as tx:
            written = []
            for number in range(first, min(first + GAMES_A_DAY, games)):
                if number % GAMES_A_PLAYER == 0:
                    player = new_id()
                    tx.add_player(PlayerRow(player, clock()))
                log = rng.choice(patterns)
                entries += len(log)
                row = _row(player, clock())
                tx.add_game(row)
                moment = clock()
                for seq, move in enumerate(log, start=1):
                    moment += timedelta(seconds=rng.choice((2, 3, 5, 8, 13, 90)))
                    written.append({"game_id": row.id, "seq": seq, "move": move, "made_at": moment})
                tx.finish(row.id, moment, {0: 200})
                # As the page does that shows how the dice have fallen.
                tx.mark_game_tallied(row.id)
            if written:
                tx.connection.execute(insert(moves), written)
        clock.now += timedelta(days=1, hours=2)
        begun = time.perf_counter()
        keeping.tidy()
        packing += time.perf_counter() - begun
    return packing, entries


def _row(player: str, at: datetime) -> GameRow:
    rules = ruleset("classic")
    return GameRow(
        new_id(), "solo", rules.id, options_text(rules), 1, "by_turn", os.urandom(32), at, seats=(SeatRow(0, player),)
    )


def _play(rng: Random) -> list[str]:
    """Play a game as people do: nearly always all rolls, keeping what is most frequent."""
    rules = ruleset("classic")
    state, stream, log = start(rules, 1), Stream(rng.randbytes(32)), []
    while not state.over:
        move = _choose(rng, state)
        state = apply(state, move, stream)
        log.append(write_move(rules, move))
    return log


def _choose(rng: Random, state: State) -> Roll | Score:
    allowed = legal(state)
    if state.dice is None:
        return Roll(())
    most = max(state.dice, key=state.dice.count)
    keep = tuple(place for place, face in enumerate(state.dice) if face == most)
    if allowed.roll and len(keep) < len(state.dice) and rng.random() < 0.9:  # noqa: PLR2004 - how often people roll on
        return Roll(keep)
    return Score(max(allowed.boxes, key=lambda box: (allowed.boxes[box], box)))


if __name__ == "__main__":
    main()
