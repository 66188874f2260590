"""The web application: `create_app` wires routes, use cases and layers together, here and nowhere else."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from itsdangerous import Signer
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app import __version__
from app.clock import Clock, system
from app.coach.making import Tables
from app.coach.players import Computers
from app.game.dice import KEY_BYTES
from app.game.errors import GameError
from app.play import Play, PlayError
from app.play.coaching import Coaches, Coaching
from app.settings import Settings
from app.store import Store, StoreUnavailable
from app.web import api, api_coach, coach_pages, docs, files, pages
from app.web.answers import answer_error, api_failure, message_of, page_failure
from app.web.guard import Guard, Refusal
from app.web.render import Renderer
from app.web.service import NoIdentityError, Service, ask_of

ROUTERS = (api.router, api_coach.router, docs.router, files.router, coach_pages.router, pages.router)


def random_key() -> bytes:
    """Make the key of a new game."""
    return secrets.token_bytes(KEY_BYTES)


def create_app(settings: Settings, clock: Clock = system, make_key: Callable[[], bytes] = random_key) -> FastAPI:
    """Make the application on the database that the settings name; it must be migrated.

    Raises:
        StoreUnavailable: the database cannot be opened, or is not at this version's schema.

    """
    store = Store.open(settings.where, synchronous=settings.synchronous)
    store.check_schema()
    tables = Tables(settings.tables)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        tables.close()
        store.close()

    app = FastAPI(
        title="Fairwind",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{api.API}/openapi.json",
        redirect_slashes=False,
        # Nothing leaves this server, whatever OTEL_ variables its surroundings have set.
        telemetry={
            "tracing": False,
            "metrics": False,
            "logs": False,
            "operation_spans": False,
            "auto_configure": False,
        },
    )
    app.state.service = Service(
        settings,
        Play(store, clock, make_key, Computers(tables)),
        Coaching(store, Coaches(tables)),
        Renderer(settings.base_path),
        _signer(settings, store, clock),
    )
    for router in ROUTERS:
        app.include_router(router)
    for error in (
        GameError,
        PlayError,
        StoreUnavailable,
        NoIdentityError,
        api.NotJsonError,
        RequestValidationError,
        HTTPException,
    ):
        app.add_exception_handler(error, answer_error)
    app.add_exception_handler(Exception, answer_error)
    app.add_middleware(Guard, refuse=_refuse, hosts=frozenset(settings.hosts))
    return app


def _signer(settings: Settings, store: Store, clock: Clock) -> Signer:
    """Sign with the key of the settings, else with the one that all workers share through the database."""
    keys = list(reversed(settings.signing_key))
    if not keys:
        with store.writing() as tx:
            keys = [tx.secret("signing", random_key, clock())]
    # The last key signs, all of them are accepted.
    return Signer(keys, salt="session")


def _refuse(scope: Scope, refusal: Refusal) -> ASGIApp:
    """Answer a request that the guard turned away, as JSON or as a page."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await _refused(Request(scope, receive), refusal)(scope, receive, send)

    del scope
    return answer


def _refused(request: Request, refusal: Refusal) -> Response:
    if request.url.path.startswith(api.API):
        return api_failure(refusal.status, refusal.code, message_of(refusal.code))
    return page_failure(ask_of(request), refusal.status, refusal.code)
