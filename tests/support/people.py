"""Players and their devices: browsers that make links, codes and names, and take each other's histories over."""

from __future__ import annotations

import re
import sqlite3
from html import unescape
from typing import Any

import httpx

from tests.support.web import Visitor, World

SURE = {"sure": "1"}


def link_of(visitor: Visitor) -> str:
    """Make a link for another device; gives its path."""
    page = visitor.post("/settings/device", data=SURE)
    assert page.status_code == 200, page.text
    (address,) = re.findall(r"http://fairwind\.test(/device/[\w-]+)", page.text)
    return str(address)


def code_of(visitor: Visitor) -> str:
    """Make a recovery code."""
    page = visitor.post("/settings/code", data=SURE)
    assert page.status_code == 200, page.text
    (code,) = re.findall(r'class="code"[^>]*>([^<]*)<', page.text)
    return unescape(code)


def name_of(visitor: Visitor) -> str:
    """Read the name that others see, "" for none."""
    found = re.findall(r'<bdi class="name">([^<]*)</bdi>', visitor.get("/settings").text)
    return unescape(found[0]) if found else ""


def take_name(visitor: Visitor, name: str) -> httpx.Response:
    """Ask for a name."""
    return visitor.post("/settings/name", data={"name": name})


def game_with(visitor: Visitor, ruleset: str = "classic") -> str:
    """Begin a game and roll once; gives the path of its table."""
    table = visitor.open_table(ruleset)
    visitor.post(f"{table}/roll", data={"version": "0"})
    return table


def rows(world: World, question: str, *values: object) -> list[tuple[Any, ...]]:
    """Ask the database itself."""
    database = sqlite3.connect(str(world.settings.where))
    found = database.execute(question, values).fetchall()
    database.close()
    return found


def player_of(visitor: Visitor) -> str:
    """Give the id in the visitor's cookie."""
    return str(visitor.client.cookies["fairwind"]).partition(".")[0]
