"""What is asked and changed to keep the database small: logs to pack, and what is cleared away."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import BindParameter, Delete, Select, Update, bindparam, delete, exists, func, or_, select, text, update

from app.store.rows import TokenKind
from app.store.schema import Moment, counters, games, moves, option_sets, players, seats, tokens

_BEFORE: Final = bindparam("before", type_=Moment)
_IDS: Final[BindParameter[Any]] = bindparam("ids", expanding=True)
_ENDED: Final = {
    "finished": (games.c.finished_at, games.c.finished_at.is_not(None)),
    "abandoned": (games.c.abandoned_at, games.c.abandoned_at.is_not(None)),
}

# Two questions, each with an index of exactly these games. In PostgreSQL a game that somebody else holds waits for the next time.
TO_PACK: Final[tuple[Select[Any], ...]] = tuple(
    select(games.c.id, games.c.created_at, games.c.options, games.c.option_set)
    .where(games.c.packed_log.is_(None), ended, at < _BEFORE)
    .order_by(at)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
    for at, ended in _ENDED.values()
)
LOGS: Final[Select[Any]] = (
    select(moves.c.game_id, moves.c.move, moves.c.made_at)
    .where(moves.c.game_id.in_(_IDS))
    .order_by(moves.c.game_id, moves.c.seq)
)
PACKED_LOGS: Final[Select[Any]] = select(games.c.id, games.c.packed_log, games.c.created_at).where(
    games.c.id.in_(_IDS), games.c.packed_log.is_not(None)
)
PACKED_LOG: Final[Select[Any]] = select(games.c.packed_log, games.c.created_at).where(
    games.c.id == bindparam("game"), games.c.packed_log.is_not(None)
)
MOMENTS: Final[Select[Any]] = select(moves.c.made_at).where(moves.c.game_id == bindparam("game")).order_by(moves.c.seq)
PACK: Final[Update] = (
    update(games)
    .where(games.c.id == bindparam("game"))
    .values(packed_log=bindparam("log"), options=bindparam("chosen"), option_set=bindparam("named"))
)
# A row that shrinks leaves a gap that nothing else fills. Under a new number it lies close to the others packed now, and the pages
# of games of one day become free as a whole.
CLOSE_UP: Final = text("UPDATE games SET rowid = (SELECT max(rowid) + 1 FROM games) WHERE id = :game")
UNROLL: Final[Delete] = delete(moves).where(moves.c.game_id.in_(_IDS))
NAME_OPTIONS: Final = text(
    "INSERT INTO option_sets (name, options) VALUES (:name, :options) ON CONFLICT (name) DO NOTHING"
)
OPTIONS_NAMED: Final[Select[Any]] = select(option_sets.c.options).where(option_sets.c.name == bindparam("name"))

FORGET_TOKENS: Final[Delete] = delete(tokens).where(tokens.c.expires_at <= _BEFORE)
FORGET_COUNTERS: Final[Delete] = delete(counters).where(counters.c.expires_at <= bindparam("now", type_=Moment))
ABANDON_IDLE: Final[Update] = (
    update(games)
    .where(
        games.c.finished_at.is_(None),
        games.c.abandoned_at.is_(None),
        games.c.created_at < _BEFORE,
        ~exists().where(moves.c.game_id == games.c.id, moves.c.made_at >= _BEFORE),
    )
    .values(abandoned_at=bindparam("now", type_=Moment))
)

_others = seats.alias("others")
_mine = select(seats.c.game_id).join(games, games.c.id == seats.c.game_id).where(seats.c.player_id == players.c.id)
_IDLE: Final[Select[Any]] = (
    select(players.c.id)
    .where(
        players.c.created_at < _BEFORE,
        ~_mine.where(games.c.finished_at.is_not(None)).exists(),
        ~_mine.where(
            or_(
                games.c.created_at >= _BEFORE,
                exists().where(moves.c.game_id == games.c.id, moves.c.made_at >= _BEFORE),
            )
        ).exists(),
        # What is shared with somebody else stays as it is.
        ~_mine.join(_others, _others.c.game_id == seats.c.game_id)
        .where(_others.c.player_id.is_not(None), _others.c.player_id != players.c.id)
        .exists(),
        ~exists().where(tokens.c.player_id == players.c.id, tokens.c.kind == TokenKind.RECOVERY.value),
    )
    .order_by(players.c.id)
)
IDLE_PLAYERS: Final[Select[Any]] = _IDLE.where(players.c.id > bindparam("after")).limit(bindparam("most"))
STILL_IDLE: Final[Select[Any]] = _IDLE.where(players.c.id.in_(_IDS))
FORGET_GAMES: Final[Delete] = delete(games).where(
    games.c.id.in_(select(seats.c.game_id).where(seats.c.player_id.in_(_IDS)))
)
FORGET_PLAYERS: Final[Delete] = delete(players).where(players.c.id.in_(_IDS))
COUNTS: Final = {table.name: select(func.count()).select_from(table) for table in (players, games)}
