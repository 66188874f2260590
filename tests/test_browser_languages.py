"""The table in a real browser in every language: it fits on a phone, nothing is cut off, and right stays right."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.guest import PHONE, Guest, another_window
from tests.support.server import Served

LOCALES = {"en": "en-US", "ja": "ja-JP", "fi": "fi-FI", "he": "he-IL"}
# What is wider or higher than its place, or not in the window.
CUT_OFF = """
() => [...document.querySelectorAll('header a, h1, th, td, .count, #status, #roll, .sums, .dice label')]
  .filter((element) => !element.closest('.hidden') && element.offsetParent)
  .filter((element) => {
    const place = element.getBoundingClientRect();
    return element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline'
      || place.left < -1 || place.right > innerWidth + 1 || place.bottom > innerHeight + 1;
  })
  .map((element) => `${element.tagName} ${element.textContent.trim()}`)
"""

SCROLLS = """() => ['scrollWidth', 'scrollHeight'].filter((size) =>
  document.scrollingElement[size] > (size === 'scrollWidth' ? innerWidth : innerHeight))"""


@pytest.fixture(params=LOCALES)
def speaker(request: pytest.FixtureRequest, browser: Browser, served: Served) -> Iterator[Guest]:
    """Somebody with a phone and a language."""
    context = browser.new_context(locale=LOCALES[request.param], viewport=PHONE, reduced_motion="reduce")
    yield another_window(context, served)
    context.close()


def test_the_whole_table_is_on_a_phone_without_scrolling_in_every_language(speaker: Guest) -> None:
    found = {}
    for ruleset in ("classic", "yatzy", "yacht_ww", "kismet"):
        speaker.sit_down(ruleset=ruleset)
        speaker.roll()
        if problems := [*speaker.page.evaluate(SCROLLS), *speaker.page.evaluate(CUT_OFF)]:
            found[ruleset] = problems
    assert found == {}


def test_arrows_go_where_they_point_in_every_language(speaker: Guest) -> None:
    speaker.sit_down()
    speaker.roll()
    for selector in ("#die-3", "#box-threes"):
        for key, sign in (("ArrowRight", 1), ("ArrowLeft", -1)):
            speaker.find(selector).focus()
            before = place(speaker)
            speaker.page.keyboard.press(key)
            assert sign * (place(speaker) - before) >= 0
    speaker.find("#die-3").focus()
    before = place(speaker)
    speaker.page.keyboard.press("ArrowRight")
    assert place(speaker) > before


def place(guest: Guest) -> float:
    """Say how far from the left edge the control with the focus is."""
    found: float = guest.page.evaluate("document.activeElement.getBoundingClientRect().x")
    return found
