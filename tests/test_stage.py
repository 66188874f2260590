"""The scenes that pictures and checks of the pages walk through: every page of the application is one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from fastapi.routing import APIRoute

from app.web import ROUTERS
from tools import likeness, pictures, quality
from tools.pictures import name_of
from tools.stage import TOLD, is_page, scenes

UNSHOWN = {
    "/d/{number}/{ruleset}/{short_id}.png": "a picture",
    "/device/{token}": "can be seen once only",
}


def test_every_page_is_a_scene() -> None:
    shown = [scene.address.partition("?")[0].replace("{shared}", "/d/333/classic/abc") for scene in scenes()]
    pages = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute) and is_page(route)]
    assert len(pages) > 15
    missing = [
        route.path
        for route in pages
        if route.path not in UNSHOWN and not any(route.path_regex.match(address) for address in shown)
    ]
    assert missing == []


def test_no_two_scenes_have_one_name_or_one_file() -> None:
    assert len({scene.name for scene in scenes()}) == len({name_of(scene) for scene in scenes()}) == len(scenes())


def test_what_is_told_here_is_shown_in_this_order() -> None:
    assert scenes()[: len(TOLD)] == list(TOLD)


@pytest.mark.parametrize(
    ("main", "words"),
    [
        (pictures.main, ["--language", "klingon"]),
        (pictures.main, ["--colour"]),
        (quality.main, ["telescope"]),
        (quality.main, ["axe", "--language", "klingon"]),
        (likeness.main, ["--renew", "everything"]),
    ],
)
def test_a_wrong_call_is_refused_in_one_line_before_anything_is_started(
    main: Callable[[Sequence[str]], object], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2
    assert words[-1] in capsys.readouterr().err.splitlines()[-1]
