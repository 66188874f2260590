"""What the coach says of choices, in words and figures: keeps and boxes by name, points given and gained, how good a choice was."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from babel.numbers import format_decimal, format_percent

from app.coach.advice import Choice
from app.game.dice import Dice
from app.game.rules import Ruleset
from app.play.coaching import Verdict
from app.play.errors import NoCoach, NotReady, Unadvised
from app.web.words import N_, Words

TENTHS = 10
"""Points of expectation are shown with one decimal."""

NOTHING = 0.01
"""Tenths of a point: less is the table's own error."""

VERDICTS = {Verdict.BEST: N_("best"), Verdict.CLOSE: N_("close"), Verdict.COSTLY: N_("costly")}

_ALIKE = {
    1: N_("the %(face)s"),
    2: N_("the two %(face)ss"),
    3: N_("the three %(face)ss"),
    4: N_("the four %(face)ss"),
    5: N_("the five %(face)ss"),
}
"""Equal dice that are kept, by their number."""


_NO_COACH = {
    Unadvised.UNSOLVABLE: N_("Nobody can say what is best under these rules: they are not solved exactly."),
    Unadvised.NOT_SOLVED: N_("This game is so large that it is solved only where whoever runs the server asks for it."),
}


def why_no_coach(error: NoCoach, words: Words) -> str:
    """Say why there is no coach for a game."""
    return words.gettext(_NO_COACH[error.why])


def wait_for(error: NotReady, words: Words) -> str:
    """Say how long the coach still needs."""
    return words.count(
        N_("The coach is working this game out, about %(n)s second more. Then ask again."),
        N_("The coach is working this game out, about %(n)s seconds more. Then ask again."),
        error.seconds,
    )


def listed(dice: Sequence[int]) -> str:
    """Write faces as a word, such as 4-4-5."""
    return "-".join(str(face) for face in dice)


def kept(keep: Dice, words: Words) -> str:
    """Name dice that are kept, in a sentence: the three 4s, or 4-4-5."""
    if len(set(keep)) == 1 and len(keep) in _ALIKE:
        return words.say(_ALIKE[len(keep)], face=keep[0])
    return words.left_to_right(listed(keep))


def to_do(choice: Choice, rules: Ruleset, words: Words) -> str:
    """Say a choice as something to do."""
    match choice:
        case str():
            return words.say(N_("Write %(box)s"), box=words.box(choice, rules.id))
        case ():
            return words.say(N_("Roll all dice again"))
        case _:
            return words.say(N_("Keep %(keep)s"), keep=kept(choice, words))


def done(choice: Choice, rules: Ruleset, words: Words) -> str:
    """Say a choice as something that was done."""
    match choice:
        case str():
            return words.say(N_("Wrote %(box)s"), box=words.box(choice, rules.id))
        case ():
            return words.say(N_("Rolled all dice again"))
        case _:
            return words.say(N_("Kept %(keep)s"), keep=kept(choice, words))


def signed(points: float, words: Words) -> str:
    """Write points with one decimal and always a sign, but for nothing."""
    if round(points * TENTHS) == 0:
        return words.mean(0)
    return format_decimal(points, format="+#,##0.0;-#,##0.0", locale=words.locale)


def hundredths(points: float, words: Words) -> str:
    """Write points with two decimals."""
    return format_decimal(points, format="#,##0.00", locale=words.locale)


def percent(share: float, words: Words) -> str:
    """Write a chance, 0..1, in whole percent."""
    return format_percent(share, locale=words.locale)


def tenths(values: Sequence[float], total: int) -> list[int]:
    """Round values to tenths so that they add up to `total` tenths: those go the other way that are nearest to it.

    What is nothing stays nothing, if the rest can carry the difference.
    """
    exact = [Fraction(value) * TENTHS for value in values]
    rounded = [round(value) for value in exact]
    missing = total - sum(rounded)
    step = 1 if missing > 0 else -1
    movable = [place for place, value in enumerate(exact) if abs(value) > NOTHING] or list(range(len(values)))
    nearest = sorted(movable, key=lambda place: step * (rounded[place] - exact[place]))
    for nth in range(abs(missing)):
        rounded[nearest[nth % len(nearest)]] += step
    return rounded
