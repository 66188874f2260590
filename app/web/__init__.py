"""The web application: `create_app` wires routes, use cases and layers together, here and nowhere else."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from itsdangerous import Signer
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app import __version__
from app.clock import Clock, system
from app.coach.making import Tables
from app.coach.players import Computers
from app.game.dice import KEY_BYTES
from app.game.errors import GameError
from app.play import Play, PlayError
from app.play.coaching import Coaches, Coaching
from app.play.days import Dailies, Days
from app.play.people import People
from app.play.results import Results
from app.play.tallying import Tallying
from app.settings import Settings
from app.store import Store, StoreUnavailable
from app.web import (
    api,
    api_coach,
    api_days,
    coach_pages,
    day_pages,
    docs,
    fair_pages,
    files,
    metrics,
    pages,
    people_pages,
    share_pages,
)
from app.web.answers import answer_error, api_failure, message_of, page_failure
from app.web.api_bodies import API, NotJsonError
from app.web.guard import Guard, Refusal
from app.web.journal import Journal, Rescue
from app.web.limiting import Limiter, Nearness, TooOftenError
from app.web.metrics import Metrics
from app.web.render import Renderer
from app.web.service import NoIdentityError, Service, ask_of

# In this order a request is held against them: what is asked for at every move stands first.
ROUTERS = (
    pages.router,
    api.router,
    api_coach.router,
    api_days.router,
    docs.router,
    files.router,
    metrics.router,
    coach_pages.router,
    day_pages.router,
    people_pages.router,
    share_pages.router,
    fair_pages.router,
)

SMALL = 1_000
"""Bytes: what is shorter goes in one packet, compressed or not."""

ANSWERED = (
    GameError,
    PlayError,
    StoreUnavailable,
    NoIdentityError,
    TooOftenError,
    NotJsonError,
    RequestValidationError,
    HTTPException,
    Exception,
)
"""The errors that are answered in the form that the asker reads."""

THIS_MACHINE = ("127.0.0.1", "::1")
"""Where a proxy is believed to be if the settings name none."""


THREADS = 8
"""Requests that a process works on at once. Each is mostly Python, of which one runs at a time: more threads only take
the processor from each other. Those beyond wait in the order in which they came."""


def random_key() -> bytes:
    """Make the key of a new game."""
    return secrets.token_bytes(KEY_BYTES)


def create_app(settings: Settings, clock: Clock = system, make_key: Callable[[], bytes] = random_key) -> FastAPI:
    """Make the application on the database that the settings name; it must be migrated.

    Raises:
        StoreUnavailable: the database cannot be opened, or is not at this version's schema.

    """
    counts = Metrics() if settings.metrics == "on" else None
    store = _open_store(settings, counts)
    tables = Tables(settings.tables)
    days = Days(store, clock, Dailies.of(settings), random_key)
    days.publish()

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        yield
        tables.close()
        store.close()

    app = _bare_app(lifespan)
    app.state.metrics, app.state.is_near = counts, Nearness(settings.trusted_proxies)
    coaches = Coaches(tables)
    app.state.service = Service(
        settings,
        Play(store, clock, make_key, Computers(tables)),
        Coaching(store, coaches, clock),
        days,
        People(store, clock),
        Renderer(settings.base_path),
        _signer(settings, store, clock),
        Limiter(store, clock, settings.rate_limits == "on", random_key),
        Results(store, days, coaches),
        Tallying(store, clock),
    )
    for router in ROUTERS:
        app.include_router(router)
    for error in ANSWERED:
        app.add_exception_handler(error, answer_error)
    _add_layers(app, settings, counts)
    return app


def _open_store(settings: Settings, counts: Metrics | None) -> Store:
    store = Store.open(settings.where, synchronous=settings.synchronous)
    # `serve` has refused a later schema when it began; a process that takes a dead one's place shall start on it.
    store.check_schema(newer=True)
    store.read_only = settings.read_only == "on"
    store.watch = counts.done if counts else None
    return store


def _bare_app(lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]]) -> FastAPI:
    return FastAPI(
        title="Fairwind",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
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


def _add_layers(app: FastAPI, settings: Settings, counts: Metrics | None) -> None:
    """Put the layers around the routes, the innermost first."""
    # Pages hold no secret beside what a stranger could have put there, so that their compressed length tells nothing.
    app.add_middleware(GZipMiddleware, minimum_size=SMALL, compresslevel=5)
    app.add_middleware(Rescue, answer=answer_error)
    app.add_middleware(Guard, refuse=_refuse, hosts=frozenset(settings.hosts), read_only=settings.read_only == "on")
    app.add_middleware(Journal, every=settings.log == "requests", metrics=counts)
    # The outermost layer, so that all others see who asked and by which scheme, and not the proxy.
    app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=[*(settings.trusted_proxies or THIS_MACHINE)])


def _signer(settings: Settings, store: Store, clock: Clock) -> Signer:
    """Sign with the key of the settings, else with the one that all workers share through the database."""
    keys = list(reversed(settings.signing_key))
    if not keys:
        keys = [_secret(store, "signing", clock)]
    # The last key signs, all of them are accepted.
    return Signer(keys, salt="session")


def _secret(store: Store, name: str, clock: Clock) -> bytes:
    with store.reading() as tx:
        found = tx.stored_secret(name)
    if found is None:
        with store.writing() as tx:
            found = tx.secret(name, random_key, clock())
    return found


def _refuse(scope: Scope, refusal: Refusal) -> ASGIApp:
    """Answer a request that the guard turned away, as JSON or as a page."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        refused = await run_in_threadpool(_refused, Request(scope, receive), refusal)
        await refused(scope, receive, send)

    del scope
    return answer


def _refused(request: Request, refusal: Refusal) -> Response:
    headers = {} if refusal.retry_after is None else {"Retry-After": str(refusal.retry_after)}
    if request.url.path.startswith(API):
        return api_failure(refusal.status, refusal.code, message_of(refusal.code), headers=headers)
    return page_failure(ask_of(request), refusal.status, refusal.code, headers=headers)
