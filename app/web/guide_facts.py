"""What the pages to read know of each ruleset besides its rules: where it comes from and what it is called elsewhere.

All texts are source strings of the catalogues. A ruleset without facts of its own has a page too.

Source: the facts sheet and the rules sheet (the how-to-play page of kawu; the Japanese and Hebrew encyclopaedias;
the Finnish guide to Yatzy). A product is named only as what a game is known as elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum

from app.web.words import N_


class Group(Enum):
    """The families in which the rulesets are listed; each is its heading."""

    THIRTEEN = N_("Thirteen boxes")
    NORDIC = N_("Yatzy")
    OLDER = N_("Older games")
    TWISTS = N_("With a twist")


@dataclass(frozen=True, slots=True)
class Facts:
    """What is told of a ruleset.

    `character` and `origin` are one line each. `story` tells what it is, `known` what it is known as elsewhere.
    `level` says what a good result is and `most` (points) is the highest total with further fives: both hold for the
    default options. `related` names rulesets worth a look, `variants` tells of forms that are not played here.
    `changed` is the day of the page's last change.
    """

    group: Group
    character: str
    origin: str
    known: tuple[str, ...] = ()
    story: tuple[str, ...] = ()
    level: tuple[str, ...] = ()
    most: int | None = None
    related: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    changed: date = date(2026, 11, 29)


_TRADE_MARK = N_("Yahtzee is a trade mark of Hasbro, which has nothing to do with this site.")
_GOOD_CLASSIC = N_("A solid game brings 200 to 300 points.")
_PERFECT_CLASSIC = N_("A player who makes no mistake at all brings 254.6 points on average.")
_COMES_FROM = N_("It comes down from Yacht, an old game that belongs to everybody.")

FACTS: Mapping[str, Facts] = {
    "classic": Facts(
        Group.THIRTEEN,
        N_("The best-known sheet: a bonus above, and rules for every further five of a kind."),
        N_("North America, 1950s"),
        known=(
            N_(
                "It is of one family with commercial games such as Yahtzee, and scored in the usual North American way."
            ),
            _TRADE_MARK,
        ),
        story=(_COMES_FROM,),
        level=(_GOOD_CLASSIC, _PERFECT_CLASSIC),
        most=1575,
        related=("classic_plain", "classic_free", "classic_ja_alt", "kniffel", "yacht"),
        variants=(
            N_("Some play three columns at once, of which the third counts triple; some play with many at one table."),
        ),
    ),
    "classic_free": Facts(
        Group.THIRTEEN,
        N_("The joker of 1956: a further five of a kind may fill any lower box at once."),
        N_("North America, 1956"),
        known=(
            N_("Yahtzee began with this joker in 1956; since 1961 the upper box of its face comes first."),
            _TRADE_MARK,
        ),
        story=(_COMES_FROM,),
        level=(_GOOD_CLASSIC,),
        most=1575,
        related=("classic", "classic_plain"),
    ),
    "classic_plain": Facts(
        Group.THIRTEEN,
        N_("A further five of a kind is a roll like any other: no joker and no bonus."),
        N_("House rules of many tables"),
        known=(N_("Many tables play Yahtzee with one of these two house rules, or with both."), _TRADE_MARK),
        story=(_COMES_FROM,),
        related=("classic", "yacht_ww"),
    ),
    "classic_ja_alt": Facts(
        Group.THIRTEEN,
        N_("Straights pay less, and a full house pays the sum of its dice."),
        N_("Japan"),
        known=(
            N_("A Japanese encyclopaedia gives these scores in brackets, beside the usual ones of Yahtzee."),
            _TRADE_MARK,
        ),
        story=(_COMES_FROM,),
        related=("classic", "yacht_ww"),
    ),
    "kniffel": Facts(
        Group.THIRTEEN,
        N_("The thirteen boxes as played in Germany: a further five of a kind brings 50 above, or a joker below."),
        N_("Germany"),
        known=(
            N_(
                "Sold in Germany as Kniffel. The rule for a further five of a kind is that of the maker, Schmidt;"
                " a newspaper prints 100 points instead."
            ),
        ),
        related=("classic", "classic_plain"),
    ),
    "yatzy": Facts(
        Group.NORDIC,
        N_("Pairs have boxes of their own, straights must be exact, and every die of a hand counts."),
        N_("Finland, mid-twentieth century"),
        known=(N_("Known as Yatzy: a family and holiday game in Finland, with championships every year."),),
        level=(
            N_("Beginners bring 150 to 180 points, old hands 220 to 240; above 300 is excellent, above 350 rare."),
            N_("Two players take 20 to 25 minutes, three or four 30 to 40, five or six 50 to 70."),
        ),
        related=("yatzy_scandinavian", "yatzy_kids", "maxi_yatzy", "classic"),
    ),
    "yatzy_scandinavian": Facts(
        Group.NORDIC,
        N_("The same fifteen boxes without extras; a full house counts as two pairs."),
        N_("Scandinavia, mid-twentieth century"),
        known=(N_("Known as Yatzy all over Scandinavia."),),
        related=("yatzy", "maxi_yatzy"),
    ),
    "yatzy_kids": Facts(
        Group.NORDIC,
        N_("Only the simple boxes: a short first game for children."),
        N_("Finland, in a form of our own"),
        known=(N_("Children's sheets of Yatzy differ from family to family."),),
        story=(
            N_(
                "The Finnish guide says only that the card for children keeps the simplest hands; these are our choice."
            ),
        ),
        related=("yatzy", "yatzy_scandinavian"),
    ),
    "maxi_yatzy": Facts(
        Group.NORDIC,
        N_("Six dice and a long card: the big brother."),
        N_("Scandinavia"),
        known=(
            N_(
                "Known as Maxi Yatzy or Maksi-Yatzy. The sheet of Tactic, a Finnish maker, gives a bonus of 50 from 75"
                " points upwards instead of 100 from 84."
            ),
        ),
        related=("yatzy", "yatzy_scandinavian"),
    ),
    "yacht": Facts(
        Group.OLDER,
        N_("The ancestor: twelve boxes, no bonus, nothing extra."),
        N_("In print since 1940"),
        known=(
            N_("Known as Yacht; printed in The Complete Book of Games by Clement Wood and Gloria Goddard in 1940."),
        ),
        related=("yacht_ww", "classic", "crag"),
    ),
    "yacht_ww": Facts(
        Group.OLDER,
        N_("Twelve boxes with the bonus above; four in a row already pay."),
        N_("Japan, a collection for a games console"),
        known=(N_("Known as Yacht in 51 Worldwide Games by Nintendo."),),
        story=(N_("No source settles whether the console takes five alike as a full house; here it is an option."),),
        related=("yacht", "classic_ja_alt", "classic"),
    ),
    "generala": Facts(
        Group.OLDER,
        N_("What is made on the first roll pays more, and five alike on the first roll can win at once."),
        N_("Latin America"),
        known=(
            N_("Known as Generala in Latin America, and counted among the older relatives of Yahtzee."),
            _TRADE_MARK,
        ),
        related=("yacht", "cheerio"),
    ),
    "cheerio": Facts(
        Group.OLDER,
        N_("Few rolls, few boxes: every keep has to be right."),
        N_("England"),
        known=(N_("Known as Cheerio in England. At a table a tie is settled by a further game."),),
        related=("yacht", "generala"),
    ),
    "crag": Facts(
        Group.OLDER,
        N_("Three dice, one second try, and a love of the number thirteen."),
        N_("A name in print since 1940"),
        known=(N_("Known as Crag; Wood and Goddard use that name in 1940 for the whole family."),),
        related=("yacht", "cheerio"),
    ),
    "kismet": Facts(
        Group.TWISTS,
        N_("Pips in three colours, hands of one colour, and a bonus in steps."),
        N_("A game with dice of its own"),
        known=(N_("Sold as Kismet, with coloured pips. Editions differ on the straight: 30 points or 40."),),
        related=("classic", "red_hot"),
    ),
    "red_hot": Facts(
        Group.TWISTS,
        N_("Every 1 stands for whatever suits you best."),
        N_("A design of our own"),
        known=(
            N_("Fundex sold a game with wild ones as Red Hot Yott, whose ones are big and red, as on Japanese dice."),
        ),
        story=(
            N_("No rules of the game that it follows were found beyond one line, so the rest is a design of our own."),
        ),
        related=("classic", "kismet"),
    ),
}

_UNTOLD = Facts(Group.TWISTS, N_("A game of the family."), N_("Of unknown origin"))


def facts(ruleset_id: str) -> Facts:
    """Give what is told of a ruleset, or a plain entry for one of which nothing is told yet."""
    return FACTS.get(ruleset_id, _UNTOLD)
