"""What goes wrong in a browser: double clicks, keys held down, lost answers, two windows, the way back, a server that fails."""

from __future__ import annotations

import re
import signal
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import APIResponse, expect

from tests.support.guest import Arrive, Guest, another_window
from tests.support.server import Program, Served, Trouble
from tests.support.web import FakeClock

ROOMS_OF_MEMORY = """async () => ({
    local: localStorage.length,
    session: sessionStorage.length,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    history: history.state,
})"""


def see_warning(guest: Guest, words: str, said: int) -> None:
    """See a sentence on the table, and hear it once and within five seconds; `said` announcements were made before."""
    expect(guest.find("#status.warns")).to_contain_text(words)
    expect(guest.find("#status")).to_be_visible()
    (heard,) = guest.hear(said + 1)[said:]
    assert words in heard
    assert 0 < guest.seconds_to_hear() < 5


@pytest.mark.parametrize("script", [pytest.param(True, marks=pytest.mark.firefox), False], ids=["htmx", "no script"])
def test_a_double_click_on_roll_rolls_once_also_when_the_answer_is_late(arrive: Arrive, script: bool) -> None:  # noqa: FBT001
    guest = arrive(script=script)
    table = guest.sit_down()
    guest.served.trouble.late = 0.3
    guest.find("#roll").dblclick()
    guest.see_version(1)
    guest.served.trouble.end()
    game = guest.api(table)
    assert guest.dice() == game["dice"]
    assert game["rolls_left"] == 2
    guest.roll(0)
    assert guest.api(table)["version"] == 2


def hold(guest: Guest, key: str) -> None:
    """Keep a key down for some while: each further press of a key that is down is sent as a repeat."""
    for _ in range(10):
        guest.page.keyboard.down(key)


@pytest.mark.firefox
def test_a_click_on_a_table_that_has_only_just_come_does_not_load_the_page_anew(guest: Guest) -> None:
    guest.sit_down()
    guest.page.evaluate("""() => {
        window.same = true;
        new MutationObserver((_, observer) => {
            observer.disconnect();
            document.querySelector('#roll').click();
        }).observe(document.querySelector('#main'), {childList: true});
    }""")
    guest.find("#roll").click()
    guest.page.wait_for_function("() => witness.focus.length > 0")
    # Whether the second click came too early or was a roll: this is still the same page, and it works.
    guest.roll()
    assert guest.page.evaluate("window.same") is True


@pytest.mark.firefox
def test_enter_held_down_on_a_box_writes_it_and_does_not_roll_on(guest: Guest) -> None:
    table = guest.sit_down()
    guest.roll()
    guest.requests.clear()
    guest.find("#box-chance").focus()
    hold(guest, "Enter")
    expect(guest.find("#roll")).to_be_focused()
    hold(guest, "Enter")
    guest.page.keyboard.up("Enter")
    assert guest.moves_sent() == ["score"]
    assert guest.api(table)["version"] == guest.version() == 2


@pytest.mark.firefox
def test_enter_held_down_on_a_needless_zero_only_asks(guest: Guest) -> None:
    table = guest.sit_down()
    guest.roll()
    box = guest.needless_zeros()[-1]
    guest.find(f"#box-{box}").focus()
    hold(guest, "Enter")
    expect(guest.find(f".armed #box-{box}")).to_be_focused()
    hold(guest, "Enter")
    guest.page.keyboard.up("Enter")
    assert guest.api(table)["version"] == guest.version() == 1
    guest.page.keyboard.press("Enter")
    guest.see_version(2)


@pytest.mark.firefox
def test_enter_held_down_on_the_last_open_box_writes_once_and_stays_at_the_result(guest: Guest) -> None:
    table = guest.new_table()
    *boxes, last = guest.api(table)["closed"]
    guest.play_turns(table, *boxes)
    guest.play(table, action="roll", keep=[])
    guest.open(table)
    guest.requests.clear()
    guest.find(f"#box-{last}").focus()
    guest.served.trouble.late = 0.1
    hold(guest, "Enter")
    expect(guest.find("#result")).to_be_focused()
    hold(guest, "Enter")
    guest.page.keyboard.up("Enter")
    assert guest.moves_sent() == ["score"]
    assert guest.page.url == table
    expect(guest.find(".result")).to_have_count(1)
    assert guest.api(table)["version"] == 26


@pytest.mark.firefox
def test_enter_on_a_die_rolls_at_most_once_and_space_toggles_it_once(guest: Guest) -> None:
    table = guest.sit_down()
    guest.roll()
    guest.requests.clear()
    guest.find("#die-3").focus()
    guest.page.keyboard.press("Space")
    expect(guest.find("#die-3")).to_be_checked()
    guest.page.keyboard.press("Space")
    expect(guest.find("#die-3")).not_to_be_checked()
    guest.page.keyboard.press("Space")
    guest.served.trouble.late = 0.1
    hold(guest, "Enter")
    guest.page.keyboard.up("Enter")
    guest.see_version(2)
    assert guest.moves_sent() == ["roll"]
    assert guest.api(table)["kept"] == [2]


@pytest.mark.firefox
def test_a_die_that_was_clicked_stays_kept_when_the_key_for_roll_follows(guest: Guest) -> None:
    table = guest.sit_down()
    guest.roll()
    before = guest.dice()
    guest.requests.clear()
    guest.find("#die-3").click()
    guest.page.keyboard.press("r")
    guest.see_version(2)
    assert guest.moves_sent() == ["roll"]
    game = guest.api(table)
    assert game["kept"] == [2]
    assert game["dice"][2] == before[2]
    expect(guest.find("#die-3")).to_be_checked()
    expect(guest.find("#die-3")).to_be_focused()


@pytest.mark.firefox
def test_a_roll_whose_answer_was_lost_shows_the_same_dice_at_every_reload(guest: Guest) -> None:
    table = guest.sit_down()
    guest.served.trouble.lost = True
    guest.find("#roll").click()
    see_warning(guest, "cannot be reached", 0)
    guest.served.trouble.end()
    game = guest.api(table)
    assert game["version"] == 1
    assert game["rolls_left"] == 2
    for _ in range(5):
        guest.page.reload()
        assert guest.dice() == game["dice"]
        expect(guest.find(".count")).to_have_text("Roll 1 of 3")
    assert guest.api(table) == game


@pytest.mark.firefox
def test_a_roll_whose_answer_was_lost_can_be_sent_again_and_is_one_roll(guest: Guest) -> None:
    table = guest.sit_down()
    guest.served.trouble.lost = True
    guest.find("#roll").click()
    see_warning(guest, "cannot be reached", 0)
    guest.served.trouble.end()
    guest.find("#roll").click()
    guest.see_version(1)
    assert guest.dice() == guest.api(table)["dice"]
    assert guest.api(table)["version"] == 1


@pytest.mark.firefox
def test_of_two_windows_the_second_is_shown_what_the_first_did_and_told_so(guest: Guest) -> None:
    table = guest.sit_down()
    other = another_window(guest.page.context, guest.served)
    guest.roll()
    other.open(table)
    guest.roll(0)
    other.keep(3, 4)
    other.find("#roll").click()
    see_warning(other, "The game had moved on", 0)
    game = guest.api(table)
    assert game["version"] == other.version() == 2
    assert other.dice() == guest.dice() == game["dice"]
    other.score("chance")
    # The same entry from the window that has not seen it: done once, and both show it.
    guest.score("chance")
    after = guest.api(table)
    assert after["version"] == 3
    assert after["seats"][0]["card"]["chance"] == sum(game["dice"])
    expect(guest.find("tr:not(.bonus) td.written")).to_have_text(str(sum(game["dice"])))


@pytest.mark.parametrize("script", [pytest.param(True, marks=pytest.mark.firefox), False], ids=["htmx", "no script"])
def test_the_way_back_changes_nothing_that_was_played(arrive: Arrive, script: bool) -> None:  # noqa: FBT001
    guest = arrive(script=script)
    table = guest.sit_down()
    for box in ("chance", "ones", "twos"):
        guest.roll()
        guest.score(box)
    before = guest.api(table)
    guest.page.get_by_role("link", name="Rules", exact=True).click()
    guest.page.go_back()
    guest.find("#roll").click()
    guest.see_version(7)
    after = guest.api(table)
    assert after["version"] == 7
    assert after["seats"] == before["seats"]
    assert guest.dice() == after["dice"]


def test_a_page_from_before_three_turns_shows_the_present_game_when_roll_is_clicked(guest: Guest) -> None:
    table = guest.sit_down()
    guest.play_turns(table, "chance", "ones", "twos")
    before = guest.api(table)
    guest.find("#roll").click()
    guest.see_version(6)
    assert guest.api(table) == before
    written = guest.find(".column tr:not(.bonus) td.written").all_text_contents()
    assert sorted(map(int, written)) == sorted(v for v in before["seats"][0]["card"].values() if v is not None)


def test_a_new_game_leaves_the_one_that_was_begun_to_be_gone_on_with(guest: Guest) -> None:
    table = guest.sit_down()
    guest.roll()
    dice = guest.dice()
    guest.open("/")
    guest.page.get_by_role("button", name="Play Classic").click()
    guest.see_version(0)
    assert guest.page.url != table
    guest.page.get_by_role("link", name="My games").first.click()
    links = guest.page.get_by_role("link", name=re.compile("^Go on"))
    expect(links).to_have_count(2)
    addresses = [link.get_attribute("href") or "" for link in links.all()]
    assert sum(table.endswith(address) for address in addresses) == 1
    guest.open(next(address for address in addresses if table.endswith(address)))
    assert guest.dice() == dice
    guest.open("/stats")
    # Nothing is finished and nothing given up, so there is nothing to count.
    assert guest.api(table)["status"] == "playing"


@pytest.mark.firefox
def test_a_move_that_the_rules_refuse_leaves_the_table_and_says_why(guest: Guest) -> None:
    table = guest.sit_down()
    guest.roll()
    guest.score("chance")
    guest.roll()
    before = guest.dice()
    # What a page of ours never sends: a box that is filled.
    guest.find("#box-ones").evaluate("button => { button.value = 'chance'; }")
    said = len(guest.said())
    guest.find("#box-ones").click()
    see_warning(guest, "That box is filled already.", said)
    assert guest.dice() == before
    assert guest.api(table)["version"] == 3
    guest.roll(0)
    assert guest.api(table)["version"] == 4


def test_what_cannot_be_understood_leaves_the_table_and_says_so(guest: Guest) -> None:
    table = guest.sit_down()
    guest.find(".rolling input[name=version]").evaluate("field => { field.value = 'nonsense'; }")
    guest.find("#roll").click()
    see_warning(guest, "could not be understood", 0)
    guest.roll()
    assert guest.api(table)["version"] == 1


@pytest.mark.firefox
def test_a_server_that_fails_leaves_the_table_says_so_and_the_next_try_is_one_roll(guest: Guest) -> None:
    table = guest.sit_down()
    guest.served.trouble.broken = True
    guest.find("#roll").click()
    see_warning(guest, "That did not work", 0)
    expect(guest.find(".column tr")).to_have_count(16)
    guest.served.trouble.end()
    guest.roll()
    assert guest.api(table)["version"] == 1


def visit(program: Program, arrive: Arrive) -> Guest:
    """Come to a server of the test's own."""
    return replace(arrive(), served=Served(program.url, FakeClock(), Trouble()))


def test_a_server_that_is_gone_leaves_the_table_and_says_so_and_play_goes_on_when_it_is_back(
    program: Program, arrive: Arrive
) -> None:
    guest = visit(program, arrive)
    table = guest.sit_down()
    guest.roll()
    dice = guest.dice()
    said = len(guest.said())
    program.kill()
    guest.keep(0)
    guest.find("#roll").click()
    see_warning(guest, "cannot be reached", said)
    assert guest.dice() == dice
    assert guest.kept() == [0]
    program.start()
    guest.find("#roll").click()
    guest.see_version(2)
    assert guest.api(table)["version"] == 2
    assert guest.api(table)["kept"] == [0]


@pytest.mark.firefox
def test_a_server_that_hangs_is_reported_within_five_seconds_and_rolls_once_in_all(
    program: Program, arrive: Arrive
) -> None:
    guest = visit(program, arrive)
    table = guest.sit_down()
    program.send(signal.SIGSTOP)
    guest.find("#roll").click()
    see_warning(guest, "cannot be reached", 0)
    program.send(signal.SIGCONT)
    guest.find("#roll").click()
    guest.see_version(1)
    assert guest.api(table)["version"] == 1


def test_every_address_that_htmx_asks_for_is_a_whole_page_when_opened_directly(guest: Guest) -> None:
    table = guest.sit_down(corrections="1")
    guest.roll()
    guest.score("chance")
    guest.find("#undo").click()
    guest.see_version(3)
    asked = {request.url for request in guest.requests if "hx-request" in request.headers}
    assert asked == {f"{table}/roll", f"{table}/score", f"{table}/undo"}
    for address in [*asked, table]:
        guest.open(address)
        expect(guest.find("html[lang] head title")).to_have_count(1)
        expect(guest.find("header a, main a").first).to_be_visible()
        expect(guest.find("main")).to_have_count(1)


def as_both(guest: Guest, url: str) -> tuple[APIResponse, APIResponse]:
    """Ask for a page as a browser does and as HTMX does; again if it changed by itself meanwhile, as a time to wait does."""
    for _ in range(5):
        whole = guest.page.request.get(url)
        part = guest.page.request.get(url, headers={"HX-Request": "true"})
        if guest.page.request.get(url).text() == whole.text():
            return whole, part
    raise AssertionError(f"{url} is another page every time")


def test_answers_that_differ_for_htmx_say_so_in_vary(guest: Guest) -> None:
    table = guest.sit_down()
    differing = []
    pages = ["/", "/games", "/rules", "/rules/classic", "/new", "/stats", "/none"]
    for address in [table, f"{table}/log", f"{table}/roll", *pages]:
        url = address if "://" in address else guest.served.url + address
        whole, part = as_both(guest, url)
        if whole.text() != part.text():
            differing.append(address)
            for answer in (whole, part):
                assert "hx-request" in answer.headers["vary"].lower()
    assert differing == [table]


def test_the_board_is_kept_in_no_storage_of_the_browser(guest: Guest) -> None:
    guest.sit_down()
    guest.roll()
    guest.score("chance")
    kept = guest.page.evaluate(ROOMS_OF_MEMORY)
    assert kept == {"local": 0, "session": 0, "databases": 0, "caches": 0, "history": None}
    cookies = guest.page.context.cookies()
    assert [(cookie.get("name"), cookie.get("httpOnly")) for cookie in cookies] == [("fairwind", True)]


def test_with_cookies_blocked_rules_read_and_one_sentence_says_what_playing_needs(guest: Guest) -> None:
    guest.served.trouble.cookieless = True
    for address in ("/", "/rules", "/rules/classic", "/games", "/stats", "/new"):
        guest.open(address)
        expect(guest.find("main h1")).to_be_visible()
    assert guest.complaints == []
    guest.open("/")
    guest.find("main form button").first.click()
    expect(guest.find("main h1")).to_be_visible()
    sentences = guest.find("main p").filter(has_text="cookie")
    expect(sentences).to_have_count(1)
    expect(sentences).to_be_visible()
    # The browser notes that the answer was a refusal; no script went wrong.
    assert [text for text in guest.complaints if "403" not in text] == []


def test_every_page_asks_this_server_alone_and_keeps_to_the_policy(guest: Guest) -> None:
    table = guest.new_table()
    guest.play_turns(table, *guest.api(table)["closed"])
    for address in ("/", "/games", "/new", "/rules", "/rules/classic", "/stats", "/api/docs", table, f"{table}/log"):
        guest.open(address)
        assert guest.policy_violations() + guest.complaints == [], address
    assert all(request.url.startswith(guest.served.url) for request in guest.requests)


def test_the_page_runs_the_htmx_that_is_pinned(guest: Guest) -> None:
    guest.sit_down()
    address = guest.find("script[src*=htmx]").get_attribute("src") or ""
    pinned = re.search(r"htmx-(\d+\.\d+\.\d+)\.min\.", address)
    assert pinned is not None
    assert guest.page.evaluate("htmx.version") == pinned[1]


def test_nothing_about_dice_to_come_is_in_the_page_or_reachable_by_its_scripts(guest: Guest) -> None:
    key = bytes([0xA7]) * 32
    table = guest.sit_down(key)
    guest.roll()
    seen: dict[str, Any] = guest.page.evaluate(
        "() => ({page: document.documentElement.outerHTML, cookie: document.cookie, name: window.name})"
    )
    assert key.hex() not in seen["page"]
    assert seen["cookie"] == seen["name"] == ""
    assert guest.api(table)["version"] == 1
