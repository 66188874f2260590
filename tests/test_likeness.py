"""The comparison of looks: blind to the edges of letters, not to what is gone, moved or coloured otherwise."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from tools.likeness import LANGUAGES, MOST, REFERENCES, SHOWN, difference, shrink
from tools.pictures import SCHEMES, WIDTHS, name_of
from tools.stage import scenes

PAPER, INK, SIGNAL = "#f4eee1", "#1c2830", "#b3371c"


def drawn(*, moved: int = 0, blurred: int = 0, rows: int = 7, button: str = INK) -> Image.Image:
    """Draw something like a card: rows of small letters with rules below them, and a button."""
    page = Image.new("RGB", (360, 640), PAPER)
    pen = ImageDraw.Draw(page)
    for row in range(rows):
        top = 60 + 48 * row + moved
        for letter in range(20):
            left = 16 + 12 * letter + blurred * (letter % 2)
            pen.rectangle((left, top, left + 5, top + 10), fill=INK)
        pen.line((8, top + 30, 352, top + 30), fill="#d8cfbb")
    pen.rectangle((90, 580, 350, 628), fill=button)
    return shrink(page)


def test_a_page_is_like_itself_and_like_itself_with_other_edges_of_letters() -> None:
    assert difference(drawn(), drawn()) == 0
    assert difference(drawn(), drawn(blurred=1)) <= MOST
    assert difference(drawn(), drawn(moved=1)) <= MOST


@pytest.mark.parametrize(
    "other",
    [drawn(moved=8), drawn(rows=6), drawn(button=SIGNAL), drawn(button=PAPER)],
    ids=["moved", "a row less", "another colour", "no button"],
)
def test_what_is_moved_gone_or_coloured_otherwise_is_seen(other: Image.Image) -> None:
    assert difference(drawn(), other) > MOST


def test_pictures_of_different_sizes_are_not_alike() -> None:
    assert difference(Image.new("RGB", (90, 160)), Image.new("RGB", (90, 168))) == 1


def test_every_key_page_has_its_small_references_and_no_other_page_has() -> None:
    names = [name_of(scene) for scene in scenes() if scene.name in SHOWN]
    assert len(names) == len(SHOWN)
    expected = {
        f"{name}.{language}.{width}.{scheme}.png"
        for name in names
        for language in LANGUAGES
        for width in WIDTHS
        for scheme in SCHEMES
    }
    assert {path.name for path in REFERENCES.glob("*")} == expected
    assert sum(path.stat().st_size for path in REFERENCES.glob("*")) < 1_500_000
