"""Files that are not pages: static ones under hashed names, the icon, and what a watchdog asks."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from app.web.service import PageAsk, Served
from app.web.words import N_

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


PAPER = "#f4eee1"
"""The colour of the page in the light: what an installed game shows before it has come."""

ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-mask-512.png", "512x512", "image/png", "maskable"),
)
"""Files of static/ with their sizes, media types, and what they are for."""


@router.get("/manifest.webmanifest")
def manifest(ask: PageAsk) -> Response:
    """Say how the game is put on a home screen. Nothing of it works offline: it could only show the dice of another day."""
    served, words = ask.served, ask.words
    first = f"{served.settings.base_path}/"
    told = {
        "id": first,
        "name": "Fairwind",
        "short_name": "Fairwind",
        "description": words.say(
            N_("A classic dice game: five dice, a card to fill, and dice that anybody can check.")
        ),
        "lang": words.language,
        "dir": words.direction,
        "start_url": first,
        "scope": first,
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "categories": ["games"],
        "icons": [
            {"src": served.renderer.assets.address(name), "sizes": sizes, "type": media_type, "purpose": purpose}
            for name, sizes, media_type, purpose in ICONS
        ],
    }
    headers = {"Cache-Control": "private, max-age=3600", "Vary": "Accept-Language, Cookie"}
    return JSONResponse(told, media_type="application/manifest+json", headers=headers)


@router.get("/ready")
def ready(served: Served) -> Response:
    """Say whether the database answers and has what this version needs: whether requests may be sent here.

    Raises:
        StoreUnavailable: answered with 503.

    """
    served.play.store.check_schema(newer=True)
    return PlainTextResponse("ready")


@router.get("/health")
async def health() -> Response:
    """Say that the process answers."""
    return PlainTextResponse("ok")
