"""Two histories become one: what happens when a device that has been played on takes over another one's player."""

from __future__ import annotations

from datetime import datetime

from app.store import EntryRow, TokenKind, Tx


def merge(tx: Tx, old_id: str, into_id: str) -> None:
    """Make the history of one player part of another's, in this transaction; merging again changes nothing.

    Games, tokens and counted attempts go over. Of a day that both have played the attempt begun first counts, the other becomes
    practice. The other's name and settings stay; it takes the name where it had none.
    """
    tx.hold_players((old_id, into_id))
    old, into = tx.player(old_id), tx.player(into_id)
    if old is None or into is None or old_id == into_id or old.deleted_at or into.deleted_at:
        return
    _merge_days(tx, old_id, into_id)
    _merge_codes(tx, old_id, into_id)
    tx.rename(old_id, None, None)
    if into.name is None:
        tx.rename(into_id, old.name, old.name_skeleton)
    tx.hand_over(old, into_id)


def _merge_days(tx: Tx, old_id: str, into_id: str) -> None:
    own = {(entry.day, entry.ruleset): entry for entry in tx.entries_of(into_id)}
    for entry in tx.entries_of(old_id):
        other = own.get((entry.day, entry.ruleset))
        if other is None:
            tx.give_entry(entry, into_id, hidden=entry.hidden)
            continue
        first, second = sorted((other, entry), key=lambda one: _begun(tx, one))
        # What the operator has taken off the board does not come back by merging.
        hidden = first.hidden or second.hidden
        tx.drop_entry(second)
        tx.lapse(second.game_id)
        tx.give_entry(first, into_id, hidden=hidden)


def _begun(tx: Tx, entry: EntryRow) -> tuple[datetime, str]:
    game = tx.game(entry.game_id)
    if game is None:
        raise LookupError(entry.game_id)
    return game.created_at, game.id


def _merge_codes(tx: Tx, old_id: str, into_id: str) -> None:
    """Leave one recovery code: the other player's, else the one that comes along. Links for devices are done with."""
    kinds = {token.kind for token in tx.tokens_of(into_id)}
    tx.revoke(old_id, TokenKind.DEVICE, *((TokenKind.RECOVERY,) if TokenKind.RECOVERY in kinds else ()))
