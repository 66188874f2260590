"""Where the games come from: what is told, who tells it, and where those who tell it do not agree.

Source: the facts sheet, which took them from the sources that the page itself names, each beside what it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from app.web.words import N_, Words

CHANGED = date(2026, 11, 30)
"""The day of the page's last change."""

SOURCES: Mapping[str, str] = {
    "ja": N_("The article on the American game in a Japanese encyclopaedia"),
    "he": N_("The article on it in a Hebrew encyclopaedia"),
    "fi": N_("A Finnish guide to Yatzy"),
    "kawu": N_("The how-to-play page of kawu, whose game this one follows"),
}
"""Who tells it, by the name that a mark in the text leads to; numbered in this order."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is told: a text of the catalogues, its numbers, and who tells it."""

    text: str
    by: tuple[str, ...]
    facts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark behind what is told: the number of its source, its name, and the id of its line in the list of sources."""

    number: str
    name: str
    id: str


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence or two, with the marks of those who tell it."""

    text: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """What happened at a time: a year, or an age in words."""

    when: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class HistoryView:
    """Everything that history.html shows.

    `claims` are figures that do not agree, each as how many and of what; `offspring` are products by year.
    """

    moments: tuple[Moment, ...]
    claims: tuple[tuple[str, Line], ...]
    names: tuple[Line, ...]
    offspring: tuple[tuple[str, str], ...]
    shown: tuple[Line, ...]
    relatives: Line
    sources: tuple[Mark, ...]
    changed: str
    changed_iso: str


MOMENTS: tuple[tuple[str, tuple[Told, ...]], ...] = (
    (
        N_("Before"),
        (
            Told(N_("Older relatives are Generala in Puerto Rico, and Poker Dice and Cheerio in England."), ("ja",)),
            Told(
                N_(
                    "In 1940 Yacht stands in The Complete Book of Games by Clement Wood and Gloria Goddard: nearly the same "
                    "game, of a family that they call Crag. It belongs to everybody, and ours comes down from it."
                ),
                ("ja", "kawu"),
            ),
        ),
    ),
    (
        "1954",
        (Told(N_("A Canadian couple is said to have made the game up on their yacht. So Hasbro tells it."), ("ja",)),),
    ),
    (
        "1956",
        (
            Told(
                N_("They asked Edwin S. Lowe, who had made bingo popular, to print sets as gifts for their friends."),
                ("he",),
            ),
            Told(N_("He bought the rights and paid with %(sets)s sets."), ("ja",), (("sets", 1000),)),
            Told(N_("He changed some of the rules, named the game Yahtzee and sold it."), ("he",)),
            Told(
                N_(
                    "At first it sold badly: no advertisement could explain what was good about it. What helped were parties at "
                    "which people tried it. Lowe tells this himself, in A Toy is Born, of 1973."
                ),
                ("ja",),
            ),
            Told(N_("A further five of a kind could be a joker in any lower box."), ("he",)),
        ),
    ),
    (
        "1961",
        (
            Told(
                N_("The joker changed: since then the upper box of its face comes first, and the lower ones after it."),
                ("he",),
            ),
        ),
    ),
    (
        "1973",
        (Told(N_("Milton Bradley bought Lowe’s company, and later became a part of Hasbro itself."), ("ja", "he")),),
    ),
    (
        N_("In the North"),
        (
            Told(
                N_(
                    "Yatzy is the Scandinavian form, of the middle of the twentieth century. In Finland it is a game for families "
                    "and holidays, with championships every year."
                ),
                ("fi",),
            ),
            Told(
                N_("During the pandemic more people there played it on screens, yet many still like real dice better."),
                ("fi",),
            ),
        ),
    ),
)

CLAIMS: tuple[tuple[int, Told], ...] = (
    (40_000_000, Told(N_("sets, in the seventeen years in which Lowe sold it"), ("ja",))),
    (15_000_000, Told(N_("sets a year, around 2006"), ("ja",))),
    (50_000_000, Told(N_("sets a year and more: the maker’s estimate"), ("he",))),
    (100_000_000, Told(N_("people who play it regularly: the maker’s estimate"), ("he",))),
)

NAMES = (
    Told(N_("The couple called it The Yacht Game, says one."), ("ja",)),
    Told(N_("Yatzy, says another."), ("he",)),
)

OFFSPRING = (
    ("1972", (N_("Triple"),)),
    ("1974", (N_("Challenge"),)),
    ("1978", (N_("Word"),)),
    ("1980", (N_("Jackpot"),)),
    ("1986", (N_("Casino"),)),
    ("1991", (N_("Showdown"),)),
    ("2005", (N_("Texas Hold’em"), N_("Deluxe Poker"))),
)
"""What is added to the name of a product, by the year of its first sale. Source: the Japanese encyclopaedia."""

SHOWN = (
    Told(N_("On television: Spin-Off in the 1970s, and a show with the name of the game in 1988."), ("ja",)),
    Told(
        N_("On the iPod of 2008: Classic, Rainbow and Duplicate, against the computer or for two."),
        ("ja",),
    ),
)

RELATIVES = Told(
    N_(
        "Kniffel and its form with cards; Cacho in Bolivia; Kismet; Red Hot Yott, whose one is large and red as on Japanese "
        "dice; Phase 10 Dice; Poker Dice; Yamb in the Balkans, with six dice; and the Yacht of 51 Worldwide Games."
    ),
    ("ja",),
)


def history(words: Words) -> HistoryView:
    """Tell where the games come from."""
    marks = {
        name: Mark(words.number(number), words.gettext(text), f"source-{name}")
        for number, (name, text) in enumerate(SOURCES.items(), start=1)
    }

    def line(told: Told) -> Line:
        facts = {name: words.number(number) for name, number in told.facts}
        return Line(words.say(told.text, **facts), tuple(marks[name] for name in told.by))

    return HistoryView(
        moments=tuple(Moment(words.gettext(when), tuple(map(line, told))) for when, told in MOMENTS),
        claims=tuple((words.number(number), line(told)) for number, told in CLAIMS),
        names=tuple(map(line, NAMES)),
        offspring=tuple((year, words.listing([words.gettext(name) for name in names])) for year, names in OFFSPRING),
        shown=tuple(map(line, SHOWN)),
        relatives=line(RELATIVES),
        sources=tuple(marks.values()),
        changed=words.date(CHANGED),
        changed_iso=CHANGED.isoformat(),
    )
