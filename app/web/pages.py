"""The pages: forms that work without script, and the same answers as fragments for HTMX."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from app.game.dice import Addressing
from app.game.errors import Unreadable
from app.game.rulesets import ruleset
from app.game.state import Move, Roll, Score, Undo
from app.play import Asking, Kind, NotReady, Plan, Played, Start
from app.web import day_pages, day_views, guide, history, picker, standings, views
from app.web.answers import not_ready, table_answer
from app.web.service import Ask, PageAsk

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Version = Annotated[int, Field(ge=0, le=10**6)]


class FormBody(BaseModel):
    """The fields of a form; unknown ones are refused."""

    model_config = ConfigDict(extra="forbid")


class RollForm(FormBody):
    """Roll, but for the kept positions."""

    version: Version
    keep: list[int] = []


class ScoreForm(FormBody):
    """Write a box; `confirm` says that a needless zero is meant."""

    version: Version
    box: str
    confirm: Literal["1"] | None = None


class VersionForm(FormBody):
    """Do something to the game as seen at a version."""

    version: Version


@router.get("/")
def home(ask: PageAsk) -> str:
    """Show what can be played now."""
    open_games, _ = ask.play.games_of(ask.player)
    wait = ask.play.computers.seconds_left(ruleset("classic"))
    sights = ask.days.todays(ask.player)
    attempts = {sight.attempt.look.id for sight in sights if sight.attempt}
    others = [look for look in open_games if look.id not in attempts]
    today = day_views.today(sights, day_pages.streak_of(ask, sights), ask.words)
    return ask.page("home.html", views.home(others, ask.words, today=today, seconds_left=wait))


@router.get("/games")
def my_games(ask: PageAsk) -> str:
    """List the player's games: open ones to go on with or give up, finished ones."""
    open_games, finished = ask.play.games_of(ask.player)
    return ask.page("games.html", views.games(open_games, finished, ask.words))


@router.post("/games")
async def make_game(ask: PageAsk) -> Response:
    """Make a game from the form: kind, level, ruleset and so on, and the ruleset's options by their names."""
    async with ask.request.form() as form:
        sent = tuple((name, str(value)) for name, value in form.multi_items())
    fields = dict(sent)
    if fields.get("kind") in {Kind.DAILY, Kind.PRACTICE}:
        return await run_in_threadpool(day_pages.open_of_day, ask, fields)
    plan = _plan(fields, tuple(value for name, value in sent if name == "level" and value))
    try:
        return await run_in_threadpool(_open_game, ask, plan)
    except NotReady as error:
        return await run_in_threadpool(not_ready, ask, error, sent)


def _plan(fields: dict[str, str], levels: tuple[str, ...]) -> Plan:
    """Read what kind of game is asked for; a switch that is off may be missing.

    A form without script sends all it has, so what belongs to the other kind of game is left out of account.

    Raises:
        Unreadable: a field that is missing, unknown, or cannot be what it is.

    """
    fields.pop("level", None)
    kind = fields.pop("kind", Kind.SOLO.value)
    addressing = fields.pop("addressing", Addressing.BY_TURN.value)
    first = fields.pop("start", Start.HUMAN_FIRST.value)
    switches = {name: fields.pop(name, "0") for name in ("corrections", "same_dice")}
    if "ruleset" not in fields:
        raise Unreadable("bad_request", "The form does not say which ruleset to play.")
    choices: list[tuple[str, str, list[str]]] = [
        ("kind", kind, [Kind.SOLO, Kind.COMPUTER]),
        ("addressing", addressing, list(Addressing)),
        ("start", first, list(Start)),
        *((name, value, ["0", "1"]) for name, value in switches.items()),
    ]
    for name, value, allowed in choices:
        if value not in allowed:
            raise Unreadable("bad_request", f"{name} can be {', '.join(allowed)}.")
    rules = ruleset(fields.pop("ruleset"), fields, text=True)
    if Kind(kind) is Kind.SOLO:
        return Plan(rules, addressing=Addressing(addressing), corrections=switches["corrections"] == "1")
    same_dice = switches["same_dice"] == "1"
    return Plan(
        rules,
        Kind(kind),
        Addressing(addressing),
        levels=levels,
        same_dice=same_dice,
        # With the same dice for all the person goes first, as the page says beside the switch.
        start=Start.HUMAN_FIRST if same_dice else Start(first),
    )


def _open_game(ask: Ask, plan: Plan) -> Response:
    ask.served.count_game(ask.request, ask.player)
    player, look = ask.play.open_game(ask.player, plan)
    answer = RedirectResponse(f"{ask.served.settings.base_path}/games/{look.id}", status_code=303)
    ask.served.set_cookie(ask.request, answer, player)
    return answer


@router.get("/games/{game_id}")
def table(game_id: str, ask: PageAsk) -> Response:
    """Show the table."""
    return table_answer(ask, Played(ask.play.look(game_id, ask.player)))


@router.post("/games/{game_id}/roll")
def roll(game_id: str, form: Annotated[RollForm, Form()], ask: PageAsk) -> Response:
    """Roll."""
    return _move(ask, game_id, form.version, Roll(tuple(form.keep)))


@router.post("/games/{game_id}/score")
def score(game_id: str, form: Annotated[ScoreForm, Form()], ask: PageAsk) -> Response:
    """Write a box."""
    return _move(ask, game_id, form.version, Score(form.box), careful=form.confirm is None)


@router.post("/games/{game_id}/undo")
def undo(game_id: str, form: Annotated[VersionForm, Form()], ask: PageAsk) -> Response:
    """Take the last entry back."""
    return _move(ask, game_id, form.version, Undo())


def _move(ask: Ask, game_id: str, version: int, move: Move, *, careful: bool = False) -> Response:
    asking = Asking.NEVER
    if careful:
        asking = Asking.ALWAYS if ask.preferences.scoring == "double" else Asking.NEEDLESS_ZERO
    played = ask.play.move(game_id, ask.player, version, move, ask=asking)
    if ask.is_fragment or played.armed:
        return table_answer(ask, played)
    return RedirectResponse(f"{ask.served.settings.base_path}/games/{game_id}", status_code=303)


@router.post("/games/{game_id}/abandon")
def abandon(game_id: str, form: Annotated[VersionForm, Form()], ask: PageAsk) -> Response:
    """Give the game up."""
    ask.play.abandon(game_id, ask.player, form.version)
    return RedirectResponse(f"{ask.served.settings.base_path}/games", status_code=303)


@router.get("/games/{game_id}/log")
def log(game_id: str, ask: PageAsk) -> str:
    """Show every entry with its dice, and the key once the game is finished."""
    look, events = ask.play.log(game_id, ask.player)
    return ask.page("log.html", views.log(look, events, ask.words))


@router.get("/stats")
def stats(ask: PageAsk) -> str:
    """Show best, mean and spread of the player's games."""
    streaks = {id_: ask.days.streak(ask.player, id_) for id_ in ask.days.dailies.rulesets}
    return ask.page("stats.html", standings.stats(ask.play.totals(ask.player), streaks, ask.words))


@router.get("/new")
def new_game(ask: PageAsk) -> str:
    """Show all rulesets, or one with its options as the address gives them."""
    options = dict(ask.request.query_params)
    chosen = options.pop("ruleset", None)
    last = ask.play.last_plan(ask.player)
    return ask.page(
        "new_game.html",
        picker.new_game(chosen, ask.words, options=options, last=last, seconds_left=ask.play.computers.seconds_left),
    )


@router.get("/rules")
def rules_index(ask: PageAsk) -> str:
    """List the how-to-play pages."""
    return ask.page("rules_index.html", guide.rules_index(ask.words))


@router.get("/rules/{ruleset_id}")
def rules_page(ruleset_id: str, ask: PageAsk) -> str:
    """Explain a ruleset, with the options that the address gives."""
    rules = ruleset(ruleset_id, dict(ask.request.query_params), text=True)
    view = guide.rules(
        rules,
        ask.words,
        dailies=ask.days.dailies.rulesets,
        addressing=ask.days.today(None).addressing,
        has_computer=True,
    )
    return ask.page("rules.html", view)


@router.get("/history")
def history_page(ask: PageAsk) -> str:
    """Tell where the games come from."""
    return ask.page("history.html", history.history(ask.words))
