"""One turn from many cards: what every final roll, every keep and the turn are worth, given what comes after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.coach.boxes import Boxes, Cards, Columns, Values
from app.coach.choices import Plan
from app.coach.odds import Floats, Ints
from app.coach.rolling import Rolling


@dataclass(frozen=True, slots=True)
class ArrayValues:
    """Values of states that lie in one array."""

    array: Floats

    def take(self, row: int, columns: Ints, out: Floats) -> None:
        """Write the values of a row at an array of columns."""
        self.array[row].take(columns, out=out, mode="clip")

    def row(self, row: int, columns: Columns) -> Floats:
        """Give the values of a row at some columns."""
        values: Floats = self.array[row, columns]
        return values

    def at(self, rows: Ints, columns: Ints) -> Floats:
        """Give the values of states, each by its row and column."""
        values: Floats = self.array[rows, columns]
        return values


class Turns:
    """Computes turns. Not for two threads at a time."""

    def __init__(self, plan: Plan) -> None:
        """Take no memory yet; it is taken once for each width that comes."""
        self.plan = plan
        self._memory: dict[int, tuple[Boxes, Rolling]] = {}

    def run(self, values: Values, cards: Sequence[Cards], width: int) -> Rolling:
        """Compute the turns of these cards, `width` or fewer in all. What is given is overwritten by the next run."""
        if width not in self._memory:
            sheet = self.plan.states.sheet
            rolling = Rolling(sheet.odds, sheet.kinds, width, locked=sheet.ruleset.locked_dice)
            self._memory[width] = Boxes(self.plan, width), rolling
        boxes, rolling = self._memory[width]
        boxes.run(values, cards, rolling.stop)
        rolling.run()
        return rolling
