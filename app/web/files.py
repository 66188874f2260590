"""Files that are not pages: static ones under hashed names, the icon, and what a watchdog asks."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import RedirectResponse
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from app.web.service import PageAsk

router = APIRouter(include_in_schema=False)

# The name changes with the content, so a copy never goes stale.
_FOR_EVER = "public, max-age=31536000, immutable"


@router.get("/static/{name:path}")
async def static(name: str, ask: PageAsk) -> Response:
    """Give a static file by its hashed name, compressed where the browser takes it."""
    asset = ask.served.renderer.assets.find(name)
    if asset is None:
        raise HTTPException(404)
    headers = {"Cache-Control": _FOR_EVER, "Vary": "Accept-Encoding"}
    if asset.gzipped is not None and "gzip" in ask.request.headers.get("accept-encoding", ""):
        return Response(asset.gzipped, media_type=asset.media_type, headers=headers | {"Content-Encoding": "gzip"})
    return Response(asset.body, media_type=asset.media_type, headers=headers)


@router.get("/favicon.ico")
async def favicon(ask: PageAsk) -> Response:
    """Send browsers that guess the icon's address to the icon."""
    return RedirectResponse(ask.served.renderer.assets.address("icon.svg"), status_code=308)


@router.get("/health")
async def health() -> Response:
    """Say that the process answers."""
    return PlainTextResponse("ok")
