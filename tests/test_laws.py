"""Laws that hold for every ruleset and every value of every option."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, is_dataclass

import pytest

from app.game.card import Card, card_from
from app.game.dice import Addressing, Stream, multisets
from app.game.errors import IllegalMove
from app.game.notation import Game, read_game, read_move, write_game, write_move
from app.game.rules import Box, Joker, Ruleset
from app.game.rulesets import ruleset
from app.game.state import Move, Roll, Score, State, Undo, apply, legal, outcome, replay, start
from tests.support.table import Loaded, defaults, every_value, mixtures, named, random_move

EVERY = list({id(rules): rules for rules in [*every_value(), *mixtures(40)]}.values())
KEY = bytes(range(100, 132))

# Maxima that the sheet gives; 1,575 has twelve further fives of a kind at 100 in it.
MAXIMA: list[tuple[str, dict[str, object], int]] = [
    ("classic", {}, 1575),
    ("yatzy", {"extra_yatzy": "none"}, 374),
    ("maxi_yatzy", {}, 649),
    ("yacht", {}, 297),
    ("yacht_ww", {}, 323),
    ("yacht_ww", {"lenient_full_house": True}, 325),
    ("crag", {}, 244),
]


@pytest.mark.parametrize("rules", EVERY, ids=named)
def test_every_box_can_be_reached_and_every_score_is_a_whole_number_of_points(rules: Ruleset) -> None:
    assert len({box.key for box in rules.boxes}) == len(rules.boxes)
    for box in rules.boxes:
        found = {box.score(faces, 1) for faces in multisets(rules.dice)}
        assert all(type(points) is int and points >= 0 for points in found)
        assert max(found) > 0


@pytest.mark.parametrize(("id_", "options", "maximum"), MAXIMA)
def test_the_maximum_is_that_of_the_sheet(id_: str, options: dict[str, object], maximum: int) -> None:
    rules = ruleset(id_, options)
    best = sum(most_points(box, rules) for box in rules.boxes)
    upper = sum(rules.dice * box.face for box in rules.boxes)
    extra = rules.extra_five.points * (len(rules.boxes) - 1) if rules.extra_five else 0
    # The best hand of each box can stand on one card; in classic the further fives of a kind bring them all.
    assert best + rules.upper_bonus(upper) + extra == maximum


def most_points(box: Box, rules: Ruleset) -> int:
    scores = [box.score]
    if box.joker is not None and rules.joker is not Joker.NONE:
        scores.append(box.joker)
    return max(score(faces, rules.rolls) for score in scores for faces in multisets(rules.dice))


@pytest.mark.parametrize("rules", EVERY, ids=named)
def test_any_play_ends_in_time_and_previews_are_kept_and_replay_is_play(rules: Ruleset) -> None:
    chance = random.Random(named(rules))
    for addressing, seats in ((Addressing.BY_TURN, 1), (Addressing.CONTINUOUS, 2)):
        game = Game(rules, KEY, (), addressing, seats, first=seats - 1, shared_dice=chance.random() < 0.5)
        state, moves = game.start(), list[Move]()
        while not state.over:
            check_a_position(state)
            move = random_move(state, chance)
            after = apply(state, move, game.stream)
            check_a_step(state, move, after)
            state = after
            moves.append(move)
        assert_ended_in_time(state, moves)
        assert replay(game.start(), moves, game.stream) == state
        text = write_game(Game(rules, KEY, tuple(moves), addressing, seats, game.first, shared_dice=game.shared_dice))
        assert read_game(text).play() == state


def check_a_position(state: State) -> None:
    """While a game goes on something is allowed, and no box is both allowed and closed, or neither."""
    found = legal(state)
    assert outcome(state) is None
    assert found.boxes if state.dice is not None else found.roll
    assert set(found.boxes) | set(found.closed) == {box.key for box in state.ruleset.boxes}
    assert not set(found.boxes) & set(found.closed)
    assert found.roll == (state.rolls_left > 0)


def check_a_step(state: State, move: Move, after: State) -> None:
    """What was previewed is what is written, in that box and in no other."""
    assert read_move(state.ruleset, write_move(state.ruleset, move)) == move
    seat, before, now = state.to_play, state.card, after.seats[state.to_play].card
    match move:
        case Score(box):
            assert state.dice is not None
            place = state.ruleset.place(box)
            assert now.points[place] == legal(state).boxes[box]
            assert now.extra - before.extra == before.extra_for(state.dice, state.roll)
            # A further five of a kind under the penalty rule may bring the turn round with zeros for the others only.
            assert [points for at, points in enumerate(now.points) if at != place] == [
                points for at, points in enumerate(before.points) if at != place
            ]
        case Roll(keep):
            assert after.seats[seat].card == before
            assert after.dice is not None
            if state.dice is not None:
                assert all(after.dice[at] == state.dice[at] for at in keep)
        case Undo():
            raise AssertionError


def assert_ended_in_time(state: State, moves: list[Move]) -> None:
    """A seat makes one entry for each box and `rolls` rolls for each at most; a win at once cuts it short."""
    boxes, seats = len(state.ruleset.boxes), len(state.seats)
    scored = sum(isinstance(move, Score) for move in moves)
    lost = state.ruleset.penalty and seats > 1
    if state.winner is None:
        assert all(seat.card.full for seat in state.seats)
        assert scored <= boxes * seats if lost else scored == boxes * seats
    assert len(moves) - scored <= boxes * state.ruleset.rolls * seats
    found = outcome(state)
    assert found is not None
    assert found.winners


@pytest.mark.parametrize("rules", defaults(), ids=named)
def test_every_move_in_a_finished_game_is_refused(rules: Ruleset) -> None:
    chance, state, stream = random.Random(5), start(rules), Stream(KEY)
    while not state.over:
        state = apply(state, random_move(state, chance), stream)
    moves: list[Move] = [Roll(), Undo(), *(Score(box.key) for box in rules.boxes)]
    for move in moves:
        with pytest.raises(IllegalMove):
            apply(state, move, stream)


@pytest.mark.parametrize("rules", EVERY, ids=named)
def test_the_laws_hold_with_many_fives_of_a_kind_and_every_card_met_can_be_made_by_hand(rules: Ruleset) -> None:
    chance = random.Random(named(rules))
    state, stream = start(rules, 2), Loaded(chance)
    while not state.over:
        check_a_position(state)
        boxes = zip(rules.boxes, state.card.points, strict=True)
        written = {box.key: points for box, points in boxes if points is not None}
        assert card_from(rules, written).points == state.card.points
        move = random_move(state, chance)
        after = apply(state, move, stream)
        check_a_step(state, move, after)
        state = after


@pytest.mark.parametrize("rules", defaults(), ids=named)
def test_nothing_in_a_state_holds_the_key_or_a_die_to_come(rules: Ruleset) -> None:
    chance, state, stream = random.Random(3), start(rules), Stream(KEY)
    for _ in range(12):
        for shown in (repr(state), repr(legal(state)), repr(outcome(state))):
            assert KEY.hex() not in shown
            assert repr(KEY) not in shown
            assert "Stream" not in shown
        assert all(not isinstance(part, bytes | Stream) for part in parts(state))
        state = apply(state, random_move(state, chance), stream)


def test_keys_that_gave_the_same_dice_so_far_have_led_to_the_same_state() -> None:
    rules, stream = ruleset("crag"), Stream(KEY)
    wanted = [stream.faces(3, 0, 1, roll, 0) for roll in (1, 2)]
    others = (Stream(number.to_bytes(32)) for number in range(10**6))
    other = next(found for found in others if [found.faces(3, 0, 1, roll, 0) for roll in (1, 2)] == wanted)
    state = replay(start(rules), [Roll(), Roll((1,))], stream)
    assert replay(start(rules), [Roll(), Roll((1,))], other) == state


def parts(found: object) -> list[object]:
    """List a value and everything inside it."""
    if is_dataclass(found) and not isinstance(found, Ruleset | type):
        inside = [getattr(found, name) for name in found.__dataclass_fields__]
    elif isinstance(found, tuple | list):
        inside = list(found)
    else:
        inside = []
    return [found, *(part for one in inside for part in parts(one))]


@pytest.mark.parametrize("rules", defaults(), ids=named)
def test_what_is_legal_can_be_written_as_json(rules: Ruleset) -> None:
    state = apply(start(rules), Roll(), Stream(KEY))
    assert json.loads(json.dumps(asdict(legal(state)))) is not None


@pytest.mark.parametrize("rules", defaults(), ids=named)
def test_an_empty_card_is_open_from_top_to_bottom(rules: Ruleset) -> None:
    card = Card.empty(rules)
    assert list(card.open_places()) == list(range(len(rules.boxes)))
    assert list(card.previews(multisets(rules.dice)[0], 1)) == [box.key for box in rules.boxes]
