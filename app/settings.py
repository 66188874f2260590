"""Every setting: its name, its default, its meaning. Read once at the entry point and passed on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PREFIX = "FAIRWIND_"
DATABASE_FILE = "fairwind.sqlite3"
KEY_BYTES = 32


class BadSettings(Exception):
    """A setting that cannot be used; the message is a sentence for whoever starts the program."""


def _words(value: object) -> object:
    """Split a comma list."""
    return tuple(word.strip() for word in value.split(",") if word.strip()) if isinstance(value, str) else value


def _keys(value: object) -> object:
    """Read a comma list of keys in hex. The messages never repeat a key."""
    words = _words(value)
    if not isinstance(words, tuple) or not all(isinstance(word, str) for word in words):
        return words
    try:
        keys = tuple(bytes.fromhex(word) for word in words)
    except ValueError:
        raise ValueError("a signing key is written in hexadecimal digits") from None
    if any(len(key) < KEY_BYTES for key in keys):
        raise ValueError(f"a signing key is at least {KEY_BYTES} random bytes, {2 * KEY_BYTES} hexadecimal digits")
    return keys


def _database(value: object) -> object:
    if isinstance(value, str) and not re.match(r"sqlite:///.|postgres(ql)?(\+psycopg)?://", value):
        raise ValueError("a database is sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME")
    return value


def _base_path(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(r"(/[A-Za-z0-9._~-]+)*/?", value):
        raise ValueError("a base path looks like /games/fairwind")
    return value.rstrip("/") if isinstance(value, str) else value


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


class Settings(BaseSettings):
    """The settings. Each is read from the environment variable of its name with FAIRWIND_ before it, in capitals."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid")

    data: Path = Field(Path("data"), description="Folder of everything that is kept; made when it is missing.")
    database: Annotated[str | None, BeforeValidator(_database)] = Field(
        None,
        repr=False,
        description=f"Address of the database; without it the SQLite file {DATABASE_FILE} in the data folder.",
    )
    host: str = Field("127.0.0.1", min_length=1, description="Network address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    workers: int = Field(1, ge=1, le=64, description="Number of server processes.")
    hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)] = Field(
        (), description="Host names that requests may be addressed to, with commas between; without it any."
    )
    synchronous: Annotated[Literal["FULL", "NORMAL"], BeforeValidator(_upper)] = Field(
        "FULL",
        description="How SQLite writes: FULL survives a power failure, NORMAL is faster and may lose the last moves.",
    )
    signing_key: Annotated[tuple[bytes, ...], NoDecode, BeforeValidator(_keys)] = Field(
        (),
        repr=False,
        description=(
            f"Key that signs cookies, at least {KEY_BYTES} random bytes in hexadecimal; after a comma earlier ones "
            "that are still accepted. Without it a key is made and kept in the database."
        ),
    )
    base_path: Annotated[str, BeforeValidator(_base_path)] = Field(
        "",
        description="Path in front of every address when a proxy serves the game below one, such as /games/fairwind.",
    )
    secure_cookies: Annotated[Literal["auto", "on", "off"], BeforeValidator(_lower)] = Field(
        "auto",
        description="Whether cookies are for HTTPS only: auto goes by the request, on and off decide it.",
    )

    @classmethod
    def load(cls) -> Self:
        """Read the settings from the environment.

        Raises:
            BadSettings: one of them cannot be used; the sentence names it and what is right.

        """
        try:
            return cls()
        except ValidationError as error:
            # Only the first: one sentence is read, a list is not.
            found = error.errors(include_input=False, include_url=False)[0]
            name = PREFIX + str(found["loc"][0]).upper()
            raise BadSettings(f"{name} cannot be used: {_sentence(found['msg'])}.") from None

    @property
    def where(self) -> str | Path:
        """Where the database is: an address, or the path of a SQLite file."""
        return self.database or self.data / DATABASE_FILE

    @property
    def tables(self) -> Path:
        """The folder of solved games."""
        return self.data / "tables"


def _sentence(message: str) -> str:
    text = message.removeprefix("Value error, ").rstrip(".")
    return text[:1].lower() + text[1:]
