"""Who plays, without accounts: names, settings, further devices, recovery codes, and what is stored of somebody."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final

from app.clock import Clock
from app.play.errors import Nobody, SpentLink, UnknownLink, WrongCode
from app.play.identity import check_free, hash_of, known_player, new_id
from app.play.merging import merge
from app.play.names import BadName, Name, NameTrouble
from app.play.preferences import Preferences
from app.store import Contradiction, PlayerRow, Reading, Store, TokenKind, TokenRow, Tx

LINK_LIVES: Final = timedelta(minutes=15)
"""How long a link to another device can be used."""

CODE_WORDS: Final = 6
"""Words in a recovery code: of 2,048 each, so 66 bits."""

_SECRET = "recovery"  # noqa: S105 - the name under which the secret is kept
_SECRET_BYTES = 32
_COOKIE = re.compile(r"(?P<id>[a-z0-9]{1,40})(?:\.(?P<generation>[0-9]{1,9}))?")
_BETWEEN_WORDS = str.maketrans(dict.fromkeys("-–_,.;/", " "))


@dataclass(frozen=True, slots=True)
class History:
    """What a link or a settings page says of a player: the name (None: none), since when, games begun and finished."""

    player: PlayerRow
    begun: int
    finished: int


@dataclass(frozen=True, slots=True)
class People:
    """The use cases about people, on a store and a clock."""

    store: Store
    clock: Clock

    def of_cookie(self, cookie: str) -> PlayerRow | None:
        """Find whom a cookie of `cookie_of` stands for; nobody once the player is deleted or the device signed out."""
        found = _COOKIE.fullmatch(cookie)
        if found is None:
            return None
        with self.store.asking() as tx:
            return tx.player_of_cookie(found["id"], int(found["generation"] or 0))

    def history(self, player_id: str) -> tuple[History, bool]:
        """Say what there is of a player, and whether there is a recovery code.

        Raises:
            Nobody: there is no such player.

        """
        with self.store.reading() as tx:
            tokens = tx.tokens_of(player_id)
            return _history(tx, player_id), any(token.kind == TokenKind.RECOVERY for token in tokens)

    def new_player(self, name: Name | None = None) -> tuple[str, str]:
        """Make a player with a token for the API; give the id and the token, which is stored only as a hash.

        Raises:
            BadName: somebody has that name, or one like it.

        """
        now = self.clock()
        player_id, token = new_id(), secrets.token_urlsafe(32)
        shown, skeleton = (name.shown, name.skeleton) if name else (None, None)
        with self._naming() as tx:
            check_free(tx, name)
            tx.add_player(PlayerRow(player_id, name=shown, name_skeleton=skeleton, created_at=now))
            tx.add_token(hash_of(token), player_id, TokenKind.API, now)
        return player_id, token

    def player_of_token(self, token: str) -> str | None:
        """Find whose API token this is."""
        with self.store.asking() as tx:
            return tx.player_of_token(hash_of(token), TokenKind.API, self.clock())

    def choose(self, player_id: str | None, form: dict[str, str], languages: tuple[str, ...]) -> str:
        """Change settings by a form, of a new player where there is none yet; give the player's id.

        Raises:
            BadPreference: the form says something that cannot be; nobody is made then.

        """
        with self.store.writing() as tx:
            player_id = known_player(tx, player_id, self.clock())
            player = living(tx, player_id)
            chosen = Preferences.read(player.settings).choose(form, languages)
            tx.write_settings(player_id, chosen.text())
        return player_id

    def rename(self, player_id: str | None, name: Name | None) -> str:
        """Take a name, or none; of a new player where there is none yet; give the player's id.

        Raises:
            BadName: somebody has that name, or one like it.

        """
        with self._naming() as tx:
            player_id = known_player(tx, player_id, self.clock())
            check_free(tx, name, player_id)
            tx.rename(player_id, name.shown if name else None, name.skeleton if name else None)
        return player_id

    @contextmanager
    def _naming(self) -> Iterator[Tx]:
        """Write a name.

        Raises:
            BadName: somebody else took it, or one like it, at the same moment.

        """
        try:
            with self.store.writing() as tx:
                yield tx
        except Contradiction:
            raise BadName(NameTrouble.TAKEN) from None

    # Another device

    def make_link(self, player_id: str | None) -> str:
        """Make the secret part of a link by which another device goes on as this player, once and within 15 minutes.

        Raises:
            Nobody: there is nothing to go on with.

        """
        token, now = secrets.token_urlsafe(32), self.clock()
        with self.store.writing() as tx:
            player = _held(tx, player_id)
            tx.add_token(hash_of(token), player.id, TokenKind.DEVICE, now, now + LINK_LIVES)
        return token

    def look_at_link(self, token: str) -> History:
        """Say whose history a link leads to; it stays unspent.

        Raises:
            UnknownLink: there is none.
            SpentLink: it was used, or is too old.

        """
        with self.store.reading() as tx:
            return _history(tx, self._link(tx, token).player_id)

    def take_over(self, token: str, player_id: str | None) -> PlayerRow:
        """Go on as the player that a link leads to, with what has been played here until now; give that player.

        Raises:
            UnknownLink, SpentLink: as for `look_at_link`.

        """
        with self.store.writing() as tx:
            link = self._link(tx, token)
            if link.player_id == player_id:
                return living(tx, player_id)
            # Players before their tokens, as everywhere: else two could wait for each other.
            tx.hold_players((link.player_id, *((player_id,) if player_id else ())))
            if not tx.use_token(link.hash, self.clock()):
                raise SpentLink(used=True)
            if player_id is not None:
                merge(tx, player_id, link.player_id)
            return living(tx, link.player_id)

    def _link(self, tx: Reading, token: str) -> TokenRow:
        link = tx.token(hash_of(token), TokenKind.DEVICE)
        if link is None:
            raise UnknownLink
        if link.used_at is not None or link.expires_at is None or link.expires_at <= self.clock():
            raise SpentLink(used=link.used_at is not None)
        return link

    def sign_out_others(self, player_id: str | None) -> PlayerRow:
        """Let this device alone go on as the player: cookies, API tokens and links of so far are worth nothing any more.

        Raises:
            Nobody: there is no such player.

        """
        with self.store.writing() as tx:
            player = _held(tx, player_id)
            tx.sign_out_others(player.id)
            tx.revoke(player.id, TokenKind.API, TokenKind.DEVICE)
            return living(tx, player.id)

    # Recovery codes

    def make_code(self, player_id: str | None) -> str:
        """Make a recovery code of six words; one that there was before is worth nothing any more.

        Raises:
            Nobody: there is nothing to recover.

        """
        code = " ".join(secrets.choice(code_words()) for _ in range(CODE_WORDS))
        now = self.clock()
        with self.store.writing() as tx:
            player = _held(tx, player_id)
            tx.revoke(player.id, TokenKind.RECOVERY)
            tx.add_token(self._sealed(tx, code, now), player.id, TokenKind.RECOVERY, now)
        return code

    def recover(self, code: str, player_id: str | None) -> PlayerRow:
        """Go on as the player whose recovery code this is, with what has been played here; give that player.

        Raises:
            WrongCode: nobody has it.

        """
        with self.store.writing() as tx:
            sealed = self._sealed(tx, code, self.clock())
            # What is looked for is keyed, so how long the search takes says nothing of the code; nor does the comparison.
            found = tx.token(sealed, TokenKind.RECOVERY)
            if found is None or not hmac.compare_digest(found.hash, sealed):
                raise WrongCode
            if player_id is not None:
                merge(tx, player_id, found.player_id)
            return living(tx, found.player_id)

    def _sealed(self, tx: Tx, code: str, now: datetime) -> str:
        """Give what is stored of a code; capitals and what stands between its words make no difference."""
        words = " ".join(code.translate(_BETWEEN_WORDS).casefold().split())
        key = tx.secret(_SECRET, lambda: secrets.token_bytes(_SECRET_BYTES), now)
        return hmac.new(key, words.encode(), "sha256").hexdigest()

    def delete(self, player_id: str | None) -> None:
        """Delete what is stored of a player: finished games stay, of nobody, so that ranks do; everything else is gone.

        Raises:
            Nobody: there is no such player.

        """
        with self.store.writing() as tx:
            player = _held(tx, player_id)
            tx.revoke_tokens_of(player.id)
            tx.anonymise(player.id, self.clock())


def cookie_of(player: PlayerRow) -> str:
    """Give what a cookie says: the id alone, with a number once other devices have been signed out."""
    return f"{player.id}.{player.generation}" if player.generation else player.id


@lru_cache(maxsize=1)
def code_words() -> tuple[str, ...]:
    """Give the words that recovery codes are made of.

    Source: the English list of BIP-39, 2,048 words of which no two begin with the same four letters.
    """
    return tuple(Path(__file__).with_name("code_words.txt").read_text(encoding="utf-8").split())


def living(tx: Reading, player_id: str | None) -> PlayerRow:
    """Give a player who has not been deleted.

    Raises:
        Nobody: there is no such player.

    """
    player = None if player_id is None else tx.player(player_id)
    if player is None or player.deleted_at is not None:
        raise Nobody
    return player


def _held(tx: Tx, player_id: str | None) -> PlayerRow:
    """Give a player who has not been deleted, whom nobody else changes until the end of the transaction.

    Raises:
        Nobody: there is no such player.

    """
    if player_id is not None:
        tx.hold_players((player_id,))
    return living(tx, player_id)


def _history(tx: Reading, player_id: str) -> History:
    return History(living(tx, player_id), *tx.games_counted(player_id))
