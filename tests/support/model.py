"""A second turn machine, written from the rules sheet in plain Python: what the engine is held against, move by move.

It knows the thirteen-box game with every joker reading, the Finnish game with its own, locked dice, a forced order,
corrections and several seats. Nothing here comes from `app`.
"""

from __future__ import annotations

from typing import Any

from tests.support.sheet import UPPER, Sheet

ROLLS = 3


class Model:
    """A table as the rules sheet describes it: plain dictionaries and lists, nothing clever."""

    def __init__(
        self, options: dict[str, Any], sheet: Sheet, boxes: list[str], seats: int, *, corrections: bool
    ) -> None:
        """Set up empty cards; `boxes` in the order of the sheet, `sheet` says what dice bring in each."""
        self.options, self.sheet, self.boxes = options, sheet, boxes
        self.cards: list[dict[str, int]] = [{} for _ in range(seats)]
        self.extras = [0] * seats
        self.finnish = "one_pair" in boxes
        self.to_play, self.rolls = 0, 0
        self.dice: tuple[int, ...] = ()
        self.locked: set[int] = set()
        self.corrections, self.reopened, self.assisted = corrections, False, False
        self.taken_back: tuple[str, int, tuple[int, ...], int] | None = None

    @property
    def card(self) -> dict[str, int]:
        """The card of the seat to play."""
        return self.cards[self.to_play]

    @property
    def over(self) -> bool:
        """Whether every box is filled."""
        return all(len(card) == len(self.boxes) for card in self.cards)

    # What a further five of a kind means (sections 1 and 2, and 5 for the Finnish game)

    def further(self) -> bool:
        """Whether the dice are five alike with the box for them filled."""
        return len(set(self.dice)) == 1 and "five_of_a_kind" in self.card

    def joker_reading(self) -> str:
        """Name how a joker may be used now, "none" where these dice are none."""
        if not self.further():
            return "none"
        if not self.finnish:
            return str(self.options["joker"])
        if self.options["extra_yatzy"] != "bonus100_joker":
            return "none"
        scored = self.card["five_of_a_kind"] == 50
        return "finnish" if scored or self.options["joker_after_zero"] else "none"

    def extra(self) -> int:
        """What the dice bring beside their box."""
        if not self.further() or self.card["five_of_a_kind"] != 50:
            return 0
        if self.finnish:
            return {"bonus100_joker": 100, "plus50": 50, "none": 0}[self.options["extra_yatzy"]]
        return int(self.options["extra_five"])

    def joker_points(self, box: str) -> int:
        """Full value, with all dice showing one face."""
        face = self.dice[0]
        full = 5 * face if self.finnish or self.options["full_house_score"] == "sum" else 25
        small = 15 if self.finnish else self.options["small_straight_score"]
        large = 20 if self.finnish else self.options["large_straight_score"]
        values = {"full_house": full, "small_straight": small, "large_straight": large, "two_pairs": 4 * face}
        return int(values.get(box, self.sheet[box](self.dice, self.rolls)))

    def points(self, box: str) -> int:
        """What the dice bring in an open box."""
        plain = self.sheet[box](self.dice, self.rolls)
        reading = self.joker_reading()
        own = UPPER[self.dice[0] - 1]
        if reading == "none":
            return plain
        if box in UPPER:
            if reading == "strict_1956":
                return 0
            below_full = all(key in self.card for key in self.boxes if key not in UPPER)
            if reading == "finnish" and self.options["joker_upper"] == "wild" and below_full:
                return 5 * (UPPER.index(box) + 1)
            return plain
        if reading == "free_choice" and own not in self.card:
            return plain
        return self.joker_points(box)

    def reason(self, box: str) -> str | None:
        """Say why a box may not be chosen now, None where it may."""
        if box in self.card:
            return "filled"
        if not self.dice:
            return "roll_first"
        free = [key for key in self.boxes if key not in self.card]
        if self.options["forced_order"]:
            return None if box == free[0] else "forced_order"
        if self.joker_reading() == "forced":
            own = UPPER[self.dice[0] - 1]
            if own in free:
                return None if box == own else "joker_upper"
            if any(key not in UPPER for key in free) and box in UPPER:
                return "joker_lower"
        return None

    # Moves; each gives the reason why it is refused, or None and is made

    def rolls_left(self) -> int:
        """How often the dice may still be rolled."""
        return 0 if self.reopened or self.over else ROLLS - self.rolls

    def roll(self, keep: set[int], faces: tuple[int, ...]) -> str | None:
        """Roll all dice but those kept."""
        if self.over:
            return "game_over"
        if self.rolls_left() == 0:
            return "no_rolls_left"
        if not self.dice and keep:
            return "roll_first"
        if len(keep) == 5:
            return "nothing_to_roll"
        if not self.locked <= keep:
            return "locked_die"
        coming = iter(faces)
        self.dice = tuple(self.dice[at] if at in keep else next(coming) for at in range(5))
        self.rolls += 1
        self.locked = keep if self.options["locked_dice"] else set()
        self.taken_back = None
        return None

    def score(self, box: str) -> str | None:
        """Write a box."""
        if self.over:
            return "game_over"
        reason = self.reason(box)
        if reason is None:
            points, extra = self.points(box), self.extra()
            can_be_undone = self.corrections and not self.reopened
            self.taken_back = (box, extra, self.dice, self.rolls) if can_be_undone else None
            self.card[box] = points
            self.extras[self.to_play] += extra
            self.rolls, self.dice, self.locked, self.reopened = 0, (), set(), False
            self.to_play = (self.to_play + 1) % len(self.cards)
        return reason

    def undo(self) -> str | None:
        """Take the last entry back."""
        if self.over:
            return "game_over"
        if self.taken_back is None:
            return "nothing_to_undo"
        box, extra, self.dice, self.rolls = self.taken_back
        del self.card[box]
        self.extras[self.to_play] -= extra
        self.taken_back, self.reopened, self.assisted = None, True, True
        return None

    # Totals

    def total(self, seat: int) -> int:
        """Boxes, upper bonus and extras."""
        upper = sum(points for box, points in self.cards[seat].items() if box in UPPER)
        bonus = (50 if self.finnish else 35) if upper >= 63 else 0
        return sum(self.cards[seat].values()) + bonus + self.extras[seat]
