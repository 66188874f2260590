"""The API's own page, made from its OpenAPI document; the framework's page would load scripts from elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.responses import HTMLResponse

from app.web.service import PageAsk

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a body: its name, its type in words, whether it must be there."""

    name: str
    kind: str
    required: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """One status that a call can answer with."""

    status: str
    meaning: str
    model: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One call."""

    method: str
    path: str
    summary: str
    body: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """One JSON object that calls take or give."""

    name: str
    summary: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class ApiView:
    """The context of api.html."""

    operations: tuple[Operation, ...]
    models: tuple[Model, ...]
    document: str


@router.get("/api/docs")
def api_docs(ask: PageAsk) -> str:
    """Show the calls and the objects of the API."""
    app: FastAPI = ask.request.app
    return ask.page("api.html", api_view(app.openapi(), f"{ask.served.settings.base_path}{app.openapi_url}"))


def api_view(document: dict[str, Any], url: str) -> ApiView:
    """Read an OpenAPI document."""
    operations = [
        _operation(method.upper(), path, call)
        for path, calls in document["paths"].items()
        for method, call in calls.items()
    ]
    schemas = document["components"]["schemas"]
    return ApiView(tuple(operations), tuple(_model(name, schema) for name, schema in sorted(schemas.items())), url)


def _operation(method: str, path: str, call: dict[str, Any]) -> Operation:
    body = call.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    answers = tuple(
        Answer(
            status,
            answer["description"],
            _kind(answer.get("content", {}).get("application/json", {}).get("schema", {})),
        )
        for status, answer in call["responses"].items()
    )
    return Operation(method, path, call.get("description", ""), _kind(body), answers)


def _model(name: str, schema: dict[str, Any]) -> Model:
    required = set(schema.get("required", ()))
    fields = tuple(Field(key, _kind(value), key in required) for key, value in schema.get("properties", {}).items())
    return Model(name, schema.get("description", ""), fields)


def _kind(schema: dict[str, Any]) -> str:
    """Say a JSON type in words."""
    match schema:
        case {"$ref": reference}:
            said = str(reference).rpartition("/")[2]
        case {"anyOf": parts}:
            said = " or ".join(_kind(part) for part in parts)
        case {"enum": values}:
            said = " or ".join(f'"{value}"' for value in values)
        case {"const": value}:
            said = f'"{value}"'
        case {"type": "array", "items": items}:
            said = f"list of {_kind(items)}"
        case {"additionalProperties": dict() as values}:
            said = f"object of {_kind(values)}"
        case _:
            said = str(schema.get("type", ""))
    return said
