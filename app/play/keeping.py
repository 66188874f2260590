"""Keeping what is stored small and right: packing and clearing away, and a report on whether everything fits together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from app.play.looks import Difference, differences

if TYPE_CHECKING:
    from app.clock import Clock
    from app.store import Store

PACKED_AFTER: Final = timedelta(days=1)
"""How long after its end a game's log is packed."""
IDLE: Final = timedelta(days=30)
"""How long without a move an open game is kept open, and a player who has finished nothing is kept."""
EXPIRED: Final = timedelta(days=7)
"""How long an expired link can still say that it has expired."""
_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class Tidied:
    """How many of each were packed, given up, or taken away. `forgotten` are the games of players who were taken away."""

    packed: int = 0
    abandoned: int = 0
    players: int = 0
    forgotten: int = 0
    tokens: int = 0
    counters: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What a look at every game found: how many games and entries of logs, and what is not as the logs say."""

    games: int
    entries: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Keeping:
    """The use cases, on a store and a clock.

    What touches whole games and players goes by handfuls, a short transaction each, so that nobody who plays has to wait.
    """

    store: Store
    clock: Clock

    def tidy(self, go_on: Callable[[], bool] = lambda: True) -> Tidied:
        """Do what can be done at any time, and changes nothing for anybody: forget what has expired, and pack.

        `go_on` is asked after each handful of packed logs whether there shall be more; it may take its time.
        """
        tokens, counters = self.forget_expired()
        packed = 0
        while count := self.pack_some():
            packed += count
            if not go_on():
                break
        return Tidied(packed=packed, tokens=tokens, counters=counters)

    def forget_expired(self) -> tuple[int, int]:
        """Take away tokens and counters that have expired; give how many of each."""
        now = self.clock()
        with self.store.writing() as tx:
            return tx.forget_tokens(now - EXPIRED), tx.forget_counters(now)

    def pack_some(self) -> int:
        """Pack the logs of some games that ended a while ago; give how many, 0 when none are left."""
        with self.store.writing() as tx:
            return tx.pack_ended(self.clock() - PACKED_AFTER, _AT_ONCE)

    def prune(self) -> Tidied:
        """Take away what nobody will come back for: idle games are given up, idle newcomers forgotten; then tidy."""
        now = self.clock()
        with self.store.writing() as tx:
            abandoned = tx.abandon_idle(now - IDLE, now)
        players = forgotten = 0
        after = ""
        while True:
            # To find them may take a look at all players, during which others shall write.
            with self.store.reading() as look:
                ids = look.idle_players(now - IDLE, after, _AT_ONCE)
            if not ids:
                break
            with self.store.writing() as tx:
                idle = tx.still_idle(ids, now - IDLE)
                forgotten += tx.forget_players(idle)
            players += len(idle)
            after = ids[-1]
        tidied = self.tidy()
        return Tidied(tidied.packed, abandoned, players, forgotten, tidied.tokens, tidied.counters)

    def check(self) -> Report:
        """Replay every game, and hold what is stored of its end and its scores against that."""
        games = entries = 0
        found: list[Difference] = []
        with self.store.reading() as tx:
            for row, moves in tx.all_games():
                games, entries = games + 1, entries + len(moves)
                found += differences(row, moves, None if row.day is None else tx.entry_of_game(row.id))
        return Report(games, entries, tuple(found))
