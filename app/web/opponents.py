"""The others at the table: their names, their turns, who threw what for the first turn, and how a game against them ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from app.game.state import Outcome, Roll, Score, State, outcome
from app.play import Event, Look, SeatInfo
from app.play.plan import Throws
from app.web.words import N_, Words, isolated


@dataclass(frozen=True, slots=True)
class Throw:
    """One roll of another seat: each die with whether it was kept for the next roll, and the same as read out."""

    dice: tuple[tuple[int, bool], ...]
    said: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of another seat: whose, its rolls, and what was written ("" where the roll itself ended the game).

    `latest`: the seat has had no later one.
    """

    name: str
    throws: tuple[Throw, ...]
    deed: str
    latest: bool


class Ending(StrEnum):
    """How a game against others ended for one of them."""

    WON = N_("won")
    LOST = N_("lost")
    DRAW = N_("draw")


def seat_names(seats: Sequence[SeatInfo], viewer: int | None, words: Words) -> tuple[str, ...]:
    """Name the seats for their columns: You, the name given, or the computer's level, numbered where two have the same."""
    levels = [seat.computer for seat in seats]
    names = []
    for place, seat in enumerate(seats):
        if place == viewer:
            name = words.say(N_("You"))
        elif seat.computer is None:
            name = isolated(seat.name) if seat.name else words.say(N_("Player %(number)s"), number=place + 1)
        else:
            name = words.level(seat.computer)
            if levels.count(seat.computer) > 1:
                nth = levels[: place + 1].count(seat.computer)
                name = words.say(N_("%(name)s %(number)s"), name=name, number=nth)
        names.append(name)
    return tuple(names)


def against(seats: Iterable[SeatInfo], words: Words) -> str:
    """List opponents as after "against" in running text."""
    return words.listing(
        [words.against(seat.computer) if seat.computer else isolated(seat.name or "?") for seat in seats]
    )


def opponents(look: Look) -> tuple[int, ...]:
    """Give the seats of the others, as the page counts them: it is the first seat's page where the looker has none."""
    return tuple(seat for seat in range(len(look.seats)) if seat != (look.viewer or 0))


# Their turns


def turns(look: Look, words: Words) -> tuple[Turn, ...]:
    """Show the turns that the others have had since the looker's last score, in order."""
    if look.viewer is None:
        return ()
    names = seat_names(look.seats, look.viewer, words)
    grouped = [list(group) for _, group in groupby(look.others, key=lambda event: (event.seat, event.turn))]
    last = {events[0].seat: place for place, events in enumerate(grouped)}
    return tuple(
        replace(_turn(events, names[events[0].seat], look.state, words), latest=last[events[0].seat] == place)
        for place, events in enumerate(grouped)
    )


def _turn(events: Sequence[Event], name: str, state: State, words: Words) -> Turn:
    rolls = [event for event in events if isinstance(event.move, Roll)]
    kept = [event.move.keep for event in rolls[1:] if isinstance(event.move, Roll)]
    throws = tuple(_throw(event, keep, words) for event, keep in zip(rolls, [*kept, ()], strict=False))
    deeds = [scored(event, event.move, state, words) for event in events if isinstance(event.move, Score)]
    return Turn(name, throws, "".join(deeds), latest=True)


def _throw(event: Event, kept: Sequence[int], words: Words) -> Throw:
    dice = event.dice or ()
    said = ", ".join(str(face) for face in dice)
    if kept:
        faces = ", ".join(str(dice[place]) for place in kept)
        said = words.say(N_("%(dice)s; kept %(kept)s"), dice=said, kept=faces)
    return Throw(tuple((face, place in kept) for place, face in enumerate(dice)), said)


def scored(event: Event, move: Score, state: State, words: Words) -> str:
    """Say what was written, with what it brought besides and what it did to the others."""
    rules = state.ruleset
    text = words.say(N_("%(box)s: %(points)s"), box=words.box(move.box, rules.id), points=words.points(event.points))
    if event.extra:
        text = words.say(N_("%(scored)s, and %(extra)s extra"), scored=text, extra=event.extra)
    if _costs_an_entry(event, move, state):
        text = words.say(N_("%(scored)s; it costs the others an entry"), scored=text)
    return text


def _costs_an_entry(event: Event, move: Score, state: State) -> bool:
    rules = state.ruleset
    if not rules.penalty or len(state.seats) == 1 or event.dice is None or move.box == rules.five_box:
        return False
    had_five = state.seats[event.seat].card.points[rules.index[rules.five_box]]
    return bool(had_five) and rules.five_alike(event.dice, event.roll)


def said_of_turns(look: Look, words: Words) -> tuple[str, ...]:
    """Say in a few words each what the others have written since the looker's last score."""
    names, rules = seat_names(look.seats, look.viewer, words), look.state.ruleset
    return tuple(
        words.say(
            N_("%(name)s: %(box)s, %(points)s"),
            name=names[event.seat],
            box=words.box(event.move.box, rules.id),
            points=words.points(event.points + event.extra),
        )
        for event in look.others
        if isinstance(event.move, Score)
    )


def said_of_totals(look: Look, words: Words) -> str:
    """Say how the totals stand: the looker's, then each other's."""
    names = seat_names(look.seats, look.viewer, words)
    seats = (look.viewer or 0, *opponents(look))
    return ", ".join(_of(names[seat], look.state.seats[seat].card.total, words) for seat in seats)


def _of(name: str, number: int, words: Words) -> str:
    return words.say(N_("%(name)s: %(number)s"), name=name, number=words.number(number))


# The first turn


def who_begins(look: Look, words: Words, *, longest: int | None = None) -> str:
    """Say who threw what to find who begins, "" where nobody threw; above `longest` characters the deciding throw alone."""
    if not look.throws:
        return ""
    whole = _thrown(look, look.throws, words)
    return whole if longest is None or len(whole) <= longest else _thrown(look, look.throws[-1:], words)


def _thrown(look: Look, throws: Throws, words: Words) -> str:
    names = seat_names(look.seats, look.viewer, words)
    thrown = [", ".join(_of(names[seat], face, words) for seat, face in pairs) for pairs in throws]
    first, _ = max(throws[-1], key=lambda pair: pair[1])
    begins = (
        words.say(N_("You begin.")) if first == look.viewer else words.say(N_("%(name)s begins."), name=names[first])
    )
    dice = words.say(N_("; again: ")).join(thrown)
    return words.say(N_("One die each: %(dice)s. %(begins)s"), dice=dice, begins=begins)


# The end


def ending(result: Outcome, seat: int) -> Ending:
    """Say how a game ended for a seat."""
    if seat not in result.winners:
        return Ending.LOST
    return Ending.DRAW if result.draw else Ending.WON


def ending_of(look: Look) -> Ending | None:
    """Say how a game against others ended for the seat that the page is about; None for a game alone or unfinished."""
    result = outcome(look.state) if len(look.seats) > 1 else None
    return None if result is None else ending(result, look.viewer or 0)


def score_line(own: int, others: Sequence[int], how: Ending, words: Words) -> str:
    """Say how a game ended, such as `247 to 231, won`."""
    return words.say(
        N_("%(own)s to %(others)s, %(how)s"),
        own=words.number(own),
        others=words.listing([words.number(total) for total in others]),
        how=words.gettext(how.value),
    )


def result_line(look: Look, how: Ending, words: Words) -> str:
    """Say how the game on the table ended."""
    totals = [seat.card.total for seat in look.state.seats]
    others = [totals[seat] for seat in opponents(look)]
    return score_line(totals[look.viewer or 0], others, how, words)


def why(look: Look, how: Ending, words: Words) -> tuple[str, ...]:
    """Explain an ending that the totals alone do not."""
    state = look.state
    lines = []
    if state.winner is not None:
        lines.append(words.say(N_("Five of a kind on the first roll wins at once.")))
    elif how is not Ending.DRAW and _is_tied(state):
        lines.append(words.say(N_("The totals are equal: more upper boxes with points decide.")))
    if state.shared_dice:
        lines.append(words.say(N_("All had the same dice.")))
    return tuple(lines)


def _is_tied(state: State) -> bool:
    totals = sorted(seat.card.total for seat in state.seats)
    return totals[-1] == totals[-2]


def text_of_result(look: Look, result: str, words: Words) -> str:
    """Write the result as a text to send."""
    if look.state.shared_dice:
        result = words.say(N_("%(result)s, same dice"), result=result)
    others = against((look.seats[seat] for seat in opponents(look)), words)
    return words.say(
        N_("Fairwind %(ruleset)s against %(opponents)s: %(result)s"),
        ruleset=words.game(look.state.ruleset),
        opponents=others,
        result=result,
    )
