"""Names: what they may be made of, which look alike, and that none of them can disturb its neighbours."""

# ruff: noqa: RUF001 - letters that look alike are what this is about

from __future__ import annotations

import re
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from app.play import SeatInfo
from app.play.names import LONGEST, MOST_MARKS, BadName, NameTrouble, read_name, skeleton
from app.web.opponents import against, seat_names
from app.web.words import words
from tests.support.people import game_with, name_of, rows, take_name
from tests.support.web import World, text_of

NAMES = (
    "Aino", "Ää", "Åke 2", "Nguyễn Thị", "Jean Luc Le Grand", "שלום", "שָׁלוֹם", "דנה כהן", "アイノ", "さくら", "李小龍", "Ζωή",
    "Ольга", "नमस्ते", "นภา", "நிலா", "1729", "a" * 20, "Ä" * 20, "क्षि" * 20, "עַ" * 20,
)  # fmt: skip

REFUSED = {
    NameTrouble.TOO_SHORT: ("a", "Ä", "", "क्षि", "7"),
    NameTrouble.TOO_LONG: ("a" * 21, "abc " * 6, "שָׁ" * 21),
    NameTrouble.DIRECTION: ("evil\u202ecom", "\u2066ab\u2069", "ab\u200f", "\u061cab", "a\u202db"),
    NameTrouble.INVISIBLE: (
        "\u200b\u200b", "a\u200bb", "\u2060\u2060\u2060", "\u3164\u3164", "a\u00adb", "ab\ufeff", "a\ufe0fb", "a\x00b", "a\x07b",
        "\ue000\ue001", "a\U000e0041b", "ab\u034f",
    ),
    NameTrouble.MARKS: ("e" + "\u0301" * 40, "ab" + "\u0e49" * 9, "ש" + "\u05b8" * 5, "é\u0302\u0303\u0304\u0305x"),
    NameTrouble.SIGNS: (
        "<script>", "a&b", "Ada!", "a_b", "Tom & Jo", "😀😀", "@ada", "\u0301ab", "a*b", "ada@example.org",
        " ab", "a  b", "ab ", "a \u0301b",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names_of_many_scripts_can_be_had(name: str) -> None:
    assert read_name(name).shown == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(("trouble", "name"), [(trouble, name) for trouble, names in REFUSED.items() for name in names])
def test_a_name_is_refused_with_the_reason(trouble: NameTrouble, name: str) -> None:
    with pytest.raises(BadName) as refused:
        read_name(name)
    assert refused.value.trouble is trouble


def test_a_name_is_kept_composed_and_by_the_form_with_single_spaces(world: World) -> None:
    assert read_name("A\u030ake 2").shown == "\u00c5ke 2"
    visitor = world.visitor()
    take_name(visitor, "  A\u030ake   2\u3000x ")
    assert name_of(visitor) == "\u00c5ke 2 x"


@given(st.text(max_size=40))
def test_whatever_is_asked_for_is_a_name_or_refused_and_a_name_has_nothing_that_acts(text: str) -> None:
    try:
        name = read_name(text)
    except BadName:
        return
    assert 2 <= len(regex.findall(r"\X", name.shown)) <= LONGEST
    assert not regex.search(r"[\p{C}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}<>&\"']", name.shown)
    assert not regex.search(rf"\p{{M}}{{{MOST_MARKS + 1}}}", unicodedata.normalize("NFD", name.shown))
    assert read_name(name.shown) == name


# Source: Unicode Technical Standard 39, confusables.txt: each line's letter has the other as its prototype.
ALIKE = [
    ("Aino", "Аіnо"),
    ("paypal", "p\u0430yp\u0430l"),
    ("paypal", "paypaI"),
    ("modern", "rnodern"),
    ("Olo", "0lo"),
    ("ll", "11"),
    ("scope", "ѕсоре"),
    ("Aino", "aino"),
    ("AINO", "Aino"),
    ("ﬁnn", "finn"),
    ("Ｆｉｎｎ", "Finn"),
    ("ab", "𝐚𝐛"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Aino", "Ainu"), ("Öljy", "Oljy"), ("Ella", "Eila"), ("דנה", "דנא"), ("アイノ", "アイン"), ("ab", "ba")],
)
def test_names_that_do_not_look_alike_have_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(st.text(alphabet=st.characters(categories=["L", "N", "M"]), max_size=8))
def test_a_skeleton_is_one_whatever_the_form_of_the_text(text: str) -> None:
    assert skeleton(unicodedata.normalize("NFC", text)) == skeleton(unicodedata.normalize("NFD", text))


# On the pages


def test_a_name_is_taken_changed_and_given_up(world: World) -> None:
    visitor = world.visitor()
    assert name_of(visitor) == ""
    assert take_name(visitor, " Aino  K ").headers["location"] == "/settings?done=named"
    assert name_of(visitor) == "Aino K"
    assert take_name(visitor, "AINO K").status_code == 303, "one's own name does not stand in one's way"
    assert take_name(visitor, "דנה").status_code == 303
    assert name_of(visitor) == "דנה"
    answer = visitor.post("/settings/name", data={"name": "דנה", "remove": "1"})
    assert answer.headers["location"] == "/settings?done=unnamed"
    assert name_of(visitor) == ""
    assert rows(world, "SELECT name, name_skeleton FROM players") == [(None, None)]


SAID = (
    ("a", "at least 2 letters"),
    ("a" * 21, "at most 20 letters"),
    ("evil\u202ecom", "turn the direction of writing"),
    ("\u200b\u200b\u200b", "cannot be seen"),
    ("e" + "\u0301" * 40, "too many marks"),
    ("<b>x</b>", "letters and digits"),
    ("", "Write a name first"),
    ("   ", "Write a name first"),
)


def test_a_refused_name_says_why_and_changes_nothing(world: World) -> None:
    visitor = world.visitor()
    take_name(visitor, "Aino")
    for name, said in SAID:
        answer = take_name(visitor, name)
        assert answer.status_code == 422
        assert said in text_of(answer.text), name
        assert "<b>x" not in answer.text
        assert name_of(visitor) == "Aino"


@pytest.mark.parametrize("other", ["Aino", "aino", "Аіnо", "AINO", "Aіno"])
def test_a_name_that_looks_like_somebody_elses_is_refused(world: World, other: str) -> None:
    take_name(world.visitor(), "Aino")
    second = world.visitor()
    game_with(second)
    assert "Somebody has this name" in text_of(take_name(second, other).text)
    assert name_of(second) == ""
    api = world.visitor().post("/api/v1/players", json={"name": other})
    assert (api.status_code, api.json()["error"]["code"], api.json()["error"]["details"]) == (
        422,
        "bad_name",
        {"reason": "name_taken"},
    )


def test_a_name_that_was_given_up_can_be_had_by_others(world: World) -> None:
    first, second = world.visitor(), world.visitor()
    take_name(first, "Aino")
    take_name(first, "Ainola")
    assert take_name(second, "Aino").status_code == 303


def test_of_several_who_ask_at_once_for_names_that_look_alike_one_gets_it(any_world: World) -> None:
    visitors = [any_world.visitor() for _ in range(6)]
    for visitor in visitors:
        game_with(visitor)
    asked = ["Aino", "aino", "Аіnо", "AINO", "Aіno", "Ainо"]
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(take_name, visitors, asked))
    assert sorted(answer.status_code for answer in answers) == [303, 422, 422, 422, 422, 422]


def test_the_api_says_why_a_name_is_refused(world: World) -> None:
    visitor = world.visitor()
    for trouble, names in REFUSED.items():
        answer = visitor.post("/api/v1/players", json={"name": names[0]})
        error = answer.json()["error"]
        assert (answer.status_code, error["code"], error["details"]) == (422, "bad_name", {"reason": trouble.value})
    long = visitor.post("/api/v1/players", json={"name": "a" * 5_000})
    assert (long.status_code, long.json()["error"]["code"]) == (422, "bad_request")


def test_every_name_on_a_page_is_isolated_from_what_stands_around_it(world: World) -> None:
    visitor, device = world.visitor(), world.visitor()
    take_name(visitor, "דנה 7")
    page = visitor.get("/settings").text
    assert re.search(r'<bdi class="name">דנה 7</bdi>', page)
    link = re.findall(r"/device/[\w-]+", visitor.post("/settings/device", data={"sure": "1"}).text)[0]
    assert "<bdi>דנה 7</bdi>" in device.get(link).text


HOSTILE = ("אבג 7", "1729", "a" * 20, "e\u0301\u0302\u0303 o")
"""Names that may be had, and would move the numbers beside them, or be wide or high, were they not kept apart."""


def test_no_name_moves_the_numbers_beside_it_or_breaks_out(world: World) -> None:
    watcher = world.visitor()
    for name in HOSTILE:
        owner = world.visitor()
        take_name(owner, name)
        table = owner.open_table("yacht", kind="solo")
        owner.play_out(owner.get(f"/api/v1{table}").json())
        for page in (watcher.get(table).text, watcher.get("/settings").text):
            assert not re.search(r"[\u202a-\u202e]", page)
            # Each sign that begins an isolation is followed by one that ends it, in the same piece of text.
            for text in re.findall(r">([^<]+)<", page):
                assert len(re.findall("[\u2066-\u2068]", text)) == text.count("\u2069")


def test_what_somebody_wrote_stands_isolated_in_running_text() -> None:
    seats = (SeatInfo(name="Ada"), SeatInfo(name="אבג 7"), SeatInfo(computer="novice"))
    names = seat_names(seats, 0, words("en"))
    assert names == ("You", "\u2068אבג 7\u2069", "Novice")
    assert against(seats[1:], words("en")) == "\u2068אבג 7\u2069 and novice"
