"""How a turn of the perfect player goes: with what chance it ends on which final roll."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.coach.odds import Floats, Ints, Odds
from app.coach.policy import STOP, choose_keep, keeping
from app.coach.rolling import Rolling
from app.game.dice import Dice


@dataclass(frozen=True, slots=True)
class Alike:
    """Dice on the table that offer the same number of keeps: their places among all, their rolls, and what they offer."""

    places: Ints
    rolls: Ints
    offered: Ints


@dataclass(frozen=True, eq=False)
class Crossroads:
    """All that can lie on the table when a keep is chosen: dice held fast and loose ones, joined to rolls."""

    odds: Odds
    dice: tuple[tuple[Dice, Dice], ...]

    @cached_property
    def rolls(self) -> Ints:
        """Give the row of the roll that the dice make together."""
        return np.array([self.odds.row[tuple(sorted(held + loose))] for held, loose in self.dice], dtype=np.intp)

    @cached_property
    def held(self) -> Ints:
        """Give the row in a stack of what is held fast."""
        return np.array([self.odds.stack_row[held] for held, _ in self.dice], dtype=np.intp)

    @cached_property
    def chances(self) -> Floats:
        """Give the chance that the loose dice come, dice × 1."""
        chances = [self.odds.chances[len(loose)][self.odds.row[loose]] for _, loose in self.dice]
        return np.array(chances).reshape(-1, 1)

    @cached_property
    def alike(self) -> tuple[Alike, ...]:
        """Put together those that offer the same number of keeps."""
        offered = [keeping(self.odds.dice).of(held, loose) for held, loose in self.dice]
        groups: dict[int, list[int]] = defaultdict(list)
        for place, keeps in enumerate(offered):
            groups[len(keeps)].append(place)
        return tuple(
            Alike(np.array(places), self.rolls[places], np.array([offered[place] for place in places]))
            for count, places in groups.items()
            if count
        )

    def choose(self, keeps: Floats, stop: Floats) -> Ints:
        """Choose for each dice and card: the row of the keep, or `STOP`. `keeps`: a stack × cards; `stop`: rolls × cards."""
        chosen = np.full((len(self.dice), stop.shape[1]), STOP, dtype=np.intp)
        for some in self.alike:
            chosen[some.places] = choose_keep(keeps[some.offered], some.offered, stop[some.rolls])
        return chosen


class Walk:
    """Follows the perfect player through a turn. May be used by several threads."""

    def __init__(self, odds: Odds, *, locked: bool) -> None:
        """Prepare; `locked`: what was kept once stays kept."""
        self.odds = odds
        self.locked = locked
        self.open = Crossroads(odds, tuple(((), roll) for roll in odds.rolls))
        sizes = range(odds.dice if locked else 0)
        thrown = (
            (held, loose) for size in sizes for held in odds.keeps[size] for loose in odds.keeps[odds.dice - size]
        )
        self.fast = Crossroads(odds, tuple(thrown))

    def ends(self, rolling: Rolling) -> list[Floats]:
        """Give for each kind of roll the chance that the turn ends on each roll of it: rolls × cards."""
        width = rolling.width
        ends = [np.zeros((len(self.odds.rolls), width)) for _ in rolling.stop]
        at, chances = self.open, np.repeat(self.odds.chances[-1][:, None], width, axis=1)
        last = len(rolling.kinds) - 1
        for number, kind in enumerate(rolling.kinds):
            if number == last:
                self._end(at, chances, ends[kind])
                break
            chosen = at.choose(rolling.keeps[last - number], rolling.stop[kind])
            self._end(at, np.where(chosen == STOP, chances, 0.0), ends[kind])
            kept = self._kept(chosen, chances)
            if self.locked:
                at = self.fast
                chances = kept[at.held] * at.chances
            else:
                chances = self.odds.throw(kept)
        return ends

    def _end(self, at: Crossroads, chances: Floats, ends: Floats) -> None:
        """Add chances of dice on the table to those of rolls."""
        if at is self.open:
            ends += chances
        else:
            np.add.at(ends, at.rolls, chances)

    def _kept(self, chosen: Ints, chances: Floats) -> Floats:
        """Give the chance that each keep is chosen: a stack × cards."""
        width = chosen.shape[1]
        flat = chosen * width + np.arange(width)
        weights = np.where(chosen == STOP, 0.0, chances)
        size = self.odds.start[self.odds.dice] * width
        # STOP falls below 0, where the weight is 0 as well.
        sums: Floats = np.bincount(np.maximum(flat, 0).ravel(), weights.ravel(), minlength=size).astype(np.float64)
        return sums.reshape(-1, width)
