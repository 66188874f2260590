"""Numbers for Prometheus: requests by route, entries of logs, games by kind. With several processes they count together."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from fastapi import APIRouter, Request
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.store import Deed

router = APIRouter(include_in_schema=False)

SHARED_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder where several processes count together; read by prometheus-client when it is loaded."""

_BUCKETS: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    """The counters of one application."""

    def __init__(self) -> None:
        """Begin at 0."""
        registry = self._registry = CollectorRegistry()
        self._requests = Counter(
            "fairwind_requests", "Requests answered.", ("method", "route", "status"), registry=registry
        )
        self._seconds = Histogram(
            "fairwind_request_seconds", "Seconds until an answer.", ("route",), registry=registry, buckets=_BUCKETS
        )
        self._moves = Counter("fairwind_moves", "Entries written into games' logs.", registry=registry)
        self._opened = Counter("fairwind_games_opened", "Games opened.", ("kind",), registry=registry)
        self._finished = Counter("fairwind_games_finished", "Games finished.", ("kind",), registry=registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def done(self, deeds: Mapping[tuple[Deed, str], int]) -> None:
        """Count what a transaction has done."""
        for (deed, kind), count in deeds.items():
            match deed:
                case Deed.MOVED:
                    self._moves.inc(count)
                case Deed.OPENED:
                    self._opened.labels(kind).inc(count)
                case Deed.FINISHED:
                    self._finished.labels(kind).inc(count)

    def text(self) -> bytes:
        """Write all counts as Prometheus reads them; of several processes their sums."""
        if SHARED_FOLDER not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Give the counts to this machine and to the trusted proxies' network, where they are turned on; to nobody else."""
    found: Metrics | None = request.app.state.metrics
    if found is None or not request.app.state.is_near(request):
        raise HTTPException(404)
    return Response(found.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
