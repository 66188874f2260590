"""Whatever is sent, no route stumbles, and the API answers what its description says. `make quality` sends much more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import APIOperation, Case
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.settings import Settings
from app.web import ROUTERS
from app.web.api_bodies import API
from tests.support.server import in_thread
from tests.support.web import Visitor

THOROUGH = settings.get_current_profile_name() == "thorough"
"""Whether this is the long run of `make quality`."""

ROUTES = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
FORMS = sorted({route.path for route in ROUTES if "POST" in (route.methods or ()) and not route.path.startswith(API)})
OPERATIONS = sum(
    len((route.methods or set()) & {"GET", "POST", "PUT", "DELETE"}) for route in ROUTES if route.path.startswith(API)
)

API_EXAMPLES = 2_000 // OPERATIONS + 1 if THOROUGH else 8
FORM_EXAMPLES = 2_000 if THOROUGH else 150

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]

FIELDS = (
    "version", "keep", "box", "confirm", "ruleset", "kind", "level", "addressing", "corrections", "joker", "name", "code",
    "back", "language", "theme", "day", "month", "words_only", "token", "start", "same_dice", "hidden", "surprise",
)  # fmt: skip
VALUES = st.one_of(
    st.integers(-2, 40).map(str),
    st.sampled_from(["", "1", "on", "classic", "yatzy", "solo", "computer", "novice", "ones", "chance", "he", "//x.example"]),
    st.text(max_size=40),
)  # fmt: skip


@settings(
    max_examples=FORM_EXAMPLES,
    deadline=None,
    # The same player goes on through all examples: what one leaves behind is what the next one meets.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    path=st.sampled_from(FORMS),
    fields=st.lists(st.tuples(st.sampled_from(FIELDS), VALUES), max_size=6),
    there=st.booleans(),
    fragment=st.booleans(),
)
def test_no_form_makes_a_route_stumble(
    seated: tuple[Visitor, str], path: str, fields: list[tuple[str, str]], *, there: bool, fragment: bool
) -> None:
    visitor, game = seated
    address = path.replace("{game_id}", game if there else "nowhere")
    sent: dict[str, list[str]] = {}
    for name, value in fields:
        sent.setdefault(name, []).append(value)
    answer = visitor.post(address, data=sent, headers={"HX-Request": "true"} if fragment else {})
    assert answer.status_code < 500 or answer.status_code == 503, (address, sent, answer.status_code)
    if answer.status_code == 303:
        assert answer.headers["location"].startswith("/")
        assert not answer.headers["location"].startswith("//")


@pytest.fixture
def described(tmp_path: Path) -> Iterator[tuple[BaseSchema, str]]:
    """The API of a running server, by its own description, asked by a player, and a game of that player's."""
    with in_thread(Settings(data=tmp_path)) as served:
        token = httpx.post(f"{served.url}{API}/players", json={"name": None}).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        game = httpx.post(f"{served.url}{API}/games", json={"ruleset": "classic"}, headers=headers).json()["id"]
        schema = schemathesis.openapi.from_url(f"{served.url}{API}/openapi.json")
        schema.config.update(headers=headers)
        yield schema, game


def test_the_api_answers_what_its_description_says(described: tuple[BaseSchema, str]) -> None:
    asked = set()
    schema, game = described
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        asked.add(operation.path)
        _ask(operation, game)
    assert asked == {route.path for route in ROUTES if route.path.startswith(API)}


def _ask(operation: APIOperation[Any, Any, Any, Any], game: str) -> None:
    """Ask one operation whatever its description allows, every other time about a game that there is."""

    @settings(
        max_examples=API_EXAMPLES,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    @given(case=operation.as_strategy(), there=st.booleans())
    def ask(case: Case[Any], *, there: bool) -> None:
        if there and "game_id" in (case.path_parameters or {}):
            case.path_parameters["game_id"] = game
        case.call_and_validate(checks=CHECKS)

    ask()
