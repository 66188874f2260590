"""Settings: kept on the server for the player, changed by forms alone, and honoured by every page."""

from __future__ import annotations

import json
import re
import sqlite3
from dataclasses import fields
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.play.preferences import CHOICES, SWITCHES, BadPreference, Preferences, allowed_for
from app.web.around import own_address
from app.web.settings_page import CHOICES as CHOICES_IN_WORDS
from app.web.settings_page import LABELS
from app.web.words import LANGUAGES
from tests.support.web import HTMX, Visitor, World, text_of

NAMES = [field.name for field in fields(Preferences)]
PAGES = ("/", "/new", "/rules", "/games", "/stats", "/settings", "/privacy", "/nowhere")


def html_tag(page: str) -> str:
    """Give the opening tag of the page."""
    return page[page.index("<html") : page.index(">", page.index("<html")) + 1]


def chosen(page: str) -> dict[str, str]:
    """Read which value of each setting stands chosen on the settings page."""
    found = {}
    for name, options in re.findall(r'<select id="set-\w+" name="(\w+)">(.*?)</select>', page, re.DOTALL):
        (found[name],) = re.findall(r'<option value="([^"]*)" selected>', options)
    return found


# What is stored


def test_every_setting_has_a_label_and_every_value_a_name() -> None:
    assert set(LABELS) == set(NAMES)
    for name in NAMES:
        for value in allowed_for(name, ()):
            assert (name, value) in CHOICES_IN_WORDS
    assert {*CHOICES, *SWITCHES, "language"} == set(NAMES)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            **{name: st.sampled_from(values) for name, values in CHOICES.items()},
            **dict.fromkeys(SWITCHES, st.sampled_from(["0", "1"])),
            "language": st.sampled_from(["auto", "en", "he"]),
        },
    )
)
def test_what_was_chosen_is_read_again_as_it_was_chosen(form: dict[str, str]) -> None:
    after = Preferences().choose(form, ("en", "he"))
    assert Preferences.read(after.text()) == after
    for name, value in form.items():
        assert getattr(after, name) == ({"0": False, "1": True}[value] if name in SWITCHES else value)


@given(st.text() | st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_whatever_is_stored_some_preferences_are_read(text: str) -> None:
    assert isinstance(Preferences.read(text), Preferences)


@pytest.mark.parametrize(
    "stored",
    [
        '{"theme":"pink"}',
        '{"theme":["dark"]}',
        '{"theme":{}}',
        '{"shortcuts":"0"}',
        '{"of_a_later_version":1}',
        "[]",
        "",
    ],
)
def test_a_stored_value_that_cannot_be_counts_as_not_chosen(stored: str) -> None:
    assert Preferences.read(stored) == Preferences()


def test_a_refused_setting_says_what_it_can_be() -> None:
    with pytest.raises(BadPreference) as refused:
        Preferences().choose({"theme": "pink"}, ())
    assert refused.value.allowed == ("auto", "light", "dark")


# The page


def test_the_page_shows_what_is_chosen_and_a_form_changes_it(world: World) -> None:
    visitor = world.visitor()
    usual = chosen(visitor.get("/settings").text)
    assert set(usual) == set(NAMES)
    assert visitor.client.cookies.get("fairwind") is None, "looking makes nobody"
    other = {name: allowed_for(name, LANGUAGES)[-1 if usual[name] != "0" else 0] for name in NAMES}
    answer = visitor.post("/settings", data=other)
    assert (answer.status_code, answer.headers["location"]) == (303, "/settings?done=saved")
    page = visitor.get("/settings?done=saved").text
    assert chosen(page) == other


def test_one_setting_is_changed_alone(world: World) -> None:
    visitor = world.visitor()
    visitor.post("/settings", data={"theme": "dark"})
    visitor.post("/settings", data={"shortcuts": "0"})
    now = chosen(visitor.get("/settings").text)
    assert (now["theme"], now["shortcuts"], now["contrast"]) == ("dark", "0", "auto")


REFUSED: tuple[tuple[dict[str, str], str], ...] = (
    ({}, "Nothing was chosen"),
    ({"back": "/"}, "Nothing was chosen"),
    ({"theme": "pink"}, "Theme cannot be so, and nothing was changed. It can be: auto, light, dark"),
    ({"theme": "dark", "language": "tlh"}, "Language cannot be so"),
    ({"hints": "yes"}, "Hints cannot be so"),
    ({"scoring": "triple"}, "Writing a box cannot be so"),
)


def test_a_setting_that_cannot_be_is_refused_with_the_reason(world: World) -> None:
    visitor = world.visitor()
    usual = chosen(visitor.get("/settings").text)
    visitor.post("/settings", data={"contrast": "more"})
    for form, said in REFUSED:
        answer = visitor.post("/settings", data=form)
        assert answer.status_code == 422
        assert said in text_of(answer.text)
        assert chosen(visitor.get("/settings").text) == {**usual, "contrast": "more"}


def test_a_setting_from_another_site_is_refused(world: World) -> None:
    answer = world.visitor().post("/settings", data={"theme": "dark"}, headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403


def test_broken_stored_settings_break_no_page(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    database = sqlite3.connect(str(world.settings.where))
    for stored in ("", "null", "[1]", '{"theme":7,"language":"xx","scoring":null}', "{" * 1_000):
        database.execute("UPDATE players SET settings = ?", (stored,))
        database.commit()
        for path in (*PAGES, table, "/settings/data"):
            assert visitor.get(path).status_code in {200, 404}, (path, stored)
        assert visitor.post("/settings", data={"theme": "auto"}).status_code == 303
    database.close()


# What each does


LOOKS = (
    ({"theme": "light"}, 'data-theme="light"'),
    ({"theme": "dark"}, 'data-theme="dark"'),
    ({"theme": "auto", "contrast": "more"}, 'data-contrast="more"'),
    ({"contrast": "auto", "animation": "reduced"}, 'data-motion="reduced"'),
    ({"animation": "off"}, 'data-motion="off"'),
)


def test_every_page_carries_the_look_that_was_chosen(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    for path in (*PAGES, table):
        assert html_tag(visitor.get(path).text) == '<html lang="en" dir="ltr">'
    for setting, attribute in LOOKS:
        visitor.post("/settings", data=setting)
        for path in (*PAGES, table):
            assert html_tag(visitor.get(path).text) == f'<html lang="en" dir="ltr" {attribute}>', path
        refused = visitor.post(f"{table}/roll", data={"version": "9"})
        assert html_tag(refused.text).endswith(f"{attribute}>")


def test_shortcuts_that_are_off_are_off_on_every_page(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    assert "data-shortcuts" not in visitor.get(table).text
    visitor.post("/settings", data={"shortcuts": "0"})
    page = visitor.get(table).text
    assert re.search(r'<body [^>]*data-shortcuts="off"', page)
    assert 'data-open="shortcuts"' not in page


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_with_two_taps_every_box_waits_for_the_second(world: World, headers: dict[str, str]) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    visitor.post("/settings", data={"scoring": "double"})
    visitor.post(f"{table}/roll", data={"version": "0"})
    boxes = visitor.get(f"/api/v1{table}").json()["legal"]["boxes"]
    box, points = max(boxes.items(), key=lambda pair: pair[1])
    assert points > 0
    asked = visitor.post(f"{table}/score", data={"version": "1", "box": box}, headers=headers)
    assert asked.status_code == 200
    assert f"Tap again to write {points} in " in text_of(asked.text)
    assert visitor.get(f"/api/v1{table}").json()["version"] == 1
    visitor.post(f"{table}/score", data={"version": "1", "box": box, "confirm": "1"}, headers=headers)
    assert visitor.get(f"/api/v1{table}").json()["seats"][0]["card"][box] == points


def test_programs_are_never_asked_twice(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    visitor.post("/settings", data={"scoring": "double"})
    game = visitor.play(visitor.get(f"/api/v1{table}").json(), action="roll", keep=[])
    assert visitor.play(game, action="score", box="chance")["version"] == 2


def test_hints_that_are_not_wanted_are_not_offered(coached: World) -> None:
    visitor = coached.visitor()
    table = visitor.open_table("yacht")
    visitor.post(f"{table}/roll", data={"version": "0"})
    assert f"{table}/hint" in visitor.get(table).text
    visitor.post("/settings", data={"hints": "0"})
    assert f"{table}/hint" not in visitor.get(table).text


# Language


def test_every_page_offers_every_language_by_its_own_name(world: World) -> None:
    names = {"en": "English", "fi": "Suomi", "he": "עברית", "ja": "日本語"}
    for path in (*PAGES, "/rules/classic", "/rules/bridge", "/games/nothing", "/api/docs"):
        page = world.visitor().get(path).text
        offered = dict(re.findall(r'<button [^>]*name="language" value="(\w+)" lang="\1"[^>]*>([^<]+)<', page))
        assert offered == {code: names[code] for code in LANGUAGES}, path


def test_the_switcher_leads_back_to_the_page_that_it_stands_on(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    for path in ("/", "/stats", "/rules/classic?joker=none", "/new?ruleset=yatzy", table, f"{table}/log"):
        form = re.findall(r'name="back" value="([^"]+)"', visitor.get(path).text)
        assert form == [path.replace("&", "&amp;")]
        answer = visitor.post("/settings", data={"language": "en", "back": form[0]})
        assert (answer.status_code, answer.headers["location"]) == (303, path)


def test_the_switcher_on_a_refused_form_leads_to_the_page_where_the_form_was(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    headers = {"Referer": f"http://fairwind.test{table}"}
    refused = visitor.post(f"{table}/roll", data={"version": "7"}, headers=headers)
    assert f'name="back" value="{table}"' in refused.text
    for referer in ("http://evil.example/games/x", "", "::::", "http://[", "http://fairwind.test//evil.example"):
        refused = visitor.post(f"{table}/roll", data={"version": "7"}, headers={"Referer": referer})
        assert 'name="back" value="/"' in refused.text
    rolled = visitor.post(f"{table}/roll", data={"version": "0"}, headers={**HTMX, "Referer": "http://["})
    assert rolled.status_code == 200
    assert visitor.get(f"/api/v1{table}").json()["version"] == 1


ELSEWHERE = (
    *(
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "http://evil.example",
        "evil.example",
    ),
    *("https:evil.example", "javascript:alert(1)", "/\t/evil.example", "/ /evil.example", "/\n/evil.example"),
    *("/%0d%0a\r\nX: 1", "/é", "/" + "x" * 9_900),
)


def test_no_form_can_lead_to_another_site(world: World) -> None:
    visitor = world.visitor()
    for back in ELSEWHERE:
        answer = visitor.post("/settings", data={"theme": "dark", "back": back})
        assert answer.status_code == 422 if len(back) > 1_000 else answer.headers["location"] == "/", back


@given(st.text(alphabet="/\\.:@?#ab \t\n%é", max_size=12), st.sampled_from(["", "/games/fairwind"]))
def test_an_address_that_is_led_to_is_below_our_own_path(address: str, base: str) -> None:
    found = own_address(address, base)
    assert found.startswith((f"{base}/", f"{base}?")) or found == base
    assert re.fullmatch(r"/(?![/\\]).*", found)


def test_the_chosen_language_goes_before_the_browsers(world: World) -> None:
    visitor = world.visitor(**{"Accept-Language": "en"})
    table = visitor.open_table()
    for language in LANGUAGES:
        visitor.post("/settings", data={"language": language})
        direction = "rtl" if language == "he" else "ltr"
        for path in (*PAGES, table):
            assert html_tag(visitor.get(path).text) == f'<html lang="{language}" dir="{direction}">'
    visitor.post("/settings", data={"language": "auto"})
    assert html_tag(visitor.get("/").text) == '<html lang="en" dir="ltr">'


def test_a_language_that_is_not_offered_any_more_is_the_browsers_again(world: World) -> None:
    visitor = world.visitor()
    visitor.post("/settings", data={"language": "en"})
    database = sqlite3.connect(str(world.settings.where))
    database.execute("UPDATE players SET settings = ?", ('{"language":"tlh"}',))
    database.commit()
    database.close()
    assert html_tag(visitor.get("/").text) == '<html lang="en" dir="ltr">'


def facts(page: str) -> list[Any]:
    """Give what a table holds besides words: faces, kept dice, points, forms, versions."""
    table = page[page.index('<section id="table"') :]
    table = table[: table.index("</section>")]
    dice = re.findall(r'href="#(\w+)"', table)
    fields = re.findall(r'<input type="(\w+)"[^>]*value="([^"]*)"( checked)?', table)
    boxes = re.findall(r'<button type="submit" id="box-(\w+)"[^>]*>(\d+)<', table)
    return [dice, fields, boxes, re.findall(r'action="([^"]+)"', table), re.findall(r">(\d+)</td>", table)]


def test_the_switcher_in_mid_turn_changes_words_alone(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table("yatzy", two_pairs_full_house="true")
    visitor.post(f"{table}/roll", data={"version": "0"})
    visitor.post(f"{table}/score", data={"version": "1", "box": "chance"})
    visitor.post(f"{table}/roll", data={"version": "2"})
    visitor.post(f"{table}/roll", data={"version": "3", "keep": ["1", "3"]})
    before, shown = visitor.get(f"/api/v1{table}").json(), facts(visitor.get(table).text)
    said = set()
    for language in LANGUAGES:
        answer = visitor.post("/settings", data={"language": language, "back": table})
        assert answer.headers["location"] == table
        page = visitor.get(table).text
        assert visitor.get(f"/api/v1{table}").json() == before
        assert facts(page) == shown
        said.add(text_of(page))
    assert len(said) == len(LANGUAGES)


def test_everything_can_be_set_at_once(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    for theme, contrast, motion in product(CHOICES["theme"], CHOICES["contrast"], CHOICES["animation"]):
        visitor.post("/settings", data={"theme": theme, "contrast": contrast, "animation": motion})
        tag = html_tag(visitor.get(table).text)
        assert (f'data-theme="{theme}"' in tag) == (theme != "auto")
        assert ("data-contrast" in tag) == (contrast == "more")
        assert (f'data-motion="{motion}"' in tag) == (motion != "on")


def test_a_visitor_keeps_settings_in_another_window_of_the_browser(world: World) -> None:
    first = world.visitor()
    first.post("/settings", data={"theme": "dark"})
    second: Visitor = world.visitor()
    second.client.cookies = first.client.cookies
    assert 'data-theme="dark"' in html_tag(second.get("/").text)
    assert 'data-theme="dark"' not in html_tag(world.visitor().get("/").text)


def test_while_the_players_cannot_be_read_pages_are_as_usual_and_nobody_becomes_somebody_new(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table()
    visitor.post("/settings", data={"theme": "dark"})
    database = sqlite3.connect(str(world.settings.where))
    database.execute("ALTER TABLE players RENAME TO gone")
    database.commit()
    assert html_tag(visitor.get("/rules/classic").text) == '<html lang="en" dir="ltr">'
    for answer in (
        visitor.get(table),
        visitor.get("/games"),
        visitor.post("/games", data={"ruleset": "classic"}),
        visitor.post("/settings", data={"theme": "light"}),
        visitor.get(f"/api/v1{table}"),
    ):
        assert answer.status_code == 503
        assert "set-cookie" not in answer.headers
    database.execute("ALTER TABLE gone RENAME TO players")
    database.commit()
    database.close()
    assert 'data-theme="dark"' in html_tag(visitor.get(table).text)
