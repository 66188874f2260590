"""What a route needs and where it comes from: the use cases, the renderer, who is asking, and in which language.

The session cookie is signed and holds the player's id alone, with a number once other devices were signed out; the API takes a
bearer token as well.
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
from app.play.days import Days
from app.play.people import People, cookie_of
from app.play.preferences import Preferences
from app.play.results import Results
from app.play.tallying import Tallying
from app.settings import Settings
from app.store import PlayerRow, StoreUnavailable
from app.web.around import around
from app.web.limiting import GAMES, NEW_PLAYERS, Limiter
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
    days: Days
    people: People
    renderer: Renderer
    signer: Signer
    limiter: Limiter
    results: Results
    tallying: Tallying

    def cookie_player(self, request: Request) -> PlayerRow | None:
        """Find whose session cookie the request has, once a request; a cookie that we did not sign is nobody's.

        Raises:
            StoreUnavailable: the database cannot be read.

        """
        if not hasattr(request.state, "player"):
            request.state.player = self._find_player(request)
        found: PlayerRow | StoreUnavailable | None = request.state.player
        if isinstance(found, StoreUnavailable):
            raise found
        return found

    def _find_player(self, request: Request) -> PlayerRow | StoreUnavailable | None:
        value = request.cookies.get(COOKIE)
        if value is None:
            return None
        try:
            return self.people.of_cookie(self.signer.unsign(value).decode())
        except BadSignature:
            return None
        except StoreUnavailable as error:
            # Noted down: whoever asks again is not kept waiting again.
            return error

    def set_cookie(self, request: Request, response: Response, player_id: str) -> None:
        """Remember a player in the browser: the one who has asked, or one who is new."""
        known = self.cookie_player(request)
        self.remember(request, response, cookie_of(known) if known and known.id == player_id else player_id)

    def remember(self, request: Request, response: Response, cookie: str) -> None:
        """Let the browser keep what `cookie_of` gives."""
        response.set_cookie(
            COOKIE,
            self.signer.sign(cookie).decode(),
            max_age=_COOKIE_SECONDS,
            path=self.settings.base_path or "/",
            secure=self._is_secure(request),
            httponly=True,
            samesite="lax",
        )

    def count_game(self, request: Request, player: str | None) -> None:
        """Count a game that somebody is about to open: one more of a player, or one more new player.

        Raises:
            TooOftenError: answered with 429.

        """
        if player is None:
            self.limiter.count(NEW_PLAYERS, request)
        else:
            self.limiter.count(GAMES, request, player)

    def _is_secure(self, request: Request) -> bool:
        """Tell whether the browser came by HTTPS, or the settings say so."""
        return self.settings.secure_cookies == "on" or (
            self.settings.secure_cookies == "auto" and request.url.scheme == "https"
        )


@dataclass(frozen=True, slots=True)
class Ask:
    """A page being asked for: by which request, of what. Who asks is looked up in the database, so not in a coroutine."""

    request: Request
    served: Service

    @property
    def player(self) -> str | None:
        """The id of the player who asks, None for one that has not played yet.

        Raises:
            StoreUnavailable: the database cannot be read.

        """
        found = self.served.cookie_player(self.request)
        return found.id if found else None

    @property
    def preferences(self) -> Preferences:
        """How the player wants the pages to be; the usual way for nobody, and while the database cannot be read."""
        try:
            found = self.served.cookie_player(self.request)
        except StoreUnavailable:
            found = None
        return Preferences.read(found.settings) if found else Preferences()

    @property
    def words(self) -> Words:
        """The words of the language that the player has chosen, else that the browser asks for."""
        chosen = self.preferences.language
        accepted = self.request.headers.get("accept-language", "")
        return words(chosen if chosen in LANGUAGES else negotiate(accepted))

    @property
    def people(self) -> People:
        """The use cases about people."""
        return self.served.people

    @property
    def play(self) -> Play:
        """The use cases."""
        return self.served.play

    @property
    def coaching(self) -> Coaching:
        """The coach's use cases."""
        return self.served.coaching

    @property
    def days(self) -> Days:
        """The use cases of the daily."""
        return self.served.days

    @property
    def results(self) -> Results:
        """The use cases after a day."""
        return self.served.results

    @property
    def is_fragment(self) -> bool:
        """Tell whether HTMX asks for the table alone."""
        return self.request.headers.get("hx-request") == "true"

    def page(self, name: str, view: object, *, fragment: str | None = None) -> str:
        """Write a page of a view, or a block of it."""
        frame = around(self.request, self.preferences, self.served.settings.base_path)
        return self.served.renderer.page(name, view, self.words, fragment=fragment, around=frame)


def service_of(request: Request) -> Service:
    """Give the application's service."""
    found: Service = request.app.state.service
    return found


def ask_of(request: Request) -> Ask:
    """Take a request for a page."""
    return Ask(request, service_of(request))


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
    player = maybe_player(request)
    if player is None:
        raise NoIdentityError
    return player


def maybe_player(request: Request) -> str | None:
    """Say which player the API is used by, None for nobody.

    Raises:
        NoIdentityError: a token was sent that is not known.

    """
    served = service_of(request)
    authorization = request.headers.get("authorization")
    if authorization is None:
        known = served.cookie_player(request)
        return known.id if known else None
    scheme, _, token = authorization.partition(" ")
    player = served.people.player_of_token(token.strip()) if scheme.lower() == "bearer" and token.strip() else None
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
MaybePlayer = Annotated[str | None, Depends(maybe_player)]
