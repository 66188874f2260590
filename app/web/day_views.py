"""The contexts of the daily's pages: today on the first page, a day, the calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from babel.dates import format_skeleton, get_day_names

from app.daily import FIRST_DAY, ONE_DAY, day_of, day_of_number, number_of
from app.play.calendar import Calendar, Mark
from app.play.sights import Phase, Sight, Standing, dice_by_turn, dice_in_sequence
from app.web.day_after import AfterView
from app.web.day_words import (
    CHANGE,
    SHARED,
    STREAK_RULE,
    Countdown,
    day_address,
    long_date,
    next_change,
    state_of,
    streak_line,
)
from app.web.words import N_, P_, Words

WEEK = 7


@dataclass(frozen=True, slots=True)
class Link:
    """A link of several of which one is where the reader is."""

    name: str
    address: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """What can be done with a day: a link where `address` is one, otherwise a form (`action`, `fields`); `label` is on the button.

    `said` tells more than the label does, for a screen reader.
    """

    label: str
    said: str
    address: str = ""
    action: str = ""
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TodayGame:
    """Today by one ruleset: its name, how the attempt stands, what can be done."""

    ruleset: str
    state: str
    move: Move


@dataclass(frozen=True, slots=True)
class TodayView:
    """Today on the first page."""

    name: str
    date: str
    change: str
    countdown: Countdown
    games: tuple[TodayGame, ...]
    streak: str


@dataclass(frozen=True, slots=True)
class DayView:
    """Everything that daily.html shows of a day; what comes after it is `after`, None for nothing.

    `about` are sentences on where the day stands. `dice` are all dice of a closed day: turn, and the faces of its rolls.
    """

    title: str
    name: str
    date: str
    day: str
    ruleset: str
    rules_address: str
    rulesets: tuple[Link, ...]
    state: str
    about: tuple[str, ...]
    move: Move | None
    other_move: Move | None
    countdown: Countdown | None
    change: str
    shared: str
    sealed: str
    commitment: str
    key: str
    dice: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...]
    streak: str
    streak_rule: str
    earlier: Link | None
    later: Link | None
    archive: str
    after: AfterView | None


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day in the calendar: its date in the month, what it is marked as, in a word or a number and said in full."""

    date: str
    mark: str
    text: str
    said: str
    address: str
    today: bool


@dataclass(frozen=True, slots=True)
class ArchiveView:
    """A month of the daily by one ruleset: weeks of days, None outside the month."""

    ruleset: str
    rulesets: tuple[Link, ...]
    month: str
    weekdays: tuple[tuple[str, str], ...]
    weeks: tuple[tuple[CalendarDay | None, ...], ...]
    earlier: Link | None
    later: Link | None
    streak: str
    against_par: str
    streak_rule: str


def today(sights: Sequence[Sight], streak: str, words: Words) -> TodayView:
    """Show today by each ruleset that has a daily."""
    first = sights[0]
    return TodayView(
        name=words.say(N_("Daily %(number)s"), number=words.number(first.number)),
        date=long_date(first.day, words),
        change=words.gettext(CHANGE),
        countdown=next_change(first.now, words),
        games=tuple(
            TodayGame(words.ruleset(sight.ruleset.id), state_of(sight.attempt, words), _move(sight, words))
            for sight in sights
        ),
        streak=streak,
    )


def day(
    sight: Sight, rulesets: Sequence[str], calendar: Calendar | None, after: AfterView | None, words: Words
) -> DayView:
    """Show a day; `rulesets` are those that it can be played by, `calendar` the player's own (None where there is none)."""
    name = words.say(N_("Daily %(number)s"), number=words.number(sight.number))
    rules = words.ruleset(sight.ruleset.id)
    is_today = sight.phase is Phase.TODAY
    return DayView(
        title=f"{name}: {rules}",
        name=name,
        date=long_date(sight.day, words),
        day=sight.day.isoformat(),
        ruleset=rules,
        rules_address=f"/rules/{sight.ruleset.id}",
        rulesets=tuple(
            Link(words.ruleset(id_), day_address(sight.day, id_), id_ == sight.ruleset.id) for id_ in rulesets
        ),
        state=_state(sight, words),
        about=tuple(_about(sight, words)),
        move=_move(sight, words) if is_today or sight.attempt else _practice(sight, words),
        other_move=_practice(sight, words) if sight.attempt else None,
        countdown=next_change(sight.now, words) if is_today else None,
        change=words.gettext(CHANGE) if is_today else "",
        shared=words.gettext(SHARED[sight.addressing]),
        sealed=_sealed(sight, words),
        commitment=sight.commitment,
        key=sight.key.hex() if sight.key is not None else "",
        dice=_dice(sight, words),
        streak=streak_line(calendar.streak, words) if calendar else "",
        streak_rule=words.gettext(STREAK_RULE),
        earlier=_neighbour(sight, -1, words),
        later=_neighbour(sight, 1, words),
        archive=f"/daily/archive?ruleset={sight.ruleset.id}&month={sight.day:%Y-%m}",
        after=after,
    )


def _move(sight: Sight, words: Words) -> Move:
    """Say what the player can do with the counted attempt of a day."""
    rules = words.ruleset(sight.ruleset.id)
    if sight.attempt is None:
        label, said = N_("Play"), N_("Play today’s dice: %(ruleset)s")
        return Move(
            words.gettext(label),
            words.say(said, ruleset=rules),
            action="/daily",
            fields=(("ruleset", sight.ruleset.id),),
        )
    label, said = {
        Standing.PLAYING: (N_("Go on"), N_("Go on with %(ruleset)s")),
        Standing.LAPSED: (N_("Play on"), N_("Play %(ruleset)s on as practice")),
    }.get(sight.attempt.standing, (N_("Look at it"), N_("Look at your game: %(ruleset)s")))
    return Move(words.gettext(label), words.say(said, ruleset=rules), address=f"/games/{sight.attempt.look.id}")


def _practice(sight: Sight, words: Words) -> Move | None:
    """Say how a closed day is played for practice; None while it is not closed."""
    if not sight.closed:
        return None
    said = words.say(
        N_("Play day %(number)s of %(ruleset)s for practice"),
        number=words.number(sight.number),
        ruleset=words.ruleset(sight.ruleset.id),
    )
    fields = (("kind", "practice"), ("ruleset", sight.ruleset.id), ("day", sight.day.isoformat()))
    return Move(words.say(N_("Play for practice")), said, action="/games", fields=fields)


def _state(sight: Sight, words: Words) -> str:
    if sight.attempt is None and sight.phase is not Phase.TODAY:
        return words.say(N_("Not played"))
    return state_of(sight.attempt, words)


def _about(sight: Sight, words: Words) -> list[str]:
    """Say where the day stands."""
    found = []
    match sight.phase:
        case Phase.TODAY:
            found.append(
                N_(
                    "One attempt counts, without corrections and hints. Begun today, it can be finished until 06:00 UTC."
                )
            )
        case Phase.ENDED if sight.attempt is not None and sight.attempt.standing is Standing.PLAYING:
            found.append(N_("This day is over, but your attempt still counts if you finish it before 06:00 UTC."))
        case Phase.ENDED:
            found.append(N_("This day is over. It closes at 06:00 UTC; from then on it can be played for practice."))
        case Phase.CLOSED:
            found.append(N_("This day is closed. Its dice are open, and playing them is practice, which never counts."))
        case Phase.TO_COME:
            pass
    if sight.excused:
        found.append(N_("The server was down on this day: it breaks no streak."))
    return [words.gettext(text) for text in found]


def _sealed(sight: Sight, words: Words) -> str:
    if sight.sealed:
        return words.say(N_("The fingerprint of these dice was published before the day began."))
    return words.say(N_("These dice were not sealed ahead: their fingerprint was not published before the day began."))


def _dice(sight: Sight, words: Words) -> tuple[tuple[str, tuple[tuple[int, ...], ...]], ...]:
    turns: list[list[tuple[int, ...]]] = dice_by_turn(sight)
    if turns:
        return tuple(
            (words.say(N_("Turn %(turn)s"), turn=turn), tuple(rolls)) for turn, rolls in enumerate(turns, start=1)
        )
    rolls, step = dice_in_sequence(sight), sight.ruleset.rolls
    return tuple(
        (words.say(N_("Rolls %(first)s to %(last)s"), first=at + 1, last=at + step), tuple(rolls[at : at + step]))
        for at in range(0, len(rolls), step)
    )


def _neighbour(sight: Sight, step: int, words: Words) -> Link | None:
    """Give the day before or after, unless it lies before number 1 or has not begun."""
    number = sight.number + step
    found = day_of_number(number)
    if number < 1 or found > day_of(sight.now):
        return None
    return Link(words.say(N_("Daily %(number)s"), number=words.number(number)), day_address(found, sight.ruleset.id))


_SAID = {
    Mark.PLAYED: N_("%(date)s: %(points)s"),
    Mark.OPEN: N_("%(date)s: can be played"),
    Mark.MISSED: N_("%(date)s: missed"),
    Mark.EXCUSED: N_("%(date)s: excused"),
}
_SIGNS = {Mark.OPEN: "○", Mark.MISSED: "–", Mark.EXCUSED: "~"}
_AGAINST_PAR = {
    1: P_(
        "On average %(points)s points over par, on %(n)s day", "On average %(points)s points over par, on %(n)s days"
    ),
    -1: P_(
        "On average %(points)s points under par, on %(n)s day", "On average %(points)s points under par, on %(n)s days"
    ),
    0: P_("On average even with par, on %(n)s day", "On average even with par, on %(n)s days"),
}


def archive(month: date, calendar: Calendar, ruleset_id: str, rulesets: Sequence[str], words: Words) -> ArchiveView:
    """Show a month, given by its first day."""
    after = (month + 31 * ONE_DAY).replace(day=1)
    names = get_day_names("abbreviated", locale=words.locale), get_day_names("wide", locale=words.locale)
    order = [(words.first_week_day + place) % WEEK for place in range(WEEK)]
    days = [month + place * ONE_DAY for place in range((after - month).days)]
    blank = [None] * order.index(month.weekday())
    cells = [*blank, *(_calendar_day(one, calendar, ruleset_id, words) for one in days)]
    cells += [None] * (-len(cells) % WEEK)
    today = day_of(calendar.now)
    return ArchiveView(
        ruleset=words.ruleset(ruleset_id),
        rulesets=tuple(Link(words.ruleset(id_), _archive_address(month, id_), id_ == ruleset_id) for id_ in rulesets),
        month=_month(month, words),
        weekdays=tuple((names[0][day], names[1][day]) for day in order),
        weeks=tuple(tuple(cells[start : start + WEEK]) for start in range(0, len(cells), WEEK)),
        earlier=_month_link(month - ONE_DAY, ruleset_id, words) if month > FIRST_DAY else None,
        later=_month_link(after, ruleset_id, words) if after <= today else None,
        streak=streak_line(calendar.streak, words),
        against_par=_against_par(calendar, words),
        streak_rule=words.gettext(STREAK_RULE),
    )


def _calendar_day(day: date, calendar: Calendar, ruleset_id: str, words: Words) -> CalendarDay:
    mark, total = calendar.mark(day), calendar.totals.get(day)
    facts = {"date": words.date(day), "points": words.points(total or 0)}
    open_to_all = mark is not Mark.TO_COME and number_of(day) >= 1
    return CalendarDay(
        date=words.number(day.day),
        mark=mark.value,
        text=words.number(total) if total is not None else _SIGNS.get(mark, ""),
        said=words.say(_SAID[mark], **facts) if mark in _SAID else words.date(day),
        address=day_address(day, ruleset_id) if open_to_all else "",
        today=day == day_of(calendar.now),
    )


def _against_par(calendar: Calendar, words: Words) -> str:
    """Say the mean against par, "" while no par is known."""
    if calendar.against_par is None:
        return ""
    mean, count = calendar.against_par
    rounded = round(mean, 1)
    return words.count(*_AGAINST_PAR[(rounded > 0) - (rounded < 0)], count, points=words.mean(abs(rounded)))


def _archive_address(month: date, ruleset_id: str) -> str:
    return f"/daily/archive?ruleset={ruleset_id}&month={month:%Y-%m}"


def _month(day: date, words: Words) -> str:
    return str(format_skeleton("yMMMM", day, locale=words.locale))


def _month_link(day: date, ruleset_id: str, words: Words) -> Link:
    return Link(_month(day, words), _archive_address(day, ruleset_id))
