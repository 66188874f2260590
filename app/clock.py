"""The time as a parameter: nothing else asks the system for it, so that a test can be at any moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""What gives the present moment, an aware datetime in UTC."""


def system() -> datetime:
    """Give the system's present moment; pass the function itself where a `Clock` is asked for."""
    return datetime.now(UTC)
