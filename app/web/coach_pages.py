"""The coach's pages: a hint at the table, the review of a game, the analysis board, advice put to the test."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form, Query
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from app.play import NotReady, Played
from app.play.errors import NoCoach
from app.web import advice_page, analysis, hint, review
from app.web.advice_facts import facts
from app.web.answers import table_answer
from app.web.day_text import text_of_look
from app.web.pages import VersionForm
from app.web.service import PageAsk

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Seat = Annotated[int | None, Query(ge=0, le=5)]


@router.post("/games/{game_id}/hint")
def show_hint(game_id: str, form: Annotated[VersionForm, Form()], ask: PageAsk) -> Response:
    """Show the table with what the coach says of the dice on it."""
    try:
        found = ask.coaching.hint(game_id, ask.player, form.version)
    except (NotReady, NoCoach) as error:
        return table_answer(ask, Played(ask.play.look(game_id, ask.player)), refusal=error)
    return table_answer(ask, Played(found.look), hint=hint.hint(found, ask.words))


@router.get("/games/{game_id}/review")
def show_review(game_id: str, ask: PageAsk, seat: Seat = None) -> str:
    """Show a finished game choice by choice: of the looker's own seat, or of another."""
    found = ask.coaching.review(game_id, ask.player, seat)
    view = review.review(found, ask.words)
    if view.text and (text := text_of_look(ask, found.look)):
        view = replace(view, text=text)
    return ask.page("review.html", view)


@router.get("/analysis")
def show_analysis(ask: PageAsk) -> Response:
    """Show the position of the address, and what every choice in it is worth."""
    position = ask.request.query_params.multi_items()
    found = analysis.find(position, ask.coaching.coaches)
    html = ask.page("analysis.html", analysis.analysis(position, found, ask.words))
    wait = {"Retry-After": str(found.trouble.seconds)} if isinstance(found.trouble, NotReady) else {}
    return HTMLResponse(html, status_code=found.status, headers=wait)


@router.get("/advice")
def show_advice(ask: PageAsk) -> str:
    """Show what the exact solver says of folk advice."""
    return ask.page("advice.html", advice_page.advice(facts(), ask.words))
