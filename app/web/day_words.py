"""What pages say of days: names, times to wait, how the shared dice work."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from babel.dates import format_date
from babel.lists import format_list
from babel.units import format_unit

from app.daily import ONE_DAY, Streak, begins_at, day_of, number_of
from app.game.dice import Addressing
from app.play import Kind, Look
from app.play.sights import Attempt, Standing
from app.web.words import N_, P_, Words

SHARED: dict[Addressing, str] = {
    Addressing.BY_TURN: N_(
        "Everybody has the same dice: each roll of each turn has faces of its own, the dice that you roll take the first of "
        "them, and stopping early shifts nothing."
    ),
    Addressing.CONTINUOUS: N_(
        "Everybody has the same dice, one roll after the other through the whole game: whoever stops a turn early has the "
        "next roll at the beginning of the next turn."
    ),
}
"""How the shared dice work, by the order of the dice."""

STREAK_RULE = N_(
    "A day counts when its attempt is finished before it closes, at 06:00 UTC of the day after. A day that you have not "
    "played breaks the streak once it has closed, and not before. Days on which the server was down are excused by whoever "
    "runs it: they neither count nor break anything. Practice never counts."
)

CHANGE = N_("A new daily begins at midnight, 00:00 UTC.")

_STREAK = P_("Streak: %(n)s day", "Streak: %(n)s days")
_LONGEST = P_("longest: %(n)s day", "longest: %(n)s days")
_FINISHED = P_("Finished: %(n)s point", "Finished: %(n)s points")


@dataclass(frozen=True, slots=True)
class Countdown:
    """The time until a moment: in words, in seconds, and the text into which a running time goes in place of {time}.

    `until` is the moment for machines, `done` what is said when it has come.
    """

    text: str
    seconds: int
    until: str
    live: str
    done: str


@dataclass(frozen=True, slots=True)
class DayLabel:
    """What a game on the dice of a day is called: `Daily 333`, its date without the year, and the address of the day's page."""

    name: str
    date: str
    address: str


def day_label(look: Look, words: Words) -> DayLabel | None:
    """Name the day of a game; None for a game of no day."""
    if look.day is None:
        return None
    return DayLabel(
        day_name(look.kind, look.day, words), words.month_day(look.day), day_address(look.day, look.state.ruleset.id)
    )


def day_name(kind: str, day: date, words: Words) -> str:
    """Name a day's game by its number."""
    text = N_("Daily %(number)s") if kind == Kind.DAILY else N_("Practice %(number)s")
    return words.say(text, number=words.number(number_of(day)))


def day_address(day: date, ruleset_id: str) -> str:
    """Give the address of a day's page."""
    return f"/daily/{day.isoformat()}?ruleset={ruleset_id}"


def long_date(day: date, words: Words) -> str:
    """Write a date with its day of the week."""
    return format_date(day, format="full", locale=words.locale)


def next_change(now: datetime, words: Words) -> Countdown:
    """Count down to the next day."""
    change = begins_at(day_of(now) + ONE_DAY)
    seconds = int((change - now).total_seconds())
    to_go = N_("%(time)s to go")
    return Countdown(
        text=words.say(to_go, time=_time(seconds, words)),
        seconds=seconds,
        until=change.isoformat().replace("+00:00", "Z"),
        live=words.say(to_go, time="{time}"),
        done=words.say(N_("The new daily is there: load this page again.")),
    )


def _time(seconds: int, words: Words) -> str:
    """Say a time under a day in hours and minutes."""
    hours, minutes = divmod(seconds // 60, 60)
    parts = [(hours, "duration-hour"), (minutes, "duration-minute")]
    said = [format_unit(number, unit, locale=words.locale) for number, unit in parts if number]
    return format_list(said or [format_unit(1, "duration-minute", locale=words.locale)], locale=words.locale)


def state_of(attempt: Attempt | None, words: Words) -> str:
    """Say how an attempt stands."""
    if attempt is None:
        return words.say(N_("Not played yet"))
    match attempt.standing:
        case Standing.FINISHED:
            return words.count(*_FINISHED, attempt.total or 0)
        case Standing.GIVEN_UP:
            return words.say(N_("Given up"))
        case Standing.LAPSED:
            return words.say(N_("Not finished in time"))
        case Standing.PLAYING:
            state = attempt.look.state
            return words.say(
                N_("Turn %(turn)s of %(turns)s, %(points)s"),
                turn=state.turn,
                turns=len(state.ruleset.boxes),
                points=words.points(state.card.total),
            )


def streak_line(streak: Streak, words: Words) -> str:
    """Say the streaks, "" before the first day."""
    if not streak.longest:
        return ""
    return " · ".join((words.count(*_STREAK, streak.current), words.count(*_LONGEST, streak.longest)))
