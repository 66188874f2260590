"""The dice stream: frozen, fair, and made again by anybody who has the key."""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import pytest

from app.game.dice import FACES, KEY_BYTES, Addressing, Dice, Stream, counts, multisets
from tests.support.table import rows

KEY = bytes(range(KEY_BYTES))
VECTORS = rows("vectors/dice_stream.json")
PAGE = Path(__file__).parents[1] / "docs" / "fairness.md"

Standalone = Callable[[bytes, str, int], Dice]


def code_of_the_page() -> str:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 1
    return str(blocks[0])


@pytest.fixture(scope="module")
def standalone() -> Standalone:
    space: dict[str, Any] = {}
    exec(compile(code_of_the_page(), "fairness.md", "exec"), space)  # noqa: S102 - the page's own function, on purpose
    made: Standalone = space["faces"]
    return made


def address(row: dict[str, Any]) -> str:
    continuous = row["addressing"] == "continuous"
    return f"{row['seat']}/c/{row['nth']}" if continuous else f"{row['seat']}/{row['turn']}/{row['roll']}"


def test_sixty_addresses_are_frozen_in_both_addressings_with_three_five_and_six_dice() -> None:
    assert len(VECTORS) == 60
    kinds = {(row["addressing"], row["count"]) for row in VECTORS}
    assert kinds >= {(addressing.value, count) for addressing in Addressing for count in (3, 5, 6)}


@pytest.mark.parametrize("row", VECTORS, ids=lambda row: f"{row['key'][:4]}-{address(row)}-{row['count']}")
def test_the_stream_gives_the_frozen_faces(row: dict[str, Any], standalone: Standalone) -> None:
    key = bytes.fromhex(row["key"])
    stream = Stream(key, Addressing(row["addressing"]))
    frozen = tuple(row["faces"])
    assert stream.faces(row["count"], row["seat"], row["turn"], row["roll"], row["nth"]) == frozen
    assert standalone(key, address(row), row["count"]) == frozen


def test_the_function_on_the_page_is_at_most_fifteen_lines_and_uses_the_standard_library_only() -> None:
    code = code_of_the_page()
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    imported = {name.name for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Import) for name in node.names}
    assert not [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ImportFrom)]
    assert imported <= sys.stdlib_module_names


def test_the_page_s_function_and_the_stream_agree_on_keys_that_no_one_chose(standalone: Standalone) -> None:
    for number in range(100):
        key = hashlib.sha256(str(number).encode()).digest()
        for turn, roll in ((1, 1), (7, 3), (20, 2)):
            assert Stream(key).faces(6, number % 6, turn, roll, 0) == standalone(key, f"{number % 6}/{turn}/{roll}", 6)
            continuous = Stream(key, Addressing.CONTINUOUS)
            assert continuous.faces(5, 0, turn, roll, number) == standalone(key, f"0/c/{number}", 5)


def test_fewer_dice_get_the_first_faces_of_more_dice() -> None:
    stream = Stream(KEY)
    assert [stream.faces(count, 0, 1, 1, 0) for count in range(1, 6)] == [
        stream.faces(6, 0, 1, 1, 0)[:count] for count in range(1, 6)
    ]


def test_by_turn_does_not_look_at_how_many_rolls_came_before() -> None:
    stream = Stream(KEY)
    assert {stream.faces(5, 0, 4, 2, nth) for nth in range(30)} == {stream.faces(5, 0, 4, 2, 0)}


def test_continuous_looks_at_nothing_but_the_seat_and_how_many_rolls_came_before() -> None:
    stream = Stream(KEY, Addressing.CONTINUOUS)
    assert {stream.faces(5, 0, turn, roll, 9) for turn in range(1, 14) for roll in (1, 2, 3)} == {
        stream.faces(5, 0, 1, 1, 9)
    }
    assert len({stream.faces(6, seat, 1, 1, 9) for seat in range(6)}) > 1


def test_two_games_do_not_begin_alike() -> None:
    firsts = set()
    for number in range(200):
        stream = Stream(hashlib.sha256(number.to_bytes(2, "big")).digest())
        firsts.add(tuple(stream.faces(5, 0, 1, roll, 0) for roll in (1, 2, 3)))
    assert len(firsts) == 200


# Chi-square passes 20.5 with 5 degrees of freedom once in a thousand times, and 66.6 with 35 degrees.
def chi_square(found: Counter[Any], kinds: int) -> float:
    expected = found.total() / kinds
    return sum((seen - expected) ** 2 for seen in found.values()) / expected + expected * (kinds - len(found))


@pytest.mark.parametrize("addressing", Addressing)
def test_every_face_is_equally_likely_at_every_position_and_after_every_face(addressing: Addressing) -> None:
    stream = Stream(KEY, addressing)
    rolls = [stream.faces(5, 0, nth // 3 + 1, nth % 3 + 1, nth) for nth in range(20_000)]
    assert chi_square(Counter(face for roll in rolls for face in roll), 6) < 20.5
    for position in range(5):
        assert chi_square(Counter(roll[position] for roll in rolls), 6) < 20.5
    neighbours = Counter(pair for roll in rolls for pair in pairwise(roll))
    assert chi_square(neighbours, 36) < 66.6


def test_a_stream_cannot_be_changed_and_faces_are_faces() -> None:
    stream = Stream(KEY)
    with pytest.raises(AttributeError):
        stream.key = bytes(32)  # type: ignore[misc]
    assert set(stream.faces(500, 0, 1, 1, 0)) == set(FACES)


@pytest.mark.parametrize(("count", "number"), [(3, 56), (5, 252), (6, 462)])
def test_multisets_list_every_roll_once(count: int, number: int) -> None:
    found = multisets(count)
    assert len(found) == len(set(found)) == number == comb(count + 5, 5)
    assert all(list(dice) == sorted(dice) for dice in found)


def test_counts_stand_by_face() -> None:
    assert counts((2, 2, 5, 6, 6)) == (0, 0, 2, 0, 0, 1, 2)
    assert counts(()) == (0,) * 7
