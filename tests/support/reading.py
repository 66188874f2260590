"""Pages to read as a reader gets them: their text, links and forms, and every choice of rules to read about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser

import pytest

from app.game.rules import Ruleset
from app.game.rulesets import VARIANTS, ruleset
from app.web import guide
from app.web.render import Renderer
from app.web.words import Words

WORDS = Words("en")
RENDERER = Renderer()
TRADE_NAMES = re.compile(r"Yahtzee|Kniffel|Kismet|Yott|Hasbro|Schmidt|Tactic|Nintendo|Fundex|Worldwide", re.IGNORECASE)


def every_choice() -> Iterator[Ruleset]:
    """Give each ruleset as usual, and with each value of each option."""
    for offered in VARIANTS:
        yield ruleset(offered.id)
        for option in offered.options:
            for value in option.values[1:]:
                needed = {need.other: need.other_value for need in offered.needs if need.option == option.name}
                yield ruleset(offered.id, {**needed, option.name: value})


CHOICES = tuple(every_choice())


def named(rules: object) -> str:
    """Name the rules in a test's id."""
    if not isinstance(rules, Ruleset):
        return str(rules)
    return " ".join((rules.id, *WORDS.chosen(rules)))


every_ruleset = pytest.mark.parametrize("rules", [ruleset(offered.id) for offered in VARIANTS], ids=named)
every_option = pytest.mark.parametrize("rules", CHOICES, ids=named)


class Reading(HTMLParser):
    """Collects the visible text of a page (but for what is known elsewhere), its links, and its forms' fields."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.forms: list[dict[str, list[str]]] = []
        self.known = False
        self._select = ""
        self._choices: list[str] = []
        self.feed(html)
        self.text = " ".join(" ".join(self.texts).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note ids, links and form fields."""
        found = {name: value or "" for name, value in attrs}
        self.known |= tag == "aside"
        if "id" in found:
            self.ids.append(found["id"])
        match tag:
            case "a":
                self.links.append(found["href"])
            case "form":
                self.forms.append({})
            case "input" if found["type"] == "hidden":
                self.forms[-1][found["name"]] = [found["value"]]
            case "input":
                self.forms[-1][found["name"]] = ["", found["value"]]
            case "button" if "name" in found:
                self.forms[-1].setdefault(found["name"], []).append(found["value"])
            case "select":
                self._select = found["name"]
                # Of several with one name, as the levels of several opponents, the first stands for all.
                self._choices = [] if self._select in self.forms[-1] else self.forms[-1].setdefault(self._select, [])
            case "option":
                # The value that a browser sends when nothing is touched stands first.
                values = self._choices
                values.insert(0 if "selected" in found else len(values), found["value"])
            case _:
                pass

    def handle_endtag(self, tag: str) -> None:
        """Leave what is known elsewhere."""
        self.known &= tag != "aside"

    def handle_data(self, data: str) -> None:
        """Note text."""
        if not self.known:
            self.texts.append(data)


@cache
def view(rules: Ruleset) -> guide.RulesView:
    return guide.rules(rules, WORDS)


@cache
def page(rules: Ruleset) -> Reading:
    return Reading(RENDERER.page("rules.html", view(rules), WORDS))


def part(rules: Ruleset, id_: str) -> guide.Part:
    return next(found for found in view(rules).parts if found.id == id_)


def told(found: guide.Part) -> str:
    return " ".join((*found.paragraphs, *found.after))


def boxes(rules: Ruleset) -> dict[str, guide.BoxGuide]:
    return {box.key: box for id_ in ("upper", "lower") for box in part(rules, id_).boxes}


def in_any_order(rules: Ruleset) -> Ruleset:
    return ruleset(rules.id, {**rules.options, "forced_order": False}) if "forced_order" in rules.options else rules
