"""Questions to the store, one statement or two each."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from app.store.rows import Figures, GameRow, PlayerRow, SeatRow, Status, Totals
from app.store.statements import (
    BATCH,
    GAME_WIDTH,
    GAMES_OF,
    LAST_MOVE,
    MOVES_OF,
    PLAYER,
    RECORD,
    RECORD_BEFORE,
    TOKEN,
    TOTALS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from app.store.rows import TokenKind
    from app.store.statements import Statements


class Reading:
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
        return [move for (move,) in self._statements.moves.rows(self._connection, {"game": game_id})]

    def load(self, game_id: str) -> tuple[GameRow, list[str]] | None:
        """Find a game and its log."""
        game = self.game(game_id)
        return None if game is None else (game, self.moves(game_id))

    def last_move_at(self, game_id: str) -> datetime | None:
        """Tell when the last entry of the log was made, None for an empty log."""
        last: datetime | None = self._connection.scalar(LAST_MOVE, {"game": game_id})
        return last

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

    def all_games(self) -> Iterator[tuple[GameRow, list[str]]]:
        """Go through all games with their logs, by id, a batch at a time."""
        after = ""
        while found := list(_game_rows(self._connection.execute(BATCH, {"after": after}).all())):
            logs = self._logs([game.id for game in found])
            yield from ((game, logs.get(game.id, [])) for game in found)
            after = found[-1].id

    def _logs(self, ids: list[str]) -> dict[str, list[str]]:
        rows = self._connection.execute(MOVES_OF, {"games": ids})
        return {game: [move for _, move in log] for game, log in groupby(rows, itemgetter(0))}


def _game_row(rows: Sequence[Sequence[Any]]) -> GameRow:
    """Make a game of its rows, one for each seat."""
    values = (*rows[0][:GAME_WIDTH], tuple(SeatRow(*row[GAME_WIDTH:]) for row in rows))
    return GameRow(*values)


def _game_rows(rows: Iterable[Sequence[Any]]) -> Iterator[GameRow]:
    return (_game_row(list(group)) for _, group in groupby(rows, itemgetter(0)))
