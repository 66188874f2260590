"""The daily on its pages and in the API: what is shown when, what is refused and how."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from app.daily import closes_at
from app.settings import Settings
from tests.support.days import ONE, SECRET, TODAY, key_by_hand
from tests.support.web import HTMX, Visitor, World, open_world, text_of


def begin(visitor: Visitor, ruleset: str = "classic") -> str:
    """Begin the day's attempt by the form; gives the table's address."""
    answer = visitor.post("/daily", data={"ruleset": ruleset})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def game_of(visitor: Visitor, table: str) -> dict[str, Any]:
    """Give a game as the API has it."""
    found: dict[str, Any] = visitor.get(f"/api/v1{table}").json()
    return found


def play_out(visitor: Visitor, table: str) -> dict[str, Any]:
    """Play an attempt to its end."""
    return visitor.play_out(game_of(visitor, table))


def test_the_first_page_shows_todays_daily_first_with_number_date_state_and_time_to_go(world: World) -> None:
    visitor = world.visitor()
    page = text_of(visitor.get("/").text)
    assert "Daily 333 Sunday, November 29, 2026 Classic Not played yet Play Yatzy, Finnish Not played yet Play" in page
    assert "A new daily begins at midnight, 00:00 UTC. 16 hours to go" in page
    assert page.index("Daily 333") < page.index("A game alone")
    table = begin(visitor)
    visitor.post(f"{table}/roll", data={"version": "0"})
    visitor.post(f"{table}/score", data={"version": "1", "box": "chance"})
    page = visitor.get("/").text
    points = game_of(visitor, table)["seats"][0]["total"]
    assert f"Classic Turn 2 of 13, {points} points Go on" in text_of(page)
    assert page.count(f'href="{table}"') == 1, "the attempt is not among the other open games as well"
    total = play_out(visitor, table)["seats"][0]["total"]
    page = text_of(visitor.get("/").text)
    assert f"Classic Finished: {total} points Look at it" in page
    assert "Streak: 1 day · longest: 1 day" in page


@pytest.mark.parametrize(
    ("moment", "said", "seconds"),
    [
        (datetime(2026, 11, 29, 0, 0, tzinfo=UTC), "24 hours to go", 86_400),
        (datetime(2026, 11, 29, 17, 48, 30, tzinfo=UTC), "6 hours and 11 minutes to go", 22_290),
        (datetime(2026, 11, 29, 23, 15, tzinfo=UTC), "45 minutes to go", 2_700),
        (datetime(2026, 11, 29, 23, 59, 59, tzinfo=UTC), "1 minute to go", 1),
    ],
)
def test_the_countdown_is_in_words_and_in_seconds_to_the_change(
    world: World, moment: datetime, said: str, seconds: int
) -> None:
    world.clock.now = moment
    page = world.visitor().get("/daily").text
    assert said in text_of(page)
    assert f'datetime="2026-11-30T00:00:00Z" data-countdown="{seconds}"' in page
    world.clock.forward(seconds=seconds)
    assert "Daily 334" in text_of(world.visitor().get("/daily").text)


@pytest.mark.parametrize("zone", [-11, 0, 14])
def test_one_instant_is_one_number_wherever_a_browser_says_it_is(world: World, zone: int) -> None:
    claimed = (world.clock.now + timedelta(hours=zone, days=3)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    page = world.visitor().get("/daily", headers={"Date": claimed}).text
    assert "Daily 333" in text_of(page)


@pytest.mark.parametrize("language", ["en-GB", "en-US", "fi", "he", "ja"])
def test_every_language_has_the_same_day_and_finds_the_same_attempt(world: World, language: str) -> None:
    visitor = world.visitor()
    table = begin(visitor)
    page = visitor.get("/daily", headers={"Accept-Language": language}).text
    assert "333" in text_of(page)
    assert 'datetime="2026-11-29"' in page
    assert f'href="{table}"' in page


def test_the_form_opens_the_same_attempt_however_often_it_is_sent(world: World) -> None:
    visitor = world.visitor()
    table = begin(visitor)
    assert {begin(visitor) for _ in range(5)} == {table}
    assert visitor.post("/games", data={"kind": "daily", "ruleset": "classic"}).headers["location"] == table


def test_ten_starts_at_once_are_one_attempt(any_world: World) -> None:
    visitor = any_world.visitor()
    visitor.identify()
    body = {"kind": "daily", "ruleset": "yatzy"}
    answers = visitor.at_once([("POST", "/api/v1/games", {"json": body})] * 10)
    assert sorted(answer.status_code for answer in answers) == [200] * 9 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1


def test_the_table_carries_its_day_also_after_midnight(world: World) -> None:
    visitor = world.visitor()
    world.clock.now = datetime(2026, 11, 29, 23, 59, 50, tzinfo=UTC)
    table = begin(visitor)
    visitor.post(f"{table}/roll", data={"version": "0"})
    world.clock.now = datetime(2026, 11, 30, 0, 10, tzinfo=UTC)
    for page in (
        visitor.get(table).text,
        visitor.post(f"{table}/roll", data={"version": "1", "keep": ["0"]}, headers=HTMX).text,
    ):
        assert "Daily 333 · Nov 29" in text_of(page)
    assert "<title>Classic, Daily 333 – Fairwind</title>" in visitor.get(table).text
    day = text_of(visitor.get("/daily/2026-11-29").text)
    assert "This day is over, but your attempt still counts if you finish it before 06:00 UTC." in day
    assert "Daily 334 Monday, November 30, 2026 Classic Not played yet" in text_of(visitor.get("/").text)
    total = play_out(visitor, table)["seats"][0]["total"]
    assert f"Finished: {total} points" in text_of(visitor.get("/daily/2026-11-29").text)
    games = text_of(visitor.get("/games").text)
    assert "Classic, Daily 333" in games
    assert "Nov 29, 2026" in games, "under its own day, not that of its end"


def test_a_page_left_open_overnight_goes_on_with_its_own_day_or_opens_the_new_one_whole(world: World) -> None:
    visitor = world.visitor()
    table = begin(visitor)
    visitor.post(f"{table}/roll", data={"version": "0"})
    world.clock.now = datetime(2026, 11, 30, 0, 0, 1, tzinfo=UTC)
    after = visitor.post(f"{table}/score", data={"version": "1", "box": "chance"}, headers=HTMX).text
    assert "Daily 333" in text_of(after)
    assert "Daily 334" not in text_of(after)
    # The button of yesterday's first page begins today's attempt.
    new = begin(visitor)
    assert new != table
    assert "Daily 334 · Nov 30" in text_of(visitor.get(new).text)
    # After the close the old attempt goes on as practice, and says so.
    world.clock.now = closes_at(TODAY)
    after = visitor.post(f"{table}/roll", data={"version": "2"}, headers=HTMX).text
    assert "Practice 333 · Nov 29" in text_of(after)
    day = text_of(visitor.get("/daily/2026-11-29").text)
    assert "Not finished in time Play on" in day
    assert "Play for practice" in day


def test_the_result_leads_to_the_day_instead_of_another_try(world: World) -> None:
    visitor = world.visitor()
    table = begin(visitor)
    play_out(visitor, table)
    page = visitor.get(table).text
    assert "Play again" not in text_of(page)
    assert 'class="primary" href="/daily/2026-11-29?ruleset=classic"' in page
    log = visitor.get(f"{table}/log").text
    assert "kept back until the day is closed" in log
    world.clock.now = closes_at(TODAY)
    assert key_by_hand("classic", TODAY, secret_of(world)).hex() in visitor.get(f"{table}/log").text


def secret_of(world: World) -> bytes:
    """Give the secret that the server has made."""
    service = world.app.state.service
    with service.play.store.reading() as tx:
        found = tx.stored_secret("daily")
    assert found is not None
    return bytes(found)


def test_a_closed_day_shows_its_key_and_all_dice_and_can_be_practised(world: World) -> None:
    visitor = world.visitor()
    page = visitor.get("/daily/2026-11-27?ruleset=yatzy").text
    key = key_by_hand("yatzy", date(2026, 11, 27), secret_of(world))
    assert key.hex() in page
    assert "All dice of this day" in page
    assert "not sealed ahead" in page
    answer = visitor.post("/games", data={"kind": "practice", "ruleset": "yatzy", "day": "2026-11-27"})
    table = answer.headers["location"]
    assert "Practice 331 · Nov 27" in text_of(visitor.get(table).text)
    play_out(visitor, table)
    ended = visitor.get(table).text
    assert "Play again" in text_of(ended)
    assert 'name="day" value="2026-11-27"' in ended
    assert "Not played" in text_of(visitor.get("/daily/2026-11-27?ruleset=yatzy").text)
    assert "Streak:" not in text_of(visitor.get("/daily/archive?ruleset=yatzy").text)


def test_a_day_that_was_published_before_it_began_is_said_to_be_sealed(world: World) -> None:
    assert "not sealed ahead" in world.visitor().get("/daily").text
    world.clock.forward(days=1)
    page = world.visitor().get("/daily").text
    assert "not sealed ahead" not in page
    assert "was published before the day began" in page


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/daily/yesterday", 404, "2026-11-29"),
        ("/daily/2026-02-30", 404, "2026-11-29"),
        ("/daily/334", 404, "2026-11-29"),
        ("/daily/2025-12-31", 404, "Number 1 was 1 January 2026"),
        ("/daily/2026-11-30", 403, "sealed already"),
        ("/daily/2027-11-30", 403, "sealed already"),
        ("/daily/archive?month=2026-12", 403, "sealed already"),
        ("/daily/archive?month=2025-12", 404, "Number 1 was 1 January 2026"),
        ("/daily/archive?month=12", 404, "2026-11"),
        ("/daily/archive?month=2026-13", 404, "2026-11"),
        ("/daily?ruleset=crag", 422, "classic, yatzy have one"),
        ("/daily?ruleset=bridge", 422, "classic, yatzy have one"),
        ("/daily/2026-11-20?ruleset=crag", 422, "classic, yatzy have one"),
        ("/daily/archive?ruleset=crag", 422, "classic, yatzy have one"),
    ],
)
def test_days_that_cannot_be_shown_are_refused_in_a_sentence(
    world: World, path: str, status: int, sentence: str
) -> None:
    answer = world.visitor().get(path)
    assert answer.status_code == status
    assert sentence in text_of(answer.text)


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"ruleset": "classic", "day": "2026-11-29"}, 403, "06:00 UTC of the day after"),
        ({"ruleset": "classic", "day": "2026-11-30"}, 403, "once it has begun"),
        ({"ruleset": "classic", "day": "2025-12-31"}, 404, "Number 1"),
        ({"ruleset": "crag", "day": "2026-11-01"}, 422, "classic, yatzy"),
        ({"ruleset": "classic", "day": "soon"}, 400, "2026-11-29"),
        ({"ruleset": "classic"}, 400, "day"),
        ({"ruleset": "classic", "day": "2026-11-01", "joker": "none"}, 400, "day"),
    ],
)
def test_practice_that_cannot_be_is_refused(world: World, fields: dict[str, str], status: int, sentence: str) -> None:
    answer = world.visitor().post("/games", data={"kind": "practice", **fields})
    assert answer.status_code == status
    assert sentence in text_of(answer.text)


def test_an_attempt_of_somebody_else_is_kept_back_until_one_has_finished(world: World) -> None:
    ada, bob = world.visitor(), world.visitor()
    table = begin(ada)
    play_out(ada, table)
    other = begin(bob)
    for path in (table, f"{table}/log", f"{table}/review"):
        answer = bob.get(path)
        assert answer.status_code == 403, path
        assert "06:00 UTC" in text_of(answer.text)
    for path in (f"/api/v1{table}", f"/api/v1{table}/log", f"/api/v1{table}/review"):
        answer = bob.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "day_open"), path
    play_out(bob, other)
    assert bob.get(table).status_code == 200
    assert world.visitor().get(table).status_code == 403
    world.clock.now = closes_at(TODAY)
    assert world.visitor().get(table).status_code == 200


def test_no_hint_and_no_correction_in_an_attempt(world: World) -> None:
    visitor = world.visitor()
    table = begin(visitor)
    page = visitor.post(f"{table}/roll", data={"version": "0"}, headers=HTMX).text
    assert 'id="hint"' not in page
    assert visitor.post(f"{table}/hint", data={"version": "1"}).status_code == 403
    hint = visitor.post(f"/api/v1{table}/hint", json={"version": 1})
    assert (hint.status_code, hint.json()["error"]["code"]) == (403, "no_hints")
    visitor.post(f"{table}/score", data={"version": "1", "box": "chance"})
    undo = visitor.post(f"/api/v1{table}/moves", json={"version": 2, "action": "undo"})
    assert (undo.status_code, undo.json()["error"]["code"]) == (422, "nothing_to_undo")


def test_the_calendar_marks_played_missed_excused_and_open_days(world: World) -> None:
    visitor = world.visitor()
    world.clock.now = datetime(2026, 11, 25, 12, tzinfo=UTC)
    total = play_out(visitor, begin(visitor))["seats"][0]["total"]
    world.clock.now = datetime(2026, 11, 29, 5, tzinfo=UTC)
    world.app.state.service.days.excuse(date(2026, 11, 26))
    page = visitor.get("/daily/archive").text
    marks = {int(day): mark for mark, day in re.findall(r'<td class="(\w+)[^>]*><a [^>]*aria-label="Nov (\d+), ', page)}
    assert [marks[day] for day in range(24, 30)] == ["missed", "played", "excused", "missed", "open", "open"]
    assert 30 not in marks
    assert f"Nov 25, 2026: {total} points" in page
    assert page.count('aria-current="date"') == 1
    assert "Streak: 0 days · longest: 1 day" in text_of(page)
    assert "October 2026" in text_of(page)
    assert "December 2026" not in text_of(page)
    first = text_of(visitor.get("/daily/archive?month=2026-01").text)
    assert "December 2025" not in first


def test_the_mean_against_par_is_over_closed_days_whose_par_is_known(world: World) -> None:
    visitor = world.visitor()
    totals = []
    for day in range(3):
        world.clock.now = datetime(2026, 11, 25 + day, 12, tzinfo=UTC)
        totals.append(play_out(visitor, begin(visitor))["seats"][0]["total"])
    store = world.app.state.service.play.store
    with store.writing() as tx:
        tx.note_par(date(2026, 11, 25), "classic", totals[0] + 10)
        tx.note_par(date(2026, 11, 27), "classic", 1)
    assert "10.0 points under par, on 1 day" in text_of(visitor.get("/daily/archive").text)


def test_the_operators_stream_is_told_in_one_sentence(world: World) -> None:
    assert "stopping early shifts nothing" in text_of(world.visitor().get("/daily").text)


def test_continuous_dice_are_told_as_such(tmp_path: Any) -> None:
    with open_world(Settings(data=tmp_path, daily_stream="continuous", dailies=("crag",))) as world:
        page = text_of(world.visitor().get("/daily").text)
        assert "one roll after the other through the whole game" in page
        assert "Daily 333 Sunday, November 29, 2026 Crag" in page
        day = world.visitor().get("/api/v1/daily").json()
        assert (day["ruleset"], day["addressing"]) == ("crag", "continuous")


def test_the_api_tells_of_today_without_asking_who_one_is(world: World) -> None:
    answer = world.visitor().get("/api/v1/daily")
    assert answer.status_code == 200
    day = answer.json()
    assert (day["day"], day["number"], day["ruleset"], day["addressing"]) == ("2026-11-29", 333, "classic", "by_turn")
    assert (day["phase"], day["closes_at"], day["attempt"]) == ("today", "2026-11-30T06:00:00Z", None)
    assert {"key", "dice", "sequence", "par", "best"}.isdisjoint(day)
    wrong = world.visitor().get("/api/v1/daily", headers={"Authorization": "Bearer nothing"})
    assert wrong.status_code == 401


def test_the_api_opens_a_day_at_its_close(tmp_path: Any) -> None:
    with open_world(Settings(data=tmp_path, daily_secret=SECRET)) as world:
        visitor = world.visitor()
        world.clock.now = closes_at(TODAY) - timedelta(seconds=1)
        before = visitor.get("/api/v1/daily/2026-11-29?ruleset=yatzy").json()
        assert {"key", "dice"}.isdisjoint(before)
        world.clock.forward(seconds=1)
        after = visitor.get("/api/v1/daily/2026-11-29?ruleset=yatzy").json()
        assert after["key"] == key_by_hand("yatzy", TODAY).hex()
        assert [len(turn) for turn in after["dice"]] == [3] * 15
        assert {len(faces) for turn in after["dice"] for faces in turn} == {5}


def test_of_a_day_to_come_the_api_gives_the_commitment_alone(world: World) -> None:
    visitor = world.visitor()
    day = visitor.get("/api/v1/daily/2026-12-29").json()
    assert (day["phase"], len(day["commitment"])) == ("to_come", 64)
    assert {"key", "dice", "par", "best"}.isdisjoint(day)


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/daily/2026-12-30", 403, "day_to_come"),
        ("/daily/2025-12-31", 404, "unknown_day"),
        ("/daily/2026-2-1", 422, "bad_day"),
        ("/daily/x?ruleset=crag", 422, "bad_day"),
        ("/daily?ruleset=crag", 422, "no_daily"),
    ],
)
def test_the_api_refuses_days_with_a_code(world: World, path: str, status: int, code: str) -> None:
    answer = world.visitor().get(f"/api/v1{path}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"kind": "daily", "ruleset": "crag"}, 422, "no_daily"),
        ({"kind": "daily", "ruleset": "classic", "levels": ["perfect"]}, 422, "bad_request"),
        ({"kind": "daily", "ruleset": "classic", "day": "2026-11-29"}, 422, "bad_request"),
        ({"kind": "daily", "ruleset": "classic", "corrections": True}, 422, "bad_request"),
        ({"kind": "practice", "ruleset": "classic"}, 422, "bad_request"),
        ({"kind": "practice", "ruleset": "classic", "day": "2026-11-99"}, 422, "bad_day"),
        ({"kind": "practice", "ruleset": "classic", "day": "2026-11-29"}, 403, "day_open"),
        ({"kind": "practice", "ruleset": "classic", "day": "2026-11-30"}, 403, "day_to_come"),
        ({"kind": "practice", "ruleset": "classic", "day": "2025-11-30"}, 404, "unknown_day"),
        ({"kind": "solo", "ruleset": "classic", "day": "2026-11-20"}, 422, "bad_request"),
    ],
)
def test_the_api_refuses_games_of_days_with_a_code(world: World, body: dict[str, Any], status: int, code: str) -> None:
    visitor = world.visitor()
    visitor.identify()
    answer = visitor.post("/api/v1/games", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_the_api_plays_a_daily_and_practice_with_corrections(world: World) -> None:
    visitor = world.visitor()
    visitor.identify()
    game = visitor.new_game(kind="daily")
    assert (game["kind"], game["day"]) == ("daily", "2026-11-29")
    visitor.play_out(game)
    attempt = visitor.get("/api/v1/daily").json()["attempt"]
    assert (attempt["game"], attempt["standing"]) == (game["id"], "finished")
    practice = visitor.new_game(kind="practice", day=str(TODAY - ONE), corrections=True)
    practice = visitor.play(visitor.play(practice, action="roll", keep=[]), action="score", box="chance")
    assert practice["legal"]["undo"]
    assert visitor.play(practice, action="undo")["assisted"]
    assert visitor.new_game()["day"] is None
