"""What can be wrong with a request.

    PlayError
    ├── UnknownGame     there is no such game
    ├── NotYourSeat     the looker may not see or move this game
    ├── NotReady        the table of a game is still being worked out; says for how long
    ├── NoCoach         nobody can say what is best under these rules; says why
    ├── NoHints         games of this kind are played without hints
    ├── NotFinished     only a finished game has a review
    ├── UnknownDay      there is no such day
    ├── DayToCome       the day has not begun
    ├── DayOpen         the day's count has not closed, and what is asked for is kept back until then
    ├── NoDaily         there is no daily by this ruleset
    ├── UnknownResult   there is no such result of a day
    ├── Deleted         whose result it was has deleted it
    ├── Nobody          who asks has no history here
    ├── UnknownLink     there is no such link to another device's history
    ├── SpentLink       that link has been used, or is too old
    ├── WrongCode       nobody has this recovery code
    ├── BadName         a name that cannot be had; says why
    ├── BadPreference   a setting that there is not, or that cannot be so; says what can be
    └── StaleGame       the game has moved on since the page was shown; carries the present look

The rules' own errors (`Unreadable`, `IllegalMove`) pass through. Nothing here knows of HTTP.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.play.looks import Look


class PlayError(Exception):
    """A request that cannot be carried out."""


class UnknownGame(PlayError):
    """There is no such game."""


class NotYourSeat(PlayError):
    """The looker has no seat in this game, and it is not open to others."""


class NotReady(PlayError):
    """A computer player or the coach needs a table that is being worked out: about so many `seconds` more."""

    def __init__(self, seconds: int) -> None:
        """Take the whole seconds to wait, at least 1."""
        super().__init__("the computer is working the game out")
        self.seconds = seconds


class Unadvised(StrEnum):
    """Why there is no coach for a ruleset."""

    UNSOLVABLE = "unsolvable"
    NOT_SOLVED = "not_solved"


class NoCoach(PlayError):
    """Nobody can say what is best under these rules: `why`, and in a `message` in plain English."""

    def __init__(self, why: Unadvised, message: str) -> None:
        """Take both."""
        super().__init__(message)
        self.why = why
        self.message = message


class NoHints(PlayError):
    """Games of this kind are played without hints."""


class NotFinished(PlayError):
    """The game goes on, or was given up, so there is nothing to review."""


class UnknownDay(PlayError):
    """There is no such day: it lies before number 1."""


class DayToCome(PlayError):
    """The day has not begun, so nothing can be played or seen of it."""


class DayOpen(PlayError):
    """The day's count has not closed: until then this is for those who have finished it, or for nobody."""


class NoDaily(PlayError):
    """There is no daily by this ruleset; the `message` says in plain English which there are."""

    def __init__(self, message: str) -> None:
        """Take the message."""
        super().__init__(message)
        self.message = message


class UnknownResult(PlayError):
    """There is no such result of a day."""


class Deleted(PlayError):
    """Whose result it was has deleted it."""


class Nobody(PlayError):
    """Who asks has no history here: nothing has been played or set in this browser."""


class UnknownLink(PlayError):
    """There is no such link to another device's history."""


class SpentLink(PlayError):
    """The link to another device's history has been used (`used`), or is too old."""

    def __init__(self, *, used: bool) -> None:
        """Take which of both."""
        super().__init__("used" if used else "expired")
        self.used = used


class WrongCode(PlayError):
    """Nobody has this recovery code."""


class StaleGame(PlayError):
    """The game is not where the request saw it; `look` is the present one."""

    def __init__(self, look: Look) -> None:
        """Carry the present look."""
        super().__init__("the game has moved on")
        self.look = look
