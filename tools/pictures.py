"""Pictures of every page for eyes: light and dark, English and Hebrew, narrow and wide, below a folder that git ignores.

`python -m tools.pictures [--scene WORD] [--language en] [FOLDER]`; FOLDER is `pictures` unless it is given. Beside the
single pictures lie sheets, on which those of a scene and a width stand in a row.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image
from playwright.sync_api import ViewportSize

from app.web.words import LANGUAGES
from tools.stage import ROOT, STILL, Scene, Stage, scenes, stage

WIDTHS = {360: 640, 1280: 800}
"""Windows in CSS pixels: width and height."""

SCHEMES = ("light", "dark")
GAP = 8
MOST = 3_000
"""Pixels of a sheet's height: what is longer is cut off there, and whole in its own picture."""


def shots(on: Stage, language: str, shown: list[Scene], *, whole: bool) -> Iterator[tuple[str, bytes]]:
    """Take pictures of these scenes in a language, in each width and colouring; gives the name of each and the PNG.

    `whole`: of the whole page, otherwise of what the window shows.
    """
    with on.guest(language) as guest:
        for scene in shown:
            for width, height in WIDTHS.items():
                guest.page.set_viewport_size(ViewportSize(width=width, height=height))
                on.show(scene, guest)
                for scheme in SCHEMES:
                    guest.page.emulate_media(**{**STILL, "color_scheme": scheme})
                    yield f"{name_of(scene)}.{language}.{width}.{scheme}.png", guest.page.screenshot(full_page=whole)


def name_of(scene: Scene) -> str:
    """Name the files of a scene."""
    return scene.name.replace(",", "").replace(" ", "-")


def lay_out(folder: Path, scene: Scene) -> list[Path]:
    """Put the pictures of a scene side by side, one sheet for each width; gives the sheets."""
    (folder / "sheets").mkdir(exist_ok=True)
    sheets = []
    for width in WIDTHS:
        pictures = [_shortened(path) for path in sorted(folder.glob(f"{name_of(scene)}.*.{width}.*.png"))]
        height = max(picture.height for picture in pictures)
        sheet = Image.new("RGB", (len(pictures) * (pictures[0].width + GAP), height), "#888")
        for number, picture in enumerate(pictures):
            sheet.paste(picture, (number * (picture.width + GAP), 0))
        sheets.append(folder / "sheets" / f"{name_of(scene)}.{width}.png")
        sheet.save(sheets[-1])
    return sheets


def _shortened(path: Path) -> Image.Image:
    picture = Image.open(path)
    return picture.crop((0, 0, picture.width, min(MOST, picture.height)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Take the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(description="Take pictures of every page.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "pictures")
    parser.add_argument("--scene", action="append", help="only scenes whose name holds this word")
    parser.add_argument(
        "--language", choices=LANGUAGES, action="append", help="in this language; en and he unless given"
    )
    asked = parser.parse_args(arguments)
    asked.folder.mkdir(parents=True, exist_ok=True)
    shown = [scene for scene in scenes() if any(word in scene.name for word in asked.scene or [""])]
    with stage() as on:
        for language in asked.language or [one for one in ("en", "he") if one in LANGUAGES]:
            for name, picture in shots(on, language, shown, whole=True):
                (asked.folder / name).write_bytes(picture)
    for scene in shown:
        print(*lay_out(asked.folder, scene))


if __name__ == "__main__":
    main()
