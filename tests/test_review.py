"""The review of a finished game: figures that add up, verdicts, who may read it, and where its links lead."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.coach.advice import Coach
from app.coach.ledger import ledger
from app.coach.making import Tables
from app.game.dice import Stream
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from app.game.state import Move, Roll, Score, State, apply, legal, start
from app.play import SeatInfo
from app.play.coaching import Review, Verdict, locked_faces, verdict
from app.web import review
from app.web.chart import Frame, around, ticks
from app.web.choices import tenths
from app.web.words import Words, words
from tests.support.looks import look_at
from tests.support.table import Loaded
from tests.support.web import Visitor, World, text_of

EN = words("en")
SOLVED = [
    ruleset("yacht"),
    ruleset("yatzy_kids"),
    ruleset("crag"),
    ruleset("generala"),
    ruleset("cheerio"),
]


def number(text: str) -> Fraction:
    """Read a figure as a page shows it, without rounding."""
    return Fraction(text.replace("−", "-").replace("+", "").replace(",", ""))


def play_on(state: State, chance: random.Random, stream: Any, *, eager: float = 0.7) -> tuple[list[State], list[Move]]:
    """Play to the end by chance, never keeping all dice; `eager`: how often the dice are rolled again."""
    states: list[State] = [state]
    moves: list[Move] = []
    while not state.over:
        move: Move
        if state.dice is None:
            move = Roll()
        elif state.rolls_left and chance.random() < eager:
            free = [place for place in range(state.ruleset.dice) if place not in state.locked]
            more = chance.sample(free, chance.randint(0, len(free) - 1))
            move = Roll(tuple(sorted((*state.locked, *more))))
        else:
            move = Score(chance.choice(list(legal(state).boxes)))
        state = apply(state, move, stream)
        states.append(state)
        moves.append(move)
    return states, moves


def perfectly(coach: Coach, state: State, stream: Stream) -> tuple[list[State], list[Move]]:
    """Play to the end by the coach's advice."""
    states: list[State] = [state]
    moves: list[Move] = []
    while not state.over:
        move: Move = Roll()
        if state.dice is not None:
            locked = locked_faces(state)
            best = coach.advise(state.card, state.dice, state.rolls_left, locked=locked, roll=state.roll).best
            move = Score(best) if isinstance(best, str) else Roll(places(state.dice, best))
        state = apply(state, move, stream)
        states.append(state)
        moves.append(move)
    return states, moves


def places(dice: tuple[int, ...], keep: tuple[int, ...]) -> tuple[int, ...]:
    """Find the positions of faces to keep."""
    left, found = list(keep), []
    for place, face in enumerate(dice):
        if face in left:
            left.remove(face)
            found.append(place)
    return tuple(found)


def reviewed(coach: Coach, played: tuple[list[State], list[Move]], seat: int = 0, **more: Any) -> Review:
    """Review a played game."""
    states, moves = played
    return Review(look_at(states[-1], **more), seat, ledger(coach, states, moves, seat))


# Figures that add up


@given(st.lists(st.floats(-60, 60), min_size=1, max_size=40))
def test_rounding_keeps_the_sum_and_moves_no_figure_further_than_to_the_next_tenth(values: list[float]) -> None:
    exact = sum(Fraction(value) for value in values) * 10
    total = round(exact)
    shown = tenths(values, total)
    assert sum(shown) == total
    for value, found in zip(values, shown, strict=True):
        assert abs(found - Fraction(value) * 10) < 1.1


def test_rounding_leaves_nothing_at_nothing() -> None:
    assert tenths([0.0, 0.26, 0.26, 0.0], 5) in ([0, 3, 2, 0], [0, 2, 3, 0])
    assert tenths([0.04, 0.04, 0.04, 0.0], 1)[3] == 0


@pytest.mark.parametrize("rules", SOLVED, ids=lambda rules: rules.id)
def test_what_is_shown_adds_up_to_the_total_by_game_turn_and_roll(tables: Tables, rules: Ruleset) -> None:
    coach, chance = Coach(tables.make(rules)), random.Random(rules.id)
    for _ in range(15):
        found = reviewed(coach, play_on(start(rules), chance, Loaded(chance)))
        view = review.review(found, EN)
        assert sum(number(line.points) for line in view.sum) == number(view.total) == found.ledger.total
        assert sum(number(turn.luck) for turn in view.turns) == number(view.luck)
        assert sum(number(turn.given) for turn in view.turns) == number(view.given)
        assert number(view.turns[-1].expected) == found.ledger.total
        before = number(view.sum[0].points)
        for turn in view.turns:
            assert before + number(turn.luck) - number(turn.given) == number(turn.expected)
            before = number(turn.expected)
            assert sum(number(choice.luck) for choice in turn.choices) == number(turn.luck)


def test_the_points_of_the_turns_are_those_of_the_card(tables: Tables) -> None:
    rules, chance = ruleset("yatzy_kids"), random.Random(3)
    played = play_on(start(rules), chance, Loaded(chance))
    view = review.review(reviewed(Coach(tables.make(rules)), played), EN)
    card = played[0][-1].card
    assert sum(int(turn.points) for turn in view.turns) == card.total - card.upper_bonus
    assert {turn.box for turn in view.turns} == {EN.box(box.key, rules.id) for box in rules.boxes}


# Verdicts


def test_verdicts_are_best_close_up_to_one_point_and_costly() -> None:
    given_away = [0.0, 0.00005, 0.001, 1.0, 1.0001, 30.0]
    assert [verdict(points) for points in given_away] == [
        Verdict.BEST, Verdict.BEST, Verdict.CLOSE, Verdict.CLOSE, Verdict.COSTLY, Verdict.COSTLY,
    ]  # fmt: skip


def test_who_plays_by_the_advice_gives_nothing_away(tables: Tables) -> None:
    rules = ruleset("yacht")
    coach = Coach(tables.make(rules))
    found = reviewed(coach, perfectly(coach, start(rules), Stream(bytes(32))))
    view = review.review(found, EN)
    assert view.given == "0.0"
    assert view.quality == "Best choice in 12 of 12 turns, longest run 12"
    assert [some.count for some in view.counted] == [str(len(list(found.choices))), "0", "0"]
    assert not any(mark.kind == "costly" for mark in view.chart.marks)
    assert not any(choice.better for turn in view.turns for choice in turn.choices)


def test_a_choice_that_was_none_is_not_counted(tables: Tables) -> None:
    rules, chance = ruleset("crag"), random.Random(5)
    played = play_on(start(rules), chance, Loaded(chance), eager=1)
    view = review.review(reviewed(Coach(tables.make(rules)), played), EN)
    forced = [choice for turn in view.turns for choice in turn.choices if choice.verdict is None]
    every = [choice for turn in view.turns for choice in turn.choices]
    # The last box is the only one left once no roll is.
    assert forced
    assert all(not choice.better for choice in forced)
    assert sum(int(some.count) for some in view.counted) == len(every) - len(forced)


def judged(*kinds: Verdict) -> Any:
    """Stand in for a review of which only the turns' verdicts are asked."""
    return type("Judged", (), {"turns": kinds})()


def test_the_quality_of_the_choices_is_told_in_words_and_squares() -> None:
    best, close, costly = Verdict.BEST, Verdict.CLOSE, Verdict.COSTLY
    found = judged(best, best, best, best, best, best, close, best, best, best, costly, best, best)
    assert review.quality(found, EN) == "Best choice in 11 of 13 turns, longest run 6"
    assert review.squares(found, EN) == ("🟦🟦🟦🟦🟦🟦⬜", "🟦🟦🟦🟧🟦🟦")
    assert review.squares(judged(costly, best), EN) == ("🟧🟦",)
    assert review.quality(judged(costly, close), EN) == "Best choice in 0 of 2 turns, longest run 0"
    longest = review.squares(judged(*[best] * 20), EN)
    assert [len(row) for row in longest] == [10, 10]


def test_squares_read_from_left_to_right_where_words_do_not() -> None:
    rows = review.squares(judged(*[Verdict.BEST] * 8), words_from_right_to_left())
    assert rows == ("\u200e🟦🟦🟦🟦\u200e", "\u200e🟦🟦🟦🟦\u200e")


def words_from_right_to_left() -> Words:
    """Give Hebrew, whose catalogue need not be there for that."""
    return Words("he")


# The drawing


def test_the_drawing_goes_from_the_expected_total_to_the_one_reached_and_marks_luck_and_cost(tables: Tables) -> None:
    rules, chance = ruleset("generala"), random.Random(11)
    found = reviewed(Coach(tables.make(rules)), play_on(start(rules), chance, Loaded(chance)))
    chart = review.review(found, EN).chart
    points = [tuple(float(part) for part in point.split(",")) for point in chart.line.split()]
    choices = [choice for turn in found.ledger.turns for choice in turn.decisions]
    rolls = [roll for turn in found.ledger.turns for roll in turn.rolls]
    assert len(points) == 1 + len(rolls) + len(choices)
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert (points[0][0], points[-1][0]) == (chart.left, chart.right)
    costly = [mark for mark in chart.marks if mark.kind == "costly"]
    lucky = [mark for mark in chart.marks if mark.kind == "lucky"]
    assert len(costly) == sum(choice.given > 1 for choice in choices) > 0
    assert len(lucky) == sum(roll.luck >= 10 for roll in rolls) > 0
    assert all(0 <= x <= chart.width and 0 <= y <= chart.bottom for x, y in points)
    assert len(chart.across) == len(rules.boxes)


def test_a_drawing_is_mirrored_for_languages_from_right_to_left() -> None:
    plain, mirrored = Frame(0, 10, 0, 100), Frame(0, 10, 0, 100, mirrored=True)
    line = [(0.0, 0.0), (10.0, 100.0)]
    (left, low), (right, high) = [point.split(",") for point in plain.line(line).split()]
    assert mirrored.line(line) == f"{480 - float(left)},{low} {480 - float(right)},{high}"
    assert plain.chart([(5, "5")]).across[0].at + mirrored.chart([(5, "5")]).across[0].at == 480
    assert plain.chart([]).labels + mirrored.chart([]).labels == 480


@given(st.floats(-500, 500), st.floats(0.5, 1000))
def test_ticks_are_few_and_hold_the_range(low: float, span: float) -> None:
    found = ticks(low, low + span)
    assert 2 <= len(found) <= 8
    assert found[0] <= low + 1e-6
    assert found[-1] >= low + span - 1e-6
    assert around([low, low + span]) == (found[0], found[-1])


# Pages and programs


def finished(player: Visitor, **more: Any) -> dict[str, Any]:
    """Play a game to its end."""
    return player.play_out(player.new_game("yacht", **more))


def test_the_api_gives_a_ledger_that_adds_up(player: Visitor) -> None:
    game = finished(player)
    found = player.get(f"/api/v1/games/{game['id']}/review").json()
    assert found["start"] + found["luck"] - found["given"] + found["outside"] == pytest.approx(found["total"], abs=1e-9)
    assert found["total"] == game["seats"][0]["total"]
    assert found["outside"] == 0
    assert [turn["turn"] for turn in found["turns"]] == list(range(1, 13))
    rolls = [roll for turn in found["turns"] for roll in turn["rolls"]]
    decisions = [decision for turn in found["turns"] for decision in turn["decisions"]]
    assert sum(roll["luck"] for roll in rolls) == pytest.approx(found["luck"])
    assert sum(decision["given"] for decision in decisions) == pytest.approx(found["given"])
    assert {decision["verdict"] for decision in decisions} <= {"best", "close", "costly", None}
    first = decisions[0]
    assert first["chosen"] == {"action": "score", "box": "ones"}
    assert first["best_worth"] - first["worth"] == pytest.approx(first["given"])


def test_a_taken_back_entry_is_not_reviewed_but_the_one_that_stands(player: Visitor) -> None:
    game = player.play(player.new_game("yacht", corrections=True), action="roll", keep=[])
    game = player.play(game, action="score", box="chance")
    game = player.play(game, action="undo")
    game = player.play_out(player.play(game, action="score", box="ones"))
    turns = player.get(f"/api/v1/games/{game['id']}/review").json()["turns"]
    assert len(turns) == 12
    assert turns[0]["decisions"][-1]["chosen"] == {"action": "score", "box": "ones"}


def test_everybody_may_read_the_review_of_a_finished_game_and_nobody_an_open_ones(
    player: Visitor,
    coached: World,
) -> None:
    stranger = coached.visitor()
    stranger.identify()
    game = player.new_game("yacht")
    path = f"/api/v1/games/{game['id']}/review"
    early = player.get(path)
    assert (early.status_code, early.json()["error"]["code"]) == (422, "not_finished")
    assert stranger.get(path).status_code == 403
    player.play_out(game)
    assert stranger.get(path).status_code == 200
    assert coached.visitor().get(f"/games/{game['id']}/review").status_code == 200
    assert player.get("/api/v1/games/nothing/review").status_code == 404


def test_a_game_given_up_has_no_review(player: Visitor) -> None:
    game = player.new_game("yacht")
    player.post(f"/api/v1/games/{game['id']}/abandon", json={"version": 0})
    assert player.get(f"/api/v1/games/{game['id']}/review").json()["error"]["code"] == "not_finished"
    page = player.get(f"/games/{game['id']}/review")
    assert page.status_code in {403, 422}


def test_the_page_of_an_unfinished_game_says_when_there_will_be_a_review(coached: World) -> None:
    visitor = coached.visitor()
    table = visitor.open_table("yacht")
    page = visitor.get(f"{table}/review")
    assert page.status_code == 422
    assert "A game can be reviewed once it is finished." in text_of(page.text)


def test_a_game_that_is_not_solved_says_so_instead_of_a_review(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table("maxi_yatzy", saved_rolls="true")
    visitor.play_out(visitor.get(f"/api/v1{table}").json())
    page = visitor.get(f"{table}/review")
    assert page.status_code == 422
    assert "they are not solved exactly" in text_of(page.text)


def test_while_the_game_is_worked_out_the_review_says_when_to_come_again(world: World) -> None:
    visitor = world.visitor()
    table = visitor.open_table("yacht_ww")
    visitor.play_out(visitor.get(f"/api/v1{table}").json())
    page = visitor.get(f"{table}/review")
    assert page.status_code == 503
    assert int(page.headers["retry-after"]) >= 1


def test_the_finished_table_links_to_the_review_and_each_choice_to_its_position(coached: World, yacht: Coach) -> None:
    visitor = coached.visitor()
    table = visitor.open_table("yacht")
    game = visitor.play_out(visitor.get(f"/api/v1{table}").json())
    assert f'href="{table}/review"' in visitor.get(table).text
    found = visitor.get(f"/api/v1{table}/review").json()
    page = visitor.get(f"{table}/review").text
    links = [unescape(link) for link in re.findall(r'href="(/analysis[^"]*)"', page)]
    decisions = [decision for turn in found["turns"] for decision in turn["decisions"]]
    assert len(links) == len(decisions)
    for link, decision in list(zip(links, decisions, strict=True))[::4]:
        board = visitor.get(link)
        assert board.status_code == 200
        assert f"{EN.mean(decision['best_worth'])} points to come on average" in text_of(board.text)
    assert str(game["seats"][0]["total"]) in text_of(page)
    del yacht


def test_each_seat_of_a_game_against_a_computer_has_its_review(player: Visitor) -> None:
    game = player.new_game("yacht", kind="computer", levels=["perfect"])
    game = player.play_out(game)
    api, page = f"/api/v1/games/{game['id']}/review", f"/games/{game['id']}/review"
    own, other = player.get(api).json(), player.get(api, params={"seat": 1}).json()
    assert (own["seat"], own["total"]) == (0, game["seats"][0]["total"])
    assert (other["seat"], other["total"]) == (1, game["seats"][1]["total"])
    assert other["given"] == pytest.approx(0, abs=1e-3)
    wrong = player.get(api, params={"seat": 2})
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (422, "bad_seat")
    html = player.get(f"{page}?seat=1").text
    assert f'href="{page}?seat=0"' in html
    assert 'aria-current="page"' in html


def test_the_text_to_send_has_the_result_and_the_quality_but_no_dice(tables: Tables) -> None:
    rules, chance = ruleset("yacht"), random.Random(2)
    found = reviewed(Coach(tables.make(rules)), play_on(start(rules), chance, Loaded(chance)))
    first, quality, *rows = review.review(found, EN).text.split("\n")
    assert first == f"Fairwind Old Yacht: {EN.points(found.ledger.total)}"
    assert quality == review.quality(found, EN)
    assert tuple(rows) == review.squares(found, EN)
    seats = (SeatInfo(), SeatInfo(computer="perfect"))
    two = play_on(start(rules, 2), chance, Loaded(chance))
    against = reviewed(Coach(tables.make(rules)), two, seats=seats)
    assert " against " in review.review(against, EN).text.split("\n")[0]
    assert review.review(Review(against.look, 1, against.ledger), EN).text == ""
