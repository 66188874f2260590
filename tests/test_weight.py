"""What the pages weigh on the wire, in how many requests; the icon and what a home screen asks for."""

from __future__ import annotations

import gzip
import json
import re
import struct
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest

from app.settings import Settings
from app.web.files import ICONS
from app.web.render import STATIC, Renderer
from app.web.words import LANGUAGES
from tests.support.web import HTMX, World, open_world
from tools.icons import ICONS as DRAWN

LINKED = r'<(?:link|script|img)\b[^>]*\b(?:href|src)="([^"]+)"'
PACKED = {"Accept-Encoding": "gzip, deflate, br"}

every_language = pytest.mark.parametrize("language", LANGUAGES)


def on_the_wire(answer: httpx.Response) -> int:
    """Count the bytes of an answer: its head and its body as it was sent."""
    head = sum(len(name) + len(value) + 4 for name, value in answer.headers.raw)
    return head + answer.num_bytes_downloaded


@every_language
def test_the_first_page_of_a_game_is_at_most_60_kb_in_at_most_8_requests(world: World, language: str) -> None:
    visitor = world.visitor(**PACKED, **{"Accept-Language": language})
    page = visitor.get(visitor.open_table())
    answers = [page, *(visitor.get(address) for address in re.findall(LINKED, page.text))]
    assert [answer.status_code for answer in answers] == [200] * len(answers)
    assert len(answers) <= 8
    weight = sum(on_the_wire(answer) for answer in answers)
    assert 10_000 < weight <= 60_000


@every_language
def test_the_answer_to_a_move_is_at_most_6_kb(world: World, language: str) -> None:
    visitor = world.visitor(**PACKED, **{"Accept-Language": language})
    for ruleset in ("classic", "yatzy", "maxi_yatzy"):
        table = visitor.open_table(ruleset)
        answer = visitor.post(f"{table}/roll", data={"version": "0"}, headers=HTMX)
        assert answer.status_code == 200
        assert answer.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in answer.headers["vary"]
        assert "HX-Request" in answer.headers["vary"]
        assert on_the_wire(answer) <= 6_000


def test_pages_and_the_api_are_compressed_for_those_who_take_it_and_else_are_not(world: World) -> None:
    visitor = world.visitor()
    for address in ("/", "/rules/classic", "/api/v1/rulesets", "/api/v1/openapi.json"):
        packed = visitor.get(address, headers={"Accept-Encoding": "gzip"})
        plain = visitor.get(address, headers={"Accept-Encoding": "identity"})
        assert packed.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert packed.content == plain.content
        assert packed.num_bytes_downloaded < plain.num_bytes_downloaded / 2


def test_what_is_packed_already_is_not_packed_again(world: World) -> None:
    address = Renderer().assets.address("icon-512.png")
    picture = world.visitor().get(address, headers=PACKED)
    assert "content-encoding" not in picture.headers
    sheet = world.visitor().get(Renderer().assets.address("app.css"), headers=PACKED)
    assert sheet.content == (STATIC / "app.css").read_bytes()
    assert sheet.num_bytes_downloaded < len(gzip.compress(sheet.content)) + 100


# The home screen


@every_language
def test_the_manifest_says_in_the_language_of_the_page_what_is_put_on_a_home_screen(
    world: World, language: str
) -> None:
    visitor = world.visitor(**{"Accept-Language": language})
    (address,) = re.findall(r'<link rel="manifest" href="([^"]+)"', visitor.get("/").text)
    answer = visitor.get(address)
    assert answer.headers["content-type"] == "application/manifest+json"
    told = json.loads(answer.text)
    assert told["lang"] == language
    assert told["dir"] == ("rtl" if language == "he" else "ltr")
    assert told["start_url"] == told["scope"] == "/"
    assert told["display"] == "standalone"
    # What browsers ask for before they offer to install anything.
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in told["icons"]}
    for icon in told["icons"]:
        assert visitor.get(urljoin(address, icon["src"])).headers["content-type"] == icon["type"]


def test_below_a_path_the_manifest_stays_below_it(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, base_path="/games/dice")
    with open_world(settings) as world:
        told = world.visitor().get("/manifest.webmanifest").json()
    assert told["start_url"] == told["scope"] == "/games/dice/"
    assert all(icon["src"].startswith("/games/dice/static/") for icon in told["icons"])


def size_of(name: str) -> tuple[int, int]:
    """Read the width and height of a PNG of static/ from its head."""
    data = (STATIC / name).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def test_every_icon_is_as_large_as_it_is_said_to_be_and_small_on_the_wire() -> None:
    for icon in DRAWN:
        assert size_of(icon.name) == (icon.size, icon.size)
        assert (STATIC / icon.name).stat().st_size < 10_000
    for name, sizes, media_type, _ in ICONS:
        if media_type == "image/png":
            assert "x".join(map(str, size_of(name))) == sizes


def test_there_is_no_service_worker_that_could_show_the_dice_of_another_day() -> None:
    scripts = [path.read_text(encoding="utf-8") for path in STATIC.glob("*.js")]
    assert scripts
    assert not any("serviceWorker" in script for script in scripts)
