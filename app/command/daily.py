"""`fairwind daily`: what is published of a day, and the marks that the operator makes on days and results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from app import clock
from app.coach.making import Tables
from app.command.database import opened
from app.command.line import Json, say
from app.daily import AHEAD
from app.game.errors import Unreadable
from app.game.rulesets import ruleset as make_ruleset
from app.play.coaching import Coaches, Coaching
from app.play.days import Dailies, Days, read_day
from app.play.errors import DayOpen, DayToCome, NoCoach, NoDaily, UnknownDay
from app.play.outliers import Outliers
from app.play.outliers import outliers as look_for_outliers
from app.play.results import Results
from app.play.sights import Sight, dice_by_turn, dice_in_sequence, opened_values
from app.settings import Settings


def show(date: str | None = None, *, ruleset: str | None) -> None:
    """Show a day, today without a date.

    Raises:
        Unreadable: it is no day, or has no daily by this ruleset.

    """
    day = None if date is None else read_day(date)
    _check_ruleset(ruleset)
    with _days() as (settings, days), _readable():
        sight = days.today(None, ruleset) if day is None else days.see(None, day, ruleset)
        sight = complete(settings, days, sight)
        say(day_answer(sight), day_text(sight))


def excuse(date: str, ruleset: str | None) -> None:
    """Let a day break no streak."""
    day = read_day(date)
    _check_ruleset(ruleset)
    with _days() as (_, days), _readable():
        done = days.excuse(day, ruleset)
        say({"day": date, "excused": list(done)}, f"{date} breaks no streak: {', '.join(done)}.")


def hide(date: str, player: str, ruleset: str | None) -> None:
    """Take a player off a day's board.

    Raises:
        Unreadable: `unknown_player`, when the player has no attempt of that day.

    """
    day = read_day(date)
    _check_ruleset(ruleset)
    with _days() as (_, days), _readable():
        done = days.hide(day, player, ruleset)
        if not done:
            raise Unreadable("unknown_player", f"Nobody of the id or name {player!r} has played {date}.")
        say({"day": date, "hidden": list(done)}, f"{player} is off the board of {date}: {', '.join(done)}.")


def outliers(date: str, ruleset: str | None) -> None:
    """Name the attempts above par at a closed day that were luckier than the perfect player by far.

    Raises:
        Unreadable: the day has not closed, or nobody knows what its choices are worth.

    """
    day = read_day(date)
    _check_ruleset(ruleset)
    with _days() as (settings, days), _readable():
        sight, results = days.see(None, day, ruleset), _results(settings, days)
        found = look_for_outliers(results, Coaching(days.store, results.coaches, clock.system), sight)
        say(outliers_answer(sight, found), outliers_text(sight, found))


def complete(settings: Settings, days: Days, sight: Sight) -> Sight:
    """Work out par and best of a closed day where they are not known yet; that takes some seconds."""
    return _results(settings, days).complete(sight, wait=True)


def _results(settings: Settings, days: Days) -> Results:
    return Results(days.store, days, Coaches(Tables(settings.tables)))


def _check_ruleset(id_: str | None) -> None:
    """Refuse a ruleset that does not exist before anything is opened."""
    if id_ is not None:
        make_ruleset(id_)


@contextmanager
def _days() -> Iterator[tuple[Settings, Days]]:
    """Give the settings, and open the days of the database that the settings name; an empty one is made."""
    with opened() as (settings, store):
        store.migrate()
        yield settings, Days(store, clock.system, Dailies.of(settings))


@contextmanager
def _readable() -> Iterator[None]:
    """Say in a sentence why there is no such day: the call was wrong.

    Raises:
        Unreadable: with that sentence.

    """
    try:
        yield
    except UnknownDay:
        raise Unreadable("unknown_day", "There is no such day: number 1 is 2026-01-01.") from None
    except DayToCome:
        raise Unreadable("day_to_come", f"That day is not published yet: {AHEAD} days ahead are.") from None
    except NoDaily as error:
        raise Unreadable("no_daily", error.message) from None
    except DayOpen:
        raise Unreadable("day_open", "That day has not closed yet: it does at 06:00 UTC of the day after.") from None
    except NoCoach as error:
        raise Unreadable("no_coach", error.message) from None


def day_answer(sight: Sight) -> Json:
    """Write a day as JSON carries it; after its close with the key, all dice, par and best."""
    return {
        "day": sight.day.isoformat(),
        "number": sight.number,
        "ruleset": sight.ruleset.id,
        "addressing": sight.addressing.value,
        "commitment": sight.commitment,
        **opened_values(sight),
    }


def day_text(sight: Sight) -> str:
    """Write the same for people."""
    lines = [f"Daily {sight.number}, {sight.day.isoformat()}, {sight.ruleset.id}, {sight.addressing.value}"]
    lines.append(f"commitment {sight.commitment}")
    if sight.key is None:
        return "\n".join([*lines, "The key and the dice are open from 06:00 UTC of the day after."])
    lines.append(f"key        {sight.key.hex()}")
    lines += [f"{name} {value}" for name, value in (("par", sight.par), ("best", sight.best)) if value is not None]
    lines += [f"turn {turn:2}  {_faces(rolls)}" for turn, rolls in enumerate(dice_by_turn(sight), start=1)]
    if rolls := dice_in_sequence(sight):
        lines.append(_faces(rolls))
    return "\n".join(lines)


def outliers_answer(sight: Sight, found: Outliers) -> Json:
    """Write the outliers of a day as JSON carries them; points and standard deviations are rounded to two places."""
    return {
        "day": sight.day.isoformat(),
        "ruleset": sight.ruleset.id,
        "par": found.par,
        "above_par": found.above_par,
        "looked_at": found.looked_at,
        "outliers": [
            {
                "player": one.player,
                "name": one.name,
                "game": one.game,
                "total": one.total,
                "given": round(one.given, 2),
                "luck": round(one.luck, 2),
                "deviations": round(one.deviations, 2),
            }
            for one in found.found
        ],
    }


def outliers_text(sight: Sight, found: Outliers) -> str:
    """Write the same for people."""
    lines = [f"{sight.day.isoformat()}, {sight.ruleset.id}, par {found.par}: {found.above_par} results above par"]
    if found.looked_at < found.above_par:
        lines.append(f"The highest {found.looked_at} were looked at.")
    if not found.found:
        return "\n".join([*lines, "None of them was luckier than chance explains."])
    lines += [
        f"{one.player}  {one.name or '-'}: {one.total}, gave {one.given:.0f} away and was {one.luck:.0f} luckier than the "
        f"perfect player, {one.deviations:.1f} standard deviations"
        for one in found.found
    ]
    return "\n".join([*lines, "Once says little; the same player day after day says much."])


def _faces(rolls: list[tuple[int, ...]]) -> str:
    return "   ".join(" ".join(map(str, faces)) for faces in rolls)
