"""The daily in a real browser: the running time, small screens, and what axe finds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from tests.support.guest import Arrive, Guest
from tests.support.server import Served
from tests.test_browser_access import OUT_OF_SIGHT, PROBLEMS, SIZES, axe_findings

PAGES = ("/", "/daily", "/daily/2026-11-29?ruleset=yatzy", "/daily/2026-11-20", "/daily/archive")


@pytest.fixture
def late(served: Served) -> Iterator[Served]:
    """The server three seconds before the day changes; its clock is put back afterwards."""
    before = served.clock.now
    served.clock.now = datetime(2026, 11, 29, 23, 59, 57, tzinfo=UTC)
    yield served
    served.clock.now = before


def test_the_time_to_go_runs_to_zero_at_the_change(late: Served, guest: Guest) -> None:
    guest.open("/daily")
    running = guest.find(".wait time")
    expect(running).to_have_text(re.compile(r"^0:00:0[123] to go$"))
    expect(running).to_have_text("The new daily is there: load this page again.")
    late.clock.forward(seconds=3)
    guest.open("/daily")
    expect(guest.find("h1")).to_have_text("Daily 334")
    expect(running).to_have_text(re.compile(r"^(24:00:00|23:59:5\d) to go$"))


def test_no_page_of_the_daily_is_cut_off_or_scrolls_sideways_at_any_size(arrive: Arrive) -> None:
    guest = arrive(reduced_motion="reduce")
    guest.open("/")
    guest.find(".today button").first.click()
    guest.page.wait_for_url("**/games/*")
    found: dict[str, list[str]] = {}
    for address in PAGES:
        guest.open(address)
        for size, (width, height) in SIZES.items():
            guest.page.set_viewport_size({"width": width, "height": height})
            if problems := guest.page.evaluate(PROBLEMS):
                found[f"{address}, {size}"] = problems
    assert found == {}


@pytest.fixture
def speaker(arrive: Arrive, request: pytest.FixtureRequest) -> Iterator[Guest]:
    """Somebody whose browser asks for a language."""
    guest = arrive(reduced_motion="reduce")
    guest.page.set_extra_http_headers({"Accept-Language": request.param})
    yield guest
    guest.page.set_extra_http_headers({})


@pytest.mark.parametrize("speaker", ["en", "fi", "he", "ja"], indirect=True)
def test_the_label_of_the_day_leaves_the_whole_table_on_a_phone(speaker: Guest) -> None:
    speaker.open("/")
    speaker.find(".today button").last.click()
    expect(speaker.find(".head .of-day")).to_contain_text("333")
    assert speaker.page.evaluate(PROBLEMS) + speaker.page.evaluate(OUT_OF_SIGHT) == []


def test_on_a_phone_the_daily_comes_first_and_all_ways_to_play_are_in_sight(arrive: Arrive) -> None:
    guest = arrive(reduced_motion="reduce")
    guest.open("/")
    sizes = guest.find("h1, h2").evaluate_all(
        "all => all.map((one) => [one.textContent.trim(), parseFloat(getComputedStyle(one).fontSize)])"
    )
    assert max(sizes, key=lambda pair: pair[1])[0] == "Daily 333"
    bottoms = guest.find("main form, main .primary").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().bottom)"
    )
    assert max(bottoms) <= 640


def test_axe_finds_nothing_on_the_pages_of_the_daily(arrive: Arrive) -> None:
    guest = arrive(reduced_motion="reduce")
    found = {}
    for address in PAGES:
        guest.open(address)
        found[address] = axe_findings(guest, "dark", "forced colours")
    assert {address: problems for address, problems in found.items() if problems} == {}
