"""The exact solver: the expected points still to come of every state, by induction from the full card back to the empty one.

Source: the method is known since Verhoeff (1999) and Glenn (2006); the layout for NumPy is our own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil
from os import cpu_count
from queue import SimpleQueue

import numpy as np

from app.coach.boxes import CLOSED, Boxes, Cards, Plan
from app.coach.odds import Floats
from app.coach.rolling import Rolling
from app.coach.states import States, states
from app.game.rules import Ruleset

Progress = Callable[[int], None]


class Turns:
    """Values of a turn from many cards. Not for two threads at a time."""

    def __init__(self, plan: Plan) -> None:
        """Take no memory yet; it is taken for each width that comes."""
        self.plan = plan
        self._tables: dict[int, tuple[Boxes, Rolling]] = {}

    def run(self, values: Floats, cards: Sequence[Cards], width: int = 0) -> Rolling:
        """Compute the turn for these cards in their order, in arrays at least `width` wide."""
        width = width or sum(some.count for some in cards)
        if width not in self._tables:
            sheet = self.plan.states.sheet
            rolling = Rolling(sheet.odds, sheet.kinds, width, locked=sheet.ruleset.locked_dice)
            self._tables[width] = Boxes(self.plan, width), rolling
        boxes, rolling = self._tables[width]
        boxes.run(values, cards, rolling.stop)
        rolling.run()
        return rolling


def blank(of: States) -> Floats:
    """Make the table with the full cards alone: rows × columns, and one column for what is closed."""
    rows, columns = of.shape
    values = np.full((rows, columns + 1), np.nan)
    values[:, -1] = CLOSED
    full = slice(of.columns.level[-2], columns)
    values[of.rows.level[-2] :, full] = of.columns.bonus[full]
    return values


def width_for(of: States) -> int:
    """Choose how many cards are computed at a time, so that the arrays stay in the processor's cache."""
    if of.sheet.ruleset.locked_dice:
        return 64
    return 128 * 462 // len(of.sheet.odds.stack)


def batches(of: States, rows: range, level: int, width: int) -> Iterator[list[Cards]]:
    """Cut the cards of some rows and one level into parts of about equal size, at most `width`."""
    start, stop = of.columns.level[level], of.columns.level[level + 1]
    cards = [row for row in rows if of.reachable(row, level) and of.open(row, level)]
    total = len(cards) * (stop - start)
    if not total:
        return
    size = ceil(total / ceil(total / width))
    part: list[Cards] = []
    room = size
    for row in cards:
        begin = start
        while begin < stop:
            count = min(room, stop - begin)
            part.append(Cards(row, level, slice(begin, begin + count), count))
            begin += count
            room -= count
            if not room:
                yield part
                part, room = [], size
    if part:
        yield part


def solve_rows(turns: Turns, values: Floats, rows: range, width: int) -> int:
    """Fill some rows of the table, those with more filled boxes being there; give the number of states."""
    of = turns.plan.states
    done = 0
    for level in reversed(range(len(of.sheet.upper) + 1)):
        for cards in batches(of, rows, level, width):
            count = sum(some.count for some in cards)
            start = turns.run(values, cards, ceil(count / 16) * 16).start[0]
            place = 0
            for some in cards:
                values[some.row, some.columns] = start[place : place + some.count]
                place += some.count
            done += count
    return done


def solve(ruleset: Ruleset) -> Floats:
    of = states(ruleset)
    plan = Plan(of)
    values = blank(of)
    threads = cpu_count() or 1
    pool: SimpleQueue[Turns] = SimpleQueue()
    for _ in range(threads):
        pool.put(Turns(plan))
    width = width_for(of)

    def task(rows: range) -> int:
        turns = pool.get()
        try:
            return solve_rows(turns, values, rows, width)
        finally:
            pool.put(turns)

    with ThreadPoolExecutor(threads) as workers:
        for level in reversed(range(len(of.sheet.lower) + 1)):
            start, stop = of.rows.level[level], of.rows.level[level + 1]
            step = max(1, min(8, ceil((stop - start) / (4 * threads))))
            tasks = [range(begin, min(begin + step, stop)) for begin in range(start, stop, step)]
            list(workers.map(task, tasks))
    return values
