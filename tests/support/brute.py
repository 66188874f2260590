"""What a position is worth, found by trying everything: plain recursion over cards, with no tables and no multisets of keeps.

Slow, and written without a look at app/coach: the solver is measured against it.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations, product
from math import fsum

from app.game.card import Card
from app.game.dice import FACES, Dice
from app.game.rules import Ruleset


@cache
def thrown(count: int) -> tuple[tuple[Dice, int], ...]:
    """Give what `count` dice may show, sorted, and in how many of the 6^count ways."""
    ways: dict[Dice, int] = {}
    for faces in product(FACES, repeat=count):
        shown = tuple(sorted(faces))
        ways[shown] = ways.get(shown, 0) + 1
    return tuple(ways.items())


class Brute:
    """Expected final totals of one ruleset under best play."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self._totals: dict[Card, float] = {}

    def total(self, card: Card) -> float:
        """Give the expected final total from a card between two turns."""
        if card.full:
            return float(card.total)
        if card not in self._totals:
            self._totals[card] = Turn(self, card).mean((), 0)
        return self._totals[card]


class Turn:
    """One turn from one card."""

    def __init__(self, brute: Brute, card: Card) -> None:
        self.brute = brute
        self.card = card
        self.rules = brute.rules
        self._means: dict[tuple[Dice, int], float] = {}
        self._bests: dict[tuple[Dice, Dice, int], float] = {}
        self._stops: dict[tuple[Dice, int], float] = {}

    def mean(self, keep: Dice, roll: int) -> float:
        """Give the expected final total when the dice besides `keep` are thrown after `roll` rolls."""
        if (keep, roll) not in self._means:
            free = self.rules.dice - len(keep)
            outcomes = [ways * self.best(keep, shown, roll + 1) for shown, ways in thrown(free)]
            self._means[keep, roll] = fsum(outcomes) / 6**free
        return self._means[keep, roll]

    def best(self, keep: Dice, shown: Dice, roll: int) -> float:
        """Give the best that can be done with kept dice and those just thrown, on the table after `roll` rolls."""
        fast, loose = (keep, shown) if self.rules.locked_dice else ((), tuple(sorted(keep + shown)))
        if (fast, loose, roll) not in self._bests:
            dice = tuple(sorted(keep + shown))
            worths = [self.stop(dice, roll)]
            if roll < self.rules.rolls:
                worths += [self.mean(tuple(sorted(fast + more)), roll) for more in self.fewer(loose)]
            self._bests[fast, loose, roll] = max(worths)
        return self._bests[fast, loose, roll]

    @staticmethod
    def fewer(loose: Dice) -> set[Dice]:
        """Give every choice of some of the dice, not all."""
        return {more for count in range(len(loose)) for more in combinations(loose, count)}

    def stop(self, dice: Dice, roll: int) -> float:
        """Give the expected final total when the dice are written into the best box."""
        if (dice, roll) not in self._stops:
            previews = self.card.previews(dice, roll)
            legal = [self.rules.place(key) for key, preview in previews.items() if preview.reason is None]
            self._stops[dice, roll] = max(self.brute.total(self.card.write(place, dice, roll)) for place in legal)
        return self._stops[dice, roll]


def random_card(rules: Ruleset, open_boxes: int, chance: random.Random) -> Card:
    """Play random dice into random legal boxes until so many are open. Alike dice are common, so that every rule is met."""
    card = Card.empty(rules)
    while len(rules.boxes) - card.filled > open_boxes:
        faces = [chance.randint(1, 6) for _ in range(chance.choice((1, 1, 2, 3, 6)))]
        dice = tuple(sorted(chance.choice(faces) for _ in range(rules.dice)))
        roll = chance.randint(1, rules.rolls)
        legal = [key for key, preview in card.previews(dice, roll).items() if preview.reason is None]
        card = card.write(rules.place(chance.choice(legal)), dice, roll)
    return card
