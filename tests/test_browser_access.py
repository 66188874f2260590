"""Who plays otherwise than with a mouse, a big screen and good eyes: focus, announcements, names, sizes, colours, motion."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import ViewportSize, expect

from app.game.dice import Stream
from tests.support.guest import AS_USUAL, DESK, Arrive, Guest, first_roll, key_for
from tests.support.keys import key_with_fives

SIZES = {
    "phone": (360, 640),
    "small phone": (320, 568),
    "desk": (1280, 800),
    "desk at 200 %": (640, 400),
    "phone at 200 %": (180, 320),
}
"""Windows in CSS pixels; zooming to 200 % halves them."""

# What leaves the window sideways, is cut off by its own edges, or lies under something else.
PROBLEMS = """() => {
    const found = [];
    const name = (one) => one.tagName.toLowerCase() + (one.id ? '#' + one.id : '') + ' ' + one.textContent.trim().slice(0, 30);
    if (document.scrollingElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
    for (const one of document.querySelectorAll('header *, main *')) {
        if (one.closest('.hidden, .skip, svg, [hidden], option') || one.checkVisibility() === false) continue;
        const box = one.getBoundingClientRect();
        if (box.width && (box.left < -1 || box.right > innerWidth + 1)) found.push('outside: ' + name(one));
        const shown = getComputedStyle(one);
        if (shown.overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1) found.push('cut off: ' + name(one));
        // A field for a text scrolls by its nature.
        const scrolls = shown.overflowY === 'visible' || one.matches('textarea');
        if (!scrolls && one.scrollHeight > one.clientHeight + 1) found.push('cut off: ' + name(one));
    }
    return found;
}"""

# What one has to scroll for, or can hardly hit.
OUT_OF_SIGHT = """() => {
    const found = [];
    if (document.scrollingElement.scrollHeight > innerHeight) found.push('the page scrolls');
    for (const one of document.querySelectorAll('.head, tbody tr, .sums, #status, .dice .die, #roll, .result, .next button')) {
        const box = one.getBoundingClientRect();
        if (box.top < 0 || box.bottom > innerHeight + 0.5) found.push('out of sight: ' + one.textContent.trim());
        if (one.matches('tr') && box.height < 39.5) found.push('low: ' + one.textContent.trim());
        if (one.matches('tr, #roll') && !one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))) {
            found.push('covered: ' + one.textContent.trim());
        }
    }
    return found;
}"""


def situations(guest: Guest, ruleset: str) -> Iterator[str]:
    """Bring the table into each kind of situation that looks different, and name it."""
    table = guest.sit_down(ruleset=ruleset)
    yield "fresh"
    guest.roll()
    guest.keep(1, 3)
    yield "with kept dice"
    guest.keep(0, 1, 2, 3, 4)
    yield "with all dice kept"
    box = guest.needless_zeros()[0]
    guest.find(f"#box-{box}").click()
    expect(guest.find(f".armed #box-{box}")).to_be_visible()
    yield "asking for a second tap"
    guest.roll()
    guest.roll()
    yield "after the last roll"
    if ruleset == "classic":
        joker_table(guest)
        yield "with a joker"
    table = guest.new_table(ruleset=ruleset, corrections="1")
    *boxes, last = guest.api(table)["closed"]
    guest.play_turns(table, *boxes)
    guest.open(table)
    guest.roll()
    yield "in the last turn"
    guest.score(last)
    yield "finished"


def joker_table(guest: Guest) -> None:
    """Open a table where five sixes lie there for the second time, with Sixes open."""
    table = guest.new_table(key_with_fives((6, 6)))
    guest.roll_five(table, 6)
    guest.play(table, action="score", box="five_of_a_kind")
    guest.roll_five(table, 6)
    guest.open(table)


@pytest.mark.parametrize("ruleset", ["classic", "yatzy"])
def test_the_whole_table_is_on_a_phone_without_scrolling_and_nothing_is_cut_off_at_any_size(
    arrive: Arrive, ruleset: str
) -> None:
    guest = arrive(reduced_motion="reduce")
    found: dict[str, list[str]] = {}
    for situation in situations(guest, ruleset):
        for size, (width, height) in SIZES.items():
            guest.page.set_viewport_size({"width": width, "height": height})
            problems: list[str] = guest.page.evaluate(PROBLEMS)
            if size == "phone":
                problems += guest.page.evaluate(OUT_OF_SIGHT)
            if problems:
                found[f"{situation}, {size}"] = problems
        guest.page.set_viewport_size({"width": 360, "height": 640})
    assert found == {}


@pytest.mark.parametrize("size", ["small phone", "desk at 200 %", "phone at 200 %"])
def test_every_box_every_die_and_roll_can_be_reached_where_the_page_scrolls(arrive: Arrive, size: str) -> None:
    width, height = SIZES[size]
    guest = arrive(viewport=ViewportSize(width=width, height=height), reduced_motion="reduce")
    guest.sit_down(ruleset="yatzy")
    guest.roll()
    for control in guest.find(".column button, .dice input, #roll").all():
        # Scrolls there, and sees that a click would meet it and nothing that lies above.
        control.click(trial=True)


def test_two_fast_taps_do_not_zoom(guest: Guest) -> None:
    guest.sit_down()
    guest.roll()
    # A touch may do what the thing it meets and everything around that allow.
    zooming = guest.page.evaluate("""() => [...document.querySelectorAll('.dice .die, .column button, #roll')].filter((one) => {
        const box = one.getBoundingClientRect();
        let met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        while (met && getComputedStyle(met).touchAction === 'auto') met = met.parentElement;
        return !met;
    }).map((one) => one.outerHTML)""")
    assert zooming == []


# Announcements


def one_die_falls_alike(stream: Stream) -> bool:
    """Tell whether rolling the last die again shows the face that it has."""
    return stream.faces(5, 0, 1, 2, 1)[0] == first_roll(stream)[4]


@pytest.mark.firefox
def test_every_action_is_announced_once_in_few_words_and_equal_dice_in_other_words(guest: Guest) -> None:
    table = guest.sit_down(key_for(one_die_falls_alike), corrections="1")
    guest.roll()
    guest.hear(1)
    dice = ", ".join(str(face) for face in guest.dice())
    for key in "1234":
        guest.page.keyboard.press(key)
    guest.find("#roll").click()
    guest.hear(6)
    needless = guest.needless_zeros()[0]
    guest.find(f"#box-{needless}").click()
    guest.hear(7)
    guest.score("chance")
    guest.find("#undo").click()
    guest.hear(9)
    guest.score("sixes" if needless != "sixes" else "fives")
    total = guest.api(table)["seats"][0]["total"]
    first, *holds, second, asked, scored, undone, again = guest.hear(10)
    assert first == f"Roll 1 of 3: {dice}"
    assert len(holds) == 4
    assert all(said.startswith(f"die {number}: ") and "kept" in said for number, said in enumerate(holds, start=1))
    assert second == f"Roll 2 of 3: {dice}"
    assert asked.startswith("Tap again to write 0 in ")
    assert scored.startswith("Chance: ")
    assert undone == f"Taken back. Choose another box for {dice}."
    assert again.endswith(f"Total {total}.")
    # Those who see are told nothing twice: clicking a die is spoken by the browser itself.
    guest.roll()
    guest.find("#die-1").click()
    assert len(guest.hear(11)) == 11


def test_no_announcement_is_longer_than_can_be_listened_to(guest: Guest) -> None:
    joker_table(guest)
    guest.score("sixes")
    guest.roll()
    guest.find("#box-ones").evaluate("button => { button.value = 'sixes'; }")
    guest.find("#box-ones").click()
    said = guest.hear(3)
    assert len(said) == 3
    assert all(len(text) <= 120 for text in said)


def test_the_joker_is_announced_with_its_reason(guest: Guest) -> None:
    table = guest.new_table(key_with_fives((6, 6)))
    guest.roll_five(table, 6)
    game = guest.play(table, action="score", box="five_of_a_kind")
    guest.open(table)
    guest.roll()
    while guest.dice() != [6] * 5:
        guest.roll(*[at for at, face in enumerate(guest.dice()) if face == 6])
    last = guest.hear(guest.version() - game["version"])[-1]
    assert "6, 6, 6, 6, 6" in last
    assert "the Sixes box is open, so it must be used" in last
    assert len(last) <= 120


# Focus


@pytest.mark.firefox
def test_after_each_action_the_focus_is_where_the_hand_was(guest: Guest) -> None:
    guest.sit_down(corrections="1")
    guest.roll()
    expect(guest.find("#roll")).to_be_focused()
    guest.find("#die-2").click()
    expect(guest.find("#die-2")).to_be_focused()
    guest.page.keyboard.press("4")
    expect(guest.find("#die-2")).to_be_focused()
    guest.page.keyboard.press("r")
    guest.see_version(2)
    expect(guest.find("#die-2")).to_be_focused()
    guest.find("#box-chance").focus()
    guest.page.keyboard.press("r")
    guest.see_version(3)
    expect(guest.find("#box-chance")).to_be_focused()
    guest.page.keyboard.press("Enter")
    guest.see_version(4)
    expect(guest.find("#roll")).to_be_focused()
    guest.find("#undo").focus()
    guest.page.keyboard.press("Enter")
    guest.see_version(5)
    expect(guest.find(".column button:focus")).to_have_count(1)
    assert not {"BODY", "HTML"} & set(guest.page.evaluate("witness.focus"))


def test_a_die_that_can_no_longer_be_kept_leaves_the_focus_on_the_table(guest: Guest) -> None:
    guest.sit_down()
    guest.roll()
    guest.roll()
    guest.find("#die-3").focus()
    guest.page.keyboard.press("r")
    guest.see_version(3)
    expect(guest.find("#table :focus")).to_have_count(1)


def test_the_sheet_of_keys_opens_and_closes_by_keys_and_gives_the_focus_back(arrive: Arrive) -> None:
    guest = arrive(viewport=DESK)
    table = guest.sit_down()
    sheet = guest.find("#shortcuts")
    opener = guest.page.get_by_role("button", name="Keyboard")
    for key in ("Escape", "Enter"):
        opener.focus()
        guest.page.keyboard.press("Enter")
        expect(sheet).to_be_visible()
        # Keys of the game do nothing behind it.
        guest.page.keyboard.press("r")
        guest.page.keyboard.press(key)
        expect(sheet).to_be_hidden()
        expect(opener).to_be_focused()
    guest.find("#roll").focus()
    guest.page.keyboard.press("?")
    expect(sheet).to_be_visible()
    guest.page.keyboard.press("Escape")
    expect(guest.find("#roll")).to_be_focused()
    assert guest.api(table)["version"] == 0


def test_keys_do_nothing_in_a_field_and_leave_the_browsers_own_alone(guest: Guest) -> None:
    table = guest.new_table()
    guest.play_turns(table, *guest.api(table)["closed"])
    guest.open(table)
    guest.find("#text").focus()
    guest.page.keyboard.press("?")
    expect(guest.find("#shortcuts")).to_be_hidden()
    fresh = guest.sit_down()
    guest.page.keyboard.press("Control+r")
    guest.page.keyboard.press("Alt+r")
    guest.roll()
    assert guest.api(fresh)["version"] == 1


def test_a_reader_hears_tables_with_headers_groups_and_states(guest: Guest) -> None:
    guest.sit_down()
    guest.roll()
    guest.keep(2)
    page = guest.page
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.get_by_role("heading", level=1, name="Classic")).to_be_visible()
    for name, rows in (("Upper boxes", 7), ("Lower boxes", 7)):
        expect(page.get_by_role("table", name=name).get_by_role("rowheader")).to_have_count(rows)
    expect(page.get_by_role("group", name="Dice").get_by_role("checkbox")).to_have_count(5)
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(1)
    expect(page.get_by_role("button", name="Chance: ")).to_have_accessible_name(f"Chance: {sum(guest.dice())} points")


# Eyes

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "more contrast": {"contrast": "more"},
    "forced colours": {"forced_colors": "active"},
}


STILL = {**AS_USUAL, "reduced_motion": "reduce"}
"""Colours are looked at when nothing moves."""


def axe_findings(guest: Guest, *looks: str) -> list[str]:
    """Let axe look at the page, and at its colours in other colourings too; gives what it finds, each with where."""
    guest.page.evaluate(AXE_SCRIPT)
    found: list[str] = []
    for look in ("light", *looks):
        guest.page.emulate_media(**{**STILL, **LOOKS[look]})
        options: dict[str, Any] = {} if look == "light" else {"runOnly": ["color-contrast", "link-in-text-block"]}
        answer = guest.page.evaluate("options => axe.run({resultTypes: ['violations'], ...options})", options)
        found += [
            f"{look}: {problem['id']} at {node['target'][0]}: {node['failureSummary']}"
            for problem in answer["violations"]
            for node in problem["nodes"]
        ]
    guest.page.emulate_media(**STILL)
    return found


def test_axe_finds_nothing_on_the_table_in_any_situation_and_colouring(arrive: Arrive) -> None:
    guest = arrive(reduced_motion="reduce")
    found = {
        situation: axe_findings(guest, "dark", "more contrast", "forced colours")
        for situation in situations(guest, "classic")
        if situation not in {"with all dice kept", "in the last turn"}
    }
    assert {situation: problems for situation, problems in found.items() if problems} == {}


def test_axe_finds_nothing_on_any_other_page_in_any_colouring(arrive: Arrive) -> None:
    guest = arrive(reduced_motion="reduce")
    guest.open("/")
    found = {"first visit": axe_findings(guest, "dark", "forced colours")}
    table = guest.new_table()
    guest.play_turns(table, *guest.api(table)["closed"])
    begun = guest.new_table()
    guest.play_turns(begun, "chance")
    for address in ("/", "/games", "/stats", "/rules/classic", f"{begun}/log", "/none"):
        guest.open(address)
        found[address] = axe_findings(guest, "dark", "forced colours")
    # The longest pages, made of the same parts.
    for address in ("/new", "/rules", f"{table}/log", "/api/docs"):
        guest.open(address)
        found[address] = axe_findings(guest)
    assert {address: problems for address, problems in found.items() if problems} == {}


@pytest.mark.parametrize("look", LOOKS)
def test_a_kept_die_is_told_by_a_word_and_a_rise_not_by_colour_alone(arrive: Arrive, look: str) -> None:
    guest = arrive(reduced_motion="reduce", **LOOKS[look])
    guest.sit_down()
    guest.roll()
    guest.keep(1)
    expect(guest.find("label[for=die-2] .kept")).to_be_visible()
    expect(guest.find("label[for=die-1] .kept")).to_be_hidden()
    tops = guest.find(".dice label").evaluate_all("dice => dice.map((die) => die.getBoundingClientRect().top)")
    assert tops[1] < tops[0] == tops[2] == tops[3] == tops[4]


def animations_after_a_roll(guest: Guest) -> int:
    """Roll, and count what moves when the dice have come."""
    guest.page.evaluate("""() => document.addEventListener('htmx:after:swap', () => {
        witness.moving = document.getAnimations().length;
    })""")
    guest.roll()
    guest.page.wait_for_function("() => 'moving' in witness")
    moving: int = guest.page.evaluate("witness.moving")
    return moving


@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
def test_nothing_moves_for_those_who_asked_for_no_motion(arrive: Arrive, motion: str, moves: bool) -> None:  # noqa: FBT001
    guest = arrive(reduced_motion=motion)
    guest.sit_down()
    assert (animations_after_a_roll(guest) > 0) == moves


def test_dice_can_be_kept_and_rolled_while_they_still_tumble(arrive: Arrive) -> None:
    guest = arrive(reduced_motion="no-preference")
    table = guest.sit_down()
    for keep in product((0,), (1, 2)):
        guest.roll()
        assert animations_after_a_roll(guest)
        guest.find(f"#die-{keep[0] + 1}").check(force=True)
        guest.roll(*keep[:1])
        assert guest.dice() == guest.api(table)["dice"]
        assert guest.api(table)["kept"] == [0]
        guest.score("chance" if keep[1] == 1 else "ones")


def test_the_first_page_of_a_game_and_the_answer_to_a_move_are_small(guest: Guest) -> None:
    table = guest.sit_down()
    sizes: list[int] = guest.page.evaluate("""() => ['navigation', 'resource'].flatMap((kind) =>
        performance.getEntriesByType(kind).map((entry) => entry.encodedBodySize))""")
    assert len(sizes) <= 8
    assert 10_000 < sum(sizes) <= 60_000
    answer = guest.page.request.post(f"{table}/roll", form={"version": "0"}, headers={"HX-Request": "true"})
    assert answer.ok
    assert len(gzip.compress(answer.body())) <= 6_000
