"""What the pages show, before it is HTML: the words of the table, its card, its dice, and the lists."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from app.game.card import Card
from app.game.errors import IllegalMove, Reason
from app.game.rules import Ruleset
from app.game.rulesets import VARIANTS, ruleset
from app.game.state import Roll, Score, State, Undo, apply, legal, start
from app.play import Event, Look, Record, SeatInfo, StaleGame
from app.store import Figures, Status, Totals
from app.web import standings, views
from app.web.announcement import LONGEST_ANNOUNCEMENT
from app.web.sheet import Bonus, Mark, Row
from app.web.table import TableView
from app.web.words import BOXES, OPTION_VALUES, OPTIONS, REASONS, RULESETS, Words, words
from tests.support.looks import NOON, after, labels, look_at
from tests.support.table import Loaded, Scripted, every_value, play, random_move, rolled

EN = words("en")
CLASSIC = ruleset("classic")
ALL = [ruleset(variant.id) for variant in VARIANTS]


def shown(look: Look, **more: object) -> TableView:
    """Show a game in English."""
    return views.table(look, EN, **more)  # type: ignore[arg-type]


def carded(rules: Ruleset, **written: int) -> State:
    """Make a state whose card holds these points."""
    state = start(rules)
    card = state.card
    for key, points in written.items():
        card = card.put(rules.place(key), points)
    return replace(state, seats=(replace(state.seat, card=card),))


def rows_of(view: TableView) -> dict[str, Row]:
    """Give the rows of the card by their keys."""
    return {row.key: row for column in view.sheet.columns for row in (*column.first, *column.rest)}


def bonus_of(rules: Ruleset, **written: int) -> Bonus:
    """Give the bonus row of a card."""
    bonus = shown(look_at(carded(rules, **written))).sheet.columns[0].bonus
    assert bonus is not None
    return bonus


# The status line and the announcement


def test_a_roll_is_announced_with_its_number_and_its_dice() -> None:
    state = rolled(start(CLASSIC), "33466")
    view = shown(after(state, Roll((0, 1)), Scripted("466")))
    assert view.announcement == "Roll 2 of 3: 3, 3, 4, 6, 6"
    assert view.count == "Roll 2 of 3"


def test_the_status_line_says_in_words_why_the_joker_closes_boxes() -> None:
    state = carded(CLASSIC, five_of_a_kind=50)
    open_above = shown(look_at(rolled(state, "66666")))
    assert open_above.status == "Five sixes again: the Sixes box is open, so it must be used"
    state = carded(CLASSIC, five_of_a_kind=50, sixes=18)
    filled_above = shown(look_at(rolled(state, "66666")))
    assert filled_above.status == "Five sixes again: the Sixes box is filled, so a lower box must be used"


def test_boxes_closed_by_a_rule_cannot_be_chosen_and_show_what_the_dice_would_have_brought() -> None:
    rows = rows_of(shown(look_at(rolled(carded(CLASSIC, five_of_a_kind=50), "66666"))))
    assert [key for key, row in rows.items() if row.cells[0].mark is Mark.OFFER] == ["sixes"]
    assert (rows["chance"].cells[0].mark, rows["chance"].cells[0].points) == (Mark.CLOSED, "30")
    assert rows["five_of_a_kind"].cells[0].mark is Mark.WRITTEN


def test_a_refused_box_is_answered_with_the_reason_that_names_the_dice() -> None:
    look = look_at(rolled(carded(CLASSIC, five_of_a_kind=0), "22222"))
    view = shown(look, refusal=IllegalMove(Reason.JOKER_UPPER))
    assert view.warns
    assert view.status == view.announcement == "Five twos again: the Twos box is open, so it must be used"


def test_the_forced_order_names_the_box_whose_turn_it_is() -> None:
    view = shown(look_at(rolled(start(ruleset("classic", {"forced_order": True})), "12345")))
    assert view.status == "From top to bottom: the next box is Ones"


@pytest.mark.parametrize("reason", Reason)
def test_every_refusal_is_a_sentence(reason: Reason) -> None:
    view = shown(look_at(rolled(start(CLASSIC), "12345")), refusal=IllegalMove(reason))
    assert view.status == REASONS[reason]
    assert view.status.endswith(".")


def test_an_old_page_is_told_that_the_game_has_moved_on() -> None:
    look = look_at(rolled(start(CLASSIC), "12345"))
    view = shown(look, refusal=StaleGame(look))
    assert "moved on" in view.status
    assert view.announcement == view.status


def test_a_needless_zero_asks_for_a_second_tap_on_that_box() -> None:
    view = shown(look_at(rolled(start(CLASSIC), "11123")), armed="sixes")
    assert view.status == "Tap again to write 0 in Sixes"
    assert view.focus == "box-sixes"
    assert [row.key for row in rows_of(view).values() if row.armed] == ["sixes"]
    assert rows_of(view)["sixes"].cells[0].said == "Sixes: tap again to write 0"


def test_a_score_is_announced_with_points_and_total() -> None:
    view = shown(after(rolled(carded(CLASSIC, chance=20), "11123"), Score("ones"), Scripted()))
    assert view.announcement == "Ones: 3 points. Total 23."
    assert view.focus == "roll"
    single = shown(after(rolled(start(CLASSIC), "12345"), Score("ones"), Scripted()))
    assert single.announcement == "Ones: 1 point. Total 1."


def test_a_further_five_of_a_kind_says_what_it_brings_before_and_after() -> None:
    state = rolled(carded(CLASSIC, five_of_a_kind=50, sixes=18, chance=20), "66666")
    assert shown(look_at(state)).sheet.sums[0].coming == "+100"
    view = shown(after(state, Score("large_straight"), Scripted()))
    assert view.announcement == "Large straight: 40 points, and 100 extra. Total 228."
    assert view.sheet.sums[0].extra == "100"


def test_announcements_are_short_and_never_twice_the_same_in_a_row() -> None:
    chance = random.Random(6)
    for rules in every_value():
        state = start(rules)
        heard = []
        while not state.over:
            look = after(state, random_move(state, chance), Loaded(chance))
            state = look.state
            heard.append(shown(look).announcement)
        assert all(0 < len(text) <= LONGEST_ANNOUNCEMENT for text in heard), max(heard, key=len)
        assert all(one != other for one, other in pairwise(heard)), rules.id


def test_taking_back_offers_the_same_dice_again() -> None:
    state = apply(rolled(start(CLASSIC, corrections=True), "11123"), Score("ones"), Scripted())
    assert shown(look_at(state)).undo
    view = shown(after(state, Undo(), Scripted()))
    assert view.announcement == "Taken back. Choose another box for 1, 1, 1, 2, 3."
    assert view.rolling is not None
    assert not view.rolling.works
    assert not any(die.choosable for die in view.dice)
    assert view.focus.startswith("box-")
    assert not view.undo


# Dice and rolling


def test_dice_are_named_and_keep_their_positions() -> None:
    state = apply(rolled(start(CLASSIC), "33456"), Roll((1, 3)), Scripted("222"))
    dice = shown(look_at(state)).dice
    assert [die.face for die in dice] == [2, 3, 2, 5, 2]
    assert [die.kept for die in dice] == [False, True, False, True, False]
    assert dice[3].name == "die 4: five"
    assert all(die.choosable for die in dice)


def test_after_the_last_roll_no_die_can_be_kept_and_nothing_is_rolled() -> None:
    state = apply(apply(rolled(start(CLASSIC), "12345"), Roll(), Scripted("12345")), Roll(), Scripted("12345"))
    view = shown(look_at(state))
    assert not any(die.choosable or die.kept for die in view.dice)
    assert view.rolling is not None
    assert (view.rolling.labels, view.rolling.works) == (("Choose a box",), False)


def test_the_button_says_how_many_dice_it_rolls() -> None:
    first = shown(look_at(start(CLASSIC))).rolling
    assert first is not None
    assert (first.labels, first.leads_to) == (("Roll all",), "roll 1 of 3")
    later = shown(look_at(rolled(start(CLASSIC), "12345"))).rolling
    assert later is not None
    assert later.labels[0] == "Roll 5 dice"
    assert later.labels[2] == "Roll 3 dice"
    assert later.labels[4] == "Roll 1 die"
    assert "All kept" in later.labels[5]
    assert later.leads_to == "roll 2 of 3"


def test_only_dice_that_were_rolled_just_now_tumble() -> None:
    state = rolled(start(CLASSIC), "12345")
    assert [die.fresh for die in shown(after(state, Roll((0, 4)), Scripted("666"))).dice] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert not any(die.fresh for die in shown(look_at(state)).dice)


def test_locked_dice_stay_locked_and_saved_rolls_are_told() -> None:
    rules = ruleset("maxi_yatzy", {"locked_dice": True, "saved_rolls": True})
    state = apply(rolled(play(start(rules), "123456 chance"), "555123"), Roll((0, 1)), Scripted("1111"))
    view = shown(look_at(state))
    assert [die.locked for die in view.dice] == [True, True, False, False, False, False]
    assert view.count == "Roll 2 of 3 · 2 saved"


def test_coloured_and_wild_faces_are_drawn_as_such() -> None:
    tones = [die.tone for die in shown(look_at(rolled(start(ruleset("kismet")), "12346"))).dice]
    assert tones == ["black", "red", "green", "green", "black"]
    wild = [die.tone for die in shown(look_at(rolled(start(ruleset("red_hot")), "12311"))).dice]
    assert wild == ["wild", "", "", "wild", "wild"]


# The card


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.id)
def test_every_box_stands_on_the_card_once_with_its_name(rules: Ruleset) -> None:
    view = shown(look_at(start(rules)))
    keys = [row.key for column in view.sheet.columns for row in (*column.first, *column.rest)]
    assert sorted(keys) == sorted(rules.index)
    assert {row.label for row in rows_of(view).values()} == labels(rules, EN)
    assert len(labels(rules, EN)) == len(rules.boxes)
    # Fifteen boxes in nine rows of 40 px leave room for the dice on a screen of 640 px; twenty need eleven.
    assert view.sheet.rows <= (9 if len(rules.boxes) <= 15 else 11)


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.id)
def test_every_open_box_shows_what_scoring_would_write(rules: Ruleset) -> None:
    state = rolled(start(rules), "33344"[: rules.dice].ljust(rules.dice, "4"))
    rows = rows_of(shown(look_at(state)))
    for key in legal(state).boxes:
        written = apply(state, Score(key), Scripted()).seats[0].card.points[rules.place(key)]
        assert rows[key].cells[0].points == str(written)


def test_before_the_first_roll_nothing_is_offered() -> None:
    view = shown(look_at(start(CLASSIC)))
    assert {row.cells[0].mark for row in rows_of(view).values()} == {Mark.OPEN}
    assert not view.sheet.offers


def test_the_upper_row_tells_the_way_to_the_bonus() -> None:
    assert bonus_of(CLASSIC).progress == "0 / 63, 63 to go"
    # 6 + 12 + 15 + 8 = 41; fours and sixes are open, so 20 + 30 can still come.
    on_the_way = bonus_of(CLASSIC, twos=6, threes=12, fives=15, ones=8)
    assert on_the_way.progress == "41 / 63, 22 to go"
    assert (on_the_way.cells[0].points, on_the_way.percent) == ("", 65)


def test_the_upper_row_says_when_the_bonus_is_out_of_reach() -> None:
    # 30 can still come above, so 33 is just enough and 32 is not.
    enough = {"ones": 1, "twos": 4, "threes": 3, "fours": 10, "fives": 15}
    assert not bonus_of(CLASSIC, **enough).lost
    lost = bonus_of(CLASSIC, **enough | {"ones": 0})
    assert lost.lost
    assert lost.progress == "32 / 63, out of reach"


def test_the_bonus_is_shown_when_it_is_made() -> None:
    made = bonus_of(CLASSIC, ones=3, twos=6, threes=9, fours=12, fives=15, sixes=18)
    assert (made.progress, made.cells[0].points, made.percent, made.made) == ("63 / 63, made", "+35", 100, True)
    steps = ruleset("kismet")
    first = bonus_of(steps, threes=9, fours=12, fives=20, sixes=24)
    assert (first.progress, first.cells[0].points) == ("65 / 71, 6 to go", "+35")
    assert bonus_of(ruleset("maxi_yatzy"), sixes=36, fives=30, fours=20).cells[0].points == "+100"


def test_a_game_without_bonus_shows_none() -> None:
    assert shown(look_at(start(ruleset("yacht")))).sheet.columns[0].bonus is None
    assert shown(look_at(start(ruleset("yacht")))).sheet.sums[0].extra == ""


def test_the_rules_played_are_told_on_the_card() -> None:
    assert shown(look_at(start(CLASSIC))).house_rules == ()
    house = shown(look_at(start(ruleset("classic", {"joker": "none", "extra_five": 0}))))
    assert house.house_rules == ("Joker: none", "Bonus for a further five of a kind: none")
    assert house.rules_address == "/rules/classic?joker=none&extra_five=0"


def test_another_seat_s_values_are_seen_but_not_offered() -> None:
    state = rolled(start(CLASSIC, 2), "33344")
    view = shown(look_at(state, seats=(SeatInfo(), SeatInfo(computer="perfect"))))
    assert [total.name for total in view.sheet.sums] == ["You", "Perfect"]
    row = rows_of(view)["threes"]
    assert [(cell.mark, cell.own) for cell in row.cells] == [(Mark.OFFER, True), (Mark.OPEN, False)]


# The end


def finished(rules: Ruleset, **more: object) -> Look:
    """Look at a game whose card is full: as many points as the boxes have letters, whatever they could hold."""
    state = start(rules)
    card = Card(rules, (10,) * len(rules.boxes))
    over = replace(state, seats=(replace(state.seat, card=card),))
    return replace(look_at(over), **more)  # type: ignore[arg-type]


def test_the_result_is_a_text_to_send() -> None:
    yatzy = shown(finished(ruleset("yatzy")), record=Record(None, new_best=True, mean=150.0, count=1)).result
    assert yatzy is not None
    # 15 boxes of 10: the upper 60 bring no bonus.
    assert yatzy.text == "Fairwind Yatzy, Finnish: 150 points, new best"
    other = shown(finished(CLASSIC), record=Record(260, new_best=False, mean=201.5, count=12)).result
    assert other is not None
    assert other.text == "Fairwind Classic: 130 points"
    assert other.lines == ("Best 260", "12 games, mean 201.5")


def test_a_game_with_a_correction_says_that_it_counts_apart() -> None:
    look = finished(CLASSIC)
    look = replace(look, state=replace(look.state, assisted=True))
    result = shown(look, record=Record(260, new_best=False, mean=201.5, count=12)).result
    assert result is not None
    assert any("assisted" in line for line in result.lines)
    assert not result.glad


def test_after_the_end_the_same_rules_can_be_played_again() -> None:
    again = dict(shown(finished(ruleset("classic", {"joker": "none"}))).again)
    assert again["ruleset"] == "classic"
    assert again["joker"] == "none"
    assert again["kind"] == "solo"


def test_others_games_and_games_given_up_can_only_be_read() -> None:
    state = rolled(start(CLASSIC), "33344")
    for look in (look_at(state, viewer=None), look_at(state, status=Status.ABANDONED)):
        view = shown(look)
        assert view.rolling is None
        assert not any(die.choosable for die in view.dice)
        assert not view.undo


# The other pages


def test_the_log_marks_kept_dice_and_keeps_the_key_until_the_end() -> None:
    state = apply(rolled(start(CLASSIC), "33456"), Roll((1,)), Scripted("2222"))
    events = (Event(0, 1, 1, Roll(), (3, 3, 4, 5, 6)), Event(0, 1, 2, Roll((1,)), (2, 3, 2, 2, 2)))
    view = views.log(look_at(state), events, EN)
    assert view.key == ""
    assert view.commitment == "c0" * 32
    assert [kept for _, kept in view.lines[1].dice] == [False, True, False, False, False]
    assert view.lines[1].deed == "Roll 2"
    assert views.log(replace(finished(CLASSIC), key=bytes(32)), (), EN).key == "00" * 32


def test_assisted_games_stand_apart_in_the_statistics() -> None:
    options = '{"joker": "none"}'
    totals = [
        Totals("classic", options, "solo", assisted=False, finished=Figures(2, 250, 450, 102_500), abandoned=1),
        Totals("classic", "{}", "solo", assisted=True, finished=Figures(), abandoned=0),
    ]
    games, assisted = standings.stats(totals, {}, EN).sections
    (counted,) = games.standings
    # 200 and 250: mean 225, standard deviation 50 / sqrt(2) = 35.36.
    assert (counted.best, counted.mean, counted.spread, counted.played, counted.abandoned) == (
        "250",
        "225.0",
        "35.4",
        "3",
        "1",
    )
    assert counted.details == ("Joker: none",)
    assert [standing.best for standing in assisted.standings] == ["–"]


def test_the_first_page_offers_the_latest_open_game() -> None:
    state = play(start(CLASSIC), "33344 threes")
    view = views.home([look_at(state, id="one"), look_at(state, id="two")], EN)
    assert view.latest is not None
    assert (view.latest.id, view.latest.turn, view.latest.total, view.others) == ("one", "Turn 2 of 13", "9 points", 1)
    assert views.home([], EN).latest is None


def test_every_error_has_a_heading_and_a_way_to_say_more() -> None:
    known = views.error(404, "unknown_game", EN)
    assert (known.status, known.heading) == (404, "There is no such game")
    unknown = views.error(418, "no_such_code", EN, sentence="joker can be forced.")
    assert unknown.heading
    assert unknown.detail == "joker can be forced."


# Words


def test_every_ruleset_box_option_and_value_has_a_name() -> None:
    for variant in VARIANTS:
        assert variant.id in RULESETS
        for option in variant.options:
            assert option.name in OPTIONS
            for value in option.values:
                numeric = isinstance(value, int)
                assert numeric or (option.name, str(value)) in OPTION_VALUES, (option.name, value)
    assert {box.key for rules in every_value() for box in rules.boxes} <= set(BOXES)


def test_the_top_box_is_yatzy_in_the_yatzy_family_alone() -> None:
    named = {variant.id for variant in VARIANTS if EN.box("five_of_a_kind", variant.id) == "Yatzy"}
    assert named == {"yatzy", "yatzy_scandinavian", "yatzy_kids"}


def test_switches_read_as_yes_and_no_and_numbers_as_themselves() -> None:
    assert EN.option_value("locked_dice", value=True) == "yes"
    assert EN.option_value("extra_five", value=100) == "100"
    assert EN.option_value("extra_five", value=0) == "none"


def test_numbers_and_dates_follow_the_language() -> None:
    assert EN.number(1575) == "1,575"
    assert EN.points(1) == "1 point"
    finnish = Words("fi")
    assert finnish.mean(231.43) == "231,4"
    assert EN.date(NOON.date()) == "Nov 29, 2026"
    assert (EN.direction, Words("he").direction) == ("ltr", "rtl")
