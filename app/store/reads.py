"""Questions to the store, one statement or two each."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from app.store.boards import BoardReading
from app.store.day_statements import (
    DAY,
    DAYS_BETWEEN,
    ENTRY,
    ENTRY_OF_GAME,
    EXCUSED,
    PLAYED,
    PLAYERS_NAMED,
    RULESETS_ON,
)
from app.store.keeping import KeepingReading
from app.store.people import PeopleReading
from app.store.rows import DayRow, EntryRow, Figures, GameRow, PlayedDay, PlayerRow, SeatRow, Status, Totals
from app.store.statements import (
    BATCH,
    COUNTER,
    GAME_WIDTH,
    GAMES_OF,
    MOVES_OF,
    PLAYER,
    RECORD,
    RECORD_BEFORE,
    SECRET,
    TOKEN,
    TOTALS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date, datetime

    from sqlalchemy import Connection

    from app.store.rows import TokenKind
    from app.store.statements import Statements


class Reading(PeopleReading, KeepingReading, BoardReading):
    """A transaction that looks: everything it answers belongs to one moment."""

    __slots__ = ("_connection", "_game", "_statements")

    def __init__(self, connection: Connection, statements: Statements) -> None:
        """Take a connection within a transaction."""
        self._connection = connection
        self._statements = statements
        self._game = statements.game

    def player(self, player_id: str) -> PlayerRow | None:
        """Find a player; a deleted one is still found."""
        found = self._connection.execute(PLAYER, {"player": player_id}).first()
        return None if found is None else PlayerRow(*found)

    def player_of_token(self, hash_: str, kind: TokenKind, at: datetime) -> str | None:
        """Find whose token it is, unless it has expired at that moment or the player is deleted."""
        return self._connection.scalar(TOKEN, {"hash": hash_, "kind": kind, "at": at})

    def game(self, game_id: str) -> GameRow | None:
        """Find a game with its seats."""
        rows = self._game.rows(self._connection, {"game": game_id})
        return _game_row(rows) if rows else None

    def moves(self, game_id: str) -> list[str]:
        """Give the log of a game in order; its length is the game's version."""
        found = [move for (move,) in self._statements.moves.rows(self._connection, {"game": game_id})]
        return found or [entry.move for entry in self._packed(game_id)]

    def load(self, game_id: str) -> tuple[GameRow, list[str]] | None:
        """Find a game and its log."""
        game = self.game(game_id)
        return None if game is None else (game, self.moves(game_id))

    def last_move_at(self, game_id: str) -> datetime | None:
        """Tell when the last entry of the log was made, None for an empty log."""
        return max(self.moments_of(game_id), default=None)

    def games_of(self, player_id: str, status: Status, *, limit: int = 50, offset: int = 0) -> list[GameRow]:
        """Give the games of a player, the latest begun or ended first."""
        wanted = {"player": player_id, "limit": limit, "offset": offset}
        return list(_game_rows(self._connection.execute(GAMES_OF[status], wanted).all()))

    def totals(self, player_id: str) -> list[Totals]:
        """Sum up a player's finished and abandoned games by ruleset, options, kind, and whether they were assisted."""
        # In the order of the characters, which no database has by itself.
        found = sorted(tuple(row) for row in self._connection.execute(TOTALS, {"player": player_id}))
        return [
            Totals(ruleset, options, kind, assisted, Figures(*figures), abandoned)
            for ruleset, options, kind, assisted, abandoned, *figures in found
        ]

    def record_of(
        self, player_id: str, ruleset: str, options: str, *, kind: str = "solo", before: GameRow | None = None
    ) -> Figures:
        """Sum up a player's finished unassisted games of one sort; with `before` those that ended before that game."""
        wanted = {"player": player_id, "ruleset": ruleset, "options": options, "kind": kind}
        if before is None or before.finished_at is None:
            return Figures(*self._connection.execute(RECORD, wanted).one())
        wanted_before = wanted | {"at": before.finished_at, "game": before.id}
        return Figures(*self._connection.execute(RECORD_BEFORE, wanted_before).one())

    def counter(self, name: str, now: datetime) -> tuple[int, datetime] | None:
        """Give what a counter has counted and when it is forgotten, None when it has expired."""
        found = self._connection.execute(COUNTER, {"name": name, "now": now}).first()
        return None if found is None else (found[0], found[1])

    def day(self, day: date, ruleset: str) -> DayRow | None:
        """Find a day as it was published."""
        found = self._connection.execute(DAY, {"on": day, "rules": ruleset}).first()
        return None if found is None else DayRow(*found)

    def days_between(self, ruleset: str, first: date, last: date) -> list[DayRow]:
        """Give the published days of a ruleset from `first` to `last`, both included, in order."""
        rows = self._connection.execute(DAYS_BETWEEN, {"rules": ruleset, "first": first, "last": last})
        return [DayRow(*row) for row in rows]

    def rulesets_on(self, day: date) -> list[str]:
        """Name the rulesets that a day was published for."""
        return list(self._connection.scalars(RULESETS_ON, {"on": day}))

    def excused(self, ruleset: str) -> set[date]:
        """Give the days of a ruleset that break no streak."""
        return set(self._connection.scalars(EXCUSED, {"rules": ruleset}))

    def entry(self, day: date, ruleset: str, player_id: str) -> EntryRow | None:
        """Find a player's counted attempt."""
        found = self._connection.execute(ENTRY, {"on": day, "rules": ruleset, "player": player_id}).first()
        return None if found is None else EntryRow(*found)

    def entry_of_game(self, game_id: str) -> EntryRow | None:
        """Find the counted attempt that a game is."""
        found = self._connection.execute(ENTRY_OF_GAME, {"game": game_id}).first()
        return None if found is None else EntryRow(*found)

    def played(self, player_id: str, ruleset: str) -> list[PlayedDay]:
        """Give a player's counted attempts by a ruleset in the order of their days, the unfinished ones too."""
        rows = self._connection.execute(PLAYED, {"player": player_id, "rules": ruleset})
        return [PlayedDay(*row) for row in rows]

    def players_named(self, name: str) -> list[str]:
        """Give the ids of those who are called so."""
        return list(self._connection.scalars(PLAYERS_NAMED, {"name": name}))

    def stored_secret(self, name: str) -> bytes | None:
        """Find a secret."""
        found = self._connection.scalar(SECRET, {"name": name})
        return None if found is None else bytes(found)

    def all_games(self) -> Iterator[tuple[GameRow, list[str]]]:
        """Go through all games with their logs, by id, a batch at a time."""
        after = ""
        while found := list(_game_rows(self._connection.execute(BATCH, {"after": after}).all())):
            logs = self._logs([game.id for game in found])
            yield from ((game, logs.get(game.id, [])) for game in found)
            after = found[-1].id

    def _logs(self, ids: list[str]) -> dict[str, list[str]]:
        rows = self._connection.execute(MOVES_OF, {"games": ids})
        logs = {game: [move for _, move in log] for game, log in groupby(rows, itemgetter(0))}
        return logs | self._packed_logs([game for game in ids if game not in logs])


def _game_row(rows: Sequence[Sequence[Any]]) -> GameRow:
    """Make a game of its rows, one for each seat."""
    values = (*rows[0][:GAME_WIDTH], tuple(SeatRow(*row[GAME_WIDTH:]) for row in rows))
    return GameRow(*values)


def _game_rows(rows: Iterable[Sequence[Any]]) -> Iterator[GameRow]:
    return (_game_row(list(group)) for _, group in groupby(rows, itemgetter(0)))
