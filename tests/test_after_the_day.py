"""What comes after a day: par, best, rank, board, spread, for those who may see it and nobody else."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.coach.hindsight import Best, hindsight
from app.coach.making import Tables
from app.coach.players import Computers
from app.game.dice import Stream
from app.game.notation import read_move
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from app.game.state import apply, replay, start
from app.play import results
from app.web.day_after import in_bins
from tests.support.after import DAY, attempt, close, fill, finish, somebody, store_of
from tests.support.web import Visitor, World, text_of

YACHT = ruleset("yacht")
PAGE = f"/daily/{DAY.isoformat()}"


def day(visitor: Visitor, **asked: object) -> dict[str, Any]:
    """Ask the API for the day."""
    answer = visitor.get(f"/api/v1{PAGE}", params=asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_par_is_what_the_perfect_player_reaches_on_the_days_dice(daily_world: World, tables: Tables) -> None:
    finish(somebody(daily_world))
    close(daily_world)
    found = day(daily_world.visitor())
    computers, state, stream = Computers(tables), start(YACHT), Stream(bytes.fromhex(found["key"]))
    while not state.over:
        state = apply(state, computers.choose(state, "perfect"), stream)
    assert found["par"] == state.card.total


def test_the_best_and_its_line_of_play_are_open_after_the_close_and_nothing_beats_it(daily_world: World) -> None:
    totals = [finish(somebody(daily_world), worst=worst)["seats"][0]["total"] for worst in (False, True)]
    close(daily_world)
    found = day(daily_world.visitor())
    moves = [read_move(YACHT, text) for text in found["best_line"].split()]
    played = replay(start(YACHT), moves, Stream(bytes.fromhex(found["key"])))
    assert played.over
    assert played.card.total == found["best"]
    assert found["best"] >= max(*totals, found["par"])
    page = text_of(daily_world.visitor().get(PAGE).text)
    assert (
        f"Best with hindsight what somebody who knew all dice could have reached; the way there stands below {found['best']}"
        in page
    )
    assert "The best that these dice allowed" in page


def test_before_the_close_the_board_is_for_those_who_have_finished_and_best_and_key_for_nobody(
    daily_world: World,
) -> None:
    ada, bob, eve = somebody(daily_world, "Ada"), somebody(daily_world, "Bob"), somebody(daily_world, "Eve")
    finish(ada)
    finish(bob, worst=True)
    attempt(eve)
    seen = day(ada)
    assert [row["name"] for row in seen["board"]["rows"]] == ["Ada", "Bob"]
    assert not seen["board"]["final"]
    assert not {"key", "best", "best_line", "dice", "par"} & seen.keys()
    for visitor in (eve, daily_world.visitor()):
        assert not {"board", "totals", "rank", "key", "best", "par"} & day(visitor).keys()
        assert "The board" not in visitor.get(PAGE).text
    close(daily_world)
    seen = day(eve)
    assert seen["board"]["final"]
    assert [row["rank"] for row in seen["board"]["rows"]] == [1, 2]
    assert seen["rank"] is None


def test_the_last_second_before_the_close_keeps_everything_back(daily_world: World) -> None:
    finish(somebody(daily_world))
    daily_world.clock.forward(hours=21, minutes=59, seconds=59)
    assert not {"board", "best", "par"} & day(daily_world.visitor()).keys()
    daily_world.clock.forward(seconds=1)
    assert {"board", "best", "par"} <= day(daily_world.visitor()).keys()


def test_par_and_best_are_worked_out_once_and_then_read(daily_world: World) -> None:
    finish(somebody(daily_world))
    close(daily_world)
    day(daily_world.visitor())
    with store_of(daily_world).writing() as tx:
        tx.note_par(DAY, "yacht", 1)
        tx.note_best(DAY, "yacht", 2, "r s1")
    found = day(daily_world.visitor())
    assert (found["par"], found["best"], found["best_line"]) == (1, 2, "r s1")


def test_the_text_of_a_game_works_out_par_and_leaves_the_best_to_the_page_of_the_day(daily_world: World) -> None:
    browser = daily_world.visitor()
    browser.post("/daily", data={"ruleset": "yacht"})
    game = finish(browser)["id"]
    close(daily_world)
    assert "(par " in browser.get(f"/games/{game}").text
    with store_of(daily_world).reading() as tx:
        row = tx.day(DAY, "yacht")
    assert row is not None
    assert (row.par is None, row.best) == (False, None)
    browser.get(PAGE)
    with store_of(daily_world).reading() as tx:
        row = tx.day(DAY, "yacht")
    assert row is not None
    assert row.best is not None


def test_ranks_run_1_1_3_and_everybody_stands_on_one_page(daily_world: World) -> None:
    daily_world.visitor().get(PAGE)  # publishes the day
    fill(store_of(daily_world), [100 + 10 * (number % 5) for number in range(120)])
    close(daily_world)
    visitor = daily_world.visitor()
    pages = [day(visitor, page=page)["board"] for page in range(1, 6)]
    rows = [row for page in pages for row in page["rows"]]
    assert pages[0]["pages"] == 5
    assert len({row["game"] for row in rows}) == len(rows) == 120
    assert [row["rank"] for row in rows] == [1 + 24 * (number // 24) for number in range(120)]
    second = visitor.get(PAGE, params={"page": "2"})
    assert "Page 2 of 5" in second.text
    assert 'rel="prev"' in second.text
    assert 'rel="next"' in second.text
    assert second.text.count("Every move") == 25


def test_whoever_stands_further_down_finds_the_own_row_by_a_link(daily_world: World) -> None:
    browser = daily_world.visitor()
    browser.post("/daily", data={"ruleset": "yacht"})
    finish(browser, worst=True)
    fill(store_of(daily_world), [200 + number for number in range(60)])
    first = browser.get(PAGE).text
    assert "(you)" not in first.split('id="board"')[1].split('id="spread')[0]
    own = browser.get(re.findall(r'rel="bookmark" href="([^"]+)#board"', first)[0].replace("&amp;", "&")).text
    assert "(you)" in own.split('id="board"')[1]
    assert 'rel="bookmark"' not in own


def test_a_page_of_the_board_that_is_not_there_is_refused(daily_world: World) -> None:
    finish(somebody(daily_world))
    close(daily_world)
    visitor = daily_world.visitor()
    for page in ("0", "-1", "4", "x", "1.5", "", "\u0664", "9" * 400, "1 2"):
        answer = visitor.get(PAGE, params={"page": page})
        assert answer.status_code == 400, page
        assert "page" in text_of(answer.text)
        assert visitor.get(f"/api/v1{PAGE}", params={"page": page}).status_code == 422, page


def test_a_hidden_row_is_off_the_board_and_has_no_rank(daily_world: World) -> None:
    ada, bob = somebody(daily_world, "Ada"), somebody(daily_world, "Bob")
    ids = {finish(ada)["id"]: "ada", finish(bob, worst=True)["id"]: "bob"}
    assert len(ids) == 2
    with store_of(daily_world).writing() as tx:
        tx.hide(DAY, "yacht", tx.players_named("Ada")[0])
    assert [(row["rank"], row["name"]) for row in day(bob)["board"]["rows"]] == [(1, "Bob")]
    assert day(bob)["rank"] == 1
    assert day(ada)["rank"] is None


def test_luck_and_choice_add_up_to_the_total_and_stand_on_the_page(daily_world: World) -> None:
    browser = daily_world.visitor()
    browser.post("/daily", data={"ruleset": "yacht"})
    game = finish(browser)
    review = browser.get(f"/api/v1/games/{game['id']}/review").json()
    page = text_of(browser.get(PAGE).text)
    assert f"Your total {game['seats'][0]['total']} " in page
    # Rounded so that the parts add up, so the last decimal may be one off.
    luck = re.findall(r"than their mean ([+-]?\d+\.\d) ", page)
    given = re.findall(r"would have been worth more (-?\d+\.\d) ", page)
    assert float(luck[0]) == pytest.approx(review["luck"], abs=0.11)
    assert float(given[0]) == pytest.approx(-review["given"], abs=0.11)
    assert "Rank of 1 result 1" in page


def test_each_row_opens_the_whole_game_for_those_who_may_see_it(daily_world: World) -> None:
    ada, bob, eve = somebody(daily_world), somebody(daily_world), somebody(daily_world)
    finish(ada)
    game = finish(bob)["id"]
    assert game in {row["game"] for row in day(ada)["board"]["rows"]}
    assert ada.get(f"/api/v1/games/{game}/log").status_code == 200
    assert eve.get(f"/api/v1/games/{game}/log").status_code == 403
    close(daily_world)
    assert eve.get(f"/api/v1/games/{game}/log").status_code == 200
    assert f"/games/{game}/log" in daily_world.visitor().get(PAGE).text


def test_the_players_own_row_and_bar_are_marked_in_words(daily_world: World) -> None:
    browser = daily_world.visitor()
    browser.post("/daily", data={"ruleset": "yacht"})
    finish(browser)
    assert browser.get(PAGE).text.count("(you)") == 2
    close(daily_world)
    assert "(you)" not in daily_world.visitor().get(PAGE).text


def test_a_day_that_nobody_played_shows_par_and_best_and_an_empty_board(daily_world: World) -> None:
    close(daily_world)
    found = day(daily_world.visitor())
    assert found["board"] == {"page": 1, "pages": 1, "count": 0, "final": True, "rows": []}
    assert found["totals"] == []
    assert found["par"] <= found["best"]
    assert "0 results, final" in text_of(daily_world.visitor().get(PAGE).text)


@pytest.mark.parametrize(
    ("totals", "bins"),
    [
        ([(5, 2)], [(5, 6, 2)]),
        ([(1, 1), (19, 1)], None),
        ([(100, 1), (140, 2), (199, 3)], None),
        ([(0, 4), (1575, 1)], None),
    ],
)
def test_the_ranges_of_the_histogram_hold_every_total_once(
    totals: list[tuple[int, int]], bins: list[tuple[int, int, int]] | None
) -> None:
    found = in_bins(totals)
    assert bins is None or found == bins
    assert len(found) <= 20
    assert sum(count for _, _, count in found) == sum(count for _, count in totals)
    assert all(low < high for low, high, _ in found)
    assert [high for _, high, _ in found[:-1]] == [low for low, _, _ in found[1:]]


def test_several_first_requests_at_once_work_the_day_out_once_and_none_fails(
    daily_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out: list[str] = []

    def noted(rules: Ruleset, stream: Stream) -> Best:
        worked_out.append(rules.id)
        return hindsight(rules, stream)

    monkeypatch.setattr(results, "hindsight", noted)
    finish(somebody(daily_world))
    close(daily_world)
    visitor = daily_world.visitor()
    answers = visitor.at_once([("GET", f"/api/v1{PAGE}", {})] * 6)
    assert {answer.status_code for answer in answers} == {200}
    found = day(visitor)
    assert worked_out == ["yacht"]
    # Who came meanwhile was not kept waiting; nobody was told anything else.
    assert {answer.json()["best"] for answer in answers} <= {None, found["best"]}
    assert {answer.json()["par"] for answer in answers} <= {None, found["par"]}


def test_a_day_whose_game_has_no_table_yet_shows_the_best_and_no_par(daily_world: World) -> None:
    daily_world.settings.tables.unlink()
    close(daily_world)
    found = day(daily_world.visitor(), ruleset="yatzy_kids")
    assert found["par"] is None
    assert found["best"] > 0
    daily_world.app.state.service.results.coaches.tables.wait()
    assert day(daily_world.visitor(), ruleset="yatzy_kids")["par"] <= found["best"]
