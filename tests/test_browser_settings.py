"""Settings and devices in a real browser: by keyboard, for readers, in every colouring, and with nothing left in the browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.support.guest import PHONE, Arrive, Guest, another_window
from tests.support.server import Served
from tests.test_browser_access import animations_after_a_roll, axe_findings

STORED = """async () => ({
  local: {...localStorage}, session: {...sessionStorage}, databases: (await indexedDB.databases()).length,
  caches: 'caches' in window ? (await caches.keys()).length : 0,
})"""


def set_to(guest: Guest, **choices: str) -> None:
    """Choose on the settings page and save."""
    guest.open("/settings")
    for name, value in choices.items():
        guest.find(f"#set-{name}").select_option(value)
    guest.find("form.settings button").click()
    expect(guest.find(".told")).to_have_text("Saved.")


def press(guest: Guest, address: str) -> None:
    """Press the button of a form on the settings page."""
    guest.open("/settings")
    guest.find(f"form[action$='{address}'] button").click()


def test_axe_finds_nothing_on_the_pages_about_the_player(arrive: Arrive) -> None:
    guest = arrive(reduced_motion="reduce")
    looks = ("dark", "more contrast", "forced colours")
    guest.open("/settings")
    found = {"before the first game": axe_findings(guest, *looks)}
    guest.new_table()
    for address in ("/settings?done=saved", "/settings/delete", "/privacy"):
        guest.open(address)
        found[address] = axe_findings(guest, "dark")
    for address in ("/settings/code", "/settings/device"):
        press(guest, address)
        found[address] = axe_findings(guest, *looks)
    link = guest.find("#text").input_value()
    guest.page.context.clear_cookies()
    guest.open(link)
    found["an offer"] = axe_findings(guest, *looks)
    guest.open("/settings")
    guest.find("#code").fill("abandon ability")
    guest.find("form[action$='/settings/recover'] button").click()
    found["a refusal"] = axe_findings(guest, *looks)
    assert {page: problems for page, problems in found.items() if problems} == {}


def test_nothing_of_the_settings_leaves_the_smallest_window_sideways(arrive: Arrive) -> None:
    guest = arrive(viewport={"width": 320, "height": 568})
    guest.new_table()
    guest.page.request.post(f"{guest.served.url}/settings/name", form={"name": "W" * 20})
    for address in ("/settings", "/privacy", "/settings/delete"):
        guest.open(address)
        assert guest.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), address
    for address in ("/settings/code", "/settings/device"):
        press(guest, address)
        assert guest.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), address


@pytest.mark.parametrize("script", [True, False])
def test_a_second_browser_takes_the_game_over_in_mid_turn(arrive: Arrive, browser: Browser, script: bool) -> None:  # noqa: FBT001
    phone = arrive(script=script)
    table = phone.new_table()
    phone.play(table, action="roll", keep=[])
    press(phone, "/settings/device")
    link = phone.find("#text").input_value()
    context = browser.new_context(java_script_enabled=script, viewport=PHONE)
    desk = another_window(context, phone.served)
    desk.open(link)
    expect(desk.find("h1")).to_have_text("Go on here")
    desk.find("form[method=post] button[name=sure]").click()
    expect(desk.find(".told")).to_have_text("You go on here with that history.")
    desk.open(table)
    assert desk.dice() == phone.api(table)["dice"]
    desk.find("#roll").click()
    desk.see_version(2)
    phone.open(table)
    phone.see_version(2)
    desk.open(link)
    expect(desk.find("h1")).to_have_text("This link has been used")
    context.close()


def test_shortcuts_can_be_switched_off(guest: Guest) -> None:
    guest.sit_down()
    guest.page.keyboard.press("r")
    guest.see_version(1)
    set_to(guest, shortcuts="0")
    table = guest.sit_down()
    for key in ("r", "?", "1", "ArrowUp"):
        guest.page.keyboard.press(key)
    assert guest.api(table)["version"] == 0
    expect(guest.find("#shortcuts")).to_be_hidden()
    guest.find("#roll").click()
    guest.see_version(1)
    guest.page.keyboard.press("1")
    assert guest.kept() == []


def test_with_two_taps_a_box_is_written_by_the_second(guest: Guest) -> None:
    guest.new_table()
    set_to(guest, scoring="double")
    table = guest.sit_down()
    guest.roll()
    box, points = max(guest.offers().items(), key=lambda pair: pair[1])
    guest.find(f"#box-{box}").click()
    expect(guest.find("#status")).to_contain_text(f"Tap again to write {points} in")
    assert guest.focused() == f"box-{box}"
    assert guest.api(table)["version"] == 1
    guest.find(f"#box-{box}").click()
    guest.see_version(2)
    assert guest.api(table)["seats"][0]["card"][box] == points


def test_nothing_moves_for_those_who_have_set_it_so(arrive: Arrive) -> None:
    guest = arrive(reduced_motion="no-preference")
    guest.sit_down()
    assert animations_after_a_roll(guest) > 0
    set_to(guest, animation="off")
    guest.sit_down()
    assert animations_after_a_roll(guest) == 0


def test_the_chosen_colours_go_before_the_systems(arrive: Arrive) -> None:
    guest = arrive(color_scheme="light")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    guest.open("/settings")
    by_system = guest.page.evaluate(paper)
    set_to(guest, theme="dark")
    changed = guest.page.evaluate(paper)
    assert changed != by_system
    set_to(guest, theme="light")
    assert guest.page.evaluate(paper) == by_system
    set_to(guest, theme="dark", contrast="more")
    assert guest.page.evaluate(paper) == "rgb(0, 0, 0)"


def test_nothing_but_the_session_cookie_is_stored_in_the_browser(guest: Guest) -> None:
    table = guest.sit_down()
    guest.roll()
    guest.score("chance")
    set_to(guest, theme="dark", language="en")
    guest.find(".languages [lang=en]").click()
    for address in ("/", "/settings", "/privacy", "/stats", "/daily", table):
        guest.open(address)
        assert guest.page.evaluate(STORED) == {"local": {}, "session": {}, "databases": 0, "caches": 0}
    (cookie,) = guest.page.context.cookies()
    assert (cookie.get("name"), cookie.get("httpOnly"), cookie.get("sameSite")) == ("fairwind", True, "Lax")
    assert not guest.complaints
    assert {
        re.match(r"https?://[^/]+", request.url) for request in guest.requests if guest.served.url not in request.url
    } == set()


def test_the_switcher_by_keyboard_leads_back_to_the_table(arrive: Arrive, served: Served) -> None:
    guest = arrive(viewport={"width": 1280, "height": 800})
    table = guest.sit_down()
    guest.roll()
    before = guest.api(table)
    guest.find(".languages button").first.focus()
    guest.page.keyboard.press("Enter")
    expect(guest.find("#table")).to_be_visible()
    assert guest.page.url == table
    assert guest.api(table) == before
    assert table.startswith(served.url)
