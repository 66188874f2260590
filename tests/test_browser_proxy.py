"""Below a path, behind a real proxy that speaks HTTPS: nginx, set up as docs/operations.md says."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.support.guest import PHONE, Guest, another_window
from tests.support.server import Program, Served, Trouble, started
from tests.support.web import FakeClock

ROOT = Path(__file__).resolve().parents[1]
PATH = "/dice"
# Debian keeps what serves out of an ordinary user's way.
PROGRAMS = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])


def program_of(name: str) -> str:
    """Find a program of this machine."""
    found = shutil.which(name, path=PROGRAMS)
    if found is None:
        pytest.skip(f"no {name} here; install your system's package to see the pages behind a proxy")
    return found


def documented_location(port: int) -> str:
    """Take the part of nginx's configuration that the documentation gives, for this path and port."""
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    snippet = text.partition("```nginx\n")[2].partition("```")[0]
    assert "/games/fairwind/" in snippet
    return snippet.replace("/games/fairwind", PATH).replace("127.0.0.1:8000", f"127.0.0.1:{port}")


def certify(folder: Path) -> None:
    """Make a certificate for this machine, which nobody has signed."""
    words = [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=fairwind",
    ]
    places = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run(
        [program_of("openssl"), *words, "-addext", "subjectAltName=IP:127.0.0.1", *places],
        check=True,
        capture_output=True,
    )


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """The program, below a path."""
    program_of("nginx")
    with started(tmp_path / "data", FAIRWIND_BASE_PATH=PATH) as running:
        yield running


@pytest.fixture
def site(program: Program, tmp_path: Path) -> Iterator[str]:
    """The address at which the proxy serves it."""
    certify(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    ways = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {tmp_path}/pid; error_log stderr; events {{}}\n"
        f"http {{ access_log off; {ways}\n"
        f"server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {tmp_path}/cert.pem; ssl_certificate_key {tmp_path}/key.pem;\n"
        f"{documented_location(program.port)} }} }}\n"
    )
    command = [program_of("nginx"), "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"), "-e", "stderr"]
    with (tmp_path / "complaints.txt").open("w") as complaints, subprocess.Popen(command, stderr=complaints) as proxy:
        try:
            address = f"https://127.0.0.1:{port}{PATH}"
            with visitor(tmp_path) as line:
                assert line.get(f"{address}/health").text == "ok"
            yield address
        finally:
            proxy.terminate()


def visitor(folder: Path) -> httpx.Client:
    """Come by with trust in the certificate alone; until the proxy listens it is tried again."""
    trust = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    return httpx.Client(transport=httpx.HTTPTransport(verify=trust, retries=6))


def test_behind_a_tls_proxy_below_a_path_everything_stays_there_and_is_for_https(site: str, tmp_path: Path) -> None:
    host = site.removesuffix(PATH)
    with visitor(tmp_path) as line:
        first = line.get(f"{site}/")
        assert first.headers["strict-transport-security"].startswith("max-age=")
        made = line.post(f"{site}/games", data={"ruleset": "classic"}, headers={"Origin": host})
        assert made.status_code == 303
        assert made.headers["location"].startswith(f"{PATH}/games/")
        cookie = made.headers["set-cookie"]
        assert {"Secure", "HttpOnly", f"Path={PATH}"} <= {word.strip() for word in cookie.split(";")}
        table = host + made.headers["location"]
        assert line.post(f"{table}/roll", data={"version": "0"}, headers={"Origin": host}).status_code == 303
        assert (
            line.post(f"{table}/roll", data={"version": "1"}, headers={"Origin": "https://evil.example"}).status_code
            == 403
        )
        for address in (
            f"{site}/",
            table,
            f"{site}/daily",
            f"{site}/rules/classic",
            f"{site}/settings",
            f"{site}/nothing",
        ):
            html = line.get(address).text.replace("http://www.w3.org", "")
            assert "http://" not in html, address
            links = re.findall(r'(?:href|src|action|hx-post)="([^"#]+)"', html)
            assert links
            assert [link for link in links if not link.startswith((f"{PATH}/", f"{site}/", "data:"))] == [], address


def test_in_a_browser_behind_the_proxy_a_daily_is_played_and_its_link_opens(site: str, browser: Browser) -> None:
    context = browser.new_context(ignore_https_errors=True, viewport=PHONE)
    guest: Guest = another_window(context, Served(site, FakeClock(), Trouble()))
    guest.open("/")
    guest.page.get_by_role("button", name="Play Classic").click()
    table = guest.page.url
    assert table.startswith(f"{site}/games/")
    guest.roll()
    guest.roll(0)
    guest.score("chance")
    assert guest.policy_violations() == []
    daily = guest.page.request.post(f"{site}/api/v1/games", data={"kind": "daily", "ruleset": "classic"}).json()
    address = f"{site}/games/{daily['id']}"
    guest.play_turns(address, *daily["closed"])
    guest.open(address)
    link = guest.find("#text").input_value().rpartition("\n")[2]
    assert link.startswith(f"{site}/d/")
    guest.open(link)
    expect(guest.find("main h1")).to_be_visible()
    assert guest.complaints == []
    assert [request.url for request in guest.requests if not request.url.startswith(f"{site}/")] == []
    context.close()
