"""`fairwind daily` on the command line: what is published, what opens at the close, and the operator's marks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from math import sqrt
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from app import clock as system_clock
from app.__main__ import main
from app.coach.advice import Coach
from app.coach.hindsight import hindsight
from app.coach.making import Tables
from app.coach.par import par
from app.coach.players import calibration, positions
from app.daily import closes_at
from app.game.dice import Stream
from app.game.rulesets import ruleset
from app.game.state import Move, Roll, Score, State
from app.play import Play
from app.play.coaching import Coaches, Coaching
from app.play.days import Dailies, Days
from app.settings import DATABASE_FILE
from app.store import Store
from tests.support.days import SECRET, TODAY, finish, key_by_hand
from tests.support.web import FakeClock

Daily: TypeAlias = Callable[..., Any]


@pytest.fixture
def daily(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], clock: FakeClock, tables: Any
) -> Daily:
    """Call `fairwind daily` at the test's moment on a server of old Yacht, and give its one document."""
    monkeypatch.setenv("FAIRWIND_DATA", str(tmp_path))
    monkeypatch.setenv("FAIRWIND_DAILY_SECRET", SECRET.hex())
    monkeypatch.setenv("FAIRWIND_DAILIES", "yacht,crag")
    monkeypatch.setattr(system_clock, "system", clock)
    (tmp_path / "tables").symlink_to(tables.folder, target_is_directory=True)

    def call(*words: str, code: int = 0) -> Any:
        assert main(["daily", *words, "--json"]) == code
        printed = capsys.readouterr()
        return json.loads(printed.out) if code == 0 else printed.err

    return call


def test_today_is_published_with_its_commitment_and_nothing_else(daily: Daily) -> None:
    found = daily()
    assert found == {
        "day": "2026-11-29",
        "number": 333,
        "ruleset": "yacht",
        "addressing": "by_turn",
        "commitment": found["commitment"],
    }
    assert daily("2026-11-29", "--ruleset", "yacht") == found
    assert daily("2026-12-29", "--ruleset", "crag")["number"] == 363


def test_at_the_close_the_key_and_all_dice_are_told(daily: Daily, clock: FakeClock, yacht: object) -> None:
    del yacht
    daily()
    clock.now = closes_at(TODAY) - timedelta(seconds=1)
    assert "key" not in daily("2026-11-29")
    clock.forward(seconds=1)
    found = daily("2026-11-29")
    assert found["key"] == key_by_hand("yacht", TODAY).hex()
    assert [len(turn) for turn in found["dice"]] == [3] * 12
    assert "sequence" not in found


def test_continuous_days_have_one_sequence_of_faces(
    daily: Daily, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, yacht: object
) -> None:
    del yacht
    monkeypatch.setenv("FAIRWIND_DAILY_STREAM", "continuous")
    assert daily()["addressing"] == "continuous"
    clock.now = closes_at(TODAY)
    found = daily("2026-11-29")
    assert "dice" not in found
    assert len(found["sequence"]) == 12 * 3 * 5
    assert set(found["sequence"]) <= {1, 2, 3, 4, 5, 6}


def test_the_text_for_people_says_the_same(
    daily: Daily, capsys: pytest.CaptureFixture[str], clock: FakeClock, yacht: object
) -> None:
    del yacht
    commitment = daily()["commitment"]
    assert main(["daily"]) == 0
    assert capsys.readouterr().out == (
        f"Daily 333, 2026-11-29, yacht, by_turn\ncommitment {commitment}\n"
        "The key and the dice are open from 06:00 UTC of the day after.\n"
    )
    clock.now = closes_at(TODAY)
    first = daily("2026-11-29")["dice"][0]
    assert main(["daily", "2026-11-29"]) == 0
    printed = capsys.readouterr().out
    assert key_by_hand("yacht", TODAY).hex() in printed
    assert "turn  1  " + "   ".join(" ".join(map(str, faces)) for faces in first) in printed


def test_days_that_are_none_are_refused_in_a_sentence(daily: Daily) -> None:
    assert "30 days ahead" in daily("2026-12-30", code=2)
    assert "2026-01-01" in daily("2025-12-31", code=2)
    assert "yacht, crag have one" in daily("--ruleset", "classic", code=2)
    assert "yacht, crag have one" in daily("excuse", "2026-11-28", "--ruleset", "classic", code=2)


def test_the_operator_excuses_a_day_and_hides_a_result(daily: Daily, tmp_path: Path, clock: FakeClock) -> None:
    daily()
    store = Store.open(tmp_path / DATABASE_FILE)
    days = Days(store, clock, Dailies(("yacht", "crag"), secret=SECRET))
    opened = days.begin(None)
    finish(Play(store, clock), opened.look, opened.player)
    assert daily("excuse", "2026-11-29") == {"day": "2026-11-29", "excused": ["yacht", "crag"]}
    assert daily("excuse", "2026-11-28", "--ruleset", "crag") == {"day": "2026-11-28", "excused": ["crag"]}
    assert "'nobody'" in daily("hide", "2026-11-29", "nobody", code=2)
    assert daily("hide", "2026-11-29", opened.player) == {"day": "2026-11-29", "hidden": ["yacht"]}
    with store.reading() as tx:
        entry = tx.entry(TODAY, "yacht", opened.player)
        assert entry is not None
        assert entry.hidden
        assert tx.excused("yacht") == {TODAY}
        assert tx.excused("crag") == {TODAY, TODAY - timedelta(days=1)}
    store.close()


def attempt(store: Store, days: Days, clock: FakeClock, moves: Callable[[State], Move]) -> tuple[str, str]:
    """Let somebody new play today's Yacht by these moves; gives the player and the game."""
    opened = days.begin(None)
    play, look = Play(store, clock), opened.look
    while look.status == "playing":
        look = play.move(look.id, opened.player, look.version, moves(look.state)).look
    return opened.player, look.id


def test_whoever_has_rehearsed_a_day_is_named_once_it_has_closed_and_honest_players_are_not(
    daily: Daily, tmp_path: Path, clock: FakeClock, yacht: Coach
) -> None:
    store = Store.open(tmp_path / DATABASE_FILE)
    store.migrate()
    days = Days(store, clock, Dailies(("yacht", "crag"), secret=SECRET))
    days.publish()
    rules, stream = ruleset("yacht"), Stream(key_by_hand("yacht", TODAY))
    best = iter(hindsight(rules, stream).moves)
    cheat, game = attempt(store, days, clock, lambda _: next(best))
    attempt(store, days, clock, lambda state: perfect_move(yacht, state))
    dull = days.begin(None)
    finish(Play(store, clock), dull.look, dull.player)
    assert "not closed yet" in daily("outliers", "2026-11-29", code=2)
    clock.now = closes_at(TODAY)
    found = daily("outliers", "2026-11-29")
    assert (found["ruleset"], found["par"]) == ("yacht", par(yacht, stream))
    assert (found["above_par"], found["looked_at"]) == (1, 1)
    (named,) = found["outliers"]
    assert (named["player"], named["name"], named["game"]) == (cheat, None, game)
    # The ledger counts it the other way round: the luck of its rolls, less that of the perfect player's.
    review = Coaching(store, Coaches(Tables(tmp_path / "tables")), clock).review(game, cheat).ledger
    assert named["luck"] == pytest.approx(review.luck - (par(yacht, stream) - review.start), abs=0.01)
    # Twice a perfect game's standard deviation and more, which the calibration has measured.
    perfect = calibration()["yacht"]["perfect"]
    assert named["deviations"] == pytest.approx(
        named["luck"] / (perfect.standard_error * sqrt(perfect.games)), abs=0.01
    )
    daily("hide", "2026-11-29", cheat)
    assert daily("outliers", "2026-11-29") == {**found, "above_par": 0, "looked_at": 0, "outliers": []}
    store.close()


def perfect_move(coach: Coach, state: State) -> Move:
    """Choose as the perfect player does."""
    if state.dice is None:
        return Roll()
    best = coach.advise(state.card, state.dice, state.rolls_left, roll=state.roll).best
    return Score(best) if isinstance(best, str) else Roll(positions(state.dice, best))


def test_outliers_of_days_that_are_none_are_refused_in_a_sentence(daily: Daily) -> None:
    assert "2026-01-01" in daily("outliers", "2025-12-31", code=2)
    assert "yacht, crag have one" in daily("outliers", "2026-11-28", "--ruleset", "classic", code=2)
    assert "'soon' is not a date" in daily("outliers", "soon", code=2)
    assert "not understood" in daily("outliers", "2026-11-28", "2026-11-27", code=2)


def test_outliers_are_told_to_people_in_sentences(
    daily: Daily, capsys: pytest.CaptureFixture[str], yacht: Coach
) -> None:
    del yacht
    daily()
    capsys.readouterr()
    assert main(["daily", "outliers", "2026-11-27"]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[1:] == ["None of them was luckier than chance explains."]
    assert re.fullmatch(r"2026-11-27, yacht, par [0-9]+: 0 results above par", said.splitlines()[0])
