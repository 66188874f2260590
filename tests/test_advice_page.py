"""Advice put to the test: the figures hold together and agree with the exact solution, and the page says all there is to say."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from app.coach.making import Tables
from app.game.rulesets import ruleset
from app.web import advice_page
from app.web.advice_facts import Facts, facts
from app.web.choices import hundredths
from app.web.render import Renderer
from app.web.words import LANGUAGES, words
from tests.support.looks import Marked
from tests.support.web import World, text_of
from tools.advice_facts import COMMAND, rules_of_thumb, threshold
from tools.ruled_games import Mask, Player, Seen

EN = words("en")
FOUND = facts()
EVERY = list(FOUND.rulesets.values())

# Source: solver-notes, "Known values"; the mean of Scandinavian Yatzy is another game's.
KNOWN = {"classic": (254.5877287, 59.608)}

each = pytest.mark.parametrize("one", EVERY, ids=lambda one: one.ruleset)


# The stored figures


def test_the_data_name_their_command_and_rest_on_many_games() -> None:
    assert FOUND.command == COMMAND == "python -m tools.advice_facts"
    assert FOUND.games >= 10_000
    assert list(FOUND.rulesets) == ["classic", "yatzy"]


def test_the_exact_mean_and_deviation_are_the_known_ones() -> None:
    for id_, (mean, deviation) in KNOWN.items():
        figures = FOUND.rulesets[id_].figures
        assert figures["expected"] == pytest.approx(mean, abs=1e-4)
        assert figures["standard_deviation"] == pytest.approx(deviation, abs=2e-3)


@each
def test_the_games_played_agree_with_the_exact_figures(one: Facts) -> None:
    figures, games = one.figures, FOUND.games
    assert abs(figures["mean"] - figures["expected"]) < 4 * figures["standard_error"] + 0.01
    assert figures["standard_error"] == pytest.approx(figures["standard_deviation"] / sqrt(games), rel=0.05)
    step = one.upper.step
    made = sum(one.upper.counts[threshold(ruleset(one.ruleset)) // step :]) / games
    assert abs(made - figures["bonus_rate"]) < 4 * sqrt(made * (1 - made) / games)


@each
def test_every_game_is_in_each_histogram_once(one: Facts) -> None:
    assert sum(one.totals.counts) == sum(one.upper.counts) == FOUND.games
    middle = sum(count * (place + 0.5) * one.totals.step for place, count in enumerate(one.totals.counts)) / FOUND.games
    assert middle == pytest.approx(one.figures["mean"], abs=one.totals.step / 2)


@each
def test_shares_are_shares_and_agree_with_the_histogram(one: Facts) -> None:
    figures = one.figures
    for share in (*figures["shares"].values(), figures["made_up"], figures["exactly_par"], figures["five_rate"]):
        assert 0 <= share <= 1
    above = sum(one.totals.counts[350 // one.totals.step :]) / FOUND.games
    assert abs(above - figures["shares"]["above_350"]) < 0.01
    assert figures["shares"]["above_350"] <= figures["shares"]["above_300"]
    assert figures["five_rate"] == pytest.approx(1 - figures["zero_rates"]["five_of_a_kind"], abs=1e-4)


@each
def test_every_rule_costs_something_or_nothing_and_knows_its_error(one: Facts) -> None:
    assert set(one.advice) == set(rules_of_thumb(ruleset(one.ruleset)))
    for tried in one.advice.values():
        assert tried.cost >= 0
        assert 0 <= tried.standard_error < 0.25
        assert tried.a_game > 0
        assert tried.kept is not None
        assert 0 <= tried.kept <= 1
    # Two answers to one question: whoever keeps to neither does something third.
    torn = one.advice["upper_first"].kept, one.advice["lower_first"].kept
    assert sum(kept or 0 for kept in torn) <= 1.0001


@each
def test_the_findings_in_words_are_those_of_the_figures(one: Facts) -> None:
    cost = {name: tried.cost for name, tried in one.advice.items()}
    assert cost["most_points"] > 10, "not in the order in which hands come: right"
    assert cost["chance_late"] > 1, "Chance late: costs points as a rule"
    assert cost["four_above"] < 0.1 < cost["four_below"], "four alike go above: right, nearly without exception"
    assert min(cost["upper_first"], cost["lower_first"]) > 1, "neither side is always right"
    assert 0.1 < cost["close_bonus"] < 3, "mostly right"
    assert (one.advice["close_bonus"].kept or 0) > 0.5
    assert one.figures["bonus_rate"] > 0.5, "made in most games"
    assert one.figures["made_up"] > 0.5, "most bonuses are made that way"
    assert abs(one.figures["upper"]["mean"] - 63) < 7
    assert one.figures["exactly_par"] < 0.15


def test_where_a_zero_belongs_depends_on_the_game() -> None:
    costs = [one.advice["zero_five"].cost for one in EVERY]
    assert min(costs) < 0.5 < max(costs)


# The games that the figures come from


def most(seen: Seen) -> Mask:
    """Allow what brings the most at once."""
    return np.asarray(seen.points == seen.points.max(axis=0))


def test_without_a_rule_nothing_is_given_away_and_with_one_just_that_is_missing(tables: Tables) -> None:
    table = tables.make(ruleset("yatzy_kids"))
    player = Player(table, 4_000, 5)
    perfect, ruled = player.play(), player.play(most)
    assert perfect.cost[0] == pytest.approx(0, abs=1e-4)
    cost, error = ruled.cost
    assert cost > 10 * error
    for played, lost in ((perfect, 0.0), (ruled, cost)):
        mean, spread = played.totals.mean(), played.totals.std(ddof=1) / sqrt(len(played.totals))
        assert abs(mean + lost - table.expected) < 4 * spread
    assert sorted(perfect.boxes[0].tolist()) == list(range(len(ruleset("yatzy_kids").boxes)))


def test_a_rule_that_is_kept_to_is_the_one_that_costs_nothing(tables: Tables) -> None:
    player = Player(tables.make(ruleset("yatzy_kids")), 1_000, 6)

    def best(seen: Seen) -> Mask:
        return np.asarray(seen.judged.worth >= seen.judged.worth.max(axis=0) - 1e-4)

    watched = player.play(watched={"best": best, "most": most}).kept
    assert watched["best"][0] == watched["best"][1] > 0
    assert 0 < watched["most"][1] < watched["most"][0]
    assert player.play(best).cost[0] == pytest.approx(0, abs=1e-4)


# The page


SAID = (
    "Do not fill the boxes in the order in which the hands come.",
    "Keep Chance as a buffer",
    "When nothing fits, put the zero into the hardest box",
    "Go for the upper bonus, even by giving up a strong lower hand",
    "Near the end, if a few points are missing for the bonus, use good rolls above.",
    "A good early four of a kind may rather go above.",
    "Four of one face make up for two of another.",
    "A flat 63 is three of each face",
    "Watch the other cards",
    "Do not chase after bad luck.",
    "Count twice.",
    "A quick choice is not a good one, nor is a slow one.",
)


def test_the_page_has_every_piece_of_advice_and_says_which_cannot_be_tested(world: World) -> None:
    answer = world.visitor().get("/advice")
    assert answer.status_code == 200
    page = text_of(answer.text)
    assert all(advice in page for advice in SAID)
    view = advice_page.advice(FOUND, EN)
    assert [piece.id for piece in view.pieces if not piece.tested] == ["others", "luck", "count", "pace"]
    assert all(piece.groups for piece in view.pieces if piece.tested)
    assert COMMAND in page
    assert EN.number(FOUND.games) in page


def test_the_page_shows_the_figures_of_both_games(world: World) -> None:
    page = text_of(world.visitor().get("/advice").text)
    for one in EVERY:
        tried = one.advice["most_points"]
        assert f"{hundredths(tried.cost, EN)} ± {hundredths(tried.standard_error, EN)}" in page
        assert f"{one.figures['bonus_rate']:.0%}" in page
        assert f"{one.figures['five_rate']:.0%}" in page
        assert EN.mean(one.figures["expected"]) in page


def test_each_histogram_is_a_drawing_and_a_table_of_the_same_figures() -> None:
    view = advice_page.advice(FOUND, EN)
    assert len(view.histograms) == 4
    for some in view.histograms:
        assert len(some.chart.bars) == len(some.rows)
        heights = [bar.height for bar in some.chart.bars]
        shares = [float(share.rstrip("%")) for _, share in some.rows]
        assert heights.index(max(heights)) == shares.index(max(shares))
        assert sum(shares) == pytest.approx(100, abs=1)
        assert all(bar.y + bar.height == pytest.approx(some.chart.bottom, abs=0.2) for bar in some.chart.bars)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_there_in_every_language(language: str) -> None:
    view = advice_page.advice(FOUND, words(language))
    html = Renderer().page("advice.html", view, words(language))
    assert f'lang="{language}"' in html
    assert all(row.values for piece in view.pieces for group in piece.groups for row in group.rows)


def test_every_word_of_the_page_can_be_translated() -> None:
    view = advice_page.advice(FOUND, Marked())
    for piece in view.pieces:
        for text in (piece.advice, piece.finding):
            assert text.startswith("«"), text
