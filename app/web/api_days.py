"""The daily in the JSON API: a day as it is published, and what opens when it has closed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from app.daily import closes_at
from app.play.days import read_day
from app.play.sights import Sight, opened_values
from app.web.api_bodies import API, failures
from app.web.day_after import after_json
from app.web.service import MaybePlayer, Served

router = APIRouter(prefix=API)

Rules = Annotated[str | None, Query()]
Page = Annotated[int, Query(ge=1, le=10**6, description="The page of the board")]


class AttemptModel(BaseModel):
    """The asker's counted attempt: its game, how it stands (playing, finished, given_up or lapsed), and its total if it counts."""

    game: str
    standing: str
    total: int | None


class BoardRowModel(BaseModel):
    """A row of the board: ranks run 1, 1, 3; `own` is the asker's."""

    rank: int
    name: str | None
    total: int
    game: str
    own: bool


class BoardModel(BaseModel):
    """A page of the board, counted from 1; `final`: nothing can be added any more."""

    page: int
    pages: int
    count: int
    final: bool
    rows: list[BoardRowModel]


class DayModel(BaseModel):
    """A day by one ruleset.

    `phase` is to_come, today, ended (attempts begun in time can still be finished) or closed. `sealed`: its commitment was
    published before it began. From the close on there are key, dice (by turn, by roll; in the order `continuous` one `sequence`
    of all faces), par, best and `best_line`, its moves, as well. Those who have finished the day, and from the close on all, are
    given the board, the asker's rank, and `totals`: every total with how many reached it.
    """

    day: str
    number: int
    ruleset: str
    options: dict[str, bool | int | str]
    addressing: str
    dice_version: int
    commitment: str
    phase: str
    closes_at: str
    sealed: bool
    excused: bool
    attempt: AttemptModel | None
    key: str | None = None
    dice: list[list[list[int]]] | None = None
    sequence: list[int] | None = None
    par: int | None = None
    best: int | None = None
    best_line: str | None = None
    rank: int | None = None
    totals: list[list[int]] | None = None
    board: BoardModel | None = None


@router.get("/daily", response_model=DayModel, responses=failures(401, 422, 503))
def show_today(player: MaybePlayer, served: Served, ruleset: Rules = None, page: Page = 1) -> JSONResponse:
    """Show today by a ruleset, otherwise by the first that has a daily; nobody needs to say who asks."""
    return _answer(served, served.days.today(player, ruleset), page)


@router.get("/daily/{date}", response_model=DayModel, responses=failures(401, 403, 404, 422, 503))
def show_day(date: str, player: MaybePlayer, served: Served, ruleset: Rules = None, page: Page = 1) -> JSONResponse:
    """Show a day; of the 30 days to come there is the commitment."""
    return _answer(served, served.days.see(player, read_day(date), ruleset), page)


def _answer(served: Served, sight: Sight, page: int) -> JSONResponse:
    sight = served.results.complete(sight)
    return JSONResponse({**day_json(sight), **after_json(served, sight, page)})


def day_json(sight: Sight) -> dict[str, Any]:
    """Write a day as JSON carries it; see `DayModel`."""
    attempt = sight.attempt
    return {
        "day": sight.day.isoformat(),
        "number": sight.number,
        "ruleset": sight.ruleset.id,
        "options": dict(sight.ruleset.options),
        "addressing": sight.addressing.value,
        "dice_version": sight.dice_version,
        "commitment": sight.commitment,
        "phase": sight.phase.value,
        "closes_at": closes_at(sight.day).isoformat().replace("+00:00", "Z"),
        "sealed": sight.sealed,
        "excused": sight.excused,
        "attempt": attempt and {"game": attempt.look.id, "standing": attempt.standing.value, "total": attempt.total},
        **opened_values(sight),
    }
