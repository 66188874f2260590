"""What every page shows around its own content, and how the looker wants it to be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, urlsplit

from babel import Locale
from fastapi import Request

from app.play.preferences import AUTO, Preferences
from app.web.words import LANGUAGES

_OUR_OWN = re.compile(r"/(?:[!-.0-\[\]-~][!-\[\]-~]*)?")
"""An address on this server: one slash, then neither another one nor a backslash, which browsers take for one; ASCII throughout."""

_LONGEST = 1_000


@dataclass(frozen=True, slots=True)
class Around:
    """What base.html knows of the looker.

    `here` is the address that a form in the frame leads back to. `theme`, `contrast` and `motion` are the values of the attributes
    of `<html>`, "" where the system decides; `keys`: shortcuts act. `languages` are codes and names, each in itself.
    """

    here: str = "/"
    theme: str = ""
    contrast: str = ""
    motion: str = ""
    keys: bool = True
    languages: tuple[tuple[str, str], ...] = ()


NOBODY = Around()
"""Nothing is known of the looker."""


def around(request: Request, preferences: Preferences, base_path: str) -> Around:
    """Say what stands around a page that answers this request."""
    return Around(
        here_of(request, base_path),
        "" if preferences.theme == AUTO else preferences.theme,
        "" if preferences.contrast == AUTO else preferences.contrast,
        "" if preferences.animation == "on" else preferences.animation,
        preferences.shortcuts,
        language_names(),
    )


@lru_cache(maxsize=1)
def language_names() -> tuple[tuple[str, str], ...]:
    """Name each language that the pages are offered in, in itself."""
    return tuple((code, (Locale.parse(code).get_language_name(code) or code).capitalize()) for code in LANGUAGES)


def here_of(request: Request, base_path: str) -> str:
    """Give the address to come back to: that of the page; where a form was answered, that of the page it stood on."""
    if request.method in {"GET", "HEAD"}:
        query = request.url.query
        return own_address(base_path + quote(request.scope["path"]) + (f"?{query}" if query else ""), base_path)
    try:
        came_from = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        # No address at all: a browser never says such a thing, but others may.
        return own_address("", base_path)
    if came_from.netloc != request.headers.get("host", ""):
        return own_address("", base_path)
    return own_address(came_from.path + (f"?{came_from.query}" if came_from.query else ""), base_path)


def own_address(address: str, base_path: str) -> str:
    """Give an address back if it leads to a page of ours, else that of the first page. No other site can be led to."""
    below = address == base_path or address.startswith((f"{base_path}/", f"{base_path}?"))
    if below and len(address) <= _LONGEST and _OUR_OWN.fullmatch(address):
        return address
    return f"{base_path}/"
