"""What a request means: open a game, look at it, move, abandon, remember. One transaction each."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from app.clock import Clock
from app.game.dice import DICE_VERSION, KEY_BYTES, Stream
from app.game.errors import IllegalMove, Reason
from app.game.notation import write_move
from app.game.state import Move, Score, State, legal
from app.play.course import Course, Courses, Event, begin, load, options_text, plan_of, replay, scores_of, stream_of
from app.play.errors import NotReady, NotYourSeat, PlayError, StaleGame, UnknownGame
from app.play.identity import known_player, new_id
from app.play.looks import (
    Asking,
    Difference,
    Ended,
    Look,
    Played,
    Record,
    SeatInfo,
    check_may_see,
    counted_total,
    differences,
    ended,
    look_of,
)
from app.play.plan import MAX_OPPONENTS, Computers, Kind, NoComputers, Plan, Start, check_plan, first_seat
from app.store import (
    EntryRow,
    GameRow,
    Reading,
    SeatRow,
    Status,
    Store,
    Taken,
    Totals,
    Tx,
)

__all__ = [
    "MAX_OPPONENTS", "Asking", "Computers", "Difference", "Ended", "Event", "Kind", "Look", "NotReady", "NotYourSeat", "Plan",
    "Play", "PlayError", "Played", "Record", "SeatInfo", "StaleGame", "Start", "UnknownGame", "known_player", "new_id",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Play:
    """The use cases, on a store, a clock and a source of keys."""

    store: Store
    clock: Clock
    make_key: Callable[[], bytes] = field(default=lambda: secrets.token_bytes(KEY_BYTES))
    computers: Computers = field(default_factory=NoComputers)
    courses: Courses = field(default_factory=Courses)

    def open_game(self, player_id: str | None, plan: Plan) -> tuple[str, Look]:
        """Make a game, and the player's row with it where there is none yet; give the player's id and the game."""
        check_plan(plan)
        self._check_computers(plan)
        now = self.clock()
        key = self.make_key()
        with self.store.writing() as tx:
            player_id = known_player(tx, player_id, now)
            row = GameRow(
                id=new_id(),
                kind=plan.kind.value,
                ruleset=plan.ruleset.id,
                options=options_text(plan.ruleset),
                dice_version=DICE_VERSION,
                addressing=plan.addressing.value,
                key=key,
                created_at=now,
                corrections=plan.corrections,
                shared_dice=plan.same_dice,
                first_seat=first_seat(plan, Stream(key, plan.addressing)),
                thrown=plan.start is Start.SINGLE_DIE,
                seats=(
                    SeatRow(0, player_id=player_id),
                    *(SeatRow(seat, computer=level) for seat, level in enumerate(plan.levels, start=1)),
                ),
            )
            tx.add_game(row)
            row = tx.game(row.id) or row  # with the players' names
            course = self._let_computers_play(tx, row, Course(begin(row)), now)
        return player_id, look_of(row, course, player_id, now)

    def look(self, game_id: str, player_id: str | None) -> Look:
        """Look at a game: one's own, or a finished one of others.

        Raises:
            UnknownGame: there is none of this id.
            NotYourSeat: it belongs to others and is not finished.

        """
        with self.store.reading() as tx:
            row, moves = load(tx, game_id)
            look = look_of(row, self.courses.replay(row, moves), player_id, self.clock())
            check_may_see(tx, row, look, player_id)
        return look

    def move(
        self, game_id: str, player_id: str | None, version: int, move: Move, *, ask: Asking = Asking.NEVER
    ) -> Played:
        """Make a move that was chosen at `version`; the same move twice happens once.

        `ask`: which boxes are not written but armed, so that a person can think again.

        Raises:
            UnknownGame, NotYourSeat: as for `look`; only one's own games can be moved.
            StaleGame: the game is at another version.
            IllegalMove, Unreadable: the rules refuse the move.

        """
        try:
            return self._move(game_id, player_id, version, move, ask=ask)
        except Taken:
            # Another writer was first with this entry: look again, and it is a repeat or stale.
            return self._move(game_id, player_id, version, move, ask=ask)

    def _move(self, game_id: str, player_id: str | None, version: int, move: Move, *, ask: Asking) -> Played:
        now = self.clock()
        with self.store.writing() as tx:
            row, moves = load(tx, game_id)
            course = self.courses.replay(row, moves)
            state, look = course.state, look_of(row, course, player_id, now)
            check_may_see(tx, row, look, player_id)
            if look.viewer is None:
                raise NotYourSeat
            if version != look.version:
                if 0 <= version < look.version and moves[version] == write_move(state.ruleset, move):
                    return Played(look, repeated=True)
                raise StaleGame(look)
            if look.status is not Status.PLAYING:
                raise IllegalMove(Reason.GAME_OVER)
            if state.to_play != look.viewer:
                raise IllegalMove(Reason.NOT_YOUR_TURN)
            after = course.and_then(move, stream_of(row))
            if isinstance(move, Score) and is_asked(ask, state, move.box):
                return Played(look, armed=move.box)
            tx.append(game_id, version + 1, write_move(state.ruleset, move), now)
            row = _lapsed(tx, row, look)
            after = self._let_computers_play(tx, row, after, now)
            if after.state.over:
                row = _finish(tx, row, after.state, now)
        return Played(replace(look_of(row, after, player_id, now), last=after.events[version:]))

    def _check_computers(self, plan: Plan) -> None:
        waits = [self.computers.seconds_to_wait(plan.ruleset, level) for level in plan.levels]
        if any(waits):
            raise NotReady(max(waits))

    def _let_computers_play(self, tx: Tx, row: GameRow, course: Course, now: datetime) -> Course:
        """Make the moves of computers until it is a person's turn; they are part of the same transaction."""
        levels = {seat.seat: seat.computer for seat in row.seats}
        stream = stream_of(row)
        while not course.state.over and (level := levels[course.state.to_play]) is not None:
            move = self.computers.choose(course.state, level)
            course = course.and_then(move, stream)
            tx.append(row.id, course.version, write_move(course.state.ruleset, move), now)
        return course

    def abandon(self, game_id: str, player_id: str | None, version: int) -> Look:
        """Give a game up; giving it up twice happens once.

        Raises:
            UnknownGame, NotYourSeat, StaleGame: as for `move`.
            IllegalMove: the game is finished.

        """
        now = self.clock()
        with self.store.writing() as tx:
            row, moves = load(tx, game_id)
            course = replay(row, moves)
            look = look_of(row, course, player_id, now)
            check_may_see(tx, row, look, player_id)
            if look.viewer is None:
                raise NotYourSeat
            if look.status is Status.ABANDONED:
                return look
            if version != look.version:
                raise StaleGame(look)
            if look.status is Status.FINISHED:
                raise IllegalMove(Reason.GAME_OVER)
            row = replace(_lapsed(tx, row, look), abandoned_at=now)
            tx.abandon(game_id, now)
        return look_of(row, course, player_id, now)

    def log(self, game_id: str, player_id: str | None) -> tuple[Look, tuple[Event, ...]]:
        """Give every entry of a game with its dice.

        Raises:
            UnknownGame, NotYourSeat: as for `look`.

        """
        with self.store.reading() as tx:
            row, moves = load(tx, game_id)
            course = replay(row, moves)
            look = look_of(row, course, player_id, self.clock())
            check_may_see(tx, row, look, player_id)
        return look, course.events

    def record(self, look: Look, player_id: str | None) -> Record | None:
        """Hold a finished solo game against the player's earlier ones; None for others' games and unfinished ones."""
        if look.viewer is None or player_id is None or look.finished_at is None:
            return None
        with self.store.reading() as tx:
            row = tx.game(look.id)
            before = tx.record_of(
                player_id, look.state.ruleset.id, options_text(look.state.ruleset), kind=look.kind, before=row
            )
        if look.state.assisted:
            return Record(before.best, new_best=False, mean=before.mean, count=before.count)
        score = look.state.seats[look.viewer].card.total
        count = before.count + 1
        return Record(
            before.best,
            new_best=before.best is None or score > before.best,
            mean=(before.total + score) / count,
            count=count,
        )

    def games_of(self, player_id: str | None) -> tuple[list[Look], list[Ended]]:
        """List the player's games: the open ones as they stand, newest first, and how the latest finished ones ended."""
        if player_id is None:
            return [], []
        with self.store.reading() as tx:
            loaded = [(row, tx.moves(row.id)) for row in tx.games_of(player_id, Status.PLAYING, limit=20)]
            finished = [ended(row, player_id, tx.moves) for row in tx.games_of(player_id, Status.FINISHED)]
        now = self.clock()
        return [look_of(row, replay(row, moves), player_id, now) for row, moves in loaded], finished

    def last_plan(self, player_id: str | None) -> Plan | None:
        """Plan another game like the one that the player opened last."""
        if player_id is None:
            return None
        with self.store.reading() as tx:
            rows = [row for status in Status for row in tx.games_of(player_id, status, limit=1)]
        return plan_of(max(rows, key=lambda row: row.created_at)) if rows else None

    def totals(self, player_id: str | None) -> list[Totals]:
        """Sum up the player's games by ruleset, options, kind, and whether they were assisted."""
        if player_id is None:
            return []
        with self.store.reading() as tx:
            return tx.totals(player_id)

    def recount(self) -> list[Difference]:
        """Rebuild what is derived from the logs (ends, scores, assisted) where it differs, and say what differed."""
        with self.store.reading() as tx:
            suspects = [row.id for row, moves in tx.all_games() if differences(row, moves, _entry_of(tx, row))]
        found: list[Difference] = []
        for game_id in suspects:
            with self.store.writing() as tx:
                # Read again: the game may have gone on since.
                row, moves = load(tx, game_id)
                entry = _entry_of(tx, row)
                found += differences(row, moves, entry)
                state = replay(row, moves).state
                ended = (row.finished_at or tx.last_move_at(game_id)) if state.over else None
                tx.project(game_id, ended, scores_of(state), assisted=state.over and state.assisted)
                if entry is not None:
                    total = counted_total(replace(row, finished_at=ended), state)
                    tx.count_result(game_id, total, None if total is None else ended)
        return found


def is_asked(ask: Asking, state: State, box: str) -> bool:
    """Tell whether a box waits for a second tap."""
    match ask:
        case Asking.NEVER:
            return False
        case Asking.NEEDLESS_ZERO:
            return is_needless_zero(state, box)
        case Asking.ALWAYS:
            return True


def is_needless_zero(state: State, box: str) -> bool:
    """Tell whether writing this box would score 0, all told, while another open box would bring points."""
    boxes = legal(state).boxes
    return boxes.get(box) == 0 and any(boxes.values())


def _lapsed(tx: Tx, row: GameRow, look: Look) -> GameRow:
    """Make practice of a day's attempt that goes on after the close."""
    if row.kind == look.kind:
        return row
    tx.lapse(row.id)
    return replace(row, kind=look.kind.value)


def _finish(tx: Tx, row: GameRow, state: State, now: datetime) -> GameRow:
    """Note the end of a game, and the result of the day where it is the attempt that counts."""
    tx.finish(row.id, now, scores_of(state), assisted=state.assisted)
    row = replace(row, finished_at=now, assisted=state.assisted)
    if row.kind == Kind.DAILY:
        tx.count_result(row.id, counted_total(row, state), now)
    return row


def _entry_of(tx: Reading, row: GameRow) -> EntryRow | None:
    return None if row.day is None else tx.entry_of_game(row.id)
