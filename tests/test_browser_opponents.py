"""Games against computers in a browser: what is seen, heard and reached by keys, on every screen, with and without script."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from app.settings import Settings
from tests.support.computers import Keeper
from tests.support.guest import DESK, PHONE, Arrive, Guest, best_box
from tests.support.server import Served, in_thread
from tests.test_browser_access import OUT_OF_SIGHT, PROBLEMS, SIZES, axe_findings

ENTRIES = 3
"""What the computer of these tests adds to the log in a turn: two rolls and a score."""

COMPANIES = (("perfect",), ("novice", "skilled"), ("novice", "novice", "perfect"))


@pytest.fixture(scope="module")
def keeper() -> Keeper:
    """The computer player of these tests, which keeps dice and needs no time."""
    return Keeper()


@pytest.fixture(scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory, keeper: Keeper) -> Iterator[Served]:
    with in_thread(Settings(data=tmp_path_factory.mktemp("company"), rate_limits="off"), keeper) as served:
        yield served


@pytest.fixture
def served(_server: Served, keeper: Keeper) -> Served:
    """A server with this computer player; takes the place of the usual one."""
    keeper.wait = 0
    _server.calm()
    return _server


def against(guest: Guest, *levels: str, **fields: str) -> str:
    """Make a game by the form, without looking at it; gives its address."""
    body = urlencode({"kind": "computer", "ruleset": "classic", "level": levels, **fields}, doseq=True)
    made = guest.page.request.post(
        f"{guest.served.url}/games",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
        data=body,
        max_redirects=0,
    )
    assert made.status == 303, made.text()
    return guest.served.url + made.headers["location"]


def play_turn(guest: Guest, table: str) -> dict[str, Any]:
    """Play a turn of one roll by the API."""
    game = guest.play(table, action="roll", keep=[])
    return guest.play(table, game["version"], action="score", box=best_box(game))


def score(guest: Guest, table: str) -> None:
    """Click the best box, and see the table after the computers' turns."""
    game = guest.api(table)
    guest.find(f"#box-{best_box(game)}").click()
    guest.see_version(game["version"] + 1 + ENTRIES * (len(game["seats"]) - 1))


def situations(guest: Guest, ruleset: str, levels: tuple[str, ...]) -> Iterator[str]:
    """Bring the table into each kind of situation that looks different, and name it."""
    table = against(guest, *levels, ruleset=ruleset, start="single_die")
    guest.open(table)
    yield "fresh"
    for _ in range(4):
        play_turn(guest, table)
    guest.open(table)
    yield "after their turns"
    guest.roll()
    guest.keep(1)
    yield "with kept dice"
    table = against(guest, *levels, ruleset=ruleset, same_dice="1")
    while play_turn(guest, table)["status"] == "playing":
        pass
    guest.open(table)
    yield "finished"


@pytest.mark.parametrize("ruleset", ["classic", "yatzy"])
@pytest.mark.parametrize("levels", COMPANIES, ids=len)
def test_a_game_in_company_is_on_a_phone_without_scrolling_and_nothing_is_cut_off_at_any_size(
    arrive: Arrive, ruleset: str, levels: tuple[str, ...]
) -> None:
    guest = arrive(reduced_motion="reduce")
    found: dict[str, list[str]] = {}
    for situation in situations(guest, ruleset, levels):
        for size, (width, height) in SIZES.items():
            guest.page.set_viewport_size({"width": width, "height": height})
            problems: list[str] = guest.page.evaluate(PROBLEMS)
            if size == "phone":
                problems += guest.page.evaluate(OUT_OF_SIGHT)
            if problems:
                found[f"{situation}, {size}"] = problems
        guest.page.set_viewport_size(PHONE)
    assert found == {}


@pytest.mark.parametrize("levels", [COMPANIES[0], COMPANIES[2]], ids=len)
def test_axe_finds_nothing_on_a_table_in_company(arrive: Arrive, levels: tuple[str, ...]) -> None:
    guest = arrive(reduced_motion="reduce")
    found = {}
    for situation in situations(guest, "classic", levels):
        for unfold in guest.find(".unfold summary").all():
            unfold.click()
        found[situation] = axe_findings(guest, "dark", "forced colours")
    assert {situation: problems for situation, problems in found.items() if problems} == {}


def test_axe_finds_nothing_where_opponents_are_chosen_listed_and_waited_for(arrive: Arrive, keeper: Keeper) -> None:
    guest = arrive(reduced_motion="reduce")
    table = against(guest, "novice", start="single_die")
    while play_turn(guest, table)["status"] == "playing":
        pass
    found = {}
    against(guest, "perfect")
    for address in ("/", "/games", "/stats", f"{table}/log", "/new?ruleset=yacht"):
        guest.open(address)
        found[address] = axe_findings(guest, "dark")
    keeper.wait = 5
    guest.open("/")
    guest.page.get_by_role("button", name="Perfect").click()
    found["waiting"] = axe_findings(guest, "dark", "forced colours")
    assert {address: problems for address, problems in found.items() if problems} == {}


def test_a_whole_game_by_keys_against_a_computer_is_announced_once_an_action_and_never_loses_the_focus(
    arrive: Arrive,
) -> None:
    guest = arrive()
    table = against(guest, "perfect")
    guest.open(table)
    heard = 0
    while (game := guest.api(table))["status"] == "playing":
        guest.page.keyboard.press("r")
        heard += 1
        guest.hear(heard)
        game = guest.api(table)
        box = best_box(game)
        guest.find(f"#box-{box}").focus()
        guest.page.keyboard.press("Enter")
        heard += 1
        said = guest.hear(heard)
        assert len(said) == heard, said[-3:]
        entries = guest.page.request.get(f"{table.replace('/games/', '/api/v1/games/')}/log").json()["moves"]
        theirs = next(entry for entry in reversed(entries) if entry["seat"] == 1 and entry["box"])
        assert len(said[-1]) <= 120
        assert f", {theirs['points'] + theirs['extra']} point" in said[-1]
        assert "Perfect: " in said[-1]
    # Each press led somewhere: the hand is never left on nothing.
    assert not {"BODY", "HTML"} & set(guest.page.evaluate("witness.focus"))
    totals = [seat["total"] for seat in game["seats"]]
    how = "draw" if game["outcome"]["draw"] else "won" if game["outcome"]["winners"] == [0] else "lost"
    expect(guest.find("#text")).to_have_value(f"Fairwind Classic against perfect: {totals[0]} to {totals[1]}, {how}")
    expect(guest.find("#result")).to_have_text(f"{totals[0]} to {totals[1]}, {how}")
    assert guest.complaints == []
    assert guest.policy_violations() == []


def test_their_turn_stands_where_the_dice_were_and_can_be_unfolded_while_one_plays(arrive: Arrive) -> None:
    guest = arrive()
    table = against(guest, "casual")
    guest.open(table)
    guest.roll()
    score(guest, table)
    shown = guest.find(".rolling > .deeds")
    expect(shown).to_contain_text("Casual")
    expect(shown.locator(".rolled")).to_have_count(2)
    deed = shown.locator(".deed").text_content() or ""
    guest.roll()
    expect(guest.find(".dice label")).to_have_count(5)
    unfolded = guest.find(".unfold .deed")
    expect(unfolded).to_be_hidden()
    guest.find(".unfold summary").focus()
    guest.page.keyboard.press("Enter")
    expect(unfolded).to_be_visible()
    expect(unfolded).to_have_text(deed)


def test_their_turn_is_there_with_the_answer_and_keeps_nobody_from_rolling(arrive: Arrive) -> None:
    guest = arrive(reduced_motion="no-preference")
    table = against(guest, "novice", "casual", "perfect")
    guest.open(table)
    for turn in range(1, 4):
        guest.roll()
        score(guest, table)
        expect(guest.find(".rolling > .deeds li")).to_have_count(3)
        assert guest.api(table)["turn"] == turn + 1
    assert guest.moves_sent()[-6:] == ["roll", "score"] * 3


def columns_seen(guest: Guest) -> list[str]:
    """Name the columns of the upper boxes that can be seen."""
    found: list[str] = (
        guest.find(".column")
        .first.locator("thead th")
        .evaluate_all("names => names.filter((name) => name.checkVisibility()).map((name) => name.textContent.trim())")
    )
    return found[1:]


@pytest.mark.parametrize("script", [True, False])
def test_on_a_phone_the_others_share_a_column_that_is_switched_and_all_totals_stay_in_view(
    arrive: Arrive,
    script: bool,  # noqa: FBT001
) -> None:
    guest = arrive(script=script)
    table = against(guest, "novice", "skilled", "perfect")
    play_turn(guest, table)
    guest.open(table)
    totals = [seat["total"] for seat in guest.api(table)["seats"]]
    assert columns_seen(guest) == ["You", "Novice"]
    for name in ("Perfect", "Skilled"):
        guest.find(
            ".sums label",
        ).get_by_text(name, exact=True).click()
        assert columns_seen(guest) == ["You", name]
        for seat, total in enumerate(totals):
            expect(guest.find(".sums .total dd").nth(seat)).to_have_text(str(total))
            expect(guest.find(".sums .total dd").nth(seat)).to_be_in_viewport()
    if script:
        guest.roll()
        assert columns_seen(guest) == ["You", "Skilled"], "it stays as it was chosen"
        guest.find("#show-2").focus()
        guest.page.keyboard.press("ArrowRight")
        assert columns_seen(guest) == ["You", "Perfect"]
    guest.page.set_viewport_size(DESK)
    assert columns_seen(guest) == ["You", "Novice", "Skilled", "Perfect"]


def test_what_is_chosen_to_be_shown_is_never_sent(arrive: Arrive) -> None:
    guest = arrive(script=False)
    table = against(guest, "novice", "perfect")
    guest.open(table)
    guest.find("#roll").click()
    guest.find(".sums label").nth(1).click()
    game = guest.api(table)
    guest.find(f"#box-{best_box(game)}").click()
    assert guest.api(table)["turn"] == 2
    assert "shown" not in (guest.requests[-2].post_data or "") + (guest.requests[-1].post_data or "")


def test_a_game_against_computers_is_played_without_script(arrive: Arrive) -> None:
    guest = arrive(script=False)
    guest.open("/new?ruleset=crag#crag")
    entry = guest.find("#crag")
    entry.get_by_label("Opponent 1").select_option("perfect")
    entry.get_by_label("Opponent 2").select_option("novice")
    entry.get_by_role("button", name="Play against computers").click()
    table = guest.page.url
    while (game := guest.api(table))["status"] == "playing":
        guest.find("#roll").click()
        game = guest.api(table)
        guest.find(f"#box-{best_box(game)}").click()
        if guest.api(table)["status"] == "playing":
            expect(guest.find(".rolling > .deeds li")).to_have_count(2)
    totals = [seat["total"] for seat in game["seats"]]
    expect(guest.find("#result")).to_contain_text(f"{totals[0]} to {totals[1]} and {totals[2]}")
    guest.find(".unfold summary").click()
    expect(guest.find(".unfold .deed").first).to_be_visible()


def test_a_game_begins_from_the_first_page_with_one_tap_on_a_level(guest: Guest) -> None:
    guest.open("/")
    guest.page.get_by_role("group", name="Level").get_by_role("button", name="Skilled").click()
    expect(guest.find("#table")).to_be_visible()
    assert [seat["computer"] for seat in guest.api(guest.page.url)["seats"]] == [None, "skilled"]


def test_whoever_has_to_wait_for_a_computer_tries_again_with_a_button(guest: Guest, keeper: Keeper) -> None:
    keeper.wait = 3
    guest.open("/")
    guest.page.get_by_role("button", name="Perfect").click()
    expect(guest.page.get_by_text("about 3 seconds more")).to_be_visible()
    keeper.wait = 0
    guest.page.get_by_role("button", name="Try again").click()
    expect(guest.find("#table")).to_be_visible()
    assert [seat["computer"] for seat in guest.api(guest.page.url)["seats"]] == [None, "perfect"]


def test_a_reader_hears_whose_each_value_is(arrive: Arrive) -> None:
    guest = arrive(viewport=DESK)
    table = against(guest, "casual")
    play_turn(guest, table)
    guest.open(table)
    upper = guest.page.get_by_role("table", name="Upper boxes")
    for name in ("You", "Casual"):
        expect(upper.get_by_role("columnheader", name=name)).to_be_visible()
    first = guest.find(".deeds .rolled").first
    assert (first.get_attribute("aria-label") or "").count(",") >= 4
    expect(guest.page.get_by_role("group", name="Opponent shown on the card")).to_have_count(0)


def test_two_windows_at_one_table_see_the_computer_move_once(arrive: Arrive) -> None:
    guest = arrive()
    table = against(guest, "casual")
    guest.open(table)
    guest.roll()
    other = replace(guest, page=guest.page.context.new_page())
    try:
        other.open(table)
        score(guest, table)
        game = guest.api(table)
        other.find("#roll").click()
        expect(other.find("#status")).to_contain_text("moved on")
        assert guest.api(table)["version"] == game["version"]
    finally:
        other.page.close()
