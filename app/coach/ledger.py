"""The ledger of a finished game: what luck brought with each roll, and what each choice gave away.

The expected total at the start, plus luck, minus what was given away, plus what others did to the card, is the final total:
an identity, whatever was played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import fsum

from app.coach.advice import Choice, Coach, Turn
from app.game.card import Card
from app.game.dice import Dice
from app.game.state import Move, Roll, Score, State, Undo


@dataclass(frozen=True, slots=True)
class Thrown:
    """A roll: the faces kept before it, the dice after it, and how much its luck moved the expected total."""

    keep: Dice
    dice: Dice
    luck: float


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice: what was chosen, what the perfect player chooses, what each is worth to the end of the game.

    `forced`: there was nothing else to choose.
    """

    dice: Dice
    rolls_left: int
    chosen: Choice
    best: Choice
    worth: float
    best_worth: float
    forced: bool

    @property
    def given(self) -> float:
        """The points given away, 0 or more."""
        return self.best_worth - self.worth


@dataclass(frozen=True, slots=True)
class TurnReview:
    """One turn: the card before it, the expected total then, and its rolls and decisions in turn, as many of each."""

    card: Card
    expected: float
    rolls: tuple[Thrown, ...]
    decisions: tuple[Decision, ...]


@dataclass(frozen=True)
class Ledger:
    """A whole game of one seat. `outside`: what others did to the card, as lost entries or an end before the card is full."""

    start: float
    turns: tuple[TurnReview, ...]
    outside: float
    total: int

    @cached_property
    def luck(self) -> float:
        """All luck, in points."""
        return fsum(roll.luck for turn in self.turns for roll in turn.rolls)

    @cached_property
    def given(self) -> float:
        """All that was given away, in points."""
        return fsum(decision.given for turn in self.turns for decision in turn.decisions)


@dataclass(frozen=True, slots=True)
class _Played:
    """What a seat did in a turn: the card before it, each roll with the faces kept before it, and the box at the end."""

    card: Card
    rolls: tuple[tuple[Dice, Dice], ...]
    box: str


def ledger(coach: Coach, states: Sequence[State], moves: Sequence[Move], seat: int = 0) -> Ledger:
    """Review a finished game: `moves[n]` leads from `states[n]` to `states[n + 1]`. Entries taken back do not count."""
    played = _played(states, moves, seat)
    last = states[-1].seats[seat].card
    cards = [*(one.card for one in played), last]
    turns = coach.turns(cards[:-1]) if played else []
    moved = [
        _expected(coach, card) - _expected(coach, _after(one)) for one, card in zip(played, cards[1:], strict=True)
    ]
    outside = fsum([*moved, last.total - _expected(coach, last)])
    reviews = tuple(_review(coach, turn, one) for turn, one in zip(turns, played, strict=True))
    return Ledger(_expected(coach, cards[0]), reviews, outside, last.total)


def _played(states: Sequence[State], moves: Sequence[Move], seat: int) -> list[_Played]:
    """Pick out what the seat did; a turn that the end of the game cut short is left out."""
    done: list[_Played] = []
    rolls: list[tuple[Dice, Dice]] = []
    for (state, after), move in zip(pairwise(states), moves, strict=True):
        if state.to_play != seat:
            continue
        match move:
            case Roll(keep):
                rolls.append((_faces(state.dice, keep), _faces(after.dice)))
            case Score(box):
                done.append(_Played(state.card, tuple(rolls), box))
                rolls = []
            case Undo():
                rolls = list(done.pop().rolls)
    return done


def _faces(dice: Dice | None, places: Sequence[int] | None = None) -> Dice:
    if dice is None:
        return ()
    return tuple(sorted(dice if places is None else (dice[place] for place in places)))


def _after(played: _Played) -> Card:
    place = played.card.ruleset.place(played.box)
    return played.card.write(place, played.rolls[-1][1], len(played.rolls))


def _expected(coach: Coach, card: Card) -> float:
    """Give the expected total of a card between two turns."""
    return card.total + coach.table.to_come(card)


def _review(coach: Coach, turn: Turn, played: _Played) -> TurnReview:
    rolls: list[Thrown] = []
    decisions: list[Decision] = []
    before = turn.start
    for number, (keep, dice) in enumerate(played.rolls, start=1):
        decision = _decide(coach, turn, played, number)
        rolls.append(Thrown(keep, dice, decision.best_worth - before))
        decisions.append(decision)
        before = decision.worth
    earned = turn.card.upper_bonus
    shown = tuple(replace(one, worth=one.worth - earned, best_worth=one.best_worth - earned) for one in decisions)
    return TurnReview(turn.card, turn.card.total - earned + turn.start, tuple(rolls), shown)


def _decide(coach: Coach, turn: Turn, played: _Played, number: int) -> Decision:
    """Weigh the choice after the roll of that number; the worths count the whole upper bonus."""
    held, dice = played.rolls[number - 1]
    chosen: Choice = played.rolls[number][0] if number < len(played.rolls) else played.box
    left = coach.rules.rolls - number
    judged = coach.judge(turn, dice, number)
    keeps = coach.keeps(turn, dice, left, held if coach.rules.locked_dice else ())
    boxes = coach.boxes(judged)
    worth = boxes[chosen] if isinstance(chosen, str) else keeps[chosen]
    best = coach.choose(judged, keeps)
    best_worth = max((*boxes.values(), *keeps.values()))
    return Decision(dice, left, chosen, best, worth, best_worth, forced=len(boxes) + len(keeps) == 1)
