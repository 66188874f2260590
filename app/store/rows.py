"""What the store takes and gives: rows as values. Every time is an aware datetime in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from math import sqrt


class Status(StrEnum):
    """How far a game is."""

    PLAYING = "playing"
    FINISHED = "finished"
    ABANDONED = "abandoned"


class Deed(StrEnum):
    """What a transaction did that is worth counting."""

    MOVED = "moved"
    OPENED = "opened"
    FINISHED = "finished"


class TokenKind(StrEnum):
    """What a token is good for."""

    API = "api"
    DEVICE = "device"
    RECOVERY = "recovery"


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player. `settings` is JSON text; `name_skeleton` is the name with lookalikes folded, unique among players.

    `generation` counts how often other devices were signed out.
    """

    id: str
    created_at: datetime
    name: str | None = None
    name_skeleton: str | None = None
    settings: str = "{}"
    deleted_at: datetime | None = None
    generation: int = 0


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token of a player's by its hash; `used_at` is set when it could be spent and was."""

    hash: str
    player_id: str
    kind: str
    created_at: datetime
    used_at: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat, counted from 0: of a player, of a computer (its level), or free.

    `score` is set when the game is finished. `name` is the player's name; it is read only, never stored here.
    """

    seat: int
    player_id: str | None = None
    computer: str | None = None
    score: int | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game without its moves. `options` is JSON text of all chosen options, `key` the 32 secret bytes of its dice.

    `hints` counts those that were asked for; `thrown`: one die each decided on `first_seat`. `day` is the one whose dice these are.
    """

    id: str
    kind: str
    ruleset: str
    options: str
    dice_version: int
    addressing: str
    key: bytes
    created_at: datetime
    corrections: bool = False
    shared_dice: bool = False
    first_seat: int = 0
    finished_at: datetime | None = None
    abandoned_at: datetime | None = None
    assisted: bool = False
    hints: int = 0
    thrown: bool = False
    day: date | None = None
    seats: tuple[SeatRow, ...] = ()

    @property
    def status(self) -> Status:
        """How far the game is."""
        if self.finished_at is not None:
            return Status.FINISHED
        return Status.PLAYING if self.abandoned_at is None else Status.ABANDONED

    def __repr__(self) -> str:
        """Name the game only: the key must not get into a log by a traceback."""
        return f"GameRow({self.id!r})"


@dataclass(frozen=True, slots=True)
class DayRow:
    """A day of the daily challenge by one ruleset, as it was published; from then on this row counts.

    `options` is JSON text of all options, `key` the 32 bytes of the dice, secret until the day has closed, `commitment` its
    SHA-256 in hexadecimal. `par` is the perfect player's total, `best` the highest that was possible and `best_line` its moves;
    None while they are not worked out. `excused`: the day breaks no streak.
    """

    day: date
    ruleset: str
    options: str
    dice_version: int
    addressing: str
    key: bytes
    commitment: str
    published_at: datetime
    par: int | None = None
    best: int | None = None
    best_line: str | None = None
    excused: bool = False

    def __repr__(self) -> str:
        """Name the day only: the key must not get into a log by a traceback."""
        return f"DayRow({self.day.isoformat()!r}, {self.ruleset!r})"


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A player's one counted attempt of a day by a ruleset.

    `total` and `finished_at` are set when it was finished before the day closed. `hidden`: taken off the board by the operator.
    """

    day: date
    ruleset: str
    player_id: str
    game_id: str
    hidden: bool = False
    total: int | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PlayedDay:
    """A counted attempt in a player's calendar; `total` is None where it was not finished in time."""

    day: date
    game_id: str
    total: int | None
    par: int | None


@dataclass(frozen=True, slots=True)
class Figures:
    """What is known of a number of scores: how many, the best, their sum and the sum of their squares."""

    count: int = 0
    best: int | None = None
    total: int = 0
    squares: int = 0

    @property
    def mean(self) -> float | None:
        """The mean score, None without scores."""
        return self.total / self.count if self.count else None

    @property
    def deviation(self) -> float | None:
        """The sample standard deviation (divisor count - 1), None below two scores."""
        if self.count < 2:  # noqa: PLR2004  two is what the formula needs
            return None
        return sqrt((self.count * self.squares - self.total**2) / (self.count * (self.count - 1)))


@dataclass(frozen=True, slots=True)
class Totals:
    """A player's games of one sort: the scores of the finished ones, and how many were abandoned."""

    ruleset: str
    options: str
    kind: str
    assisted: bool
    finished: Figures
    abandoned: int
