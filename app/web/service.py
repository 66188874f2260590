"""What a route needs and where it comes from: the use cases, the renderer, who is asking, and in which language.

The session cookie is signed and holds the player's id alone; the API takes a bearer token as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from fastapi import Depends, Request
from itsdangerous import BadSignature, Signer
from starlette.responses import Response

from app.play import Play
from app.play.coaching import Coaching
from app.settings import Settings
from app.web.render import Renderer
from app.web.words import LANGUAGES, Words, words

COOKIE = "fairwind"
# The longest that browsers keep a cookie; it is set anew with every game.
_COOKIE_SECONDS = 400 * 24 * 3600


class NoIdentityError(Exception):
    """The API was asked without a token, or with one that is not known."""


@dataclass(frozen=True, slots=True)
class Service:
    """What the routes stand on; one for each application."""

    settings: Settings
    play: Play
    coaching: Coaching
    renderer: Renderer
    signer: Signer

    def cookie_player(self, request: Request) -> str | None:
        """Read the player's id from the session cookie; a cookie that we did not sign counts as none."""
        value = request.cookies.get(COOKIE)
        if value is None:
            return None
        try:
            return self.signer.unsign(value).decode()
        except BadSignature:
            return None

    def set_cookie(self, request: Request, response: Response, player_id: str) -> None:
        """Remember the player in the browser."""
        response.set_cookie(
            COOKIE,
            self.signer.sign(player_id).decode(),
            max_age=_COOKIE_SECONDS,
            path=self.settings.base_path or "/",
            secure=self._is_secure(request),
            httponly=True,
            samesite="lax",
        )

    def _is_secure(self, request: Request) -> bool:
        """Tell whether the browser came by HTTPS, or the settings say so."""
        return self.settings.secure_cookies == "on" or (
            self.settings.secure_cookies == "auto" and request.url.scheme == "https"
        )


@dataclass(frozen=True, slots=True)
class Ask:
    """A page being asked for: by which request, of what, by which player (None: one that has not played yet), in which words."""

    request: Request
    served: Service
    player: str | None
    words: Words

    @property
    def play(self) -> Play:
        """The use cases."""
        return self.served.play

    @property
    def coaching(self) -> Coaching:
        """The coach's use cases."""
        return self.served.coaching

    @property
    def is_fragment(self) -> bool:
        """Tell whether HTMX asks for the table alone."""
        return self.request.headers.get("hx-request") == "true"

    def page(self, name: str, view: object, *, fragment: str | None = None) -> str:
        """Write a page of a view, or a block of it."""
        return self.served.renderer.page(name, view, self.words, fragment=fragment)


def service_of(request: Request) -> Service:
    """Give the application's service."""
    found: Service = request.app.state.service
    return found


def ask_of(request: Request) -> Ask:
    """Find out who asks and in which language."""
    served = service_of(request)
    return Ask(
        request, served, served.cookie_player(request), words(negotiate(request.headers.get("accept-language", "")))
    )


async def _ask(request: Request) -> Ask:
    # A coroutine, because a plain function would cost every request a trip through the thread pool.
    return ask_of(request)


async def _service(request: Request) -> Service:
    return service_of(request)


def api_player(request: Request) -> str:
    """Say which player the API is used by: the bearer token's, else the page's cookie's.

    Raises:
        NoIdentityError: answered with 401.

    """
    served = service_of(request)
    authorization = request.headers.get("authorization")
    if authorization is None:
        player = served.cookie_player(request)
    else:
        scheme, _, token = authorization.partition(" ")
        player = served.play.player_of_token(token.strip()) if scheme.lower() == "bearer" and token.strip() else None
    if player is None:
        raise NoIdentityError
    return player


@lru_cache(maxsize=1024)
def negotiate(accepted: str) -> str:
    """Choose the language that an Accept-Language header likes best among ours; English where it likes none."""
    liked: list[tuple[float, str]] = []
    for part in accepted.split(","):
        tag, _, weight = part.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=")) if weight.strip() else 1.0
        except ValueError:
            continue
        # The old code for Hebrew still comes from old systems.
        language = tag.strip().lower().partition("-")[0].replace("iw", "he")
        if language in LANGUAGES and 0 < quality <= 1:
            liked.append((-quality, language))
    return min(liked, key=lambda pair: pair[0])[1] if liked else "en"


PageAsk = Annotated[Ask, Depends(_ask)]
Served = Annotated[Service, Depends(_service)]
ApiPlayer = Annotated[str, Depends(api_player)]
