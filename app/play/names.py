"""The name that a player shows to others: what it may be made of, and when two names look alike.

Source: skeletons are those of Unicode Technical Standard 39, section 4; graphemes those of Unicode Standard Annex 29.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import regex
from confusable_homoglyphs.confusables import confusables_data

from app.play.errors import PlayError

SHORTEST, LONGEST = 2, 20
"""Graphemes: what a reader takes for one letter, with its marks."""

MOST_MARKS = 4
"""Marks on one letter. Vowel signs of living scripts need three; forty of them reach into the rows above and below."""


class NameTrouble(StrEnum):
    """Why a name is refused."""

    TOO_SHORT = "name_too_short"
    TOO_LONG = "name_too_long"
    DIRECTION = "name_direction"
    INVISIBLE = "name_invisible"
    SIGNS = "name_signs"
    MARKS = "name_marks"
    TAKEN = "name_taken"


class BadName(PlayError):
    """A name that cannot be had, and why."""

    def __init__(self, trouble: NameTrouble) -> None:
        """Take the reason."""
        super().__init__(trouble.value)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it is shown, and its skeleton: names that look alike have the same."""

    shown: str
    skeleton: str


_DIRECTION = regex.compile(r"\p{Bidi_Control}")
_INVISIBLE = regex.compile(r"\p{Default_Ignorable_Code_Point}|[\p{C}\p{Zl}\p{Zp}]")
_WORD = r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*"
_ALLOWED = regex.compile(rf"{_WORD}(?: {_WORD})*")
_MANY_MARKS = regex.compile(rf"\p{{M}}{{{MOST_MARKS + 1},}}")
_GRAPHEME = regex.compile(r"\X")


def read_name(text: str) -> Name:
    """Read a name, which is kept composed (NFC).

    Raises:
        BadName: it cannot be a name; whether somebody has it is another question.

    """
    shown = unicodedata.normalize("NFC", text)
    if trouble := _trouble(shown):
        raise BadName(trouble)
    return Name(shown, skeleton(shown))


def _trouble(shown: str) -> NameTrouble | None:
    letters = len(_GRAPHEME.findall(shown))
    # In the order in which a reader would want to know: what is in it, before how long it is.
    found = {
        NameTrouble.DIRECTION: _DIRECTION.search(shown) is not None,
        NameTrouble.INVISIBLE: _INVISIBLE.search(shown) is not None,
        NameTrouble.MARKS: _MANY_MARKS.search(unicodedata.normalize("NFD", shown)) is not None,
        NameTrouble.TOO_SHORT: letters < SHORTEST,
        NameTrouble.TOO_LONG: letters > LONGEST,
        NameTrouble.SIGNS: _ALLOWED.fullmatch(shown) is None,
    }
    return next((trouble for trouble, is_so in found.items() if is_so), None)


def skeleton(text: str) -> str:
    """Fold what looks alike: `Aino` with Cyrillic letters, or in capitals, is `Aino`."""
    # Among small letters a capital i looks like an l, in capitals alone it does not.
    seen = text if any(letter.islower() for letter in text) else text.casefold()
    return _fold(_fold(seen).casefold())


def _fold(text: str) -> str:
    prototypes = _prototypes()
    # By compatibility: letters of full width and the like are not in the list, for they are the same letters.
    folded = "".join(prototypes.get(letter, letter) for letter in unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFD", folded)


@lru_cache(maxsize=1)
def _prototypes() -> dict[str, str]:
    """Give for each letter the one that stands for all that look like it.

    The library lists for each letter those that look like it, and for the one that stands for them all of them. Two letters that
    have only each other may stand for each other as well.
    """
    alike = {_plain(key): [_plain(found["c"]) for found in entries] for key, entries in confusables_data.items()}
    prototypes: dict[str, str] = {}
    for letter, others in alike.items():
        if len(letter) == 1 and len(others) == 1:
            (other,) = others
            stands = len(other) > 1 or len(alike.get(other, ())) > 1 or other < letter
            prototypes[letter] = other if stands else letter
    return {letter: "".join(prototypes.get(part, part) for part in other) for letter, other in prototypes.items()}


def _plain(text: str) -> str:
    """Take away the marks that keep right-to-left letters in place in the library's list."""
    return text.strip("\u200e")
