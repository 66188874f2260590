"""How a player wants the pages to be. Kept on the server, so that no browser has to remember it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final

from app.play.errors import PlayError

AUTO: Final = "auto"

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": (AUTO, "light", "dark"),
    "contrast": (AUTO, "more"),
    "animation": ("on", "reduced", "off"),
    "scoring": ("single", "double"),
}
"""The words that a preference can be, the usual one first. Languages are not listed: which there are, the pages know."""

SWITCHES: Final = ("shortcuts", "hints", "words_only", "without_link")
"""The preferences that are yes or no; forms say 1 and 0."""

_WORDS = {"1": True, "0": False}


class BadPreference(PlayError):
    """A preference that there is not, or a value that it cannot have; `allowed` are those that it can."""

    def __init__(self, name: str, value: str, allowed: tuple[str, ...]) -> None:
        """Take all three; `allowed` is () for a name that is none."""
        super().__init__(name)
        self.name = name
        self.value = value
        self.allowed = allowed


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a player has chosen.

    `language` is a language's code or auto, by the browser; `theme` and `contrast` are by the system on auto. `scoring`: a box is
    written at the first tap or at a second one. `words_only` and `without_link` are about the text of a result.
    """

    language: str = AUTO
    theme: str = AUTO
    contrast: str = AUTO
    animation: str = "on"
    scoring: str = "single"
    shortcuts: bool = True
    hints: bool = True
    words_only: bool = False
    without_link: bool = False

    @classmethod
    def read(cls, text: str) -> Preferences:
        """Read what is stored. What cannot be understood, of an earlier or a later version, counts as not chosen."""
        try:
            stored = json.loads(text)
        except ValueError:
            return cls()
        if not isinstance(stored, dict):
            return cls()
        return cls(**{name: value for name, value in stored.items() if isinstance(name, str) and _fits(name, value)})

    def text(self) -> str:
        """Write what is stored: the choices that are not the usual ones."""
        usual = asdict(Preferences())
        chosen = {name: value for name, value in asdict(self).items() if value != usual[name]}
        return json.dumps(chosen, separators=(",", ":"), sort_keys=True)

    def choose(self, form: Mapping[str, str], languages: tuple[str, ...]) -> Preferences:
        """Change what a form says; `languages` are those that can be chosen besides auto.

        Raises:
            BadPreference: the first field that cannot be understood.

        """
        chosen: dict[str, object] = {}
        for name, value in form.items():
            allowed = allowed_for(name, languages)
            if value not in allowed:
                raise BadPreference(name, value, allowed)
            chosen[name] = _WORDS[value] if name in SWITCHES else value
        return replace(self, **chosen)  # type: ignore[arg-type]


def allowed_for(name: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """Give what a form may say of a preference, () when there is no such one."""
    if name == "language":
        return (AUTO, *languages)
    return tuple(_WORDS) if name in SWITCHES else CHOICES.get(name, ())


def _fits(name: str, value: object) -> bool:
    if name in SWITCHES:
        return isinstance(value, bool)
    if name == "language":
        # Whether it is still spoken here is found out when it is used.
        return isinstance(value, str)
    return name in CHOICES and value in CHOICES[name]
