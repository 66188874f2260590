"""The best with hindsight: proved against trying everything, and held against players and the game itself."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from app.coach.hindsight import hindsight, reach
from app.coach.making import Tables
from app.coach.players import Computers
from app.coach.sheet import Unsolvable
from app.game.card import Card
from app.game.dice import Addressing, Dice, Stream
from app.game.rules import Ruleset
from app.game.rulesets import VARIANTS, ruleset
from app.game.state import Move, Roll, Score, State, apply, legal, replay, start
from tests.support.small import JOKERS, SMALL, TINY, called

STREAMS = [Stream(bytes([number]) * 32, addressing) for number, addressing in enumerate(Addressing)]


def best_by_trying(rules: Ruleset, stream: Stream) -> int:
    """Try all keeps, by position, and all boxes of every turn: plain recursion over cards, without app.coach."""

    @cache
    def best(card: Card, rolled: int) -> int:
        if card.full:
            return card.total
        worths = [
            best(card.write(rules.place(key), dice, number), rolled + number)
            for number, dice in set(ends(card.filled + 1, rolled))
            for key, preview in card.previews(dice, number).items()
            if preview.reason is None
        ]
        return max(worths)

    def ends(turn: int, rolled: int) -> Iterator[tuple[int, Dice]]:
        count = rules.dice
        lying = {(stream.faces(count, 0, turn, 1, rolled), frozenset[int]())}
        for number in range(1, rules.rolls + 1):
            yield from ((number, tuple(sorted(dice))) for dice, _ in lying)
            if number == rules.rolls:
                return
            faces = stream.faces(count, 0, turn, number + 1, rolled + number)
            lying = {
                (with_new(dice, keep, faces), frozenset(keep) if rules.locked_dice else frozenset[int]())
                for dice, locked in lying
                for size in range(count)
                for keep in combinations(range(count), size)
                if locked <= set(keep)
            }

    def with_new(dice: Dice, keep: tuple[int, ...], faces: Dice) -> Dice:
        new = iter(faces)
        return tuple(face if place in keep else next(new) for place, face in enumerate(dice))

    return best(Card.empty(rules), 0)


def check(rules: Ruleset, stream: Stream) -> None:
    """Hold the best against all there is, and its line against the game."""
    found = hindsight(rules, stream)
    assert found.total == best_by_trying(rules, stream)
    assert replay(start(rules), found.moves, stream).card.total == found.total


@pytest.mark.parametrize("stream", STREAMS, ids=lambda stream: f"{stream.addressing} {stream.key[0]}")
@pytest.mark.parametrize("rules", [*SMALL, *TINY], ids=called)
def test_the_best_is_what_trying_all_keeps_and_boxes_finds(rules: Ruleset, stream: Stream) -> None:
    check(rules, stream)


def twins(stream: Stream) -> int:
    """Count the turns of a game of two dice that begin with twins."""
    rolls = [stream.faces(2, 0, turn, 1, turn - 1) for turn in range(1, 9)]
    return sum(first == second for first, second in rolls)


LUCKY = sorted((Stream(bytes([number]) * 32) for number in range(200)), key=twins)[-1:]


@pytest.mark.parametrize("stream", LUCKY, ids=lambda stream: str(stream.key[0]))
@pytest.mark.parametrize("rules", JOKERS, ids=called)
def test_every_joker_rule_is_kept_where_further_twins_come(rules: Ruleset, stream: Stream) -> None:
    assert twins(stream) > 3
    # One roll a turn, because eight boxes in every order are much to try already.
    check(replace(rules, id=f"{rules.id}, one roll", rolls=1), stream)


def random_game(rules: Ruleset, stream: Stream, chance: random.Random) -> int:
    """Play any legal moves."""
    state = start(rules)
    while not state.over:
        state = apply(state, any_move(state, chance), stream)
    return state.card.total


def any_move(state: State, chance: random.Random) -> Move:
    """Choose a legal move, a roll more often than not; boxes that score are liked."""
    if state.dice is None or (state.rolls_left and chance.random() < 0.7):
        loose = [place for place in range(state.ruleset.dice) if state.dice and place not in state.locked]
        few = chance.sample(loose, chance.randint(0, len(loose) - 1)) if loose else []
        return Roll(tuple(sorted((*state.locked, *few))))
    boxes = legal(state).boxes
    return Score(max(boxes, key=lambda key: (boxes[key] > 0, chance.random())))


QUICK = [known.id for known in VARIANTS if len(known.build(known.id, known.choose({})).boxes) < 20]


@pytest.mark.parametrize("ruleset_id", QUICK)
def test_nobody_does_better_and_the_line_of_play_does_as_well(ruleset_id: str) -> None:
    rules, stream = ruleset(ruleset_id), Stream(ruleset_id.encode().ljust(32))
    found = hindsight(rules, stream)
    chance = random.Random(ruleset_id)
    assert max(random_game(rules, stream, chance) for _ in range(20)) <= found.total
    assert replay(start(rules), found.moves, stream).card.total == found.total


@pytest.mark.parametrize("options", [{"locked_dice": True}, {"forced_order": True}, {"joker": "free_choice"}], ids=str)
def test_options_of_the_game_hold_for_the_best_too(options: dict[str, object]) -> None:
    rules, stream = ruleset("classic", options), Stream(b"o" * 32)
    found = hindsight(rules, stream)
    assert found.total == replay(start(rules), found.moves, stream).card.total
    assert found.total >= max(random_game(rules, stream, random.Random(seed)) for seed in range(10))


@pytest.mark.parametrize("addressing", Addressing)
def test_the_perfect_player_never_beats_hindsight(tables: Tables, addressing: Addressing) -> None:
    rules = ruleset("yacht")
    tables.make(rules)
    computers = Computers(tables)
    for number in range(2):
        stream, state = Stream(bytes([number]) * 32, addressing), start(rules)
        while not state.over:
            state = apply(state, computers.choose(state, "perfect"), stream)
        assert state.card.total <= hindsight(rules, stream).total


def test_a_game_of_the_usual_size_takes_less_than_the_ten_seconds_that_a_page_may_take() -> None:
    begun = time.monotonic()
    hindsight(ruleset("classic"), Stream(b"t" * 32))
    hindsight(ruleset("yatzy"), Stream(b"t" * 32))
    assert time.monotonic() - begun < 10


def test_dice_that_may_be_left_lie_after_fewer_rolls() -> None:
    rules = replace(SMALL[0], id="reached", rolls=2)
    hands = reach(rules, [(6, 6, 6), (1, 2, 3)])
    assert hands == {
        (1, (6, 6, 6)): (),
        (2, (1, 2, 3)): ((),),
        (2, (1, 2, 6)): ((6,),),
        (2, (1, 6, 6)): ((6, 6),),
    }


def test_saved_rolls_are_refused() -> None:
    with pytest.raises(Unsolvable):
        hindsight(ruleset("maxi_yatzy", {"saved_rolls": True}), Stream(b"s" * 32))
