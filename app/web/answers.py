"""How answers are made: the table as a page or a fragment, errors as JSON, as the present table with a sentence, or as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.game.errors import GameError, IllegalMove, Unreadable
from app.play import NotReady, NotYourSeat, Played, PlayError, StaleGame, UnknownGame
from app.play.errors import (
    DayOpen,
    DayToCome,
    Deleted,
    Nobody,
    NoCoach,
    NoDaily,
    NoHints,
    NotFinished,
    SpentLink,
    UnknownDay,
    UnknownLink,
    UnknownResult,
    WrongCode,
)
from app.play.names import BadName
from app.play.preferences import BadPreference
from app.store import ReadOnly, StoreUnavailable
from app.web import views
from app.web.api_bodies import API, NotJsonError
from app.web.api_game import game_json
from app.web.day_text import text_of_look
from app.web.guard import READ_ONLY_SECONDS
from app.web.hint import HintView
from app.web.limiting import TooOftenError
from app.web.service import Ask, NoIdentityError, ask_of


def table_answer(
    ask: Ask, played: Played, *, status: int = 200, refusal: Exception | None = None, hint: HintView | None = None
) -> Response:
    """Show a game: the fragment for HTMX, else the page; `refusal` is said in words above it, `hint` is what the coach says."""
    look = played.look
    record = ask.play.record(look, ask.player) if look.finished_at is not None else None
    view = views.table(look, ask.words, armed=played.armed, record=record, refusal=refusal)
    view = replace(view, hints=ask.preferences.hints and ask.coaching.offers(look), hint=hint)
    if hint is not None:
        view = replace(view, announcement=hint.announcement)
    if view.result is not None and (text := text_of_look(ask, look)):
        view = replace(view, result=replace(view.result, text=text))
    html = ask.page("table.html", view, fragment="table" if ask.is_fragment else None)
    return HTMLResponse(html, status_code=status, headers={"Vary": "HX-Request, Cookie, Accept-Language"})


_STATUSES: Mapping[type[Exception], tuple[int, str]] = {
    UnknownGame: (404, "unknown_game"),
    NotYourSeat: (403, "not_your_seat"),
    StaleGame: (409, "stale"),
    NotReady: (503, "not_ready"),
    NoCoach: (422, "no_coach"),
    NoHints: (403, "no_hints"),
    NotFinished: (422, "not_finished"),
    UnknownDay: (404, "unknown_day"),
    DayToCome: (403, "day_to_come"),
    DayOpen: (403, "day_open"),
    NoDaily: (422, "no_daily"),
    UnknownResult: (404, "unknown_result"),
    Deleted: (410, "deleted"),
    NoIdentityError: (401, "no_identity"),
    TooOftenError: (429, "too_often"),
    Nobody: (403, "nobody"),
    UnknownLink: (404, "unknown_link"),
    WrongCode: (422, "wrong_code"),
    BadName: (422, "bad_name"),
    BadPreference: (422, "bad_preference"),
    NotJsonError: (415, "not_json"),
    ReadOnly: (503, "read_only"),
    StoreUnavailable: (503, "store_unavailable"),
}
"""The one table of errors and HTTP, for pages and API; rules' errors are 422 with a code of their own."""


def status_of(error: Exception) -> tuple[int, str]:
    """Give the HTTP status and the stable code of an error."""
    match error:
        case GameError():
            return 422, error.code
        case SpentLink():
            return 410, "used_link" if error.used else "expired_link"
        case RequestValidationError():
            malformed = any(problem["type"] == "json_invalid" for problem in error.errors())
            return (400, "malformed_json") if malformed else (422, "bad_request")
        case HTTPException():
            return error.status_code, _HTTP_CODES.get(error.status_code, "refused")
        case _:
            found = (status for kind, status in _STATUSES.items() if isinstance(error, kind))
            return next(found, (500, "internal"))


_OUTAGE_SECONDS = 5
"""After how many seconds it is worth trying again when the database cannot be used."""

_HTTP_CODES = {400: "bad_request", 404: "not_found", 405: "method_not_allowed"}

_MESSAGES = {
    "unknown_game": "There is no such game.",
    "not_your_seat": "This game belongs to somebody else.",
    "stale": "The game has moved on; details.game is where it stands.",
    "not_ready": "This game is still being worked out; Retry-After says for how many seconds.",
    "no_hints": "Games of this kind are played without hints.",
    "not_finished": "Only a finished game has a review.",
    "unknown_result": "There is no such result.",
    "deleted": "Whose result this was has deleted it.",
    "unknown_day": "There is no such day: number 1 is 2026-01-01.",
    "day_to_come": "That day has not begun.",
    "day_open": "That day has not closed; until 06:00 UTC of the day after, this is kept back.",
    "nobody": "There is no such player.",
    "unknown_link": "There is no such link.",
    "used_link": "The link has been used.",
    "expired_link": "The link is too old.",
    "wrong_code": "Nobody has this recovery code.",
    "bad_name": "This name cannot be had; details.reason says why.",
    "bad_preference": "There is no such setting, or it cannot be so.",
    "no_identity": "Send the header Authorization: Bearer TOKEN with a token from POST /api/v1/players.",
    "too_often": "Too many of these in a short time; Retry-After says for how many seconds to wait.",
    "not_json": "The body must be JSON, with Content-Type: application/json.",
    "malformed_json": "The body is not JSON.",
    "too_large": "The body is over 16 kB.",
    "unknown_host": "This server does not answer for that host.",
    "cross_site": "The request comes from another site.",
    "not_found": "There is nothing at this address.",
    "method_not_allowed": "This address does not take that method.",
    "read_only": "Nothing can be changed for the time being; everything is there and can be looked at. Try again later.",
    "too_slow": "The body took too long to arrive.",
    "store_unavailable": "The database cannot be reached now; nothing was stored. Try again in a moment.",
    "internal": "Something went wrong here; nothing was stored.",
}


async def answer_error(request: Request, error: Exception) -> Response:
    """Answer a request that failed, in the form that the asker reads."""
    status, code = status_of(error)
    headers = _headers(error)
    if request.url.path.startswith(API):
        return api_failure(status, code, _message(code, error), _details(error), headers)
    return await run_in_threadpool(_page_failure, request, error, status, code, headers)


def _headers(error: Exception) -> Mapping[str, str]:
    match error:
        case HTTPException():
            return error.headers or {}
        case NotReady() | TooOftenError():
            return {"Retry-After": str(error.seconds)}
        case ReadOnly():
            return {"Retry-After": str(READ_ONLY_SECONDS)}
        case StoreUnavailable():
            return {"Retry-After": str(_OUTAGE_SECONDS)}
        case _:
            return {}


def api_failure(
    status: int,
    code: str,
    message: str,
    details: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Write a failure as the API does."""
    body = {"error": {"code": code, "message": message, "details": dict(details or {})}}
    return JSONResponse(body, status_code=status, headers=dict(headers or {}))


def message_of(code: str) -> str:
    """Give the English sentence of a code."""
    return _MESSAGES.get(code, "The request was refused.")


def _message(code: str, error: Exception) -> str:
    match error:
        case Unreadable() | NoDaily() | NoCoach():
            return error.message
        case IllegalMove():
            return f"The rules do not allow this now: {error.reason.value}."
        case RequestValidationError() if code == "bad_request":
            first = error.errors()[0]
            return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}."
        case _:
            return message_of(code)


def _details(error: Exception) -> dict[str, Any]:
    match error:
        case StaleGame():
            return {"game": game_json(error.look)}
        case BadName():
            return {"reason": error.trouble.value}
        case RequestValidationError():
            return {
                "fields": [{"field": list(problem["loc"]), "problem": problem["msg"]} for problem in error.errors()]
            }
        case _:
            return {}


def _page_failure(request: Request, error: Exception, status: int, code: str, headers: Mapping[str, str]) -> Response:
    """Show the present table with a sentence where there is one to show, else a page with a way back."""
    ask = ask_of(request)
    if isinstance(error, StaleGame):
        return table_answer(ask, Played(error.look), status=status, refusal=error)
    if isinstance(error, TooOftenError):
        view = views.too_often(error.seconds, ask.words)
        return HTMLResponse(ask.page("error.html", view), status_code=status, headers=dict(headers))
    game_id = request.path_params.get("game_id")
    if game_id is not None and isinstance(error, (GameError, RequestValidationError)):
        try:
            look = ask.play.look(game_id, ask.player)
        except PlayError as other:
            return _page_failure(request, other, *status_of(other), headers)
        if look.viewer is None:
            return _page_failure(request, NotYourSeat(), *status_of(NotYourSeat()), headers)
        return table_answer(ask, Played(look), status=status, refusal=error)
    if isinstance(error, Unreadable):
        # A page's address or form named rules that do not exist: for a browser that is a bad request.
        status = 404 if error.code in {"unknown_ruleset", "bad_day"} and request.method == "GET" else 400
    return page_failure(
        ask, status, code, sentence=error.message if isinstance(error, (Unreadable, NoDaily)) else None, headers=headers
    )


def not_ready(ask: Ask, error: NotReady, fields: Sequence[tuple[str, str]]) -> Response:
    """Say how long the computers still need for the game that a form asked for, with a button to ask for it again."""
    view = views.not_ready(error.seconds, fields, ask.words)
    return HTMLResponse(ask.page("error.html", view), status_code=503, headers=dict(_headers(error)))


def page_failure(
    ask: Ask, status: int, code: str, *, sentence: str | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """Write a failure as a page with a way back."""
    if code == "not_your_seat" and ask.player is None:
        code = "no_player"
    view = views.error(status, code, ask.words, sentence=sentence)
    return HTMLResponse(ask.page("error.html", view), status_code=status, headers=dict(headers or {}))
