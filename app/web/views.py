"""The contexts of the pages: one dataclass a page, whose fields are what its template shows. The table's is in app.web.table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil

from app.game.dice import Addressing
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from app.game.state import Roll, Score
from app.play import Ended, Event, Kind, Look, SeatInfo
from app.web import levels, opponents
from app.web.day_views import TodayView
from app.web.day_words import day_name
from app.web.levels import Level
from app.web.table import TableView, table
from app.web.words import N_, P_, Words

__all__ = ["TableView", "error", "games", "home", "log", "not_ready", "table"]


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game to go on with: its id and version, what it is, against whom ("" alone), how far, its total, and when it was begun."""

    id: str
    version: int
    ruleset: str
    against: str
    turn: str
    total: str
    begun: str


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game in a list: `total` alone, against others how it ended; `mark` says when it counts apart ("" otherwise)."""

    id: str
    ruleset: str
    against: str
    total: str
    day: str
    mark: str


@dataclass(frozen=True, slots=True)
class HomeView:
    """The first page: today's daily, the latest other open game, how many more there are, and the computers to play against.

    `waiting` says that these are not ready yet ("" otherwise).
    """

    today: TodayView | None
    latest: OpenGame | None
    others: int
    levels: tuple[Level, ...]
    waiting: str


@dataclass(frozen=True, slots=True)
class GamesView:
    """The player's games: open ones to go on with or give up, and the latest finished ones, alone and against others."""

    unfinished: tuple[OpenGame, ...]
    alone: tuple[FinishedGame, ...]
    contests: tuple[FinishedGame, ...]


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry of a log: where it stands, whose it is ("" alone), its dice with the kept ones marked, and what was done."""

    number: int
    turn: int
    who: str
    dice: tuple[tuple[int, bool], ...]
    deed: str


@dataclass(frozen=True, slots=True)
class LogView:
    """Every entry of a game with its dice, the commitment given at the start, and the key once it is open ("" before).

    `several`: there are seats to tell apart; `begins` says who threw what to begin ("" for nobody).
    """

    game: str
    ruleset: str
    house_rules: tuple[str, ...]
    day: str
    addressing: str
    by_turn: bool
    dice_version: int
    commitment: str
    key: str
    lines: tuple[LogLine, ...]
    finished: bool
    several: bool
    begins: str


@dataclass(frozen=True, slots=True)
class ErrorView:
    """A page that could not be shown: what happened, what can be done, and in English what exactly was wrong ("" for nothing).

    `again` holds the fields of a form that asks for a game once more, () for none.
    """

    status: int
    heading: str
    sentence: str
    detail: str
    again: tuple[tuple[str, str], ...] = ()


def home(
    open_games: Sequence[Look], words: Words, *, today: TodayView | None = None, seconds_left: int | None = None
) -> HomeView:
    """Show what can be played now; `open_games` newest first, `seconds_left` until the computers are ready."""
    latest = _open_game(open_games[0], words) if open_games else None
    return HomeView(
        today,
        latest,
        max(len(open_games) - 1, 0),
        levels.levels(ruleset("classic"), words),
        levels.waiting(seconds_left, words),
    )


def games(open_games: Iterable[Look], finished: Iterable[Ended], words: Words) -> GamesView:
    """List the player's games."""
    ended = [(len(game.row.seats) > 1, _finished_game(game, words)) for game in finished]
    return GamesView(
        tuple(_open_game(look, words) for look in open_games),
        tuple(game for contested, game in ended if not contested),
        tuple(game for contested, game in ended if contested),
    )


def _against(seats: Sequence[SeatInfo], own: int | None, words: Words) -> str:
    others = [seat for place, seat in enumerate(seats) if place != (own or 0)]
    return words.say(N_("against %(opponents)s"), opponents=opponents.against(others, words)) if others else ""


def _open_game(look: Look, words: Words) -> OpenGame:
    state = look.state
    return OpenGame(
        look.id,
        look.version,
        _game_name(state.ruleset.id, look.kind, look.day, words),
        _against(look.seats, look.viewer, words),
        words.say(N_("Turn %(turn)s of %(turns)s"), turn=state.turn, turns=len(state.ruleset.boxes)),
        words.points(state.seats[look.viewer or 0].card.total),
        words.date(look.created_at),
    )


def _game_name(ruleset_id: str, kind: str, day: date | None, words: Words) -> str:
    """Name a game by its rules, and by the day whose dice it is played on."""
    name = words.ruleset(ruleset_id)
    if day is None:
        return name
    return words.say(N_("%(game)s, %(day)s"), game=name, day=day_name(kind, day, words))


def _finished_game(game: Ended, words: Words) -> FinishedGame:
    row = game.row
    scores = [seat.score or 0 for seat in row.seats]
    total = words.number(scores[game.seat])
    if len(scores) > 1:
        others = [score for seat, score in enumerate(scores) if seat != game.seat]
        total = opponents.score_line(scores[game.seat], others, opponents.ending(game.outcome, game.seat), words)
        if row.shared_dice:
            total = words.say(N_("%(result)s, same dice"), result=total)
    seats = [SeatInfo(seat.name, seat.computer) for seat in row.seats]
    # A daily stands under its own day, also when it was finished after midnight.
    own_day = row.day if row.kind == Kind.DAILY else row.finished_at
    day = words.date(own_day) if own_day else ""
    mark = words.say(N_("assisted")) if row.assisted else ""
    name = _game_name(row.ruleset, row.kind, row.day, words)
    return FinishedGame(row.id, name, _against(seats, game.seat, words), total, day, mark)


def log(look: Look, events: Sequence[Event], words: Words) -> LogView:
    """Show every entry of a game."""
    rules = look.state.ruleset
    names = opponents.seat_names(look.seats, look.viewer, words) if len(look.seats) > 1 else ("",)
    return LogView(
        game=look.id,
        ruleset=words.ruleset(rules.id),
        house_rules=words.chosen(rules),
        day=words.date(look.created_at),
        addressing=words.gettext(_ADDRESSING[look.addressing]),
        by_turn=look.addressing is Addressing.BY_TURN,
        dice_version=look.dice_version,
        commitment=look.commitment,
        key="" if look.key is None else look.key.hex(),
        lines=tuple(
            _log_line(number, event, names[event.seat], rules, words) for number, event in enumerate(events, start=1)
        ),
        finished=look.finished_at is not None,
        several=len(look.seats) > 1,
        begins=opponents.who_begins(look, words),
    )


_ADDRESSING = {
    Addressing.BY_TURN: N_("every turn and every roll has dice of its own"),
    Addressing.CONTINUOUS: N_("one roll after the other through the whole game"),
}


def _log_line(number: int, event: Event, who: str, rules: Ruleset, words: Words) -> LogLine:
    kept: tuple[int, ...] = ()
    match event.move:
        case Roll(keep):
            kept = keep
            deed = words.say(N_("Roll %(roll)s"), roll=event.roll)
        case Score(box):
            deed = words.say(N_("%(box)s: %(points)s"), box=words.box(box, rules.id), points=words.points(event.points))
            if event.extra:
                deed = words.say(N_("%(scored)s, and %(extra)s extra"), scored=deed, extra=event.extra)
        case _:
            deed = words.say(N_("Taken back"))
    dice = tuple((face, place in kept) for place, face in enumerate(event.dice or ()))
    return LogLine(number, event.turn, who, dice, deed)


_HEADINGS = {
    "unknown_game": N_("There is no such game"),
    "not_your_seat": N_("This game belongs to somebody else"),
    "no_player": N_("This game cannot be shown here"),
    "not_found": N_("There is nothing here"),
    "cross_site": N_("That came from another site"),
    "too_large": N_("That was too much"),
    "unknown_host": N_("Not at this address"),
    "method_not_allowed": N_("That cannot be done here"),
    "bad_request": N_("That could not be understood"),
    "not_ready": N_("The computer is still thinking"),
    "too_often": N_("That was a lot in a short time"),
    "not_finished": N_("There is no review yet"),
    "no_coach": N_("There is no review of this game"),
    "no_hints": N_("There are no hints here"),
    "bad_day": N_("There is no such day"),
    "unknown_day": N_("There is no such day"),
    "day_to_come": N_("That day is yet to come"),
    "day_open": N_("That day is not closed yet"),
    "no_daily": N_("There is no daily of this game"),
    "unknown_result": N_("There is no such result"),
    "deleted": N_("This result was deleted"),
    "nobody": N_("There is nothing of yours here yet"),
    "unknown_link": N_("There is no such link"),
    "used_link": N_("This link has been used"),
    "expired_link": N_("This link is too old"),
    "store_unavailable": N_("One moment, please"),
    "read_only": N_("Just looking, for now"),
    "too_slow": N_("That took too long"),
    "internal": N_("Something went wrong"),
}

_SENTENCES = {
    "unknown_game": N_("Its address may be mistyped, or the game was deleted."),
    "not_your_seat": N_(
        "It can be watched once it is finished. If it is yours, open it in the browser in which you began it."
    ),
    "no_player": N_(
        "Playing needs one cookie, which tells the server that a game is yours. This browser sent none: allow cookies for this "
        "site and begin a game. The rules can be read without."
    ),
    "not_found": N_("The address may be mistyped, or the page has moved."),
    "cross_site": N_("To be safe, nothing was done. Open the page here and try again."),
    "too_large": N_("Nothing was changed."),
    "unknown_host": N_("This server does not answer under the name that was asked for."),
    "method_not_allowed": N_("Nothing was changed."),
    "bad_request": N_("Nothing was changed. Go back and try again."),
    "not_ready": N_("This game is being worked out. Please try again in a moment."),
    "too_often": N_("Nothing was changed. Please try again in a while."),
    "not_finished": N_("A game can be reviewed once it is finished."),
    "no_coach": N_("Nobody can say what is best under these rules: they are not solved exactly."),
    "no_hints": N_("In this kind of game everybody decides alone."),
    "bad_day": N_("A day is written like 2026-11-29."),
    "unknown_day": N_("Number 1 was 1 January 2026."),
    "day_to_come": N_("Its dice are sealed already, and it can be played once it has begun."),
    "day_open": N_(
        "Until a day closes, at 06:00 UTC of the day after, its games are kept back from those who have not finished it, and "
        "practice from everybody."
    ),
    "unknown_result": N_("Its address may be mistyped; each result has the address that its text ends with."),
    "deleted": N_("Whoever it belonged to has deleted all that was stored of them."),
    "no_daily": N_("Every game can be played at any time, but only some have a daily."),
    "nobody": N_(
        "This browser has no history, or was signed out. Begin a game, or go on with a link or a recovery code."
    ),
    "unknown_link": N_("Its address may be mistyped. Make a new link on the device that you want to go on from."),
    "used_link": N_("Each link is good once. Make a new one on the device that you want to go on from."),
    "expired_link": N_("A link is good for 15 minutes. Make a new one on the device that you want to go on from."),
    "read_only": N_(
        "The server is being looked after: everything is there and can be looked at, but nothing can be changed. Please try again "
        "in a few minutes."
    ),
    "too_slow": N_("Nothing was changed. Please try again."),
    "store_unavailable": N_("The games cannot be reached just now. Nothing is lost; please try again."),
    "internal": N_("Your games are safe. It is our fault, and it has been noted down."),
}


def not_ready(seconds: int, fields: Sequence[tuple[str, str]], words: Words) -> ErrorView:
    """Say how long the computers still need for the game that was asked for by these fields of a form."""
    return ErrorView(
        503, words.gettext(_HEADINGS["not_ready"]), levels.waiting(seconds, words), "", again=tuple(fields)
    )


def too_often(seconds: int, words: Words) -> ErrorView:
    """Say that somebody did something too often, and in how many seconds it may be tried again."""
    many, number = (_TRY_IN_SECONDS, seconds) if seconds <= _LONG else (_TRY_IN_MINUTES, ceil(seconds / 60))
    wait = words.count(*many, number)
    return ErrorView(429, words.gettext(_HEADINGS["too_often"]), wait, "")


_LONG = 90
"""The longest wait that is told in seconds."""
_TRY_IN_SECONDS = P_(
    "Nothing was changed. Please try again in %(n)s second.",
    "Nothing was changed. Please try again in %(n)s seconds.",
)
_TRY_IN_MINUTES = P_(
    "Nothing was changed. Please try again in %(n)s minute.",
    "Nothing was changed. Please try again in %(n)s minutes.",
)


def error(status: int, code: str, words: Words, *, sentence: str | None = None) -> ErrorView:
    """Show that a page could not be shown; `sentence` says more than the code does."""
    known = code if code in _HEADINGS else "bad_request"
    return ErrorView(status, words.gettext(_HEADINGS[known]), words.gettext(_SENTENCES[known]), sentence or "")
