"""What is asked of the tables about the results of a day, and the counts of all dice; a part of every transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import BigInteger, ColumnElement, Date, Integer, Select, and_, bindparam, func, select, text, update

from app.store.schema import days, entries, games, players, tallies

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A counted result: whose (`name` is None for those without one), which game, the total in points, and when it was reached."""

    player_id: str
    name: str | None
    game_id: str
    total: int
    finished_at: datetime
    hidden: bool
    deleted: bool


_ON: Final = bindparam("on", type_=Date)
# "Hidden = false" rather than "not hidden", which would keep SQLite from going on in the index.
_SHOWN: Final[tuple[ColumnElement[bool], ...]] = (
    entries.c.day == _ON,
    entries.c.ruleset == bindparam("rules"),
    entries.c.hidden == bindparam("hidden", value=False, type_=entries.c.hidden.type),
    entries.c.total.is_not(None),
)
_RESULT: Final = (
    entries.c.player_id,
    players.c.name,
    entries.c.game_id,
    entries.c.total,
    entries.c.finished_at,
    entries.c.hidden,
    players.c.deleted_at.is_not(None),
)
# Of equal totals the one reached first stands first. The page is found within the index, then its rows are looked up. It is told
# with which total it begins, because passing over many results takes long, and over those of one total does not.
_IN_ORDER: Final = (entries.c.total.desc(), entries.c.finished_at, entries.c.game_id)
_PAGE: Final = (
    select(entries.c.game_id)
    .where(*_SHOWN, entries.c.total <= bindparam("highest"))
    .order_by(*_IN_ORDER)
    .limit(bindparam("limit", type_=Integer))
    .offset(bindparam("offset", type_=Integer))
    .subquery()
)
BOARD: Final[Select[Any]] = (
    select(*_RESULT)
    .join_from(_PAGE, entries, entries.c.game_id == _PAGE.c.game_id)
    .join(players, players.c.id == entries.c.player_id)
    .order_by(*_IN_ORDER)
)
HISTOGRAM: Final[Select[Any]] = (
    select(entries.c.total, func.count()).where(*_SHOWN).group_by(entries.c.total).order_by(entries.c.total.desc())
)
SHARED: Final[Select[Any]] = (
    select(*_RESULT)
    .join_from(entries, players, players.c.id == entries.c.player_id)
    .where(
        entries.c.game_id >= bindparam("first"),
        entries.c.game_id <= bindparam("last"),
        entries.c.day == _ON,
        entries.c.ruleset == bindparam("rules"),
        entries.c.total.is_not(None),
    )
    .order_by(entries.c.game_id)
    .limit(2)
)
# In these words, because an index of only some rows is used where the question repeats its condition.
_TO_TALLY: Final = text(
    "SELECT id FROM games WHERE NOT tallied AND finished_at IS NOT NULL AND day IS NULL ORDER BY finished_at LIMIT :limit"
)
_DAYS_TO_TALLY: Final = (
    select(days.c.day, days.c.ruleset)
    .where(days.c.day <= _ON, days.c.tallied.is_(False))
    .order_by(days.c.day, days.c.ruleset)
    .limit(bindparam("limit", type_=Integer))
)
_TALLIES: Final = select(tallies.c.who, tallies.c.face, tallies.c.count)
_TALLY: Final = text(
    "INSERT INTO tallies (who, face, count) VALUES (:who, :face, :count) "
    "ON CONFLICT (who, face) DO UPDATE SET count = tallies.count + :count"
).bindparams(bindparam("count", type_=BigInteger))
_MARK_GAME: Final = (
    update(games).where(games.c.id == bindparam("game"), games.c.tallied.is_(False)).values(tallied=True)
)
_MARK_DAY: Final = (
    update(days)
    .where(and_(days.c.day == _ON, days.c.ruleset == bindparam("rules")), days.c.tallied.is_(False))
    .values(tallied=True)
)


def ids_that_begin(letters: str) -> tuple[str, str]:
    """Give the bounds, both included, between which the ids lie that begin with these letters."""
    # Not "~": where a database orders as dictionaries do, signs come before letters. The "z" is last in both orders.
    return letters, letters + "z" * 16


class BoardReading:
    """Questions about results and counts."""

    __slots__ = ()

    _connection: Connection

    def board(self, day: date, ruleset: str, highest: int, *, limit: int, offset: int = 0) -> list[ResultRow]:
        """Give some results of a day from the total `highest` down; those that the operator took off are left out."""
        wanted = {"on": day, "rules": ruleset, "highest": highest, "limit": limit, "offset": offset}
        return [ResultRow(*row) for row in self._connection.execute(BOARD, wanted)]

    def histogram(self, day: date, ruleset: str) -> list[tuple[int, int]]:
        """Give every total of a day's board, the best first, and how many reached it."""
        return [(total, count) for total, count in self._connection.execute(HISTOGRAM, {"on": day, "rules": ruleset})]

    def result_of(self, day: date, ruleset: str, game_id_begins: str) -> ResultRow | None:
        """Find a result, a hidden one too, by the letters that its game's id begins with; None if they are not enough."""
        first, last = ids_that_begin(game_id_begins)
        wanted = {"on": day, "rules": ruleset, "first": first, "last": last}
        found = self._connection.execute(SHARED, wanted).all()
        return ResultRow(*found[0]) if len(found) == 1 else None

    def games_to_tally(self, limit: int) -> list[str]:
        """Give ids of finished games whose dice are not counted yet, the earliest first; without those of a day."""
        return list(self._connection.scalars(_TO_TALLY, {"limit": limit}))

    def days_to_tally(self, last: date, limit: int) -> list[tuple[date, str]]:
        """Give days, up to the last, whose dice are not counted yet."""
        rows = self._connection.execute(_DAYS_TO_TALLY, {"on": last, "limit": limit})
        return [(day, ruleset) for day, ruleset in rows]

    def tallies(self) -> dict[tuple[str, int], int]:
        """Give how often each face came up: by whose dice, and face."""
        return {(who, face): count for who, face, count in self._connection.execute(_TALLIES)}


class BoardWriting:
    """Changes of the counts."""

    __slots__ = ()

    _connection: Connection

    def mark_game_tallied(self, game_id: str) -> bool:
        """Mark a game as counted; False when it was already."""
        return self._connection.execute(_MARK_GAME, {"game": game_id}).rowcount > 0

    def mark_day_tallied(self, day: date, ruleset: str) -> bool:
        """Mark a day as counted; False when it was already."""
        return self._connection.execute(_MARK_DAY, {"on": day, "rules": ruleset}).rowcount > 0

    def tally(self, found: Mapping[tuple[str, int], int]) -> None:
        """Add to the counts: by whose dice, and face."""
        rows = [{"who": who, "face": face, "count": count} for (who, face), count in sorted(found.items())]
        if rows:
            self._connection.execute(_TALLY, rows)

    def forget_tallies(self) -> None:
        """Count all dice anew from now on."""
        self._connection.execute(tallies.delete())
        self._connection.execute(update(games).where(games.c.tallied).values(tallied=False))
        self._connection.execute(update(days).where(days.c.tallied).values(tallied=False))
