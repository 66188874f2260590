"""The exact solver against known values, against brute force, and its tables on disk."""

from __future__ import annotations

import random
import subprocess
import threading
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.coach.boxes import CLOSED, Cards
from app.coach.choices import Plan
from app.coach.making import Pace, Tables
from app.coach.policy import Judge
from app.coach.sheet import Unsolvable
from app.coach.solve import solve
from app.coach.states import states
from app.coach.tables import BadTable, read_table, write_table
from app.coach.turns import ArrayValues
from app.coach.workings import InMemory, OnDisk
from app.game.card import Card
from app.game.rules import Box, Ruleset
from app.game.rulesets import ruleset
from app.game.scores import Groups
from tests.support.brute import Brute, random_card
from tests.support.small import PAIR, SMALL, UPPER, small
from tests.support.solved import THOROUGH, expected_total, fully
from tests.support.stores import all_at_once
from tests.support.table import defaults, every_value, named

SOLVABLE = [
    rules
    for rules in {named(rules): rules for rules in every_value()}.values()
    # The presets of the classic game are built alike and have its options, so their defaults do but for long runs.
    if not rules.saved_rolls and (THOROUGH or rules in defaults() or not rules.id.startswith("classic_"))
]


# Source: Verhoeff 1999 (free choice; neither joker nor bonus), Glenn 2006, and several independent solvers for the others.
@pytest.mark.parametrize(
    ("id_", "options", "known"),
    [
        ("classic", {"joker": "forced"}, 254.5877287345),
        ("classic", {"joker": "free_choice"}, 254.5896094820),
        ("classic", {"joker": "none", "extra_five": 0}, 245.8707745141),
        ("yatzy_scandinavian", {}, 248.4399893779),
    ],
)
def test_the_expected_total_is_the_known_one(
    tables: Tables, id_: str, options: dict[str, object], known: float
) -> None:
    assert tables.make(ruleset(id_, options)).expected == pytest.approx(known, abs=1e-6)


@pytest.mark.parametrize("rules", SMALL, ids=[rules.id for rules in SMALL])
def test_brute_force_over_a_whole_small_game_agrees_to_the_last_digits(rules: Ruleset) -> None:
    assert fully(rules).values[0, 0] == pytest.approx(Brute(rules).total(Card.empty(rules)), abs=1e-12)


@pytest.mark.parametrize(
    ("joker", "seed"),
    [("forced", 1), ("forced", 2), ("lower_free", 3), ("strict_1956", 4), ("free_choice", 5), ("none", 6)],
)
def test_brute_force_agrees_on_classic_cards_with_two_open_boxes(joker: str, seed: int) -> None:
    card = random_card(ruleset("classic", {"joker": joker}), 2, random.Random(seed))
    assert expected_total(card) == pytest.approx(Brute(card.ruleset).total(card), abs=1e-10)


# A fixture of the module, so that all that is asked of one ruleset is asked in turn, while it is at hand.
@pytest.fixture(scope="module", params=SOLVABLE, ids=named)
def solvable(request: pytest.FixtureRequest) -> Ruleset:
    """Every ruleset, with every value of every option."""
    rules: Ruleset = request.param
    return rules


def test_brute_force_agrees_on_the_last_box_of_every_game_with_every_option(solvable: Ruleset) -> None:
    card = random_card(solvable, 1, random.Random(len(solvable.options)))
    assert expected_total(card) == pytest.approx(Brute(solvable).total(card), abs=1e-10)


def test_the_solver_knows_the_rules_just_as_the_card_does(solvable: Ruleset) -> None:
    rules, of = solvable, states(solvable)
    judge = Judge(Plan(of))
    nothing_to_come = np.zeros((1, of.shape[1] + 1))
    nothing_to_come[:, -1] = CLOSED
    values = ArrayValues(np.broadcast_to(nothing_to_come, (of.shape[0], of.shape[1] + 1)))
    chance = random.Random(3)
    for _ in range(60):
        card = random_card(rules, chance.randint(1, len(rules.boxes)), chance)
        dice = chance.choice((chance.choice(of.sheet.odds.rolls), (chance.randint(1, 6),) * rules.dice))
        roll = chance.randint(1, rules.rolls)
        row, column = of.find(card)
        cards = Cards(row, of.level(column), np.array([column]), 1)
        judged = judge.judge(values, cards, np.array([of.sheet.odds.row[dice]]), of.sheet.kinds[roll - 1])
        found = zip(judged.places, judged.worth[:, 0].tolist(), strict=True)
        extra = card.extra_for(dice, roll)
        previews = card.previews(dice, roll).items()
        assert {rules.boxes[place].key: worth for place, worth in found if worth >= 0} == {
            key: preview.points + extra for key, preview in previews if preview.reason is None
        }


# Source: counts of an independent solver for these games, and for Maxi Yatzy its order of magnitude.
@pytest.mark.parametrize(
    ("id_", "count"), [("classic", 359_616), ("yatzy_scandinavian", 958_976), ("yacht_ww", 119_872)]
)
def test_only_states_that_play_can_reach_are_solved(id_: str, count: int) -> None:
    assert states(ruleset(id_)).count == count


def test_saved_rolls_are_refused_with_the_reason() -> None:
    with pytest.raises(Unsolvable, match="pool"):
        states(ruleset("maxi_yatzy", {"saved_rolls": True}))


def test_a_rule_that_asks_what_an_upper_box_holds_is_refused() -> None:
    with pytest.raises(Unsolvable, match="upper box"):
        states(small("needs sixes", *UPPER, PAIR, Box("double", Groups((3,), 70), needs="sixes")))


def test_options_that_change_nothing_alone_share_a_table_and_others_do_not(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    names = {
        options: tables.path(states(ruleset("yatzy", dict([options] if options else []))))
        for options in ((), ("tie_break", "upper_count"), ("extra_yatzy", "plus50"), ("locked_dice", True))
    }
    assert names[()] == names["tie_break", "upper_count"]
    assert len(set(names.values())) == 3


def test_a_table_gives_back_every_value_to_a_millionth_and_full_cards_exactly(tmp_path: Path) -> None:
    rules = ruleset("yatzy_kids", {"upper_bonus": 50})
    of, solved = states(rules), fully(rules).values
    write_table(tmp_path / "kids", of, solved, 1.0)
    table = read_table(tmp_path / "kids", of)
    for row in range(of.shape[0]):
        np.testing.assert_allclose(table.row(row, slice(0, of.shape[1])), solved[row, :-1], rtol=0, atol=1e-6)
    full = slice(of.columns.level[-2], of.shape[1])
    assert np.array_equal(table.row(of.shape[0] - 1, full), of.columns.bonus[full])
    assert isinstance(table.rests.base, np.memmap)
    assert (table.header.ruleset, table.header.options) == ("yatzy_kids", dict(rules.options))
    assert table.header.states == of.count
    assert list(tmp_path.iterdir()) == [tmp_path / "kids"]


def damages(whole: bytes) -> dict[str, bytes]:
    """Spoil a file in several ways."""
    flipped = bytearray(whole)
    flipped[-1000] ^= 1
    return {
        "a bit": bytes(flipped),
        "cut short": whole[:-4],
        "too long": whole + b"1234",
        "only the beginning": whole[:40],
        "nothing": b"",
        "something else": b"PK\\x03\\x04" + whole[4:],
        "no header": whole[:24] + b"[" + whole[25:],
    }


@pytest.mark.parametrize("damage", damages(bytes(2000)))
def test_a_damaged_table_is_refused_and_made_again(tmp_path: Path, damage: str) -> None:
    rules = ruleset("yatzy_kids")
    path = Tables(tmp_path).path(states(rules))
    whole = Tables(tmp_path).make(rules)
    path.write_bytes(damages(path.read_bytes())[damage])
    with pytest.raises(BadTable):
        read_table(path, states(rules))
    tables = Tables(tmp_path)
    assert tables.find(rules) is None
    assert tables.make(rules).expected == whole.expected
    assert tables.find(rules) is not None


def test_a_table_of_other_rules_is_refused(tmp_path: Path) -> None:
    with_bonus, without = ruleset("yatzy_kids", {"upper_bonus": 50}), ruleset("yatzy_kids")
    tables = Tables(tmp_path)
    tables.make(without)
    tables.path(states(without)).rename(tables.path(states(with_bonus)))
    with pytest.raises(BadTable, match="yatzy_kids under other rules"):
        read_table(tables.path(states(with_bonus)), states(with_bonus))
    assert Tables(tmp_path).find(with_bonus) is None


def test_a_table_is_made_once_however_many_ask(tmp_path: Path) -> None:
    rules = ruleset("crag")
    makers: list[int] = []
    together = threading.Barrier(4)

    def ask(number: int) -> None:
        together.wait()
        # A folder object each, as if they were processes of their own.
        Tables(tmp_path).make(rules, watch=lambda _: makers.append(number), threads=1)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(makers)) == 1


def test_a_table_is_made_in_the_background_while_its_pace_can_be_seen(tmp_path: Path) -> None:
    rules = ruleset("yatzy_kids")
    tables = Tables(tmp_path)
    assert tables.pace(rules) is None
    tables.begin(rules)
    tables.begin(rules)
    assert tables.find(rules) is None
    pace = tables.pace(rules)
    assert pace is not None
    assert pace.total == states(rules).count
    assert pace.left > 0
    tables.wait()
    assert tables.pace(rules) is None
    assert tables.find(rules) is not None
    tables.close()


def test_however_many_threads_begin_a_table_at_once_one_process_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *words: Any, **more: Any) -> None:
            super().__init__(*words, **more)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    tables = Tables(tmp_path)
    all_at_once(8, lambda _: tables.begin(ruleset("yatzy_kids")))
    tables.close()
    assert len(started) == 1


def test_what_was_begun_ends_with_who_began_it(tmp_path: Path) -> None:
    rules = ruleset("yatzy")
    tables = Tables(tmp_path)
    tables.begin(rules)
    tables.close()
    assert tables.pace(rules) is None
    assert not list(tmp_path.glob("*.table"))


def test_the_time_left_follows_the_pace_since_the_start() -> None:
    assert Pace(300_000, 400_000, 10.0, before=200_000).left == pytest.approx(10.0, rel=0.1)
    assert Pace(400_000, 400_000, 20.0).left == 0
    # The first states of all say little: ten seconds for one of a million do not mean months.
    assert 1 < Pace(1, 1_000_000, 10.0).left < 3_600


class Interrupted(Exception):
    """Stands for a power failure."""


def test_an_interrupted_solve_goes_on_where_it_was(tmp_path: Path) -> None:
    of = states(ruleset("crag"))
    whole = InMemory(of)
    solve(of, whole)

    def stop(done: int) -> None:
        if done > of.count // 2:
            raise Interrupted

    first = OnDisk(of, tmp_path / "crag")
    with pytest.raises(Interrupted):
        solve(of, first, threads=1, progress=stop)
    first.save()
    again = OnDisk(of, tmp_path / "crag")
    assert np.array_equal(again.done, first.done)
    assert 0 < again.done.sum() < len(again.done)
    seen: list[int] = []
    solve(of, again, progress=seen.append)
    assert min(seen) > of.count // 2
    assert seen[-1] == of.count
    np.testing.assert_allclose(again.values, whole.values, rtol=0, atol=1e-9)
    again.remove()
    assert not list(tmp_path.iterdir())


def test_what_is_done_is_noted_while_a_solve_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.coach.workings.SAVE_EVERY", 0.0)
    of = states(ruleset("yatzy_kids"))
    killed = OnDisk(of, tmp_path / "kids")
    killed.keep([2, 3])
    assert OnDisk(of, tmp_path / "kids").done.tolist() == [False, False, True, True]


def test_workings_of_another_game_are_not_gone_on_with(tmp_path: Path) -> None:
    of, other = states(ruleset("yatzy_kids")), states(ruleset("yatzy_kids", {"upper_bonus": 50}))
    done = OnDisk(of, tmp_path / "kids")
    solve(of, done)
    done.save()
    assert OnDisk(of, tmp_path / "kids").done.all()
    assert not OnDisk(other, tmp_path / "kids").done.any()


def test_one_thread_and_two_find_the_same() -> None:
    of = states(ruleset("yatzy_kids"))
    found = []
    for threads in (1, 2):
        workings = InMemory(of)
        solve(of, workings, threads=threads)
        found.append(workings.values)
    assert all(np.allclose(one, other, rtol=0, atol=1e-10) for one, other in pairwise(found))
