"""A finished game: how it ended, how it stands among the player's own, and the text to send."""

from __future__ import annotations

from dataclasses import dataclass

from app.play import Kind, Look, Record
from app.web.opponents import Ending, ending_of, result_line, text_of_result, why
from app.web.words import N_, P_, Words


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game: headline, how it came about and stands among the player's own, and the text to copy.

    `glad`: there is a new best, or others were beaten.
    """

    headline: str
    glad: bool
    lines: tuple[str, ...]
    text: str


def result(look: Look, words: Words, record: Record | None) -> Result:
    """Show how a finished game ended; `record`: how it stands among the player's own (None: not the looker's)."""
    how = ending_of(look)
    if how is not None:
        return _result_against(look, words, record, how)
    points = words.points(result_total(look))
    new_best = record is not None and record.new_best
    headline = words.say(N_("%(points)s, new best"), points=points) if new_best else points
    text = words.say(N_("Fairwind %(ruleset)s: %(result)s"), ruleset=words.game(look.state.ruleset), result=headline)
    return Result(headline, new_best, _standing(look, words, record), text)


def _result_against(look: Look, words: Words, record: Record | None, how: Ending) -> Result:
    line = result_line(look, how, words)
    lines = (*why(look, how, words), *_standing(look, words, record))
    return Result(line, how is Ending.WON, lines, text_of_result(look, line, words))


_CORRECTED = N_("An entry was taken back, so this game counts as assisted, apart from the others.")
_ALONE = P_("%(n)s game, mean %(mean)s", "%(n)s games, mean %(mean)s")
_HINTED = N_("A hint was asked for, so this game counts as assisted, apart from the others.")


def _standing(look: Look, words: Words, record: Record | None) -> tuple[str, ...]:
    """Say by which unusual rules it was played, and how a finished game stands among the player's own."""
    lines = list(words.chosen(look.state.ruleset))
    if record is None:
        return tuple(lines)
    if look.state.assisted:
        assisted = _HINTED if look.hints else _CORRECTED
        lines.append(words.gettext(assisted))
    if look.kind is Kind.COMPUTER:
        if record.new_best and record.best is not None:
            lines.append(words.say(N_("Your best against computers")))
        return tuple(lines)
    if record.best is not None:
        before = N_("Best before %(best)s") if record.new_best else N_("Best %(best)s")
        lines.append(words.say(before, best=words.number(record.best)))
    if record.mean is not None:
        lines.append(words.count(*_ALONE, record.count, mean=words.mean(record.mean)))
    return tuple(lines)


def result_total(look: Look) -> int:
    """Give the total of the seat that the page is about."""
    return look.state.seats[look.viewer or 0].card.total
