"""Hints: what the coach says of the dice on the table, what it costs, and when it says nothing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from app.coach.advice import Advice, Coach, Worth
from app.coach.making import Tables
from app.coach.outlook import BonusChances, outlook
from app.game.card import Card
from app.game.dice import FACES, Dice
from app.game.rulesets import ruleset
from app.play import NotReady, Play, coaching
from app.play.coaching import Counsel, counsel_on
from app.web.announcement import LONGEST_ANNOUNCEMENT
from app.web.hint import SHOWN, bars, sentences
from app.web.words import LANGUAGES, words
from tests.support.brute import random_card
from tests.support.web import HTMX, Visitor, World, text_of

EN = words("en")
CLASSIC = ruleset("classic")
YACHT = ruleset("yacht")


def ask(player: Visitor, game: dict[str, Any]) -> Any:
    """Ask for a hint, as seen in this sight of the game."""
    return player.post(f"/api/v1/games/{game['id']}/hint", json={"version": game["version"]})


def rolled(player: Visitor, name: str = "yacht", **more: Any) -> dict[str, Any]:
    """Begin a game and roll."""
    return player.play(player.new_game(name, **more), action="roll", keep=[])


# What a hint says


def test_a_hint_tells_the_worth_of_every_keep_and_every_box(player: Visitor, yacht: Coach) -> None:
    game = rolled(player)
    answer = ask(player, game)
    assert answer.status_code == 200, answer.text
    hint = answer.json()
    known = yacht.advise(Card.empty(YACHT), game["dice"], 2)
    assert hint["keeps"] == [{"keep": list(some.keep), "expected": some.expected} for some in known.keeps]
    assert hint["boxes"] == dict(known.boxes)
    assert hint["value"] == max(*hint["boxes"].values(), *(keep["expected"] for keep in hint["keeps"]))
    assert hint["best"] == {"action": "roll", "keep": hint["keeps"][0]["keep"]}
    assert sum(hint["likely"].values()) == pytest.approx(1)


def test_with_no_roll_left_only_boxes_are_compared(player: Visitor) -> None:
    game = rolled(player)
    for _ in range(2):
        game = player.play(game, action="roll", keep=[])
    hint = ask(player, game).json()
    assert (hint["keeps"], hint["likely"]) == ([], {})
    assert hint["best"] == {"action": "score", "box": max(hint["boxes"], key=lambda box: hint["boxes"][box])}


def test_locked_dice_are_part_of_every_keep_that_a_hint_compares(coached: World, tables: Tables) -> None:
    rules = ruleset("yacht", {"locked_dice": True})
    tables.make(rules)
    player = coached.visitor()
    player.identify()
    game = player.play(rolled(player, options={"locked_dice": True}), action="roll", keep=[1, 3])
    held = Counter(game["dice"][place] for place in (1, 3))
    keeps = ask(player, game).json()["keeps"]
    assert len(keeps) > 1
    assert all(not held - Counter(keep["keep"]) for keep in keeps)


def test_a_hint_on_the_page_is_a_sentence_and_bars(coached: World, yacht: Coach) -> None:
    del yacht
    visitor = coached.visitor()
    table = visitor.open_table("yacht")
    visitor.post(f"{table}/roll", data={"version": "0"})
    assert f'action="{table}/hint"' in visitor.get(table).text
    page = visitor.post(f"{table}/hint", data={"version": "1"})
    assert (page.status_code, page.text[:15]) == (200, "<!doctype html>")
    assert "points to come on average" in text_of(page.text)
    assert page.text.count('class="worth"') == 2 * SHOWN
    fragment = visitor.post(f"{table}/hint", data={"version": "1"}, headers=HTMX)
    assert fragment.text.lstrip().startswith('<section id="table"')
    said = fragment.text.partition("<hx-partial")[2]
    assert "Hint:" in said
    assert 'class="hint"' not in visitor.get(table).text


def test_a_keep_is_explained_by_its_worth_the_next_best_and_the_bonus() -> None:
    card = Card.empty(CLASSIC).put(CLASSIC.place("sixes"), 18)
    advice = Advice((4, 4, 4), (Worth((4, 4, 4), 24.12), Worth((4, 4, 4, 5), 22.86)), {"fours": 12.0}, 24.12)
    assert sentences(Counsel(card, advice, {"fours": 0.81, "chance": 0.19}), EN) == (
        "Keep the three 4s: 24.1 points to come on average; keeping 4-4-4-5 brings 22.9.",
        "The turn then ends in Fours most often (81%).",
        "The bonus is still in reach: 45 points to go.",
    )


def test_a_box_is_explained_by_its_worth_and_the_next_best() -> None:
    advice = Advice("fours", (Worth((), 20.0),), {"ones": 12.0, "fours": 24.1}, 24.1)
    full = Card(CLASSIC, (0, 0, 0, None, 0, 0, *(None,) * 7))
    assert sentences(Counsel(full, advice, {}), EN) == (
        "Write Fours: 24.1 points to come on average; rolling all brings 20.0.",
        "The bonus is out of reach.",
    )


def test_how_the_chance_of_the_bonus_moves_is_told() -> None:
    card = Card.empty(CLASSIC).put(CLASSIC.place("sixes"), 18)
    advice = Advice((4, 4, 4), (Worth((4, 4, 4), 24.12), Worth((4, 4, 4, 5), 22.86)), {}, 24.12)
    chances = BonusChances(0.684, {(4, 4, 4): 0.731, (4, 4, 4, 5): 0.652})
    assert sentences(Counsel(card, advice, {}, chances), EN)[1:] == ("The chance of the bonus goes from 68% to 73%.",)
    alike = BonusChances(0.729, {(4, 4, 4): 0.731, (4, 4, 4, 5): 0.652})
    assert sentences(Counsel(card, advice, {}, alike), EN)[1:] == ("The chance of the bonus stays at 73%.",)


@pytest.fixture
def foreseeing(tables: Tables) -> Coach:
    """A coach of the classic game who knows the chance of the bonus."""
    return Coach(tables.make(CLASSIC), Coach(tables.make(CLASSIC, raised=True)))


def test_the_chance_of_the_bonus_on_the_empty_card_is_the_known_one(foreseeing: Coach) -> None:
    # Verhoeff, "Optimal solitaire Yahtzee player": the upper bonus in 68.12 % of the games.
    counsel = counsel_on(foreseeing, Card.empty(CLASSIC), (1, 1, 2, 3, 5), 2)
    assert counsel.bonus is not None
    assert counsel.bonus.before == pytest.approx(0.6812, abs=0.002)
    assert set(counsel.bonus.after) == set(counsel.advice.choices)


def test_the_chance_of_the_bonus_is_that_of_the_rolls_that_earn_it(foreseeing: Coach) -> None:
    # Two boxes left and 12 points missing, so two sixes at least in the one turn that is left for them.
    filled = {"ones": 3, "twos": 8, "threes": 9, "fours": 16, "fives": 15}
    points = tuple(None if box.key in {"sixes", "chance"} else filled.get(box.key, 0) for box in CLASSIC.boxes)
    counsel = counsel_on(foreseeing, Card(CLASSIC, points), (1, 6, 6, 1, 2), 0)
    assert counsel.bonus is not None
    assert counsel.bonus.after["sixes"] == pytest.approx(1.0, abs=0.001)
    # Each die shows a six within three rolls with chance 1 - (5/6)³.
    one = 1 - (5 / 6) ** 3
    fewer = (1 - one) ** 5 + 5 * one * (1 - one) ** 4
    assert counsel.bonus.after["chance"] == pytest.approx(1 - fewer, abs=0.01)


def test_nothing_is_said_of_a_bonus_that_is_made_or_that_no_open_box_can_change() -> None:
    only = Advice("chance", (), {"chance": 17.0}, 17.0)
    made = Card(CLASSIC, (None, 10, 15, 20, 25, 30, *(None,) * 7))
    closed = Card(CLASSIC, (1, 2, 3, 4, 5, 6, *(None,) * 7))
    for card in (made, closed, Card.empty(YACHT)):
        assert sentences(Counsel(card, only, {}), EN) == ("Write Chance: 17.0 points to come on average.",)


def test_the_longest_bar_is_the_best_and_every_figure_stands_beside_its_bar(yacht: Coach) -> None:
    advice = yacht.advise(Card.empty(YACHT), (2, 2, 3, 5, 6), 2)
    keeps, boxes = bars(advice, YACHT, EN)
    best = [bar for bar in (*keeps, *boxes) if bar.best]
    assert [bar.choice for bar in best] == [advice.best]
    assert (best[0].percent, best[0].worth, best[0].behind) == (100, EN.mean(advice.value), "0.0")
    lengths = [bar.percent for bar in keeps]
    assert lengths == sorted(lengths, reverse=True)
    assert len(boxes) == len(YACHT.boxes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_read_out_of_a_hint_is_short_in_every_language(coached: World, yacht: Coach, language: str) -> None:
    del yacht
    visitor = coached.visitor(**{"accept-language": language})
    table = visitor.open_table("yacht")
    visitor.post(f"{table}/roll", data={"version": "0"})
    answer = visitor.post(f"{table}/hint", data={"version": "1"}, headers=HTMX).text
    said = text_of(answer.partition("<hx-partial")[2].partition(">")[2])
    assert 0 < len(said) <= LONGEST_ANNOUNCEMENT


# Where a keep leads, held against trying every throw


def throws(keep: Dice, dice: int) -> Iterator[tuple[Dice, float]]:
    """Give every roll that a keep can become, with its chance."""
    free = dice - len(keep)
    found = Counter(tuple(sorted(keep + more)) for more in product(FACES, repeat=free))
    return ((roll, count / 6**free) for roll, count in found.items())


def by_trying(coach: Coach, card: Card, keep: Dice, rolls_left: int, held: Dice = ()) -> Counter[str]:
    """Follow the coach's own advice after every throw."""
    ends: Counter[str] = Counter()
    locked = keep if coach.rules.locked_dice else ()
    for roll, chance in throws(keep, coach.rules.dice):
        best = coach.advise(card, roll, rolls_left - 1, locked=locked).best
        found = {best: 1.0} if isinstance(best, str) else by_trying(coach, card, best, rolls_left - 1, held)
        for box, share in found.items():
            ends[box] += chance * share  # type: ignore[assignment]
    return ends


@pytest.mark.parametrize("locked", [False, True])
def test_the_boxes_that_a_keep_leads_to_are_those_of_following_the_advice(tables: Tables, *, locked: bool) -> None:
    rules = ruleset("yatzy_kids", {"locked_dice": locked})
    coach = Coach(tables.make(rules))
    chance = random.Random(7)
    for keep, rolls_left in (((4, 4, 6), 2), ((1, 5, 5, 5), 2), ((2, 2), 1), ((), 1)):
        card = random_card(rules, 3, chance)
        tried = by_trying(coach, card, keep, rolls_left)
        found = outlook(coach, card, keep, rolls_left)
        assert sum(found.values()) == pytest.approx(1)
        assert {box for box, share in found.items() if share} == set(tried)
        assert found == pytest.approx({box: tried[box] for box in found})


# What a hint costs


def test_a_game_with_a_hint_is_assisted_to_its_end_and_counted_apart(player: Visitor) -> None:
    game = rolled(player)
    assert not game["assisted"]
    assert ask(player, game).status_code == 200
    after = player.get(f"/api/v1/games/{game['id']}").json()
    assert (after["version"], after["assisted"]) == (game["version"], True)
    ended = player.play_out(after)
    assert ended["assisted"]


def test_the_result_and_the_statistics_say_that_a_hint_was_asked_for(coached: World, yacht: Coach) -> None:
    del yacht
    visitor = coached.visitor()
    table = visitor.open_table("yacht")
    visitor.post(f"{table}/roll", data={"version": "0"})
    visitor.post(f"{table}/hint", data={"version": "1"})
    visitor.play_out(visitor.get(f"/api/v1{table}").json())
    assert "A hint was asked for, so this game counts as assisted" in text_of(visitor.get(table).text)
    assert "Assisted games" in text_of(visitor.get("/stats").text)


def test_hints_are_counted_and_recounting_keeps_them(player: Visitor, coached: World) -> None:
    game = rolled(player)
    ask(player, game)
    ask(player, game)
    player.play_out(player.get(f"/api/v1/games/{game['id']}").json())
    play: Play = coached.app.state.service.play
    with play.store.reading() as tx:
        row = tx.game(game["id"])
    assert row is not None
    assert (row.hints, row.assisted) == (2, True)
    assert play.recount() == []


def test_recounting_finds_a_game_with_hints_that_is_not_marked_assisted(player: Visitor, coached: World) -> None:
    game = rolled(player)
    ask(player, game)
    ended = player.play_out(player.get(f"/api/v1/games/{game['id']}").json())
    play: Play = coached.app.state.service.play
    with play.store.writing() as tx:
        tx.project(game["id"], coached.clock(), {0: ended["seats"][0]["total"]}, assisted=False)
    assert [(found.what, found.stored, found.counted) for found in play.recount()] == [("assisted", "False", "True")]
    assert player.get(f"/api/v1/games/{game['id']}").json()["assisted"]
    assert play.recount() == []


# When there is none


def test_a_hint_for_an_old_sight_of_the_game_is_refused_and_not_counted(player: Visitor) -> None:
    game = rolled(player)
    player.play(game, action="roll", keep=[])
    refused = ask(player, game)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "stale")
    assert not player.get(f"/api/v1/games/{game['id']}").json()["assisted"]


def test_before_the_roll_and_after_the_end_there_is_nothing_to_say(player: Visitor) -> None:
    game = player.new_game("yacht")
    before = ask(player, game)
    assert (before.status_code, before.json()["error"]["code"]) == (422, "roll_first")
    ended = player.play_out(game)
    after = ask(player, ended)
    assert (after.status_code, after.json()["error"]["code"]) == (422, "game_over")
    assert not player.get(f"/api/v1/games/{game['id']}").json()["assisted"]


def test_nobody_gets_a_hint_in_somebody_elses_game(player: Visitor, coached: World) -> None:
    game = rolled(player)
    stranger = coached.visitor()
    stranger.identify()
    assert ask(stranger, game).status_code == 403
    player.play_out(game)
    assert ask(stranger, {**game, "version": game["version"]}).status_code == 403


def test_where_players_are_compared_there_are_no_hints(player: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    game = rolled(player)
    table = player.open_table("yacht")
    player.post(f"{table}/roll", data={"version": "0"})
    monkeypatch.setattr(coaching, "HINTED", frozenset())
    refused = ask(player, game)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "no_hints")
    assert f'action="{table}/hint"' not in player.get(table).text


def test_while_the_game_is_worked_out_the_api_says_when_to_ask_again(world: World) -> None:
    player = world.visitor()
    player.identify()
    game = rolled(player, "kniffel")
    answer = ask(player, game)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "not_ready")
    assert int(answer.headers["retry-after"]) >= 1
    assert world.app.state.service.coaching.coaches.tables.pace(ruleset("kniffel"))
    assert not player.get(f"/api/v1/games/{game['id']}").json()["assisted"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_while_the_game_is_worked_out_the_page_says_how_long(world: World, headers: dict[str, str]) -> None:
    visitor = world.visitor()
    table = visitor.open_table("kniffel")
    visitor.post(f"{table}/roll", data={"version": "0"})
    answer = visitor.post(f"{table}/hint", data={"version": "1"}, headers=headers)
    assert answer.status_code == 200
    assert "The coach is working this game out, about" in text_of(answer.text)
    assert 'class="hint"' not in answer.text


UNADVISED = [
    ({"saved_rolls": True}, "no_coach", "Saved rolls"),
    ({"saved_rolls": False}, "no_coach", "fairwind solve maxi_yatzy"),
]


@pytest.mark.parametrize(("options", "code", "reason"), UNADVISED)
def test_a_game_that_is_not_solved_here_has_no_hints_and_says_why(
    world: World, options: dict[str, Any], code: str, reason: str
) -> None:
    player = world.visitor()
    player.identify()
    refused = ask(player, rolled(player, "maxi_yatzy", options=options))
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, code)
    assert reason in refused.json()["error"]["message"]
    visitor = world.visitor()
    table = visitor.open_table("maxi_yatzy", saved_rolls=str(options["saved_rolls"]).lower())
    visitor.post(f"{table}/roll", data={"version": "0"})
    assert f'action="{table}/hint"' not in visitor.get(table).text
    assert world.app.state.service.coaching.coaches.tables.pace(ruleset("maxi_yatzy", {"saved_rolls": False})) is None


def test_only_one_game_is_worked_out_at_a_time(world: World) -> None:
    coaches = world.app.state.service.coaching.coaches
    waits = []
    for rules in (ruleset("kniffel"), ruleset("yacht_ww")):
        with pytest.raises(NotReady) as waiting:
            coaches.coach(rules)
        waits.append(waiting.value.seconds)
    assert coaches.tables.pace(ruleset("kniffel"))
    assert coaches.tables.pace(ruleset("yacht_ww")) is None
    assert waits[1] >= waits[0]
