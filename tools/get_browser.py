"""Get the browsers of the tests, unless this machine has them: Chromium, and Firefox where the system gives one.

On Debian as root both come from Debian's packages, with fonts for every language of the pages. Elsewhere playwright
downloads its own Chromium, and the tests in Firefox are left out where there is none: they need the one that people have.
"""

import os
import platform
import subprocess
import sys

from playwright.sync_api import sync_playwright

from tests.support.browser import NoBrowserError, find_chromium, find_firefox

# Latin and Hebrew, and Japanese: without the second, Japanese pages show boxes.
DEBIAN_PACKAGES = ("chromium", "firefox-esr", "fonts-dejavu-core", "fonts-ipafont-gothic")


def installing_commands(distribution: str, *, root: bool) -> list[list[str]]:
    """The commands that bring the browsers, by the `ID` of the system's os-release file."""
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


def _has_chromium() -> bool:
    try:
        find_chromium(own=_playwrights_own())
    except NoBrowserError:
        return False
    return True


def _get() -> None:
    root = getattr(os, "geteuid", lambda: 1)() == 0
    commands = installing_commands(_distribution(), root=root)
    # Only Debian's commands bring a Firefox.
    if _has_chromium() and (find_firefox() or commands[0][0] != "apt-get"):
        return
    for command in commands:
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
