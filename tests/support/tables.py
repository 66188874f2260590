"""Solved tables that several tests share: each is made once in a run, however many workers there are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.coach.making import Tables


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    """The folder of tables of this run of the tests."""
    base = tmp_path_factory.getbasetemp()
    # Each worker of pytest-xdist has a folder of its own below that of the run.
    folder: Path = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "solved"
    made = Tables(folder)
    yield made
    made.close()
