"""Languages: complete catalogues, names by the rules sheet, plural forms, and a change of language that changes words alone."""

from __future__ import annotations

import json
import re
from functools import cache
from gettext import GNUTranslations
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages import Catalog

from app.game.errors import Reason
from app.game.rulesets import VARIANTS, ruleset
from app.web.announcement import LONGEST_ANNOUNCEMENT
from app.web.service import negotiate
from app.web.words import BOXES, CATALOGUES, LANGUAGES, REASONS, offered, words
from tests.support.web import Visitor, World
from tools.catalogues import compile_all, flaws, read, sources, template, update, write

HERE = Path(__file__).parent
FOUR = ("en", "ja", "fi", "he")
OTHERS = FOUR[1:]
NAMES = json.loads((HERE / "sheet" / "names.json").read_text(encoding="utf-8"))

every_language = pytest.mark.parametrize("language", FOUR)
every_other_language = pytest.mark.parametrize("language", OTHERS)


@cache
def wanted() -> Catalog:
    """Collect the texts of the source once."""
    return template()


def catalogue(language: str) -> Catalog:
    """Read the catalogue of a language."""
    return read(sources()[language], language)


# Catalogues


@every_other_language
def test_every_text_is_translated_with_the_same_placeholders_and_none_is_left_over(language: str) -> None:
    assert flaws(catalogue(language), wanted()) == []


@every_other_language
def test_the_compiled_catalogue_is_that_of_the_source(language: str) -> None:
    with sources()[language].with_suffix(".mo").open("rb") as file:
        compiled = GNUTranslations(file)
    for message in catalogue(language):
        match message.id:
            case "":
                pass
            case str(text) if message.context is None:
                assert compiled.gettext(text) == message.string
            case str(text):
                assert compiled.pgettext(str(message.context), text) == message.string
            case one, many:
                assert {compiled.ngettext(one, many, number) for number in range(101)} == set(message.string or ())


def test_whatever_counts_has_plural_forms() -> None:
    assert [message.id for message in wanted() if isinstance(message.id, str) and "%(n)" in message.id] == []


def test_all_four_languages_are_offered() -> None:
    assert set(LANGUAGES) == set(FOUR)


@pytest.mark.parametrize(
    ("text", "translation", "flaw"),
    [
        ("%(n)s dice", "", "not translated"),
        ("%(n)s dice", "noppaa", "other placeholders in 'noppaa'"),
        ("%(n)s dice", "%(m)s noppaa", "other placeholders in '%(m)s noppaa'"),
        ("%(n)s dice", "%(n)s noppaa, 5 %", "a lone % in '%(n)s noppaa, 5 %'"),
        ("dice", "nopat ", "space around 'nopat '"),
        (("%(n)s die", "%(n)s dice"), ("%(n)s noppa", ""), "not translated"),
        (("%(n)s die", "%(n)s dice"), ("%(n)s noppa", "noppaa"), "other placeholders in 'noppaa'"),
    ],
)
def test_a_flaw_in_a_translation_is_found(
    text: str | tuple[str, str], translation: str | tuple[str, str], flaw: str
) -> None:
    flawed = Catalog("fi")
    flawed.add(text, translation)
    name = text if isinstance(text, str) else text[0]
    assert flaws(flawed) == [f"{name}: {flaw}"]


def test_a_guess_counts_as_a_flaw_and_so_does_a_text_too_few_or_too_many() -> None:
    flawed, asked = Catalog("fi"), Catalog()
    flawed.add("dice", "nopat", flags=["fuzzy"])
    asked.add("box")
    assert flaws(flawed, asked) == ["dice: fuzzy", "box: not in the catalogue", "dice: not in the source"]


def test_a_form_for_one_number_alone_need_not_show_it() -> None:
    hebrew, finnish = Catalog("he"), Catalog("fi")
    hebrew.add(("%(n)s point", "%(n)s points"), ("נקודה אחת", "שתי נקודות", "%(n)s נקודות"))
    finnish.add(("%(n)s point", "%(n)s points"), ("piste", "%(n)s pistettä"))
    assert flaws(hebrew) == flaws(finnish) == []


def test_a_language_is_offered_as_soon_as_its_catalogue_is_complete(tmp_path: Path) -> None:
    update(tmp_path, add="sv")
    begun = read(sources(tmp_path)["sv"], "sv")
    assert len(begun) == len(wanted())
    compile_all(tmp_path)
    assert offered(tmp_path) == ("en",)

    for message in begun:
        if message.id:
            message.string = message.id
    write(sources(tmp_path)["sv"], begun)
    compile_all(tmp_path)
    assert offered(tmp_path) == ("en", "sv")

    begun["Roll all"].string = ""
    write(sources(tmp_path)["sv"], begun)
    compile_all(tmp_path)
    assert offered(tmp_path) == ("en",)


def test_an_update_keeps_translations_and_guesses_none(tmp_path: Path) -> None:
    update(tmp_path, add="sv")
    path = sources(tmp_path)["sv"]
    begun = read(path, "sv")
    begun["Roll all"].string = "Kasta alla"
    begun.add("Roll alll", "gone from the source")
    write(path, begun)
    update(tmp_path)
    again = read(path, "sv")
    assert {message.id: message.string for message in again if message.id and message.string} == {
        "Roll all": "Kasta alla",
        **{message.id: ("", "") for message in again if message.pluralizable},
    }


# Names


@every_language
def test_boxes_and_rulesets_are_named_as_in_the_rules_sheet(language: str) -> None:
    spoken, column = words(language), FOUR.index(language)
    for offered_one in VARIANTS:
        own = NAMES["own boxes"].get(offered_one.id, {})
        for box in ruleset(offered_one.id).boxes:
            names = own.get(box.key) or NAMES["boxes"].get(box.key)
            if names is not None:
                assert spoken.box(box.key, offered_one.id) == names[column], (offered_one.id, box.key)
    assert {id_: spoken.ruleset(id_) for id_ in NAMES["rulesets"]} == {
        id_: names[column] for id_, names in NAMES["rulesets"].items()
    }
    assert set(NAMES["rulesets"]) == {variant.id for variant in VARIANTS}
    assert set(NAMES["boxes"]) | set(NAMES["without a name in the sheet"]) == set(BOXES)


@every_language
def test_no_two_boxes_of_a_card_have_the_same_name(language: str) -> None:
    for variant in VARIANTS:
        names = [words(language).box(box.key, variant.id) for box in ruleset(variant.id).boxes]
        assert len(set(names)) == len(names)


# Numbers


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["0 points", "1 point", "2 points", "13 points"]),
        ("fi", ["0 pistettä", "1 piste", "2 pistettä", "13 pistettä"]),
        ("he", ["0 נקודות", "נקודה אחת", "2 נקודות", "13 נקודות"]),
        ("ja", ["0点", "1点", "2点", "13点"]),
    ],
)
def test_points_take_the_plural_form_of_their_number(language: str, said: list[str]) -> None:
    assert [words(language).points(number) for number in (0, 1, 2, 13)] == said


def test_decimals_and_thousands_are_written_as_the_language_does() -> None:
    written = {language: (words(language).mean(254.59), words(language).number(1575)) for language in FOUR}
    assert written == {
        "en": ("254.6", "1,575"),
        "ja": ("254.6", "1,575"),
        "fi": ("254,6", "1\N{NO-BREAK SPACE}575"),
        "he": ("254.6", "1,575"),
    }


def test_finnish_texts_hold_no_decimal_point() -> None:
    for message in catalogue("fi"):
        forms = (message.string,) if isinstance(message.string, str) else message.string or ()
        # Times of day and dates have points in Finnish too.
        spared = [re.sub(r"klo\s[\d.]+|\d+\.\d+\.\d{4}", "", form) for form in forms if message.id]
        assert not any(re.search(r"\d\.\d", form) for form in spared), message.id


def test_a_run_of_dice_or_a_sign_keeps_its_order_in_hebrew() -> None:
    hebrew = words("he").left_to_right("3-4-5")
    assert (hebrew[0], hebrew[-1]) == ("\N{LEFT-TO-RIGHT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}")
    assert hebrew[1:-1].replace("\N{WORD JOINER}", "") == "3-4-5"
    assert [words(language).left_to_right("3-4-5") for language in ("en", "ja", "fi")] == ["3-4-5"] * 3


# What is said fits


@every_language
def test_every_reason_can_be_said_whole(language: str) -> None:
    spoken = words(language)
    said = [spoken.reason(reason) for reason in Reason]
    for variant in VARIANTS:
        rules = ruleset(variant.id)
        for box in rules.boxes:
            said += [
                spoken.reason(reason, face=box.face or 1, box=box.key, ruleset_id=rules.id)
                for reason in (Reason.JOKER_UPPER, Reason.JOKER_LOWER, Reason.FORCED_ORDER)
            ]
    assert set(REASONS) == set(Reason)
    assert max(map(len, said)) <= LONGEST_ANNOUNCEMENT


# Which language


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("he-IL,he;q=0.9,en;q=0.8", "he"),
        ("iw", "he"),
        ("sv, fi;q=0.8, en;q=0.7", "fi"),
        ("en-GB, ja;q=0.9", "en"),
        ("JA", "ja"),
        ("fi;q=0, ja;q=0.1", "ja"),
        ("de, *;q=0.5", "en"),
        ("", "en"),
    ],
)
def test_the_language_that_is_liked_best_is_chosen(accepted: str, language: str) -> None:
    assert negotiate(accepted) == language


PAGES = ("/", "/new", "/rules", "/rules/classic", "/stats", "/games", "/games/none", "/api/docs", "/nowhere")


@every_language
def test_every_page_says_its_language_and_direction(world: World, language: str) -> None:
    guest = world.visitor(**{"Accept-Language": language})
    table = guest.open_table()
    direction = "rtl" if language == "he" else "ltr"
    for path in (*PAGES, table, f"{table}/log"):
        assert re.findall(r"<html[^>]*>", guest.get(path).text) == [f'<html lang="{language}" dir="{direction}">'], path


# A change of language in mid-turn


class Table(HTMLParser):
    """What a table holds besides words: dice and which are kept, the values of the card, and what its forms send."""

    def __init__(self, html: str) -> None:
        """Read a page."""
        super().__init__()
        self.facts: list[tuple[object, ...]] = []
        self.words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note dice, fields and addresses."""
        found = dict(attrs)
        names = {"input": ("type", "name", "value", "checked"), "button": ("name", "value"), "use": ("href",)}
        if tag in names:
            self.facts.append((tag, *(found.get(name) if name != "checked" else name in found for name in names[tag])))
        elif tag == "form":
            self.facts.append((tag, found.get("action")))

    def handle_data(self, data: str) -> None:
        """Tell figures and words apart."""
        if (text := data.strip()).isdecimal():
            self.facts.append(("figure", text))
        elif text:
            self.words.append(text)


def test_a_change_of_language_in_mid_turn_changes_words_alone(world: World) -> None:
    guest = world.visitor()
    path = guest.open_table("yatzy", two_pairs_full_house="true")
    guest.post(f"{path}/roll", data={"version": "0"})
    guest.post(f"{path}/score", data={"version": "1", "box": "chance"})
    guest.post(f"{path}/roll", data={"version": "2"})
    guest.post(f"{path}/roll", data={"version": "3", "keep": ["1", "3"]})
    before = guest.get(f"/api/v1{path}").json()
    shown = {language: table_in(guest, path, language) for language in FOUR}
    again = table_in(guest, path, "en")

    assert guest.get(f"/api/v1{path}").json() == before
    assert [fact for fact in again.facts if fact[0] == "use"] == [("use", f"#f{face}") for face in before["dice"]]
    for language in FOUR:
        assert shown[language].facts == again.facts
    assert shown["en"].words == again.words
    assert len({tuple(table.words) for table in shown.values()}) == len(FOUR)


def table_in(guest: Visitor, path: str, language: str) -> Table:
    """Look at the table in a language."""
    answer = guest.get(path, headers={"Accept-Language": language})
    assert answer.status_code == 200
    return Table(answer.text)


def test_the_catalogues_lie_where_the_server_looks() -> None:
    assert set(sources()) == set(OTHERS)
    assert sources(CATALOGUES) == sources()
