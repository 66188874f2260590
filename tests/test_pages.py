"""The pages by their forms, with and without HTMX: what is answered, what is stored, what is remembered."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from tests.support.web import Visitor, World

HTMX = {"HX-Request": "true"}


def text_of(html: str) -> str:
    """Give what a page says, without its markup."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def state_of(visitor: Visitor, table: str) -> dict[str, Any]:
    """Give the game behind a table as the API tells it."""
    found: dict[str, Any] = visitor.get(f"/api/v1{table}").json()
    return found


def finish(visitor: Visitor, table: str) -> dict[str, Any]:
    """Play a game to its end by the API, with the cookie of the page."""
    return visitor.play_out(state_of(visitor, table))


def test_a_form_answers_with_the_table_and_htmx_with_its_fragment(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    plain = visitor.post(f"{table}/roll", data={"version": "0"})
    assert (plain.status_code, plain.headers["location"]) == (303, table)
    page = visitor.get(table)
    assert page.text.startswith("<!doctype html>")
    fragment = visitor.post(f"{table}/roll", data={"version": "1", "keep": ["0", "1"]}, headers=HTMX)
    assert fragment.status_code == 200
    assert fragment.text.lstrip().startswith('<section id="table"')
    assert "<html" not in fragment.text
    for answer in (page, fragment):
        assert "HX-Request" in answer.headers["vary"]


def test_every_address_that_htmx_asks_is_a_whole_page_without_htmx(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    for address in (table, f"{table}/roll", f"{table}/score", f"{table}/undo"):
        answer = visitor.get(address)
        assert answer.text.startswith("<!doctype html>"), address


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_refused_move_shows_the_present_table_and_the_reason(world: World, headers: dict[str, str]) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    answer = visitor.post(f"{table}/score", data={"version": "0", "box": "ones", "confirm": "1"}, headers=headers)
    assert answer.status_code == 422
    assert 'id="table"' in answer.text
    assert "Roll the dice first." in text_of(answer.text)
    visitor.post(f"{table}/roll", data={"version": "0"})
    stale = visitor.post(f"{table}/score", data={"version": "0", "box": "ones"}, headers=headers)
    assert stale.status_code == 409
    assert 'id="table"' in stale.text
    assert 'value="1"' in stale.text
    assert state_of(visitor, table)["version"] == 1


def zero_and_points(game: dict[str, Any]) -> tuple[str, str]:
    """Find a box that would score 0 and one that would not."""
    boxes = game["legal"]["boxes"]
    return next(box for box, points in boxes.items() if not points), next(
        box for box, points in boxes.items() if points
    )


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_needless_zero_waits_for_a_second_tap(world: World, headers: dict[str, str]) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    visitor.post(f"{table}/roll", data={"version": "0"})
    zero, _ = zero_and_points(state_of(visitor, table))
    asked = visitor.post(f"{table}/score", data={"version": "1", "box": zero}, headers=headers)
    assert asked.status_code == 200
    assert 'name="confirm"' in asked.text
    assert state_of(visitor, table)["version"] == 1
    done = visitor.post(f"{table}/score", data={"version": "1", "box": zero, "confirm": "1"}, headers=headers)
    assert done.status_code in {200, 303}
    assert state_of(visitor, table)["seats"][0]["card"][zero] == 0


def test_points_are_written_at_the_first_tap(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    visitor.post(f"{table}/roll", data={"version": "0"})
    game = state_of(visitor, table)
    _, box = zero_and_points(game)
    visitor.post(f"{table}/score", data={"version": "1", "box": box})
    assert state_of(visitor, table)["seats"][0]["card"][box] == game["legal"]["boxes"][box]


def test_an_entry_is_taken_back_by_the_form(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table(corrections="1")
    visitor.post(f"{table}/roll", data={"version": "0"})
    visitor.post(f"{table}/score", data={"version": "1", "box": "chance"})
    assert f"{table}/undo" in visitor.get(table).text
    visitor.post(f"{table}/undo", data={"version": "2"})
    game = state_of(visitor, table)
    assert (game["version"], game["seats"][0]["card"]["chance"], game["assisted"]) == (3, None, True)
    assert f"{table}/undo" not in visitor.get(table).text


def test_the_table_says_how_far_the_bonus_is_and_which_roll_it_is(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    visitor.post(f"{table}/roll", data={"version": "0"})
    said = text_of(visitor.get(table).text)
    assert "Roll 1 of 3" in said
    assert "0 / 63" in said
    visitor.post(f"{table}/score", data={"version": "1", "box": "sixes", "confirm": "1"})
    visitor.post(f"{table}/roll", data={"version": "2"})
    visitor.post(f"{table}/roll", data={"version": "3"})
    assert "Roll 2 of 3" in text_of(visitor.get(table).text)


def test_a_finished_game_shows_its_result_and_a_text_to_copy(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    total = finish(visitor, table)["seats"][0]["total"]
    page = visitor.get(table)
    assert f"Fairwind Classic: {total} points, new best" in unescape(page.text)
    assert "/roll" not in page.text
    assert page.text == visitor.get(table).text


def test_a_better_game_is_a_new_best_and_an_equal_or_worse_one_is_not(world: World) -> None:
    visitor = world.visitor()
    totals: list[int] = []
    # The same key makes the same game, so the second total equals the first.
    for key in (bytes(32), bytes(32), bytes([1] * 32), bytes([2] * 32)):
        world.keys_to_come.append(key)
        table = visitor.open_table()
        total = finish(visitor, table)["seats"][0]["total"]
        world.clock.forward(minutes=5)
        is_best = "new best" in unescape(visitor.get(table).text)
        assert is_best == (not totals or total > max(totals))
        totals.append(total)
    page = text_of(visitor.get("/stats").text)
    assert str(max(totals)) in page
    assert f"{sum(totals) / 4:.1f}" in page


def test_assisted_and_abandoned_games_are_counted_apart(world: World) -> None:
    visitor = world.visitor()
    finish(visitor, visitor.open_table())
    table = visitor.open_table(corrections="1")
    visitor.post(f"{table}/roll", data={"version": "0"})
    visitor.post(f"{table}/score", data={"version": "1", "box": "chance"})
    visitor.post(f"{table}/undo", data={"version": "2"})
    finish(visitor, table)
    assert "new best" not in visitor.get(table).text
    given_up = visitor.open_table()
    visitor.post(f"{given_up}/abandon", data={"version": "0"})
    player = world.app.state.service.signer.unsign(visitor.client.cookies["fairwind"]).decode()
    totals = world.app.state.service.play.totals(player)
    assert {(found.assisted, found.finished.count, found.abandoned) for found in totals} == {
        (False, 1, 1),
        (True, 1, 0),
    }
    said = text_of(visitor.get("/stats").text)
    assert "Assisted games" in said


def test_open_games_can_be_gone_on_with_or_given_up(world: World) -> None:
    visitor = world.visitor()
    first, second = visitor.open_table(), visitor.open_table("yatzy")
    page = visitor.get("/games").text
    assert first in page
    assert second in page
    assert first in visitor.get("/").text or second in visitor.get("/").text
    answer = visitor.post(f"{first}/abandon", data={"version": "0"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/games")
    page = visitor.get("/games").text
    assert first not in page
    assert second in page
    finish(visitor, second)
    assert second in visitor.get("/games").text


def test_a_new_game_leaves_the_old_one_as_it_is(world: World) -> None:
    visitor = world.visitor()
    old = visitor.open_table()
    visitor.post(f"{old}/roll", data={"version": "0"})
    before = state_of(visitor, old)
    visitor.open_table()
    assert state_of(visitor, old) == before


def test_reloading_never_changes_the_dice(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    visitor.post(f"{table}/roll", data={"version": "0"})
    game = state_of(visitor, table)
    pages = {visitor.get(table).text for _ in range(20)}
    assert len(pages) == 1
    assert state_of(visitor, table) == game


def test_no_row_is_made_for_somebody_who_only_looks(world: World) -> None:
    visitor = world.visitor()
    for address in ("/", "/games", "/stats", "/rules", "/rules/classic", "/new"):
        assert visitor.get(address).status_code == 200
    assert not visitor.client.cookies
    with world.app.state.service.play.store.reading() as tx:
        assert list(tx.all_games()) == []


def test_the_log_shows_every_die_and_the_key_after_the_end(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    visitor.post(f"{table}/roll", data={"version": "0"})
    game = state_of(visitor, table)
    page = text_of(visitor.get(f"{table}/log").text)
    assert game["commitment"] in page.replace(" ", "")
    assert world.keys[-1].hex() not in page.replace(" ", "")
    finish(visitor, table)
    assert world.keys[-1].hex() in text_of(visitor.get(f"{table}/log").text).replace(" ", "")


def test_a_game_can_be_played_by_every_ruleset_through_the_forms(world: World) -> None:
    visitor = world.visitor()
    for rules in visitor.get("/api/v1/rulesets").json():
        table = visitor.open_table(rules["id"])
        assert visitor.post(f"{table}/roll", data={"version": "0"}, headers=HTMX).status_code == 200
        game = state_of(visitor, table)
        assert len(game["dice"]) == rules["dice"]
        box = next(iter(game["legal"]["boxes"]))
        assert (
            visitor.post(f"{table}/score", data={"version": "1", "box": box, "confirm": "1"}, headers=HTMX).status_code
            == 200
        )
        assert finish(visitor, table)["status"] == "finished"
        assert visitor.get(table).status_code == 200
        assert visitor.get(f"{table}/log").status_code == 200


def test_recounting_mends_what_is_not_as_the_log_says(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    game = finish(visitor, table)
    play = world.app.state.service.play
    assert play.recount() == []
    with play.store.writing() as tx:
        tx.project(game["id"], None, {0: None}, assisted=True)
    found = play.recount()
    assert {difference.what for difference in found} == {"finished", "assisted", "score of seat 0"}
    assert play.recount() == []
    assert state_of(visitor, table) == game
