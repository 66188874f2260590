"""The icon as pictures, for what takes no SVG: `python -m tools.icons` draws them from static/icon.svg by Chromium.

What is drawn is committed, so that a server needs no browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

from app.web.render import STATIC
from tests.support.browser import find_chromium, launch_arguments


@dataclass(frozen=True, slots=True)
class Icon:
    """A picture of `size` pixels a side; `share` of it is the die, and what is around it has the colour `ground` ("" for none)."""

    name: str
    size: int
    share: float = 1.0
    ground: str = ""


ICONS = (
    Icon("icon-192.png", 192),
    Icon("icon-512.png", 512),
    # Phones cut these into a shape of their own: what counts lies within the middle four fifths.
    Icon("icon-mask-512.png", 512, 0.62, "#b3371c"),
    Icon("touch-icon.png", 180, 0.74, "#b3371c"),
)

COLOURS = 64
"""So many are enough for a die with soft edges, and make small files."""


def draw(page: Page, icon: Icon) -> bytes:
    """Draw an icon; gives the file."""
    svg = (STATIC / "icon.svg").read_text(encoding="utf-8")
    edge = round(icon.size * icon.share)
    page.set_viewport_size(ViewportSize(width=icon.size, height=icon.size))
    page.set_content(
        f"<style>body {{ margin: 0; display: grid; place-items: center; block-size: 100vh; background: {icon.ground}; }}"
        f"svg {{ inline-size: {edge}px; }}</style>{svg}"
    )
    drawn = Image.open(BytesIO(page.screenshot(omit_background=not icon.ground)))
    file = BytesIO()
    drawn.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(file, "PNG", optimize=True)
    return file.getvalue()


def main(folder: Path = STATIC) -> None:
    """Draw all icons into the folder."""
    with sync_playwright() as playwright:
        own = find_chromium(own=playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=own, args=launch_arguments())
        page = browser.new_page()
        for icon in ICONS:
            (folder / icon.name).write_bytes(draw(page, icon))
            print(folder / icon.name, (folder / icon.name).stat().st_size)
        browser.close()


if __name__ == "__main__":
    main()
