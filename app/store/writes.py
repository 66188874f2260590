"""Changes to the store, one statement or two each."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, delete, insert, text, update

from app.store.boards import BoardWriting
from app.store.day_statements import ADD_DAY, ADD_ENTRY, COUNT_RESULT, EXCUSE, HIDE, LAPSE, NOTE_BEST, NOTE_PAR
from app.store.errors import Taken
from app.store.keeping import KeepingWriting
from app.store.people import PeopleWriting
from app.store.reads import Reading
from app.store.rows import Deed
from app.store.schema import Moment, games, players, seats, secrets, tokens
from app.store.statements import SECRET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date, datetime

    from sqlalchemy import Connection

    from app.store.rows import DayRow, EntryRow, GameRow, PlayerRow, SeatRow, TokenKind
    from app.store.statements import Statements

_ADD_PLAYER: Final = insert(players)
_ADD_TOKEN: Final = insert(tokens)
_ADD_GAME: Final = insert(games)
_ADD_SEATS: Final = insert(seats)
_ADD_SECRET: Final = text(
    "INSERT INTO secrets (name, value, created_at) VALUES (:name, :value, :at) ON CONFLICT (name) DO NOTHING"
).bindparams(bindparam("value", type_=secrets.c.value.type), bindparam("at", type_=Moment))
# What has expired begins anew. So does what ends later than a count that begins now would: the clock has been set back since.
_COUNT: Final = text(
    "INSERT INTO counters (name, count, expires_at) VALUES (:name, :amount, :until) "
    "ON CONFLICT (name) DO UPDATE SET "
    "count = CASE WHEN counters.expires_at > :now AND counters.expires_at <= :until "
    "THEN counters.count + :amount ELSE :amount END, "
    "expires_at = CASE WHEN counters.expires_at > :now AND counters.expires_at <= :until "
    "THEN counters.expires_at ELSE :until END "
    "RETURNING count"
).bindparams(bindparam("now", type_=Moment), bindparam("until", type_=Moment))
_ONE: Final = games.c.id == bindparam("game")
_OPEN: Final = (_ONE, games.c.finished_at.is_(None), games.c.abandoned_at.is_(None))
_FINISH: Final = (
    update(games)
    .where(*_OPEN)
    .values(finished_at=bindparam("at", type_=Moment), assisted=bindparam("is_assisted"))
    .returning(games.c.kind)
)
_ABANDON: Final = update(games).where(*_OPEN).values(abandoned_at=bindparam("at", type_=Moment))
_PROJECT: Final = (
    update(games).where(_ONE).values(finished_at=bindparam("at", type_=Moment), assisted=bindparam("is_assisted"))
)
_COUNT_HINT: Final = update(games).where(*_OPEN).values(hints=games.c.hints + 1)
_SCORE: Final = (
    update(seats)
    .where(seats.c.game_id == bindparam("game"), seats.c.seat == bindparam("place"))
    .values(score=bindparam("points"))
)


class Tx(Reading, PeopleWriting, KeepingWriting, BoardWriting):
    """A transaction that may change the store. It commits when its block ends and leaves nothing if that raises."""

    __slots__ = ("deeds",)

    def __init__(self, connection: Connection, statements: Statements) -> None:
        """Take a connection within a transaction."""
        super().__init__(connection, statements)
        self.deeds = Counter[tuple[Deed, str]]()
        # A game that is looked at here is about to change: in PostgreSQL other writers of the same game wait at this
        # point (in SQLite they already wait at the beginning), so that what is read is what is written to.
        self._game = statements.game_held

    def add_player(self, player: PlayerRow) -> None:
        """Add a player."""
        self._connection.execute(_ADD_PLAYER, asdict(player))

    def add_token(
        self, hash_: str, player_id: str, kind: TokenKind, created_at: datetime, expires_at: datetime | None = None
    ) -> None:
        """Add a token by its hash; the token itself is never stored."""
        row = {"hash": hash_, "player_id": player_id, "kind": kind, "created_at": created_at, "expires_at": expires_at}
        self._connection.execute(_ADD_TOKEN, row)

    def revoke_token(self, hash_: str) -> bool:
        """Take a token away; False when there was none."""
        return self._connection.execute(delete(tokens).where(tokens.c.hash == hash_)).rowcount > 0

    def revoke_tokens_of(self, player_id: str) -> int:
        """Take all tokens of a player away and count them."""
        return self._connection.execute(delete(tokens).where(tokens.c.player_id == player_id)).rowcount

    def add_game(self, game: GameRow, seats: Iterable[SeatRow] | None = None) -> None:
        """Add a game with its own seats, or those given."""
        row = asdict(game)
        placed = row.pop("seats") if seats is None else [asdict(seat) for seat in seats]
        self._connection.execute(_ADD_GAME, row)
        self.deeds[Deed.OPENED, game.kind] += 1
        rows = [{name: seat[name] for name in ("seat", "player_id", "computer", "score")} for seat in placed]
        self._connection.execute(_ADD_SEATS, [{"game_id": game.id, **seat} for seat in rows])

    def append(self, game_id: str, seq: int, move: str, made_at: datetime) -> None:
        """Write entry `seq` (from 1) of a game's log.

        Raises:
            Taken: another writer was first. The transaction can go on: the log then shows what the other one wrote.

        """
        row = {"game": game_id, "seq": seq, "move": move, "at": made_at}
        if not self._statements.append.count(self._connection, row):
            raise Taken(game_id, seq)
        self.deeds[Deed.MOVED, ""] += 1

    def finish(
        self, game_id: str, finished_at: datetime, scores: Mapping[int, int | None], *, assisted: bool = False
    ) -> bool:
        """Note the end of an open game and the points of each seat; False when it had ended already."""
        row = {"game": game_id, "at": finished_at, "is_assisted": assisted}
        kind = self._connection.scalar(_FINISH, row)
        if kind is None:
            return False
        self.deeds[Deed.FINISHED, kind] += 1
        self._write_scores(game_id, scores)
        return True

    def abandon(self, game_id: str, at: datetime) -> bool:
        """Give an open game up; False when it had ended already."""
        return self._connection.execute(_ABANDON, {"game": game_id, "at": at}).rowcount > 0

    def count_hint(self, game_id: str) -> bool:
        """Note that a hint was given in an open game; False when it had ended already."""
        return self._connection.execute(_COUNT_HINT, {"game": game_id}).rowcount > 0

    def project(
        self, game_id: str, finished_at: datetime | None, scores: Mapping[int, int | None], *, assisted: bool
    ) -> None:
        """Overwrite what is derived from a game's log."""
        self._connection.execute(_PROJECT, {"game": game_id, "at": finished_at, "is_assisted": assisted})
        self._write_scores(game_id, scores)

    def add_days(self, days: Iterable[DayRow]) -> None:
        """Publish days; one that has been published stays as it is."""
        rows = [asdict(day) for day in days]
        if rows:
            self._connection.execute(ADD_DAY, rows)

    def add_entry(self, entry: EntryRow) -> bool:
        """Begin a player's counted attempt; False when there is one already."""
        row = {name: getattr(entry, name) for name in ("day", "ruleset", "player_id", "game_id")}
        return self._connection.execute(ADD_ENTRY, row).rowcount > 0

    def count_result(self, game_id: str, total: int | None, finished_at: datetime | None) -> bool:
        """Note the result of a counted attempt; False when the game is none."""
        row = {"game": game_id, "points": total, "at": finished_at}
        return self._connection.execute(COUNT_RESULT, row).rowcount > 0

    def lapse(self, game_id: str) -> None:
        """Make practice of a game: it was not finished in time, or is not the one that counts."""
        self._connection.execute(LAPSE, {"game": game_id})

    def excuse(self, day: date, ruleset: str) -> bool:
        """Let a day break no streak; False when it was not published."""
        return self._connection.execute(EXCUSE, {"on": day, "rules": ruleset}).rowcount > 0

    def hide(self, day: date, ruleset: str, player_id: str) -> bool:
        """Take a player's attempt off the board; False when there is none."""
        row = {"on": day, "rules": ruleset, "player": player_id}
        return self._connection.execute(HIDE, row).rowcount > 0

    def note_par(self, day: date, ruleset: str, par: int) -> None:
        """Note the perfect player's total of a day."""
        self._connection.execute(NOTE_PAR, {"on": day, "rules": ruleset, "points": par})

    def note_best(self, day: date, ruleset: str, best: int, line: str) -> None:
        """Note the highest total that was possible on a day, and the moves that reach it."""
        self._connection.execute(NOTE_BEST, {"on": day, "rules": ruleset, "points": best, "line": line})

    def secret(self, name: str, make: Callable[[], bytes], at: datetime) -> bytes:
        """Give a secret, made at the first call: of several makers the first one wins, for all of them."""
        found = self._connection.scalar(SECRET, {"name": name})
        if found is None:
            self._connection.execute(_ADD_SECRET, {"name": name, "value": make(), "at": at})
            found = self._connection.execute(SECRET, {"name": name}).scalar_one()
        return bytes(found)

    def count(self, name: str, amount: int, now: datetime, until: datetime) -> int:
        """Add to a counter, which begins at 0 and is forgotten at `until`, when that was first counted; give the sum."""
        row = {"name": name, "amount": amount, "now": now, "until": until}
        return int(self._connection.execute(_COUNT, row).scalar_one())

    def _write_scores(self, game_id: str, scores: Mapping[int, int | None]) -> None:
        rows = [{"game": game_id, "place": seat, "points": points} for seat, points in scores.items()]
        self._connection.execute(_SCORE, rows)
