"""Whole games and single turns in a real browser: by mouse, by keys, and with script off."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from app.game.dice import Stream
from tests.support.guest import DESK, Arrive, Guest, best_box, first_roll, key_for, majority
from tests.support.keys import key_with_fives

# A key of no meaning: with these dice the games below take about 200 points.
SOME_KEY = bytes(range(32))


def dice_first(*faces: int) -> bytes:
    """Find a key whose first roll shows these faces, position by position."""
    return key_for(lambda stream: first_roll(stream) == faces)


def play_by_mouse(guest: Guest, table: str) -> dict[str, Any]:
    """Play a whole game: in some turns keep what there is most of and roll on; take the box that brings most."""
    for turn in range(13):
        guest.roll()
        if turn % 6 == 0:
            guest.roll(*majority(guest.dice())[:4])
            guest.roll(*majority(guest.dice())[:4])
        guest.score(best_box(guest.api(table)))
    return guest.api(table)


def see_result(guest: Guest, game: dict[str, Any]) -> None:
    """See the end of a first game on the page as the API tells it."""
    assert game["status"] == "finished"
    total = game["seats"][0]["total"]
    expect(guest.find("#result")).to_have_text(f"{total} points, new best")
    expect(guest.find(".total dd")).to_have_text(str(total))
    expect(guest.find("#text")).to_have_value(f"Fairwind Classic: {total} points, new best")
    written = [int(text) for text in guest.find(".column tr:not(.bonus) td.written").all_text_contents()]
    assert written == list(game["seats"][0]["card"].values())


@pytest.mark.parametrize("script", [True, False], ids=["htmx", "no script"])
def test_a_whole_game_by_mouse_ends_with_what_the_api_counts(arrive: Arrive, script: bool) -> None:  # noqa: FBT001
    guest = arrive(script=script)
    guest.open("/")
    guest.served.keys_to_come.append(SOME_KEY)
    guest.page.get_by_role("button", name="Play Classic").click()
    table = guest.page.url
    game = play_by_mouse(guest, table)
    see_result(guest, game)
    assert guest.page.url == table
    assert game["version"] == 13 * 2 + 3 * 2
    if script:
        # The page was never loaded anew, and nothing in it was stopped by the policy or went wrong.
        assert len(guest.said()) == game["version"]
        assert guest.policy_violations() == []
    assert guest.complaints == []


@pytest.mark.firefox
def test_a_whole_game_by_keys_needs_four_a_turn_besides_holds_and_never_loses_the_focus(arrive: Arrive) -> None:
    guest = arrive(viewport=DESK)
    table = guest.sit_down(SOME_KEY)
    turns = [play_turn_by_keys(guest) for _ in range(13)]
    see_result(guest, guest.api(table))
    assert max(keys for keys, _ in turns) <= 4
    focus = guest.page.evaluate("witness.focus")
    assert len(focus) + sum(holds for _, holds in turns) == len(guest.said())
    assert not {"BODY", "HTML"} & set(focus)
    assert focus[-1] == "result"
    assert guest.complaints == []


def play_turn_by_keys(guest: Guest) -> tuple[int, int]:
    """Roll, walk to the nearest box, roll on for it where that helps, write it; gives the number of keys and of holds."""
    keys: list[str] = []
    holds: list[str] = []

    def press(key: str, version: int) -> None:
        keys.append(key)
        guest.page.keyboard.press(key)
        guest.see_version(version)

    version = guest.version()
    press("r", version + 1)
    press("ArrowUp", version + 1)
    box = guest.focused().removeprefix("box-")
    assert box in guest.offers()
    wanted = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}.get(box)
    if wanted in guest.dice():
        holds = [str(place) for place, face in enumerate(guest.dice(), start=1) if face == wanted]
        for hold in holds:
            guest.page.keyboard.press(hold)
        press("R", version + 2)
    version = guest.version()
    if box in guest.needless_zeros():
        press("Enter", version)
        expect(guest.find(f".armed #box-{box}")).to_be_focused()
    press("Enter", version + 1)
    return len(keys), len(holds)


def step(guest: Guest, place: str, key: str) -> str:
    """Press an arrow on a control; gives the control to which it led."""
    guest.find(f"#{place}").focus()
    guest.page.keyboard.press(f"Arrow{key}")
    return guest.focused()


def test_arrows_lead_from_roll_to_every_box_and_every_die_and_back(guest: Guest) -> None:
    guest.sit_down()
    guest.roll()
    steps: dict[str, dict[str, str]] = {}
    unseen = {"roll"}
    while unseen:
        place = unseen.pop()
        steps[place] = {key: step(guest, place, key) for key in ("Up", "Down", "Left", "Right")}
        unseen |= set(steps[place].values()) - set(steps)
    assert set(steps) == {
        "roll",
        *(f"box-{box}" for box in guest.offers()),
        *(f"die-{number}" for number in range(1, 6)),
    }
    assert all("roll" in steps[f"die-{number}"].values() for number in range(1, 6))
    # Sideways the way leads to what is beside, and nowhere where nothing is.
    assert [steps[f"die-{number}"]["Right"] for number in range(1, 6)] == ["die-2", "die-3", "die-4", "die-5", "die-5"]
    assert steps["box-ones"]["Right"] == "box-three_of_a_kind"
    assert steps["box-ones"]["Left"] == "box-ones"
    assert steps["box-chance"]["Left"] == "box-sixes"


@pytest.mark.firefox
def test_of_two_equal_dice_exactly_the_one_that_was_kept_stays(guest: Guest) -> None:
    key = dice_first(2, 3, 3, 4, 4)
    table = guest.sit_down(key)
    guest.roll()
    guest.roll(1, 3)
    expected = [0, 3, 0, 4, 0]
    # The dice being rolled take the first faces of the next roll, from the left.
    expected[0], expected[2], expected[4] = Stream(key).faces(5, 0, 1, 2, 1)[:3]
    assert guest.dice() == expected == guest.api(table)["dice"]
    assert guest.api(table)["kept"] == [1, 3]


def see_roll(guest: Guest, label: str, leads_to: str) -> None:
    """See what the Roll button says, and read it out."""
    expect(guest.find("#roll span:not(.hidden):visible")).to_have_text(label)
    expect(guest.find("#roll")).to_have_accessible_name(re.compile(f"{label} ?: {leads_to}"))


def test_dice_say_whether_they_are_kept_and_the_button_how_many_it_rolls(guest: Guest) -> None:
    guest.sit_down(dice_first(2, 3, 3, 4, 4))
    see_roll(guest, "Roll all", "roll 1 of 3")
    guest.roll()
    expect(guest.find(".count")).to_have_text("Roll 1 of 3")
    for face, name in enumerate(("two", "three", "three", "four", "four"), start=1):
        expect(guest.find(f"#die-{face}")).to_have_accessible_name(f"die {face}: {name}, will be rolled")
    for kept, label in ((1, "Roll 4 dice"), (2, "Roll 3 dice"), (3, "Roll 2 dice"), (4, "Roll 1 die")):
        guest.find(f"#die-{kept}").click()
        see_roll(guest, label, "roll 2 of 3")
    expect(guest.find("#die-2")).to_have_accessible_name("die 2: three, kept")
    expect(guest.find("#die-2")).to_be_checked()
    expect(guest.page.get_by_role("group", name="Dice")).to_be_visible()


def test_with_all_dice_kept_roll_is_off_says_why_and_uses_no_roll(guest: Guest) -> None:
    table = guest.sit_down()
    guest.roll()
    guest.keep(0, 1, 2, 3, 4)
    roll = guest.find("#roll")
    expect(roll).to_have_attribute("aria-disabled", "true")
    see_roll(guest, "All kept: choose a box", "roll 2 of 3")
    roll.click(force=True)
    guest.page.keyboard.press("r")
    expect(guest.find("#status")).to_contain_text("All kept")
    assert guest.api(table)["version"] == 1
    guest.roll(0, 1, 2, 3)
    assert guest.api(table)["rolls_left"] == 1


def test_all_dice_kept_without_script_is_refused_in_words_and_uses_no_roll(arrive: Arrive) -> None:
    guest = arrive(script=False)
    table = guest.sit_down()
    guest.roll()
    guest.keep(0, 1, 2, 3, 4)
    see_roll(guest, "All kept: choose a box", "roll 2 of 3")
    guest.find("#roll").click()
    expect(guest.find("#status")).to_contain_text("All dice are kept")
    assert guest.api(table)["rolls_left"] == 2


def test_after_the_third_roll_dice_cannot_be_kept_and_roll_is_off(guest: Guest) -> None:
    table = guest.sit_down()
    for _ in range(3):
        guest.roll()
    expect(guest.find(".count")).to_have_text("Roll 3 of 3")
    expect(guest.find(".dice input")).to_have_count(0)
    expect(guest.find("#roll")).to_have_attribute("aria-disabled", "true")
    see_roll(guest, "Choose a box", "no rolls left")
    guest.find("#roll").click(force=True)
    guest.page.keyboard.press("r")
    guest.page.keyboard.press("1")
    fourth = guest.page.request.post(f"{table}/roll", form={"version": "3"})
    assert fourth.status == 422
    assert "No rolls are left" in fourth.text()
    assert guest.api(table)["version"] == guest.version() == 3


def test_what_stands_in_grey_is_what_gets_written(guest: Guest) -> None:
    key = dice_first(3, 2, 3, 2, 3)
    expected = {
        "ones": 0, "twos": 4, "threes": 9, "fours": 0, "fives": 0, "sixes": 0, "three_of_a_kind": 13, "four_of_a_kind": 0,
        "full_house": 25, "small_straight": 0, "large_straight": 0, "five_of_a_kind": 0, "chance": 13,
    }  # fmt: skip
    for box, points in expected.items():
        table = guest.new_table(key)
        guest.play(table, action="roll", keep=[])
        guest.open(table)
        assert guest.offers() == expected
        guest.score(box)
        expect(guest.find("td.written.fresh")).to_have_text(str(points))
        expect(guest.find("#status")).to_contain_text("1 point" if points == 1 else f"{points} points")
        assert guest.api(table)["seats"][0]["card"][box] == points


def test_boxes_that_the_joker_rule_closes_are_struck_through_with_the_reason_and_refused(guest: Guest) -> None:
    table = guest.new_table(key_with_fives((6, 6)))
    guest.roll_five(table, 6)
    guest.play(table, action="score", box="five_of_a_kind")
    guest.roll_five(table, 6)
    guest.open(table)
    assert guest.offers() == {"sixes": 30}
    expect(guest.find("td.closed s")).to_have_count(11)
    expect(guest.find("#status")).to_have_text("Five sixes again: the Sixes box is open, so it must be used")
    before = guest.api(table)
    refused = guest.page.request.post(f"{table}/score", form={"version": str(before["version"]), "box": "chance"})
    assert refused.status == 422
    assert "Five sixes again: the Sixes box is open, so it must be used" in refused.text()
    assert guest.api(table) == before
    guest.score("sixes")
    expect(guest.find(".sums")).to_contain_text("100")
    assert guest.api(table)["seats"][0]["total"] == 50 + 30 + 100


def test_a_joker_pays_in_full_below_when_its_upper_box_is_filled(guest: Guest) -> None:
    table = guest.new_table(key_with_fives((6, 0, 6)))
    guest.roll_five(table, 6)
    guest.play(table, action="score", box="five_of_a_kind")
    guest.play_turns(table, "sixes")
    guest.roll_five(table, 6)
    guest.open(table)
    assert guest.offers() == {
        "three_of_a_kind": 30, "four_of_a_kind": 30, "full_house": 25, "small_straight": 30, "large_straight": 40, "chance": 30,
    }  # fmt: skip
    expect(guest.find("#status")).to_have_text("Five sixes again: the Sixes box is filled, so a lower box must be used")
    guest.score("large_straight")
    expect(guest.find("#box-large_straight, td.written.fresh")).to_have_text("40")


@pytest.mark.parametrize("script", [True, False], ids=["htmx", "no script"])
def test_a_zero_that_need_not_be_asks_for_a_second_tap(arrive: Arrive, script: bool) -> None:  # noqa: FBT001
    guest = arrive(script=script)
    table = guest.sit_down(dice_first(3, 2, 3, 2, 3))
    guest.roll()
    guest.find("#box-fours").click()
    expect(guest.find("#status")).to_have_text("Tap again to write 0 in Fours")
    expect(guest.find(".armed #box-fours")).to_have_accessible_name("Fours: tap again to write 0")
    assert guest.api(table)["version"] == 1
    # Another one may be taken instead, and what was asked for is forgotten.
    guest.find("#box-fives").click()
    expect(guest.find(".armed")).to_have_count(1)
    expect(guest.find("#status")).to_have_text("Tap again to write 0 in Fives")
    guest.find("#box-fives").click()
    guest.see_version(2)
    assert guest.api(table)["seats"][0]["card"]["fives"] == 0


@pytest.mark.firefox
def test_an_entry_is_corrected_by_keys_and_brings_no_further_roll(guest: Guest) -> None:
    table = guest.sit_down(dice_first(3, 2, 3, 2, 3), corrections="1")
    guest.roll()
    guest.score("chance")
    guest.page.keyboard.press("ArrowUp")
    expect(guest.find("#undo")).to_be_focused()
    said = len(guest.said())
    guest.page.keyboard.press("Enter")
    guest.see_version(3)
    assert guest.hear(said + 1)[said:] == ["Taken back. Choose another box for 3, 2, 3, 2, 3."]
    expect(guest.find(".column button:focus")).to_have_count(1)
    game = guest.api(table)
    assert guest.dice() == game["dice"] == [3, 2, 3, 2, 3]
    assert game["rolls_left"] == 0
    assert not game["legal"]["roll"]
    expect(guest.find("#roll")).to_have_attribute("aria-disabled", "true")
    guest.page.keyboard.press("r")
    assert guest.page.request.post(f"{table}/roll", form={"version": "3"}).status == 422
    guest.score("full_house")
    assert guest.api(table)["seats"][0]["card"]["full_house"] == 25
    # Once a turn: what was corrected stays.
    expect(guest.find("#undo")).to_have_count(0)


def test_reloading_shows_the_same_dice_card_and_turn_at_every_point_of_a_game(guest: Guest) -> None:
    table = guest.sit_down(SOME_KEY)
    game = guest.api(table)
    while game["status"] == "playing":
        # One roll in the first turn, two, three, and so on: after each of them and after each box.
        if game["roll"] < 1 + (game["turn"] - 1) % 3:
            keep = majority(game["dice"])[:4] if game["dice"] else []
            game = guest.play(table, game["version"], action="roll", keep=keep)
        else:
            game = guest.play(table, game["version"], action="score", box=best_box(game))
        guest.page.reload(wait_until="domcontentloaded")
        see_game(guest, game)
    assert game["version"] == 38


def see_game(guest: Guest, game: dict[str, Any]) -> None:
    """See on the page what the API tells of a game."""
    page: dict[str, Any] = guest.page.evaluate("""() => ({
        version: Number(document.querySelector('#table input[name=version]')?.value),
        written: [...document.querySelectorAll('.column tr:not(.bonus) td.written')].map((cell) => Number(cell.textContent)),
        turn: document.querySelector('.turn').textContent,
        kept: [...document.querySelectorAll('.dice input')].flatMap((die, place) => die.checked ? [place] : []),
    })""")
    assert page["turn"] == f"Turn {game['turn']} of 13"
    assert page["written"] == [points for points in game["seats"][0]["card"].values() if points is not None]
    assert guest.dice() == (game["dice"] or [])
    # Holds that were not sent are as at the last roll.
    assert page["kept"] == (game["kept"] if game["rolls_left"] else [])
    if game["status"] == "playing":
        assert page["version"] == game["version"]


def test_holds_that_were_not_sent_are_those_of_the_last_roll_after_a_reload(guest: Guest) -> None:
    guest.sit_down()
    guest.roll()
    guest.roll(0, 3)
    guest.keep(1, 2, 3)
    guest.page.reload()
    assert guest.kept() == [0, 3]


def test_the_result_is_copied_as_it_stands_there(guest: Guest) -> None:
    guest.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table = guest.new_table()
    total = guest.play_turns(table, *guest.api(table)["closed"])["seats"][0]["total"]
    guest.open(table)
    expect(guest.find("#copied")).to_be_hidden()
    guest.page.get_by_role("button", name="Copy").click()
    expect(guest.find("#copied")).to_have_text("Copied")
    assert guest.page.evaluate("navigator.clipboard.readText()") == f"Fairwind Classic: {total} points, new best"


def test_only_a_higher_total_is_a_new_best(guest: Guest) -> None:
    first = guest.new_table(SOME_KEY)
    best = guest.play_turns(first, *guest.api(first)["closed"])["seats"][0]["total"]
    guest.served.clock.forward(minutes=5)
    second = guest.new_table(SOME_KEY)
    guest.play_turns(second, *guest.api(second)["closed"])
    guest.open(second)
    expect(guest.find("#result")).to_have_text(f"{best} points")
    expect(guest.find(".lines")).to_contain_text(f"Best {best}")
    expect(guest.find(".lines")).to_contain_text("2 games")
