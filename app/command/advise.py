"""`fairwind advise`: what every keep and every box is worth for some dice on a card, and which of them is best."""

from __future__ import annotations

from collections.abc import Sequence

from app.coach.advice import Advice, Choice
from app.command.line import Json
from app.game.dice import Dice

SHOWN = 8
"""So many keeps are shown to people, the best first."""


def advise_answer(advice: Advice) -> Json:
    """Say what every choice is worth, in points from now to the end of the game."""
    return {
        "best": _best(advice.best),
        "keeps": [{"keep": list(one.keep), "expected": one.expected} for one in advice.keeps],
        "boxes": dict(advice.boxes),
        "value": advice.value,
    }


def _best(choice: Choice) -> Json:
    if isinstance(choice, str):
        return {"action": "score", "box": choice}
    return {"action": "roll", "keep": list(choice)}


def advise_text(ruleset: str, dice: Sequence[int], advice: Advice) -> str:
    """Write the same for people: the best, the best keeps, and every box."""
    best = f"score {advice.best}" if isinstance(advice.best, str) else _keep(advice.best)
    lines = [f"{ruleset}: {_faces(dice)}", f"Best: {best}, {advice.value:.2f} points to come on average."]
    if advice.keeps:
        shown = advice.keeps[:SHOWN]
        more = len(advice.keeps) - len(shown)
        lines += ["", *(f"  {_keep(one.keep):24}{one.expected:9.2f}" for one in shown)]
        lines += [f"  and {more} more keeps"] if more else []
    width = max(len(box) for box in advice.boxes)
    return "\n".join([*lines, "", *(f"  {box:{max(width, 23)}} {worth:9.2f}" for box, worth in advice.boxes.items())])


def _keep(keep: Dice) -> str:
    return f"keep {_faces(keep)}" if keep else "roll all dice again"


def _faces(dice: Sequence[int]) -> str:
    return " ".join(str(face) for face in dice)
