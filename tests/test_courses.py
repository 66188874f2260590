"""What is remembered of a game makes its replay short, and never another one."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.game.notation import write_move
from app.game.state import Move, Roll, Score, Undo, legal
from app.play.course import Course, Courses, begin, replay, stream_of
from app.store import GameRow, SeatRow
from tests.support.stores import a_game

ROWS = {
    "alone": a_game(),
    "with corrections": a_game(ruleset="yatzy", corrections=True),
    "two seats": a_game(
        ruleset="kismet", seats=(SeatRow(0, player_id="ada"), SeatRow(1, player_id="bob")), first_seat=1
    ),
    "the same dice for both": a_game(
        shared_dice=True, seats=(SeatRow(0, player_id="ada"), SeatRow(1, computer="perfect"))
    ),
    "saved rolls": a_game(ruleset="maxi_yatzy", options='{"saved_rolls":true}'),
}


def random_log(row: GameRow, seed: int) -> list[str]:
    """Play a whole game by chance."""
    chance, course, log = random.Random(seed), Course(begin(row)), []
    while not course.state.over:
        state, allowed = course.state, legal(course.state)
        moves: list[Move] = [Score(box) for box in allowed.boxes]
        if allowed.roll:
            kept = [place for place in range(state.ruleset.dice - 1) if state.dice and chance.random() < 0.5]
            moves = [*moves[:1], Roll(tuple(kept))]
        if allowed.undo and chance.random() < 0.2:
            moves = [Undo()]
        move = chance.choice(moves)
        log.append(write_move(state.ruleset, move))
        course = course.and_then(move, stream_of(row))
    return log


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_however_a_game_was_looked_at_before_its_replay_is_the_whole_one(row: GameRow) -> None:
    log, chance, courses = random_log(row, 1), random.Random(2), Courses()
    for _ in range(60):
        seen = log[: chance.randint(0, len(log))]
        assert courses.replay(row, seen) == replay(row, seen)


def test_of_a_log_that_goes_on_only_what_is_new_is_replayed() -> None:
    row, courses = ROWS["alone"], Courses()
    log = random_log(row, 3)
    before = courses.replay(row, log[:-1])
    after = courses.replay(row, log)
    assert all(one is other for one, other in zip(before.events, after.events, strict=False))
    assert after == replay(row, log)


CHANGES: dict[str, Callable[[GameRow], GameRow]] = {
    "a hint": lambda row: replace(row, hints=1),
    "another key": lambda row: replace(row, key=bytes(32)),
    "another order of the dice": lambda row: replace(row, addressing="continuous"),
    "another ruleset": lambda row: replace(row, ruleset="kniffel"),
    "other options": lambda row: replace(row, options='{"joker":"none"}'),
    "corrections": lambda row: replace(row, corrections=True),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_game_that_began_otherwise_is_another_one(change: Callable[[GameRow], GameRow]) -> None:
    row, courses = ROWS["alone"], Courses()
    log = ["r", "r01", "s13"]
    courses.replay(row, log)
    assert courses.replay(change(row), log) == replay(change(row), log) != replay(row, log)


def test_a_log_that_was_put_back_or_changed_is_not_continued() -> None:
    row, courses = ROWS["alone"], Courses()
    for log in (["r", "r01", "s13"], ["r"], ["r", "r2", "s13", "r"], []):
        assert courses.replay(row, log) == replay(row, log)


def test_the_games_that_were_asked_for_longest_ago_are_forgotten() -> None:
    courses = Courses(most=2)
    first, second, third = (a_game(id_=name) for name in ("first", "second", "third"))
    known = courses.replay(first, ["r"])
    courses.replay(second, ["r"])
    assert courses.replay(first, ["r", "s13"]).events[0] is known.events[0]
    courses.replay(third, ["r"])
    assert courses.replay(first, ["r", "s13"]).events[0] is known.events[0]
    courses.replay(second, ["r"])
    courses.replay(third, ["r"])
    assert courses.replay(first, ["r"]).events[0] is not known.events[0]
