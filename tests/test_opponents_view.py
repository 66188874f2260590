"""Games against computers as the pages show them: their turns, their columns, who won, and whom one can play against."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from app.coach.players import levels_of, strength
from app.game.card import Card
from app.game.dice import Stream
from app.game.rules import Ruleset
from app.game.rulesets import VARIANTS, ruleset
from app.game.state import Roll, Score, start
from app.play import Event, Kind, Look, Record, SeatInfo
from app.web import picker, views
from app.web.announcement import LONGEST_ANNOUNCEMENT
from app.web.levels import waiting
from app.web.opponents import Ending, seat_names, who_begins
from app.web.table import TableView
from app.web.words import LANGUAGES, words
from tests.support.computers import Keeper, seat_computers
from tests.support.looks import look_at
from tests.support.reading import Reading
from tests.support.table import play
from tests.support.web import Visitor, World

EN = words("en")
CLASSIC = ruleset("classic")
HTMX = {"HX-Request": "true"}
YOU = SeatInfo()


def computers(*levels: str) -> tuple[SeatInfo, ...]:
    """Seat the looker, and a computer of each level."""
    return (YOU, *(SeatInfo(computer=level) for level in levels))


def text_of(html: str) -> str:
    """Give what a page says, without its markup."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@pytest.fixture
def keeper(world: World) -> Keeper:
    """Put a computer player that keeps dice into the computers' chairs."""
    player = Keeper()
    seat_computers(world.app, player)
    return player


@pytest.fixture
def visitor(world: World, keeper: Keeper) -> Visitor:
    """Somebody with a browser without script, who plays against it."""
    del keeper
    return world.visitor()


def against(visitor: Visitor, *levels: str, **fields: str) -> str:
    """Begin a game by the form; gives the table's address."""
    made = visitor.post("/games", data={"kind": "computer", "ruleset": "classic", "level": list(levels), **fields})
    assert made.status_code == 303, made.text
    return made.headers["location"]


def api(visitor: Visitor, table: str) -> dict[str, Any]:
    """Ask the API how the game stands."""
    found: dict[str, Any] = visitor.get(f"/api/v1{table}").json()
    return found


def log(visitor: Visitor, table: str) -> list[dict[str, Any]]:
    """Ask the API what has happened."""
    found: list[dict[str, Any]] = visitor.get(f"/api/v1{table}/log").json()["moves"]
    return found


def announced(answer: str) -> str:
    """Read the announcement of a fragment."""
    return text_of(answer.rpartition("<hx-partial")[2].partition(">")[2])


def score(visitor: Visitor, table: str, box: str = "chance") -> str:
    """Roll once and take a box, as the page with script does; gives the fragment."""
    version = api(visitor, table)["version"]
    visitor.post(f"{table}/roll", data={"version": str(version)}, headers=HTMX)
    fields = {"version": str(version + 1), "box": box, "confirm": "1"}
    return visitor.post(f"{table}/score", data=fields, headers=HTMX).text


def play_out(visitor: Visitor, table: str) -> dict[str, Any]:
    """Play to the end by the API."""
    return visitor.play_out(api(visitor, table))


# Columns


def test_every_seat_has_a_column_and_a_total_by_its_name() -> None:
    state = play(start(CLASSIC, 3), "33344 threes", "12345 large_straight", "66661 sixes")
    seats = (YOU, SeatInfo(computer="casual"), SeatInfo(name="Aino"))
    sheet = views.table(look_at(state, seats=seats), EN).sheet
    assert [(found.name, found.total, found.own) for found in sheet.sums] == [
        ("You", "9", True), ("Casual", "40", False), ("\u2068Aino\u2069", "24", False),
    ]  # fmt: skip
    rows = {row.key: [cell.points for cell in row.cells] for column in sheet.columns for row in column.first}
    assert rows["threes"] == ["9", "", ""]
    assert rows["sixes"] == ["", "", "24"]


def test_computers_of_one_level_are_told_apart_by_numbers() -> None:
    assert seat_names(computers("novice", "perfect", "novice"), 0, EN) == ("You", "Novice 1", "Perfect", "Novice 2")


def test_what_the_others_wrote_stays_marked_until_one_writes_again() -> None:
    state = play(start(CLASSIC, 2), "33344 threes", "12345 large_straight")
    theirs = (Event(1, 1, 1, Roll(), (1, 2, 3, 4, 5)), Event(1, 1, 1, Score("large_straight"), (1, 2, 3, 4, 5), 40))
    view = views.table(look_at(state, seats=computers("novice"), others=theirs), EN)
    fresh = [
        (row.key, seat)
        for column in view.sheet.columns
        for row in (*column.first, *column.rest)
        for seat, cell in enumerate(row.cells)
        if cell.fresh
    ]
    assert fresh == [("large_straight", 1)]


def with_extras(rules: Ruleset, *extras: int) -> TableView:
    """Show a game in which each seat has so many points for further fives of a kind."""
    state = start(rules, len(extras))
    seats = tuple(
        replace(seat, card=Card(rules, seat.card.points, extra))
        for seat, extra in zip(state.seats, extras, strict=True)
    )
    return views.table(look_at(replace(state, seats=seats), seats=computers(*["novice"] * (len(extras) - 1))), EN)


def test_the_others_extra_bonuses_are_shown_as_soon_as_there_are_any() -> None:
    assert [found.extra for found in with_extras(CLASSIC, 0, 0, 0).sheet.sums] == ["0", "", ""]
    assert [found.extra for found in with_extras(CLASSIC, 0, 100, 0).sheet.sums] == ["0", "100", "0"]
    assert [found.extra for found in with_extras(ruleset("yacht"), 0, 0).sheet.sums] == ["", ""]


def test_the_others_upper_bonuses_stand_in_their_columns() -> None:
    state = start(CLASSIC, 2)
    card = state.card
    for key in ("threes", "fours", "fives", "sixes"):
        card = card.put(CLASSIC.place(key), {"threes": 12, "fours": 16, "fives": 20, "sixes": 24}[key])
    state = replace(state, seats=(state.seats[0], replace(state.seats[1], card=card)))
    bonus = views.table(look_at(state, seats=computers("perfect")), EN).sheet.columns[0].bonus
    assert bonus is not None
    assert [cell.points for cell in bonus.cells] == ["", "+35"]
    assert not bonus.made


# Their turns


def test_a_computer_s_turn_is_shown_as_what_it_rolled_kept_and_scored(visitor: Visitor) -> None:
    table = against(visitor, "casual")
    page = text_of(score(visitor, table))
    roll, again, entry = [move for move in log(visitor, table) if move["seat"] == 1]
    kept = [roll["dice"][int(place)] for place in again["move"].removeprefix("r")]
    first, second = (", ".join(map(str, move["dice"])) for move in (roll, again))
    html = visitor.get(table).text
    labels = [unescape(label) for label in re.findall(r'class="rolled" role="img" aria-label="([^"]+)"', html)]
    assert labels == [f"{first}; kept {', '.join(map(str, kept))}", second]
    points = f"{entry['points']} point{'' if entry['points'] == 1 else 's'}"
    assert f"Casual {EN.box(entry['box'], 'classic')}: {points}" in page
    assert html.count('class="die marked"') == len(kept)


def test_their_turn_can_be_read_until_one_scores_again_and_never_blocks_the_next_roll(visitor: Visitor) -> None:
    table = against(visitor, "casual")
    score(visitor, table)
    (entry,) = [move for move in log(visitor, table) if move["seat"] == 1 and move["box"]]
    deed = f"Casual {EN.box(entry['box'], 'classic')}: "
    version = entry["version"]
    before = visitor.get(table).text
    assert re.search(r'<button type="submit" id="roll"', before)
    rolled_once = visitor.post(f"{table}/roll", data={"version": str(version)}, headers=HTMX)
    assert rolled_once.status_code == 200
    for page in (before, rolled_once.text, visitor.get(table).text):
        assert deed in text_of(page)
    game = api(visitor, table)
    assert (game["version"], game["roll"], game["turn"]) == (version + 1, 1, 2)


def test_the_turns_of_all_others_are_shown_in_order(visitor: Visitor) -> None:
    table = against(visitor, "novice", "novice", "perfect")
    page = text_of(score(visitor, table))
    entries = [move for move in log(visitor, table) if move["seat"] and move["box"]]
    wanted = [
        f"{name} {EN.box(entry['box'], 'classic')}:"
        for name, entry in zip(("Novice 1", "Novice 2", "Perfect"), entries, strict=True)
    ]
    places = [page.index(deed) for deed in wanted]
    assert places == sorted(places)


def test_those_who_watch_a_finished_game_are_not_told_all_of_it_as_one_turn(visitor: Visitor, world: World) -> None:
    table = against(visitor, "novice")
    play_out(visitor, table)
    watched = world.visitor().get(table)
    assert watched.status_code == 200
    assert 'class="deeds' not in watched.text
    assert "Player 1" in text_of(watched.text)


def test_a_further_five_of_a_kind_that_costs_the_others_an_entry_says_so() -> None:
    rules = ruleset("kismet", {"kismet_penalty": True})
    state = start(rules, 2)
    card = state.seats[1].card.put(rules.place("five_of_a_kind"), 55).put(rules.place("chance"), 30)
    state = replace(state, seats=(state.seats[0], replace(state.seats[1], card=card)))
    theirs = (Event(1, 2, 1, Roll(), (6,) * 5), Event(1, 2, 1, Score("chance"), (6,) * 5, 30))
    view = views.table(look_at(state, seats=computers("casual"), others=theirs), EN)
    assert view.theirs[0].deed == "Chance: 30 points; it costs the others an entry"
    plain = views.table(
        look_at(
            replace(state, ruleset=ruleset("kismet", {"kismet_penalty": False})),
            seats=computers("casual"),
            others=theirs,
        ),
        EN,
    )
    assert plain.theirs[0].deed == "Chance: 30 points"


# Announcements


def test_the_computer_s_box_and_points_are_announced_with_one_s_own(visitor: Visitor) -> None:
    table = against(visitor, "casual")
    said = announced(score(visitor, table))
    game = api(visitor, table)
    own, theirs = [move for move in log(visitor, table) if move["box"]]
    box = EN.box(theirs["box"], "classic")
    assert said.startswith(f"Chance: {own['points']} points. Casual: {box}, {theirs['points']} point")
    assert said.endswith(f"You: {game['seats'][0]['total']}, Casual: {game['seats'][1]['total']}.")
    assert len(said) <= LONGEST_ANNOUNCEMENT


def scored_against(rules: Ruleset, box: str, levels: tuple[str, ...]) -> Look:
    """Look at a table at which the looker and then each computer has just taken this box."""
    state = start(rules, 1 + len(levels))
    dice = tuple(range(1, rules.dice + 1))
    seats = tuple(replace(seat, card=seat.card.put(rules.place(box), 30)) for seat in state.seats)
    events = tuple(Event(seat, 1, 1, Score(box), dice, 30, 100) for seat in range(len(seats)))
    return look_at(
        replace(state, seats=seats), *events, seats=computers(*levels), others=events[1:], kind=Kind.COMPUTER
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("levels", [("perfect",), ("skilled", "casual"), ("perfect", "perfect", "perfect")])
def test_no_announcement_of_a_turn_is_too_long_in_any_language(language: str, levels: tuple[str, ...]) -> None:
    shown_in = words(language)
    for variant in VARIANTS:
        rules = ruleset(variant.id)
        for box in rules.index:
            look = scored_against(rules, box, levels)
            said = views.table(look, shown_in).announcement
            assert len(said) <= LONGEST_ANNOUNCEMENT, said
            assert shown_in.box(box, rules.id) in said
            if len(levels) == 1:
                assert said.count(shown_in.box(box, rules.id)) >= 2, "the opponent's box is told too"
            else:
                assert all(name in said for name in seat_names(look.seats, 0, shown_in))


def test_several_computers_are_told_by_their_totals_where_their_boxes_would_be_too_long() -> None:
    look = scored_against(CLASSIC, "three_of_a_kind", ("novice", "novice", "perfect"))
    assert views.table(look, EN).announcement == (
        "Three of a kind: 30 points, and 100 extra. You: 30, Novice 1: 30, Novice 2: 30, Perfect: 30."
    )


# The end


def over(rules: Ruleset, totals: tuple[int, ...], **more: Any) -> Look:
    """Look at the end of a game in which each seat has so many points in chance and none elsewhere."""
    state = start(rules, len(totals), shared_dice=more.pop("same_dice", False))
    chance = rules.place("chance") if "chance" in rules.index else 0
    cards = [
        Card(rules, tuple(total if place == chance else 0 for place in range(len(rules.boxes)))) for total in totals
    ]
    seats = tuple(replace(seat, card=card) for seat, card in zip(state.seats, cards, strict=True))
    state = replace(state, seats=seats, winner=more.pop("winner", None))
    levels = more.pop("levels", ("perfect", "skilled", "casual")[: len(totals) - 1])
    return look_at(state, seats=computers(*levels), kind=Kind.COMPUTER, **more)


@pytest.mark.parametrize(
    ("totals", "more", "text"),
    [
        ((247, 231), {}, "Fairwind Classic against perfect: 247 to 231, won"),
        ((231, 247), {}, "Fairwind Classic against perfect: 231 to 247, lost"),
        ((231, 231), {}, "Fairwind Classic against perfect: 231 to 231, draw"),
        ((247, 231), {"same_dice": True}, "Fairwind Classic against perfect: 247 to 231, won, same dice"),
        ((240, 231, 239), {}, "Fairwind Classic against perfect and skilled: 240 to 231 and 239, won"),
        ((240, 240, 239), {}, "Fairwind Classic against perfect and skilled: 240 to 240 and 239, draw"),
        ((239, 240, 240), {}, "Fairwind Classic against perfect and skilled: 239 to 240 and 240, lost"),
    ],
)
def test_the_result_says_against_whom_the_totals_and_who_won(
    totals: tuple[int, ...], more: dict[str, Any], text: str
) -> None:
    result = views.table(over(CLASSIC, totals, **more), EN).result
    assert result is not None
    assert result.text == text
    assert result.glad == ("won" in text)
    assert any("same dice" in line for line in result.lines) == bool(more)


def test_a_win_at_once_is_a_win_whatever_the_totals() -> None:
    generala = ruleset("generala")
    won = views.table(over(generala, (5, 60), winner=0), EN).result
    lost = views.table(over(generala, (60, 5), winner=1), EN).result
    assert won is not None
    assert lost is not None
    assert won.headline == "5 to 60, won"
    assert lost.headline == "60 to 5, lost"
    assert won.lines == lost.lines == ("Five of a kind on the first roll wins at once.",)


def test_equal_totals_that_the_upper_boxes_decide_are_explained() -> None:
    rules = ruleset("yatzy", {"tie_break": "upper_count"})
    state = start(rules, 2)
    # Ten points each: in two upper boxes, and in one lower box.
    above = Card(rules, tuple(5 if box.key in {"ones", "fives"} else 0 for box in rules.boxes))
    below = Card(rules, tuple(10 if box.key == "chance" else 0 for box in rules.boxes))
    state = replace(
        state, seats=tuple(replace(seat, card=card) for seat, card in zip(state.seats, (above, below), strict=True))
    )
    result = views.table(look_at(state, seats=computers("novice"), kind=Kind.COMPUTER), EN).result
    assert result is not None
    assert result.headline == "10 to 10, won"
    rule = "Equal totals: more scored upper boxes win"
    assert result.lines == ("The totals are equal: more upper boxes with points decide.", rule)
    assert f"({rule})" in result.text


def test_a_best_against_computers_is_told_but_the_result_stays_who_won() -> None:
    look = over(CLASSIC, (200, 231))
    result = views.table(look, EN, record=Record(180, new_best=True, mean=190.0, count=2)).result
    assert result is not None
    assert (result.headline, result.lines) == ("200 to 231, lost", ("Your best against computers",))


def test_the_last_score_is_announced_with_the_result() -> None:
    look = over(CLASSIC, (200, 231))
    last = (Event(0, 13, 3, Score("chance"), (6, 6, 6, 6, 5), 29), Event(1, 13, 1, Score("ones"), (1, 2, 3, 4, 5), 1))
    said = views.table(replace(look, last=last, others=last[1:]), EN).announcement
    assert said == "Chance: 29 points. Perfect: Ones, 1 point. 200 to 231, lost."


def test_another_game_like_it_has_the_same_opponents_dice_and_start(visitor: Visitor) -> None:
    table = against(visitor, "novice", "perfect", same_dice="1")
    play_out(visitor, table)
    form = visitor.get(table).text.partition('class="next"')[2].partition("</form>")[0]
    fields = [
        (name, unescape(value))
        for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
    ]
    made = visitor.post(
        "/games", data={name: [value for other, value in fields if other == name] for name, _ in fields}
    )
    assert made.status_code == 303
    game = api(visitor, made.headers["location"])
    assert [seat["computer"] for seat in game["seats"]] == [None, "novice", "perfect"]
    page = visitor.get(made.headers["location"]).text
    assert ">same dice<" in page


# Who begins


def test_it_is_said_who_threw_what_and_who_begins() -> None:
    look = look_at(start(CLASSIC, 2), seats=computers("perfect"), throws=(((0, 5), (1, 3)),), version=0)
    assert views.table(look, EN).status == "One die each: You: 5, Perfect: 3. You begin."
    again = replace(look, throws=(((0, 4), (1, 4)), ((0, 2), (1, 6))))
    assert who_begins(again, EN) == "One die each: You: 4, Perfect: 4; again: You: 2, Perfect: 6. Perfect begins."
    assert who_begins(replace(look, throws=()), EN) == ""
    many = replace(again, throws=again.throws[:1] * 3 + again.throws[1:])
    assert views.table(many, EN).status == "One die each: You: 2, Perfect: 6. Perfect begins."
    assert who_begins(many, EN).count("again") == 3


def test_the_dice_that_decided_who_begins_are_those_of_turn_0_and_stay_in_the_log(
    visitor: Visitor, world: World
) -> None:
    for _ in range(8):
        table = against(visitor, "novice", start="single_die")
        stream = Stream(world.keys[-1])
        first = [stream.faces(1, seat, 0, 1, 1)[0] for seat in (0, 1)]
        for page in (visitor.get(table), visitor.get(f"{table}/log")):
            assert f"One die each: You: {first[0]}, Novice: {first[1]}" in text_of(page.text)
    plain = against(visitor, "novice")
    assert "One die each" not in text_of(visitor.get(f"{plain}/log").text)


def test_who_begins_is_told_while_one_s_card_is_empty_only() -> None:
    state = play(start(CLASSIC, 2), "33344 threes", "12345 chance")
    look = look_at(state, seats=computers("perfect"), throws=(((0, 5), (1, 3)),))
    assert views.table(look, EN).status == "Your turn: roll the dice."


# Choosing opponents


def test_every_ruleset_can_be_played_against_up_to_three_computers_of_each_level(world: World) -> None:
    page = world.visitor().get("/new").text
    for variant in VARIANTS:
        rules = ruleset(variant.id)
        entry = page.partition(f'id="{variant.id}">')[2].partition("</li>")[0]
        selects = re.findall(r'<select id="[\w-]+-level-\d" name="level".*?</select>', entry, re.DOTALL)
        assert len(selects) == 3
        for number, select in enumerate(selects):
            values = re.findall(r'value="(\w*)"', select)
            assert values == [*([""] if number else []), *levels_of(rules)]
            for level, (mean, error) in strength(rules.id).items():
                shown = re.search(rf"{EN.level(level)} \(([\d.]+) ± ([\d.]+)\)", text_of(select))
                assert shown is not None or level not in levels_of(rules)
                if shown is not None:
                    assert [float(number) for number in shown.groups()] == pytest.approx([mean, error], abs=0.0501)


def test_the_first_page_offers_each_level_with_its_mean_and_standard_error(world: World) -> None:
    page = world.visitor().get("/").text
    offered = re.findall(r'<button type="submit" name="level" value="(\w+)">(.*?)</button>', page, re.DOTALL)
    assert [level for level, _ in offered] == ["novice", "casual", "skilled", "perfect"]
    for level, label in offered:
        mean, error = strength("classic")[level]
        name, shown, plus_or_minus, spread = text_of(label).split()
        assert (name, plus_or_minus) == (EN.level(level), "±")
        assert [float(shown), float(spread)] == pytest.approx([mean, error], abs=0.0501)


def test_a_form_without_script_may_send_what_belongs_to_the_other_kind_of_game(visitor: Visitor) -> None:
    common = {
        "ruleset": "classic",
        "level": ["casual", "", ""],
        "same_dice": "1",
        "start": "single_die",
        "corrections": "1",
    }
    alone = api(visitor, visitor.post("/games", data={"kind": "solo", **common}).headers["location"])
    assert (alone["kind"], len(alone["seats"])) == ("solo", 1)
    contest = api(visitor, visitor.post("/games", data={"kind": "computer", **common}).headers["location"])
    assert [seat["computer"] for seat in contest["seats"]] == [None, "casual"]
    # With the same dice the person goes first.
    assert contest["version"] == 0


def test_a_game_against_nobody_or_an_unknown_computer_is_refused(visitor: Visitor) -> None:
    for levels in ([], [""], ["champion"]):
        made = visitor.post("/games", data={"kind": "computer", "ruleset": "classic", "level": levels})
        assert made.status_code == 400


def test_while_a_table_is_made_the_page_says_how_long_and_offers_to_try_again(visitor: Visitor, keeper: Keeper) -> None:
    keeper.wait = 9
    sent = {
        "kind": "computer",
        "ruleset": "yatzy",
        "level": ["novice", "skilled"],
        "same_dice": "1",
        "tie_break": "upper_count",
    }
    refused = visitor.post("/games", data=sent)
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "9")
    assert "The computer is working this game out, about 9 seconds more." in text_of(refused.text)
    pairs = re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', refused.text)
    assert [value for name, value in pairs if name == "level"] == ["novice", "skilled"]
    assert dict(pairs) == {**sent, "level": "skilled"}
    keeper.wait = 0
    again = visitor.post("/games", data={name: [value for other, value in pairs if other == name] for name, _ in pairs})
    assert again.status_code == 303


def test_the_picker_and_the_first_page_say_that_the_computer_is_still_at_work(visitor: Visitor, keeper: Keeper) -> None:
    said = "The computer is working this game out, about 9 seconds more."
    keeper.wait = 9
    assert said in text_of(visitor.get("/").text)
    assert text_of(visitor.get("/new").text).count(said) == len(VARIANTS)
    keeper.wait = 0
    assert said not in text_of(visitor.get("/").text + visitor.get("/new").text)


def test_a_long_wait_is_told_in_minutes() -> None:
    assert waiting(119, EN).endswith("about 119 seconds more.")
    assert waiting(2400, EN).endswith("about 40 minutes more.")
    assert waiting(1, EN).endswith("about 1 second more.")
    assert waiting(0, EN) == waiting(None, EN) == ""


def test_the_picker_begins_no_tables(world: World) -> None:
    world.visitor().get("/new")
    world.visitor().get("/")
    assert list(world.settings.tables.glob("*")) == []


def test_a_form_of_the_picker_makes_the_game_that_it_shows(visitor: Visitor) -> None:
    shown = picker.new_game("yatzy", EN, options={"tie_break": "upper_count"})
    html = visitor.get("/new?ruleset=yatzy&tie_break=upper_count").text
    (form,) = [form for form in Reading(html).forms if form.get("ruleset") == ["yatzy"]]
    fields = {name: values[0] for name, values in form.items() if values[0]} | {"kind": "computer"}
    made = visitor.post("/games", data=fields)
    assert made.status_code == 303, made.text
    game = api(visitor, made.headers["location"])
    assert (game["options"]["tie_break"], [seat["computer"] for seat in game["seats"]]) == (
        "upper_count",
        [None, "casual"],
    )
    assert [entry.id for family in shown.families for entry in family.entries if entry.open] == ["yatzy"]


def test_play_like_last_time_asks_for_the_same_opponents(visitor: Visitor) -> None:
    against(visitor, "novice", "perfect", start="single_die", ruleset="yatzy")
    html = visitor.get("/new").text
    assert "Yatzy, Finnish · against novice and perfect" in text_of(html)
    pairs = re.findall(
        r'<input type="hidden" name="(\w+)" value="(\w+)">', html.partition('class="again"')[2].partition("</form>")[0]
    )
    made = visitor.post("/games", data={name: [value for other, value in pairs if other == name] for name, _ in pairs})
    table = made.headers["location"]
    assert [seat["computer"] for seat in api(visitor, table)["seats"]] == [None, "novice", "perfect"]
    assert "One die each" in text_of(visitor.get(f"{table}/log").text)


# Lists


def rows_of(html: str, heading: str) -> list[str]:
    """Read the rows of the table below a heading."""
    part = html.partition(f"<h2>{heading}</h2>")[2].partition("</table>")[0]
    return [text_of(row) for row in re.findall(r"<tr><th scope=\"row\">.*?</tr>", part, re.DOTALL)]


def test_my_games_list_games_against_computers_apart_with_opponents_and_result(visitor: Visitor) -> None:
    ended = play_out(visitor, against(visitor, "casual", "perfect", same_dice="1"))
    visitor.play_out(api(visitor, visitor.open_table()))
    against(visitor, "novice")
    html = visitor.get("/games").text
    assert "against novice · Turn 1 of 13" in text_of(html)
    (contest,) = rows_of(html, "Against computers")
    totals = [seat["total"] for seat in ended["seats"]]
    winners = ended["outcome"]["winners"]
    how = "lost" if 0 not in winners else "draw" if ended["outcome"]["draw"] else "won"
    assert contest.startswith("Classic against casual and perfect ")
    assert contest.endswith(f" {totals[0]} to {totals[1]} and {totals[2]}, {how}, same dice")
    (alone,) = rows_of(html, "Finished")
    assert "against" not in alone


def key_with_a_served_five() -> bytes:
    """Find a key whose first roll is five of a kind."""
    return next(
        key
        for number in range(10**5)
        for key in [number.to_bytes(32, "big")]
        if len(set(Stream(key).faces(5, 0, 1, 1, 0))) == 1
    )


def test_a_win_at_once_is_listed_as_won(visitor: Visitor, world: World) -> None:
    world.keys_to_come.append(key_with_a_served_five())
    table = against(visitor, "novice", ruleset="generala")
    won = visitor.post(f"{table}/roll", data={"version": "0"}, headers=HTMX)
    assert "0 to 0, won" in announced(won.text)
    (contest,) = rows_of(visitor.get("/games").text, "Against computers")
    assert contest.endswith("0 to 0, won")


def test_statistics_count_games_against_computers_apart(visitor: Visitor) -> None:
    contest = play_out(visitor, against(visitor, "casual"))["seats"][0]["total"]
    alone = visitor.play_out(api(visitor, visitor.open_table()))["seats"][0]["total"]
    html = visitor.get("/stats").text
    for heading, total in (("Your games", alone), ("Against computers", contest)):
        part = text_of(html.partition(f"<h2>{heading}</h2>")[2].partition("</table>")[0])
        assert part.endswith(f"Classic {total} {total}.0 – 1 0")


def test_the_log_says_whose_each_entry_is(visitor: Visitor) -> None:
    table = against(visitor, "casual")
    score(visitor, table)
    rows = re.findall(r"<tr><th scope=\"row\".*?</tr>", visitor.get(f"{table}/log").text, re.DOTALL)
    whose = ["You" if "<td>You</td>" in row else "Casual" if "<td>Casual</td>" in row else "?" for row in rows]
    assert whose == ["You"] * 2 + ["Casual"] * 3


def test_an_ending_is_won_lost_or_drawn_in_every_language() -> None:
    for language in LANGUAGES:
        told = {words(language).gettext(how.value) for how in Ending}
        assert len(told) == len(Ending)


def test_the_first_page_says_against_whom_the_open_game_is(visitor: Visitor) -> None:
    against(visitor, "novice", "skilled")
    assert "against novice and skilled · Turn 1 of 13 · 0 points" in text_of(visitor.get("/").text)


def test_a_die_on_the_table_is_one_s_own(visitor: Visitor) -> None:
    table = against(visitor, "casual")
    score(visitor, table)
    view = api(visitor, table)
    assert view["dice"] is None
    assert 'class="die blank"' not in visitor.get(table).text, "their turn stands where the dice will lie"
