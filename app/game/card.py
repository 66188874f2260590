"""A scorecard: what is written, what may be written now and why not, and what it adds up to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from app.game.dice import FACES, Dice, multisets
from app.game.errors import Reason, Unreadable
from app.game.rules import Box, ExtraWhen, Joker, Ruleset
from app.game.scores import Score


@dataclass(frozen=True, slots=True)
class Preview:
    """What the dice would bring in an open box: points, and why the box is closed now (None: it may be chosen)."""

    points: int
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """One card: `points` along the sheet, None for an open box; `extra`, the bonuses for further fives of a kind."""

    ruleset: Ruleset
    points: tuple[int | None, ...]
    extra: int = 0

    @classmethod
    def empty(cls, ruleset: Ruleset) -> Card:
        """Make a card with every box open."""
        return cls(ruleset, (None,) * len(ruleset.boxes))

    @property
    def filled(self) -> int:
        """Count the filled boxes."""
        return len(self.points) - self.points.count(None)

    @property
    def full(self) -> bool:
        """Tell whether every box is filled."""
        return None not in self.points

    @property
    def upper_sum(self) -> int:
        """Add up the upper boxes, without the bonus."""
        return sum(self.points[place] or 0 for place in self.ruleset.upper.values())

    @property
    def upper_bonus(self) -> int:
        """Give the upper bonus reached so far."""
        return self.ruleset.upper_bonus(self.upper_sum)

    @property
    def total(self) -> int:
        """Add up the boxes, the upper bonus and the extra fives."""
        return sum(points or 0 for points in self.points) + self.upper_bonus + self.extra

    def open_places(self) -> Iterator[int]:
        """Give the places of the open boxes, in sheet order."""
        return (place for place, points in enumerate(self.points) if points is None)

    def previews(self, dice: Dice, roll: int) -> dict[str, Preview]:
        """Score the dice in every open box; a box that a rule closes has 0 points and its reason."""
        boxes = self.ruleset.boxes
        joker = self._joker(dice, roll)
        closed = self.closed(dice, roll)
        return {
            boxes[place].key: Preview(0, closed[place])
            if place in closed
            else Preview(self._score(place, dice, roll, joker=joker))
            for place in self.open_places()
        }

    def extra_for(self, dice: Dice, roll: int) -> int:
        """Give what these dice bring besides their box: the bonus for a further five of a kind, or 0."""
        extra = self.ruleset.extra_five
        if extra is None or not self.ruleset.five_alike(dice, roll):
            return 0
        five = self.points[self.ruleset.index[self.ruleset.five_box]]
        if extra.when is ExtraWhen.FIVE_BOX_SCORED:
            return extra.points if five else 0
        return extra.points if five is not None and self._matching_open(dice) is not None else 0

    def write(self, place: int, dice: Dice, roll: int) -> Card:
        """Write the dice into an open box that `previews` allows, with the extra bonus they bring."""
        points = self._score(place, dice, roll, joker=self._joker(dice, roll))
        written = (*self.points[:place], points, *self.points[place + 1 :])
        return Card(self.ruleset, written, self.extra + self.extra_for(dice, roll))

    def put(self, place: int, points: int) -> Card:
        """Put points into an open box, whatever dice there were."""
        return Card(self.ruleset, (*self.points[:place], points, *self.points[place + 1 :]), self.extra)

    def _matching_open(self, dice: Dice) -> int | None:
        """Give the place of the open upper box of the dice's face, None where it is filled."""
        place = self.ruleset.upper[dice[0]]
        return place if self.points[place] is None else None

    def _joker(self, dice: Dice, roll: int) -> bool:
        rules = self.ruleset
        if rules.joker is Joker.NONE or not rules.five_alike(dice, roll):
            return False
        five = self.points[rules.index[rules.five_box]]
        return bool(five) if rules.joker_needs_points else five is not None

    def closed(self, dice: Dice, roll: int) -> dict[int, Reason]:
        """Say which open boxes, by their places, the rules close for these dice, and why."""
        rules = self.ruleset
        closed: dict[int, Reason] = {}
        if rules.joker is Joker.FORCED and self._joker(dice, roll):
            closed = self._closed_by_joker(dice)
        if rules.forced_order:
            first, *others = self.open_places()
            # Where the joker rule closes the box whose turn it is, the order wins.
            closed.pop(first, None)
            closed |= dict.fromkeys(others, Reason.FORCED_ORDER)
        return closed

    def _closed_by_joker(self, dice: Dice) -> dict[int, Reason]:
        matching = self._matching_open(dice)
        if matching is not None:
            return {place: Reason.JOKER_UPPER for place in self.open_places() if place != matching}
        if not self._lower_open():
            return {}
        return {place: Reason.JOKER_LOWER for place in self.open_places() if self.ruleset.boxes[place].upper}

    def _lower_open(self) -> bool:
        return any(not self.ruleset.boxes[place].upper for place in self.open_places())

    def _score(self, place: int, dice: Dice, roll: int, *, joker: bool) -> int:
        box = self.ruleset.boxes[place]
        if box.needs and not self.points[self.ruleset.index[box.needs]]:
            return 0
        if not joker:
            return _ordinary(self.ruleset, tuple(sorted(dice)), roll)[place]
        return self._joker_upper(box, dice, roll) if box.upper else self._joker_lower(box, dice, roll)

    def _joker_upper(self, box: Box, dice: Dice, roll: int) -> int:
        match self.ruleset.joker:
            case Joker.STRICT_1956:
                return 0
            case Joker.LOWER_FREE_WILD if not self._lower_open():
                return box.face * len(dice)
            case _:
                return box.score(dice, roll)

    def _joker_lower(self, box: Box, dice: Dice, roll: int) -> int:
        waits = self.ruleset.joker is Joker.FREE_CHOICE and self._matching_open(dice) is not None
        return box.score(dice, roll) if waits or box.joker is None else box.joker(dice, roll)


def card_from(ruleset: Ruleset, written: Mapping[str, int]) -> Card:
    """Make a card from the points of its filled boxes, without extra bonuses.

    Raises:
        Unreadable: `unknown_box`, or `impossible_card` where no play leads to such a card.

    """
    entries: list[int | None] = [None] * len(ruleset.boxes)
    for key, points in written.items():
        entries[ruleset.place(key)] = points
    card = Card(ruleset, tuple(entries))
    if ruleset.forced_order and None in card.points[: card.filled]:
        raise Unreadable("impossible_card", "With forced_order the boxes are filled from top to bottom.")
    for key, points in written.items():
        possible = _possible_points(card, ruleset.place(key))
        if points not in possible:
            values = ", ".join(str(value) for value in sorted(possible))
            raise Unreadable("impossible_card", f"{key} cannot hold {points} on this card; it can hold {values}.")
    return card


def _possible_points(card: Card, place: int) -> set[int]:
    """Collect what the box can hold, given what the boxes that it depends on hold."""
    rules = card.ruleset
    box = rules.boxes[place]
    possible = {0}
    if box.needs and not card.points[rules.index[box.needs]]:
        return possible
    possible |= _ordinary_points(box.score, rules.dice, rules.rolls)
    five = card.points[rules.index[rules.five_box]] if rules.five_box else None
    had_joker = bool(five) if rules.joker_needs_points else five is not None
    if rules.forced_order and rules.five_box:
        had_joker = had_joker and rules.index[rules.five_box] < place
    if rules.joker is not Joker.NONE and had_joker and box.joker is not None:
        possible |= {box.joker((face,) * rules.dice, 1) for face in FACES}
    return possible


@lru_cache(maxsize=16384)
def _ordinary(ruleset: Ruleset, dice: Dice, roll: int) -> tuple[int, ...]:
    """Score the dice in every box without a joker; the same few hundred sorted rolls come again and again."""
    return tuple(box.score(dice, roll) for box in ruleset.boxes)


@lru_cache(maxsize=4096)
def _ordinary_points(score: Score, dice: int, rolls: int) -> frozenset[int]:
    """Collect what a score can give; kept by the score, since thousands of choices of options share a few dozen."""
    return frozenset(score(hand, roll) for hand in multisets(dice) for roll in range(1, rolls + 1))
