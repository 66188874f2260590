"""Computer players for tests: quick, plain, and never at a loss for a table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fastapi import FastAPI

from app.game.errors import Unreadable
from app.game.rules import Ruleset
from app.game.state import Move, Roll, Score, State, legal
from app.play import Computers

LEVELS = ("novice", "casual", "skilled", "perfect")


@dataclass(slots=True)
class Beginner:
    """A computer player that keeps nothing, rolls twice, and takes the first box of the most points.

    `wait`: the seconds for which everybody is told to wait; `seen`: what there was to see at each choice.
    """

    wait: int = 0
    seen: list[State] = field(default_factory=list)

    def seconds_to_wait(self, ruleset: Ruleset, level: str) -> int:
        """Wait as long as the test says."""
        if level not in LEVELS:
            raise Unreadable("unknown_level", f"There is no {level!r} for {ruleset.id}: {', '.join(LEVELS)}.")
        return self.wait

    def seconds_left(self, ruleset: Ruleset) -> int | None:
        """Wait as long as the test says."""
        del ruleset
        return self.wait

    def choose(self, state: State, level: str) -> Move:
        """Choose, and note what there was to see."""
        del level
        self.seen.append(state)
        return Roll(self.keep(state)) if state.roll < 2 else Score(best_box(state))

    def keep(self, state: State) -> tuple[int, ...]:
        """Choose what stays on the table."""
        del state
        return ()


class Keeper(Beginner):
    """The same, but it keeps the face of which there is most."""

    __slots__ = ()

    def keep(self, state: State) -> tuple[int, ...]:
        """Keep that face, but never all dice."""
        if state.dice is None:
            return ()
        face = max(state.dice, key=state.dice.count)
        kept = tuple(place for place, found in enumerate(state.dice) if found == face)
        return kept if len(kept) < len(state.dice) else kept[1:]


def best_box(state: State) -> str:
    """Choose the box that brings the most points now, the first such."""
    boxes = legal(state).boxes
    return max(boxes, key=lambda box: boxes[box])


def seat_computers(app: FastAPI, computers: Computers) -> None:
    """Put these into the computers' chairs."""
    service = app.state.service
    app.state.service = replace(service, play=replace(service.play, computers=computers))
