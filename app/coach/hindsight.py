"""The best with hindsight: the highest total that a game's dice allowed somebody who knew them all, and moves that reach it.

The hands that a turn can end on follow from its keeps alone, a few hundred at most. Which turn fills which box is then searched
over all states that a card can be in, from the full card back to the empty one, so the answer is exact. With the addressing
`continuous` the dice of a turn depend on the rolls made before it as well; their number is called the clock here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.coach.odds import Ints
from app.coach.players import positions
from app.coach.sheet import Choice, Situation, Special
from app.coach.states import states
from app.game.card import Card
from app.game.dice import Addressing, Dice, Stream
from app.game.rules import Ruleset
from app.game.state import Move, Roll, Score, apply, start

CLOSED = -10_000
"""Stands for a choice that there is not: far below any points, and no game adds enough to it to look like one."""

Points: TypeAlias = NDArray[np.int16]

Hand: TypeAlias = tuple[int, Dice]
"""What a turn can end on: the number of the roll, from 1, and the dice, faces ascending."""

Cast: TypeAlias = tuple[int, int]
"""A hand as the tables know it: the kind of its roll, and the row of its dice."""

Blocks: TypeAlias = Mapping[int, Points]
"""Points to come after so many turns, by the number of filled upper boxes: rows × columns of those, and one closed column."""


@dataclass(frozen=True, slots=True)
class Best:
    """The highest total, in points, and moves that reach it."""

    total: int
    moves: tuple[Move, ...]


def hindsight(rules: Ruleset, stream: Stream) -> Best:
    """Find the best of a game alone on these dice.

    Raises:
        Unsolvable: the states of the ruleset cannot be listed here.

    """
    search = _Search(rules, stream)
    state = start(rules)
    moves: list[Move] = []
    while not state.over:
        keeps, box = search.turn(state.card, state.seat.rolled)
        for keep in ((), *keeps):
            # Where a die lies is known only once it was rolled.
            places = () if state.dice is None else positions(state.dice, keep, state.locked)
            moves.append(Roll(places))
            state = apply(state, moves[-1], stream)
        moves.append(Score(box))
        state = apply(state, moves[-1], stream)
    return Best(state.card.total, tuple(moves))


def reach(rules: Ruleset, throws: Sequence[Dice]) -> dict[Hand, tuple[Dice, ...]]:
    """Give every hand that a turn can end on, fewest rolls first, each with the faces kept before its later rolls.

    `throws`: the faces of each roll of the turn; the dice being rolled take the first of them.
    """
    found: dict[Hand, tuple[Dice, ...]] = {}
    now: dict[tuple[Dice, Dice], tuple[Dice, ...]] = {((), tuple(sorted(throws[0]))): ()}
    for number in range(1, rules.rolls + 1):
        for (held, loose), keeps in now.items():
            found.setdefault((number, tuple(sorted(held + loose))), keeps)
        if number < rules.rolls:
            now = _roll_on(now, throws[number], locked=rules.locked_dice)
    return found


def _roll_on(
    now: Mapping[tuple[Dice, Dice], tuple[Dice, ...]], faces: Dice, *, locked: bool
) -> dict[tuple[Dice, Dice], tuple[Dice, ...]]:
    """Roll once more with every keep: dice held fast and loose ones, each with the keeps that led there."""
    after: dict[tuple[Dice, Dice], tuple[Dice, ...]] = {}
    for (held, loose), keeps in now.items():
        for more in sorted({more for size in range(len(loose)) for more in combinations(loose, size)}):
            keep = tuple(sorted(held + more))
            new = faces[: len(faces) - len(keep)]
            dice = (keep, tuple(sorted(new))) if locked else ((), tuple(sorted(keep + new)))
            after.setdefault(dice, (*keeps, keep))
    return after


@dataclass(frozen=True, slots=True)
class _Group:
    """Rows of a block for which the rolls do the same; `upper`: the upper boxes that an ordinary roll may choose."""

    situation: Situation
    rows: Ints
    upper: tuple[int, ...]


class _Search:
    """Points still to come from every state after so many turns, the whole upper bonus included."""

    def __init__(self, rules: Ruleset, stream: Stream) -> None:
        self.rules = rules
        self.stream = stream
        self.states = states(rules)
        self.sheet = self.states.sheet
        self.rows, self.columns = self.states.rows, self.states.columns
        self._found: dict[tuple[int, int], Blocks] = {}
        self._grouped: dict[tuple[int, int], tuple[_Group, ...]] = {}

    def turn(self, card: Card, rolled: int) -> tuple[tuple[Dice, ...], str]:
        """Choose the best turn, one of the fewest rolls: the faces to keep before its later rolls, and the box."""
        best = None
        for (number, dice), keeps in self._hands(card.filled, rolled).items():
            for key, preview in card.previews(dice, number).items():
                if preview.reason is None:
                    after = card.write(self.rules.place(key), dice, number)
                    worth = after.total - after.upper_bonus + self._at(after, rolled + number)
                    if best is None or worth > best[0]:
                        best = worth, keeps, key
        if best is None:
            raise AssertionError
        return best[1:]

    def _hands(self, filled: int, rolled: int) -> dict[Hand, tuple[Dice, ...]]:
        count, numbers = self.rules.dice, range(self.rules.rolls)
        return reach(
            self.rules, [self.stream.faces(count, 0, filled + 1, number + 1, rolled + number) for number in numbers]
        )

    def _at(self, card: Card, rolled: int) -> int:
        row, column = self.states.find(card)
        level = self.states.level(column)
        block = self._blocks(card.filled, self._clock(rolled))[level]
        return int(block[row - self.rows.level[card.filled - level], column - self.columns.level[level]])

    def _clock(self, rolled: int) -> int:
        return rolled if self.stream.addressing is Addressing.CONTINUOUS else 0

    def _blocks(self, filled: int, clock: int) -> Blocks:
        """Give the points to come after so many turns and rolls; worked out once."""
        if (filled, clock) not in self._found:
            levels = range(max(0, filled - len(self.sheet.lower)), min(filled, len(self.sheet.upper)) + 1)
            self._found[filled, clock] = (
                self._ends() if filled == len(self.rules.boxes) else self._turn_blocks(filled, clock, levels)
            )
        return self._found[filled, clock]

    def _ends(self) -> Blocks:
        level, count = len(self.sheet.upper), self.rows.level[-1] - self.rows.level[-2]
        bonus = self.columns.bonus[self.columns.level[level] :].astype(np.int16)
        return {level: np.tile(np.append(bonus, CLOSED).astype(np.int16), (count, 1))}

    def _turn_blocks(self, filled: int, clock: int, levels: range) -> Blocks:
        """Take the best hand and box on every card of this turn."""
        blocks = {
            level: np.full(
                (self._count(self.rows.level, filled - level), self._count(self.columns.level, level) + 1),
                CLOSED,
                dtype=np.int16,
            )
            for level in levels
        }
        casts: dict[int, set[Cast]] = defaultdict(set)
        for number, dice in self._hands(filled, clock):
            casts[self._clock(clock + number)].add((self.sheet.kinds[number - 1], self.sheet.odds.row[dice]))
        for later, some in casts.items():
            after = self._blocks(filled + 1, later)
            for level, block in blocks.items():
                for group in self._groups(filled - level, level):
                    _Turn(self, filled - level, level, group, after).improve(block, some)
        return blocks

    @staticmethod
    def _count(starts: Sequence[int], level: int) -> int:
        return starts[level + 1] - starts[level]

    def _groups(self, lower: int, level: int) -> tuple[_Group, ...]:
        """Sort the rows with so many lower boxes filled by what the rolls do there; those that no play reaches are left out."""
        if (lower, level) not in self._grouped:
            alike: dict[tuple[int, tuple[int, ...]], list[int]] = defaultdict(list)
            situations: dict[int, Situation] = {}
            first = self.rows.level[lower]
            for row in range(first, self.rows.level[lower + 1]):
                if self.states.reachable(row, level):
                    situation = self.states.situation(row, level)
                    situations[id(situation)] = situation
                    places = self.sheet.choices(self.states.open(row, level))
                    upper = tuple(nth for nth, place in enumerate(self.sheet.upper) if place in places)
                    alike[id(situation), upper].append(row - first)
            self._grouped[lower, level] = tuple(
                _Group(situations[key], np.array(rows), upper) for (key, upper), rows in alike.items()
            )
        return self._grouped[lower, level]

    @cached_property
    def across(self) -> tuple[Ints, ...]:
        """Give for each number of filled upper boxes where each way to fill one leads: ways × columns, counted in their blocks."""
        level, found = self.columns.level, []
        for filled in range(len(self.sheet.upper)):
            after = self.columns.after[:, level[filled] : level[filled + 1]]
            closed = level[filled + 2] - level[filled + 1]
            found.append(np.where(after == len(self.columns.states), closed, after - level[filled + 1]))
        return tuple(found)

    @cached_property
    def down(self) -> Ints:
        """Give where a zero and where points lead: lower boxes × 2 × rows, counted in their blocks; -1 where it is filled."""
        found = np.full((len(self.sheet.lower), 2, self.rows.level[-1]), -1)
        for row, (mask, _) in enumerate(self.rows.states):
            first = self.rows.level[mask.bit_count() + 1]
            # In a forced order one box at most may be chosen.
            for place in self.rows.open(row)[: 1 if self.rules.forced_order else None]:
                nth = self.sheet.lower.index(place)
                found[nth, :, row] = [self.rows.after(row, place, scored=scored) - first for scored in (False, True)]
        return found


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn from the cards of a group: their block has `lower` and `level` boxes filled, `after` is what follows."""

    search: _Search
    lower: int
    level: int
    group: _Group
    after: Blocks

    def improve(self, block: Points, casts: set[Cast]) -> None:
        """Raise the points of the block by the best that these hands bring."""
        rows = self.group.rows
        best = block[rows, :-1]
        special = {(kind, one.roll): one for kind, some in enumerate(self.group.situation.specials) for one in some}
        self._plain(best, sorted(casts - special.keys()))
        for cast in sorted(casts & special.keys()):
            np.maximum(best, self._special(special[cast], best.shape), out=best)
        block[rows, :-1] = best

    def _plain(self, best: Points, casts: Sequence[Cast]) -> None:
        """Put ordinary hands into every box."""
        if not casts:
            return
        kinds, rolls = np.array(casts).T
        points = self.group.situation.points[kinds, :, rolls]
        for nth in self.group.upper:
            for value in np.unique(points[:, self.search.sheet.upper[nth]]).tolist():
                np.maximum(best, self._fill(nth, value), out=best)
        for place in self.search.sheet.lower:
            # What follows depends on whether the box holds points, not on how many.
            for value in {int(points[:, place].max()), 0} & set(points[:, place].tolist()):
                self._write(best, place, value)

    def _special(self, special: Special, shape: tuple[int, ...]) -> Points:
        """Do what a further five of a kind may do."""
        now = self._options(special.open, shape)
        if special.filled is None:
            return now
        search = self.search
        columns = slice(*search.columns.level[self.level : self.level + 2])
        is_open = search.columns.is_open[search.sheet.upper.index(special.face_box), columns]
        found: Points = np.where(is_open, now, self._options(special.filled, shape))
        return found

    def _options(self, choice: Choice, shape: tuple[int, ...]) -> Points:
        best = np.full(shape, CLOSED, dtype=np.int16)
        upper = self.search.sheet.upper
        for place, points in choice.points.items():
            if place not in upper:
                self._write(best, place, points)
            elif self.level < len(upper):
                np.maximum(best, self._fill(upper.index(place), points), out=best)
        return best + np.int16(choice.extra)

    def _fill(self, nth: int, points: int) -> Points:
        """Give the worth of an upper box with so many points."""
        way = self.search.columns.fill[nth, points]
        after = self.after[self.level + 1][self.group.rows]
        worth: Points = after[:, self.search.across[self.level][way]] + np.int16(points)
        return worth

    def _write(self, best: Points, place: int, points: int) -> None:
        """Raise the best by that of a lower box with so many points, on the cards on which it is open."""
        search = self.search
        rows = self.group.rows + search.rows.level[self.lower]
        leads = search.down[search.sheet.lower.index(place), int(points > 0), rows]
        those = np.flatnonzero(leads >= 0)
        if len(those):
            worth = self.after[self.level][leads[those], :-1] + np.int16(points)
            best[those] = np.maximum(best[those], worth)
