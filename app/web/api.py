"""The JSON API, /api/v1: the same use cases as the pages, for scripts, clients and computer players."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from app.game.dice import Addressing
from app.game.errors import Reason, Unreadable
from app.game.notation import write_move
from app.game.rulesets import VARIANTS, ruleset
from app.game.state import Legal, Move, Roll, Score, Undo, legal, outcome
from app.play import MAX_OPPONENTS, Event, Kind, Look, Plan, Start
from app.play.days import Opened, read_day
from app.play.names import read_name
from app.store import Status
from app.web.limiting import NEW_PLAYERS
from app.web.service import ApiPlayer, Served, Service
from app.web.words import words

API = "/api/v1"
MAX_NAME = 200
"""Characters that are looked at; how many letters these are is said by `read_name`."""
router = APIRouter(prefix=API)


class Body(BaseModel):
    """A request body: unknown keys are refused, and types are taken at their word."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewPlayer(Body):
    """Ask for a player and a token."""

    name: Annotated[str, Field(max_length=MAX_NAME)] | None = None


class NewGame(Body):
    """Ask for a game."""

    kind: Literal["solo", "computer", "daily", "practice"] = "solo"
    ruleset: str
    day: str | None = None
    options: dict[str, StrictBool | StrictInt | StrictStr] = {}
    addressing: Literal["by_turn", "continuous"] = "by_turn"
    corrections: bool = False
    levels: Annotated[list[str], Field(max_length=MAX_OPPONENTS)] = []
    same_dice: bool = False
    start: Literal["human_first", "single_die"] = "human_first"


class MoveBody(Body):
    """A move, chosen at a version."""

    version: Annotated[int, Field(ge=0)]
    action: Literal["roll", "score", "undo"]
    keep: list[int] | None = None
    box: str | None = None

    def move(self) -> Move:
        """Read the move.

        Raises:
            Unreadable: `bad_request`, when the fields do not fit the action.

        """
        match self.action:
            case "roll" if self.box is None:
                return Roll(tuple(self.keep or ()))
            case "score" if self.box is not None and self.keep is None:
                return Score(self.box)
            case "undo" if self.box is None and self.keep is None:
                return Undo()
        raise Unreadable("bad_request", "A roll has keep, a score has box, an undo has neither.")


class AbandonBody(Body):
    """Give a game up, as seen at a version."""

    version: Annotated[int, Field(ge=0)]


class Problem(BaseModel):
    """What went wrong: a stable code, a sentence in English, and details."""

    code: str
    message: str
    details: dict[str, Any] = {}


class Failure(BaseModel):
    """The body of every answer that is not a success."""

    error: Problem


class LegalModel(BaseModel):
    """What may be done now; `boxes` gives the points of each box that may be chosen."""

    roll: bool
    undo: bool
    boxes: dict[str, int]


class SeatModel(BaseModel):
    """One card: points of every box (null: open), the sum of the upper boxes, the bonuses, the total."""

    seat: int
    name: str | None
    computer: str | None
    card: dict[str, int | None]
    upper: int
    upper_bonus: int
    extra_bonus: int
    total: int


class OutcomeModel(BaseModel):
    """Who won."""

    winners: list[int]
    draw: bool


class GameModel(BaseModel):
    """A game as it stands."""

    id: str
    kind: str
    ruleset: str
    options: dict[str, bool | int | str]
    addressing: str
    commitment: str
    version: int
    status: Literal["playing", "finished", "abandoned"]
    to_play: int | None
    turn: int
    roll: int
    rolls_left: int
    pool: int | None
    dice: list[int] | None
    kept: list[int]
    locked: list[int]
    legal: LegalModel
    closed: dict[str, str]
    seats: list[SeatModel]
    assisted: bool
    day: str | None
    outcome: OutcomeModel | None


class PlayerModel(BaseModel):
    """A player, with the token that is shown this once."""

    id: str
    token: str


class RulesetModel(BaseModel):
    """A ruleset with its options, the default value first."""

    id: str
    name: str
    dice: int
    rolls: int
    boxes: list[str]
    options: dict[str, list[bool | int | str]]


class EntryModel(BaseModel):
    """One entry of the log: the move in short notation, and the dice after it (a score: the dice that were scored)."""

    version: int
    seat: int
    turn: int
    roll: int
    move: str
    dice: list[int] | None
    box: str | None
    points: int | None
    extra: int | None


class LogModel(BaseModel):
    """How the dice of a game came about; `key` is null until the end."""

    id: str
    ruleset: str
    options: dict[str, bool | int | str]
    dice_version: int
    addressing: str
    commitment: str
    key: str | None
    moves: list[EntryModel]


FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"model": Failure, "description": text}
    for status, text in {
        400: "Malformed JSON, or a host that this server does not answer for",
        401: "No token, or one that is not known",
        403: "Somebody else's game, or a request from another site",
        404: "No such thing",
        409: "The game is at another version; `details.game` is the present one",
        413: "The body is over 16 kB",
        415: "The body is not JSON",
        422: "Understood, but refused: the code says why",
        429: "Too often; Retry-After says for how many seconds to wait",
        503: "A computer player is still working the game out; Retry-After says for how long",
    }.items()
}


def _failures(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: FAILURES[status] for status in statuses}


_POST_FAILURES = (400, 401, 403, 413, 415, 422)


async def json_only(request: Request) -> None:
    """Refuse a body that is not JSON.

    Raises:
        NotJson: answered with 415.

    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not kind and request.headers.get("content-length", "0") == "0":
        return  # No body at all: the fields are missed by name.
    if kind != "application/json" and not kind.endswith("+json"):
        raise NotJsonError


class NotJsonError(Exception):
    """The body of a request to the API is not JSON."""


JsonOnly = Depends(json_only)


@router.post("/players", status_code=201, dependencies=[JsonOnly], responses=_failures(400, 403, 413, 415, 422, 429))
def make_player(body: NewPlayer, served: Served, request: Request) -> PlayerModel:
    """Make a player; the answer holds the token for the Authorization header, shown this once."""
    name = None if body.name is None else read_name(body.name)
    served.limiter.count(NEW_PLAYERS, request)
    player_id, token = served.play.new_player(name)
    return PlayerModel(id=player_id, token=token)


@router.get("/rulesets")
def list_rulesets() -> list[RulesetModel]:
    """List every ruleset with its options, the default value first."""
    english = words("en")
    return [
        RulesetModel(
            id=variant.id,
            name=english.ruleset(variant.id),
            dice=rules.dice,
            rolls=rules.rolls,
            boxes=list(rules.index),
            options={option.name: list(option.values) for option in variant.options},
        )
        for variant in VARIANTS
        for rules in [ruleset(variant.id)]
    ]


@router.post(
    "/games",
    status_code=201,
    dependencies=[JsonOnly],
    response_model=GameModel,
    responses={200: {"model": GameModel}, **_failures(*_POST_FAILURES, 404, 429, 503)},
)
def make_game(body: NewGame, player: ApiPlayer, served: Served, request: Request) -> JSONResponse:
    """Make a game; a daily attempt that the player has begun already is given again, with 200."""
    served.count_game(request, player)
    if body.kind in _OF_A_DAY:
        opened = _open_of_day(body, player, served)
        return JSONResponse(game_json(opened.look), status_code=201 if opened.new else 200)
    if body.day is not None:
        raise Unreadable("bad_request", "Only a practice game has a day.")
    rules = ruleset(body.ruleset, body.options)
    plan = Plan(
        rules,
        Kind(body.kind),
        Addressing(body.addressing),
        corrections=body.corrections,
        levels=tuple(body.levels),
        same_dice=body.same_dice,
        start=Start(body.start),
    )
    _, look = served.play.open_game(player, plan)
    return JSONResponse(game_json(look), status_code=201)


_OF_A_DAY = {"daily": ("kind", "ruleset"), "practice": ("kind", "ruleset", "day", "corrections")}
"""What is said of a game on the dice of a day, by its kind; all else is the day's."""


def _open_of_day(body: NewGame, player: str, served: Service) -> Opened:
    """Open a game on the dice of a day.

    Raises:
        Unreadable: `bad_request`, when more or less is said than its kind asks for.

    """
    asked = _OF_A_DAY[body.kind]
    wrong = [name for name in body.model_fields_set.difference(asked) if getattr(body, name) != _USUAL[name]]
    if wrong:
        raise Unreadable(
            "bad_request", f"A {body.kind} game takes {', '.join(asked)} alone, not {', '.join(sorted(wrong))}."
        )
    if body.kind == "daily":
        return served.days.begin(player, body.ruleset)
    if body.day is None:
        raise Unreadable("bad_request", "A practice game has a day, such as 2026-11-29.")
    return served.days.practise(player, read_day(body.day), body.ruleset, corrections=body.corrections)


_USUAL = {name: field.default for name, field in NewGame.model_fields.items()}


@router.get("/games/{game_id}", response_model=GameModel, responses=_failures(401, 403, 404))
def show_game(game_id: str, player: ApiPlayer, served: Served) -> JSONResponse:
    """Show a game: one's own, or a finished one of others."""
    return JSONResponse(game_json(served.play.look(game_id, player)))


@router.post(
    "/games/{game_id}/moves",
    dependencies=[JsonOnly],
    response_model=GameModel,
    responses=_failures(*_POST_FAILURES, 404, 409),
)
def make_move(game_id: str, body: MoveBody, player: ApiPlayer, served: Served) -> JSONResponse:
    """Roll, score or undo; the same request twice happens once."""
    return JSONResponse(game_json(served.play.move(game_id, player, body.version, body.move()).look))


@router.post(
    "/games/{game_id}/abandon",
    dependencies=[JsonOnly],
    response_model=GameModel,
    responses=_failures(*_POST_FAILURES, 404, 409),
)
def abandon_game(game_id: str, body: AbandonBody, player: ApiPlayer, served: Served) -> JSONResponse:
    """Give a game up."""
    return JSONResponse(game_json(served.play.abandon(game_id, player, body.version)))


@router.get("/games/{game_id}/log", responses=_failures(401, 403, 404))
def show_log(game_id: str, player: ApiPlayer, served: Served) -> LogModel:
    """Show every entry with its dice, and the key once the game is finished."""
    look, events = served.play.log(game_id, player)
    rules = look.state.ruleset
    return LogModel(
        id=look.id,
        ruleset=rules.id,
        options=dict(rules.options),
        dice_version=look.dice_version,
        addressing=look.addressing.value,
        commitment=look.commitment,
        key=look.key.hex() if look.key is not None else None,
        moves=[_entry(look, version, event) for version, event in enumerate(events, start=1)],
    )


def _entry(look: Look, version: int, event: Event) -> EntryModel:
    box = event.move.box if isinstance(event.move, Score) else None
    return EntryModel(
        version=version,
        seat=event.seat,
        turn=event.turn,
        roll=event.roll,
        move=write_move(look.state.ruleset, event.move),
        dice=list(event.dice) if event.dice is not None else None,
        box=box,
        points=event.points if box else None,
        extra=event.extra if box else None,
    )


def game_json(look: Look) -> dict[str, Any]:
    """Write a game as JSON carries it; see `GameModel`."""
    state = look.state
    playing = look.status is Status.PLAYING
    allowed = legal(state) if playing else _nothing_legal(look)
    ended = outcome(state) if look.status is Status.FINISHED else None
    return {
        "id": look.id,
        "kind": look.kind.value,
        "ruleset": state.ruleset.id,
        "options": dict(state.ruleset.options),
        "addressing": look.addressing.value,
        "commitment": look.commitment,
        "version": look.version,
        "status": look.status.value,
        "to_play": state.to_play if playing else None,
        "turn": state.turn,
        "roll": state.roll,
        "rolls_left": state.rolls_left if playing else 0,
        "pool": state.seat.pool if state.ruleset.saved_rolls else None,
        "dice": list(state.dice) if state.dice is not None else None,
        "kept": list(state.kept),
        "locked": list(state.locked),
        "legal": {"roll": allowed.roll, "undo": allowed.undo, "boxes": dict(allowed.boxes)},
        "closed": {box: reason.value for box, reason in allowed.closed.items()},
        "seats": [_seat_json(look, seat) for seat in range(len(state.seats))],
        "assisted": state.assisted,
        "day": look.day.isoformat() if look.day is not None else None,
        "outcome": {"winners": list(ended.winners), "draw": ended.draw} if ended else None,
    }


def _nothing_legal(look: Look) -> Legal:
    closed = {
        box.key: Reason.GAME_OVER if points is None else Reason.FILLED
        for box, points in zip(look.state.ruleset.boxes, look.state.card.points, strict=True)
    }
    return Legal(roll=False, undo=False, boxes={}, closed=closed)


def _seat_json(look: Look, seat: int) -> dict[str, Any]:
    info, card = look.seats[seat], look.state.seats[seat].card
    return {
        "seat": seat,
        "name": info.name,
        "computer": info.computer,
        "card": {box.key: points for box, points in zip(card.ruleset.boxes, card.points, strict=True)},
        "upper": card.upper_sum,
        "upper_bonus": card.upper_bonus,
        "extra_bonus": card.extra,
        "total": card.total,
    }
