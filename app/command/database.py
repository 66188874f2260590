"""Opening the database that the settings name, for the commands that need one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from app.settings import BadSettings, Settings
from app.store import Store, StoreUnavailable


@contextmanager
def opened() -> Iterator[tuple[Settings, Store]]:
    """Read the settings and open their database.

    Raises:
        click.ClickException: one of them cannot be used; so does what the store refuses while it is open.

    """
    with one_sentence():
        settings = Settings.load()
        store = Store.open(settings.where, synchronous=settings.synchronous)
        try:
            yield settings, store
        finally:
            store.close()


@contextmanager
def one_sentence() -> Iterator[None]:
    """Say what the environment refuses in its own sentence: that is no fault of the call.

    Raises:
        click.ClickException: with that sentence.

    """
    try:
        yield
    except (BadSettings, StoreUnavailable) as error:
        raise click.ClickException(str(error)) from error
