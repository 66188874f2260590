"""The tables. A game is its ruleset, options, dice version, key and moves; scores and ends are projections of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.exc import DontWrapMixin
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
"""The migrations in order, as in their files; a database at any other revision was made by a later version."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


class NaiveTime(DontWrapMixin, ValueError):
    """A time without a zone: it means another moment on every machine."""


class Moment(TypeDecorator[datetime]):
    """A moment: aware datetimes in, aware UTC datetimes out. SQLite: UTC without a zone, PostgreSQL: timestamptz."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give UTC to the database.

        Raises:
            NaiveTime: the time has no zone.

        """
        if value is None:
            return None
        if value.tzinfo is None or value.utcoffset() is None:
            raise NaiveTime(f"{value!r} has no time zone.")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the moment in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


def _index_of(column: str, condition: str, name: str | None = None) -> Index:
    """Let an index have only some of the rows."""
    return Index(name, column, sqlite_where=text(condition), postgresql_where=text(condition))


players = Table(
    "players",
    metadata,
    Column("id", Text, nullable=False),
    Column("name", Text),
    Column("name_skeleton", Text),
    Column("settings", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("deleted_at", Moment),
    # Cookies of an earlier generation are of devices that were signed out.
    Column("generation", Integer, nullable=False, server_default=text("0")),
    PrimaryKeyConstraint("id"),
    UniqueConstraint("name_skeleton"),
)

# Ids of players whose history became another one's: their cookies, of that generation, stand for that player.
aliases = Table(
    "aliases",
    metadata,
    Column("id", Text, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    PrimaryKeyConstraint("id"),
    Index(None, "player_id"),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", Text, nullable=False),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("used_at", Moment),
    Column("expires_at", Moment),
    PrimaryKeyConstraint("hash"),
    Index(None, "player_id"),
)

games = Table(
    "games",
    metadata,
    Column("id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("dice_version", Integer, nullable=False),
    Column("addressing", Text, nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("corrections", Boolean, nullable=False),
    Column("shared_dice", Boolean, nullable=False),
    Column("first_seat", Integer, nullable=False),
    Column("finished_at", Moment),
    Column("abandoned_at", Moment),
    Column("assisted", Boolean, nullable=False),
    Column("hints", Integer, nullable=False, server_default=text("0")),
    Column("thrown", Boolean, nullable=False, server_default=false()),
    Column("day", Date),
    # Whether the dice have been added to `tallies`; those of a day's games are added with the day.
    Column("tallied", Boolean, nullable=False, server_default=false()),
    # The whole log of a game that ended some time ago; its rows are then no longer in `moves`, and its options stand
    # once for all such games in `option_sets`.
    Column("packed_log", LargeBinary),
    Column("option_set", Text),
    PrimaryKeyConstraint("id"),
    CheckConstraint("finished_at IS NULL OR abandoned_at IS NULL", name="one_end"),
    # Those whose logs are still to be packed.
    _index_of("finished_at", "packed_log IS NULL AND finished_at IS NOT NULL"),
    _index_of("abandoned_at", "packed_log IS NULL AND abandoned_at IS NOT NULL"),
    # Those whose dice are still to be counted.
    _index_of("finished_at", "NOT tallied AND finished_at IS NOT NULL AND day IS NULL", "ix_games_to_tally"),
)

option_sets = Table(
    "option_sets",
    metadata,
    Column("name", Text, nullable=False),
    Column("options", Text, nullable=False),
    PrimaryKeyConstraint("name"),
)

seats = Table(
    "seats",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player_id", ForeignKey("players.id")),
    Column("computer", Text),
    Column("score", Integer),
    PrimaryKeyConstraint("game_id", "seat"),
    CheckConstraint("seat >= 0", name="seat_from_0"),
    CheckConstraint("player_id IS NULL OR computer IS NULL", name="one_sitter"),
    # A player's games, records and statistics start here and find each game by its key.
    Index(None, "player_id", "game_id"),
    sqlite_with_rowid=False,
)

moves = Table(
    "moves",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("move", Text, nullable=False),
    Column("made_at", Moment, nullable=False),
    # This key decides between two writers. In SQLite the table is its index, so that a log lies together.
    PrimaryKeyConstraint("game_id", "seq"),
    CheckConstraint("seq >= 1", name="seq_from_1"),
    sqlite_with_rowid=False,
)

days = Table(
    "days",
    metadata,
    Column("day", Date, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("dice_version", Integer, nullable=False),
    Column("addressing", Text, nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("published_at", Moment, nullable=False),
    Column("par", Integer),
    Column("best", Integer),
    Column("best_line", Text),
    Column("excused", Boolean, nullable=False, server_default=false()),
    Column("tallied", Boolean, nullable=False, server_default=false()),
    PrimaryKeyConstraint("day", "ruleset"),
)

entries = Table(
    "entries",
    metadata,
    Column("day", Date, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("hidden", Boolean, nullable=False, server_default=false()),
    Column("total", Integer),
    Column("finished_at", Moment),
    # This key is the lock: one counted attempt a player, day and ruleset.
    PrimaryKeyConstraint("day", "ruleset", "player_id"),
    ForeignKeyConstraint(["day", "ruleset"], ["days.day", "days.ruleset"]),
    UniqueConstraint("game_id"),
    # Board, rank and histogram of a day are read from here.
    Index("ix_entries_board", "day", "ruleset", "hidden", "total", "finished_at", "game_id"),
    # Streak and calendar of a player.
    Index(None, "player_id", "ruleset"),
)

# How often each face came up, by whose dice they were: a projection of the games and closed days that are marked as tallied.
tallies = Table(
    "tallies",
    metadata,
    Column("who", Text, nullable=False),
    Column("face", Integer, nullable=False),
    Column("count", BigInteger, nullable=False),
    PrimaryKeyConstraint("who", "face"),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", Text, nullable=False),
    Column("value", LargeBinary, nullable=False),
    Column("created_at", Moment, nullable=False),
    PrimaryKeyConstraint("name"),
)

counters = Table(
    "counters",
    metadata,
    Column("name", Text, nullable=False),
    Column("count", Integer, nullable=False),
    Column("expires_at", Moment, nullable=False),
    PrimaryKeyConstraint("name"),
    sqlite_with_rowid=False,
)
