"""What can be wrong with an input to the rules.

    GameError
    ├── Unreadable     it cannot be understood: unknown names, wrong shapes, impossible cards
    └── IllegalMove    it is understood, but the rules do not allow it now

Both carry a stable code and know nothing of HTTP or of languages.
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why the rules refuse something; the values are part of the JSON API."""

    FILLED = "filled"
    ROLL_FIRST = "roll_first"
    JOKER_UPPER = "joker_upper"
    JOKER_LOWER = "joker_lower"
    FORCED_ORDER = "forced_order"
    NO_ROLLS_LEFT = "no_rolls_left"
    NOTHING_TO_ROLL = "nothing_to_roll"
    LOCKED_DIE = "locked_die"
    NOTHING_TO_UNDO = "nothing_to_undo"
    GAME_OVER = "game_over"
    NOT_YOUR_TURN = "not_your_turn"


class GameError(Exception):
    """Anything the rules refuse."""

    code: str


class Unreadable(GameError):
    """An input that means nothing: an unknown name, a wrong shape, a card that cannot arise."""

    def __init__(self, code: str, message: str) -> None:
        """Take a stable `code` and a `message` in plain English that names what is allowed."""
        super().__init__(message)
        self.code = code
        self.message = message


class IllegalMove(GameError):
    """A move that the rules do not allow in this state."""

    def __init__(self, reason: Reason) -> None:
        """Take the `reason`; its value is the code."""
        super().__init__(reason.value)
        self.reason = reason
        self.code = reason.value
