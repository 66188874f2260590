"""The pages that links in shared results open: a result and its picture, and the day's own page by its number."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from app.daily import day_of_number, number_of
from app.game.rulesets import ruleset as rules_called
from app.play.errors import UnknownDay
from app.play.results import Shared
from app.play.sights import Phase, Sight
from app.web.day_text import first_line, link_of, review_of
from app.web.day_words import day_address
from app.web.picture import HEIGHT, WIDTH, picture
from app.web.review import quality
from app.web.service import Ask, PageAsk
from app.web.words import N_, words

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_LONGEST_NUMBER = 6
_A_WHILE = "public,max-age=600"


@dataclass(frozen=True, slots=True)
class SharedView:
    """Everything that shared.html shows.

    `name` is "" for somebody without one; `quality` and `turns`, how good each was, are empty where nobody can say. `begin`: the
    ruleset of a day that can be begun now, `game`: the game for those who may see it ("" otherwise). `url` and `picture` are
    whole addresses.
    """

    title: str
    name: str
    date: str
    day: str
    quality: str
    turns: tuple[str, ...]
    state: str
    begin: str
    day_address: str
    game: str
    url: str
    picture: str
    width: int
    height: int


@router.get("/d/{number}")
def day_by_number(number: str, ask: PageAsk) -> Response:
    """Lead to a day's page by the first ruleset that has a daily."""
    day = day_of_number(read_number(number))
    return RedirectResponse(f"{ask.served.settings.base_path}/daily/{day.isoformat()}", status_code=302)


@router.get("/d/{number}/{ruleset}")
def day_by_ruleset(number: str, ruleset: str, ask: PageAsk) -> Response:
    """Lead to a day's page by a ruleset."""
    day, rules = day_of_number(read_number(number)), rules_called(ruleset)
    return RedirectResponse(ask.served.settings.base_path + day_address(day, rules.id), status_code=302)


@router.get("/d/{number}/{ruleset}/{short_id}.png")
def shared_picture(number: str, ruleset: str, short_id: str, ask: PageAsk) -> Response:
    """Draw a result."""
    shared = _find(ask, number, ruleset, short_id)
    name = words("en").ruleset(shared.ruleset.id)
    png = picture(number_of(shared.day), name, shared.result.total, shared.par)
    return Response(png, media_type="image/png", headers={"Cache-Control": _A_WHILE})


@router.get("/d/{number}/{ruleset}/{short_id}")
def shared_result(number: str, ruleset: str, short_id: str, ask: PageAsk) -> str:
    """Show a result without spoiling the day for those who have not finished it."""
    shared = _find(ask, number, ruleset, short_id)
    return ask.page("shared.html", _view(ask, shared, ask.days.see(ask.player, shared.day, shared.ruleset.id)))


def read_number(text: str) -> int:
    """Read the number of a day.

    Raises:
        UnknownDay: it is none.

    """
    if not (text.isascii() and text.isdecimal()) or len(text) > _LONGEST_NUMBER or not int(text):
        raise UnknownDay
    return int(text)


def _find(ask: Ask, number: str, ruleset: str, short_id: str) -> Shared:
    day = day_of_number(read_number(number))
    return ask.results.shared(day, rules_called(ruleset).id, short_id, ask.days.clock())


def _view(ask: Ask, shared: Shared, sight: Sight) -> SharedView:
    words, result = ask.words, shared.result
    found = review_of(ask, result.game_id, result.player_id)
    url = link_of(ask, sight, result.game_id)
    return SharedView(
        title=first_line(sight.number, words.ruleset(sight.ruleset.id), result.total, shared.par, words),
        name=result.name or "",
        date=words.date(shared.day),
        day=shared.day.isoformat(),
        quality=quality(found, words) if found is not None else "",
        turns=tuple(judged.value for judged in found.turns) if found is not None else (),
        state=words.gettext(_STATES[sight.phase]),
        begin=sight.ruleset.id if sight.phase is Phase.TODAY and sight.attempt is None else "",
        day_address=day_address(shared.day, sight.ruleset.id),
        game=result.game_id if sight.may_see_others else "",
        url=url,
        picture=f"{url}.png",
        width=WIDTH,
        height=HEIGHT,
    )


_STATES = {
    Phase.TODAY: N_("This is today's daily. Everybody has the same dice, and nothing here gives them away."),
    Phase.ENDED: N_("This day is over, and a new daily has begun. What its dice were stays hidden until 06:00 UTC."),
    Phase.CLOSED: N_("This day is past: everything is open, and its dice can be played for practice."),
    Phase.TO_COME: N_("This day is still to come."),
}
