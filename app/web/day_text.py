"""The result of a daily as a text to send: total, par, how good the choices were, a link. It spoils nothing."""

from __future__ import annotations

from fastapi import Request

from app.daily import number_of
from app.play import Kind, Look
from app.play.coaching import Review
from app.play.errors import NoCoach, NotReady
from app.play.results import SHORT_ID
from app.play.sights import Sight
from app.web.result import result_total
from app.web.review import quality, squares
from app.web.service import Ask
from app.web.words import N_, Words

_BARE = N_("Fairwind #%(number)s %(ruleset)s: %(points)s")
_EVEN = N_("Fairwind #%(number)s %(ruleset)s: %(points)s (par %(par)s, even)")
_UNDER = N_("Fairwind #%(number)s %(ruleset)s: %(points)s (par %(par)s, %(away)s under)")
_OVER = N_("Fairwind #%(number)s %(ruleset)s: %(points)s (par %(par)s, %(away)s over)")
_PRACTICE = N_("%(ruleset)s, practice")

_RIGHT_TO_LEFT = "\u200f"


def first_line(number: int, name: str, total: int, par: int | None, words: Words) -> str:
    """Say which day, which game and how many points, and how far from par that is."""
    facts: dict[str, object] = {"number": number, "ruleset": name, "points": words.points(total)}
    if par is None:
        return _closed(words.say(_BARE, **facts), words)
    away = total - par
    text = _EVEN if not away else _UNDER if away < 0 else _OVER
    facts |= {"par": words.number(par), "away": words.number(abs(away))}
    return _closed(words.say(text, **facts), words)


def _closed(line: str, words: Words) -> str:
    """Keep a bracket or a stop at its end of a line that runs from right to left, also among lines that do not."""
    ends = words.direction == "rtl" and line and not line[-1].isalnum()
    return line + _RIGHT_TO_LEFT if ends else line


def text_of(first: str, found: Review | None, link: str, ask: Ask) -> str:
    """Write the text in the way that the looker likes: words alone or with squares, with the link or without."""
    lines = [first]
    if found is not None:
        lines.append(_closed(quality(found, ask.words), ask.words))
        if not ask.preferences.words_only:
            lines.extend(squares(found, ask.words))
    if link and not ask.preferences.without_link:
        lines.append(ask.words.left_to_right(link) if ask.words.direction == "ltr" else f"\u2066{link}\u2069")
    return "\n".join(lines)


def text_of_look(ask: Ask, look: Look) -> str:
    """Write the text of a finished game on the dice of a day, "" for other games and those of others."""
    if look.day is None or look.viewer is None or look.finished_at is None:
        return ""
    sight = ask.results.complete(ask.days.see(ask.player, look.day, look.state.ruleset.id), par_only=True)
    return text_of_attempt(ask, sight, look, review_of(ask, look.id, ask.player))


def text_of_attempt(ask: Ask, sight: Sight, look: Look, found: Review | None) -> str:
    """Write the text of a finished game on the dice of a day, where the day and the review are known already."""
    counted = sight.finished and sight.attempt is not None and sight.attempt.look.id == look.id
    name = ask.words.ruleset(sight.ruleset.id)
    if look.kind is Kind.PRACTICE:
        name = ask.words.say(_PRACTICE, ruleset=name)
    first = first_line(sight.number, name, result_total(look), sight.par, ask.words)
    return text_of(first, found, link_of(ask, sight, look.id) if counted else "", ask)


def review_of(ask: Ask, game_id: str, player_id: str | None) -> Review | None:
    """Review a finished game with the eyes of a player who may see it; None where nobody can, or not yet."""
    try:
        return ask.coaching.review(game_id, player_id)
    except (NotReady, NoCoach):
        return None


def link_of(ask: Ask, sight: Sight, game_id: str) -> str:
    """Give the address of a result's page, for other people."""
    return (
        origin(ask.request) + ask.served.settings.base_path + path_of(number_of(sight.day), sight.ruleset.id, game_id)
    )


def path_of(number: int, ruleset_id: str, game_id: str) -> str:
    """Give the address of a result's page below this server."""
    return f"/d/{number}/{ruleset_id}/{game_id[:SHORT_ID]}"


def origin(request: Request) -> str:
    """Give the address of this server as the looker has called it."""
    return f"{request.url.scheme}://{request.url.netloc}"
