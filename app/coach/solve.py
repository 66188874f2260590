"""The exact solver: the expected points still to come of every state, from the full card back to the empty one.

Source: the method is that of Verhoeff, "Optimal solitaire Yahtzee player" (1999), and Glenn, "An optimal strategy for
Yahtzee" (2006); the layout for NumPy is our own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from math import ceil
from queue import SimpleQueue
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.coach.boxes import Cards, placed
from app.coach.choices import Plan
from app.coach.odds import Floats, odds
from app.coach.states import States
from app.coach.turns import ArrayValues, Turns

VERSION = 1
"""Raised whenever the values or the layout of their tables change; a part of every table's name."""

CACHED_CARDS = 1024
"""How many cards of five dice are computed at a time. Measured: more leave the cache, fewer cost calls, and with them waits of
one thread for the other."""

CACHED_CARDS_LOCKED = 64
"""The same with locked dice, which need some twenty times the memory for each card."""

WIDTH_STEP = 32
ROWS_AT_ONCE = 16

Progress: TypeAlias = Callable[[int], None]
"""Is told the number of states solved so far."""


class Workings(Protocol):
    """Where a solve keeps its values while it works."""

    values: Floats
    """Rows × columns of the states, and one column more for what is closed."""
    done: NDArray[np.bool_]
    """The rows that are complete."""

    def keep(self, rows: Sequence[int]) -> None:
        """Note that some rows are done."""
        ...


def processors() -> int:
    """Count the processors that this process may use."""
    # Not every system can tell which of them are ours.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def solve(states: States, workings: Workings, *, threads: int = 0, progress: Progress | None = None) -> None:
    """Fill the workings, on as many threads as there are processors unless `threads` says otherwise.

    The number of threads changes the last digits at most.
    """
    threads = threads or processors()
    done = states.count_rows(np.flatnonzero(workings.done).tolist())
    idle: SimpleQueue[Turns] = SimpleQueue()
    plan = Plan(states)
    for _ in range(threads):
        idle.put(Turns(plan))

    def work(rows: Sequence[int]) -> None:
        turns = idle.get()
        try:
            solve_rows(turns, workings.values, rows)
        finally:
            idle.put(turns)

    with ThreadPoolExecutor(threads) as pool:
        try:
            for level in reversed(range(len(states.sheet.lower) + 1)):
                left = [row for row in rows_of(states, level) if not workings.done[row]]
                tasks = {pool.submit(work, rows): rows for rows in portions(left, threads)}
                for task in as_completed(tasks):
                    task.result()
                    workings.keep(tasks[task])
                    done += states.count_rows(tasks[task])
                    if progress:
                        progress(done)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def rows_of(states: States, level: int) -> range:
    """Give the rows with that many boxes filled."""
    return range(states.rows.level[level], states.rows.level[level + 1])


def portions(rows: Sequence[int], threads: int) -> list[Sequence[int]]:
    """Cut rows into portions, so that all threads have work to the end."""
    step = max(1, min(ROWS_AT_ONCE, len(rows) // (2 * threads)))
    return [rows[begin : begin + step] for begin in range(0, len(rows), step)]


def solve_rows(turns: Turns, array: Floats, rows: Sequence[int]) -> None:
    """Fill some rows of the table, those with more filled boxes being there."""
    states = turns.plan.states
    values = ArrayValues(array)
    for level in reversed(range(len(states.sheet.upper) + 1)):
        for cards in batches(states, rows, level):
            count = sum(some.count for some in cards)
            start = turns.run(values, cards, ceil(count / WIDTH_STEP) * WIDTH_STEP).start[0]
            for some, place in placed(cards):
                array[some.row, some.columns] = start[place]


def batches(states: States, rows: Sequence[int], level: int) -> Iterator[list[Cards]]:
    """Cut the cards of some rows and one upper level into parts of about one size, which the cache holds."""
    columns = range(states.columns.level[level], states.columns.level[level + 1])
    unsolved = [row for row in rows if states.reachable(row, level) and states.open(row, level)]
    total = len(unsolved) * len(columns)
    size = ceil(total / ceil(total / width(states))) if total else 1
    part: list[Cards] = []
    room = size
    for row in unsolved:
        begin = columns.start
        while begin < columns.stop:
            count = min(room, columns.stop - begin)
            part.append(Cards(row, level, slice(begin, begin + count), count))
            begin += count
            room -= count
            if not room:
                yield part
                part, room = [], size
    if part:
        yield part


def width(states: States) -> int:
    """Give how many cards are computed at a time: fewer the more dice there are."""
    cards = CACHED_CARDS_LOCKED if states.sheet.ruleset.locked_dice else CACHED_CARDS
    return min(cards, max(WIDTH_STEP, cards * len(odds(5).stack) // len(states.sheet.odds.stack)))
