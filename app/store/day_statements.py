"""What is asked of the tables about days and counted attempts."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Date, Select, and_, bindparam, select, text, update

from app.store.schema import Moment, days, entries, games, players

_DAY_COLUMNS: Final = (
    days.c.day,
    days.c.ruleset,
    days.c.options,
    days.c.dice_version,
    days.c.addressing,
    days.c.key,
    days.c.commitment,
    days.c.published_at,
    days.c.par,
    days.c.best,
    days.c.best_line,
    days.c.excused,
)
ENTRY_COLUMNS: Final = (
    entries.c.day,
    entries.c.ruleset,
    entries.c.player_id,
    entries.c.game_id,
    entries.c.hidden,
    entries.c.total,
    entries.c.finished_at,
)
_THIS_DAY: Final = (days.c.day == bindparam("on"), days.c.ruleset == bindparam("rules"))
THIS_ENTRY: Final = (
    entries.c.day == bindparam("on"),
    entries.c.ruleset == bindparam("rules"),
    entries.c.player_id == bindparam("player"),
)

DAY: Final[Select[Any]] = select(*_DAY_COLUMNS).where(*_THIS_DAY)
DAYS_BETWEEN: Final[Select[Any]] = (
    select(*_DAY_COLUMNS)
    .where(days.c.ruleset == bindparam("rules"), days.c.day.between(bindparam("first"), bindparam("last")))
    .order_by(days.c.day)
)
RULESETS_ON: Final = select(days.c.ruleset).where(days.c.day == bindparam("on")).order_by(days.c.ruleset)
EXCUSED: Final = select(days.c.day).where(days.c.ruleset == bindparam("rules"), days.c.excused)
ENTRY: Final[Select[Any]] = select(*ENTRY_COLUMNS).where(*THIS_ENTRY)
ENTRY_OF_GAME: Final[Select[Any]] = select(*ENTRY_COLUMNS).where(entries.c.game_id == bindparam("game"))
PLAYED: Final[Select[Any]] = (
    select(entries.c.day, entries.c.game_id, entries.c.total, days.c.par)
    .join(days, and_(days.c.day == entries.c.day, days.c.ruleset == entries.c.ruleset))
    .where(entries.c.player_id == bindparam("player"), entries.c.ruleset == bindparam("rules"))
    .order_by(entries.c.day)
)
PLAYERS_NAMED: Final = select(players.c.id).where(players.c.name == bindparam("name")).order_by(players.c.id)

# The first wins: a day stays as it was published, and of several attempts begun at once one is made.
_DATE: Final = bindparam("day", type_=Date)
ADD_DAY: Final = text(
    "INSERT INTO days (day, ruleset, options, dice_version, addressing, key, commitment, published_at) "
    "VALUES (:day, :ruleset, :options, :dice_version, :addressing, :key, :commitment, :published_at) "
    "ON CONFLICT (day, ruleset) DO NOTHING"
).bindparams(_DATE, bindparam("key", type_=days.c.key.type), bindparam("published_at", type_=Moment))
ADD_ENTRY: Final = text(
    "INSERT INTO entries (day, ruleset, player_id, game_id) VALUES (:day, :ruleset, :player_id, :game_id) "
    "ON CONFLICT (day, ruleset, player_id) DO NOTHING"
).bindparams(_DATE)
COUNT_RESULT: Final = (
    update(entries)
    .where(entries.c.game_id == bindparam("game"))
    .values(total=bindparam("points"), finished_at=bindparam("at", type_=Moment))
)
LAPSE: Final = update(games).where(games.c.id == bindparam("game")).values(kind="practice")
EXCUSE: Final = update(days).where(*_THIS_DAY).values(excused=True)
HIDE: Final = update(entries).where(*THIS_ENTRY).values(hidden=True)
NOTE_PAR: Final = update(days).where(*_THIS_DAY).values(par=bindparam("points"))
NOTE_BEST: Final = update(days).where(*_THIS_DAY).values(best=bindparam("points"), best_line=bindparam("line"))
