"""What all calls of the JSON API share: where they are, how a body is read, and how a failure is told."""

from __future__ import annotations

from typing import Any

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict

API = "/api/v1"


class Body(BaseModel):
    """A request body: unknown keys are refused, and types are taken at their word."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(BaseModel):
    """What went wrong: a stable code, a sentence in English, and details."""

    code: str
    message: str
    details: dict[str, Any] = {}


class Failure(BaseModel):
    """The body of every answer that is not a success."""

    error: Problem


FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"model": Failure, "description": text}
    for status, text in {
        400: "Malformed JSON, or a host that this server does not answer for",
        401: "No token, or one that is not known",
        403: "Somebody else's game, or a request from another site",
        404: "No such thing",
        409: "The game is at another version; `details.game` is the present one",
        413: "The body is over 16 kB",
        415: "The body is not JSON",
        422: "Understood, but refused: the code says why",
        429: "Too often; Retry-After says for how many seconds to wait",
        503: "Not now: a game is still being worked out, or nothing can be stored; Retry-After says for how long",
    }.items()
}


def failures(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Give what a route's description says of its failures."""
    return {status: FAILURES[status] for status in statuses}


class NotJsonError(Exception):
    """The body of a request to the API is not JSON."""


async def json_only(request: Request) -> None:
    """Refuse a body that is not JSON.

    Raises:
        NotJsonError: answered with 415.

    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not kind and request.headers.get("content-length", "0") == "0":
        return  # No body at all: the fields are missed by name.
    if kind != "application/json" and not kind.endswith("+json"):
        raise NotJsonError


JsonOnly = Depends(json_only)
