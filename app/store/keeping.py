"""Keeping the database small: logs of ended games packed into their games' rows, and what nobody needs cleared away."""

from __future__ import annotations

import hashlib
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from app.store import keeping_statements as say
from app.store.packing import Entry, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

_NAME_LENGTH = 8


class KeepingReading:
    """Questions about packed logs."""

    __slots__ = ()

    _connection: Connection

    def moments_of(self, game_id: str) -> list[datetime]:
        """Give when each entry of a game's log was made; of packed logs to the second."""
        found = list(self._connection.scalars(say.MOMENTS, {"game": game_id}))
        return found or [entry.made_at for entry in self._packed(game_id)]

    @property
    def connection(self) -> Connection:
        """The connection, for the store itself."""
        return self._connection

    def is_empty(self) -> bool:
        """Tell whether nobody has played here yet."""
        return not any(self._connection.scalar(count) for count in say.COUNTS.values())

    def _packed(self, game_id: str) -> list[Entry]:
        found = self._connection.execute(say.PACKED_LOG, {"game": game_id}).first()
        return [] if found is None else unpack(*found)

    def _packed_logs(self, ids: Sequence[str]) -> dict[str, list[str]]:
        rows = self._connection.execute(say.PACKED_LOGS, {"ids": ids}) if ids else ()
        return {game: [entry.move for entry in unpack(log, begun)] for game, log, begun in rows}

    def idle_players(self, before: datetime, after: str, most: int) -> list[str]:
        """Find players who have finished no game, moved nothing since then, and have no recovery code, by id, behind an id."""
        wanted = {"before": before, "after": after, "most": most}
        return list(self._connection.scalars(say.IDLE_PLAYERS, wanted))

    def still_idle(self, ids: Iterable[str], before: datetime) -> list[str]:
        """Give those of these players of whom that holds now as well."""
        return list(self._connection.scalars(say.STILL_IDLE, {"ids": list(ids), "before": before}))


class KeepingWriting(KeepingReading):
    """Packing and clearing."""

    __slots__ = ()

    def pack_ended(self, before: datetime, most: int) -> int:
        """Pack the logs of up to so many games that ended before; give how many."""
        found: list[tuple[str, datetime, str, str | None]] = []
        for question in say.TO_PACK:
            if len(found) < most:
                rows = self._connection.execute(question, {"before": before, "most": most - len(found)})
                found += [(game, begun, options, named) for game, begun, options, named in rows]
        if found:
            self._pack(found)
        return len(found)

    def _pack(self, found: Sequence[tuple[str, datetime, str, str | None]]) -> None:
        ids = [game for game, *_ in found]
        rows = self._connection.execute(say.LOGS, {"ids": ids})
        logs = {game: [Entry(move, at) for _, move, at in log] for game, log in groupby(rows, itemgetter(0))}
        names = {options: self._name(options) for options in {options for *_, options, named in found if named is None}}
        packed = []
        for game, begun, options, named in found:
            name = named or names[options]
            log = pack(logs.get(game, []), begun)
            packed.append({"game": game, "log": log, "chosen": "" if name else options, "named": name})
        self._connection.execute(say.PACK, packed)
        if self._connection.dialect.name == "sqlite":
            self._connection.execute(say.CLOSE_UP, [{"game": game} for game in ids])
        self._connection.execute(say.UNROLL, {"ids": ids})

    def _name(self, options: str) -> str | None:
        """Give the short name of a choice of options, None where another choice has it already."""
        name = hashlib.sha256(options.encode()).hexdigest()[:_NAME_LENGTH]
        self._connection.execute(say.NAME_OPTIONS, {"name": name, "options": options})
        return name if self._connection.scalar(say.OPTIONS_NAMED, {"name": name}) == options else None

    def forget_tokens(self, before: datetime) -> int:
        """Take away the tokens that had expired by then; give how many."""
        return self._connection.execute(say.FORGET_TOKENS, {"before": before}).rowcount

    def forget_counters(self, now: datetime) -> int:
        """Take away the counters that have expired; give how many."""
        return self._connection.execute(say.FORGET_COUNTERS, {"now": now}).rowcount

    def abandon_idle(self, before: datetime, now: datetime) -> int:
        """Give up the open games in which nothing has happened since then; give how many."""
        return self._connection.execute(say.ABANDON_IDLE, {"before": before, "now": now}).rowcount

    def forget_players(self, ids: Iterable[str]) -> int:
        """Take players away with the games that they have a seat in; give how many games."""
        wanted = {"ids": list(ids)}
        gone = self._connection.execute(say.FORGET_GAMES, wanted).rowcount
        self._connection.execute(say.FORGET_PLAYERS, wanted)
        return gone
