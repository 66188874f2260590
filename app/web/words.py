"""Every word that Python code shows to people, in the language asked for.

The English text is the key of the gettext catalogue; `app/locale/<language>/LC_MESSAGES/fairwind.po` brings the others. Labels that
stand in tables are marked by `N_` for extraction and translated when they are shown.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from babel import Locale
from babel.dates import format_date, format_skeleton
from babel.lists import format_list
from babel.numbers import format_decimal

from app.game.errors import Reason
from app.game.rules import Ruleset, Value, text_of
from app.game.rulesets import variant

Day: TypeAlias = date
"""A day, also where `date` is the method that writes one."""

DOMAIN = "fairwind"
CATALOGUES = Path(__file__).parent.parent / "locale"


def offered(catalogues: Path) -> tuple[str, ...]:
    """Name the languages there are: English, and one for each compiled catalogue. Only complete ones are compiled."""
    return ("en", *sorted(path.parts[-3] for path in catalogues.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))


LANGUAGES = offered(CATALOGUES)
"""The languages that the pages are offered in."""


def N_(text: str) -> str:  # noqa: N802 - the customary name of gettext's marker
    """Mark a text for translation where it is only noted down."""
    return text


def P_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - like N_
    """Mark the two forms of a text that counts something."""
    return one, many


def C_(context: str, text: str) -> tuple[str, str]:  # noqa: N802 - like N_
    """Mark a text for translation that other languages say otherwise in a certain context."""
    return context, text


OUT_OF = {
    8: C_("out of so many turns", "8"),
    9: C_("out of so many turns", "9"),
    10: C_("out of so many turns", "10"),
    11: C_("out of so many turns", "11"),
    12: C_("out of so many turns", "12"),
    13: C_("out of so many turns", "13"),
    14: C_("out of so many turns", "14"),
    15: C_("out of so many turns", "15"),
    20: C_("out of so many turns", "20"),
}
"""Numbers of turns of which some are counted: an ending may depend on how the number is read."""

HOMES = {"he": "he_IL", "ja": "ja_JP"}
"""Where a language is spoken, when its own data leave open what depends on the country."""

FACES = (N_("one"), N_("two"), N_("three"), N_("four"), N_("five"), N_("six"))
"""The names of the faces 1..6, as read out."""

FIVES_AGAIN = (
    N_("Five ones again"),
    N_("Five twos again"),
    N_("Five threes again"),
    N_("Five fours again"),
    N_("Five fives again"),
    N_("Five sixes again"),
)
"""A further five of a kind, by face 1..6."""

BOXES: Mapping[str, str] = {
    "ones": N_("Ones"),
    "twos": N_("Twos"),
    "threes": N_("Threes"),
    "fours": N_("Fours"),
    "fives": N_("Fives"),
    "sixes": N_("Sixes"),
    "one_pair": N_("One pair"),
    "two_pairs": N_("Two pairs"),
    "three_pairs": N_("Three pairs"),
    "two_pairs_same_color": N_("Two pairs, one colour"),
    "three_of_a_kind": N_("Three of a kind"),
    "four_of_a_kind": N_("Four of a kind"),
    "five_of_a_kind": N_("Five of a kind"),
    "six_of_a_kind": N_("Six of a kind (Maxi)"),
    "full_house": N_("Full house"),
    "full_house_same_color": N_("Full house, one colour"),
    "villa": N_("Villa (3+3)"),
    "tower": N_("Tower (4+2)"),
    "small_straight": N_("Small straight"),
    "large_straight": N_("Large straight"),
    "full_straight": N_("Full straight"),
    "straight": N_("Straight"),
    "odd_straight": N_("Odd straight"),
    "even_straight": N_("Even straight"),
    "low_straight": N_("Low straight"),
    "high_straight": N_("High straight"),
    "flush": N_("Flush"),
    "double_generala": N_("Double Generala"),
    "thirteen": N_("Thirteen"),
    "crag": N_("Crag"),
    "chance": N_("Chance"),
}
"""Box names by key. Source: the tables of the rules sheet."""

OWN_BOXES: Mapping[tuple[str, str], tuple[str, str]] = {
    ("yatzy", "five_of_a_kind"): C_("yatzy", "Yatzy"),
    ("yatzy_scandinavian", "five_of_a_kind"): C_("yatzy", "Yatzy"),
    ("yatzy_kids", "five_of_a_kind"): C_("yatzy", "Yatzy"),
    ("yacht_ww", "ones"): C_("yacht_ww", "Ones"),
    ("yacht_ww", "twos"): C_("yacht_ww", "Twos"),
    ("yacht_ww", "threes"): C_("yacht_ww", "Threes"),
    ("yacht_ww", "fours"): C_("yacht_ww", "Fours"),
    ("yacht_ww", "fives"): C_("yacht_ww", "Fives"),
    ("yacht_ww", "sixes"): C_("yacht_ww", "Sixes"),
    ("yacht_ww", "chance"): C_("yacht_ww", "Chance"),
    ("yacht_ww", "four_of_a_kind"): C_("yacht_ww", "Four of a kind"),
    ("yacht_ww", "small_straight"): C_("yacht_ww", "Small straight"),
    ("yacht_ww", "large_straight"): C_("yacht_ww", "Large straight"),
}
"""Boxes that a ruleset calls otherwise than the rest of the family does, in English or in another language: context and text."""

RULESETS: Mapping[str, str] = {
    "classic": N_("Classic"),
    "classic_free": N_("Classic, free joker (1956)"),
    "classic_plain": N_("Classic, no joker"),
    "classic_ja_alt": N_("Classic, other scores"),
    "yatzy": N_("Yatzy, Finnish"),
    "yatzy_scandinavian": N_("Yatzy, Scandinavian"),
    "yatzy_kids": N_("Yatzy for children"),
    "maxi_yatzy": N_("Maxi Yatzy"),
    "yacht": N_("Old Yacht"),
    "yacht_ww": N_("Yacht, twelve boxes"),
    "kniffel": N_("German"),
    "generala": N_("Generala"),
    "cheerio": N_("Cheerio"),
    "crag": N_("Crag"),
    "kismet": N_("Colours"),
    "red_hot": N_("Wild ones"),
}
"""Ruleset names by id. Source: section 31 of the rules sheet."""

LEVELS: Mapping[str, str] = {
    "novice": N_("Novice"),
    "casual": N_("Casual"),
    "skilled": N_("Skilled"),
    "perfect": N_("Perfect"),
}
"""The computer players by level, weakest first, as they are named in lists and columns."""

AGAINST: Mapping[str, str] = {
    "novice": N_("novice"),
    "casual": N_("casual"),
    "skilled": N_("skilled"),
    "perfect": N_("perfect"),
}
"""The same in the form that stands after "against" in running text."""

OPTIONS: Mapping[str, str] = {
    "joker": N_("Joker"),
    "extra_five": N_("Bonus for a further five of a kind"),
    "full_house_score": N_("Full house pays"),
    "small_straight_score": N_("Small straight pays"),
    "large_straight_score": N_("Large straight pays"),
    "kind_scoring": N_("Three and four of a kind pay"),
    "lenient_full_house": N_("Five of a kind is a full house too"),
    "three_of_a_kind_box": N_("Box for three of a kind"),
    "locked_dice": N_("Kept dice stay kept for the turn"),
    "forced_order": N_("Boxes from top to bottom"),
    "extra_yatzy": N_("A further Yatzy"),
    "joker_upper": N_("Joker in an upper box"),
    "joker_after_zero": N_("Joker even after a struck Yatzy"),
    "two_pairs_full_house": N_("A full house is two pairs too"),
    "tie_break": N_("Equal totals"),
    "size": N_("Boxes on the card"),
    "upper_bonus": N_("Upper bonus"),
    "maxi_bonus": N_("Upper bonus"),
    "saved_rolls": N_("Rolls not used are saved"),
    "straights": N_("Small and large straight pay"),
    "four_sum": N_("Four of a kind pays"),
    "extra_kniffel": N_("A further five of a kind"),
    "generala_value": N_("Five of a kind pays"),
    "served_bonus": N_("Extra points on the first roll"),
    "wrap_straight": N_("Any five different faces are a straight"),
    "ace_for_two": N_("A one may stand for a two or a six in a straight"),
    "double_generala_box": N_("Box for a second Generala"),
    "served_wins": N_("Five of a kind on the first roll wins"),
    "rolls": N_("Rolls in a turn"),
    "straight_score": N_("Straight pays"),
    "five_alike_full_house": N_("Five of a kind is a full house too"),
    "kismet_penalty": N_("A further five of a kind costs the others an entry"),
}
"""Option names by id, as a form asks for them."""

OPTION_VALUES: Mapping[tuple[str, str], str] = {
    ("", "true"): N_("yes"),
    ("", "false"): N_("no"),
    ("joker", "forced"): N_("forced: the upper box first"),
    ("joker", "lower_free"): N_("free: any open lower box"),
    ("joker", "strict_1956"): N_("lower boxes only, as in 1956"),
    ("joker", "free_choice"): N_("only once the upper box is filled"),
    ("joker", "none"): N_("none"),
    ("extra_five", "0"): N_("none"),
    ("full_house_score", "25"): N_("25 points"),
    ("full_house_score", "sum"): N_("the sum of the dice"),
    ("kind_scoring", "all"): N_("the sum of all dice"),
    ("kind_scoring", "matching"): N_("the equal dice only"),
    ("extra_yatzy", "bonus100_joker"): N_("100 points and a joker"),
    ("extra_yatzy", "plus50"): N_("50 points"),
    ("extra_yatzy", "none"): N_("nothing"),
    ("joker_upper", "as_rolled"): N_("pays as rolled"),
    ("joker_upper", "wild"): N_("pays five times its face"),
    ("tie_break", "draw"): N_("a draw"),
    ("tie_break", "upper_count"): N_("more scored upper boxes win"),
    ("upper_bonus", "0"): N_("none"),
    ("maxi_bonus", "84_100"): N_("100 points from 84"),
    ("maxi_bonus", "75_50"): N_("50 points from 75"),
    ("straights", "30_30"): N_("30 and 30"),
    ("straights", "15_20"): N_("15 and 20"),
    ("straights", "25_30"): N_("25 and 30"),
    ("four_sum", "four"): N_("the four equal dice"),
    ("four_sum", "all"): N_("the sum of all dice"),
    ("extra_kniffel", "schmidt50"): N_("50 points or a joker"),
    ("extra_kniffel", "bonus100"): N_("100 points and a joker"),
}
"""What option values mean, by option and value; the empty option holds for all. Numbers that are not here stand for themselves."""

REASONS: Mapping[Reason, str] = {
    Reason.FILLED: N_("That box is filled already."),
    Reason.ROLL_FIRST: N_("Roll the dice first."),
    Reason.JOKER_UPPER: N_("Five of a kind again: the upper box of that face is open, so it must be used."),
    Reason.JOKER_LOWER: N_("Five of a kind again: the upper box of that face is filled, so a lower box must be used."),
    Reason.FORCED_ORDER: N_("This game is filled in from top to bottom: take the first open box."),
    Reason.NO_ROLLS_LEFT: N_("No rolls are left in this turn: choose a box."),
    Reason.NOTHING_TO_ROLL: N_("All dice are kept: let one go to roll on, or choose a box."),
    Reason.LOCKED_DIE: N_("A die that was kept stays kept until the end of the turn."),
    Reason.NOTHING_TO_UNDO: N_("There is no entry that could be taken back now."),
    Reason.GAME_OVER: N_("This game is over."),
    Reason.NOT_YOUR_TURN: N_("It is not your turn."),
}
"""Why the rules refuse something, without knowing the dice."""


class Words:
    """One language: translations, labels, numbers and dates."""

    def __init__(self, language: str = "en") -> None:
        """Take a language tag such as `fi`; English needs no catalogue, and what a catalogue lacks is shown in English."""
        self.language = language
        self.locale = Locale.parse(language)
        self.catalogue = gettext.translation(DOMAIN, CATALOGUES, [language], fallback=True)
        self.gettext = self.catalogue.gettext
        self.ngettext = self.catalogue.ngettext
        self.pgettext = self.catalogue.pgettext

    @property
    def direction(self) -> str:
        """Say how the language runs: `ltr` or `rtl`."""
        return self.locale.text_direction

    @property
    def gap(self) -> str:
        """Give what stands between two sentences."""
        return "" if self.language == "ja" else " "

    def left_to_right(self, text: str) -> str:
        """Keep a text such as 1-2-3 or +2.5 in order and in one piece where the language runs from right to left."""
        return text if self.direction == "ltr" else "\u2066" + text.replace("-", "-\u2060") + "\u2069"

    def say(self, text: str, **facts: object) -> str:
        """Translate a text and put the facts into its `%(name)s` places."""
        return self.gettext(text) % facts if facts else self.gettext(text)

    def count(self, one: str, many: str, number: int, **facts: object) -> str:
        """Translate a text in the plural form for `number`, which is the fact `n`."""
        return self.ngettext(one, many, number) % {"n": self.number(number), **facts}

    def points(self, number: int) -> str:
        """Say a number of points with its word."""
        return self.count(N_("%(n)s point"), N_("%(n)s points"), number)

    def box(self, key: str, ruleset_id: str) -> str:
        """Name a box as the ruleset calls it."""
        own = OWN_BOXES.get((ruleset_id, key))
        return self.gettext(BOXES[key]) if own is None else self.pgettext(*own)

    def ruleset(self, id_: str) -> str:
        """Name a ruleset."""
        return self.gettext(RULESETS[id_])

    def level(self, level: str) -> str:
        """Name a computer player."""
        return self.gettext(LEVELS[level]) if level in LEVELS else level

    def against(self, level: str) -> str:
        """Name a computer player as in "against perfect"."""
        return self.gettext(AGAINST[level]) if level in AGAINST else level

    def option(self, name: str) -> str:
        """Name an option."""
        return self.gettext(OPTIONS[name])

    def option_value(self, name: str, value: Value) -> str:
        """Say what an option's value means."""
        text = text_of(value)
        found = OPTION_VALUES.get((name, text)) or (OPTION_VALUES.get(("", text)) if isinstance(value, bool) else None)
        return self.gettext(found) if found else text

    def chosen(self, rules: Ruleset) -> tuple[str, ...]:
        """Say each option that is not at its default, such as `Joker: none`."""
        defaults = variant(rules.id).choose({})
        return tuple(
            self.say(N_("%(option)s: %(value)s"), option=self.option(name), value=self.option_value(name, value))
            for name, value in rules.options.items()
            if defaults[name] != value
        )

    def game(self, rules: Ruleset) -> str:
        """Name a ruleset, and in brackets the rules that are not its usual ones."""
        chosen = self.chosen(rules)
        return self.ruleset(rules.id) + (f" ({'; '.join(chosen)})" if chosen else "")

    def reason(self, reason: Reason, *, face: int = 0, box: str = "", ruleset_id: str = "") -> str:
        """Say why the rules refuse something; with the `face` of the dice and the key of the `box` to use, in full."""
        match reason:
            case Reason.JOKER_UPPER if face and box:
                text = N_("%(five)s: the %(box)s box is open, so it must be used")
            case Reason.JOKER_LOWER if face and box:
                text = N_("%(five)s: the %(box)s box is filled, so a lower box must be used")
            case Reason.FORCED_ORDER if box:
                return self.say(N_("From top to bottom: the next box is %(box)s"), box=self.box(box, ruleset_id))
            case _:
                return self.gettext(REASONS[reason])
        return self.say(text, five=self.gettext(FIVES_AGAIN[face - 1]), box=self.box(box, ruleset_id))

    def face(self, face: int) -> str:
        """Name a face, 1..6."""
        return self.gettext(FACES[face - 1])

    def number(self, number: float) -> str:
        """Write a number in the manner of the language."""
        # Nearly every number on a page is small and whole, and Babel is not quick.
        if isinstance(number, int) and 0 <= number < 1000:  # noqa: PLR2004 - below the first grouping mark
            return str(number)
        return format_decimal(number, locale=self.locale)

    def listing(self, items: Sequence[str]) -> str:
        """List items in a sentence, such as `skilled and perfect`."""
        text = format_list(items, locale=self.locale)
        # The Hebrew "and" is written on to the word; before a digit or a Latin letter a maqaf stands between.
        if self.language == "he" and len(items) > 1 and not "א" <= items[-1][:1] <= "ת":
            return f"{text.removesuffix(items[-1])}־{items[-1].removeprefix('־')}"
        return text

    def out_of(self, turns: int) -> str:
        """Write the number of turns of which some are counted, as in `11 of 13 turns`; it has an ending in some languages."""
        return self.pgettext(*OUT_OF[turns]) if turns in OUT_OF else self.number(turns)

    @property
    def first_week_day(self) -> int:
        """The day that a week begins with where the language is spoken, 0 for Monday."""
        return Locale.parse(HOMES.get(self.language, self.language)).first_week_day

    def mean(self, number: float) -> str:
        """Write a mean with one decimal."""
        return format_decimal(number, format="#,##0.0", locale=self.locale)

    def date(self, day: date) -> str:
        """Write a date, such as `29 Nov 2026`."""
        return format_date(day, format="medium", locale=self.locale)

    def month_day(self, moment: Day) -> str:
        """Write a date without its year."""
        return str(format_skeleton("MMMd", moment, locale=self.locale))


def isolated(name: str) -> str:
    """Keep what somebody else has written, in whatever direction, from moving the text and the numbers around it."""
    return f"\u2068{name}\u2069"


@lru_cache(maxsize=64)
def words(language: str) -> Words:
    """Give the words of a language; each is loaded once."""
    return Words(language)
