"""A stage for looks at the pages: a server with games in every situation, and every page of the application as a scene on it.

The pictures, the checks of `make quality` and the comparison with earlier looks all walk through the same scenes. Clock,
dice and computer players are given, so that a scene looks the same every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from app.coach.making import Tables
from app.game.rulesets import ruleset
from app.settings import Settings
from app.web import ROUTERS
from app.web.words import LANGUAGES
from tests.support.browser import find_chromium, launch_arguments
from tests.support.computers import Keeper
from tests.support.guest import AS_USUAL, PHONE, Guest, another_window, best_box
from tests.support.keys import key_with_fives
from tests.support.server import Served, in_thread

ROOT = Path(__file__).parents[1]
LOCALES = {"en": "en-GB", "ja": "ja-JP", "fi": "fi-FI", "he": "he-IL"}
"""What a browser asks for by its language."""

STILL = {**AS_USUAL, "reduced_motion": "reduce"}
"""How the screen is set where nothing shall move."""

BROKEN = 500
"""From this status on an answer is no page to look at."""

COACHED = "yacht"
"""The game of the coach's scenes: its table is made in seconds."""


def _nothing(guest: Guest) -> None:
    """Look at the page as it comes."""
    del guest


@dataclass(frozen=True, slots=True)
class Scene:
    """A page in a situation: `address` may name a game of the stage as `{finished}`; `act` is done on the page before one looks.

    `stranger`: seen by somebody without a cookie.
    """

    name: str
    address: str
    act: Callable[[Guest], None] = _nothing
    stranger: bool = False


def _keep(guest: Guest) -> None:
    guest.keep(1, 3)


def _ask_for_a_needless_zero(guest: Guest) -> None:
    box = guest.needless_zeros()[0]
    guest.find(f"#box-{box}").click()
    expect(guest.find(f".armed #box-{box}")).to_be_visible()


def _ask_for_a_hint(guest: Guest) -> None:
    guest.find("#hint").click()
    expect(guest.find(".hint")).to_be_visible()


def _be_refused(guest: Guest) -> None:
    guest.find("#box-ones").evaluate("button => { button.value = 'sixes'; }")
    guest.find("#box-ones").click()
    expect(guest.find("#status.warns")).to_be_visible()


TOLD = (
    Scene("first visit", "/", stranger=True),
    Scene("home", "/"),
    Scene("table", "/games/{fresh}"),
    Scene("table, kept dice", "/games/{rolled}", _keep),
    Scene("table, needless zero", "/games/{rolled}", _ask_for_a_needless_zero),
    Scene("table, joker", "/games/{joker}"),
    Scene("table, hint", "/games/{coached}", _ask_for_a_hint),
    Scene("table, finished", "/games/{finished}"),
    Scene("table, daily", "/games/{daily_begun}"),
    Scene("table, daily, finished", "/games/{daily}"),
    Scene("table, one opponent", "/games/{duel}"),
    Scene("table, one opponent, kept dice", "/games/{duel_rolled}", _keep),
    Scene("table, one opponent, finished", "/games/{duel_finished}"),
    Scene("table, three opponents", "/games/{company}"),
    Scene("table, three opponents, finished", "/games/{company_finished}"),
    Scene("daily, not begun", "/daily", stranger=True),
    Scene("daily, a day before", "/daily/2026-11-28"),
    Scene("daily, by number", "/d/333"),
    Scene("daily, by number and game", "/d/333/yatzy"),
    Scene("daily, shared", "{shared}", stranger=True),
    Scene("games", "/games"),
    Scene("statistics", "/stats"),
    Scene("log", "/games/{finished}/log"),
    Scene("review", "/games/{coached_finished}/review"),
    Scene("analysis, position", f"/analysis?ruleset={COACHED}&ones=3&sixes=18&dice=44451&rolls_left=2"),
    Scene("analysis, impossible", f"/analysis?ruleset={COACHED}&ones=6"),
    Scene("advice", "/advice"),
    Scene("new game", "/new"),
    Scene("new game, options", "/new?ruleset=yatzy"),
    Scene("rules", "/rules"),
    Scene("rules of classic", "/rules/classic"),
    Scene("nothing there", "/none"),
)


def plain_pages() -> list[str]:
    """Give the addresses of all pages that need no more than their path, in the order of their routes."""
    return [
        route.path
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute) and is_page(route) and "{" not in route.path
    ]


NO_PAGES = frozenset({"/settings/data"})
"""What the routers of pages answer, and browsers do not show: a file to be kept."""


def is_page(route: APIRoute) -> bool:
    """Tell whether a browser shows what the route answers to GET."""
    if "GET" not in (route.methods or ()) or route.path in NO_PAGES:
        return False
    return route.response_class is HTMLResponse or route.path == "/api/docs"


def scenes() -> list[Scene]:
    """Give all scenes: those that are told here, and every other page that needs no more than its path."""
    told = {scene.address for scene in TOLD}
    return [*TOLD, *(Scene(path.strip("/").replace("/", " "), path) for path in plain_pages() if path not in told)]


@dataclass(frozen=True, slots=True)
class Stage:
    """A server with its games: `cookies` make a browser the player's, `games` are ids by the names that scenes use."""

    browser: Browser
    served: Served
    cookies: list[Any]
    games: Mapping[str, str]

    def address(self, scene: Scene) -> str:
        """Give the whole address of a scene."""
        return self.served.url + scene.address.format(**self.games)

    @contextmanager
    def guest(self, language: str = "en") -> Iterator[Guest]:
        """Open a window of a browser that speaks a language and asks for no motion."""
        opened = self.browser.new_context(locale=LOCALES[language], viewport=PHONE, reduced_motion="reduce")
        yield another_window(opened, self.served)
        opened.close()

    def be_seen_by(self, scene: Scene, guest: Guest) -> None:
        """Make the window that of whoever sees the scene: the player, or a stranger."""
        context: BrowserContext = guest.page.context
        context.clear_cookies()
        if not scene.stranger:
            context.add_cookies(self.cookies)

    def show(self, scene: Scene, guest: Guest) -> None:
        """Bring the scene onto the window."""
        self.be_seen_by(scene, guest)
        answer = guest.page.goto(self.address(scene))
        if answer is None or answer.status >= BROKEN:
            raise RuntimeError(f"{scene.name} cannot be shown: {answer and answer.status}")
        scene.act(guest)


@contextmanager
def stage() -> Iterator[Stage]:
    """Set the stage, and clear it away after the block."""
    # Tables are kept where the server keeps them, so that they are solved once.
    Tables(ROOT / "data" / "tables").make(ruleset(COACHED))
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        settings = Settings(data=Path(folder), rate_limits="off")
        settings.tables.symlink_to(ROOT / "data" / "tables", target_is_directory=True)
        own = find_chromium(own=playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=own, args=launch_arguments())
        with in_thread(settings, Keeper()) as served:
            guest = another_window(browser.new_context(viewport=PHONE), served)
            games = _games(guest)
            yield Stage(browser, served, list(guest.page.context.cookies()), games)
        browser.close()


def _games(guest: Guest) -> dict[str, str]:
    """Bring a game into each situation; gives their ids."""
    tables = {
        "finished": _finished(guest, "classic", corrections="1"),
        "coached_finished": _finished(guest, COACHED),
        "company_finished": _contest(guest, ("novice", "skilled", "perfect"), turns=13),
        "duel_finished": _contest(guest, ("perfect",), turns=13),
        "fresh": guest.new_table(),
        "duel": _contest(guest, ("perfect",), turns=5),
        "duel_rolled": _contest(guest, ("perfect",), turns=5),
        "company": _contest(guest, ("novice", "skilled", "perfect"), turns=6),
        "coached": guest.new_table(ruleset=COACHED),
        "joker": guest.new_table(key_with_fives((6, 6))),
        "rolled": guest.new_table(corrections="1"),
    }
    guest.roll_five(tables["joker"], 6)
    guest.play(tables["joker"], action="score", box="five_of_a_kind")
    guest.roll_five(tables["joker"], 6)
    guest.play_turns(tables["rolled"], "chance", "threes")
    for name in ("rolled", "coached", "duel_rolled"):
        guest.play(tables[name], action="roll", keep=[])
    tables["daily"] = _daily(guest, "classic")
    _play(guest, tables["daily"], 13)
    tables["daily_begun"] = _daily(guest, "yatzy")
    guest.play_turns(tables["daily_begun"], "ones", "chance")
    guest.play(tables["daily_begun"], action="roll", keep=[])
    guest.open(tables["daily"])
    link = guest.find("#text").input_value().rpartition("/d/")[2]
    return {name: table.rpartition("/")[2] for name, table in tables.items()} | {"shared": f"/d/{link}"}


def _daily(guest: Guest, rules: str) -> str:
    made = guest.page.request.post(f"{guest.served.url}/daily", form={"ruleset": rules}, max_redirects=0)
    return guest.served.url + made.headers["location"]


def _finished(guest: Guest, rules: str, **fields: str) -> str:
    table = guest.new_table(None, rules, **fields)
    _play(guest, table, len(ruleset(rules).boxes))
    return table


def _contest(guest: Guest, levels: tuple[str, ...], *, turns: int) -> str:
    body = urlencode({"kind": "computer", "ruleset": "classic", "level": levels, "same_dice": "1"}, doseq=True)
    made = guest.page.request.post(
        f"{guest.served.url}/games",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
        data=body,
        max_redirects=0,
    )
    table = guest.served.url + made.headers["location"]
    _play(guest, table, turns)
    return table


def _play(guest: Guest, table: str, turns: int) -> None:
    """Play turns of one roll each by the API."""
    for _ in range(turns):
        game = guest.play(table, action="roll", keep=[])
        guest.play(table, game["version"], action="score", box=best_box(game))


def languages() -> list[str]:
    """Give the languages that the pages are offered in."""
    return [language for language in LOCALES if language in LANGUAGES]
