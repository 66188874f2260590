"""What the server promises a browser: every header, the rules of the HTTP Observatory one by one, and life behind a proxy."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app.settings import Settings
from tests.support.web import Visitor, World, open_world, text_of

PATH = "/games/dice"
SITE = "https://club.example"


@pytest.fixture
def below(tmp_path: Path, empty_database: Path) -> Iterator[World]:
    """A server below a path, behind a proxy on this machine that speaks HTTPS and takes the path off."""
    shutil.copy(empty_database, tmp_path)
    with open_world(Settings(data=tmp_path, base_path=PATH)) as opened:
        yield opened


def browser(world: World) -> Visitor:
    """Let a browser come by, through the proxy."""
    return world.visitor(
        **{
            "Host": "club.example",
            "X-Forwarded-For": "203.0.113.7",
            "X-Forwarded-Proto": "https",
            "Origin": SITE,
            "Sec-Fetch-Site": "same-origin",
        }
    )


def cookies_of(visitor: Visitor, cookie: str) -> None:
    """Keep a cookie as a browser at the real address would."""
    visitor.client.headers["Cookie"] = cookie.partition(";")[0]


def policy_of(headers: object) -> dict[str, list[str]]:
    """Read a Content-Security-Policy."""
    text = dict(headers)["content-security-policy"]  # type: ignore[call-overload]
    return {part.split()[0]: part.split()[1:] for part in text.split("; ")}


@pytest.fixture
def answered(below: World) -> dict[str, str]:
    """The headers of the first page over HTTPS."""
    return dict(browser(below).get("/").headers)


def test_observatory_content_security_policy_forbids_all_but_our_own(answered: dict[str, str]) -> None:
    policy = policy_of(answered)
    assert policy["default-src"] == ["'none'"]
    for directive, sources in policy.items():
        assert "'unsafe-inline'" not in sources, directive
        assert "'unsafe-eval'" not in sources
        assert not any(source.startswith(("http:", "https:", "*", "//")) for source in sources)
        assert "data:" not in sources or directive == "img-src"
    assert policy["frame-ancestors"] == policy["base-uri"] == ["'none'"]
    assert policy["form-action"] == ["'self'"]
    assert "object-src" not in policy, "default-src says it"


def test_observatory_cookies_are_secure_httponly_and_samesite(below: World) -> None:
    cookie = browser(below).post("/games", data={"ruleset": "classic"}).headers["set-cookie"]
    words = [word.strip() for word in cookie.split(";")]
    assert {"Secure", "HttpOnly", "SameSite=lax", f"Path={PATH}"} <= set(words)


def test_observatory_no_sharing_with_other_origins(below: World) -> None:
    answer = browser(below).get("/api/v1/rulesets", headers={"Origin": "https://other.example"})
    assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_observatory_strict_transport_for_at_least_half_a_year(answered: dict[str, str]) -> None:
    found = re.fullmatch(r"max-age=([0-9]+)", answered["strict-transport-security"])
    assert found
    assert int(found[1]) >= 180 * 24 * 3600


def test_strict_transport_is_said_over_https_alone(world: World) -> None:
    assert "strict-transport-security" not in world.visitor().get("/").headers


def test_observatory_no_sniffing_no_frames_a_referrer_policy(answered: dict[str, str]) -> None:
    assert answered["x-content-type-options"] == "nosniff"
    assert answered["x-frame-options"] == "DENY"
    assert answered["referrer-policy"] in {
        "no-referrer",
        "same-origin",
        "strict-origin",
        "strict-origin-when-cross-origin",
    }


def test_observatory_nobody_else_may_load_what_is_ours(answered: dict[str, str]) -> None:
    assert answered["cross-origin-resource-policy"] == "same-origin"
    assert answered["cross-origin-opener-policy"] == "same-origin"


def test_observatory_no_script_from_elsewhere_and_none_without_the_policy(below: World) -> None:
    visitor = browser(below)
    for address in ("/", "/rules/classic", "/new", "/settings", "/daily"):
        html = visitor.get(address).text
        for source in re.findall(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="([^"]+)"', html):
            assert source.startswith((f"{PATH}/", "data:")), source


def test_the_server_says_nothing_of_what_it_is_made_of(answered: dict[str, str]) -> None:
    assert "server" not in answered
    assert "x-powered-by" not in answered


def test_what_pages_may_ask_a_browser_for_is_nothing(answered: dict[str, str]) -> None:
    for feature in ("camera", "geolocation", "microphone", "payment", "usb"):
        assert f"{feature}=()" in answered["permissions-policy"]


def addresses_in(html: str) -> list[str]:
    """Find every address that a page names."""
    return re.findall(r'(?:href|src|action|hx-post|hx-get|content)="((?:https?:)?/[^"]*)"', html)


def test_below_a_path_no_address_leaves_it_and_none_is_plain_http(below: World) -> None:
    visitor = browser(below)
    made = visitor.post("/games", data={"ruleset": "classic"})
    assert made.headers["location"].startswith(f"{PATH}/games/")
    cookies_of(visitor, made.headers["set-cookie"])
    table = made.headers["location"].removeprefix(PATH)
    moved = visitor.post(f"{table}/roll", data={"version": "0"})
    assert moved.headers["location"] == f"{PATH}{table}"
    seen = 0
    for page in (
        "/",
        "/games",
        table,
        f"{table}/log",
        "/new",
        "/rules",
        "/rules/classic",
        "/stats",
        "/daily",
        "/settings",
        "/nothing",
    ):
        html = visitor.get(page).text
        assert "http://" not in html.replace("http://www.w3.org", ""), page
        for address in addresses_in(html):
            path = urlsplit(address).path if address.startswith("http") else address
            assert path.startswith(f"{PATH}/"), (page, address)
            assert not address.startswith("http") or address.startswith(f"{SITE}{PATH}/")
            seen += 1
    assert seen > 50


def test_below_a_path_the_links_lead_to_pages(below: World) -> None:
    visitor = browser(below)
    home = visitor.get("/").text
    for address in {one for one in re.findall(r'href="([^"#]+)"', home) if not one.startswith("data:")}:
        assert address.startswith(PATH)
        assert visitor.get(address.removeprefix(PATH)).status_code == 200, address


def test_moves_from_the_sites_own_pages_are_let_in_and_others_are_not(below: World) -> None:
    visitor = browser(below)
    made = visitor.post("/games", data={"ruleset": "classic"})
    cookies_of(visitor, made.headers["set-cookie"])
    table = made.headers["location"].removeprefix(PATH)
    foreign = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    assert visitor.post(f"{table}/roll", data={"version": "0"}, headers=foreign).status_code == 403
    assert "version" in text_of(visitor.get(f"/api/v1{table}").text)
    assert visitor.post(f"{table}/roll", data={"version": "0"}).status_code == 303
