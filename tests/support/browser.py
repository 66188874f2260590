"""Real browsers for the tests: Chromium, wherever this machine keeps it, and the system's Firefox where it has one.

What carries the mark `firefox` is tested in both.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import BrowserType

from tests.support import firefox_door

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW_TO_GET_ONE = (
    "The browser tests need Chromium and found none: run `make browser`, install your system's chromium package, "
    "or set CHROME_PATH to the program."
)
FIREFOX_NAMES = ("firefox-esr", "firefox")
NO_FIREFOX = "no Firefox here; on Debian as root `make browser` gets one, elsewhere install your system's package"
# A test talks to this machine only: without these the browser looks for updates and accounts at every start.
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


class NoBrowserError(Exception):
    """There is no Chromium here; the message says how to get one."""


def find_chromium(environment: Mapping[str, str] = os.environ, own: str | None = None) -> Path:
    """Find the browser: the program CHROME_PATH names, else the system's, else `own`, playwright's download.

    Raises:
        NoBrowserError: nothing there, or CHROME_PATH names no program.
    """
    if named := environment.get("CHROME_PATH"):
        if shutil.which(named) is None:
            raise NoBrowserError(f"CHROME_PATH is {named}, which is no program. {HOW_TO_GET_ONE}")
        return Path(named)
    search = environment.get("PATH", os.defpath)
    for found in (shutil.which(name, path=search) for name in NAMES):
        if found:
            return Path(found)
    if own and Path(own).exists():
        return Path(own)
    raise NoBrowserError(HOW_TO_GET_ONE)


def launch_arguments() -> list[str]:
    """Chromium's command line for tests; as root it refuses to start inside its sandbox."""
    # There is no geteuid on Windows, where nobody is root.
    root = getattr(os, "geteuid", lambda: 1)() == 0
    return [*QUIET, "--no-sandbox"] if root else list(QUIET)


def find_firefox(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Find the system's Firefox; None where there is none."""
    search = environment.get("PATH", os.defpath)
    return next((Path(found) for name in FIREFOX_NAMES if (found := shutil.which(name, path=search))), None)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, object],  # pytest-playwright's own, from the command line
    browser_type: BrowserType,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, object]:
    """Tell pytest-playwright which browser to start and how."""
    if browser_type.name == "firefox":
        door = tmp_path_factory.mktemp("firefox") / "door"
        words = [sys.executable, firefox_door.__file__, str(find_firefox())]
        door.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        door.chmod(0o700)
        return {**browser_type_launch_args, "executable_path": str(door), "channel": "moz-firefox"}
    path = find_chromium(own=browser_type.executable_path)
    return {**browser_type_launch_args, "executable_path": str(path), "args": launch_arguments()}


def pytest_configure(config: pytest.Config) -> None:
    """Test in both browsers, unless `--browser` names one, in which everything is tested then."""
    config.addinivalue_line("markers", "firefox: tested in Firefox too, where there is one")
    config.option.browser = config.option.browser or ["chromium", "firefox"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the browsers' tests last, of Firefox's only those that are marked.

    Playwright's synchronous interface keeps an event loop running in this thread until the session ends, and
    nothing that calls asyncio.run or anyio.run works beside it.
    """
    in_firefox = [item for item in items if _browser_of(item) == "firefox"]
    if config.option.browser != ["firefox"]:
        left_out = {item for item in in_firefox if not item.get_closest_marker("firefox")}
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
    if not find_firefox():
        for item in in_firefox:
            item.add_marker(pytest.mark.skip(reason=NO_FIREFOX))
    items.sort(key=lambda item: "browser_type_launch_args" in getattr(item, "fixturenames", ()))


def _browser_of(item: pytest.Item) -> object:
    call = getattr(item, "callspec", None)
    return call and call.params.get("browser_name")
