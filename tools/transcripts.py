"""Golden games: each file in tests/transcripts is a game's text and, below it, everything that its moves did.

`python -m tools.transcripts` writes what the rules say now below the text of every game; `git diff` shows what changed.
A new one: write its `#` lines and its game line into a new file there, and run the command.

    # what to look at
    fairwind/1 classic by_turn key=…: r r34 s6 …
    seat.turn move dice | open boxes that score, `rest 0`; boxes that a rule closes, by reason; the extra bonus
    seat.turn move box points, what else changed on any card | upper sum with its bonus, total of the seat

A kept die is marked with `*`. An undo stands as the turn that it reopens.
"""

from __future__ import annotations

from pathlib import Path

from app.game.notation import read_game, write_move
from app.game.state import Legal, Move, Roll, Score, State, Undo, apply, legal, outcome

FOLDER = Path(__file__).parents[1] / "tests" / "transcripts"


def transcript(text: str) -> str:
    """Write a game's transcript: `text` is its `#` lines and its game line; what stands below is made anew.

    Raises:
        GameError: the game cannot be read, or its moves break the rules.

    """
    head = []
    for line in text.splitlines():
        head.append(line)
        if not line.startswith("#"):
            break
    game = read_game(head[-1])
    lines, state = [], game.start()
    for move in game.moves:
        after = apply(state, move, game.stream)
        lines.append(_line(state, move, after))
        state = after
    return "\n".join([*head, *lines, *_end(state)]) + "\n"


def _line(state: State, move: Move, after: State) -> str:
    shown = after if isinstance(move, Undo) else state
    start = f"{shown.to_play}.{shown.turn:<2} {write_move(state.ruleset, move):6}"
    match move:
        case Roll():
            return f"{start} {_faces(after)} | {_offer(after)}"
        case Score(box):
            parts = [
                f"{box} {after.seats[state.to_play].card.points[state.ruleset.place(box)]}",
                *_changes(state, after, box),
            ]
            return f"{start} {', '.join(parts)} | {_sums(after, state.to_play)}"
        case Undo():
            return f"{start} {_faces(after)} | {_offer(after)} | {_sums(after, after.to_play)}"


def _faces(state: State) -> str:
    """Write the dice; a kept one is followed by a mark."""
    return "".join(f"{face}{'*' if place in state.kept else ' '}" for place, face in enumerate(state.dice or ()))


def _offer(state: State) -> str:
    """Write what may be chosen now, and what may not and why."""
    found = legal(state)
    if state.over:
        return "wins at once"
    scoring = [f"{box} {points}" for box, points in found.boxes.items() if points]
    rest = ["rest 0"] if len(scoring) < len(found.boxes) else []
    extra = state.card.extra_for(state.dice or (), state.roll)
    more = [f"extra {extra}"] if extra else []
    left = [f"{state.rolls_left} rolls left"] if state.ruleset.saved_rolls else []
    return "; ".join([", ".join(scoring + rest), *_closed(found), *more, *left])


def _closed(found: Legal) -> list[str]:
    """Write the open boxes that a rule closes, by reason."""
    reasons = {reason for reason in found.closed.values() if reason.value != "filled"}
    return [
        f"{reason.value}: " + " ".join(box for box, why in found.closed.items() if why is reason)
        for reason in sorted(reasons)
    ]


def _changes(state: State, after: State, written: str) -> list[str]:
    """Write what an entry changed besides its own box: the extra bonus, saved rolls, and zeros on other cards."""
    changes = []
    for number, (old, new) in enumerate(zip(state.seats, after.seats, strict=True)):
        who = "" if number == state.to_play else f"seat {number}: "
        if new.card.extra != old.card.extra:
            changes.append(f"{who}extra +{new.card.extra - old.card.extra}")
        if new.pool != old.pool:
            changes.append(f"{who}pool {new.pool}")
        for box, before, now in zip(state.ruleset.boxes, old.card.points, new.card.points, strict=True):
            if before != now and (who or box.key != written):
                changes.append(f"{who}{box.key} {now}")
    return changes


def _sums(state: State, seat: int) -> str:
    card = state.seats[seat].card
    bonus = f"+{card.upper_bonus}" if card.upper_bonus else ""
    return f"upper {card.upper_sum}{bonus}, total {card.total}"


def _end(state: State) -> list[str]:
    found = outcome(state)
    if found is None:
        return ["goes on"]
    totals = " ".join(str(seat.card.total) for seat in state.seats)
    assisted = ", assisted" if state.assisted else ""
    won = "draw between" if found.draw else "won by"
    return [f"totals {totals}, {won} {' '.join(str(seat) for seat in found.winners)}{assisted}"]


def main() -> None:
    """Write every transcript anew, and say which of them changed."""
    for path in sorted(FOLDER.glob("*.txt")):
        old = path.read_text(encoding="utf-8")
        new = transcript(old)
        if new != old:
            path.write_text(new, encoding="utf-8")
            print(f"{path.name} changed")


if __name__ == "__main__":
    main()
