"""From a view to HTML: one Jinja environment a language, so that text and labels are bound once and not at every request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from app.web.around import NOBODY, Around
from app.web.assets import Assets
from app.web.words import Words

_ROOT = Path(__file__).parents[2]
TEMPLATES = _ROOT / "templates"
STATIC = _ROOT / "static"


class Renderer:
    """Writes pages. A template sees the fields of its view by their names, and these besides:

    `_`, `gettext`, `ngettext`   translations; placeholders as keyword arguments
    `words`                      labels, numbers and dates of the language
    `lang`, `dir`                what `<html>` says of the page
    `static(name)`               the address of a file in static/, with its hash in it
    `path(address)`              an address of ours, below the base path
    `fragment`                   true where one block is written alone
    `around`                     what stands around every page, and how the looker wants it to be
    """  # noqa: D415 - a list stands at the end

    def __init__(self, base_path: str = "", templates: Path = TEMPLATES, static: Path = STATIC) -> None:
        """Serve pages below `base_path`, such as `/games/dice`, from these folders."""
        self.base_path = base_path.rstrip("/")
        self.assets = Assets(static, self.base_path)
        self._loader = FileSystemLoader(templates)
        self._environment = lru_cache(maxsize=None)(self._make_environment)

    def page(
        self, name: str, view: object, words: Words, *, fragment: str | None = None, around: Around = NOBODY
    ) -> str:
        """Write the page of a view, or with `fragment` only that block of it; `around`: for whom."""
        template = self.environment(words).get_template(name)
        shown = {**names_of(view), "fragment": fragment is not None, "around": around}
        return template.render(shown) if fragment is None else _block(template, fragment, shown)

    def environment(self, words: Words) -> Environment:
        """Give the environment of a language."""
        return self._environment(words)

    def _make_environment(self, words: Words) -> Environment:
        environment = Environment(
            loader=self._loader,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
            auto_reload=False,
        )
        environment.install_gettext_callables(words.gettext, words.ngettext, newstyle=True)  # type: ignore[attr-defined]
        environment.globals.update(
            words=words,
            lang=words.language,
            dir=words.direction,
            static=self.assets.address,
            path=self._path,
        )
        return environment

    def _path(self, address: str) -> str:
        return self.base_path + address


def names_of(view: object) -> Mapping[str, Any]:
    """Give a view's fields by name, not copied."""
    if not is_dataclass(view):
        raise TypeError(f"a view is a dataclass, not {type(view).__name__}")
    return {field.name: getattr(view, field.name) for field in fields(view)}


def _block(template: Template, name: str, shown: Mapping[str, Any]) -> str:
    return "".join(template.blocks[name](template.new_context(dict(shown))))
