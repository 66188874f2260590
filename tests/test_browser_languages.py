"""The table in a real browser in every language: it fits on a phone, nothing is cut off, and right stays right.

What `test_browser_access` shows of English is shown here of the other languages.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, expect

from app.coach.making import Tables
from app.game.dice import Dice
from app.game.rulesets import ruleset
from tests.support.guest import PHONE, Guest, another_window, best_box, first_roll, key_for
from tests.support.server import Served
from tests.test_browser_access import OUT_OF_SIGHT, PROBLEMS, SIZES, axe_findings, situations

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


@contextmanager
def somebody(browser: Browser, served: Served, language: str, *, script: bool = True) -> Iterator[Guest]:
    """Somebody with a phone and a language."""
    context = browser.new_context(
        locale=LOCALES[language], viewport=PHONE, reduced_motion="reduce", java_script_enabled=script
    )
    yield another_window(context, served)
    context.close()


@pytest.fixture(params=LOCALES)
def speaker(request: pytest.FixtureRequest, browser: Browser, served: Served) -> Iterator[Guest]:
    """Somebody who speaks one of the languages."""
    with somebody(browser, served, request.param) as guest:
        yield guest


@pytest.fixture(params=[language for language in LOCALES if language != "en"])
def foreigner(request: pytest.FixtureRequest, browser: Browser, served: Served) -> Iterator[Guest]:
    """Somebody who speaks another language than English."""
    with somebody(browser, served, request.param) as guest:
        assert guest.page.evaluate("navigator.language").startswith(request.param)
        yield guest


def looked_over(guest: Guest) -> list[str]:
    """Give what does not fit a phone in the situation that is on the table, or cannot be reached on a small one."""
    found: list[str] = guest.page.evaluate(PROBLEMS) + guest.page.evaluate(OUT_OF_SIGHT)
    width, height = SIZES["small phone"]
    guest.page.set_viewport_size({"width": width, "height": height})
    found += [f"small: {problem}" for problem in guest.page.evaluate(PROBLEMS)]
    guest.page.set_viewport_size(PHONE)
    return found


def test_in_every_situation_the_table_fits_a_phone_and_axe_finds_nothing(foreigner: Guest) -> None:
    found = {}
    for situation in situations(foreigner, "classic"):
        problems = looked_over(foreigner)
        if situation in {"with kept dice", "with a joker", "finished"}:
            # Colours are those of English; only where words stand on a colour may a language differ.
            problems += axe_findings(foreigner, *(["dark", "forced colours"] if situation == "with kept dice" else []))
        if problems:
            found[situation] = problems
    assert found == {}


def test_the_longest_card_that_shall_fit_a_phone_does_so_in_every_situation(foreigner: Guest) -> None:
    found = {situation: looked_over(foreigner) for situation in situations(foreigner, "yatzy")}
    assert {situation: problems for situation, problems in found.items() if problems} == {}


@pytest.mark.parametrize("rolled", [(1, 1, 2, 4, 6), (6, 6, 6, 6, 6)], ids=["keeping is best", "writing is best"])
def test_a_hint_is_whole_on_a_phone_in_every_language(speaker: Guest, tables: Tables, rolled: Dice) -> None:
    tables.make(ruleset("yacht"))
    key = key_for(lambda stream: sorted(first_roll(stream)) == list(rolled))
    speaker.sit_down(key, ruleset="yacht")
    speaker.roll()
    speaker.find("#hint").click()
    expect(speaker.find(".hint")).to_be_visible()
    assert speaker.page.evaluate(PROBLEMS) == []


def test_a_whole_game_breaks_no_rule_of_the_policy_and_keeps_the_focus(foreigner: Guest) -> None:
    table = foreigner.sit_down()
    play(foreigner, table)
    expect(foreigner.find("#result")).to_be_focused()
    assert not {"BODY", "HTML"} & set(foreigner.page.evaluate("witness.focus"))
    assert all(one != other for one, other in pairwise(foreigner.said()))
    assert foreigner.policy_violations() == foreigner.complaints == []


@pytest.mark.parametrize("language", ["he"])
def test_a_whole_game_without_script_comes_to_its_end(browser: Browser, served: Served, language: str) -> None:
    with somebody(browser, served, language, script=False) as guest:
        table = guest.sit_down()
        play(guest, table)
        assert guest.api(table)["status"] == "finished"
        expect(guest.find("#result")).to_contain_text(str(guest.api(table)["seats"][0]["total"]))
        assert guest.complaints == []


def play(guest: Guest, table: str) -> None:
    """Play a game to its end on the page: one roll a turn, then the best box; the first turn takes two rolls."""
    for turn in range(13):
        guest.roll()
        if not turn:
            guest.roll(0)
        guest.score(best_box(guest.api(table)))


@pytest.mark.firefox
def test_the_whole_table_is_on_a_phone_without_scrolling_in_every_language(speaker: Guest) -> None:
    found = {}
    for rules in ("classic", "yatzy", "yacht_ww", "kismet"):
        speaker.sit_down(ruleset=rules)
        speaker.roll()
        if problems := [*speaker.page.evaluate(SCROLLS), *speaker.page.evaluate(CUT_OFF)]:
            found[rules] = problems
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
