"""The pages of the daily: today, any day, the calendar, and the form that begins an attempt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date as Date  # noqa: N812 -- the address has a part of this name
from typing import Annotated

from fastapi import APIRouter, Form, Query
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from app.daily import FIRST_DAY, day_of
from app.game.errors import Unreadable
from app.play.days import Opened, read_day
from app.play.errors import DayToCome, UnknownDay
from app.play.sights import Phase, Sight
from app.web import day_views
from app.web.day_after import after
from app.web.day_words import streak_line
from app.web.service import Ask, PageAsk

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Rules = Annotated[str | None, Query()]


class AttemptForm(BaseModel):
    """Begin today's attempt by a ruleset."""

    model_config = ConfigDict(extra="forbid")

    ruleset: str


@router.get("/daily")
def today(ask: PageAsk, ruleset: Rules = None) -> str:
    """Show today."""
    return _day(ask, ask.days.today(ask.player, ruleset))


@router.post("/daily")
def begin(form: Annotated[AttemptForm, Form()], ask: PageAsk) -> Response:
    """Begin today's attempt, or go on with the one there is."""
    ask.served.count_game(ask.request, ask.player)
    return _go_to(ask, ask.days.begin(ask.player, form.ruleset))


@router.get("/daily/archive")
def archive(ask: PageAsk, ruleset: Rules = None, month: Annotated[str | None, Query()] = None) -> str:
    """Show a month of the player's days."""
    id_ = ruleset or ask.days.dailies.rulesets[0]
    calendar = ask.days.calendar(ask.player, id_)
    today = day_of(calendar.now)
    first = today.replace(day=1) if month is None else _read_month(month)
    if first > today:
        raise DayToCome
    if first < FIRST_DAY.replace(day=1):
        raise UnknownDay
    return ask.page("archive.html", day_views.archive(first, calendar, id_, ask.days.rulesets_on(today), ask.words))


@router.get("/daily/{date}")
def one_day(date: str, ask: PageAsk, ruleset: Rules = None) -> str:
    """Show a day that has begun."""
    sight = ask.days.see(ask.player, read_day(date), ruleset)
    if sight.phase is Phase.TO_COME:
        raise DayToCome
    return _day(ask, sight)


def _day(ask: Ask, sight: Sight) -> str:
    calendar = None if ask.player is None else ask.days.calendar(ask.player, sight.ruleset.id)
    view = day_views.day(sight, ask.days.rulesets_on(sight.day), calendar, after(ask, sight), ask.words)
    return ask.page("daily.html", view)


_FIELDS = {"daily": {"kind", "ruleset"}, "practice": {"kind", "ruleset", "day"}}
"""What a form says of a game on the dice of a day, by its kind."""


def open_of_day(ask: Ask, fields: dict[str, str]) -> Response:
    """Open a game on the dice of a day, as the form for all games asks for it.

    Raises:
        Unreadable: `bad_request`, when a field is missing or unknown.

    """
    wanted = _FIELDS[fields["kind"]]
    if fields.keys() != wanted:
        raise Unreadable("bad_request", f"Such a game has the fields {', '.join(sorted(wanted))}.")
    ask.served.count_game(ask.request, ask.player)
    if "day" in wanted:
        return _go_to(ask, ask.days.practise(ask.player, read_day(fields["day"]), fields["ruleset"]))
    return _go_to(ask, ask.days.begin(ask.player, fields["ruleset"]))


def streak_of(ask: Ask, sights: Sequence[Sight]) -> str:
    """Say the player's streak by the first ruleset that has been played, "" for none."""
    if ask.player is None:
        return ""
    lines = (streak_line(ask.days.streak(ask.player, sight.ruleset.id), ask.words) for sight in sights)
    return next((line for line in lines if line), "")


def _go_to(ask: Ask, opened: Opened) -> Response:
    answer = RedirectResponse(f"{ask.served.settings.base_path}/games/{opened.look.id}", status_code=303)
    ask.served.set_cookie(ask.request, answer, opened.player)
    return answer


def _read_month(text: str) -> Date:
    """Read a month such as 2026-11, and give its first day.

    Raises:
        Unreadable: `bad_day`.

    """
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}", text):
        raise Unreadable("bad_day", f"{text[:40]!r} is not a month such as 2026-11.")
    return read_day(f"{text}-01")
