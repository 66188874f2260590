"""The JSON API, /api/v1: the same use cases as the pages, for scripts, clients and computer players."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field, StrictBool, StrictInt, StrictStr

from app.game.dice import Addressing
from app.game.errors import Unreadable
from app.game.rulesets import VARIANTS, ruleset
from app.game.state import Move, Roll, Score, Undo
from app.play import MAX_OPPONENTS, Kind, Plan, Start
from app.play.days import Opened, read_day
from app.play.names import read_name
from app.web.api_bodies import API, Body, JsonOnly, failures
from app.web.api_game import GameModel, LogModel, game_json, log_model
from app.web.limiting import NEW_PLAYERS
from app.web.service import ApiPlayer, Served, Service
from app.web.words import words

MAX_NAME = 200
"""Characters that are looked at; how many letters these are is said by `read_name`."""
router = APIRouter(prefix=API)


class NewPlayer(Body):
    """Ask for a player and a token."""

    name: Annotated[str, Field(max_length=MAX_NAME)] | None = None


class NewGame(Body):
    """Ask for a game."""

    kind: Literal["solo", "computer", "daily", "practice"] = "solo"
    ruleset: str
    day: str | None = None
    options: dict[str, StrictBool | StrictInt | StrictStr] = Field(default_factory=dict)
    addressing: Literal["by_turn", "continuous"] = "by_turn"
    corrections: bool = False
    levels: list[str] = Field(default_factory=list, max_length=MAX_OPPONENTS)
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


_POST_FAILURES = (400, 401, 403, 413, 415, 422)


@router.post("/players", status_code=201, dependencies=[JsonOnly], responses=failures(400, 403, 413, 415, 422, 429))
def make_player(body: NewPlayer, served: Served, request: Request) -> PlayerModel:
    """Make a player; the answer holds the token for the Authorization header, shown this once."""
    name = None if body.name is None else read_name(body.name)
    served.limiter.count(NEW_PLAYERS, request)
    player_id, token = served.people.new_player(name)
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
    responses={200: {"model": GameModel}, **failures(*_POST_FAILURES, 404, 429, 503)},
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


_USUAL = {name: field.get_default(call_default_factory=True) for name, field in NewGame.model_fields.items()}


@router.get("/games/{game_id}", response_model=GameModel, responses=failures(401, 403, 404))
def show_game(game_id: str, player: ApiPlayer, served: Served) -> JSONResponse:
    """Show a game: one's own, or a finished one of others."""
    return JSONResponse(game_json(served.play.look(game_id, player)))


@router.post(
    "/games/{game_id}/moves",
    dependencies=[JsonOnly],
    response_model=GameModel,
    responses=failures(*_POST_FAILURES, 404, 409),
)
def make_move(game_id: str, body: MoveBody, player: ApiPlayer, served: Served) -> JSONResponse:
    """Roll, score or undo; the same request twice happens once."""
    return JSONResponse(game_json(served.play.move(game_id, player, body.version, body.move()).look))


@router.post(
    "/games/{game_id}/abandon",
    dependencies=[JsonOnly],
    response_model=GameModel,
    responses=failures(*_POST_FAILURES, 404, 409),
)
def abandon_game(game_id: str, body: AbandonBody, player: ApiPlayer, served: Served) -> JSONResponse:
    """Give a game up."""
    return JSONResponse(game_json(served.play.abandon(game_id, player, body.version)))


@router.get("/games/{game_id}/log", responses=failures(401, 403, 404))
def show_log(game_id: str, player: ApiPlayer, served: Served) -> LogModel:
    """Show every entry with its dice, and the key once the game is finished."""
    return log_model(*served.play.log(game_id, player))
