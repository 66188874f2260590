"""Say in one sentence why this Python cannot make the environment, before venv fails in its own words.

Runs with the machine's own Python, perhaps an old one, so it uses nothing newer than Python 3.6.
"""

import importlib.util
import sys

OLDEST = (3, 11)


def objection(version: "tuple[int, ...]", *, modules_missing: bool) -> "str | None":
    """Return the sentence, or None when all is well."""
    if version < OLDEST:
        return "Fairwind needs Python 3.11 or newer and this is {}: choose another with `make PYTHON=...`.".format(
            ".".join(str(part) for part in version[:3])
        )
    if modules_missing:
        return "This Python cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv"
    return None


if __name__ == "__main__":
    missing = any(importlib.util.find_spec(name) is None for name in ("venv", "ensurepip"))
    sys.exit(objection(sys.version_info[:3], modules_missing=missing))
