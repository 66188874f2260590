"""The dice of a day: the same for everybody, for ever, in every process, and as anybody can compute them."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import random
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from app.daily import closes_at
from app.game.dice import Addressing
from app.game.state import Move, Roll, Score
from app.play import Look, Play
from app.play.days import Days
from app.play.sights import dice_by_turn, dice_in_sequence
from app.store import Status, Store
from tests.support.days import ONE, TODAY, days_on
from tests.support.table import random_move
from tests.support.web import FakeClock

GOLDEN = Path(__file__).parent / "vectors" / "daily.json"
SECRET = bytes.fromhex("66616972776e6420".ljust(64, "7"))
TURNS = {"classic": 13, "yatzy": 15}
FIRST = date(2026, 1, 1)


@pytest.fixture
def store(lone_store: Store) -> Store:
    """A store on SQLite."""
    return lone_store


def faces_by_hand(key: bytes, address: str) -> str:
    """Give the five faces of a roll, computed from the description of the stream alone."""
    faces = ""
    block = 0
    while len(faces) < 5:
        digest = hmac.new(key, f"fairwind/1/{address}/{block}".encode(), hashlib.sha256).digest()
        faces += "".join(str(byte % 6 + 1) for byte in digest if byte < 252)
        block += 1
    return faces[:5]


def dice_by_hand(day: date, ruleset_id: str) -> str:
    """Give all dice of a day: turns with a bar between them, rolls with a space."""
    key = hmac.new(SECRET, f"daily/{ruleset_id}/{day}".encode(), hashlib.sha256).digest()
    return "|".join(
        " ".join(faces_by_hand(key, f"0/{turn}/{roll}") for roll in (1, 2, 3))
        for turn in range(1, TURNS[ruleset_id] + 1)
    )


def golden() -> dict[str, dict[str, str]]:
    """Read the dice that are true for ever: by day and ruleset."""
    found: dict[str, dict[str, str]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return found


def test_the_golden_file_has_sixty_days_by_two_rulesets_and_is_what_anybody_computes() -> None:
    stored = golden()
    assert len(stored) == 60
    assert stored == {
        day: {id_: dice_by_hand(date.fromisoformat(day), id_) for id_ in ("classic", "yatzy")} for day in stored
    }


def test_the_dice_of_sixty_days_are_those_of_the_golden_file(store: Store, clock: FakeClock) -> None:
    for text, by_ruleset in golden().items():
        day = date.fromisoformat(text)
        clock.now = closes_at(day)
        days = days_on(store, clock, secret=SECRET)
        for id_, dice in by_ruleset.items():
            turns = dice_by_turn(days.see(None, day, id_))
            written = "|".join(" ".join("".join(map(str, roll)) for roll in turn) for turn in turns)
            assert written == dice, (text, id_)


def test_continuous_days_go_through_one_sequence(store: Store, clock: FakeClock) -> None:
    days = days_on(store, clock, addressing=Addressing.CONTINUOUS)
    clock.now = closes_at(TODAY)
    sight = days.see(None, TODAY)
    assert sight.key is not None
    assert dice_by_turn(sight) == []
    written = ["".join(map(str, faces)) for faces in dice_in_sequence(sight)]
    assert written == [faces_by_hand(sight.key, f"0/c/{nth}") for nth in range(39)]


def test_no_two_days_of_ten_years_share_their_first_thirty_dice() -> None:
    seen = set()
    for number in range(3_653):
        key = hmac.new(SECRET, f"daily/classic/{FIRST + timedelta(days=number)}".encode(), hashlib.sha256).digest()
        seen.add(tuple(faces_by_hand(key, f"0/{turn}/{roll}") for turn in (1, 2) for roll in (1, 2, 3)))
    assert len(seen) == 3_653


def play_at_random(
    play: Play, look: Look, player: str, chance: random.Random
) -> dict[tuple[int, int], tuple[str, str]]:
    """Play to the end, and give for each turn and roll the dice kept before it and the new faces in order."""
    found = {}
    while look.status is Status.PLAYING:
        move: Move = random_move(look.state, chance)
        look = play.move(look.id, player, look.version, move).look
        if isinstance(move, Roll):
            dice = look.state.dice or ()
            new = "".join(str(face) for place, face in enumerate(dice) if place not in move.keep)
            found[look.state.turn, look.state.roll] = (str(len(move.keep)), new)
    return found


@pytest.mark.parametrize("id_", ["classic", "yatzy"])
def test_whatever_two_players_choose_each_turn_and_roll_has_the_same_dice(
    days: Days, play: Play, clock: FakeClock, id_: str
) -> None:
    seen = []
    for seed in range(6):
        opened = days.begin(None, id_)
        seen.append(play_at_random(play, opened.look, opened.player, random.Random(seed)))
    clock.now = closes_at(TODAY)
    turns = dice_by_turn(days.see(None, TODAY, id_))
    assert len({tuple(sorted(rolls)) for rolls in seen}) > 1, "they stopped at different rolls"
    for rolls in seen:
        for (turn, roll), (kept, new) in rolls.items():
            faces = "".join(map(str, turns[turn - 1][roll - 1]))
            # Whoever rolls m dice gets the first m of the five.
            assert new == faces[: 5 - int(kept)]


def test_which_of_two_equal_dice_is_kept_makes_no_difference(days: Days, play: Play, clock: FakeClock) -> None:
    while True:
        opened = days.begin(None)
        look = play.move(opened.look.id, opened.player, 0, Roll()).look
        dice = look.state.dice or ()
        double = next((face for face in dice if dice.count(face) > 1), None)
        if double is not None:
            break
        clock.forward(days=1)
    left, right = dice.index(double), len(dice) - 1 - dice[::-1].index(double)
    other = days.begin(None)
    play.move(other.look.id, other.player, 0, Roll())
    after = [
        play.move(one.look.id, one.player, 1, Roll((kept,))).look.state.dice
        for one, kept in ((opened, left), (other, right))
    ]
    assert sorted(after[0] or ()) == sorted(after[1] or ())


def test_stopping_early_shifts_nothing_by_turn_and_moves_dice_up_in_one_sequence(
    store: Store, play: Play, clock: FakeClock
) -> None:
    second_turn = {}
    for addressing in (Addressing.BY_TURN, Addressing.CONTINUOUS):
        days = days_on(store, clock, addressing=addressing, rulesets=("classic",))
        clock.forward(days=40)
        for rolls in (1, 3):
            opened = days.begin(None)
            for version in range(rolls):
                play.move(opened.look.id, opened.player, version, Roll())
            play.move(opened.look.id, opened.player, rolls, Score("chance"))
            look = play.move(opened.look.id, opened.player, rolls + 1, Roll()).look
            assert look.addressing is addressing
            second_turn[addressing, rolls] = look.state.dice
    assert second_turn[Addressing.BY_TURN, 1] == second_turn[Addressing.BY_TURN, 3]
    assert second_turn[Addressing.CONTINUOUS, 1] != second_turn[Addressing.CONTINUOUS, 3]


DAY = """
import sqlite3, sys
from datetime import UTC, datetime
from pathlib import Path
from app.game.state import Roll, Score, legal
from app.play import Play
from app.play.days import Dailies, Days
from app.store import Status, Store

path = Path(sys.argv[1]) / "days.sqlite3"
store = Store.open(path)
store.migrate()
clock = lambda: datetime(2026, 10, 25, 0, 30, 15, 250000, tzinfo=UTC)
days, play = Days(store, clock, Dailies(secret=bytes(32))), Play(store, clock)
days.publish()
opened = days.begin(None, "yatzy")
look = opened.look
while look.status is Status.PLAYING:
    box = next(iter(legal(look.state).boxes), None)
    look = play.move(look.id, opened.player, look.version, Roll() if box is None else Score(box)).look
print(look.day, look.state.card.total, days.today(opened.player, "yatzy").number)
store.close()
connection = sqlite3.connect(path)
for query in (
    "SELECT DISTINCT published_at FROM days", "SELECT min(day), max(day) FROM days", "SELECT day, total, finished_at FROM entries",
    "SELECT day, created_at, finished_at FROM games", "SELECT hex(key) FROM days ORDER BY ruleset, day LIMIT 3",
):
    print(connection.execute(query).fetchall())
connection.close()
"""


def test_processes_with_other_hashes_and_time_zones_have_the_same_day_and_store_the_same_instants(
    tmp_path: Path,
) -> None:
    printed = []
    for seed, zone in (("1", "UTC"), ("2", "Asia/Jerusalem"), ("3", "America/Los_Angeles")):
        (tmp_path / seed).mkdir()
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", DAY, str(tmp_path / seed)],
            env=os.environ | {"TZ": zone, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout)
    assert printed[0] == printed[1] == printed[2]
    moment = "2026-10-25 00:30:15.250000"
    first, published, span, entry, game, _ = printed[0].splitlines()
    total = int(first.split()[1])
    assert first == f"2026-10-25 {total} 298"
    assert published == f"[('{moment}',)]"
    assert span == "[('2026-10-25', '2026-11-24')]"
    assert entry == f"[('2026-10-25', {total}, '{moment}')]"
    assert game == f"[('2026-10-25', '{moment}', '{moment}')]"
    assert (date(2026, 10, 25) - FIRST) / ONE + 1 == 298
