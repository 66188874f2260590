"""The text forms that logs, tests and bug reports speak: a move, and a whole game.

A move: `r` rolls all dice, `r03` keeps positions 0 and 3 and rolls the rest, `s8` writes box 8 of the sheet (counted from 1), `u`
takes the last entry back. Frozen: stored games are written in it.

A game, on one line:

    fairwind/1 classic[joker=none] by_turn seats=2 shared key=00ff…: r r03 s8 r s1
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.game.dice import DICE_VERSION, KEY_BYTES, Addressing, Stream
from app.game.errors import Unreadable
from app.game.rules import Ruleset, text_of
from app.game.rulesets import ruleset, variant
from app.game.state import Move, Roll, Score, State, Undo, replay, start

_MOVE = re.compile(r"r(?P<keep>[0-9]*)|s(?P<box>[1-9][0-9]?)|(?P<undo>u)", re.ASCII)
_GAME = re.compile(
    rf"fairwind/{DICE_VERSION} (?P<id>\w+)(?:\[(?P<options>[^\]]*)\])? (?P<addressing>\w+)(?: seats=(?P<seats>[0-9]+))?"
    rf"(?: first=(?P<first>[0-9]+))?(?P<shared> shared)?(?P<corrections> corrections)?"
    rf" key=(?P<key>[0-9a-f]{{{2 * KEY_BYTES}}}):(?P<moves>(?: \w+)*)",
    re.ASCII,
)


def write_move(rules: Ruleset, move: Move) -> str:
    """Write a move, kept positions ascending.

    Raises:
        Unreadable: `unknown_box`.

    """
    match move:
        case Roll(keep):
            return "r" + "".join(str(place) for place in sorted(keep))
        case Score(box):
            return f"s{rules.place(box) + 1}"
        case Undo():
            return "u"


def read_move(rules: Ruleset, text: str) -> Move:
    """Read a move.

    Raises:
        Unreadable: `bad_move`.

    """
    found = _MOVE.fullmatch(text)
    if found is None:
        raise Unreadable("bad_move", f"{text!r} is not a move; moves look like r, r03, s8, u.")
    if found["undo"]:
        return Undo()
    if found["box"] is None:
        return Roll(tuple(int(place) for place in found["keep"]))
    place = int(found["box"]) - 1
    if place >= len(rules.boxes):
        raise Unreadable("bad_move", f"The sheet has {len(rules.boxes)} boxes, there is no box {place + 1}.")
    return Score(rules.boxes[place].key)


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game: what it is played by, its key, and its moves in order."""

    ruleset: Ruleset
    key: bytes
    moves: tuple[Move, ...] = ()
    addressing: Addressing = Addressing.BY_TURN
    seats: int = 1
    first: int = 0
    shared_dice: bool = False
    corrections: bool = False

    @property
    def stream(self) -> Stream:
        """The dice of the game."""
        return Stream(self.key, self.addressing)

    def start(self) -> State:
        """Set up the table."""
        return start(
            self.ruleset, self.seats, first=self.first, shared_dice=self.shared_dice, corrections=self.corrections
        )

    def play(self) -> State:
        """Replay every move.

        Raises:
            IllegalMove: the moves do not follow the rules.

        """
        return replay(self.start(), self.moves, self.stream)


def write_options(options: Mapping[str, object], id_: str) -> str:
    """Write the options that differ from the ruleset's defaults, as `name=value` with commas between."""
    defaults = variant(id_).choose({})
    return ",".join(f"{name}={text_of(value)}" for name, value in options.items() if defaults[name] != value)


def write_game(game: Game) -> str:
    """Write a game on one line."""
    options = write_options(game.ruleset.options, game.ruleset.id)
    words = [f"fairwind/{DICE_VERSION}", game.ruleset.id + (f"[{options}]" if options else ""), game.addressing.value]
    if game.seats > 1:
        words.append(f"seats={game.seats}")
    if game.first:
        words.append(f"first={game.first}")
    words += ["shared"] * game.shared_dice + ["corrections"] * game.corrections
    moves = "".join(f" {write_move(game.ruleset, move)}" for move in game.moves)
    return f"{' '.join(words)} key={game.key.hex()}:{moves}"


def read_game(text: str) -> Game:
    """Read a game; its moves are read, not played.

    Raises:
        Unreadable: `bad_game`, `bad_move`, or what is wrong with the ruleset and its options.

    """
    found = _GAME.fullmatch(text.strip())
    if found is None or found["addressing"] not in set(Addressing):
        raise Unreadable(
            "bad_game", "This is not a game's text: fairwind/1 RULESET[OPTIONS] ADDRESSING … key=HEX: MOVES."
        )
    pairs = [pair.partition("=") for pair in found["options"].split(",")] if found["options"] is not None else []
    options = {name: value for name, _, value in pairs}
    if len(options) < len(pairs):
        raise Unreadable("bad_game", "This is not a game's text: an option is given twice.")
    rules = ruleset(found["id"], options, text=True)
    return Game(
        rules,
        bytes.fromhex(found["key"]),
        tuple(read_move(rules, word) for word in found["moves"].split()),
        Addressing(found["addressing"]),
        int(found["seats"] or 1),
        int(found["first"] or 0),
        shared_dice=bool(found["shared"]),
        corrections=bool(found["corrections"]),
    )
