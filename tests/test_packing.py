"""Packed logs: what goes in comes out, small, and for ever in the same form."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.game.dice import Stream
from app.game.notation import write_move
from app.game.rulesets import VARIANTS, ruleset
from app.game.state import Roll, Score, Undo, apply, legal, start
from app.store import BadPack
from app.store.packing import SIGNS, Entry, pack, unpack

BEGUN = datetime(2026, 11, 29, 12, 0, 0, 123456, tzinfo=UTC)
MOVES = st.one_of(
    st.lists(st.integers(0, 9), unique=True).map(lambda keep: "r" + "".join(map(str, sorted(keep)))),
    st.integers(1, 99).map("s{}".format),
    st.just("u"),
)


def log(*moves: str, seconds: int = 7) -> list[Entry]:
    """Make a log with an entry every few seconds."""
    return [Entry(move, BEGUN + timedelta(seconds=seconds * place)) for place, move in enumerate(moves)]


@given(st.lists(st.tuples(MOVES, st.integers(0, 10**8)), max_size=60))
def test_what_is_packed_comes_out_again(entries: list[tuple[str, int]]) -> None:
    moments = sorted(second for _, second in entries)
    entered = [
        Entry(move, BEGUN + timedelta(seconds=second)) for (move, _), second in zip(entries, moments, strict=True)
    ]
    assert unpack(pack(entered, BEGUN), BEGUN) == entered


def test_times_are_kept_to_the_second_and_a_clock_that_went_back_stood_still() -> None:
    seconds = (3.9, 10.2, 2.0, -50.0, 11.0)
    entered = [Entry("r", BEGUN + timedelta(seconds=second)) for second in seconds]
    found = [(entry.made_at - BEGUN).total_seconds() for entry in unpack(pack(entered, BEGUN), BEGUN)]
    assert found == [3, 10, 10, 10, 11]


def test_the_form_is_frozen() -> None:
    # Version 1; 6 entries; 0, then 7 seconds each: half bytes 6 0 7 7 7 7 7.
    # r is a; positions 0 and 3: d, bits 1 and 8; 1 and 4: e, bit 2; position 7 is not short: a7; box 12: b12; u is c.
    assert (
        pack(log("r", "r03", "r14", "r7", "s12", "u"), BEGUN).hex()
        == "01" + "6077777" + "a" + "d9" + "e2" + "a7" + "b12" + "c"
    )
    # 75 seconds are 1·64 + 1·8 + 3, the lowest three bits first: b 9 1.
    assert pack([Entry("s1", BEGUN + timedelta(seconds=75))], BEGUN).hex() == "01" + "1" + "b91" + "b1"
    assert pack([], BEGUN).hex() == "010f"


@pytest.mark.parametrize("id_", [variant.id for variant in VARIANTS])
def test_every_move_of_every_ruleset_can_be_packed(id_: str) -> None:
    rules, rng, written = ruleset(id_), random.Random(id_), ["u"]
    assert set(write_move(rules, Undo())) <= set(SIGNS)
    state, stream = start(rules, 1, corrections=True), Stream(bytes(32))
    while not state.over:
        allowed = legal(state)
        if allowed.boxes and (not allowed.roll or rng.random() < 0.4):
            move: Roll | Score = Score(rng.choice(list(allowed.boxes)))
        else:
            move = Roll(tuple(place for place in range(rules.dice - 1) if state.dice and rng.random() < 0.5))
        if isinstance(move, Roll) and not set(state.locked) <= set(move.keep):
            move = Roll(tuple(sorted({*move.keep, *state.locked})))
        state = apply(state, move, stream)
        written.append(write_move(rules, move))
    entered = log(*written)
    packed = pack(entered, BEGUN)
    assert unpack(packed, BEGUN) == entered
    assert len(packed) <= 2 * len(entered) + 3


@pytest.mark.parametrize("move", ["x1", "R", "", "r-1", "1", "rr"])
def test_a_log_with_other_signs_is_not_packed(move: str) -> None:
    with pytest.raises(BadPack):
        pack(log("r", move), BEGUN)


@pytest.mark.parametrize(
    "packed", ["", "02", "01", "011f", "0120aa", "0110aa", "0100af", "011fff", "01101f", "01b91b1b"]
)
def test_a_damaged_log_is_noticed(packed: str) -> None:
    with pytest.raises(BadPack):
        unpack(bytes.fromhex(packed), BEGUN)
