"""Every setting: its name, its default, its meaning. Read once at the entry point and passed on."""

from __future__ import annotations

import re
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from app.game.rulesets import VARIANTS

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


def _secret(value: object) -> object:
    """Read the daily secret in hex. The messages never repeat it."""
    if not isinstance(value, str):
        return value
    try:
        secret = bytes.fromhex(value)
    except ValueError:
        raise ValueError("the daily secret is written in hexadecimal digits") from None
    if len(secret) < KEY_BYTES:
        raise ValueError(f"the daily secret is at least {KEY_BYTES} random bytes, {2 * KEY_BYTES} hexadecimal digits")
    return secret


def _dailies(value: object) -> object:
    """Read the rulesets that have a daily."""
    words = _words(value)
    if not isinstance(words, tuple):
        return words
    if not words:
        raise ValueError("at least one ruleset has a daily, such as classic")
    known = [variant.id for variant in VARIANTS]
    for place, word in enumerate(words):
        if word not in known:
            raise ValueError(f"there is no ruleset {word!r}; there are {', '.join(known)}")
        if word in words[:place]:
            raise ValueError(f"{word} is named twice")
    return words


def _database(value: object) -> object:
    if isinstance(value, str) and not re.match(r"sqlite:///.|postgres(ql)?(\+psycopg)?://", value):
        raise ValueError("a database is sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME")
    return value


def _base_path(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(r"(/[A-Za-z0-9._~-]+)*/?", value):
        raise ValueError("a base path looks like /games/fairwind")
    return value.rstrip("/") if isinstance(value, str) else value


def _networks(value: object) -> object:
    """Read a comma list of addresses and networks."""
    words = _words(value)
    for word in words if isinstance(words, tuple) else ():
        try:
            ip_network(str(word))
        except ValueError:
            raise ValueError("a proxy is an address such as 192.0.2.7, or a network such as 192.0.2.0/24") from None
    return words


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
    trusted_proxies: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_networks)] = Field(
        (),
        description=(
            "Addresses or networks of proxies, with commas between, whose X-Forwarded-For and X-Forwarded-Proto are "
            "believed; without it this machine's own."
        ),
    )
    read_only: Annotated[Literal["on", "off"], BeforeValidator(_lower)] = Field(
        "off",
        description="Whether everything can be looked at and nothing be changed, such as while the database is moved.",
    )
    metrics: Annotated[Literal["on", "off"], BeforeValidator(_lower)] = Field(
        "off",
        description="Whether /metrics counts for Prometheus; it answers this machine and the trusted proxies' networks only.",
    )
    log: Annotated[Literal["problems", "requests"], BeforeValidator(_lower)] = Field(
        "problems",
        description="What is noted down on standard error: problems alone, or every request, without who asked for what.",
    )
    rate_limits: Annotated[Literal["on", "off"], BeforeValidator(_lower)] = Field(
        "on",
        description="Whether one address or player may do only so much in a time; nobody on this machine itself is counted.",
    )

    dailies: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_dailies)] = Field(
        ("classic", "yatzy"),
        description="Rulesets that have a daily challenge, with commas between; the first is the one that is shown first.",
    )
    daily_stream: Annotated[Literal["by_turn", "continuous"], BeforeValidator(_lower)] = Field(
        "by_turn",
        description=(
            "Order of the dice of the days that are not published yet: by_turn gives every turn and roll dice of its own, "
            "continuous one roll after the other through the whole game."
        ),
    )
    daily_secret: Annotated[bytes | None, BeforeValidator(_secret)] = Field(
        None,
        repr=False,
        description=(
            f"Secret that the keys of days not published yet follow from, at least {KEY_BYTES} random bytes in hexadecimal. "
            "Without it one is made and kept in the database."
        ),
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
