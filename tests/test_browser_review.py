"""The coach in a browser: a whole game against the perfect player with hints, by keyboard, and what is read afterwards."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from app.coach.making import Tables
from app.game.rulesets import ruleset
from tests.support.guest import Arrive, Guest
from tests.test_browser_access import PROBLEMS, SIZES, axe_findings

GAME = "yacht"


@pytest.fixture(autouse=True)
def _solved(tables: Tables) -> None:
    """Have the game solved: nobody is kept waiting here."""
    tables.make(ruleset(GAME))


def press_to(guest: Guest, target: str) -> None:
    """Press Tab until the control has the focus, and then Enter."""
    for _ in range(80):
        if guest.page.evaluate("target => document.activeElement.matches(target)", target):
            break
        guest.page.keyboard.press("Tab")
    expect(guest.find(target).first).to_be_focused()
    guest.page.keyboard.press("Enter")


def act(guest: Guest, key: str, heard: int) -> int:
    """Press a key that moves the game, and hear one announcement of it, and no more; gives how many there are now."""
    guest.page.keyboard.press(key)
    said = guest.hear(heard + 1)
    assert len(said) == heard + 1, said[heard:]
    assert 0 < len(said[-1]) <= 120
    return heard + 1


def follow(guest: Guest, table: str, heard: int) -> int:
    """Play a turn as the hints say."""
    heard = act(guest, "r", heard)
    while True:
        heard = act(guest, "h", heard)
        expect(guest.find(".hint")).to_be_visible()
        game = guest.api(table)
        best = advice(guest, table, game)
        if best["action"] == "score":
            break
        lying, keep = list(game["dice"]), list(best["keep"])
        for place, face in enumerate(lying):
            wanted = face in keep
            if wanted:
                keep.remove(face)
            if wanted != (place in guest.kept()):
                guest.page.keyboard.press(str(place + 1))
        before = len(guest.said())
        heard = act(guest, "r", before)
        expect(guest.find(".hint")).to_have_count(0)
    box = guest.find(f"#box-{best['box']}")
    for _ in range(30):
        if guest.focused() == f"box-{best['box']}":
            break
        guest.page.keyboard.press("Shift+Tab")
    expect(box).to_be_focused()
    armed = best["box"] in guest.needless_zeros()
    heard = act(guest, "Enter", len(guest.said()))
    if armed:
        heard = act(guest, "Enter", heard)
    return heard


def advice(guest: Guest, table: str, game: dict[str, Any]) -> dict[str, Any]:
    """Ask the API what is best."""
    address = f"{table.replace('/games/', '/api/v1/games/')}/hint"
    answer = guest.page.request.post(address, data={"version": game["version"]})
    assert answer.ok, answer.text()
    best: dict[str, Any] = answer.json()["best"]
    return best


def test_a_game_against_the_perfect_player_with_hints_and_its_review_by_keyboard(guest: Guest) -> None:
    table = guest.sit_down(ruleset=GAME, kind="computer", level="perfect")
    heard = len(guest.said())
    for _ in ruleset(GAME).boxes:
        heard = follow(guest, table, heard)
    expect(guest.find("#result")).to_be_focused()
    said = guest.said()
    assert all(one != other for one, other in pairwise(said))
    press_to(guest, "a[href$='/review']")
    expect(guest.find("h1")).to_contain_text("Review")
    # Who follows every hint gives nothing away.
    expect(guest.find(".quality")).to_have_text("Best choice in 12 of 12 turns, longest run 12")
    press_to(guest, ".turn summary")
    expect(guest.find(".turn[open]")).to_have_count(1)
    press_to(guest, ".steps a")
    expect(guest.find("h1")).to_have_text("Analysis board")
    expect(guest.find(".advice")).to_contain_text("points to come on average")
    assert guest.complaints == []
    assert guest.policy_violations() == []


def finished(guest: Guest) -> str:
    """Play a game out behind the page's back: one roll a turn, the boxes from top to bottom."""
    table = guest.new_table(ruleset=GAME)
    guest.play_turns(table, *(box.key for box in ruleset(GAME).boxes))
    return table


def unfold(guest: Guest) -> None:
    """Open everything that can be opened."""
    guest.page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")


def board(guest: Guest) -> str:
    """Give the address of a position in the middle of a turn."""
    return f"{guest.served.url}/analysis?ruleset={GAME}&ones=3&sixes=18&dice=44451&rolls_left=2"


def test_axe_finds_nothing_on_a_hint_the_review_and_the_board(arrive: Arrive) -> None:
    guest = arrive(reduced_motion="reduce")
    guest.sit_down(ruleset=GAME)
    guest.roll()
    guest.find("#hint").click()
    expect(guest.find(".hint")).to_be_visible()
    looks = ("dark", "more contrast", "forced colours")
    found = {"hint": axe_findings(guest, *looks)}
    # What is made of parts that were looked at before has their colours.
    for name, address, others in (
        ("review", f"{finished(guest)}/review", looks),
        ("board", board(guest), looks),
        ("empty board", "/analysis", ()),
        ("no position", "/analysis?ruleset=yacht&ones=6", ()),
        ("advice", "/advice", ("forced colours",)),
    ):
        guest.open(address)
        unfold(guest)
        found[name] = axe_findings(guest, *others)
    assert {name: problems for name, problems in found.items() if problems} == {}


@pytest.mark.parametrize("size", SIZES)
def test_nothing_of_the_coach_is_cut_off_at_any_size(arrive: Arrive, size: str) -> None:
    width, height = SIZES[size]
    guest = arrive(viewport={"width": width, "height": height})
    found = {}
    for name, address in (("review", f"{finished(guest)}/review"), ("board", board(guest)), ("advice", "/advice")):
        guest.open(address)
        unfold(guest)
        found[name] = guest.page.evaluate(PROBLEMS)
    assert found == {"review": [], "board": [], "advice": []}


def test_a_hint_leaves_the_dice_and_roll_where_they_are_on_a_phone(guest: Guest) -> None:
    guest.sit_down(ruleset=GAME)
    guest.roll()
    before = guest.find("#roll").bounding_box()
    guest.find("#hint").click()
    expect(guest.find(".hint")).to_be_visible()
    assert guest.find("#roll").bounding_box() == before
    assert guest.focused() == "hint"


def test_without_script_hints_review_and_board_work_as_well(arrive: Arrive) -> None:
    guest = arrive(script=False)
    guest.sit_down(ruleset=GAME)
    guest.find("#roll").click()
    guest.find("#hint").click()
    expect(guest.find(".hint")).to_contain_text("points to come on average")
    guest.open(f"{guest.served.url}/analysis?ruleset={GAME}")
    guest.find("[name=dice]").fill("1 1 5 6 1")
    guest.find(".position button").click()
    guest.find(".worths a").first.click()
    expect(guest.find("[name=keep]")).to_have_value("111")
    guest.find("[name=dice]").fill("14")
    guest.find(".position button").click()
    expect(guest.find(".lying")).to_be_visible()
    expect(guest.find(".position [name=rolls_left]")).to_have_value("1")
