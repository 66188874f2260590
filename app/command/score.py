"""`fairwind score`: what dice bring in every open box of a card; with `--batch` for many, as JSON lines.

A line is `{"ruleset": "classic", "dice": [1, 1, 3, 4, 5], "card": {}, "roll": null, "options": {}}`; all but the first
two fields may be left out. What is wrong with a line is its answer, and the next line is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import BinaryIO, NoReturn, TypeGuard

from app.command.line import Json
from app.game.card import Card
from app.game.dice import Dice
from app.game.errors import Unreadable
from app.game.position import Position, position
from app.game.rulesets import ruleset

LONGEST_LINE = 16 * 1024
"""Bytes, as for a request of the JSON API; the longest sensible line has under 1,000."""
FIELDS = ("ruleset", "dice", "card", "roll", "options")
NEEDED = FIELDS[:2]


def score_answer(where: Position) -> Json:
    """Say what the dice bring in every open box, and besides; a box that a rule closes has 0 points and the reason."""
    # No score depends on the order of the dice, so one sorted roll answers for all its orders.
    dice = tuple(sorted(where.dice))
    return {
        "ruleset": where.card.ruleset.id,
        "dice": list(where.dice),
        "boxes": _boxes(where.card, dice, where.roll),
        "extra": where.card.extra_for(dice, where.roll),
    }


def score_text(where: Position) -> str:
    """Write the same for people, a line for each box."""
    previews = where.card.previews(where.dice, where.roll)
    width = max(len(box) for box in previews)
    lines = [f"{where.card.ruleset.id}: {' '.join(str(face) for face in where.dice)}"]
    for box, preview in previews.items():
        shown = f"{preview.points:5}" if preview.reason is None else f"    -  {preview.reason}"
        lines.append(f"  {box:{width}}{shown}")
    if extra := where.card.extra_for(where.dice, where.roll):
        lines.append(f"  and {extra} for a further five of a kind")
    return "\n".join(lines)


@lru_cache(maxsize=8192)
def _boxes(card: Card, dice: Dice, roll: int) -> Mapping[str, Json]:
    return {
        key: {"points": preview.points, "legal": preview.reason is None, "reason": preview.reason}
        for key, preview in card.previews(dice, roll).items()
    }


def score_lines(lines: BinaryIO) -> Iterator[str]:
    """Answer JSON lines in order, each by one line; an empty line is a wrong line."""
    for line in _lines(lines):
        yield json.dumps(_answer(line))


def _answer(line: bytes | None) -> Json:
    try:
        return score_answer(_read(line))
    except Unreadable as error:
        return {"error": {"code": error.code, "message": error.message}}


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Give each line, None for one that is too long; such a line is read past piece by piece, never held whole."""
    while line := stream.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        yield None


def _read(line: bytes | None) -> Position:
    fields = _fields(line)
    for name in fields:
        if name not in FIELDS:
            _refuse(f"There is no field {name!r} here; the fields are {', '.join(FIELDS)}.")
    for name in NEEDED:
        if name not in fields:
            _refuse(f"The field {name!r} is missing; a line needs {' and '.join(NEEDED)}.")
    chosen, dice, card = fields["ruleset"], fields["dice"], fields.get("card", {})
    roll, options = fields.get("roll"), fields.get("options", {})
    if not isinstance(chosen, str):
        _refuse("The field 'ruleset' must be a text.")
    if not isinstance(dice, list) or not all(_is_whole(face) for face in dice):
        _refuse("The field 'dice' must be a list of whole numbers.")
    if not isinstance(card, dict) or not all(_is_whole(points) for points in card.values()):
        _refuse("The field 'card' must be an object of boxes with their points, whole numbers.")
    if roll is not None and not _is_whole(roll):
        _refuse("The field 'roll' must be a whole number or null.")
    if not isinstance(options, dict):
        _refuse("The field 'options' must be an object of names with their values.")
    return position(ruleset(chosen, options), dice, card, roll)


def _is_whole(value: object) -> TypeGuard[int]:
    # bool is a kind of int in Python, but true is not a number in JSON.
    return type(value) is int


def _refuse(message: str) -> NoReturn:
    raise Unreadable("bad_request", message)


def _fields(line: bytes | None) -> Json:
    if line is None:
        raise Unreadable("too_large", f"A line has {LONGEST_LINE} bytes at most.")
    try:
        found = _DECODER.decode(line.decode())
    except (ValueError, RecursionError) as error:
        raise Unreadable("malformed_json", f"This line is not JSON: {_why(error)}.") from None
    if not isinstance(found, dict):
        _refuse(f"A line must be an object with the fields {', '.join(FIELDS)}.")
    return found


def _why(error: ValueError | RecursionError) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg} at character {error.pos + 1}"
        case UnicodeDecodeError():
            return f"byte {error.start + 1} is not UTF-8"
        case RecursionError():
            return "too many brackets stand in one another"
        case _:
            return str(error).partition(":")[0]


def _once(pairs: list[tuple[str, object]]) -> Json:
    """Make an object of its pairs; a name that comes twice could be read in two ways, so it is refused."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)
