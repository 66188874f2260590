"""The Hebrew result text reads the same in a chat that runs left to right, in one that runs right to left, and in one that guesses.

What each line looks like is computed by python-bidi, an implementation of the Unicode bidirectional algorithm.
"""

from __future__ import annotations

import re
from html import unescape

import pytest
from bidi import get_display  # type: ignore[import-untyped]

from app.coach.advice import Coach
from tests.support.computers import Keeper, seat_computers
from tests.support.web import Visitor, World

CONTROLS = dict.fromkeys(map(ord, "\u200e\u200f\u2060\u2066\u2067\u2068\u2069"))
BASES = {"left to right": "L", "right to left": "R", "guessed": None}
HEBREW = "[\u05d0-\u05ea]"
SQUARES = "\U0001f7e6\u2b1c\U0001f7e7"


def seen(line: str) -> dict[str, str]:
    """Give what the line looks like from left to right, by the base that its surroundings give it."""
    return {name: get_display(line, base_dir=base).translate(CONTROLS).strip() for name, base in BASES.items()}


def flaws(text: str) -> list[str]:
    """Give what of a Hebrew result text would fall apart in some chat."""
    found = []
    for line in text.split("\n"):
        if len(set(seen(line).values())) > 1:
            found.append(f"reads differently: {seen(line)}")
        is_row, is_link = set(line.translate(CONTROLS)) <= set(SQUARES), "://" in line
        if not (is_row or is_link or re.match(HEBREW, line)):
            found.append(f"does not begin with a Hebrew letter: {line}")
        if re.search(r"(?<![\d\u05d0-\u05ea])[-+]\d", line) and not is_link:
            found.append(f"a bare sign: {line}")
        if re.search(r"\d / \d", line):
            found.append(f"two numbers that could change places: {line}")
        if line != line.strip() or not line:
            found.append(f"space around, or nothing: {line!r}")
    return found


def result_text(visitor: Visitor, address: str) -> str:
    """Read the text to send from a page."""
    html = visitor.get(address).text
    (text,) = re.findall(r'<textarea id="text"[^>]*>(.*?)</textarea>', html, re.DOTALL)
    return unescape(text)


@pytest.fixture
def hebrew(coached: World) -> Visitor:
    """Somebody who reads Hebrew, where the computers need no tables."""
    seat_computers(coached.app, Keeper())
    return coached.visitor(**{"Accept-Language": "he"})


def played(visitor: Visitor, kind: str = "solo", rules: str = "classic", **fields: str) -> str:
    """Play a game to its end; gives the address of its table."""
    table = visitor.open_table(rules, kind=kind, **fields)
    visitor.play_out(visitor.get(f"/api/v1{table}").json(), choose=lambda boxes: max(boxes, key=lambda box: boxes[box]))
    return table


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"joker": "none"},
        {"rules": "yatzy", "extra_yatzy": "none"},
        {"kind": "computer", "level": "perfect"},
        {"kind": "computer", "level": "novice", "same_dice": "1"},
    ],
    ids=lambda fields: " ".join(fields.values()) or "solo",
)
def test_the_hebrew_result_reads_the_same_everywhere(hebrew: Visitor, fields: dict[str, str]) -> None:
    text = result_text(hebrew, played(hebrew, **fields))
    assert re.search(HEBREW, text)
    assert re.search(r"\d", text)
    assert flaws(text) == []
    # And once more, without its "new best".
    assert flaws(result_text(hebrew, played(hebrew, **fields))) == []


def test_the_hebrew_result_of_the_daily_reads_the_same_everywhere(hebrew: Visitor) -> None:
    table = hebrew.post("/daily", data={"ruleset": "classic"}).headers["location"]
    hebrew.play_out(hebrew.get(f"/api/v1{table}").json())
    text = result_text(hebrew, table)
    assert re.search(HEBREW, text)
    assert flaws(text) == []


def test_the_hebrew_text_of_a_review_reads_the_same_everywhere_with_its_rows_of_squares(
    hebrew: Visitor, yacht: Coach
) -> None:
    del yacht
    table = played(hebrew, rules="yacht")
    text = result_text(hebrew, f"{table}/review")
    assert sum(set(line.translate(CONTROLS)) <= set(SQUARES) for line in text.split("\n")) == 2
    assert flaws(text) == []


@pytest.mark.parametrize(
    ("line", "flaw"),
    [
        ("247 נקודות", "does not begin"),
        ("נקודות -4", "a bare sign"),
        ("תוצאה 247 / 312", "two numbers"),
        ("Fairwind קלאסי: 247", "reads differently"),
        ("קלאסי: 247 נקודות (שיא)!", "reads differently"),
        ("\U0001f7e6\u2b1c", "reads differently"),
    ],
)
def test_a_line_that_would_fall_apart_is_found(line: str, flaw: str) -> None:
    assert any(flaw in found for found in flaws(line)), flaws(line)


def test_marks_hold_a_row_of_squares_a_link_and_a_last_full_stop_in_place() -> None:
    for line in (
        "\u200e\U0001f7e6\u2b1c\U0001f7e7\u200e",
        "\u2066https://example.org/d/142/classic/k7m2q9\u2069",
        "קלאסי: 247 נקודות.\u200f",
    ):
        assert flaws(line) == []
