"""From a view to HTML: every name is there, every word can be translated, nothing breaks out, files are named by their content."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from jinja2 import Environment, FileSystemLoader, UndefinedError, meta

from app.daily import ONE_DAY as ONE
from app.daily import Streak
from app.game.dice import Addressing
from app.game.rules import Ruleset
from app.game.rulesets import VARIANTS, ruleset
from app.game.state import Outcome, Roll, Score, legal, start
from app.play import Ended, Event, Kind, Look, Record, SeatInfo
from app.play.calendar import Calendar
from app.play.names import BadName, NameTrouble
from app.play.people import History
from app.play.preferences import BadPreference, Preferences
from app.play.sights import Attempt, Phase, Sight, Standing
from app.store import Figures, GameRow, PlayedDay, PlayerRow, SeatRow, Status, Totals
from app.web import day_views, privacy, settings_page, standings, views
from app.web.around import language_names
from app.web.assets import Assets
from app.web.hint import HintView
from app.web.render import STATIC, TEMPLATES, Renderer
from app.web.words import Words, words
from tests.support.days import TODAY
from tests.support.looks import NOON, Marked, after, look_at
from tests.support.table import Scripted, play, rolled

EN = words("en")
RENDERER = Renderer()
CLASSIC = ruleset("classic")


def tables(shown_in: Words) -> Iterator[views.TableView]:
    """Show tables in every situation that the template tells apart."""
    house = ruleset("classic", {"joker": "none", "locked_dice": True})
    beginning = start(house, corrections=True)
    yield views.table(look_at(beginning), shown_in)
    yield views.table(look_at(play(beginning, "33344 threes")), shown_in)
    yield views.table(after(rolled(beginning, "33344"), Roll((0, 1)), Scripted("121")), shown_in)
    state = play(start(CLASSIC), "44444 five_of_a_kind")
    yield views.table(look_at(rolled(state, "66666")), shown_in)
    yield views.table(look_at(rolled(state, "12345")), shown_in, armed="sixes")
    yield views.table(look_at(rolled(state, "12345"), status=Status.ABANDONED), shown_in)
    yield from against_others(shown_in)
    yield views.table(ended(), shown_in, record=Record(90, new_best=True, mean=100.0, count=2))


def against_others(shown_in: Words) -> Iterator[views.TableView]:
    """Show tables with one other seat, with several, and at the end of a game."""
    one = (SeatInfo(), SeatInfo(computer="perfect"))
    yield views.table(look_at(rolled(start(ruleset("yacht"), 2), "12345"), seats=one), shown_in)
    state = play(start(CLASSIC, 2, shared_dice=True), "33344 threes", "44444 five_of_a_kind")
    turn = (Event(1, 1, 1, Roll(), (4, 4, 1, 2, 4)), Event(1, 1, 2, Roll((0, 1, 4)), (4,) * 5))
    scored = Event(1, 1, 2, Score("five_of_a_kind"), (4,) * 5, 50)
    throws = (((0, 3), (1, 3)), ((0, 5), (1, 2)))
    yield views.table(look_at(state, seats=one, others=(*turn, scored), throws=throws), shown_in)
    yield views.table(look_at(rolled(state, "12345"), seats=one, others=(*turn, scored)), shown_in)
    three = (SeatInfo(), SeatInfo(computer="novice"), SeatInfo(computer="novice"))
    late = start(CLASSIC, 3, first=1)
    yield views.table(look_at(play(late, "12345 chance"), seats=three, others=turn, throws=throws), shown_in)
    over = start(ruleset("yacht_ww"), 3)
    while not over.over:
        over = play(over, f"12346 {next(iter(legal(rolled(over, '12346')).boxes))}")
    record = Record(5, new_best=True, mean=5.0, count=2)
    yield views.table(look_at(over, seats=three, kind=Kind.COMPUTER, others=(*turn, scored)), shown_in, record=record)


def ended(rules: Ruleset = CLASSIC) -> Look:
    """Look at a game that is over."""
    state = start(rules)
    for key in rules.index:
        state = play(state, f"{'12346'[: rules.dice].ljust(rules.dice, '6')} {key}")
    return look_at(state, Event(0, 13, 1, Score("chance"), (1, 2, 3, 4, 6), 16), key=bytes(32))


def pages(shown_in: Words) -> Iterator[tuple[str, object]]:
    """Show every page of this layer, empty and full."""
    going = look_at(play(start(CLASSIC), "33344 threes"))
    for view in tables(shown_in):
        yield "table.html", view
    yield "home.html", views.home([], shown_in)
    yield "home.html", views.home([going, going, going], shown_in)
    done = GameRow("id", "solo", "classic", "{}", 1, "by_turn", bytes(32), NOON, finished_at=NOON, assisted=True)
    yield "games.html", views.games([], [], shown_in)
    alone = Ended(replace(done, seats=(SeatRow(0, score=200),)), 0, Outcome((0,), draw=False))
    row = replace(done, assisted=False, shared_dice=True, seats=(SeatRow(0, score=9), SeatRow(1, computer="casual")))
    lost = Ended(row, 0, Outcome((1,), draw=False))
    contest = replace(going, seats=(SeatInfo(), SeatInfo(computer="casual")))
    yield "home.html", views.home([contest], shown_in, seconds_left=8)
    yield "games.html", views.games([going, contest], [alone, lost], shown_in)
    yield "stats.html", standings.stats([], {}, shown_in)
    some = Totals(
        "classic", '{"joker": "none"}', "solo", assisted=False, finished=Figures(1, 200, 200, 40_000), abandoned=0
    )
    both = [some, replace(some, assisted=True)]
    kinds = [replace(total, kind=kind) for total in both for kind in Kind]
    yield "stats.html", standings.stats(kinds, {"classic": Streak(1, 3), "yatzy": Streak(0, 0)}, shown_in)
    events = (Event(0, 1, 1, Roll(), (3, 3, 3, 4, 4)), Event(0, 1, 2, Roll((0,)), (3, 3, 3, 4, 4)))
    yield "log.html", views.log(going, (), shown_in)
    yield "log.html", views.log(ended(), events, shown_in)
    yield "log.html", views.log(replace(contest, throws=(((0, 1), (1, 4)),)), events, shown_in)
    yield "error.html", views.not_ready(1, (("kind", "computer"), ("level", "perfect")), shown_in)
    yield "error.html", views.error(404, "not_found", shown_in)
    yield from about_people(shown_in)
    yield from about_days(shown_in)


def about_days(shown_in: Words) -> Iterator[tuple[str, object]]:
    """Show today, days in each phase with each kind of attempt, and a month of the calendar."""
    sight = Sight(TODAY, CLASSIC, Addressing.BY_TURN, 1, "c0" * 32, Phase.TODAY, sealed=True, excused=False, now=NOON)
    playing = Attempt(look_at(start(CLASSIC), kind=Kind.DAILY), Standing.PLAYING, None)
    attempts = (None, *(replace(playing, standing=standing, total=200) for standing in Standing))
    yield "home.html", views.home([], shown_in, today=day_views.today([sight, sight], "3", shown_in))
    played = Calendar(NOON, (PlayedDay(TODAY - 9 * ONE, "id", 200, 240),), frozenset({TODAY - 8 * ONE}))
    for phase, attempt in product(Phase, attempts):
        key = bytes(32) if phase is Phase.CLOSED else None
        shown = replace(sight, phase=phase, attempt=attempt, key=key, sealed=attempt is None, excused=True)
        yield "daily.html", day_views.day(shown, ("classic", "yatzy"), played, None, shown_in)
    continuous = replace(sight, phase=Phase.CLOSED, addressing=Addressing.CONTINUOUS, key=bytes(32))
    yield "daily.html", day_views.day(continuous, ("classic",), None, None, shown_in)
    for calendar in (played, replace(played, played=())):
        yield "archive.html", day_views.archive(TODAY.replace(day=1), calendar, "yatzy", ("classic", "yatzy"), shown_in)


def about_people(shown_in: Words) -> Iterator[tuple[str, object]]:
    """Show the pages about the player who asks, before and after the first game."""
    nobody = settings_page.settings(Preferences(), None, shown_in)
    yield "settings.html", nobody
    player = PlayerRow("ada", NOON, name="Ada", name_skeleton="ada")
    history = History(player, 1, 0)
    for done in settings_page.DONE:
        yield "settings.html", settings_page.settings(Preferences(), history, shown_in, has_code=True, done=done)
    for trouble in NameTrouble:
        refused = settings_page.name_refused(BadName(trouble), shown_in)
        yield "settings.html", replace(nobody, refused=refused, tried="<i>")
    for error in (None, BadPreference("colour", "", ()), BadPreference("theme", "", ("auto",))):
        yield "settings.html", replace(nobody, refused=settings_page.setting_refused(error, shown_in))
    yield "link.html", settings_page.link("http://fairwind.test/device/x", shown_in)
    yield "offer.html", settings_page.offer(history, None, shown_in)
    yield "offer.html", settings_page.offer(history, history, shown_in)
    nameless = History(PlayerRow("bob", NOON), 3, 2)
    yield "offer.html", settings_page.offer(nameless, history, shown_in)
    yield "code.html", settings_page.CodeView("abandon zoo")
    yield "delete.html", settings_page.DeleteView(gone=False)
    yield "delete.html", settings_page.DeleteView(gone=True)
    yield "privacy.html", privacy.privacy(shown_in)


@dataclass(frozen=True, slots=True)
class Tag:
    """An opening tag as a browser reads it."""

    name: str
    attributes: dict[str, str]


class Reader(HTMLParser):
    """Reads a page: its tags, and its text and the attributes that people read or hear."""

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__()
        self.tags: list[Tag] = []
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag down, and what it says itself."""
        found = {name: value or "" for name, value in attrs}
        self.tags.append(Tag(tag, found))
        self.said += [found[name] for name in ("aria-label", "title", "alt", "data-help") if name in found]
        if tag == "meta" and found.get("name") == "description":
            self.said.append(found["content"])

    def handle_data(self, data: str) -> None:
        """Note text down."""
        self.said.append(data)


def read(html: str) -> Reader:
    """Read a page."""
    reader = Reader()
    reader.feed(html)
    return reader


# Names


def names_in(template: str) -> set[str]:
    """Collect the names that a template and those it extends or imports take from outside."""
    environment = Environment(loader=FileSystemLoader(TEMPLATES), extensions=["jinja2.ext.i18n"], autoescape=True)
    tree = environment.parse((TEMPLATES / template).read_text(encoding="utf-8"))
    found = meta.find_undeclared_variables(tree)
    for other in meta.find_referenced_templates(tree):
        assert other is not None
        found |= names_in(other)
    environment = RENDERER.environment(EN)
    macros = set(vars(environment.get_template("_parts.html").module))
    return found - set(environment.globals) - macros - {"fragment", "around"}


@pytest.mark.parametrize(
    ("template", "view"),
    [
        ("table.html", views.TableView),
        ("home.html", views.HomeView),
        ("games.html", views.GamesView),
        ("stats.html", standings.StatsView),
        ("log.html", views.LogView),
        ("error.html", views.ErrorView),
        ("settings.html", settings_page.SettingsView),
        ("link.html", settings_page.LinkView),
        ("offer.html", settings_page.OfferView),
        ("code.html", settings_page.CodeView),
        ("delete.html", settings_page.DeleteView),
        ("privacy.html", privacy.PrivacyView),
    ],
)
def test_a_view_holds_exactly_the_names_that_its_template_uses(template: str, view: type) -> None:
    assert names_in(template) == {field.name for field in fields(view)}


def parts_of(view: type) -> Iterator[type]:
    """Give the dataclasses that a view is made of."""
    waiting = list(get_type_hints(view).values())
    while waiting:
        kind = waiting.pop()
        waiting += get_args(kind)
        if is_dataclass(kind) and isinstance(kind, type):
            yield kind
            waiting += get_type_hints(kind).values()


@pytest.mark.parametrize("view", [views.TableView, views.HomeView, views.GamesView, standings.StatsView, views.LogView])
def test_every_field_of_a_part_of_a_view_is_shown_somewhere(view: type) -> None:
    written = "".join(file.read_text(encoding="utf-8") for file in TEMPLATES.glob("*.html"))
    # A hint has fields that code reads: what it announces takes the place of what the table does, and choices are sorted.
    for part in (found for found in parts_of(view) if found.__module__ != HintView.__module__):
        for field in fields(part):
            assert f".{field.name}" in written or f", {field.name} in" in written, f"{part.__name__}.{field.name}"


def test_a_name_that_no_view_holds_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("{{ heading }} {{ nothing }}")
    with pytest.raises(UndefinedError):
        Renderer(templates=tmp_path).page("page.html", views.error(404, "not_found", EN), EN)


# Words

STORED = (*privacy.YOURS, *privacy.OTHERS)


@pytest.mark.parametrize(("template", "view"), list(pages(Marked())))
def test_every_word_of_a_page_can_be_translated(template: str, view: object) -> None:
    untouched = " ".join(read(RENDERER.page(template, view, Marked())).said)
    while (shorter := re.sub(r"«[^«»]*»", "", untouched)) != untouched:
        untouched = shorter
    # The name, the key caps, dates and hashes are no words of a language.
    own = r"Fairwind|Nov \d+, \d+|\b[0-9a-f]{64}\b|fairwind/1/SEAT/TURN/ROLL/BLOCK"
    own += r"|(?<= )(R|H|Enter)(?= )|\band\b"  # lists are Babel's
    own += r"|\b((Sun|Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?)(day)?|October|November|hours?|minutes?)\b"  # and so are these
    # So are people, languages in themselves, links, codes, and what the database calls its columns.
    own += "|Ada|abandon zoo|http://fairwind.test/device/x|" + "|".join(name for _, name in language_names())
    columns = {name for one in STORED for kept in one.kept for name in (one.table, *kept.columns.split(","))}
    own += "".join(rf"|\b{name}\b" for name in columns)
    assert re.findall(r"[^\W\d]+", re.sub(own, "", untouched)) == []


def test_the_page_says_its_language_and_direction() -> None:
    view = views.error(404, "not_found", EN)
    assert '<html lang="he" dir="rtl">' in RENDERER.page("error.html", view, Words("he"))
    assert '<html lang="en" dir="ltr">' in RENDERER.page("error.html", view, EN)


# Safety


def test_a_name_cannot_break_out_of_its_place() -> None:
    state = rolled(start(CLASSIC, 2), "12345")
    name = """<b onclick="x">'"&"""
    view = views.table(look_at(state, seats=(SeatInfo(), SeatInfo(name=name))), EN)
    html = RENDERER.page("table.html", view, EN)
    assert "<b" not in html.replace("<bdi", "").replace("<body", "").replace("<button", "")
    assert name in "".join(read(html).said)


@pytest.mark.parametrize(("template", "view"), list(pages(EN)))
def test_no_page_carries_inline_script_or_style_or_points_elsewhere(template: str, view: object) -> None:
    for tag in read(RENDERER.page(template, view, EN)).tags:
        assert tag.name != "style"
        assert tag.name != "script" or tag.attributes.get("src", "").startswith("/static/")
        assert not [name for name in tag.attributes if name == "style" or name.startswith(("on", "hx-on"))]
        for name in ("href", "src", "action", "hx-post"):
            assert tag.attributes.get(name, "/").startswith(("/", "#")), tag


@pytest.mark.parametrize(("template", "view"), list(pages(EN)))
def test_every_page_has_the_marks_that_a_reader_steers_by(template: str, view: object) -> None:
    tags = read(RENDERER.page(template, view, EN)).tags
    names = [tag.name for tag in tags]
    assert [names.count(name) for name in ("h1", "main", "header", "nav", "title")] == [1, 1, 1, 1, 1]
    ids = [tag.attributes["id"] for tag in tags if "id" in tag.attributes]
    assert len(ids) == len(set(ids))
    aims = {tag.attributes["for"] for tag in tags if "for" in tag.attributes}
    assert aims <= set(ids)


# The fragment


@pytest.mark.parametrize("view", list(tables(EN)))
def test_the_fragment_is_the_table_of_the_page_and_one_announcement(view: views.TableView) -> None:
    page = RENDERER.page("table.html", view, EN)
    fragment = RENDERER.page("table.html", view, EN, fragment="table")
    table, _, announcement = fragment.partition("</section>")
    assert table.strip() in page
    assert read(announcement).tags == [Tag("hx-partial", {"hx-target": "#said", "hx-swap": "innerHTML"})]
    assert "".join(read(announcement).said).strip() == view.announcement
    # The region that speaks stands outside of what is swapped, and a page that was opened is not read twice.
    assert [tag.attributes["id"] for tag in read(page).tags if tag.attributes.get("role") == "status"] == ["said"]
    assert 'role="status"' not in fragment


@pytest.mark.parametrize("view", list(tables(EN)))
def test_the_hand_is_led_to_something_that_exists(view: views.TableView) -> None:
    ids = {tag.attributes.get("id") for tag in read(RENDERER.page("table.html", view, EN)).tags}
    assert view.focus in ids or view.rolling is None


def test_without_script_every_move_is_a_form_with_the_version() -> None:
    view = views.table(after(rolled(start(CLASSIC), "33344"), Roll((0, 1)), Scripted("121")), EN)
    tags = read(RENDERER.page("table.html", view, EN)).tags
    forms = [tag.attributes for tag in tags if tag.name == "form" and "hx-post" in tag.attributes]
    assert {form["action"] for form in forms} == {"/games/game/score", "/games/game/roll"}
    for form in forms:
        assert form["method"] == "post"
        assert form["action"] == form["hx-post"]
        assert form["hx-target"] == "#table"
    versions = [tag for tag in tags if tag.attributes.get("name") == "version"]
    assert len(versions) == len(forms)
    dice = [tag.attributes for tag in tags if tag.attributes.get("name") == "keep"]
    assert [die["value"] for die in dice] == ["0", "1", "2", "3", "4"]
    assert ["checked" in die for die in dice] == [True, True, False, False, False]
    boxes = [tag.attributes["value"] for tag in tags if tag.attributes.get("name") == "box"]
    assert boxes == list(CLASSIC.index)


def test_a_confirmation_counts_for_the_armed_box_alone() -> None:
    view = views.table(look_at(rolled(start(CLASSIC), "12345")), EN, armed="sixes")
    tags = read(RENDERER.page("table.html", view, EN)).tags
    (confirm,) = [tag for tag in tags if tag.attributes.get("id") == "confirm"]
    assert confirm.attributes["action"] == "/games/game/score"
    assert [tag.attributes["value"] for tag in tags if tag.attributes.get("form") == "confirm"] == ["sixes"]


def test_locked_dice_are_sent_as_kept_without_being_choosable() -> None:
    rules = ruleset("classic", {"locked_dice": True})
    view = views.table(after(rolled(start(rules), "33344"), Roll((2,)), Scripted("1211")), EN)
    tags = read(RENDERER.page("table.html", view, EN)).tags
    kept = [
        tag.attributes for tag in tags if tag.attributes.get("name") == "keep" and tag.attributes["type"] == "hidden"
    ]
    assert [field["value"] for field in kept] == ["2"]
    (die,) = [tag.attributes for tag in tags if tag.attributes.get("id") == "die-3"]
    assert "disabled" in die
    assert "name" not in die


@pytest.mark.parametrize("rules", [ruleset(variant.id) for variant in VARIANTS], ids=lambda rules: rules.id)
def test_a_move_s_answer_is_small(rules: Ruleset) -> None:
    look = look_at(rolled(start(rules), "123456"[: rules.dice]))
    fragment = RENDERER.page("table.html", views.table(look, EN), EN, fragment="table")
    assert len(gzip.compress(fragment.encode())) <= 6_000


# Files


def test_a_file_is_named_by_its_content_and_sent_compressed(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.css").write_text("a { color: red }" * 50)
    first = Assets(tmp_path, "/base")
    address = first.address("sub/a.css")
    assert re.fullmatch(r"/base/static/sub/a\.[0-9a-f]{10}\.css", address)
    asset = first.find(address.removeprefix("/base/static/"))
    assert asset is not None
    assert asset.media_type == "text/css; charset=utf-8"
    assert asset.gzipped is not None
    assert gzip.decompress(asset.gzipped) == asset.body
    (tmp_path / "sub" / "a.css").write_text("a { color: blue }")
    assert Assets(tmp_path, "/base").address("sub/a.css") != address
    assert first.find("sub/a.css") is None


def test_pages_below_a_base_path_stay_below_it() -> None:
    html = Renderer("/dice/").page("error.html", views.error(404, "not_found", EN), EN)
    for tag in read(html).tags:
        for name in ("href", "src", "action"):
            assert tag.attributes.get(name, "#").startswith(("/dice/", "#")), tag


def test_the_first_game_page_weighs_little() -> None:
    html = RENDERER.page("table.html", views.table(look_at(start(CLASSIC)), EN), EN)
    asked = re.findall(r'(?:href|src)="/static/([^"]+)"', html)
    assets = [RENDERER.assets.find(name) for name in asked]
    weight = len(gzip.compress(html.encode()))
    for asset in assets:
        assert asset is not None
        weight += len(asset.gzipped or asset.body)
    assert len(asked) + 1 <= 8
    assert weight <= 60_000
    assert (STATIC / "app.js").stat().st_size < 10_000
