"""A real browser for the tests: Chromium, wherever this machine keeps it."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import BrowserType

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW_TO_GET_ONE = (
    "The browser tests need Chromium and found none: run `make browser`, install your system's chromium package, "
    "or set CHROME_PATH to the program."
)
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


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, object],  # pytest-playwright's own, from the command line
    browser_type: BrowserType,
) -> dict[str, object]:
    """Tell pytest-playwright which browser to start and how."""
    path = find_chromium(own=browser_type.executable_path)
    return {**browser_type_launch_args, "executable_path": str(path), "args": launch_arguments()}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the browser's tests last.

    Playwright's synchronous interface keeps an event loop running in this thread until the session ends, and
    nothing that calls asyncio.run or anyio.run works beside it.
    """
    items.sort(key=lambda item: "browser_type_launch_args" in getattr(item, "fixturenames", ()))
