"""The page on fair dice: how they are made, the sealed days to come, the opened days, a checker, and the counts of all dice."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.daily import commitment_of
from app.game.dice import KEY_BYTES, Addressing, Stream
from app.game.errors import Unreadable
from app.game.rules import Ruleset
from app.game.rulesets import ruleset as rules_called
from app.play.days import read_day
from app.play.errors import DayOpen
from app.play.fairness import Fairness, Published
from app.play.sights import all_dice
from app.play.tallying import Counts, Whose, chi_square
from app.web.choices import hundredths, percent
from app.web.day_words import day_address
from app.web.service import Ask, PageAsk
from app.web.words import N_, Words

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_KEY = re.compile(rf"[0-9a-fA-F]{{{2 * KEY_BYTES}}}")
_FEWEST = 60
_RARE = 0.01


@dataclass(frozen=True, slots=True)
class DayRowView:
    """A day in a list: its key is "" while it is kept back; `page` is its own page; the numbers are for the checker in the page."""

    number: str
    date: str
    day: str
    ruleset: str
    ruleset_id: str
    commitment: str
    key: str
    addressing: str
    dice: int
    rolls: int
    turns: int
    page: str
    address: str


@dataclass(frozen=True, slots=True)
class CountsView:
    """The counts of somebody's dice: of every face, in all, and what the chi-square says of them."""

    whose: str
    faces: tuple[str, ...]
    all: str
    verdict: str


@dataclass(frozen=True, slots=True)
class GameView:
    """A game that the checker knows: its name, and how many dice, rolls a turn and turns it has."""

    id: str
    name: str
    dice: int
    rolls: int
    turns: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class CheckView:
    """What the checker found: a sentence on the commitment, whether it fits, and all dice by turn as text."""

    heading: str
    sentence: str
    fits: bool | None
    turns: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class FairView:
    """Everything that fair.html shows; `check` is None where nothing was asked for."""

    sealed: tuple[DayRowView, ...]
    opened: tuple[DayRowView, ...]
    counts: tuple[CountsView, ...]
    games: tuple[GameView, ...]
    key: str
    commitment: str
    continuous: bool
    check: CheckView | None


@router.get("/fair")
def fair(ask: PageAsk) -> str:
    """Show it; with `day` and `ruleset`, or `key` and `ruleset`, in the address, check those dice."""
    asked = ask.request.query_params
    fairness = Fairness(ask.days)
    check = None
    if "day" in asked:
        check = _check_day(ask, asked["day"], asked.get("ruleset"))
    elif "key" in asked:
        addressing = _addressing(asked.get("addressing", Addressing.BY_TURN.value))
        rules = rules_called(asked.get("ruleset", ask.days.dailies.rulesets[0]))
        check = _check_key(asked["key"], asked.get("commitment", ""), rules, addressing, ask.words)
    view = FairView(
        sealed=tuple(_row(one, ask.words) for one in fairness.sealed()),
        opened=tuple(_row(one, ask.words) for one in fairness.opened()),
        counts=tuple(_counts(some, ask.words) for some in ask.served.tallying.counts()),
        games=tuple(_games(ask, asked.get("ruleset", ""))),
        key=asked.get("key", ""),
        commitment=asked.get("commitment", ""),
        continuous=asked.get("addressing") == Addressing.CONTINUOUS,
        check=check,
    )
    return ask.page("fair.html", view)


def _check_day(ask: Ask, day: str, ruleset: str | None) -> CheckView:
    """Check a day that has closed.

    Raises:
        Unreadable: `bad_day`.
        UnknownDay, NoDaily, DayToCome: there is no such day.
        DayOpen: its key is kept back.

    """
    sight = ask.days.see(None, read_day(day), ruleset)
    if sight.key is None:
        raise DayOpen
    words = ask.words
    heading = words.say(
        N_("Daily %(number)s, %(ruleset)s"),
        number=words.number(sight.number),
        ruleset=words.ruleset(sight.ruleset.id),
    )
    stream = Stream(sight.key, sight.addressing)
    return _checked(heading, sight.ruleset, stream, sight.commitment, words)


def _check_key(key: str, commitment: str, rules: Ruleset, addressing: Addressing, words: Words) -> CheckView:
    """Check a key that somebody pasted.

    Raises:
        Unreadable: `bad_key`.

    """
    key, commitment = "".join(key.split()), "".join(commitment.split())
    for text in (key, commitment or key):
        if not _KEY.fullmatch(text):
            raise Unreadable("bad_key", f"A key and a fingerprint are {2 * KEY_BYTES} hexadecimal digits.")
    stream = Stream(bytes.fromhex(key), addressing)
    return _checked(words.ruleset(rules.id), rules, stream, commitment.lower(), words)


def _addressing(text: str) -> Addressing:
    if text not in list(Addressing):
        raise Unreadable("bad_request", f"addressing can be {', '.join(Addressing)}.")
    return Addressing(text)


def _checked(heading: str, rules: Ruleset, stream: Stream, commitment: str, words: Words) -> CheckView:
    found = commitment_of(stream.key)
    fits = None if not commitment else found == commitment
    sentence = {None: _UNKNOWN, True: _FITS, False: _DIFFERS}[fits]
    dice = all_dice(rules, stream)
    turns = tuple(tuple(" ".join(map(str, faces)) for faces in turn) for turn in dice)
    return CheckView(heading, words.say(sentence, fingerprint=found), fits, turns)


_FITS = N_("The key gives the fingerprint that was published: these are the dice that were fixed before.")
_DIFFERS = N_("The key does not give that fingerprint: its SHA-256 is %(fingerprint)s.")
_UNKNOWN = N_("The fingerprint of this key is %(fingerprint)s.")


def _row(one: Published, words: Words) -> DayRowView:
    rules = one.ruleset
    return DayRowView(
        number=words.number(one.number),
        date=words.date(one.day),
        day=one.day.isoformat(),
        ruleset=words.ruleset(rules.id),
        ruleset_id=rules.id,
        commitment=one.commitment,
        key="" if one.key is None else one.key.hex(),
        addressing=one.addressing.value,
        dice=rules.dice,
        rolls=rules.rolls,
        turns=len(rules.boxes),
        page=day_address(one.day, rules.id),
        address=f"/fair?day={one.day.isoformat()}&ruleset={rules.id}#check",
    )


def _games(ask: Ask, chosen: str) -> list[GameView]:
    found = []
    for id_ in ask.days.dailies.rulesets:
        rules = rules_called(id_)
        found.append(
            GameView(id_, ask.words.ruleset(id_), rules.dice, rules.rolls, len(rules.boxes), chosen=id_ == chosen)
        )
    return found


_WHOSE = {Whose.DAYS: N_("Days"), Whose.PEOPLE: N_("People"), Whose.COMPUTERS: N_("Computers")}


def _counts(some: Counts, words: Words) -> CountsView:
    found, chance = chi_square(some.faces)
    whose = words.gettext(_WHOSE[some.whose])
    text = _FEW if sum(some.faces) < _FEWEST else _UNUSUAL if chance < _RARE else _USUAL
    return CountsView(
        whose,
        tuple(words.number(count) for count in some.faces),
        words.number(sum(some.faces)),
        words.say(text, whose=whose, square=hundredths(found, words), chance=percent(chance, words)),
    )


_FEW = N_("%(whose)s: too few to say anything.")
_USUAL = N_("%(whose)s: chi-square %(square)s; fair dice stray as far or further in %(chance)s of all cases.")
_UNUSUAL = N_("%(whose)s: chi-square %(square)s; fair dice stray so far in %(chance)s of all cases only.")
