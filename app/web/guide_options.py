"""The options of a ruleset in plain words, for the page that explains them and for the form that asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from app.game.errors import Unreadable
from app.game.rules import Option, Ruleset, Value, Variant, text_of
from app.game.rulesets import ruleset, variant
from app.web.words import N_, Words

HELP: Mapping[str, str] = {
    "joker": N_(
        "What a further five of a kind may do. In 1956 it could be a joker in any lower box; since 1961 the upper box"
        " of its face comes first."
    ),
    "extra_five": N_("Points for every five of a kind after one that scored."),
    "full_house_score": N_("A fixed 25, or what the dice show."),
    "small_straight_score": N_("Four in a row."),
    "large_straight_score": N_("Five in a row."),
    "kind_scoring": N_("Whether the other dice are added too."),
    "lenient_full_house": N_("Some sheets let five dice alike fill the full house."),
    "three_of_a_kind_box": N_("Without it the card has one box and one turn less."),
    "locked_dice": N_("A die that you keep cannot be rolled again in that turn."),
    "forced_order": N_("No choice of box: the topmost open one is filled."),
    "extra_yatzy": N_("What every Yatzy after the first one brings."),
    "joker_upper": N_("What a joker pays above once the lower boxes are full."),
    "joker_after_zero": N_("Otherwise a struck Yatzy box ends the jokers."),
    "two_pairs_full_house": N_("Most Scandinavian sheets say yes, the Finnish one says no."),
    "tie_break": N_("Who wins when two players have the same total."),
    "size": N_("Ten boxes add three alike and five alike."),
    "upper_bonus": N_("Extra points from 63 in the upper boxes."),
    "maxi_bonus": N_("Extra points in the upper boxes; sheets differ."),
    "saved_rolls": N_("Rolls that you do not use may be used in a later turn."),
    "straights": N_("Old sheets differ on the straights."),
    "four_sum": N_("Whether the fifth die is added."),
    "extra_kniffel": N_("Makers and newspapers print different rules."),
    "generala_value": N_("The second one pays twice as much."),
    "served_bonus": N_("For a straight, a full house or four of a kind without rolling again."),
    "wrap_straight": N_("The row may then go on from six to one."),
    "ace_for_two": N_("So 1-3-4-5-6 is a straight."),
    "double_generala_box": N_("Without it the card has one box and one turn less."),
    "served_wins": N_("Only among several players; alone the game goes on."),
    "rolls": N_("How often you may roll before you write."),
    "straight_score": N_("Five in a row; editions differ."),
    "five_alike_full_house": N_("Five dice alike count as three and two."),
    "kismet_penalty": N_("Only among several players."),
}
"""One line on each option, by name."""


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One value of an option.

    `value` is its text in forms and links, `query` the query string of the same rules with this value ("" for none).
    `chosen` says that it is the present one, `default` that it is taken when nothing is said, `fits` that it goes with
    the other choices.
    """

    value: str
    label: str
    query: str
    chosen: bool
    default: bool
    fits: bool


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """One option with its values; `help` is one line in plain words ("" for none), `needs` what some value needs."""

    name: str
    label: str
    help: str
    needs: str
    values: tuple[OptionValue, ...]


def choices(rules: Ruleset, words: Words) -> tuple[OptionChoice, ...]:
    """List the options of a ruleset, with the values of `rules` as the present ones."""
    offered = variant(rules.id)
    return tuple(_choice(option, offered, rules, words) for option in offered.options)


def query(rules: Ruleset) -> str:
    """Write the options that are not at their default as a query string with its question mark, "" for none."""
    return _query(variant(rules.id), rules.options)


def fields(rules: Ruleset) -> tuple[tuple[str, str], ...]:
    """Give the options that are not at their default as names and values for a form."""
    return tuple(_unusual(variant(rules.id), rules.options).items())


def _choice(option: Option, offered: Variant, rules: Ruleset, words: Words) -> OptionChoice:
    values = tuple(
        OptionValue(
            text_of(value),
            words.option_value(option.name, value),
            _query(offered, _with(rules, option.name, value)),
            chosen=rules.options[option.name] == value,
            default=option.default == value,
            fits=_fits(rules, option.name, value),
        )
        for value in option.values
    )
    help_text = HELP.get(option.name)
    return OptionChoice(
        option.name,
        words.option(option.name),
        words.gettext(help_text) if help_text else "",
        _needs(option.name, offered, words),
        values,
    )


def _needs(name: str, offered: Variant, words: Words) -> str:
    """Say which other choice this option stands on."""
    for need in offered.needs:
        if need.option == name:
            return words.say(
                N_("Only together with %(option)s: %(value)s."),
                option=words.option(need.other),
                value=words.option_value(need.other, need.other_value),
            )
    return ""


def _with(rules: Ruleset, name: str, value: Value) -> dict[str, Value]:
    """Change one option; what stood on its present value goes back to its default."""
    offered = variant(rules.id)
    options = {**rules.options, name: value}
    freed = {need.option for need in offered.needs if need.other == name and need.other_value != value}
    return options | {option.name: option.default for option in offered.options if option.name in freed}


def _fits(rules: Ruleset, name: str, value: Value) -> bool:
    try:
        ruleset(rules.id, _with(rules, name, value))
    except Unreadable:
        return False
    return True


def _unusual(offered: Variant, options: Mapping[str, Value]) -> dict[str, str]:
    defaults = {option.name: option.default for option in offered.options}
    return {name: text_of(value) for name, value in options.items() if value != defaults[name]}


def _query(offered: Variant, options: Mapping[str, Value]) -> str:
    unusual = _unusual(offered, options)
    return f"?{urlencode(unusual)}" if unusual else ""
