"""Somebody who plays in a real browser: opens tables, moves dice by mouse or by keys, and hears what the page says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Protocol

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Locator,
    Page,
    Request,
    ViewportSize,
    expect,
)

from app.game.dice import Dice, Stream
from tests.support.server import Served, Trouble
from tests.support.web import FakeClock

PHONE = ViewportSize(width=360, height=640)
DESK = ViewportSize(width=1280, height=800)

AS_USUAL: dict[str, Any] = {
    "color_scheme": "light",
    "contrast": "no-preference",
    "forced_colors": "none",
    "reduced_motion": "no-preference",
}
"""How a screen is set by those who have set nothing."""

MILLISECONDS = 30_000
"""How long a condition is waited for: far more than anything takes, also on a machine that is busy."""

expect.set_options(timeout=MILLISECONDS)

# Runs before every page's own script. What live regions say is noted down as a screen reader would hear it: each text that is put
# into one, also when it is the same as before.
WITNESS = """
window.witness = {said: [], spoke: 0, asked: 0, focus: [], policy: []};
const live = '[role=status], [role=alert], [role=log], [aria-live]:not([aria-live=off]), output';
new MutationObserver((changes) => {
  const heard = new Set();
  for (const change of changes) {
    if (change.type === 'childList' && change.addedNodes.length === 0) continue;
    const near = change.target.nodeType === 1 ? change.target : change.target.parentElement;
    const around = near && near.closest(live);
    if (around) heard.add(around);
    for (const added of change.addedNodes) {
      if (added.nodeType === 1) added.querySelectorAll(live).forEach((region) => heard.add(region));
    }
  }
  heard.forEach((region) => {
    const text = region.textContent.trim();
    if (!text) return;
    witness.said.push(text);
    witness.spoke = performance.now();
  });
}).observe(document, {childList: true, characterData: true, subtree: true});
document.addEventListener('securitypolicyviolation', (event) => {
  witness.policy.push(event.violatedDirective + ' ' + event.blockedURI);
});
document.addEventListener('htmx:before:request', () => { witness.asked = performance.now(); });
document.addEventListener('htmx:finally:request', () => {
  witness.focus.push(document.activeElement.id || document.activeElement.tagName);
});
"""

FACES = ("one", "two", "three", "four", "five", "six")


@dataclass(frozen=True, slots=True)
class Guest:
    """A person with a browser window; `complaints` are its errors, `requests` all that it has asked for."""

    page: Page
    served: Served
    complaints: list[str]
    requests: list[Request]

    # Tables

    def new_table(self, key: bytes | None = None, ruleset: str = "classic", **fields: str) -> str:
        """Make a game by the form, without looking at it; gives its address."""
        if key is not None:
            self.served.keys_to_come.append(key)
        made = self.page.request.post(f"{self.served.url}/games", form={"ruleset": ruleset, **fields}, max_redirects=0)
        assert made.status == 303, made.text()
        return self.served.url + made.headers["location"]

    def sit_down(self, key: bytes | None = None, ruleset: str = "classic", **fields: str) -> str:
        """Make a game and open its page; gives its address."""
        table = self.new_table(key, ruleset, **fields)
        self.open(table)
        return table

    def open(self, address: str) -> None:
        """Open a page: an address, or a path of the server's."""
        self.page.goto(address if "://" in address else self.served.url + address)

    # The game as the API tells it, and moves that are not the point of the test

    def api(self, table: str) -> dict[str, Any]:
        """Ask the API how the game stands."""
        answer = self.page.request.get(table.replace("/games/", "/api/v1/games/"))
        assert answer.ok, answer.text()
        game: dict[str, Any] = answer.json()
        return game

    def play(self, table: str, version: int | None = None, **move: Any) -> dict[str, Any]:
        """Make a move by the API, behind the page's back; without a version it is made on the present game."""
        address = f"{table.replace('/games/', '/api/v1/games/')}/moves"
        seen = self.api(table)["version"] if version is None else version
        answer = self.page.request.post(address, data={"version": seen, **move})
        assert answer.ok, answer.text()
        game: dict[str, Any] = answer.json()
        return game

    def play_turns(self, table: str, *boxes: str) -> dict[str, Any]:
        """Play turns of one roll each into these boxes, by the API."""
        game = self.api(table)
        for box in boxes:
            game = self.play(table, game["version"], action="roll", keep=[])
            game = self.play(table, game["version"], action="score", box=box)
        return game

    def roll_five(self, table: str, face: int) -> dict[str, Any]:
        """Roll by the API until all dice show the face, which the key must bring."""
        game = self.play(table, action="roll", keep=[])
        while set(game["dice"]) != {face}:
            keep = [place for place, found in enumerate(game["dice"]) if found == face]
            game = self.play(table, game["version"], action="roll", keep=keep)
        return game

    # What is on the page

    def find(self, selector: str) -> Locator:
        """Find something on the page."""
        return self.page.locator(selector)

    def version(self) -> int:
        """Give the version that the page's forms send."""
        return int(self.find("#table input[name=version]").first.get_attribute("value") or "")

    def see_version(self, version: int) -> None:
        """Wait until the page shows the game at this version, or its result, where nothing can be sent any more."""
        shown = self.find(f"#table input[name=version][value='{version}'], #result").first
        expect(shown).to_be_attached()

    def dice(self) -> list[int]:
        """Read the faces of the dice from their names."""
        names: list[str] = self.find(".dice .name, .dice .die[role=img]").evaluate_all(
            "dice => dice.map((die) => die.getAttribute('aria-label') || die.textContent)"
        )
        return [FACES.index(name.rpartition(": ")[2].strip(" ,")) + 1 for name in names]

    def kept(self) -> list[int]:
        """Give the positions, from 0, of the dice that are marked as kept."""
        found: list[int] = self.find(".dice input").evaluate_all(
            "dice => dice.flatMap((die, place) => die.checked ? [place] : [])"
        )
        return found

    def offers(self) -> dict[str, int]:
        """Read the points that stand in the open boxes."""
        found: dict[str, int] = self.find(".column button").evaluate_all(
            "buttons => Object.fromEntries(buttons.map((button) => [button.value, Number(button.textContent)]))"
        )
        return found

    # Moves, by mouse

    def keep(self, *positions: int) -> None:
        """Click dice until exactly these positions, from 0, are kept."""
        kept = set(self.kept())
        for place in sorted(kept ^ set(positions)):
            self.find(f"#die-{place + 1}").click()

    def roll(self, *keep: int) -> None:
        """Keep exactly these positions and click Roll."""
        version = self.version()
        self.keep(*keep)
        self.find("#roll").click()
        self.see_version(version + 1)

    def score(self, box: str) -> None:
        """Click a box, once more where the page asks for it."""
        version, needless = self.version(), self.needless_zeros()
        self.find(f"#box-{box}").click()
        if box in needless:
            self.find(f".armed #box-{box}").click()
        self.see_version(version + 1)

    def needless_zeros(self) -> list[str]:
        """Name the boxes that would bring nothing while another one would bring points."""
        offers = self.offers()
        return [box for box, points in offers.items() if not points and any(offers.values())]

    # What the witness noted down

    def said(self) -> list[str]:
        """Give the announcements since the page was opened."""
        found: list[str] = self.page.evaluate("witness.said")
        return found

    def hear(self, count: int) -> list[str]:
        """Wait until so many announcements were made since the page was opened, and give them."""
        self.page.wait_for_function("count => witness.said.length >= count", arg=count)
        return self.said()

    def seconds_to_hear(self) -> float:
        """Give how long it took from the last request of HTMX to the last announcement."""
        found: float = self.page.evaluate("(witness.spoke - witness.asked) / 1000")
        return found

    def focused(self) -> str:
        """Give the id of the control that has the focus, its tag where it has none."""
        found: str = self.page.evaluate("document.activeElement.id || document.activeElement.tagName")
        return found

    def moves_sent(self) -> list[str]:
        """Name the moves that the window has sent: roll, score, undo."""
        return [request.url.rpartition("/")[2] for request in self.requests if request.method == "POST"]

    def policy_violations(self) -> list[str]:
        """Give what the content security policy has stopped on this page."""
        found: list[str] = self.page.evaluate("witness.policy")
        return found


class Arrive(Protocol):
    """Lets somebody come by with nothing in the browser."""

    def __call__(self, *, script: bool = True, viewport: ViewportSize = PHONE, **media: Any) -> Guest:
        """Open the window, with or without script; `media` is what Playwright can emulate of a screen and its user."""
        ...


@pytest.fixture(scope="session")
def _windows(browser: Browser) -> Callable[[bool], Guest]:
    """Two windows for all tests, one without script: a new window costs more than most tests do in it."""

    @cache
    def window(script: bool) -> Guest:  # noqa: FBT001 -- a key of the cache
        return another_window(browser.new_context(java_script_enabled=script), Served("", FakeClock(), Trouble()))

    return window


@pytest.fixture
def arrive(_windows: Callable[[bool], Guest], served: Served) -> Arrive:
    """Let people come by."""

    def arrive(*, script: bool = True, viewport: ViewportSize = PHONE, **media: Any) -> Guest:
        window = _windows(script)
        page = window.page
        for other in page.context.pages[1:]:
            other.close()
        page.context.clear_cookies()
        page.context.clear_permissions()
        page.unroute_all()
        page.bring_to_front()
        page.set_viewport_size(viewport)
        page.emulate_media(**{**AS_USUAL, **media})
        # What the page before was still about ends here.
        page.goto(f"{served.url}/health")
        window.complaints.clear()
        window.requests.clear()
        return replace(window, served=served)

    return arrive


@pytest.fixture
def guest(arrive: Arrive) -> Guest:
    """Somebody with a phone."""
    return arrive()


def another_window(context: BrowserContext, served: Served) -> Guest:
    """Open a window in a browser: with the cookies of its other windows."""
    context.set_default_timeout(MILLISECONDS)
    page = context.new_page()
    page.add_init_script(WITNESS)
    complaints: list[str] = []
    requests: list[Request] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            complaints.append(message.text)

    def note(request: Request) -> None:
        requests.append(request)

    def refuse(dialog: Dialog) -> None:
        # No page of ours opens one, and an open one would stop every test.
        complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", hear)
    page.on("dialog", refuse)
    page.on("request", note)
    return Guest(page, served, complaints, requests)


def key_for(wanted: Callable[[Stream], bool]) -> bytes:
    """Find a key whose dice are as wanted, by trying."""
    return next(key for key in (number.to_bytes(32, "big") for number in range(1, 10**6)) if wanted(Stream(key)))


def first_roll(stream: Stream, turn: int = 1) -> Dice:
    """Give the dice of a turn's first roll of five."""
    return stream.faces(5, 0, turn, 1, 0)


def majority(dice: list[int]) -> list[int]:
    """Choose to keep the face that there is most of, the highest such."""
    face = max(dice, key=lambda found: (dice.count(found), found))
    return [place for place, found in enumerate(dice) if found == face]


def best_box(game: dict[str, Any]) -> str:
    """Choose the box that brings the most points now, the first such."""
    boxes: dict[str, int] = game["legal"]["boxes"]
    return max(boxes, key=lambda box: boxes[box])
