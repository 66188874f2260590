"""What the rules say, asked once from the card and written down as arrays.

Legality and points come from `app.game.card` alone: for each situation that can make a difference a representative card
is asked about every roll. So the solver cannot disagree with play, and no rule is written twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.coach.odds import Odds, odds
from app.game.card import Card
from app.game.dice import Dice
from app.game.rules import Ruleset

Points: TypeAlias = NDArray[np.int16]


ANY = -1
"""The situation of cards with any boxes open, a lower one among them."""

UPPER_ONLY = -2
"""The situation of cards with the lower boxes full."""


class Unsolvable(Exception):
    """The ruleset cannot be solved exactly; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a roll may do on a card: points by place for each box open to it, and the extra bonus on top."""

    points: Mapping[int, int]
    extra: int


@dataclass(frozen=True, slots=True)
class Special:
    """A further five of a kind under a joker rule or a bonus: what it may do while its upper box is open, and after.

    `face_box` is that upper box; `filled` is None where its being filled changes nothing but itself.
    """

    roll: int
    face_box: int
    open: Choice
    filled: Choice | None


@dataclass(frozen=True, eq=False)
class Situation:
    """What every roll pays on cards that are alike for the rules.

    `points`: kinds of roll × boxes × rolls, valid for the boxes open in this situation. `specials`: for each kind of
    roll the rolls for which that is not the whole truth.
    """

    points: Points
    specials: tuple[tuple[Special, ...], ...]

    def same(self, other: Situation) -> bool:
        """Tell whether the other situation plays alike."""
        return self.specials == other.specials and np.array_equal(self.points, other.points)


Holding: TypeAlias = tuple[bool | None, ...]
"""For each watched box: None while open, then whether it holds points."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """A ruleset as the solver reads it.

    Raises:
        Unsolvable: where the ruleset has no exact solution here.

    """

    ruleset: Ruleset

    def __post_init__(self) -> None:
        if self.ruleset.saved_rolls:
            raise Unsolvable("Saved rolls add the pool to every state, so this game is not solved exactly.")
        if any(self.ruleset.boxes[place].upper for place in self.watched):
            raise Unsolvable("A rule asks what an upper box holds, which the solver keeps no account of.")

    @cached_property
    def odds(self) -> Odds:
        """The odds of the game's dice."""
        return odds(self.ruleset.dice)

    @cached_property
    def upper(self) -> tuple[int, ...]:
        """The places of the upper boxes, in sheet order."""
        return tuple(place for place, box in enumerate(self.ruleset.boxes) if box.upper)

    @cached_property
    def lower(self) -> tuple[int, ...]:
        """The places of the other boxes, in sheet order."""
        return tuple(place for place, box in enumerate(self.ruleset.boxes) if not box.upper)

    @cached_property
    def watched(self) -> tuple[int, ...]:
        """The places of the boxes whose content other rules ask for."""
        rules = self.ruleset
        names = {box.needs for box in rules.boxes if box.needs} | ({rules.five_box} if rules.five_box else set())
        return tuple(sorted(rules.index[name] for name in names))

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """Give for each roll of a turn its kind: rolls of one kind pay alike. The last roll's kind is the highest."""
        tables = [self._formulas(roll) for roll in range(1, self.ruleset.rolls + 1)]
        kinds = [0]
        for before, table in pairwise(tables):
            kinds.append(kinds[-1] + (table != before))
        return tuple(kinds)

    def _formulas(self, roll: int) -> list[int]:
        """List what every formula of the sheet gives for every dice on this roll."""
        formulas = [score for box in self.ruleset.boxes for score in (box.score, box.joker) if score is not None]
        return [score(dice, roll) for score in formulas for dice in self.odds.rolls]

    @cached_property
    def _example_rolls(self) -> tuple[int, ...]:
        """One roll number for each kind."""
        return tuple(self.kinds.index(kind) + 1 for kind in range(max(self.kinds) + 1))

    @cached_property
    def flagged(self) -> tuple[int, ...]:
        """The places of the watched boxes for which it matters whether they hold points or 0."""
        return tuple(place for nth, place in enumerate(self.watched) if self._matters(nth))

    def _matters(self, nth: int) -> bool:
        return any(
            not self._situation(first, held).same(self._situation(first, (*held[:nth], True, *held[nth + 1 :])))
            for first, held in self._all
            if held[nth] is False
        )

    def situation(self, open_places: tuple[int, ...], scored: frozenset[int]) -> Situation:
        """Find the situation of a card with these open boxes and these flagged boxes holding points."""
        holding = tuple(None if place in open_places else place in scored for place in self.watched)
        if self.ruleset.forced_order:
            return self._situation(open_places[0], holding)
        lower_open = any(not self.ruleset.boxes[place].upper for place in open_places)
        return self._situation(ANY if lower_open else UPPER_ONLY, holding)

    def choices(self, open_places: tuple[int, ...]) -> tuple[int, ...]:
        """Give the open boxes that an ordinary roll may choose from."""
        return open_places[:1] if self.ruleset.forced_order else open_places

    @cached_property
    def upper_points(self) -> Points:
        """What the upper boxes pay for ordinary rolls: kinds of roll × upper boxes × rolls."""
        nothing: Holding = (None,) * len(self.watched)
        firsts = self.upper if self.ruleset.forced_order else (ANY,) * len(self.upper)
        situations = [self._situation(first, nothing) for first in firsts]
        tables = [situation.points[:, place] for situation, place in zip(situations, self.upper, strict=True)]
        return np.stack(tables, axis=1)

    @cached_property
    def upper_values(self) -> tuple[tuple[int, ...], ...]:
        """Give for each upper box the different points that it can hold."""
        found = [set(np.unique(self.upper_points[:, nth]).tolist()) for nth in range(len(self.upper))]
        for choice in self._special_choices():
            for nth, place in enumerate(self.upper):
                found[nth].update({choice.points[place]} if place in choice.points else ())
        return tuple(tuple(sorted(values)) for values in found)

    @property
    def situations(self) -> Iterator[Situation]:
        """Give every situation that a card can be in, always in the same order."""
        return (self._situation(first, holding) for first, holding in self._all)

    def _special_choices(self) -> Iterator[Choice]:
        """Give what special rolls may do, in every situation."""
        for situation in self.situations:
            for special in (special for specials in situation.specials for special in specials):
                yield from (choice for choice in (special.open, special.filled) if choice)

    @cached_property
    def _all(self) -> tuple[tuple[int, Holding], ...]:
        """List every situation by the first open place and what the watched boxes hold."""
        firsts = range(len(self.ruleset.boxes)) if self.ruleset.forced_order else (ANY, UPPER_ONLY)
        holdings = product((None, False, True), repeat=len(self.watched))
        return tuple((first, holding) for holding in holdings for first in firsts if self._possible(first, holding))

    def _possible(self, first: int, holding: Holding) -> bool:
        """Tell whether the watched boxes can be so in a situation."""
        filled = [held is not None for held in holding]
        if first == ANY:
            return True
        if first == UPPER_ONLY:
            return all(filled)
        return all((place < first) == full for place, full in zip(self.watched, filled, strict=True))

    @cached_property
    def _cache(self) -> dict[tuple[int, Holding], Situation]:
        return {}

    def _situation(self, first: int, holding: Holding) -> Situation:
        """Ask a representative card; `first`: the first open place under forced order, else ANY or UPPER_ONLY."""
        key = (first, holding)
        if key not in self._cache:
            self._cache[key] = self._ask(self._card(first, holding))
        return self._cache[key]

    def _card(self, first: int, holding: Holding) -> Card:
        """Make the card of a situation with as many open boxes as it can have."""
        places = range(len(self.ruleset.boxes))
        filled = set(self.lower) if first == UPPER_ONLY else set(places[: max(first, 0)])
        held = dict(zip(self.watched, holding, strict=True))
        filled |= {place for place, points in held.items() if points is not None}
        # What counts is only whether a watched box holds points, so 1 stands for any.
        return Card(self.ruleset, tuple(int(bool(held.get(place))) if place in filled else None for place in places))

    def _points(self, card: Card, roll: int) -> Points:
        """Ask what every roll pays in every open box: boxes × rolls."""
        table = np.zeros((len(self.ruleset.boxes), len(self.odds.rolls)), dtype=np.int16)
        for column, dice in enumerate(self.odds.rolls):
            for key, preview in card.previews(dice, roll).items():
                table[self.ruleset.index[key], column] = preview.points
        return table

    def _ask(self, card: Card) -> Situation:
        specials = [tuple(self._specials(card, roll)) for roll in self._example_rolls]
        points = np.stack([self._points(card, roll) for roll in self._example_rolls])
        for kind, found in enumerate(specials):
            points[kind][:, [special.roll for special in found]] = 0
        return Situation(points, tuple(specials))

    def _specials(self, card: Card, roll: int) -> Iterator[Special]:
        rules = self.ruleset
        if not rules.five_box or card.points[rules.index[rules.five_box]] is None:
            return
        for row, dice in enumerate(self.odds.rolls):
            if rules.five_alike(dice, roll):
                special = self._special(card, row, dice, roll)
                if not self._plain(card, special, dice, roll):
                    yield special

    def _special(self, card: Card, row: int, dice: Dice, roll: int) -> Special:
        face_box = self.ruleset.upper.get(dice[0], -1)
        now = _choice(card, dice, roll)
        if face_box < 0 or self.ruleset.forced_order or card.points[face_box] is not None:
            return Special(row, face_box, now, None)
        after = _choice(card.put(face_box, 0), dice, roll)
        rest = {place: points for place, points in now.points.items() if place != face_box}
        alike = Choice(rest, now.extra) == after
        return Special(row, face_box, now, None if alike else after)

    def _plain(self, card: Card, special: Special, dice: Dice, roll: int) -> bool:
        """Tell whether the roll does just what it would without any rule for a further five of a kind."""
        rules = self.ruleset
        if special.filled is not None or special.open.extra:
            return False
        five = rules.index[rules.five_box]
        without = Card(rules, tuple(None if place == five else points for place, points in enumerate(card.points)))
        ordinary = _choice(without, dice, roll).points
        return {place: points for place, points in ordinary.items() if place != five} == special.open.points


def _choice(card: Card, dice: Dice, roll: int) -> Choice:
    index = card.ruleset.index
    legal = {index[key]: preview.points for key, preview in card.previews(dice, roll).items() if preview.reason is None}
    return Choice(legal, card.extra_for(dice, roll))


@lru_cache(maxsize=64)
def sheet(ruleset: Ruleset) -> Sheet:
    """Read a ruleset; the same object each time.

    Raises:
        Unsolvable: where the ruleset has no exact solution here.

    """
    return Sheet(ruleset)
