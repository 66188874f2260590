"""What a player sees of a day of the daily challenge, and what is open of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from app.daily import day_of, is_closed, number_of
from app.game.dice import Addressing, Dice, Stream
from app.game.rules import Ruleset
from app.play.looks import Look


class Phase(StrEnum):
    """Where a day stands. `ENDED`: the next one has begun, and attempts begun in time can still be finished for the count."""

    TO_COME = "to_come"
    TODAY = "today"
    ENDED = "ended"
    CLOSED = "closed"


class Standing(StrEnum):
    """How a player's attempt of a day stands. `LAPSED`: it was not finished before the day closed."""

    PLAYING = "playing"
    FINISHED = "finished"
    GIVEN_UP = "given_up"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A player's counted attempt: the game as it stands, and its total if it counts."""

    look: Look
    standing: Standing
    total: int | None


@dataclass(frozen=True, slots=True)
class Sight:
    """A day by one ruleset as one player sees it at a moment, `now`.

    `sealed`: its commitment was published before it began. `key`, `best` and `best_line` are None until the day has closed; `par`
    until then for those who have not finished the day; all of them while they are not worked out.
    """

    day: date
    ruleset: Ruleset
    addressing: Addressing
    dice_version: int
    commitment: str
    phase: Phase
    sealed: bool
    excused: bool
    now: datetime
    attempt: Attempt | None = None
    key: bytes | None = field(default=None, repr=False)
    par: int | None = None
    best: int | None = None
    best_line: str | None = None

    @property
    def number(self) -> int:
        """The number of the day."""
        return number_of(self.day)

    @property
    def closed(self) -> bool:
        """Tell whether the count has closed, so that everything is open."""
        return self.phase is Phase.CLOSED

    @property
    def finished(self) -> bool:
        """Tell whether the player has finished the counted attempt."""
        return self.attempt is not None and self.attempt.standing is Standing.FINISHED

    @property
    def may_see_others(self) -> bool:
        """Tell whether the player may see what others did on that day."""
        return self.closed or self.finished


def phase_of(day: date, now: datetime) -> Phase:
    """Say where a day stands."""
    if is_closed(day, now):
        return Phase.CLOSED
    today = day_of(now)
    return Phase.TO_COME if day > today else Phase.TODAY if day == today else Phase.ENDED


def all_dice(rules: Ruleset, stream: Stream) -> tuple[tuple[Dice, ...], ...]:
    """Give all dice that a key holds for a game alone: by turn, by roll; in the order `continuous` as when every roll is used."""
    return tuple(
        tuple(stream.faces(rules.dice, 0, turn + 1, roll + 1, turn * rules.rolls + roll) for roll in range(rules.rolls))
        for turn in range(len(rules.boxes))
    )


def dice_by_turn(sight: Sight) -> list[list[Dice]]:
    """Give all dice of a closed day: by turn, by roll (by_turn); [] while they are secret or where the order is another."""
    if sight.key is None or sight.addressing is not Addressing.BY_TURN:
        return []
    return [list(rolls) for rolls in all_dice(sight.ruleset, Stream(sight.key, sight.addressing))]


def dice_in_sequence(sight: Sight) -> list[Dice]:
    """Give all dice of a closed day roll by roll (continuous); [] while they are secret or where the order is another."""
    if sight.key is None or sight.addressing is not Addressing.CONTINUOUS:
        return []
    return [faces for rolls in all_dice(sight.ruleset, Stream(sight.key, sight.addressing)) for faces in rolls]


def opened_values(sight: Sight) -> dict[str, object]:
    """Give what opens at the close, ready for JSON: the key in hexadecimal, all dice, par and best; {} before it.

    `dice` are by turn, roll and die; where the order is `continuous`, `sequence` has all faces one after the other.
    """
    if sight.key is None:
        return {}
    dice: dict[str, object] = {"dice": [[list(faces) for faces in turn] for turn in dice_by_turn(sight)]}
    if sight.addressing is Addressing.CONTINUOUS:
        dice = {"sequence": [face for faces in dice_in_sequence(sight) for face in faces]}
    return {"key": sight.key.hex(), **dice, "par": sight.par, "best": sight.best}
