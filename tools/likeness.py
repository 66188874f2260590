"""Do the pages still look as they did? Key pages against small pictures in tests/looks, with room for other fonts' edges.

`python -m tools.likeness` compares and says which differ; what it saw then lies in pictures/unlike, beside what it
expected. `--renew` takes the present looks as those to come: look at them before they are committed.

Two pictures are alike when hardly a cell of them differs much. A cell is 8 by 8 pixels of the page: where the edge of a
letter lies within it makes no difference, a row, a button or a colour that is gone does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from tools.pictures import shots
from tools.stage import ROOT, Stage, scenes, stage

REFERENCES = ROOT / "tests" / "looks"
UNLIKE = ROOT / "pictures" / "unlike"

SHOWN = (
    "first visit",
    "table, kept dice",
    "table, joker",
    "table, finished",
    "table, three opponents",
    "new game",
    "history",
)
LANGUAGES = ("en", "he")
STORED = 4
"""Pixels of the page for one of a reference, each way."""

CELL = 2
"""Pixels of a reference for a cell, each way."""

MUCH = 24
"""By how much of 255 a colour of a cell may differ."""

MOST = 0.015
"""The share of cells that may differ by more."""


def shrink(picture: Image.Image) -> Image.Image:
    """Make a reference of a picture of the page."""
    return picture.convert("RGB").resize((picture.width // STORED, picture.height // STORED), Image.Resampling.BOX)


def difference(one: Image.Image, other: Image.Image) -> float:
    """Give the share of cells, 0 to 1, in which two references differ much; 1 for those of different sizes."""
    if one.size != other.size:
        return 1.0
    cells = [_cells(picture) for picture in (one, other)]
    return float((np.abs(cells[0] - cells[1]).max(axis=2) > MUCH).mean())


def _cells(picture: Image.Image) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    size = (picture.width // CELL, picture.height // CELL)
    return np.asarray(picture.convert("RGB").resize(size, Image.Resampling.BOX)).astype(np.int16)


def looks(on: Stage) -> Iterator[tuple[str, Image.Image]]:
    """Take a small picture of each key page, in each language, width and colouring; gives the name of its file and the picture."""
    key = [scene for scene in scenes() if scene.name in SHOWN]
    for language in LANGUAGES:
        for name, picture in shots(on, language, key, whole=False):
            yield name, shrink(Image.open(BytesIO(picture)))


def compare(on: Stage) -> list[str]:
    """Compare all looks with their references; gives sentences about those that differ."""
    found = []
    for name, seen in looks(on):
        reference = REFERENCES / name
        if not reference.exists():
            found.append(f"{name} has no reference: look at it, and run `python -m tools.likeness --renew`")
            continue
        expected = Image.open(reference)
        share = difference(seen, expected)
        if share > MOST:
            found.append(f"{name} looks different in {share:.1%} of its cells")
            UNLIKE.mkdir(parents=True, exist_ok=True)
            both = Image.new("RGB", (seen.width + expected.width, max(seen.height, expected.height)))
            both.paste(expected, (0, 0))
            both.paste(seen, (expected.width, 0))
            both.save(UNLIKE / name)
    return found


def renew(on: Stage, folder: Path = REFERENCES) -> None:
    """Take the present looks as the references."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    for name, seen in looks(on):
        seen.quantize(64).save(folder / name, optimize=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, or renew the references, as the command line asks."""
    parser = argparse.ArgumentParser(description="Compare the pages with how they looked.")
    parser.add_argument("--renew", action="store_true", help="take the present looks as the references")
    asked = parser.parse_args(arguments)
    with stage() as on:
        if asked.renew:
            renew(on)
            return 0
        found = compare(on)
    print(*(found or ["All pages look as they did."]), sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
