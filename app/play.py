"""What a request means: open a game, look at it, move, abandon, remember. One transaction each.

    PlayError
    ├── UnknownGame     there is no such game
    ├── NotYourSeat     the looker may not see or move this game
    └── StaleGame       the game has moved on since the page was shown; carries the present look

The rules' own errors (`Unreadable`, `IllegalMove`) pass through. Nothing here knows of HTTP.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from app.clock import Clock
from app.game.dice import DICE_VERSION, KEY_BYTES, Addressing, Dice, Stream
from app.game.errors import IllegalMove, Reason
from app.game.notation import read_move, write_move
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from app.game.state import Move, Roll, Score, State, apply, legal, start
from app.store import GameRow, PlayerRow, Reading, SeatRow, Status, Store, Taken, TokenKind, Totals, Tx

# Without 0, o, 1, l and i, so that an id can be read out; 16 of 31 letters are 79 bits, too many to guess.
_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_ID_LENGTH = 16


class Kind(StrEnum):
    """What a game is played for."""

    SOLO = "solo"


class PlayError(Exception):
    """A request that cannot be carried out."""


class UnknownGame(PlayError):
    """There is no such game."""


class NotYourSeat(PlayError):
    """The looker has no seat in this game, and it is not open to others."""


class StaleGame(PlayError):
    """The game is not where the request saw it; `look` is the present one."""

    def __init__(self, look: Look) -> None:
        """Carry the present look."""
        super().__init__("the game has moved on")
        self.look = look


@dataclass(frozen=True, slots=True)
class Plan:
    """A game as it is asked for."""

    ruleset: Ruleset
    kind: Kind = Kind.SOLO
    addressing: Addressing = Addressing.BY_TURN
    corrections: bool = False


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits there: the name shown, or the computer's level."""

    name: str | None = None
    computer: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the log as it happened: the dice lie as after a roll or as they were scored; `points` and `extra` are a score's."""

    seat: int
    turn: int
    roll: int
    move: Move
    dice: Dice | None
    points: int = 0
    extra: int = 0


@dataclass(frozen=True, slots=True)
class Look:
    """A game as one looker sees it. `viewer` is the seat that the looker plays, None for a read-only view; `key` is open after the end."""

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


@dataclass(frozen=True, slots=True)
class Played:
    """What a move led to. Nothing happened when it is `repeated` (the same move had been made already) or `armed`.

    `armed` names the box that a score of 0 was asked for while another open box would bring points: a confirmation is waited for.
    """

    look: Look
    repeated: bool = False
    armed: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game among the player's own, same ruleset and options: `best` of the earlier ones, `mean` and `count` with this one.

    Only games without corrections or hints count; `new_best` is never set for an assisted game.
    """

    best: int | None
    new_best: bool
    mean: float | None
    count: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A projection that was not what the log says."""

    game: str
    what: str
    stored: str
    counted: str


@dataclass(frozen=True, slots=True)
class Play:
    """The use cases, on a store, a clock and a source of keys."""

    store: Store
    clock: Clock
    make_key: Callable[[], bytes] = field(default=lambda: secrets.token_bytes(KEY_BYTES))

    def open_game(self, player_id: str | None, plan: Plan) -> tuple[str, Look]:
        """Make a game, and the player's row with it where there is none yet; give the player's id and the game."""
        now = self.clock()
        key = self.make_key()
        with self.store.writing() as tx:
            player_id = _known_player(tx, player_id, now)
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
                seats=(SeatRow(0, player_id=player_id),),
            )
            tx.add_game(row)
        return player_id, _look(row, _begin(row), 0, player_id)

    def look(self, game_id: str, player_id: str | None) -> Look:
        """Look at a game: one's own, or a finished one of others.

        Raises:
            UnknownGame: there is none of this id.
            NotYourSeat: it belongs to others and is not finished.

        """
        with self.store.reading() as tx:
            row, moves = _load(tx, game_id)
        events: list[Event] = []
        state = _replay(row, moves, events)
        look = _look(row, state, len(moves), player_id)
        _check_may_see(row, look)
        return look

    def move(self, game_id: str, player_id: str | None, version: int, move: Move, *, ask: bool = False) -> Played:
        """Make a move that was chosen at `version`; the same move twice happens once.

        `ask`: a needless zero is not written but armed, so that a person can think again.

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

    def _move(self, game_id: str, player_id: str | None, version: int, move: Move, *, ask: bool) -> Played:
        with self.store.writing() as tx:
            row, moves = _load(tx, game_id)
            state = _replay(row, moves, [])
            look = _look(row, state, len(moves), player_id)
            _check_may_see(row, look)
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
            after = apply(state, move, _stream(row))
            if ask and isinstance(move, Score) and is_needless_zero(state, move.box):
                return Played(look, armed=move.box)
            now = self.clock()
            tx.append(game_id, version + 1, write_move(state.ruleset, move), now)
            if after.over:
                tx.finish(game_id, now, _scores(after), assisted=after.assisted)
                row = replace(row, finished_at=now, assisted=after.assisted)
        return Played(replace(_look(row, after, version + 1, player_id), last=(_event(state, move, after),)))

    def abandon(self, game_id: str, player_id: str | None, version: int) -> Look:
        """Give a game up; giving it up twice happens once.

        Raises:
            UnknownGame, NotYourSeat, StaleGame: as for `move`.
            IllegalMove: the game is finished.

        """
        with self.store.writing() as tx:
            row, moves = _load(tx, game_id)
            look = _look(row, _replay(row, moves, []), len(moves), player_id)
            _check_may_see(row, look)
            if look.viewer is None:
                raise NotYourSeat
            if look.status is Status.ABANDONED:
                return look
            if version != look.version:
                raise StaleGame(look)
            if look.status is Status.FINISHED:
                raise IllegalMove(Reason.GAME_OVER)
            row = replace(row, abandoned_at=self.clock())
            tx.abandon(game_id, self.clock())
        return _look(row, look.state, look.version, player_id)

    def log(self, game_id: str, player_id: str | None) -> tuple[Look, tuple[Event, ...]]:
        """Give every entry of a game with its dice.

        Raises:
            UnknownGame, NotYourSeat: as for `look`.

        """
        with self.store.reading() as tx:
            row, moves = _load(tx, game_id)
        events: list[Event] = []
        look = _look(row, _replay(row, moves, events), len(moves), player_id)
        _check_may_see(row, look)
        return look, tuple(events)

    def record(self, look: Look, player_id: str | None) -> Record | None:
        """Hold a finished solo game against the player's earlier ones; None for others' games and unfinished ones."""
        if look.viewer is None or player_id is None or look.finished_at is None:
            return None
        with self.store.reading() as tx:
            row = tx.game(look.id)
            before = tx.record_of(player_id, look.state.ruleset.id, options_text(look.state.ruleset), kind=look.kind, before=row)
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

    def games_of(self, player_id: str | None) -> tuple[list[Look], list[GameRow]]:
        """List the player's games: the open ones as they stand, newest first, and the rows of the latest finished ones."""
        if player_id is None:
            return [], []
        with self.store.reading() as tx:
            loaded = [(row, tx.moves(row.id)) for row in tx.games_of(player_id, Status.PLAYING, limit=20)]
            finished = tx.games_of(player_id, Status.FINISHED)
        return [_look(row, _replay(row, moves, []), len(moves), player_id) for row, moves in loaded], finished

    def totals(self, player_id: str | None) -> list[Totals]:
        """Sum up the player's games by ruleset, options, kind, and whether they were assisted."""
        if player_id is None:
            return []
        with self.store.reading() as tx:
            return tx.totals(player_id)

    def recount(self) -> list[Difference]:
        """Rebuild what is derived from the logs (ends, scores, assisted) where it differs, and say what differed."""
        with self.store.reading() as tx:
            suspects = [row.id for row, moves in tx.all_games() if _differences(row, moves)]
        found: list[Difference] = []
        for game_id in suspects:
            with self.store.writing() as tx:
                # Read again: the game may have gone on since.
                row, moves = _load(tx, game_id)
                found += _differences(row, moves)
                state = _replay(row, moves, [])
                ended = (row.finished_at or tx.last_move_at(game_id)) if state.over else None
                tx.project(game_id, ended, _scores(state), assisted=state.over and state.assisted)
        return found

    def new_player(self, name: str | None) -> tuple[str, str]:
        """Make a player with a token for the API; give the id and the token, which is stored only as a hash."""
        now = self.clock()
        player_id, token = new_id(), secrets.token_urlsafe(32)
        with self.store.writing() as tx:
            tx.add_player(PlayerRow(player_id, name=name, created_at=now))
            tx.add_token(hash_of(token), player_id, TokenKind.API, now)
        return player_id, token

    def player_of_token(self, token: str) -> str | None:
        """Find whose API token this is."""
        with self.store.reading() as tx:
            return tx.player_of_token(hash_of(token), TokenKind.API, self.clock())


def new_id() -> str:
    """Make an id for a game or a player."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def hash_of(token: str) -> str:
    """Give what is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def options_text(rules: Ruleset) -> str:
    """Write the chosen options as they are stored: equal choices are equal texts."""
    return json.dumps(dict(rules.options), separators=(",", ":"), sort_keys=True)


def rules_of(row: GameRow) -> Ruleset:
    """Give the ruleset that a stored game is played by."""
    return ruleset(row.ruleset, json.loads(row.options))


def is_needless_zero(state: State, box: str) -> bool:
    """Tell whether writing this box would score 0, all told, while another open box would bring points."""
    boxes = legal(state).boxes
    return boxes.get(box) == 0 and any(boxes.values())


def _known_player(tx: Tx, player_id: str | None, now: datetime) -> str:
    if player_id is not None and tx.player(player_id) is not None:
        return player_id
    player_id = new_id()
    tx.add_player(PlayerRow(player_id, created_at=now))
    return player_id


def _load(tx: Reading, game_id: str) -> tuple[GameRow, list[str]]:
    loaded = tx.load(game_id)
    if loaded is None:
        raise UnknownGame(game_id)
    return loaded


def _stream(row: GameRow) -> Stream:
    return Stream(row.key, Addressing(row.addressing))


def _begin(row: GameRow) -> State:
    return start(
        rules_of(row), len(row.seats), first=row.first_seat, shared_dice=row.shared_dice, corrections=row.corrections
    )


def _replay(row: GameRow, moves: list[str], events: list[Event]) -> State:
    """Replay a log, noting down what happened."""
    state, stream = _begin(row), _stream(row)
    for text in moves:
        move = read_move(state.ruleset, text)
        after = apply(state, move, stream)
        events.append(_event(state, move, after))
        state = after
    return state


def _scores(state: State) -> dict[int, int | None]:
    """Give what is stored of each seat: the total once the game is over."""
    return {seat: taken.card.total if state.over else None for seat, taken in enumerate(state.seats)}


def _differences(row: GameRow, moves: list[str]) -> list[Difference]:
    """Hold the projections of a game against its log."""
    state = _replay(row, moves, [])
    pairs: dict[str, tuple[object, object]] = {
        "finished": (row.finished_at is not None, state.over),
        "assisted": (row.assisted, state.over and state.assisted),
    }
    scores = _scores(state)
    pairs |= {f"score of seat {seat.seat}": (seat.score, scores[seat.seat]) for seat in row.seats}
    return [Difference(row.id, what, str(old), str(new)) for what, (old, new) in pairs.items() if old != new]


def _event(before: State, move: Move, after: State) -> Event:
    seat, turn = before.to_play, before.turn
    match move:
        case Roll():
            return Event(seat, turn, after.roll, move, after.dice)
        case Score(box):
            old, new = before.card, after.seats[seat].card
            points = new.points[before.ruleset.place(box)] or 0
            return Event(seat, turn, before.roll, move, before.dice, points, new.extra - old.extra)
        case _:
            return Event(seat, after.turn, after.roll, move, after.dice)


def _look(row: GameRow, state: State, version: int, player_id: str | None) -> Look:
    viewer = next((seat.seat for seat in row.seats if player_id is not None and seat.player_id == player_id), None)
    return Look(
        id=row.id,
        kind=Kind(row.kind),
        state=state,
        version=version,
        status=row.status,
        addressing=Addressing(row.addressing),
        commitment=hashlib.sha256(row.key).hexdigest(),
        seats=tuple(SeatInfo(seat.name, seat.computer) for seat in row.seats),
        viewer=viewer,
        created_at=row.created_at,
        finished_at=row.finished_at,
        key=row.key if row.finished_at is not None else None,
        dice_version=row.dice_version,
    )


def _check_may_see(row: GameRow, look: Look) -> None:
    if look.viewer is None and row.finished_at is None:
        raise NotYourSeat
