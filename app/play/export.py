"""Everything that is stored of a player, for that player."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from app.clock import Clock
from app.play.looks import key_of
from app.play.people import living
from app.store import Reading, Store


def export(store: Store, clock: Clock, player_id: str | None) -> dict[str, Any]:
    """Give all rows of a player as JSON values, the games with their moves.

    A key that would tell dice to come is left out: of a game that is not finished, and of a day whose count has not closed.

    Raises:
        Nobody: there is no such player.

    """
    with store.reading() as tx:
        player = living(tx, player_id)
        return {
            "written_at": _plain(clock()),
            "player": _row({**asdict(player), "settings": _read(player.settings)}),
            "earlier_ids": tx.aliases_of(player.id),
            "tokens": [_row(asdict(token)) for token in tx.tokens_of(player.id)],
            "daily_attempts": [_row(asdict(entry)) for entry in tx.entries_of(player.id)],
            "games": [_game(tx, game_id, clock()) for game_id in tx.games_played_by(player.id)],
        }


def _game(tx: Reading, game_id: str, now: datetime) -> dict[str, Any]:
    loaded = tx.load(game_id)
    if loaded is None:
        raise LookupError(game_id)
    row, log = loaded
    key = key_of(row, now)
    moments: list[datetime | None] = [*tx.moments_of(game_id)]
    moments += [None] * (len(log) - len(moments))
    return {
        **_row(asdict(row)),
        "options": json.loads(row.options),
        "key": None if key is None else key.hex(),
        "moves": [{"move": move, "made_at": _plain(at)} for move, at in zip(log, moments, strict=True)],
    }


def _read(text: str) -> object:
    """Give what a JSON text says, or the text itself where it says nothing."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in row.items()}


def _plain(value: object) -> object:
    """Give what JSON can hold; bytes are left out, and said by whoever may see them."""
    match value:
        case datetime() | date():
            return value.isoformat()
        case tuple() | list():
            return [_row(part) if isinstance(part, dict) else _plain(part) for part in value]
        case bytes():
            return None
        case _:
            return value
