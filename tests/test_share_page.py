"""The result of a daily as a text, and the page and the picture that its link opens: all told, nothing spoiled."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.game.rulesets import ruleset
from app.web.day_text import first_line
from app.web.picture import picture
from app.web.words import words
from tests.support.after import DAY, NUMBER, attempt, close, finish, somebody, store_of
from tests.support.web import Visitor, World, text_of

BOXES = [box.key.replace("_", " ") for box in ruleset("yacht").boxes]


@pytest.fixture
def sharer(daily_world: World) -> tuple[Visitor, dict[str, Any]]:
    """Somebody with a browser who has finished today."""
    browser = daily_world.visitor()
    browser.post("/daily", data={"ruleset": "yacht"})
    return browser, finish(browser)


def text_on(page: str) -> str:
    """Read the text to copy."""
    return str(re.findall(r"<textarea[^>]*>([^<]*)</textarea>", page)[0])


def address_in(text: str) -> str:
    """Take the path of the link that the text ends with."""
    return text.rpartition("\n")[2].removeprefix("http://fairwind.test")


@pytest.mark.parametrize(
    ("total", "par", "line"),
    [
        (247, 251, "Fairwind #142 Classic: 247 points (par 251, 4 under)"),
        (247, 247, "Fairwind #142 Classic: 247 points (par 247, even)"),
        (247, 240, "Fairwind #142 Classic: 247 points (par 240, 7 over)"),
        (1, None, "Fairwind #142 Classic: 1 point"),
        (1012, 1000, "Fairwind #142 Classic: 1,012 points (par 1,000, 12 over)"),
    ],
)
def test_the_first_line_says_day_game_points_and_par(total: int, par: int | None, line: str) -> None:
    assert first_line(142, "Classic", total, par, words("en")) == line


def test_a_number_of_four_digits_is_written_as_in_its_link() -> None:
    assert first_line(1234, "Classic", 247, None, words("en")) == "Fairwind #1234 Classic: 247 points"


def test_the_text_is_ready_on_the_table_and_on_the_days_page_and_stays_the_same(
    daily_world: World, sharer: tuple[Visitor, dict[str, Any]]
) -> None:
    browser, game = sharer
    text = text_on(browser.get(f"/games/{game['id']}").text)
    for page in ("/daily", f"/games/{game['id']}/review"):
        assert text_on(browser.get(page).text) == text
    total, number = game["seats"][0]["total"], rf"Fairwind #{NUMBER} Old Yacht"
    line = rf"{number}: {total} points? \(par \d+, (even|\d+ (under|over))\)"
    quality = r"Best choice in \d+ of 12 turns, longest run \d+"
    link = rf"http://fairwind\.test/d/{NUMBER}/yacht/{game['id'][:8]}"
    assert re.fullmatch(rf"{line}\n{quality}\n[🟦⬜🟧]{{6}}\n[🟦⬜🟧]{{6}}\n{link}", text)
    daily_world.clock.forward(days=1)
    assert text_on(browser.get("/daily/2026-11-29").text) == text


def test_words_only_and_the_text_without_its_link_are_one_tap_away_and_remembered(
    sharer: tuple[Visitor, dict[str, Any]],
) -> None:
    browser, game = sharer
    full = text_on(browser.get("/daily").text).split("\n")
    back = {"back": "/daily"}
    assert browser.post("/settings", data={"words_only": "1", **back}).status_code == 303
    assert text_on(browser.get("/daily").text).split("\n") == [*full[:2], full[-1]]
    assert browser.post("/settings", data={"without_link": "1", **back}).status_code == 303
    assert text_on(browser.get(f"/games/{game['id']}").text).split("\n") == full[:2]
    browser.post("/settings", data={"words_only": "0", **back})
    assert text_on(browser.get("/daily").text).split("\n") == full[:-1]


def test_the_text_before_par_is_known_has_no_brackets(daily_world: World) -> None:
    daily_world.settings.tables.unlink()
    browser = daily_world.visitor()
    browser.post("/daily", data={"ruleset": "yatzy_kids"})
    game = finish(browser, "yatzy_kids")
    text = text_on(browser.get(f"/games/{game['id']}").text)
    assert text.split("\n")[0] == f"Fairwind #{NUMBER} Yatzy for children: {game['seats'][0]['total']} points"
    daily_world.app.state.service.results.coaches.tables.wait()


def test_practice_says_so_and_has_no_link(daily_world: World) -> None:
    close(daily_world)
    browser = daily_world.visitor()
    made = browser.post("/games", data={"kind": "practice", "ruleset": "yacht", "day": "2026-11-29"})
    assert made.status_code == 303
    table = made.headers["location"]
    browser.play_out(browser.get(f"/api/v1{table}").json())
    text = text_on(browser.get(table).text)
    assert text.startswith(f"Fairwind #{NUMBER} Old Yacht, practice: ")
    assert "/d/" not in text


def test_the_link_opens_a_page_that_spoils_nothing(daily_world: World, sharer: tuple[Visitor, dict[str, Any]]) -> None:
    text = text_on(sharer[0].get("/daily").text)
    friend = daily_world.visitor()
    page = friend.get(address_in(text))
    assert page.status_code == 200
    first, quality, *_ = text.split("\n")
    assert f"<h1>{first}</h1>" in page.text
    assert quality in page.text
    said = text_of(page.text).lower()
    assert not [box for box in BOXES if box in said]
    assert "/games/" not in page.text.replace('href="/games"', "")
    assert 'class="die' not in page.text
    assert "Play these dice" in page.text
    # Whoever has begun finds the way back to the day, and no second beginning.
    friend.post("/daily", data={"ruleset": "yacht"})
    assert "Play these dice" not in friend.get(address_in(text)).text


def test_the_game_itself_is_there_for_those_who_have_finished_and_for_all_after_the_close(
    daily_world: World, sharer: tuple[Visitor, dict[str, Any]]
) -> None:
    browser, game = sharer
    address, log = address_in(text_on(browser.get("/daily").text)), f"/games/{game['id']}/log"
    other = daily_world.visitor()
    assert log not in other.get(address).text
    other.post("/daily", data={"ruleset": "yacht"})
    assert log not in other.get(address).text
    finish(other)
    assert log in other.get(address).text
    close(daily_world)
    stranger = daily_world.visitor().get(address)
    assert log in stranger.text
    assert "This day is past" in stranger.text


def test_other_programs_are_told_title_description_address_and_picture(
    daily_world: World, sharer: tuple[Visitor, dict[str, Any]]
) -> None:
    text = text_on(sharer[0].get("/daily").text)
    link, page = text.rpartition("\n")[2], daily_world.visitor().get(address_in(text)).text
    told = dict(re.findall(r'<meta property="(og:[a-z:_]+)" content="([^"]*)">', page))
    assert told["og:title"] == text.split("\n")[0]
    assert told["og:description"] == text.split("\n")[1]
    assert told["og:url"] == link
    assert told["og:image"] == f"{link}.png"
    assert (told["og:image:width"], told["og:image:height"]) == ("1200", "630")


def test_the_picture_is_a_png_of_the_promised_size_and_the_same_for_the_same_facts(
    daily_world: World, sharer: tuple[Visitor, dict[str, Any]]
) -> None:
    address = address_in(text_on(sharer[0].get("/daily").text))
    answer = daily_world.visitor().get(f"{address}.png")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/png"
    png = answer.content
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")) == (1200, 630)
    total = sharer[1]["seats"][0]["total"]
    par = int(re.findall(r"par (\d+)", text_on(sharer[0].get("/daily").text))[0])
    # Drawn from number, name, total and par: whatever else is known of the game cannot be in it.
    assert png == picture.__wrapped__(NUMBER, "Old Yacht", total, par)
    assert png != picture(NUMBER, "Old Yacht", total + 1, par)
    assert picture(NUMBER, "A & B <", total, None)[:4] == b"\x89PNG"


def test_the_page_of_a_player_who_has_deleted_everything_is_gone(
    daily_world: World, sharer: tuple[Visitor, dict[str, Any]]
) -> None:
    browser, game = sharer
    address = address_in(text_on(browser.get("/daily").text))
    store = store_of(daily_world)
    with store.reading() as tx:
        found = tx.entry_of_game(game["id"])
    assert found is not None
    daily_world.app.state.service.people.delete(found.player_id)
    for gone in (address, f"{address}.png"):
        assert daily_world.visitor().get(gone).status_code == 410
    close(daily_world)
    rows = daily_world.visitor().get("/api/v1/daily/2026-11-29").json()["board"]["rows"]
    assert [(row["rank"], row["name"]) for row in rows] == [(1, None)]


def test_a_name_on_the_page_is_isolated_and_a_hidden_result_shows_none(daily_world: World) -> None:
    ada = somebody(daily_world, "Ada")
    game = finish(ada)["id"]
    address = f"/d/{NUMBER}/yacht/{game[:8]}"
    assert "<bdi>Ada</bdi>" in daily_world.visitor().get(address).text
    with store_of(daily_world).writing() as tx:
        tx.hide(DAY, "yacht", tx.players_named("Ada")[0])
    page = daily_world.visitor().get(address)
    assert page.status_code == 200
    assert "Ada" not in page.text


def test_the_number_alone_leads_to_the_days_page(daily_world: World) -> None:
    visitor = daily_world.visitor()
    assert visitor.get(f"/d/{NUMBER}").headers["location"] == "/daily/2026-11-29"
    assert visitor.get(f"/d/{NUMBER}/yatzy_kids").headers["location"] == "/daily/2026-11-29?ruleset=yatzy_kids"
    assert visitor.get("/d/1").headers["location"] == "/daily/2026-01-01"


def test_an_address_that_leads_nowhere_is_not_found(daily_world: World) -> None:
    visitor = daily_world.visitor()
    for path in ("0", "-1", "x", "9999999", "\u0663", "1.5", "333/bridge", "0/yacht/abcdefgh"):
        assert visitor.get(f"/d/{path}").status_code == 404, path
    for short_id in ("abcdefgh", "abcdefgh.png", "a", "a" * 3_000, "%25" * 8, "____....", "\u05d0" * 8, "%00" * 8):
        answer = visitor.get(f"/d/333/yacht/{short_id}")
        assert answer.status_code == 404, short_id
        assert "<h1" in answer.text


def test_par_stands_on_the_page_also_when_nobody_has_asked_for_it_before(daily_world: World) -> None:
    game = finish(somebody(daily_world))
    page = daily_world.visitor().get(f"/d/{NUMBER}/yacht/{game['id'][:8]}").text
    assert re.search(rf"<h1>Fairwind #{NUMBER} Old Yacht: {game['seats'][0]['total']} points \(par \d+, ", page)


def test_an_attempt_that_is_not_finished_has_no_page(daily_world: World) -> None:
    game = attempt(somebody(daily_world))["id"]
    assert daily_world.visitor().get(f"/d/{NUMBER}/yacht/{game[:8]}").status_code == 404
    assert daily_world.visitor().get(f"/d/{NUMBER}/yatzy_kids/{game[:8]}").status_code == 404


def test_a_day_to_come_and_a_game_without_a_daily_are_refused(daily_world: World) -> None:
    visitor = daily_world.visitor()
    assert visitor.get("/d/800/yacht/abcdefgh").status_code == 403
    assert visitor.get(f"/d/{NUMBER}/classic/abcdefgh").status_code == 422
