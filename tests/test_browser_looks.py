"""What somebody has set goes before what the system says: colours, contrast, motion; and the game on a home screen."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.guest import Arrive, Guest
from tests.test_browser_access import PROBLEMS, axe_findings

PAPER = {"light": "rgb(244, 238, 225)", "dark": "rgb(17, 22, 26)"}


def set_on_page(guest: Guest, **attributes: str) -> None:
    """Set attributes of `<html>` as the page has them for somebody who chose so in the settings."""
    guest.page.evaluate("chosen => Object.assign(document.documentElement.dataset, chosen)", attributes)


def colours(guest: Guest) -> dict[str, str]:
    """Give the colours of the page, a button and a die as they are shown."""
    found: dict[str, str] = guest.page.evaluate("""() => Object.fromEntries(
        ['html', '.pad', '.column button', '.dice label', '#status', '#roll'].flatMap((selector) => {
            const shown = getComputedStyle(document.querySelector(selector));
            return [[selector, shown.backgroundColor + shown.color + shown.borderTopColor]];
        }))""")
    return found


@pytest.mark.parametrize(("system", "chosen"), [("light", "dark"), ("dark", "light")])
def test_a_chosen_theme_goes_before_the_systems(arrive: Arrive, system: str, chosen: str) -> None:
    guest = arrive(color_scheme=system, reduced_motion="reduce")
    guest.sit_down()
    guest.roll()
    expect(guest.find("html")).to_have_css("background-color", PAPER[system])
    set_on_page(guest, theme=chosen)
    expect(guest.find("html")).to_have_css("background-color", PAPER[chosen])
    as_chosen = colours(guest)
    guest.page.emulate_media(color_scheme="light" if chosen == "light" else "dark", reduced_motion="reduce")
    assert colours(guest) == as_chosen


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_chosen_contrast_is_that_of_a_system_that_asks_for_more(arrive: Arrive, scheme: str) -> None:
    guest = arrive(color_scheme=scheme, reduced_motion="reduce")
    guest.sit_down()
    guest.roll()
    usual = colours(guest)
    set_on_page(guest, contrast="more")
    chosen = colours(guest)
    assert chosen["#status"] != usual["#status"]
    guest.page.evaluate("delete document.documentElement.dataset.contrast")
    guest.page.emulate_media(contrast="more", color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    assert colours(guest) == chosen


def moving_after_a_roll(guest: Guest) -> list[str]:
    """Roll, and give what is being animated when the dice have come: each property, and "" for a transition of none."""
    guest.page.evaluate("""() => document.addEventListener('htmx:after:swap', () => {
        witness.moving = document.getAnimations().flatMap((one) => one.effect.getKeyframes().flatMap(Object.keys));
    })""")
    guest.roll()
    guest.page.wait_for_function("() => 'moving' in witness")
    found: list[str] = guest.page.evaluate("witness.moving")
    return found


@pytest.mark.parametrize(
    ("motion", "animated"),
    [(None, {"transform", "opacity"}), ("reduced", {"opacity"}), ("off", set())],
)
def test_with_reduced_motion_dice_only_come_up_and_with_none_nothing_changes_slowly(
    arrive: Arrive, motion: str | None, animated: set[str]
) -> None:
    guest = arrive(reduced_motion="no-preference")
    guest.sit_down()
    if motion:
        set_on_page(guest, motion=motion)
    moving = set(moving_after_a_roll(guest))
    assert moving & {"transform", "opacity", "boxShadow", "width"} == animated


@pytest.mark.parametrize("motion", ["reduced", "off"])
def test_the_bonus_bar_stands_where_it_belongs_at_once_without_motion(arrive: Arrive, motion: str) -> None:
    guest = arrive(reduced_motion="no-preference")
    guest.sit_down()
    set_on_page(guest, motion=motion)
    guest.roll()
    guest.page.evaluate("""() => document.addEventListener('htmx:after:swap', () => {
        witness.filling = document.querySelector('#bar').getAnimations().length;
    })""")
    box = next(
        box
        for box, points in guest.offers().items()
        if points and box in {"ones", "twos", "threes", "fours", "fives", "sixes"}
    )
    guest.score(box)
    assert guest.page.evaluate("witness.filling") == 0


def test_the_browser_would_put_the_game_on_a_home_screen(guest: Guest) -> None:
    guest.open("/")
    devtools = guest.page.context.new_cdp_session(guest.page)
    manifest: dict[str, Any] = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")
    hindrances = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # The windows of these tests are private ones, and nothing is installed from those.
    assert {one["errorId"] for one in hindrances} <= {"in-incognito"}
    devtools.detach()


def test_where_the_games_come_from_fits_a_phone_and_axe_finds_nothing(arrive: Arrive) -> None:
    guest = arrive(reduced_motion="reduce")
    guest.open("/history")
    assert guest.page.evaluate(PROBLEMS) == []
    assert axe_findings(guest, "dark", "forced colours") == []
    guest.page.set_viewport_size({"width": 320, "height": 568})
    assert guest.page.evaluate(PROBLEMS) == []
