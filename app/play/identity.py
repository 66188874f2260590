"""Who plays: ids, tokens, and the row that a player gets at the first game or setting."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from app.play.names import BadName, Name, NameTrouble
from app.store import PlayerRow, Reading, Tx

# Without 0, o, 1, l and i, so that an id can be read out; 16 of 31 letters are 79 bits, too many to guess.
_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_ID_LENGTH = 16


def new_id() -> str:
    """Make an id for a game or a player."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def hash_of(token: str) -> str:
    """Give what is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def known_player(tx: Tx, player_id: str | None, now: datetime) -> str:
    """Give the player of this id, or whom it has become since the request was let in, else make a new one."""
    if player_id is not None:
        # Whoever is about to become another player does so before this or after it.
        tx.hold_players((player_id,))
        player = tx.player(player_id)
        if player is not None and player.deleted_at is None:
            return player_id
        if (successor := tx.successor(player_id)) is not None:
            return successor
    player_id = new_id()
    tx.add_player(PlayerRow(player_id, created_at=now))
    return player_id


def check_free(tx: Reading, name: Name | None, player_id: str | None = None) -> None:
    """See that nobody else is called so that the two could be taken for each other.

    Raises:
        BadName: somebody is.

    """
    holder = tx.named_like(name.skeleton) if name else None
    if holder not in {None, player_id}:
        raise BadName(NameTrouble.TAKEN)
