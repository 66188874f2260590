"""Fixtures that tests of several layers share, and how many of them run side by side."""

import os

from hypothesis import settings

pytest_plugins = [
    "tests.support.after",
    "tests.support.postgres",
    "tests.support.browser",
    "tests.support.stores",
    "tests.support.days",
    "tests.support.tables",
    "tests.support.worlds",
    "tests.support.server",
    "tests.support.guest",
]

# No deadline for one example: how long a busy machine takes is no property of the game.
settings.register_profile("default", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=2_000)
settings.load_profile("default")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors, since many tests wait for a server or a browser; four are as many as help."""
    return min(4, (os.cpu_count() or 1) + 1)
