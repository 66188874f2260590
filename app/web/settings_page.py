"""The pages about a player: settings, name and devices; whose history a link leads to; a new recovery code; deleting it all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import segno
from markupsafe import Markup

from app.play.names import LONGEST, SHORTEST, BadName, NameTrouble
from app.play.people import LINK_LIVES, History
from app.play.preferences import AUTO, BadPreference, Preferences, allowed_for
from app.web.around import language_names
from app.web.words import LANGUAGES, N_, P_, Words

LABELS: Final[Mapping[str, str]] = {
    "language": N_("Language"),
    "theme": N_("Theme"),
    "contrast": N_("Contrast"),
    "animation": N_("Animation"),
    "scoring": N_("Writing a box"),
    "shortcuts": N_("Keyboard shortcuts"),
    "hints": N_("Hints"),
    "words_only": N_("Text of a result"),
    "without_link": N_("Link in the text of a result"),
}

CHOICES: Final[Mapping[tuple[str, str], str]] = {
    ("language", AUTO): N_("as the browser asks"),
    ("theme", AUTO): N_("as the system has them"),
    ("theme", "light"): N_("light"),
    ("theme", "dark"): N_("dark"),
    ("contrast", AUTO): N_("as the system has it"),
    ("contrast", "more"): N_("strong"),
    ("animation", "on"): N_("as the system has it"),
    ("animation", "reduced"): N_("reduced: nothing travels"),
    ("animation", "off"): N_("off: everything at once"),
    ("scoring", "single"): N_("at the first tap"),
    ("scoring", "double"): N_("after a second tap"),
    ("shortcuts", "1"): N_("on"),
    ("shortcuts", "0"): N_("off"),
    ("hints", "1"): N_("offered at the table"),
    ("hints", "0"): N_("not offered"),
    ("words_only", "0"): N_("with squares"),
    ("words_only", "1"): N_("words only"),
    ("without_link", "0"): N_("with the link"),
    ("without_link", "1"): N_("without the link"),
}

DONE: Final[Mapping[str, str]] = {
    "saved": N_("Saved."),
    "named": N_("That is your name now."),
    "unnamed": N_("Your name is gone."),
    "signed_out": N_("All other devices are signed out."),
    "joined": N_("You go on here with that history."),
}
"""What has been done when the page is shown again, by the word in its address."""

NAMING: Final[Mapping[NameTrouble, str]] = {
    NameTrouble.DIRECTION: N_("A name cannot hold signs that turn the direction of writing."),
    NameTrouble.INVISIBLE: N_("A name cannot hold signs that cannot be seen."),
    NameTrouble.SIGNS: N_("A name is made of letters and digits, with single spaces between words."),
    NameTrouble.MARKS: N_("That is too many marks on one letter."),
    NameTrouble.TAKEN: N_("Somebody has this name, or one that looks like it."),
}

_TOO_SHORT = P_("A name has at least %(n)s letter.", "A name has at least %(n)s letters.")
_TOO_LONG = P_("A name has at most %(n)s letter.", "A name has at most %(n)s letters.")


@dataclass(frozen=True, slots=True)
class Option:
    """One value of a setting."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A setting with its values."""

    name: str
    label: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class SettingsView:
    """The settings. `done` says what has just been done, `refused` why something was not ("" for nothing).

    `known`: there is a history, so that there is something to take along, download or delete; `has_code`: there is a recovery code.
    `name` is the one that others see, `tried` what stands in its field.
    """

    choices: tuple[Choice, ...]
    done: str
    refused: str
    known: bool
    name: str
    tried: str
    has_code: bool


@dataclass(frozen=True, slots=True)
class LinkView:
    """A link for another device, shown once: the address, the same as a picture to photograph, and how long it is good for."""

    address: str
    picture: Markup
    minutes: str


@dataclass(frozen=True, slots=True)
class CodeView:
    """A new recovery code, shown once."""

    code: str


@dataclass(frozen=True, slots=True)
class OfferView:
    """Whose history a link leads to. `own`: this browser has it; `here` says what would come along from here ("": nothing)."""

    name: str
    since: str
    games: str
    own: bool
    here: str


@dataclass(frozen=True, slots=True)
class DeleteView:
    """What would be deleted; `gone`: it has been."""

    gone: bool


def settings(
    preferences: Preferences, history: History | None, words: Words, *, has_code: bool = False, done: str = ""
) -> SettingsView:
    """Show the settings; `history` is None for somebody who has none yet, `done` one of DONE."""
    name = (history.player.name if history else None) or ""
    return SettingsView(
        tuple(_choice(setting, preferences, words) for setting in LABELS),
        words.gettext(DONE[done]) if done in DONE else "",
        "",
        history is not None,
        name,
        name,
        has_code,
    )


def _choice(name: str, preferences: Preferences, words: Words) -> Choice:
    now = getattr(preferences, name)
    chosen = str(int(now)) if isinstance(now, bool) else now
    languages = dict(language_names())
    return Choice(
        name,
        words.gettext(LABELS[name]),
        tuple(
            Option(
                value,
                languages[value] if value in languages else words.gettext(CHOICES[name, value]),
                value == chosen,
            )
            for value in allowed_for(name, LANGUAGES)
        ),
    )


def name_refused(error: BadName, words: Words) -> str:
    """Say why a name cannot be had."""
    match error.trouble:
        case NameTrouble.TOO_SHORT:
            return words.count(*_TOO_SHORT, SHORTEST)
        case NameTrouble.TOO_LONG:
            return words.count(*_TOO_LONG, LONGEST)
        case _:
            return words.gettext(NAMING[error.trouble])


def setting_refused(error: BadPreference | None, words: Words) -> str:
    """Say why a setting cannot be so; None: nothing was chosen at all."""
    if error is None:
        return words.say(N_("Nothing was chosen, so nothing was changed."))
    if not error.allowed:
        return words.say(N_("There is no such setting, and nothing was changed."))
    allowed = [*error.allowed]
    return words.say(
        N_("%(setting)s cannot be so, and nothing was changed. It can be: %(values)s"),
        setting=words.gettext(LABELS[error.name]),
        values=words.left_to_right(", ".join(allowed)),
    )


def link(address: str, words: Words) -> LinkView:
    """Show a link for another device."""
    minutes = round(LINK_LIVES.total_seconds() / 60)
    # Black on white in every colouring: cameras want it so.
    drawn = segno.make(address, error="m", micro=False).svg_inline(border=4, omitsize=True, light="#fff", dark="#000")
    return LinkView(
        address,
        Markup(drawn),  # noqa: S704 - a drawing of the address, made of numbers
        words.count(*_MINUTES, minutes),
    )


_MINUTES = P_("It is good for %(n)s minute, once.", "It is good for %(n)s minutes, once.")


def offer(found: History, own: History | None, words: Words) -> OfferView:
    """Show whose history a link leads to, to somebody who has one of their own, or none."""
    is_own = own is not None and own.player.id == found.player.id
    here = "" if own is None or is_own or not own.begun else _games(own, words)
    return OfferView(found.player.name or "", words.date(found.player.created_at), _games(found, words), is_own, here)


def _games(history: History, words: Words) -> str:
    return words.count(N_("%(n)s game"), N_("%(n)s games"), history.begun)
