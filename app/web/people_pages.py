"""The pages about the player who asks: settings, name, devices, recovery, data; and what the server stores of anybody."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from pydantic import Field
from starlette.responses import Response

from app.play.errors import Nobody, WrongCode
from app.play.export import export
from app.play.names import BadName, read_name
from app.play.people import History, cookie_of
from app.play.preferences import BadPreference, Preferences
from app.store import PlayerRow
from app.web import privacy, settings_page
from app.web.around import own_address
from app.web.limiting import CODES, DEVICES, NAMES, NEW_PLAYERS
from app.web.pages import FormBody
from app.web.service import COOKIE, Ask, PageAsk
from app.web.words import LANGUAGES, N_

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

FILE = "fairwind.json"
"""What a download of one's data is called."""

Sure = Literal["1"]
Text = Annotated[str, Field(max_length=1_000)]


class SettingsForm(FormBody):
    """Any of the settings, and the address to come back to."""

    language: Text | None = None
    theme: Text | None = None
    contrast: Text | None = None
    animation: Text | None = None
    scoring: Text | None = None
    shortcuts: Text | None = None
    hints: Text | None = None
    words_only: Text | None = None
    without_link: Text | None = None
    back: Text | None = None


class NameForm(FormBody):
    """A name, or the wish to have none."""

    name: Text | None = None
    remove: Sure | None = None


class CodeForm(FormBody):
    """A recovery code as somebody wrote it down."""

    code: Text


class SureForm(FormBody):
    """A button was pressed: nothing happens by an address alone, nor by an empty form."""

    sure: Sure


@router.get("/settings")
def show_settings(ask: PageAsk, done: str = "") -> str:
    """Show the settings; `done` is what has just been done."""
    return _settings(ask, done=done)


def _settings(ask: Ask, *, done: str = "", refused: str = "", tried: str | None = None) -> str:
    history, has_code = _history(ask)
    view = settings_page.settings(ask.preferences, history, ask.words, has_code=has_code, done=done)
    view = replace(view, refused=refused, tried=view.tried if tried is None else tried)
    return ask.page("settings.html", view)


def _history(ask: Ask) -> tuple[History | None, bool]:
    return (None, False) if ask.player is None else ask.people.history(ask.player)


def _refused(ask: Ask, why: str, *, tried: str | None = None) -> Response:
    return HTMLResponse(_settings(ask, refused=why, tried=tried), status_code=422)


def _to(ask: Ask, address: str, player: str | None = None) -> Response:
    """Lead to a page; a player who is new, or another one now, is remembered."""
    answer = RedirectResponse(address, status_code=303)
    if player is not None:
        ask.served.set_cookie(ask.request, answer, player)
    return answer


def _settings_again(ask: Ask, done: str) -> str:
    return f"{ask.served.settings.base_path}/settings?done={done}"


@router.post("/settings")
def change_settings(form: Annotated[SettingsForm, Form()], ask: PageAsk) -> Response:
    """Change some settings, of a new player where there is none yet, and lead back."""
    chosen = form.model_dump(exclude_none=True)
    back = chosen.pop("back", None)
    if not chosen:
        return _refused(ask, settings_page.setting_refused(None, ask.words))
    try:
        # What is refused makes nobody, and so is not counted.
        Preferences().choose(chosen, LANGUAGES)
        _count_new(ask)
        player = ask.people.choose(ask.player, chosen, LANGUAGES)
    except BadPreference as error:
        return _refused(ask, settings_page.setting_refused(error, ask.words))
    where = _settings_again(ask, "saved") if back is None else own_address(back, ask.served.settings.base_path)
    return _to(ask, where, player)


def _count_new(ask: Ask) -> None:
    if ask.player is None:
        ask.served.limiter.count(NEW_PLAYERS, ask.request)


@router.post("/settings/name")
def change_name(form: Annotated[NameForm, Form()], ask: PageAsk) -> Response:
    """Take a name, or give it up."""
    written = "" if form.remove else (form.name or "").strip()
    if not form.remove and not written:
        return _refused(ask, ask.words.say(N_("Write a name first.")))
    try:
        # Doubled spaces are taken away: a hand put them there.
        name = read_name(" ".join(written.split())) if written else None
        _count_new(ask)
        if ask.player is not None:
            ask.served.limiter.count(NAMES, ask.request, ask.player)
        player = ask.people.rename(ask.player, name)
    except BadName as error:
        return _refused(ask, settings_page.name_refused(error, ask.words), tried=written)
    return _to(ask, _settings_again(ask, "named" if name else "unnamed"), player)


@router.post("/settings/device")
def make_link(form: Annotated[SureForm, Form()], ask: PageAsk) -> str:
    """Make a link for another device and show it, this once."""
    del form
    ask.served.limiter.count(DEVICES, ask.request, ask.player)
    token = ask.people.make_link(ask.player)
    url = ask.request.url
    address = f"{url.scheme}://{url.netloc}{ask.served.settings.base_path}/device/{token}"
    return ask.page("link.html", settings_page.link(address, ask.words))


@router.get("/device/{token}")
def show_offer(token: str, ask: PageAsk) -> str:
    """Say whose history a link leads to; looking spends nothing."""
    own, _ = _history(ask)
    return ask.page("offer.html", settings_page.offer(ask.people.look_at_link(token), own, ask.words))


@router.post("/device/{token}")
def take_over(token: str, form: Annotated[SureForm, Form()], ask: PageAsk) -> Response:
    """Go on with the history that a link leads to."""
    del form
    return _as(ask, ask.people.take_over(token, ask.player))


@router.post("/settings/code")
def make_code(form: Annotated[SureForm, Form()], ask: PageAsk) -> str:
    """Make a recovery code and show it, this once."""
    del form
    ask.served.limiter.count(DEVICES, ask.request, ask.player)
    return ask.page("code.html", settings_page.CodeView(ask.people.make_code(ask.player)))


@router.post("/settings/recover")
def recover(form: Annotated[CodeForm, Form()], ask: PageAsk) -> Response:
    """Go on with the history that a recovery code leads to; wrong codes are counted."""
    limiter = ask.served.limiter
    limiter.count(CODES, ask.request)
    try:
        player = ask.people.recover(form.code, ask.player)
    except WrongCode:
        return _refused(ask, ask.words.say(N_("There is no history with this code. Check the six words.")))
    limiter.take_back(CODES, ask.request)
    return _as(ask, player)


def _as(ask: Ask, player: PlayerRow, done: str = "joined") -> Response:
    """Lead back to the settings, as a player; `done` is what has been done."""
    answer = RedirectResponse(_settings_again(ask, done), status_code=303)
    ask.served.remember(ask.request, answer, cookie_of(player))
    return answer


@router.post("/settings/sign-out")
def sign_out_others(form: Annotated[SureForm, Form()], ask: PageAsk) -> Response:
    """Let this browser alone go on as the player."""
    del form
    return _as(ask, ask.people.sign_out_others(ask.player), "signed_out")


@router.get("/settings/data")
def download(ask: PageAsk) -> Response:
    """Give all that is stored of the player as JSON, as a file."""
    found = export(ask.people.store, ask.people.clock, ask.player)
    return JSONResponse(found, headers={"Content-Disposition": f'attachment;filename="{FILE}"'})


@router.get("/settings/delete")
def ask_to_delete(ask: PageAsk) -> str:
    """Say what deleting means, and ask for a second step.

    Raises:
        Nobody: there is nothing to delete.

    """
    if ask.player is None:
        raise Nobody
    return ask.page("delete.html", settings_page.DeleteView(gone=False))


@router.post("/settings/delete")
def delete(form: Annotated[SureForm, Form()], ask: PageAsk) -> Response:
    """Delete what is stored of the player."""
    del form
    ask.people.delete(ask.player)
    answer = HTMLResponse(ask.page("delete.html", settings_page.DeleteView(gone=True)))
    answer.delete_cookie(COOKIE, path=ask.served.settings.base_path or "/")
    return answer


@router.get("/privacy")
def show_privacy(ask: PageAsk) -> str:
    """Say what is stored of those who play."""
    return ask.page("privacy.html", privacy.privacy(ask.words))
