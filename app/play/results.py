"""What comes after a day: par and the best with hindsight, rank and board, the spread of all totals, a result that is shared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from threading import Lock

from app.coach.advice import Coach
from app.coach.hindsight import hindsight
from app.coach.par import par
from app.coach.sheet import Unsolvable
from app.coach.states import states
from app.coach.workings import LARGE
from app.daily import is_closed
from app.game.dice import Addressing, Dice, Stream
from app.game.errors import Unreadable
from app.game.notation import read_move, write_move
from app.game.rules import Ruleset
from app.game.state import Score, apply, start
from app.play.coaching import Coaches
from app.play.course import rules_of, stream_of
from app.play.days import Days
from app.play.errors import Deleted, NoCoach, NotReady, UnknownResult
from app.play.sights import Sight
from app.store import DayRow, ResultRow, Store

ROWS_A_PAGE = 25
"""Rows of a page of the board."""

SHORT_ID = 8
"""Letters of a game's id in the address of its result: enough to tell the games of a day apart, too few to guess the rest."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of the board: ranks run 1, 1, 3; `name` is None for those without one; `own`: it is the looker's."""

    rank: int
    name: str | None
    total: int
    game: str
    own: bool


@dataclass(frozen=True, slots=True)
class Board:
    """A page of the board, counted from 1. `final`: nothing can be added any more."""

    rows: tuple[BoardRow, ...]
    page: int
    pages: int
    count: int
    final: bool


@dataclass(frozen=True, slots=True)
class Spread:
    """All totals of a day: every total, the best first, with how many reached it; `rank` is the looker's, None without one."""

    totals: tuple[tuple[int, int], ...]
    rank: int | None

    @property
    def count(self) -> int:
        """Count the results."""
        return sum(count for _, count in self.totals)


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn of a line of play: the dice that were kept for, how many rolls they took, the box, and its points with all bonuses."""

    dice: Dice
    rolls: int
    box: str
    points: int


@dataclass(frozen=True, slots=True)
class Shared:
    """A result that somebody shares. `open`: its day has not closed, so that the game itself is not for everybody."""

    day: date
    ruleset: Ruleset
    result: ResultRow
    par: int | None
    open: bool


@dataclass(frozen=True)
class Results:
    """The use cases after a day, on the store, the days and the coaches."""

    store: Store
    days: Days
    coaches: Coaches
    _working: Lock = field(default_factory=Lock)

    def complete(self, sight: Sight, *, wait: bool = False, par_only: bool = False) -> Sight:
        """Work out par and best where the looker may see them and they are missing, and note them down for all.

        What somebody else is working out is left missing, and so is par while its table is missing; with `wait` it is waited for.
        `par_only` leaves the best as it is.
        """
        with_best = sight.closed and not par_only
        if not sight.may_see_others or (sight.par is not None and (sight.best is not None or not with_best)):
            return sight
        if self.store.read_only or not self._working.acquire(blocking=wait):
            return sight
        try:
            return self._complete(sight, wait=wait, with_best=with_best)
        finally:
            self._working.release()

    def _complete(self, sight: Sight, *, wait: bool, with_best: bool) -> Sight:
        with self.store.reading() as tx:
            row = self.days.row(tx, sight.day, sight.ruleset.id, sight.now)
        found = self._par(row, wait=wait) if row.par is None else row.par
        best, line = row.best, row.best_line
        if best is None and with_best:
            best, line = self._best(row)
        if (found, best) != (row.par, row.best):
            with self.store.writing() as tx:
                tx.add_days([row])
                if found is not None:
                    tx.note_par(row.day, row.ruleset, found)
                if best is not None and line is not None:
                    tx.note_best(row.day, row.ruleset, best, line)
        if not sight.closed:
            best = line = None
        return replace(sight, par=found, best=best, best_line=line)

    def _par(self, row: DayRow, *, wait: bool) -> int | None:
        rules = rules_of(row)
        try:
            if wait and self.coaches.knows(rules):
                self.coaches.tables.make(rules)
            coach: Coach = self.coaches.coach(rules)
        except (NotReady, NoCoach):
            return None
        return par(coach, stream_of(row))

    def _best(self, row: DayRow) -> tuple[int | None, str | None]:
        rules = rules_of(row)
        try:
            if row.addressing == Addressing.CONTINUOUS and states(rules).count >= LARGE:
                # This order asks for every number of rolls made before; with a card as large nobody could wait for that.
                return None, None
            found = hindsight(rules, stream_of(row))
        except Unsolvable:
            return None, None
        return found.total, " ".join(write_move(rules, move) for move in found.moves)

    def spread(self, sight: Sight) -> Spread:
        """Give all totals of a day and the looker's rank among them; nothing for those who may not see them yet."""
        if not sight.may_see_others:
            return Spread((), None)
        with self.store.reading() as tx:
            totals = tuple(tx.histogram(sight.day, sight.ruleset.id))
            entry = None if sight.attempt is None else tx.entry_of_game(sight.attempt.look.id)
        own = None if entry is None or entry.hidden else entry.total
        return Spread(totals, None if own is None else 1 + sum(count for total, count in totals if total > own))

    def board(self, sight: Sight, spread: Spread, page: int = 1) -> Board:
        """Give a page of the board of a day that the looker may see.

        Raises:
            Unreadable: `bad_page`: there is no such page.

        """
        pages = max(1, -(-spread.count // ROWS_A_PAGE))
        if not 1 <= page <= pages:
            raise Unreadable("bad_page", f"The board has the pages 1 to {pages}, not {page}.")
        offset = (page - 1) * ROWS_A_PAGE
        highest, before = begins(spread.totals, offset)
        with self.store.reading() as tx:
            found = tx.board(sight.day, sight.ruleset.id, highest, limit=ROWS_A_PAGE, offset=offset - before)
        own = sight.attempt.look.id if sight.attempt is not None else None
        rows = tuple(
            BoardRow(rank, None if row.deleted else row.name, row.total, row.game_id, row.game_id == own)
            for row, rank in zip(found, ranks([row.total for row in found], offset, before), strict=True)
        )
        return Board(rows, page, pages, spread.count, sight.closed)

    def shared(self, day: date, ruleset_id: str, short_id: str, now: datetime) -> Shared:
        """Find a result by its short address.

        Raises:
            UnknownResult: there is none.
            Deleted: whose it was has deleted it.
            UnknownDay, DayToCome, NoDaily: there is no such day.

        """
        with self.store.reading() as tx:
            row = self.days.row(tx, day, ruleset_id, now)
            found = tx.result_of(day, ruleset_id, short_id) if len(short_id) == SHORT_ID else None
        if found is None:
            raise UnknownResult
        if found.deleted:
            raise Deleted
        shown = replace(found, name=None) if found.hidden else found
        return Shared(day, rules_of(row), shown, self._noted_par(row), open=not is_closed(day, now))

    def _noted_par(self, row: DayRow) -> int | None:
        """Give a day's par, worked out and noted down where it is missing; None while somebody else does that."""
        if row.par is not None or self.store.read_only or not self._working.acquire(blocking=False):
            return row.par
        try:
            found = self._par(row, wait=False)
            if found is not None:
                with self.store.writing() as tx:
                    tx.note_par(row.day, row.ruleset, found)
            return found
        finally:
            self._working.release()


def begins(totals: Sequence[tuple[int, int]], offset: int) -> tuple[int, int]:
    """Say with which total the board goes on after so many results, and how many are above that total."""
    before = 0
    for total, count in totals:
        if offset < before + count:
            return total, before
        before += count
    return 0, before


def ranks(totals: Sequence[int], offset: int, before: int) -> Iterator[int]:
    """Give the ranks of totals that stand one below the other from `offset` on; `before` results are above the first total."""
    rank = before + 1
    for place, total in enumerate(totals):
        if place and total != totals[place - 1]:
            rank = offset + place + 1
        yield rank


def line_of_play(sight: Sight) -> tuple[PlayedTurn, ...]:
    """Play the best line of a closed day again, turn by turn; () where it is not known."""
    if sight.key is None or sight.best_line is None:
        return ()
    state, stream = start(sight.ruleset), Stream(sight.key, sight.addressing)
    turns: list[PlayedTurn] = []
    for text in sight.best_line.split():
        move = read_move(sight.ruleset, text)
        after = apply(state, move, stream)
        if isinstance(move, Score) and state.dice is not None:
            dice = tuple(sorted(state.dice))
            turns.append(PlayedTurn(dice, state.roll, move.box, after.seats[0].card.total - state.card.total))
        state = after
    return tuple(turns)
