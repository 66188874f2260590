"""What is asked and changed about people; a part of every transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.store import people_statements as say
from app.store.rows import EntryRow, PlayerRow, TokenKind, TokenRow

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import Connection

    from app.store.statements import Statements


class PeopleReading:
    """Questions about people."""

    __slots__ = ()

    _connection: Connection
    _statements: Statements

    def player_of_cookie(self, player_id: str, generation: int) -> PlayerRow | None:
        """Find whom a cookie stands for: none when the player is deleted, or the device was signed out."""
        rows = self._statements.player_of_cookie.rows(self._connection, {"player": player_id, "generation": generation})
        return PlayerRow(*rows[0]) if rows else None

    def successor(self, player_id: str) -> str | None:
        """Give the player whose history that of this id has become part of, None when there was no such thing."""
        return self._connection.scalar(say.ALIAS, {"player": player_id})

    def aliases_of(self, player_id: str) -> list[str]:
        """Give the ids whose history has become part of this player's."""
        return list(self._connection.scalars(say.ALIASES_OF, {"player": player_id}))

    def named_like(self, skeleton: str) -> str | None:
        """Give the player whose name has this skeleton."""
        return self._connection.scalar(say.NAMED_LIKE, {"skeleton": skeleton})

    def token(self, hash_: str, kind: TokenKind) -> TokenRow | None:
        """Find a token, used and expired ones too."""
        found = self._connection.execute(say.TOKEN_ROW, {"token": hash_, "sort": kind}).first()
        return None if found is None else TokenRow(*found)

    def tokens_of(self, player_id: str) -> list[TokenRow]:
        """Give all tokens of a player, the oldest first."""
        rows = [TokenRow(*row) for row in self._connection.execute(say.TOKENS_OF, {"player": player_id})]
        return sorted(rows, key=lambda row: (row.created_at, row.hash))

    def games_counted(self, player_id: str) -> tuple[int, int]:
        """Count the games that a player has a seat in, and those of them that are finished."""
        begun, finished = self._connection.execute(say.GAMES_COUNTED, {"player": player_id}).one()
        return int(begun), int(finished)

    def entries_of(self, player_id: str) -> list[EntryRow]:
        """Give a player's counted attempts by all rulesets, in the order of their days."""
        rows = [EntryRow(*row) for row in self._connection.execute(say.ENTRIES_OF, {"player": player_id})]
        return sorted(rows, key=lambda row: (row.day, row.ruleset))

    def games_played_by(self, player_id: str) -> list[str]:
        """Give the ids of all games that a player has a seat in."""
        return list(self._connection.scalars(say.GAMES_PLAYED_BY, {"player": player_id}))


class PeopleWriting:
    """Changes to people."""

    __slots__ = ()

    _connection: Connection

    def hold_players(self, player_ids: Iterable[str]) -> None:
        """Let others who would change these players or their games wait until the end of the transaction."""
        self._connection.execute(say.HOLD_PLAYERS, {"several": sorted(player_ids)})

    def write_settings(self, player_id: str, text: str) -> None:
        """Keep a player's settings, JSON text."""
        self._connection.execute(say.SETTINGS, {"player": player_id, "text": text})

    def rename(self, player_id: str, name: str | None, skeleton: str | None) -> None:
        """Give a player a name, or none.

        Raises:
            Contradiction: at the end of the transaction or now, when somebody has a name of this skeleton.

        """
        self._connection.execute(say.RENAME, {"player": player_id, "shown": name, "skeleton": skeleton})

    def sign_out_others(self, player_id: str) -> None:
        """Let no cookie of so far stand for the player any more."""
        self._connection.execute(say.NEXT_GENERATION, {"player": player_id})
        self._connection.execute(say.FORGET_ALIASES, {"player": player_id})

    def use_token(self, hash_: str, at: datetime) -> bool:
        """Spend a token; False when it was spent before."""
        return self._connection.execute(say.USE_TOKEN, {"token": hash_, "at": at}).rowcount > 0

    def revoke(self, player_id: str, *kinds: TokenKind) -> None:
        """Take a player's tokens of these kinds away."""
        self._connection.execute(say.REVOKE, {"player": player_id, "sorts": kinds})

    def anonymise(self, player_id: str, at: datetime) -> None:
        """Leave of a player the id alone, under which finished games keep their place; open ones are given up."""
        self._connection.execute(say.ABANDON_OPEN, {"player": player_id, "at": at})
        self._connection.execute(say.FORGET_ALIASES, {"player": player_id})
        self._connection.execute(say.ANONYMISE, {"player": player_id, "at": at})

    def hand_over(self, player: PlayerRow, to: str) -> None:
        """Give a player's games and tokens to another one, whom the player's cookies then stand for; the row goes.

        Counted attempts must have been given over or dropped before.
        """
        row = {"player": player.id, "other": to}
        for statement in (say.SEATS_TO, say.TOKENS_TO, say.ALIASES_TO):
            self._connection.execute(statement, row)
        self._connection.execute(say.REMOVE, {"player": player.id})
        alias = {"id": player.id, "generation": player.generation, "player_id": to}
        self._connection.execute(say.ADD_ALIAS, alias)

    def give_entry(self, entry: EntryRow, to: str, *, hidden: bool) -> None:
        """Give a counted attempt to another player, who must have none of that day."""
        row = {"on": entry.day, "rules": entry.ruleset, "player": entry.player_id}
        self._connection.execute(say.ENTRY_TO, {**row, "other": to, "is_hidden": hidden})

    def drop_entry(self, entry: EntryRow) -> None:
        """Let an attempt count no longer."""
        row = {"on": entry.day, "rules": entry.ruleset, "player": entry.player_id}
        self._connection.execute(say.DROP_ENTRY, row)
