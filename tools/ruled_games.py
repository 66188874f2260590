"""Games alone by the perfect player who follows a rule of thumb at the boxes: what the rule costs, and what gets written.

Between the rule's demands everything is best play, so the points given away are those of the rule. All rules meet the same dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.coach.boxes import CLOSED, Cards
from app.coach.choices import Plan
from app.coach.games import Offers, codes
from app.coach.odds import Floats, Ints
from app.coach.policy import EQUAL, STOP, Judge, Judged
from app.coach.rolling import Rolling
from app.coach.solve import WIDTH_STEP, width
from app.coach.tables import Table
from app.coach.turns import Turns

Mask: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Seen:
    """What a rule looks at: the turn from 0, for each game the roll's row and the upper sum, and what the boxes are worth."""

    turn: int
    rolls: Ints
    upper: Ints
    judged: Judged

    @cached_property
    def legal(self) -> Mask:
        """Tell which boxes may be chosen: boxes × games."""
        return np.asarray(self.judged.worth > CLOSED / 2)

    @cached_property
    def points(self) -> Ints:
        """Give what each box brings at once, with the bonus that comes with it; -1 where it may not be chosen."""
        return np.where(self.legal, self.judged.points + self.judged.extra, -1)

    def index(self, place: int) -> int | None:
        """Find a box, by its place on the sheet, among those judged; None where it is filled."""
        return self.judged.places.index(place) if place in self.judged.places else None


Rule: TypeAlias = Callable[[Seen], Mask]
"""Says which boxes a rule of thumb allows: boxes × games. Where it allows none of the legal ones, it is silent."""


def said(rule: Rule, seen: Seen) -> tuple[Mask, Mask]:
    """Give the legal boxes that a rule allows, boxes × games, and for which games it leaves some out but not all."""
    allowed = rule(seen) & seen.legal
    return allowed, allowed.any(axis=0) & (allowed != seen.legal).any(axis=0)


@dataclass(frozen=True, eq=False)
class Played:
    """What came of the games: games × turns the box by its place and its points; by game the total and the points given away.

    `kept`: for each watched rule how often it spoke when a box was written, and how often that box was one it allowed.
    """

    boxes: Ints
    points: Ints
    totals: Ints
    given: Floats
    kept: Mapping[str, tuple[int, int]]

    @property
    def cost(self) -> tuple[float, float]:
        """Give the mean of what was given away in a game, and its standard error."""
        return float(self.given.mean()), float(self.given.std(ddof=1) / sqrt(len(self.given)))


@dataclass(frozen=True, eq=False)
class Player:
    """Plays games by a table, the dice of each game, turn and roll being the same under every rule."""

    table: Table
    games: int
    seed: int

    @cached_property
    def plan(self) -> Plan:
        """How the boxes are settled."""
        return Plan(self.table.states)

    @cached_property
    def thrown(self) -> Ints:
        """Give what the first 0, 1, 2, … faces of each roll add up to as numbers: games × turns × rolls × dice + 1."""
        rules = self.table.states.sheet.ruleset
        shape = self.games, len(rules.boxes), rules.rolls, rules.dice
        faces = np.random.default_rng(self.seed).integers(0, 6, shape, dtype=np.int8)
        sums = np.zeros((*shape[:-1], rules.dice + 1), dtype=np.intp)
        np.cumsum(codes(rules.dice).of_face[faces], axis=-1, out=sums[..., 1:])
        return sums

    def play(self, rule: Rule | None = None, watched: Mapping[str, Rule] | None = None) -> Played:
        """Play all games, by the rule where it speaks; of the `watched` rules it is counted how often they are kept."""
        going = _Games(self, rule, watched or {})
        for turn in range(going.turns):
            going.play(turn)
        return going.finish()


class _Games:
    """The games as they stand between two turns."""

    def __init__(self, player: Player, rule: Rule | None, watched: Mapping[str, Rule]) -> None:
        self.player, self.rule, self.watched = player, rule, watched
        self.kept = {name: np.zeros(2, dtype=np.intp) for name in watched}
        self.states = player.table.states
        self.rules = self.states.sheet.ruleset
        self.turns = len(self.rules.boxes)
        count = player.games
        self.rows, self.columns, self.upper, self.extra = (np.zeros(count, dtype=np.intp) for _ in range(4))
        self.boxes, self.points = (np.zeros((count, self.turns), dtype=np.intp) for _ in range(2))
        self.given = np.zeros(count)
        self._codes = codes(self.rules.dice)
        self._offers = Offers(self.states.sheet.odds, locked=False)
        self._turns, self._judge = Turns(player.plan), Judge(player.plan)
        self._is_upper = np.array([box.upper for box in self.rules.boxes])

    def play(self, turn: int) -> None:
        """Play a turn of all games."""
        for several in self._batches(turn):
            count = sum(cards.count for cards, _, _ in several)
            worths = self._turns.run(
                self.player.table, [cards for cards, _, _ in several], -(-count // WIDTH_STEP) * WIDTH_STEP
            )
            for cards, games, on in several:
                self._turn(turn, cards, worths, games, on)

    def finish(self) -> Played:
        """Add up."""
        bonus = self.states.columns.bonus[self.columns].astype(np.intp)
        totals = self.points.sum(axis=1) + bonus + self.extra
        kept = {name: (int(spoke), int(followed)) for name, (spoke, followed) in self.kept.items()}
        return Played(self.boxes, self.points, totals, self.given, kept)

    def _batches(self, turn: int) -> Iterator[list[tuple[Cards, Ints, Ints]]]:
        """Put the games on equal cards together: cards, their games, and on which column of the turn each game stands."""
        most, columns = width(self.states), self.states.shape[1]
        keys, on = np.unique(self.rows * columns + self.columns, return_inverse=True)
        order = np.argsort(on, kind="stable")
        ends = [0, *np.cumsum(np.bincount(on, minlength=len(keys))).tolist()]
        for begin in range(0, len(keys), most):
            several = []
            places = range(begin, min(begin + most, len(keys)))
            for row, of_row in groupby(places, key=lambda place: int(keys[place]) // columns):
                some = list(of_row)
                games = order[ends[some[0]] : ends[some[-1] + 1]]
                level = turn - self.states.rows.states[row][0].bit_count()
                cards = Cards(row, level, keys[some] % columns, len(some))
                several.append((cards, games, on[games] - begin))
            yield several

    def _turn(self, turn: int, cards: Cards, worths: Rolling, games: Ints, on: Ints) -> None:
        held = np.zeros(len(games), dtype=np.intp)
        for left in reversed(range(self.rules.rolls)):
            if not len(games):
                return
            roll = self.rules.rolls - left - 1
            free = self.rules.dice - self._codes.size[held]
            dice = self._codes.roll[self._codes.of_keep[held] + self.player.thrown[games, turn, roll, free]]
            kept = self._choose(turn, left, cards, worths, games, on, dice)
            games, on, held = games[kept != STOP], on[kept != STOP], kept[kept != STOP]

    def _choose(  # noqa: PLR0913, PLR0917 - the games, where they stand, and what is known there
        self, turn: int, left: int, cards: Cards, worths: Rolling, games: Ints, on: Ints, dice: Ints
    ) -> Ints:
        """Write where a box is best among what the rule allows; give the keeps of the others."""
        kind = self.states.sheet.kinds[self.rules.rolls - left - 1]
        some = Cards(cards.row, cards.level, self.columns[games], len(games))
        judged = self._judge.judge(self.player.table, some, dice, kind)
        best = judged.worth.max(axis=0)
        self._restrict(Seen(turn, dice, self.upper[games], judged))
        stop = judged.worth.max(axis=0)
        chosen, kept = stop, np.full(len(games), STOP)
        if left:
            offered, _ = self._offers.of(np.zeros_like(dice), dice)
            keeps = worths.keeps[left][offered, on]
            best = np.maximum(best, keeps.max(axis=0))
            enough = np.maximum(keeps.max(axis=0), stop) - EQUAL
            first = (keeps >= enough).argmax(axis=0)
            kept = np.where(stop >= enough, STOP, np.take_along_axis(offered, first[None], axis=0)[0])
            chosen = np.where(kept == STOP, stop, np.take_along_axis(keeps, first[None], axis=0)[0])
        self.given[games] += best - chosen
        self._write(turn, games, dice, judged, kept == STOP)
        return kept

    def _restrict(self, seen: Seen) -> None:
        """Close the boxes that the rule does not allow, where it leaves any."""
        if self.rule is None:
            return
        allowed, speaks = said(self.rule, seen)
        seen.judged.worth[:, speaks] = np.where(allowed, seen.judged.worth, CLOSED)[:, speaks]

    def _write(self, turn: int, games: Ints, dice: Ints, judged: Judged, stops: Mask) -> None:
        cards = np.flatnonzero(stops)
        those, index = games[cards], judged.choose()[cards]
        places, points = np.array(judged.places)[index], judged.points[index, cards]
        seen = Seen(turn, dice, self.upper[games], judged)
        for name, rule in self.watched.items():
            allowed, speaks = said(rule, seen)
            self.kept[name] += speaks[cards].sum(), (speaks[cards] & allowed[index, cards]).sum()
        self.boxes[those, turn], self.points[those, turn] = places, points
        self.upper[those] += np.where(self._is_upper[places], points, 0)
        self.extra[those] += judged.extra[cards]
        self.rows[those], self.columns[those] = judged.rows[index, cards], judged.columns[index, cards]
