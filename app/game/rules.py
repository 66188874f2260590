"""What a ruleset is: boxes, bonuses, the joker rule, and the machine's settings. Rulesets are data; see app.game.rulesets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from app.game.dice import Dice
from app.game.errors import Unreadable
from app.game.scores import Faces, Score

Value: TypeAlias = bool | int | str
Options: TypeAlias = Mapping[str, Value]


class Joker(StrEnum):
    """What a further five of a kind may do.

    Source: the five readings are named in the Danish and Hebrew articles on the game (forced 1961, free 1956); `lower_free_wild` is
    one reading of the Finnish sheet: once the lower section is full, any upper box pays five times its own face.
    """

    FORCED = "forced"
    LOWER_FREE = "lower_free"
    STRICT_1956 = "strict_1956"
    FREE_CHOICE = "free_choice"
    LOWER_FREE_WILD = "lower_free_wild"
    NONE = "none"


class ExtraWhen(StrEnum):
    """When a further five of a kind earns its bonus."""

    FIVE_BOX_SCORED = "five_box_scored"
    MATCHING_UPPER_OPEN = "matching_upper_open"


class TieBreak(StrEnum):
    """What decides between equal totals."""

    DRAW = "draw"
    UPPER_COUNT = "upper_count"


@dataclass(frozen=True, slots=True)
class Box:
    """One line of the card.

    `face` is set for the upper boxes and 0 for the lower ones. `joker` is the score with a joker, where it differs from
    the ordinary one. `needs` names a box that must hold points before this one can score.
    """

    key: str
    score: Score
    face: int = 0
    joker: Score | None = None
    needs: str = ""

    @property
    def upper(self) -> bool:
        """Tell whether the box counts towards the upper bonus."""
        return self.face > 0


@dataclass(frozen=True, slots=True)
class Step:
    """An upper bonus: `points` from an upper sum of `at_least`; the highest step reached counts alone."""

    at_least: int
    points: int


@dataclass(frozen=True, slots=True)
class ExtraFive:
    """The bonus for each further five of a kind."""

    points: int
    when: ExtraWhen = ExtraWhen.FIVE_BOX_SCORED


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A game of the family with its options chosen; two are equal when their ids and options are."""

    id: str
    options: Options
    boxes: tuple[Box, ...]
    dice: int = 5
    rolls: int = 3
    bonus: tuple[Step, ...] = ()
    five_box: str = ""
    joker: Joker = Joker.NONE
    joker_needs_points: bool = False
    extra_five: ExtraFive | None = None
    locked_dice: bool = False
    forced_order: bool = False
    saved_rolls: bool = False
    served_wins: bool = False
    penalty: bool = False
    tie_break: TieBreak = TieBreak.DRAW
    colors: tuple[frozenset[int], ...] = ()
    wild_face: int = 0

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Ruleset) and (self.id, self.options) == (other.id, other.options))

    def __hash__(self) -> int:
        # The options would make every look-up slow, and few of one id are in use at a time.
        return hash(self.id)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Map each box key to its place on the sheet, from 0."""
        return {box.key: place for place, box in enumerate(self.boxes)}

    @cached_property
    def upper(self) -> Mapping[int, int]:
        """Map each face to the place of its upper box."""
        return {box.face: place for place, box in enumerate(self.boxes) if box.upper}

    def place(self, key: str) -> int:
        """Find a box's place on the sheet, from 0.

        Raises:
            Unreadable: `unknown_box`.

        """
        try:
            return self.index[key]
        except KeyError:
            raise Unreadable(
                "unknown_box", f"There is no box {key!r} here; the boxes are {', '.join(self.index)}."
            ) from None

    def five_alike(self, dice: Dice, roll: int) -> bool:
        """Tell whether the dice are what the five-of-a-kind box asks for."""
        return bool(self.five_box) and self.boxes[self.index[self.five_box]].score(dice, roll) > 0

    def upper_bonus(self, upper_sum: int) -> int:
        """Give the bonus that an upper sum has reached, in points."""
        return max((step.points for step in self.bonus if upper_sum >= step.at_least), default=0)


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that a ruleset offers; the first value is the default."""

    name: str
    values: tuple[Value, ...]

    @property
    def default(self) -> Value:
        """The value taken when nothing is said."""
        return self.values[0]

    def read(self, value: object, *, text: bool = False) -> Value:
        """Take a value, or with `text` its text as forms, links and the command line carry it.

        Raises:
            Unreadable: `bad_option`, naming what is allowed.

        """
        for allowed in self.values:
            # 1 == True in Python, so the types are compared too.
            if value == text_of(allowed) if text else type(value) is type(allowed) and value == allowed:
                return allowed
        choices = ", ".join(text_of(allowed) for allowed in self.values)
        raise Unreadable("bad_option", f"{self.name} can be {choices}, not {text_of(value)}.")


@dataclass(frozen=True, slots=True)
class Need:
    """Two options that belong together: `value` of `option` makes sense only with `other_value` of `other`."""

    option: str
    value: Value
    other: str
    other_value: Value


def text_of(value: object) -> str:
    """Write an option's value as forms, links and the command line carry it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Variant:
    """A ruleset with its options still open: an id that is for ever, the options, and how to build the ruleset from them."""

    id: str
    build: Callable[[str, Options], Ruleset]
    options: tuple[Option, ...] = ()
    needs: tuple[Need, ...] = field(default=())

    def choose(self, chosen: Mapping[str, object], *, text: bool = False) -> dict[str, Value]:
        """Complete the chosen options with the defaults; with `text`, values are read from their text.

        Raises:
            Unreadable: `unknown_option`, `bad_option` or `contradicting_options`, naming what is allowed.

        """
        offered = {option.name: option for option in self.options}
        for name in chosen:
            if name not in offered:
                names = ", ".join(offered) or "none"
                raise Unreadable("unknown_option", f"{self.id} has no option {name!r}; its options: {names}.")
        options = {
            name: option.read(chosen[name], text=text) if name in chosen else option.default
            for name, option in offered.items()
        }
        for need in self.needs:
            if options[need.option] == need.value and options[need.other] != need.other_value:
                raise Unreadable(
                    "contradicting_options",
                    f"{need.option}={text_of(need.value)} needs {need.other}={text_of(need.other_value)}, "
                    f"not {text_of(options[need.other])}.",
                )
        return options


UPPER_KEYS = ("ones", "twos", "threes", "fours", "fives", "sixes")


def upper_boxes() -> tuple[Box, ...]:
    """Make the six upper boxes that every sheet of the family has."""
    return tuple(Box(key, Faces(face), face=face) for face, key in enumerate(UPPER_KEYS, start=1))


def switch(name: str, *, default: bool = False) -> Option:
    """Make an option that is on or off."""
    return Option(name, (default, not default))


def choice(name: str, default: Value, *values: Value) -> Option:
    """Make an option of several values: the default first, the others in the sheet's order."""
    return Option(name, (default, *(value for value in values if value != default)))


TURN_OPTIONS = (switch("locked_dice"), switch("forced_order"))
"""Options of the turn itself, offered by most rulesets."""
