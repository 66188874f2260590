"""What is asked of the tables about people: who a cookie stands for, names, tokens, whole histories."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import BindParameter, Select, bindparam, delete, func, insert, select, union_all, update

from app.store.day_statements import ENTRY_COLUMNS, THIS_ENTRY
from app.store.schema import Moment, aliases, entries, games, players, seats, tokens

PLAYER_COLUMNS: Final = (
    players.c.id,
    players.c.created_at,
    players.c.name,
    players.c.name_skeleton,
    players.c.settings,
    players.c.deleted_at,
    players.c.generation,
)
_PLAYER: Final = players.c.id == bindparam("player")
_OTHER: Final[BindParameter[str]] = bindparam("other")

# A cookie stands for the player of its id, or for the one whom that player has become.
PLAYER_OF_COOKIE: Final[Select[Any]] = select(
    union_all(
        select(*PLAYER_COLUMNS).where(
            _PLAYER, players.c.generation == bindparam("generation"), players.c.deleted_at.is_(None)
        ),
        select(*PLAYER_COLUMNS)
        .join(aliases, aliases.c.player_id == players.c.id)
        .where(
            aliases.c.id == bindparam("player"),
            aliases.c.generation == bindparam("generation"),
            players.c.deleted_at.is_(None),
        ),
    ).subquery()
)
ALIAS: Final = select(aliases.c.player_id).where(aliases.c.id == bindparam("player"))
ALIASES_OF: Final = select(aliases.c.id).where(aliases.c.player_id == bindparam("player")).order_by(aliases.c.id)
HOLD_PLAYERS: Final = (
    select(players.c.id)
    .where(players.c.id.in_(bindparam("several", expanding=True)))
    .order_by(players.c.id)
    .with_for_update()
)
NAMED_LIKE: Final = select(players.c.id).where(players.c.name_skeleton == bindparam("skeleton"))
_TOKENS: Final[Select[Any]] = select(
    tokens.c.hash, tokens.c.player_id, tokens.c.kind, tokens.c.created_at, tokens.c.used_at, tokens.c.expires_at
)
TOKEN_ROW: Final = _TOKENS.where(tokens.c.hash == bindparam("token"), tokens.c.kind == bindparam("sort"))
TOKENS_OF: Final = _TOKENS.where(tokens.c.player_id == bindparam("player"))
GAMES_COUNTED: Final = (
    select(func.count(games.c.id), func.count(games.c.finished_at))
    .join(seats, seats.c.game_id == games.c.id)
    .where(seats.c.player_id == bindparam("player"))
)
ENTRIES_OF: Final[Select[Any]] = select(*ENTRY_COLUMNS).where(entries.c.player_id == bindparam("player"))
GAMES_PLAYED_BY: Final[Select[Any]] = (
    select(games.c.id)
    .join(seats, seats.c.game_id == games.c.id)
    .where(seats.c.player_id == bindparam("player"))
    .distinct()
    .order_by(games.c.id)
)

SETTINGS: Final = update(players).where(_PLAYER).values(settings=bindparam("text"))
RENAME: Final = update(players).where(_PLAYER).values(name=bindparam("shown"), name_skeleton=bindparam("skeleton"))
NEXT_GENERATION: Final = update(players).where(_PLAYER).values(generation=players.c.generation + 1)
ANONYMISE: Final = (
    update(players)
    .where(_PLAYER)
    .values(
        name=None,
        name_skeleton=None,
        settings="{}",
        generation=players.c.generation + 1,
        deleted_at=bindparam("at", type_=Moment),
    )
)
REMOVE: Final = delete(players).where(_PLAYER)
USE_TOKEN: Final = (
    update(tokens)
    .where(tokens.c.hash == bindparam("token"), tokens.c.used_at.is_(None))
    .values(used_at=bindparam("at", type_=Moment))
)
REVOKE: Final = delete(tokens).where(
    tokens.c.player_id == bindparam("player"), tokens.c.kind.in_(bindparam("sorts", expanding=True))
)
FORGET_ALIASES: Final = delete(aliases).where(aliases.c.player_id == bindparam("player"))
ADD_ALIAS: Final = insert(aliases)
ABANDON_OPEN: Final = (
    update(games)
    .where(
        games.c.id.in_(select(seats.c.game_id).where(seats.c.player_id == bindparam("player"))),
        games.c.finished_at.is_(None),
        games.c.abandoned_at.is_(None),
    )
    .values(abandoned_at=bindparam("at", type_=Moment))
)
SEATS_TO: Final = update(seats).where(seats.c.player_id == bindparam("player")).values(player_id=_OTHER)
TOKENS_TO: Final = update(tokens).where(tokens.c.player_id == bindparam("player")).values(player_id=_OTHER)
ALIASES_TO: Final = update(aliases).where(aliases.c.player_id == bindparam("player")).values(player_id=_OTHER)
ENTRY_TO: Final = update(entries).where(*THIS_ENTRY).values(player_id=_OTHER, hidden=bindparam("is_hidden"))
DROP_ENTRY: Final = delete(entries).where(*THIS_ENTRY)
