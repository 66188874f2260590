"""What a looker sees of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum

from app.daily import commitment_of, is_closed
from app.game.dice import DICE_VERSION, Addressing
from app.game.rules import TieBreak
from app.game.state import Outcome, Score, State, outcome
from app.play.course import Course, Event, replay, rules_of, scores_of, stream_of
from app.play.errors import DayOpen, NotYourSeat
from app.play.plan import Kind, Throws, throws_for_start
from app.store import EntryRow, GameRow, Reading, Status


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits there: the name shown, or the computer's level."""

    name: str | None = None
    computer: str | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """A game as one looker sees it.

    `viewer` is the seat that the looker plays, None for a read-only view; `key` is open after the end, of a day's game when the
    day has closed too. `last` is what the request just did, `others` what the other seats did since the viewer's last score.
    `hints` counts those asked for. `throws` are the dice that decided who began, () where none were thrown. `day` is the one whose
    dice are played, `day_open` tells that its count has not closed.
    """

    id: str
    kind: Kind
    state: State
    version: int
    status: Status
    addressing: Addressing
    commitment: str
    seats: tuple[SeatInfo, ...]
    viewer: int | None
    created_at: datetime
    finished_at: datetime | None = None
    key: bytes | None = None
    dice_version: int = DICE_VERSION
    last: tuple[Event, ...] = ()
    others: tuple[Event, ...] = ()
    hints: int = 0
    throws: Throws = ()
    day: date | None = None
    day_open: bool = False


class Asking(Enum):
    """Which boxes ask for a second tap: none, those that would score 0 while another open box would bring points, or all."""

    NEVER = "never"
    NEEDLESS_ZERO = "needless_zero"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Played:
    """What a move led to. Nothing happened when it is `repeated` (the same move had been made already) or `armed`.

    `armed` names the box that a confirmation is waited for.
    """

    look: Look
    repeated: bool = False
    armed: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game among the player's own of the same rules: `best` of the earlier ones, `mean` and `count` with this one.

    Only games without corrections or hints count; `new_best` is never set for an assisted game.
    """

    best: int | None
    new_best: bool
    mean: float | None
    count: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A finished game in a list: its row, the seat of the player who asks, and who won."""

    row: GameRow
    seat: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Difference:
    """A projection that was not what the log says."""

    game: str
    what: str
    stored: str
    counted: str


def look_of(row: GameRow, course: Course, player_id: str | None, now: datetime) -> Look:
    """Look at a game with a player's eyes; None looks as a stranger."""
    day_open = is_of_open_day(row, now)
    viewer = next((seat.seat for seat in row.seats if player_id is not None and seat.player_id == player_id), None)
    return Look(
        id=row.id,
        kind=kind_of(row, now),
        state=course.state,
        version=course.version,
        status=row.status,
        addressing=Addressing(row.addressing),
        commitment=commitment_of(row.key),
        seats=tuple(SeatInfo(seat.name, seat.computer) for seat in row.seats),
        viewer=viewer,
        created_at=row.created_at,
        finished_at=row.finished_at,
        key=key_of(row, now),
        dice_version=row.dice_version,
        others=_others(course.events, viewer),
        throws=throws_for_start(len(row.seats), stream_of(row)) if row.thrown else (),
        hints=row.hints,
        day=row.day,
        day_open=day_open,
    )


def key_of(row: GameRow, now: datetime) -> bytes | None:
    """Give a game's key once it tells no dice to come: after the end, of a day's game when the day has closed too."""
    return row.key if row.finished_at is not None and not is_of_open_day(row, now) else None


def is_of_open_day(row: GameRow, now: datetime) -> bool:
    """Tell whether a game is played on the dice of a day whose count has not closed."""
    return row.day is not None and not is_closed(row.day, now)


def kind_of(row: GameRow, now: datetime) -> Kind:
    """Say what a game is played for: a day's attempt that was not finished in time goes on as practice."""
    kind = Kind(row.kind)
    if kind is Kind.DAILY and row.status is Status.PLAYING and not is_of_open_day(row, now):
        return Kind.PRACTICE
    return kind


def _others(events: tuple[Event, ...], viewer: int | None) -> tuple[Event, ...]:
    """Give what the other seats did since the viewer's last score."""
    scores = [place for place, event in enumerate(events) if event.seat == viewer and isinstance(event.move, Score)]
    return tuple(event for event in events[scores[-1] + 1 if scores else 0 :] if event.seat != viewer)


def ended(row: GameRow, player_id: str, moves: Callable[[str], list[str]]) -> Ended:
    """Say how a finished game ended for a player; its log is asked for only where the scores do not tell who won."""
    seat = next(seat.seat for seat in row.seats if seat.player_id == player_id)
    rules = rules_of(row)
    if len(row.seats) > 1 and (rules.served_wins or rules.tie_break is TieBreak.UPPER_COUNT):
        found = outcome(replay(row, moves(row.id)).state)
    else:
        scores = [seat.score or 0 for seat in row.seats]
        winners = tuple(place for place, score in enumerate(scores) if score == max(scores))
        found = Outcome(winners, draw=len(winners) > 1)
    return Ended(row, seat, found or Outcome((), draw=False))


def check_may_see(tx: Reading, row: GameRow, look: Look, player_id: str | None) -> None:
    """Let those with a seat look, and everybody once the game is finished; while its day is open, those who have finished that day.

    Raises:
        NotYourSeat: the game is none of the looker's business yet.
        DayOpen: it is once the looker has finished that day, or the day has closed.

    """
    if look.viewer is not None:
        return
    if row.finished_at is None:
        raise NotYourSeat
    if row.day is not None and look.day_open and not has_finished(tx, row.day, row.ruleset, player_id):
        raise DayOpen


def has_finished(tx: Reading, day: date, ruleset: str, player_id: str | None) -> bool:
    """Tell whether a player has finished the counted attempt of a day."""
    entry = None if player_id is None else tx.entry(day, ruleset, player_id)
    return entry is not None and entry.total is not None


def differences(row: GameRow, moves: list[str], entry: EntryRow | None = None) -> list[Difference]:
    """Hold the projections of a game against its log; `entry` is the day's counted attempt that it is."""
    state = replay(row, moves).state
    pairs: dict[str, tuple[object, object]] = {
        "finished": (row.finished_at is not None, state.over),
        "assisted": (row.assisted, state.over and state.assisted),
    }
    scores = scores_of(state)
    pairs |= {f"score of seat {seat.seat}": (seat.score, scores[seat.seat]) for seat in row.seats}
    if entry is not None:
        pairs["result of the day"] = entry.total, counted_total(row, state)
    return [Difference(row.id, what, str(old), str(new)) for what, (old, new) in pairs.items() if old != new]


def counted_total(row: GameRow, state: State) -> int | None:
    """Give what a day's attempt counts: its total when it was finished in time."""
    if Kind(row.kind) is not Kind.DAILY or row.finished_at is None or not is_of_open_day(row, row.finished_at):
        return None
    return scores_of(state)[0]
