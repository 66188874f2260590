"""The contexts of the pages: one dataclass a page, whose fields are what its template shows. The table's is in app.web.table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.game.dice import Addressing
from app.game.rules import Ruleset
from app.game.rulesets import ruleset
from app.game.state import Roll, Score
from app.play import Ended, Event, Kind, Look, SeatInfo
from app.store import Totals
from app.web import levels, opponents
from app.web.levels import Level
from app.web.table import TableView, table
from app.web.words import N_, Words

__all__ = ["TableView", "error", "games", "home", "log", "not_ready", "stats", "table"]


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
    """The first page: the latest open game, how many others there are, and the computers to play against.

    `waiting` says that these are not ready yet ("" otherwise).
    """

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
class Standing:
    """The player's finished games of one sort: texts, "–" where there is nothing to tell."""

    ruleset: str
    details: tuple[str, ...]
    played: str
    abandoned: str
    best: str
    mean: str
    spread: str


@dataclass(frozen=True, slots=True)
class StatsView:
    """Best, mean and spread by ruleset: games alone, against others, and apart from them the assisted ones of both kinds."""

    counted: tuple[Standing, ...]
    contests: tuple[Standing, ...]
    assisted: tuple[Standing, ...]


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


def home(open_games: Sequence[Look], words: Words, *, seconds_left: int | None = None) -> HomeView:
    """Show what can be played now; `open_games` newest first, `seconds_left` until the computers are ready."""
    latest = _open_game(open_games[0], words) if open_games else None
    return HomeView(
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
        words.ruleset(state.ruleset.id),
        _against(look.seats, look.viewer, words),
        words.say(N_("Turn %(turn)s of %(turns)s"), turn=state.turn, turns=len(state.ruleset.boxes)),
        words.points(state.seats[look.viewer or 0].card.total),
        words.date(look.created_at),
    )


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
    day = words.date(row.finished_at) if row.finished_at else ""
    mark = words.say(N_("assisted")) if row.assisted else ""
    return FinishedGame(row.id, words.ruleset(row.ruleset), _against(seats, game.seat, words), total, day, mark)


def stats(totals: Iterable[Totals], words: Words) -> StatsView:
    """Show best, mean and spread."""
    counted: list[Standing] = []
    contests: list[Standing] = []
    assisted: list[Standing] = []
    for total in totals:
        contested = total.kind == Kind.COMPUTER
        if total.assisted:
            details = (words.say(N_("against computers")),) if contested else ()
            assisted.append(_standing(total, words, details))
        else:
            (contests if contested else counted).append(_standing(total, words))
    return StatsView(tuple(counted), tuple(contests), tuple(assisted))


def _standing(total: Totals, words: Words, details: tuple[str, ...] = ()) -> Standing:
    rules = ruleset(total.ruleset, json.loads(total.options))
    figures = total.finished
    return Standing(
        ruleset=words.ruleset(rules.id),
        details=(*details, *words.chosen(rules)),
        played=words.number(figures.count),
        abandoned=words.number(total.abandoned),
        best=_or_dash(figures.best, words),
        mean=_or_dash(figures.mean, words),
        spread=_or_dash(figures.deviation, words),
    )


def _or_dash(number: float | None, words: Words) -> str:
    match number:
        case None:
            return "–"
        case int():
            return words.number(number)
        case _:
            return words.mean(number)


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
    "not_finished": N_("There is no review yet"),
    "no_coach": N_("There is no review of this game"),
    "no_hints": N_("There are no hints here"),
    "store_unavailable": N_("One moment, please"),
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
    "not_finished": N_("A game can be reviewed once it is finished."),
    "no_coach": N_("Nobody can say what is best under these rules: they are not solved exactly."),
    "no_hints": N_("In this kind of game everybody decides alone."),
    "store_unavailable": N_("The games cannot be reached just now. Nothing is lost; please try again."),
    "internal": N_("Your games are safe. It is our fault, and it has been noted down."),
}


def not_ready(seconds: int, fields: Sequence[tuple[str, str]], words: Words) -> ErrorView:
    """Say how long the computers still need for the game that was asked for by these fields of a form."""
    return ErrorView(
        503, words.gettext(_HEADINGS["not_ready"]), levels.waiting(seconds, words), "", again=tuple(fields)
    )


def error(status: int, code: str, words: Words, *, sentence: str | None = None) -> ErrorView:
    """Show that a page could not be shown; `sentence` says more than the code does."""
    known = code if code in _HEADINGS else "bad_request"
    return ErrorView(status, words.gettext(_HEADINGS[known]), words.gettext(_SENTENCES[known]), sentence or "")
