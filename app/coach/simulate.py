"""Many games of one player at once, dice by dice: how strong a way to play is, and a check on the solver.

All games stand at the same turn. Games on equal cards share the worths of that turn, so they are sorted by card; what a game
rolls and how its player wavers is drawn for each game before, so neither order nor threads change anything.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import groupby
from math import ceil, sqrt
from queue import SimpleQueue
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.coach.boxes import CLOSED, Cards, placed
from app.coach.choices import Plan
from app.coach.levels import BEST, Manner, boxes_seem, draw, keeps_seem, taste
from app.coach.odds import Floats, Ints, Odds, odds
from app.coach.policy import EQUAL, STOP, Judge, Judged, keeping
from app.coach.rolling import Rolling
from app.coach.solve import WIDTH_STEP, width
from app.coach.tables import Table
from app.coach.turns import Turns
from app.game.dice import Dice

GAMES_AT_ONCE = 100_000
"""More games come in several parts, so that memory stays small. Not to be changed lightly: the dice of a seed follow from it."""

_CARDS_OF_A_CHUNK = 4096
PERCENTS = (1, 5, 25, 50, 75, 95, 99)

Progress: TypeAlias = Callable[[float], None]
"""Is told which part of the work is done, 0..1."""


@dataclass(frozen=True, eq=False)
class Simulation:
    """What came of many games: by game the `totals`, the upper `bonus` and the `extra` bonuses; `boxes`: games × boxes.

    `rolls` counts all rolls of all games.
    """

    totals: Ints
    boxes: NDArray[np.int16]
    bonus: Ints
    extra: Ints
    rolls: int

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.totals)

    @cached_property
    def mean(self) -> float:
        """The mean total, in points."""
        return float(self.totals.mean())

    @cached_property
    def standard_deviation(self) -> float:
        """The standard deviation of a total, in points; 0 of a single game."""
        return float(self.totals.std(ddof=1)) if self.games > 1 else 0.0

    @property
    def standard_error(self) -> float:
        """The standard error of the mean, in points."""
        return self.standard_deviation / sqrt(self.games)

    @property
    def quantiles(self) -> dict[int, int]:
        """Give for some percents the total that so many of the games do not exceed."""
        found = np.percentile(self.totals, PERCENTS, method="inverted_cdf")
        return dict(zip(PERCENTS, found.tolist(), strict=True))

    @property
    def rolls_a_turn(self) -> float:
        """The mean number of rolls in a turn."""
        return self.rolls / self.boxes.size


def simulate(  # noqa: PLR0913 - all but the first two have a default
    table: Table,
    games: int,
    seed: int,
    *,
    manner: Manner = BEST,
    threads: int = 0,
    progress: Progress | None = None,
) -> Simulation:
    """Play games alone; the same seed gives the same games, whatever the number of threads (0: one for each processor)."""
    plan = Plan(table.states)
    threads = threads or len(os.sched_getaffinity(0))
    parts: list[Simulation] = []
    with ThreadPoolExecutor(threads) as pool:
        for number, begin in enumerate(range(0, games, GAMES_AT_ONCE)):
            count = min(GAMES_AT_ONCE, games - begin)
            rounds = _Rounds(table, plan, manner, Games(table, count, np.random.default_rng([seed, number])), threads)
            for turn in range(rounds.turns):
                rounds.play(pool, turn)
                if progress:
                    progress((begin + count * (turn + 1) / rounds.turns) / games)
            parts.append(rounds.games.finish())
    return _joined(parts)


def _joined(parts: list[Simulation]) -> Simulation:
    return Simulation(
        np.concatenate([part.totals for part in parts]),
        np.concatenate([part.boxes for part in parts]),
        np.concatenate([part.bonus for part in parts]),
        np.concatenate([part.extra for part in parts]),
        sum(part.rolls for part in parts),
    )


@dataclass(frozen=True, eq=False)
class Codes:
    """Multisets as numbers: a die of face f counts (dice + 1)^(f - 1), so to add dice is to add their numbers."""

    odds: Odds

    @cached_property
    def of_face(self) -> Ints:
        """Give the number of a die of each face, that of face 1 first."""
        return (self.odds.dice + 1) ** np.arange(6)

    @cached_property
    def of_keep(self) -> Ints:
        """Give the number of each keep, in the order of a stack."""
        return np.array([sum(int(self.of_face[face - 1]) for face in keep) for keep in self.odds.stack], dtype=np.intp)

    @cached_property
    def size(self) -> Ints:
        """Give the number of dice of each keep."""
        return np.array([len(keep) for keep in self.odds.stack], dtype=np.intp)

    @cached_property
    def roll(self) -> Ints:
        """Give for each number the roll that it is."""
        found = np.zeros((self.odds.dice + 1) ** 6, dtype=np.intp)
        found[self.of_keep[self.odds.start[self.odds.dice] :]] = np.arange(len(self.odds.rolls))
        return found


@lru_cache
def codes(dice: int) -> Codes:
    """Give the numbers for so many dice; the same object each time."""
    return Codes(odds(dice))


class Games:
    """The games as they stand between two turns, and the chance of the turn to come."""

    def __init__(self, table: Table, count: int, chance: np.random.Generator) -> None:
        """Begin so many games."""
        self.states = table.states
        self.rules = table.states.sheet.ruleset
        self._chance = chance
        self.rows = np.zeros(count, dtype=np.intp)
        self.columns = np.zeros(count, dtype=np.intp)
        self.points = np.zeros((count, len(self.rules.boxes)), dtype=np.int16)
        self.extra = np.zeros(count, dtype=np.intp)
        self.rolls = np.zeros(count, dtype=np.intp)
        # What the first 0, 1, 2, … faces of each roll add up to as numbers: games × rolls × dice + 1.
        self.thrown = np.zeros((count, self.rules.rolls, self.rules.dice + 1), dtype=np.int32)
        self.wavering = np.zeros((count, self.rules.rolls))

    def throw(self) -> None:
        """Draw the chance of the next turn."""
        faces = self._chance.integers(0, 6, self.thrown[..., 1:].shape, dtype=np.int8)
        np.cumsum(codes(self.rules.dice).of_face[faces], axis=-1, out=self.thrown[..., 1:])
        self._chance.random(out=self.wavering)

    def write(self, those: Ints, judged: Judged, boxes: Ints, cards: Ints) -> None:
        """Fill in those games the box chosen by its index; `cards`: where each of them stands in what was judged."""
        places = np.array(judged.places)[boxes]
        self.points[those, places] = judged.points[boxes, cards]
        self.extra[those] += judged.extra[cards]
        self.rows[those] = judged.rows[boxes, cards]
        self.columns[those] = judged.columns[boxes, cards]

    def finish(self) -> Simulation:
        """Add up."""
        bonus = self.states.columns.bonus[self.columns].astype(np.intp)
        totals = self.points.sum(axis=1, dtype=np.intp) + bonus + self.extra
        return Simulation(totals, self.points, bonus, self.extra, int(self.rolls.sum()))


@dataclass(frozen=True, eq=False)
class _Batch:
    """Cards whose turns are worked out together, and the games that stand on them, sorted by card."""

    cards: list[Cards]
    games: list[Ints]
    """For each of the `cards` the games, and in `on` on which of its columns each stands."""
    on: list[Ints]


class _Rounds:
    """Plays the turns of games, each turn of all of them before the next."""

    def __init__(self, table: Table, plan: Plan, manner: Manner, games: Games, threads: int) -> None:
        self.states, self.games = table.states, games
        self.turns = len(games.rules.boxes)
        self._idle: SimpleQueue[Player] = SimpleQueue()
        for _ in range(threads):
            self._idle.put(Player(table, plan, manner))

    def play(self, pool: ThreadPoolExecutor, turn: int) -> None:
        """Play a turn of all games."""
        self.games.throw()
        for _ in pool.map(self._play_batch, list(self._batches(turn))):
            pass

    def _play_batch(self, batch: _Batch) -> None:
        player = self._idle.get()
        try:
            player.play(self.games, batch)
        finally:
            self._idle.put(player)

    def _batches(self, turn: int) -> Iterator[_Batch]:
        """Sort the games by card and cut the cards into parts that the cache holds."""
        most = width(self.states)
        columns = self.states.shape[1]
        keys, on = np.unique(self.games.rows * columns + self.games.columns, return_inverse=True)
        order = np.argsort(on, kind="stable")
        ends = np.cumsum(np.bincount(on, minlength=len(keys)))
        for begin in range(0, len(keys), most):
            batch = _Batch([], [], [])
            places = range(begin, min(begin + most, len(keys)))
            for row, of_row in groupby(places, key=lambda place: int(keys[place]) // columns):
                several = list(of_row)
                first, last = several[0], several[-1]
                games = order[ends[first - 1] if first else 0 : ends[last]]
                level = turn - self.states.rows.states[row][0].bit_count()
                batch.cards.append(Cards(row, level, keys[first : last + 1] % columns, len(several)))
                batch.games.append(games)
                batch.on.append(on[games] - first)
            yield batch


@dataclass(slots=True)
class _Going:
    """Games of one row in the middle of a turn: which, the column of the turn's worths of each, what it holds fast."""

    games: Ints
    on: Ints
    held: Ints
    dice: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.intp))

    def only(self, those: Ints) -> _Going:
        return _Going(self.games[those], self.on[those], self.held[those], self.dice[those])


class Player:
    """One way to play. Not for two threads at a time."""

    def __init__(self, table: Table, plan: Plan, manner: Manner) -> None:
        """Play by a table in a manner."""
        self.table, self.manner = table, manner
        self.states = table.states
        self.rules = table.states.sheet.ruleset
        self._codes = codes(self.rules.dice)
        self._offers = Offers(odds(self.rules.dice), locked=self.rules.locked_dice)
        self._taste = taste(self.rules)
        self._turns, self._judge = Turns(plan), Judge(plan)

    def play(self, games: Games, batch: _Batch) -> None:
        """Play a turn of the games of a batch."""
        count = sum(some.count for some in batch.cards)
        worths = self._turns.run(self.table, batch.cards, ceil(count / WIDTH_STEP) * WIDTH_STEP)
        for (cards, place), those, on in zip(placed(batch.cards), batch.games, batch.on, strict=True):
            for begin in range(0, len(those), _CARDS_OF_A_CHUNK):
                chunk = slice(begin, begin + _CARDS_OF_A_CHUNK)
                nothing = np.zeros(len(those[chunk]), dtype=np.intp)
                self._turn(games, worths, cards, _Going(those[chunk], on[chunk] + place.start, nothing))

    def _turn(self, games: Games, worths: Rolling, cards: Cards, going: _Going) -> None:
        for roll in range(1, self.rules.rolls + 1):
            if not len(going.games):
                break
            free = self.rules.dice - self._codes.size[going.held]
            thrown = games.thrown[going.games, roll - 1, free]
            going.dice = self._codes.roll[self._codes.of_keep[going.held] + thrown]
            games.rolls[going.games] += 1
            kept = (self._best if self.manner.perfect else self._human)(games, worths, cards, going, roll)
            going = going.only(np.flatnonzero(kept != STOP))
            going.held = kept[kept != STOP]

    def _best(self, games: Games, worths: Rolling, cards: Cards, going: _Going, roll: int) -> Ints:
        """Choose as the perfect player does: write the boxes taken, give the keeps."""
        left, kind = self.rules.rolls - roll, self.states.sheet.kinds[roll - 1]
        kept = np.full(len(going.games), STOP)
        if left:
            offered, _ = self._offers.of(going.held, going.dice)
            kept = _preferred(worths.keeps[left][offered, going.on], offered, worths.stop[kind][going.dice, going.on])
        stopping = going.only(np.flatnonzero(kept == STOP))
        judged = self._judged(games, cards, stopping, kind)
        games.write(stopping.games, judged, judged.choose(), np.arange(len(stopping.games)))
        return kept

    def _human(self, games: Games, worths: Rolling, cards: Cards, going: _Going, roll: int) -> Ints:
        """Choose as people do."""
        left, kind = self.rules.rolls - roll, self.states.sheet.kinds[roll - 1]
        judged = self._judged(games, cards, going, kind)
        seeming = boxes_seem(self.manner, judged, self._taste, rolls_left=left > 0)
        count = 0
        offered = np.zeros((0, len(going.games)), dtype=np.intp)
        if left:
            offered, real = self._offers.of(going.held, going.dice)
            count = len(offered)
            liking = self._taste.of_keeps(self.states.rows.open(cards.row))[offered]
            keeps = keeps_seem(self.manner, worths.keeps[left][offered, going.on], liking)
            seeming = np.concatenate([np.where(real, keeps, CLOSED), seeming])
        chosen = draw(self.manner, seeming, games.wavering[going.games, roll - 1])
        stopping = np.flatnonzero(chosen >= count)
        games.write(going.games[stopping], judged, chosen[stopping] - count, stopping)
        kept = np.full(len(chosen), STOP)
        keeping_on = np.flatnonzero(chosen < count)
        kept[keeping_on] = offered[chosen[keeping_on], keeping_on]
        return kept

    def _judged(self, games: Games, cards: Cards, going: _Going, kind: int) -> Judged:
        some = Cards(cards.row, cards.level, games.columns[going.games], len(going.games))
        return self._judge.judge(self.table, some, going.dice, kind)


def _preferred(worth: Floats, offered: Ints, stop: Floats) -> Ints:
    """Choose as `policy.choose_keep` does, where each game has dice of its own: `worth`, `offered` are keeps × games."""
    enough = np.maximum(worth.max(axis=0), stop) - EQUAL
    first = (worth >= enough).argmax(axis=0)
    return np.where(stop >= enough, STOP, np.take_along_axis(offered, first[None], axis=0)[0])


@dataclass(frozen=True, eq=False)
class Offers:
    """What may be kept of dice, for many games at once, the preferred keeps first."""

    odds: Odds
    locked: bool

    def of(self, held: Ints, rolls: Ints) -> tuple[Ints, NDArray[np.bool_]]:
        """Give the keeps on offer, keeps × games, as rows in a stack, and where one is not just the last repeated."""
        if self.locked:
            pairs, which = np.unique(held * len(self.odds.rolls) + rolls, return_inverse=True)
            dice = [_apart(self.odds, *divmod(pair, len(self.odds.rolls))) for pair in pairs.tolist()]
            table, real = self._table(dice)
        else:
            (table, real), which = self._of_rolls, rolls
        return table[:, which], real[:, which]

    @cached_property
    def _of_rolls(self) -> tuple[Ints, NDArray[np.bool_]]:
        return self._table([((), roll) for roll in self.odds.rolls])

    def _table(self, dice: Sequence[tuple[Dice, Dice]]) -> tuple[Ints, NDArray[np.bool_]]:
        keeps = [keeping(self.odds.dice).of(held, loose) for held, loose in dice]
        most = max(len(some) for some in keeps)
        table = np.array([(*some, *some[-1:] * (most - len(some))) for some in keeps], dtype=np.intp)
        counts = np.array([len(some) for some in keeps])
        return np.ascontiguousarray(table.T), np.arange(most)[:, None] < counts


def _apart(odds: Odds, held: int, roll: int) -> tuple[Dice, Dice]:
    """Give the dice held fast and the loose ones of a roll."""
    loose = list(odds.rolls[roll])
    for face in odds.stack[held]:
        loose.remove(face)
    return odds.stack[held], tuple(loose)
