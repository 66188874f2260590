"""What is asked of the tables. Statements are made once: making one costs more than running it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    func,
    or_,
    select,
    text,
    tuple_,
)

from app.store.people_statements import PLAYER_COLUMNS, PLAYER_OF_COOKIE
from app.store.prepared import Prepared
from app.store.rows import Status
from app.store.schema import Moment, counters, games, moves, option_sets, players, seats, secrets, tokens

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

_AT_ONCE = 500

# Games whose logs are packed have their options in the other table.
_options: Final = func.coalesce(option_sets.c.options, games.c.options, type_=Text)

# The columns stand in the order of the rows' fields.
_GAME_COLUMNS: Final = (
    games.c.id,
    games.c.kind,
    games.c.ruleset,
    _options,
    games.c.dice_version,
    games.c.addressing,
    games.c.key,
    games.c.created_at,
    games.c.corrections,
    games.c.shared_dice,
    games.c.first_seat,
    games.c.finished_at,
    games.c.abandoned_at,
    games.c.assisted,
    games.c.hints,
    games.c.thrown,
    games.c.day,
)
GAME_WIDTH = len(_GAME_COLUMNS)
_SEAT_COLUMNS: Final = (seats.c.seat, seats.c.player_id, seats.c.computer, seats.c.score, players.c.name)
_GAMES: Final[Select[Any]] = (
    select(*_GAME_COLUMNS, *_SEAT_COLUMNS)
    .join_from(games, seats, seats.c.game_id == games.c.id)
    .outerjoin(players, players.c.id == seats.c.player_id)
    .outerjoin(option_sets, option_sets.c.name == games.c.option_set)
)
_GAME: Final = _GAMES.where(games.c.id == bindparam("game")).order_by(seats.c.seat)
_GAME_HELD: Final = _GAME.with_for_update(of=games, key_share=True)
_MOVES: Final = select(moves.c.move).where(moves.c.game_id == bindparam("game")).order_by(moves.c.seq)
PLAYER: Final[Select[Any]] = select(*PLAYER_COLUMNS).where(players.c.id == bindparam("player"))
TOKEN: Final = (
    select(tokens.c.player_id)
    .join(players, players.c.id == tokens.c.player_id)
    .where(
        tokens.c.hash == bindparam("hash"),
        tokens.c.kind == bindparam("kind"),
        or_(tokens.c.expires_at.is_(None), tokens.c.expires_at > bindparam("at", type_=tokens.c.expires_at.type)),
        players.c.deleted_at.is_(None),
    )
)
SECRET: Final = select(secrets.c.value).where(secrets.c.name == bindparam("name"))
COUNTER: Final = select(counters.c.count, counters.c.expires_at).where(
    counters.c.name == bindparam("name"), counters.c.expires_at > bindparam("now", type_=counters.c.expires_at.type)
)

_ENDS: Final = {
    Status.PLAYING: and_(games.c.finished_at.is_(None), games.c.abandoned_at.is_(None)),
    Status.FINISHED: games.c.finished_at.is_not(None),
    Status.ABANDONED: games.c.abandoned_at.is_not(None),
}
_LATEST: Final = {
    Status.PLAYING: games.c.created_at,
    Status.FINISHED: games.c.finished_at,
    Status.ABANDONED: games.c.abandoned_at,
}


def _games_of(status: Status) -> Select[Any]:
    latest = _LATEST[status].desc(), games.c.id.desc()
    mine = (
        select(games.c.id)
        .join(seats, seats.c.game_id == games.c.id)
        .where(seats.c.player_id == bindparam("player"), _ENDS[status])
        .distinct()
        .add_columns(_LATEST[status])
        .order_by(*latest)
        .limit(bindparam("limit", type_=Integer))
        .offset(bindparam("offset", type_=Integer))
        .subquery()
    )
    return _GAMES.where(games.c.id.in_(select(mine.c.id))).order_by(*latest, seats.c.seat)


GAMES_OF: Final = {status: _games_of(status) for status in Status}

# A finished game of somebody who has played it has a score, so scores alone are summed.
_SCORE: Final = case((games.c.finished_at.is_not(None), seats.c.score))
_FIGURES: Final[tuple[ColumnElement[Any], ...]] = (
    func.count(_SCORE),
    func.max(_SCORE),
    cast(func.coalesce(func.sum(_SCORE), 0), BigInteger),
    cast(func.coalesce(func.sum(_SCORE * _SCORE), 0), BigInteger),
)
TOTALS: Final[Select[Any]] = (
    select(games.c.ruleset, _options, games.c.kind, games.c.assisted, func.count(games.c.abandoned_at), *_FIGURES)
    .join_from(seats, games, games.c.id == seats.c.game_id)
    .outerjoin(option_sets, option_sets.c.name == games.c.option_set)
    .where(seats.c.player_id == bindparam("player"), or_(_ENDS[Status.FINISHED], _ENDS[Status.ABANDONED]))
    .group_by(games.c.ruleset, _options, games.c.kind, games.c.assisted)
)
RECORD: Final[Select[Any]] = (
    select(*_FIGURES)
    .join_from(seats, games, games.c.id == seats.c.game_id)
    .outerjoin(option_sets, option_sets.c.name == games.c.option_set)
    .where(
        seats.c.player_id == bindparam("player"),
        games.c.ruleset == bindparam("ruleset"),
        _options == bindparam("options"),
        games.c.kind == bindparam("kind"),
        games.c.assisted.is_(False),
    )
)
RECORD_BEFORE: Final = RECORD.where(
    tuple_(games.c.finished_at, games.c.id) < tuple_(bindparam("at", type_=games.c.finished_at.type), bindparam("game"))
)
BATCH: Final = _GAMES.where(
    games.c.id.in_(select(games.c.id).where(games.c.id > bindparam("after")).order_by(games.c.id).limit(_AT_ONCE))
).order_by(games.c.id, seats.c.seat)
MOVES_OF: Final = (
    select(moves.c.game_id, moves.c.move)
    .where(moves.c.game_id.in_(bindparam("games", expanding=True)))
    .order_by(moves.c.game_id, moves.c.seq)
)
# "On conflict do nothing" rather than an error, after which PostgreSQL would refuse the rest of the transaction. Both
# databases spell it the same.
_APPEND: Final = text(
    "INSERT INTO moves (game_id, seq, move, made_at) VALUES (:game, :seq, :move, :at) "
    "ON CONFLICT (game_id, seq) DO NOTHING"
).bindparams(bindparam("at", type_=Moment))


class Statements:
    """The prepared statements of one database. `game_held` keeps other writers of the game waiting (PostgreSQL)."""

    __slots__ = ("append", "game", "game_held", "moves", "player_of_cookie")

    def __init__(self, dialect: Dialect) -> None:
        """Write them out."""
        self.game = Prepared(_GAME, dialect)
        self.game_held = Prepared(_GAME_HELD, dialect)
        self.moves = Prepared(_MOVES, dialect)
        self.append = Prepared(_APPEND, dialect)
        self.player_of_cookie = Prepared(PLAYER_OF_COOKIE, dialect)
