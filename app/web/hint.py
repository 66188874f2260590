"""A hint as a page shows it: what is best and why in plain words made from the numbers, and the best choices as bars."""

from __future__ import annotations

from dataclasses import dataclass

from app.coach.advice import Advice, Choice
from app.game.dice import Dice
from app.game.rules import Ruleset
from app.play.coaching import Counsel, Hint, Verdict, verdict
from app.web.choices import kept, percent, signed, to_do
from app.web.words import N_, Words

SHOWN = 5
"""How many keeps, and how many boxes, are shown with a hint."""

SCALE = 10.0
"""Points: a bar is empty for a choice that gives so much away, or more."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A choice and what it is worth: the dice to keep, or else its name; how far it is from the best.

    `away`: points given away, and `behind` the same as shown; `percent`, 1..100, is the length of the bar.
    """

    choice: Choice
    dice: Dice
    label: str
    worth: str
    away: float
    behind: str
    percent: int

    @property
    def best(self) -> bool:
        """Tell whether nothing is given away."""
        return verdict(self.away) is Verdict.BEST


@dataclass(frozen=True, slots=True)
class HintView:
    """What the coach says: what is best and why, the best keeps and boxes, and what is read out."""

    sentences: tuple[str, ...]
    keeps: tuple[Bar, ...]
    boxes: tuple[Bar, ...]
    announcement: str


def hint(found: Hint, words: Words) -> HintView:
    """Show a hint."""
    rules, advice = found.look.state.ruleset, found.counsel.advice
    keeps, boxes = bars(advice, rules, words)
    points = words.mean(advice.value)
    return HintView(
        sentences(found.counsel, words),
        keeps[:SHOWN],
        tuple(sorted(boxes, key=lambda bar: bar.away)[:SHOWN]),
        words.say(N_("Hint: %(choice)s, %(points)s"), choice=to_do(advice.best, rules, words), points=points),
    )


def sentences(counsel: Counsel, words: Words) -> tuple[str, ...]:
    """Say what is best and why: how much it brings, what the next best brings, where it leads, how the bonus stands."""
    advice, likely, rules = counsel.advice, counsel.likely, counsel.card.ruleset
    best = words.say(
        N_("%(choice)s: %(points)s points to come on average"),
        choice=to_do(advice.best, rules, words),
        points=words.mean(advice.value),
    )
    if advice.second is None:
        found = [words.say(N_("%(best)s."), best=best)]
    else:
        other = _brings(advice.second, advice.choices[advice.second], rules, words)
        found = [words.say(N_("%(best)s; %(other)s."), best=best, other=other)]
    if likely:
        box, chance = max(likely.items(), key=lambda pair: pair[1])
        facts = {"box": words.box(box, rules.id), "chance": percent(chance, words)}
        found.append(words.say(N_("The turn then ends in %(box)s most often (%(chance)s)."), **facts))
    return (*found, *_bonus(counsel, words))


def bars(advice: Advice, rules: Ruleset, words: Words) -> tuple[tuple[Bar, ...], tuple[Bar, ...]]:
    """Draw all keeps, best first, and all boxes, in sheet order."""

    def bar(choice: Choice, worth: float) -> Bar:
        keep = () if isinstance(choice, str) else choice
        label = words.box(choice, rules.id) if isinstance(choice, str) else ("" if keep else words.say(N_("roll all")))
        away = max(advice.value - worth, 0.0)
        length = max(round(100 * (1 - away / SCALE)), 1)
        return Bar(choice, keep, label, words.mean(worth), away, signed(-away, words), length)

    keeps = tuple(bar(some.keep, some.expected) for some in advice.keeps)
    return keeps, tuple(bar(box, worth) for box, worth in advice.boxes.items())


def _brings(choice: Choice, worth: float, rules: Ruleset, words: Words) -> str:
    points = words.mean(worth)
    match choice:
        case str():
            return words.say(N_("%(box)s brings %(points)s"), box=words.box(choice, rules.id), points=points)
        case ():
            return words.say(N_("rolling all brings %(points)s"), points=points)
        case _:
            return words.say(N_("keeping %(keep)s brings %(points)s"), keep=kept(choice, words), points=points)


def _bonus(counsel: Counsel, words: Words) -> list[str]:
    """Say how the upper bonus stands, and how its chance moves, while there is something to be done about it."""
    card = counsel.card
    rules = card.ruleset
    open_faces = [face for face, place in rules.upper.items() if card.points[place] is None]
    ahead = [step.at_least for step in rules.bonus if step.at_least > card.upper_sum]
    if not ahead or not open_faces:
        return []
    missing = min(ahead) - card.upper_sum
    if missing > rules.dice * sum(open_faces):
        return [words.say(N_("The bonus is out of reach."))]
    if counsel.bonus is not None:
        before, after = (
            percent(chance, words) for chance in (counsel.bonus.before, counsel.bonus.after[counsel.advice.best])
        )
        moves = N_("The chance of the bonus goes from %(before)s to %(after)s.")
        stays = N_("The chance of the bonus stays at %(after)s.")
        return [words.say(stays if before == after else moves, before=before, after=after)]
    return [
        words.count(
            N_("The bonus is still in reach: %(n)s point to go."),
            N_("The bonus is still in reach: %(n)s points to go."),
            missing,
        )
    ]
