"""The checker of /fair in a browser: worked out in the page where the browser can, by the server where it cannot."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from app.game.rulesets import ruleset
from tests.support.guest import Arrive, Guest
from tests.support.server import Served
from tests.test_browser_access import PROBLEMS, SIZES, axe_findings

KEY = "5f" * 32


@pytest.fixture
def day_after(served: Served) -> Iterator[Served]:
    """The server one day later, when the day before has closed; its clock is put back afterwards."""
    before = served.clock.now
    served.clock.now = before + timedelta(days=1)
    yield served
    served.clock.now = before


def first_faces(address: str) -> str:
    """Make the first five faces of an address, by the recipe and nothing else."""
    found = hmac.digest(bytes.fromhex(KEY), f"fairwind/1/{address}/0".encode(), "sha256")
    return " ".join([str(byte % 6 + 1) for byte in found if byte < 252][:5])


def ask(guest: Guest, commitment: str = "", order: str = "by_turn") -> None:
    """Paste a key and ask."""
    guest.find("#key").fill(f"{KEY[:32]} {KEY[32:]}")
    guest.find("#commitment").fill(commitment)
    guest.find("#addressing").select_option(order)
    guest.find("form.check button").click()


def test_the_page_itself_makes_the_dice_of_a_key_and_compares_its_fingerprint(guest: Guest, day_after: Served) -> None:
    guest.open("/fair")
    fingerprint = hashlib.sha256(bytes.fromhex(KEY)).hexdigest()
    ask(guest, fingerprint.upper())
    expect(guest.find("#checked")).to_contain_text("Worked out here, in your browser.")
    expect(guest.find("#checked .verdict")).to_contain_text("these are the dice that were fixed before")
    expect(guest.find("#checked li:nth-child(3) bdi:nth-of-type(2)")).to_have_text(first_faces("0/3/2"))
    ask(guest, "0" * 64, "continuous")
    expect(guest.find("#checked .verdict")).to_contain_text(f"its SHA-256 is {fingerprint}")
    expect(guest.find("#checked li:nth-child(3) bdi:nth-of-type(2)")).to_have_text(first_faces("0/c/7"))
    guest.find("a.check").first.click()
    expect(guest.find("#checked h3")).to_contain_text("Daily 333")
    expect(guest.find("#checked .verdict")).to_contain_text("these are the dice that were fixed before")
    assert len([request for request in guest.requests if "/fair" in request.url and "/static/" not in request.url]) == 1
    assert guest.policy_violations() == []
    assert guest.complaints == []
    assert day_after.url in guest.page.url


def test_without_script_the_server_says_the_same(arrive: Arrive, day_after: Served) -> None:
    guest = arrive(script=False)
    guest.open("/fair")
    ask(guest, "0" * 64)
    expect(guest.find("#checked")).to_contain_text("Worked out by this server")
    expect(guest.find("#checked li:nth-child(3) bdi:nth-of-type(2)")).to_have_text(first_faces("0/3/2"))
    guest.find("a.check").first.click()
    expect(guest.find("#checked h3")).to_contain_text("Daily 333")
    assert "day=2026-11-29" in guest.page.url
    assert day_after.url in guest.page.url


def test_no_page_is_cut_off_or_scrolls_sideways_at_any_size_and_axe_finds_nothing(
    guest: Guest, day_after: Served
) -> None:
    day_after.clock.forward(days=-1)
    guest.page.request.post(f"{day_after.url}/daily", form={"ruleset": "yatzy"}, max_redirects=0)
    game = guest.page.request.get(f"{day_after.url}/api/v1/daily?ruleset=yatzy").json()["attempt"]["game"]
    guest.play_turns(f"{day_after.url}/games/{game}", *(box.key for box in ruleset("yatzy").boxes))
    day_after.clock.forward(days=1)
    found: dict[str, list[str]] = {}
    for address in ("/fair?day=2026-11-29", "/daily/2026-11-29?ruleset=yatzy", f"/d/333/yatzy/{game[:8]}"):
        guest.open(address)
        found[f"{address}, axe"] = axe_findings(guest, "dark", "forced colours")
        for size, (width, height) in SIZES.items():
            guest.page.set_viewport_size({"width": width, "height": height})
            if problems := guest.page.evaluate(PROBLEMS):
                found[f"{address}, {size}"] = problems
    assert {where: problems for where, problems in found.items() if problems} == {}
