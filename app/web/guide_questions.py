"""The questions that people ask about the boxes; the engine answers them, so an answer changes with the options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.game.dice import Dice
from app.game.rules import Ruleset
from app.web.guide_examples import Trial, points
from app.web.words import N_, Words


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, the dice it is about (none for a question about no dice), and the answer in words."""

    question: str
    dice: Dice
    answer: str


@dataclass(frozen=True, slots=True)
class Question:
    """A yes-or-no question: do these dice score in this box? `also` names a box that the question speaks of."""

    text: str
    box: str
    dice: Dice
    also: str = ""


_QUESTIONS = (
    Question(N_("Does a large straight score in %(box)s too?"), "small_straight", (2, 3, 4, 5, 6), "large_straight"),
    Question(N_("May %(box)s hold a double?"), "small_straight", (1, 2, 3, 4, 4)),
    Question(N_("Is a straight of four enough for %(box)s?"), "straight", (1, 2, 3, 4, 4)),
    Question(N_("Are five alike a full house?"), "full_house", (4, 4, 4, 4, 4)),
    Question(N_("Are four alike and one other a full house?"), "full_house", (3, 3, 3, 3, 4)),
    Question(N_("Are two of each of three faces a full house?"), "full_house", (2, 2, 5, 5, 6, 6)),
    Question(N_("Are three alike and three alike a full house?"), "full_house", (2, 2, 2, 5, 5, 5)),
    Question(N_("Is a full house two pairs?"), "two_pairs", (3, 3, 5, 5, 5)),
    Question(N_("Are four alike two pairs?"), "two_pairs", (3, 3, 3, 3, 5)),
    Question(N_("Does a full house score in %(box)s?"), "one_pair", (3, 3, 3, 4, 4)),
    Question(N_("Do five alike score in %(box)s too?"), "four_of_a_kind", (3, 3, 3, 3, 3)),
    Question(N_("Do six alike score in %(box)s too?"), "five_of_a_kind", (4, 4, 4, 4, 4, 4)),
    Question(N_("Does a run of six score in %(box)s too?"), "large_straight", (1, 2, 3, 4, 5, 6)),
    Question(N_("May %(box)s have a gap?"), "straight", (1, 3, 4, 5, 6)),
    Question(N_("Does a crag score in %(box)s too?"), "thirteen", (6, 6, 1)),
    Question(N_("Are three alike a crag?"), "crag", (4, 4, 4)),
    Question(N_("Do four alike score in %(box)s?"), "two_pairs_same_color", (5, 5, 5, 5, 1)),
)

_KINDS = ((5, "three_of_a_kind", (6, 6, 6, 2, 1)), (6, "three_of_a_kind", (6, 6, 6, 2, 1, 3)))


def answers(rules: Ruleset, words: Words) -> tuple[Answer, ...]:
    """Answer the questions that fit the sheet and its dice."""
    return (
        *_kind_answers(rules, words),
        *(
            _answer(question, rules, words)
            for question in _QUESTIONS
            if len(question.dice) == rules.dice
            and question.box in rules.index
            and (not question.also or question.also in rules.index)
        ),
        Answer(
            words.gettext("May a box be taken with 0 on purpose?"),
            (),
            words.gettext("Yes, and sometimes that is best: a 0 where little is lost keeps a better box open."),
        ),
    )


def _answer(question: Question, rules: Ruleset, words: Words) -> Answer:
    found = _points(question.box, question.dice, rules)
    answer = (
        words.ngettext("Yes: %(points)d point.", "Yes: %(points)d points.", found) % {"points": found}
        if found
        else words.gettext("No: 0 points.")
    )
    return Answer(words.say(question.text, box=words.box(question.box, rules.id)), question.dice, answer)


def _kind_answers(rules: Ruleset, words: Words) -> Iterator[Answer]:
    """Say whether the dice that are not alike count in three of a kind."""
    for count, box, dice in _KINDS:
        if count == rules.dice and box in rules.index:
            found = _points(box, dice, rules)
            # What a box adds to the sum of the dice is no part of the question.
            text = N_("Yes: %(points)d points.") if found >= sum(dice) else N_("No: %(points)d points.")
            question = words.say(N_("Do all dice count in %(box)s?"), box=words.box(box, rules.id))
            yield Answer(question, dice, words.say(text, points=found))


def _points(box: str, dice: Dice, rules: Ruleset) -> int:
    return points(rules.boxes[rules.place(box)], rules, Trial(dice, rules.rolls))
