"""The daily challenge: days are published ahead, each player has one attempt that counts, closed days are there for practice."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Self

from app.clock import Clock
from app.daily import AHEAD, FIRST_DAY, ONE_DAY, Streak, begins_at, commitment_of, day_of, is_closed, key_of
from app.game.dice import DICE_VERSION, KEY_BYTES, Addressing
from app.game.errors import Unreadable
from app.game.rulesets import ruleset
from app.play import known_player, new_id
from app.play.calendar import Calendar
from app.play.course import load, options_text, replay, rules_of
from app.play.errors import DayOpen, DayToCome, NoDaily, UnknownDay
from app.play.looks import Look, look_of
from app.play.plan import Kind
from app.play.sights import Attempt, Sight, Standing, phase_of
from app.settings import Settings
from app.store import DayRow, EntryRow, GameRow, Reading, SeatRow, Status, Store, Taken, Tx

SECRET = "daily"  # noqa: S105 -- the name of the secret, not the secret
"""Where the daily secret is kept."""


@dataclass(frozen=True, slots=True)
class Dailies:
    """What the settings say of the daily: rulesets, the first one first, the order of the dice, a secret (None: the stored one)."""

    rulesets: tuple[str, ...] = ("classic", "yatzy")
    addressing: Addressing = Addressing.BY_TURN
    secret: bytes | None = field(default=None, repr=False)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Take them from the settings."""
        return cls(settings.dailies, Addressing(settings.daily_stream), settings.daily_secret)


@dataclass(frozen=True, slots=True)
class Opened:
    """A game that was asked for: whose it is, how it stands, and whether it was made just now."""

    player: str
    look: Look
    new: bool


@dataclass(frozen=True)
class Days:
    """The use cases of the daily, on a store, a clock, what the settings say, and a source of secrets."""

    store: Store
    clock: Clock
    dailies: Dailies = field(default_factory=Dailies)
    make_secret: Callable[[], bytes] = field(default=lambda: secrets.token_bytes(KEY_BYTES))
    _published: set[date] = field(default_factory=set)

    def publish(self, now: datetime | None = None) -> None:
        """Publish today and the days ahead that are not published yet; what is published never changes."""
        now = now or self.clock()
        today = day_of(now)
        if self.store.read_only:
            return
        with self.store.writing() as tx:
            secret = self.dailies.secret or tx.secret(SECRET, self.make_secret, now)
            tx.add_days(
                self._made(secret, id_, today + ahead * ONE_DAY, now)
                for id_ in self.dailies.rulesets
                for ahead in range(AHEAD + 1)
            )
        self._published.add(today)

    def today(self, player_id: str | None, ruleset_id: str | None = None) -> Sight:
        """See today; as `see`."""
        return self.see(player_id, day_of(self.clock()), ruleset_id)

    def todays(self, player_id: str | None) -> tuple[Sight, ...]:
        """See today by every ruleset that the settings give a daily, in their order."""
        now = self.now()
        with self.store.reading() as tx:
            rows = [self.row(tx, day_of(now), id_, now) for id_ in self.dailies.rulesets]
            return tuple(self._sight(tx, row, player_id, now) for row in rows)

    def see(self, player_id: str | None, day: date, ruleset_id: str | None = None) -> Sight:
        """See a day with a player's eyes; without a ruleset by the first that has a daily. Of days to come there is the commitment.

        Raises:
            UnknownDay: it lies before number 1.
            DayToCome: it lies so far ahead that it is not published yet.
            NoDaily: there is none by this ruleset.

        """
        now = self.now()
        id_ = self.dailies.rulesets[0] if ruleset_id is None else ruleset_id
        with self.store.reading() as tx:
            row = self.row(tx, day, id_, now)
            return self._sight(tx, row, player_id, now)

    def streak(self, player_id: str | None, ruleset_id: str) -> Streak:
        """Count the player's days in a row by a ruleset, from the results themselves."""
        return self.calendar(player_id, ruleset_id).streak

    def calendar(self, player_id: str | None, ruleset_id: str) -> Calendar:
        """Give what a player's calendar by a ruleset is made of.

        Raises:
            NoDaily: there is none by this ruleset.

        """
        now = self.now()
        with self.store.reading() as tx:
            # One that has no daily any more keeps the days that it had.
            if ruleset_id not in self.dailies.rulesets and not tx.days_between(ruleset_id, FIRST_DAY, day_of(now)):
                raise self._no_daily(ruleset_id)
            played = [] if player_id is None else tx.played(player_id, ruleset_id)
            return Calendar(now, tuple(played), frozenset(tx.excused(ruleset_id)))

    def rulesets_on(self, day: date) -> tuple[str, ...]:
        """Name the rulesets that a day can be played by, those of the settings first."""
        with self.store.reading() as tx:
            published = tx.rulesets_on(day)
        return (*self.dailies.rulesets, *(id_ for id_ in published if id_ not in self.dailies.rulesets))

    def begin(self, player_id: str | None, ruleset_id: str | None = None) -> Opened:
        """Begin the player's counted attempt of today, or open the one there is.

        Raises:
            NoDaily: there is none by this ruleset.

        """
        now = self.now()
        try:
            return self._begin(player_id, ruleset_id or self.dailies.rulesets[0], now)
        except Taken:
            # Another request of the same player was first: its attempt is the one.
            return self._begin(player_id, ruleset_id or self.dailies.rulesets[0], now)

    def _begin(self, player_id: str | None, ruleset_id: str, now: datetime) -> Opened:
        with self.store.writing() as tx:
            row = self.row(tx, day_of(now), ruleset_id, now)
            player_id = known_player(tx, player_id, now)
            entry = tx.entry(row.day, row.ruleset, player_id)
            if entry is not None:
                game, moves = load(tx, entry.game_id)
                return Opened(player_id, look_of(game, replay(game, moves), player_id, now), new=False)
            row = _stored(tx, row)
            game = _game(row, Kind.DAILY, player_id, now)
            tx.add_game(game)
            if not tx.add_entry(EntryRow(row.day, row.ruleset, player_id, game.id)):
                raise Taken(game.id, 0)
            return Opened(player_id, _fresh(tx, game, player_id, now), new=True)

    def practise(
        self, player_id: str | None, day: date, ruleset_id: str | None = None, *, corrections: bool = False
    ) -> Opened:
        """Open a game on the dice of a closed day; it never counts.

        Raises:
            UnknownDay, NoDaily: as for `see`.
            DayToCome, DayOpen: it has not begun, or not closed.

        """
        now = self.now()
        with self.store.writing() as tx:
            row = self.row(tx, day, ruleset_id or self.dailies.rulesets[0], now)
            if day > day_of(now):
                raise DayToCome
            if not is_closed(day, now):
                raise DayOpen
            player_id = known_player(tx, player_id, now)
            row = _stored(tx, row)
            game = replace(_game(row, Kind.PRACTICE, player_id, now), corrections=corrections)
            tx.add_game(game)
            return Opened(player_id, _fresh(tx, game, player_id, now), new=True)

    def excuse(self, day: date, ruleset_id: str | None = None) -> tuple[str, ...]:
        """Let a day break no streak, by one ruleset or by all of the day, and name them.

        Raises:
            UnknownDay, DayToCome, NoDaily: as for `see`.

        """
        now = self.now()
        with self.store.writing() as tx:
            named = (ruleset_id,) if ruleset_id else self.dailies.rulesets
            chosen = dict.fromkeys((*named, *(tx.rulesets_on(day) if ruleset_id is None else ())))
            for id_ in chosen:
                tx.add_days([self.row(tx, day, id_, now)])
                tx.excuse(day, id_)
        return tuple(chosen)

    def hide(self, day: date, player: str, ruleset_id: str | None = None) -> tuple[str, ...]:
        """Take a player, by id or name, off the board of a day, and name the rulesets in which there was an attempt."""
        with self.store.writing() as tx:
            chosen = (ruleset_id,) if ruleset_id else tx.rulesets_on(day)
            ids = [player] if tx.player(player) is not None else tx.players_named(player)
            return tuple(id_ for id_ in chosen if sum(tx.hide(day, id_, one) for one in ids))

    def row(self, tx: Reading, day: date, ruleset_id: str, now: datetime) -> DayRow:
        """Give a day as it was published; one of before the server's first follows from the same secret.

        Raises:
            As `see`.

        """
        found = tx.day(day, ruleset_id)
        if found is not None:
            return found
        if day < FIRST_DAY:
            raise UnknownDay
        if ruleset_id not in self.dailies.rulesets:
            raise self._no_daily(ruleset_id)
        today = day_of(now)
        if day > today:
            raise DayToCome
        secret = self.dailies.secret or tx.stored_secret(SECRET)
        if secret is None:
            raise UnknownDay
        made = self._made(secret, ruleset_id, day, now)
        # What the settings say of the order of the dice is for days published from now on.
        return made if day == today else replace(made, addressing=Addressing.BY_TURN.value)

    def _no_daily(self, ruleset_id: str) -> NoDaily:
        return NoDaily(f"{ruleset_id!r} has no daily; {', '.join(self.dailies.rulesets)} have one.")

    def now(self) -> datetime:
        """Give the present moment, with the days published that are due at it."""
        now = self.clock()
        if day_of(now) not in self._published:
            self.publish(now)
        return now

    def _made(self, secret: bytes, ruleset_id: str, day: date, now: datetime) -> DayRow:
        key = key_of(secret, ruleset_id, day)
        return DayRow(
            day=day,
            ruleset=ruleset_id,
            options=options_text(ruleset(ruleset_id)),
            dice_version=DICE_VERSION,
            addressing=self.dailies.addressing.value,
            key=key,
            commitment=commitment_of(key),
            published_at=now,
        )

    def _sight(self, tx: Reading, row: DayRow, player_id: str | None, now: datetime) -> Sight:
        phase = phase_of(row.day, now)
        sight = Sight(
            day=row.day,
            ruleset=rules_of(row),
            addressing=Addressing(row.addressing),
            dice_version=row.dice_version,
            commitment=row.commitment,
            phase=phase,
            sealed=row.published_at < begins_at(row.day),
            excused=row.excused,
            now=now,
            attempt=_attempt(tx, row, player_id, now),
        )
        if sight.may_see_others:
            sight = replace(sight, par=row.par)
        if sight.closed:
            sight = replace(sight, key=row.key, best=row.best, best_line=row.best_line)
        return sight


def read_day(text: str) -> date:
    """Read a date such as 2026-11-29.

    Raises:
        Unreadable: `bad_day`.

    """
    try:
        # The strict form alone: Python would read others too, such as 2026-W48-7.
        return date.fromisoformat(text if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else "")
    except ValueError:
        raise Unreadable("bad_day", f"{text[:40]!r} is not a date such as 2026-11-29.") from None


def _attempt(tx: Reading, row: DayRow, player_id: str | None, now: datetime) -> Attempt | None:
    entry = None if player_id is None else tx.entry(row.day, row.ruleset, player_id)
    if entry is None:
        return None
    game, moves = load(tx, entry.game_id)
    look = look_of(game, replay(game, moves), player_id, now)
    if entry.total is not None:
        standing = Standing.FINISHED
    elif look.status is Status.ABANDONED:
        standing = Standing.GIVEN_UP
    else:
        standing = Standing.PLAYING if look.kind is Kind.DAILY else Standing.LAPSED
    return Attempt(look, standing, entry.total)


def _stored(tx: Tx, row: DayRow) -> DayRow:
    """Write a day down where it is not, and give it as it stands: from its first game on it stays so, whatever the secret."""
    tx.add_days([row])
    return tx.day(row.day, row.ruleset) or row


def _game(row: DayRow, kind: Kind, player_id: str, now: datetime) -> GameRow:
    return GameRow(
        id=new_id(),
        kind=kind.value,
        ruleset=row.ruleset,
        options=row.options,
        dice_version=row.dice_version,
        addressing=row.addressing,
        key=row.key,
        created_at=now,
        day=row.day,
        seats=(SeatRow(0, player_id=player_id),),
    )


def _fresh(tx: Tx, game: GameRow, player_id: str, now: datetime) -> Look:
    """Look at a game that was just made, with its player's name."""
    row = tx.game(game.id) or game
    return look_of(row, replay(row, []), player_id, now)
