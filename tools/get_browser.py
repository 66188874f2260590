"""Get Chromium for the browser tests, unless this machine has one.

On Debian as root it comes from Debian's packages, with fonts for every language of the pages; elsewhere playwright
downloads its own build.
"""

import os
import platform
import subprocess
import sys

from playwright.sync_api import sync_playwright

from tests.support.browser import NoBrowserError, find_chromium

# Latin and Hebrew, and Japanese: without the second, Japanese pages show boxes.
DEBIAN_PACKAGES = ("chromium", "fonts-dejavu-core", "fonts-ipafont-gothic")


def installing_commands(distribution: str, *, root: bool) -> list[list[str]]:
    """The commands that bring a browser, by the `ID` of the system's os-release file."""
    if distribution == "debian" and root:
        return [
            ["apt-get", "update", "--quiet"],
            ["apt-get", "install", "--quiet", "--yes", "--no-install-recommends", *DEBIAN_PACKAGES],
        ]
    return [[sys.executable, "-m", "playwright", "install", "chromium"]]


def _distribution() -> str:
    try:
        return platform.freedesktop_os_release().get("ID", "")
    except OSError:
        return ""


def _playwrights_own() -> str:
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _get() -> None:
    try:
        find_chromium(own=_playwrights_own())
    except NoBrowserError:
        pass
    else:
        return
    root = getattr(os, "geteuid", lambda: 1)() == 0
    for command in installing_commands(_distribution(), root=root):
        print(*command)
        subprocess.run(
            command, check=False, stdin=subprocess.DEVNULL, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        )
    find_chromium(own=_playwrights_own())


if __name__ == "__main__":
    try:
        _get()
    except NoBrowserError as no_browser:
        sys.exit(str(no_browser))
