"""The picture that a shared result shows in a chat: name, number, total and par, and nothing that would spoil the day.

Source of the font: Manrope Bold, reduced to the letters of ASCII; its licence stands beside it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from markupsafe import escape
from resvg_py import svg_to_bytes

WIDTH, HEIGHT = 1200, 630
FONT = Path(__file__).with_name("fonts") / "Manrope-Bold.ttf"

_INK, _PAPER, _CARD, _SIGNAL, _FAINT = "#1c2830", "#f4eee1", "#fffcf3", "#b3371c", "#5d6970"
_PIPS = ((160, 160), (160, 320), (320, 160), (320, 320))


@lru_cache(maxsize=256)
def picture(number: int, name: str, total: int, par: int | None) -> bytes:
    """Draw a result as a PNG of 1200 × 630 pixels; `name` is the ruleset's, in ASCII."""
    return svg_to_bytes(
        svg_string=drawn(number, name, total, par),
        width=WIDTH,
        height=HEIGHT,
        font_files=[str(FONT)],
        font_family="Manrope",
        sans_serif_family="Manrope",
        skip_system_fonts=True,
    )


def drawn(number: int, name: str, total: int, par: int | None) -> str:
    """Draw it as SVG."""
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="26" fill="{_INK}"/>' for x, y in _PIPS)
    below = "points" if par is None else f"points, par {par}"
    texts = (
        (560, 170, 52, _FAINT, f"Fairwind #{number}"),
        (560, 245, 52, _INK, name),
        (550, 445, 200, _INK, str(total)),
        (560, 530, 52, _SIGNAL, below),
    )
    written = "".join(
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}">{escape(text)}</text>'
        for x, y, size, color, text in texts
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="Manrope" font-weight="700">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>'
        f'<g transform="translate(50 75)"><rect x="40" y="40" width="400" height="400" rx="84" fill="{_CARD}" stroke="{_INK}" '
        f'stroke-width="20"/>{pips}<circle cx="240" cy="240" r="44" fill="{_SIGNAL}"/></g>{written}</svg>'
    )
