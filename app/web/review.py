"""The coach's report of a finished game: luck and choice, turn by turn, adding up to the total."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, groupby

from app.coach.ledger import Decision, Thrown, TurnReview
from app.game.dice import Dice
from app.game.rules import Ruleset
from app.play.coaching import Review, Verdict, verdict
from app.web.board import Board, address
from app.web.chart import Chart, Frame, Mark, around
from app.web.choices import TENTHS, VERDICTS, done, signed, tenths, to_do
from app.web.opponents import ending_of, result_line, seat_names, text_of_result
from app.web.words import N_, Words

LUCKY = 10.0
"""Points: a roll that brings so much is marked as lucky."""

LONGEST_ROW = 7
"""Squares that stand in one row; more are put in two."""

SQUARES = {Verdict.BEST: "🟦", Verdict.CLOSE: "⬜", Verdict.COSTLY: "🟧"}

_LEFT_TO_RIGHT = "\u200e"


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A seat whose review can be read."""

    name: str
    address: str
    current: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the sum: what it is, points as shown, and what it means ("" where that is plain)."""

    label: str
    points: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many choices were as good as `kind` says."""

    kind: str
    label: str
    count: str


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """A roll and the choice after it: the dice with the kept ones marked, luck, what was done and what was best.

    `better` is "" where nothing was given away, `ideal` the dice that it would have kept; `verdict` is None where there was
    nothing to choose.
    """

    roll: str
    dice: Dice
    marked: tuple[int, ...]
    luck: str
    done: str
    better: str
    ideal: Dice
    verdict: str | None
    address: str


@dataclass(frozen=True, slots=True)
class TurnView:
    """A turn: its number, the box and its points, luck, points given away, how good it was, the expected total after it."""

    number: str
    box: str
    points: str
    luck: str
    given: str
    verdict: str
    verdict_name: str
    expected: str
    choices: tuple[ChoiceView, ...]


@dataclass(frozen=True, slots=True)
class ReviewView:
    """Everything that review.html shows. `sum` adds up to `total`, to the last decimal shown."""

    title: str
    ruleset: str
    house_rules: tuple[str, ...]
    game: str
    seats: tuple[SeatLink, ...]
    sum: tuple[Line, ...]
    total: str
    quality: str
    counted: tuple[Tally, ...]
    chart: Chart
    turns: tuple[TurnView, ...]
    luck: str
    given: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """All points of a review in tenths, rounded so that they add up: by turn, and within each turn by roll and by choice."""

    start: int
    luck: int
    given: int
    outside: int
    by_turn: tuple[tuple[int, int], ...]
    rolls: tuple[tuple[int, ...], ...]
    choices: tuple[tuple[int, ...], ...]


def shown(review: Review) -> Shown:
    """Round a review."""
    ledger = review.ledger
    start = round(ledger.start * TENTHS)
    luck, given, outside = tenths([ledger.luck, -ledger.given, ledger.outside], ledger.total * TENTHS - start)
    rolls = [[roll.luck for roll in turn.rolls] for turn in ledger.turns]
    choices = [[decision.given for decision in turn.decisions] for turn in ledger.turns]
    lucks = tenths([sum(some) for some in rolls], luck)
    givens = tenths([sum(some) for some in choices], -given)
    return Shown(
        start,
        luck,
        -given,
        outside,
        tuple(zip(lucks, givens, strict=True)),
        tuple(tuple(tenths(some, total)) for some, total in zip(rolls, lucks, strict=True)),
        tuple(tuple(tenths(some, total)) for some, total in zip(choices, givens, strict=True)),
    )


def review(found: Review, words: Words) -> ReviewView:
    """Show a review."""
    look, ledger = found.look, found.ledger
    rules = look.state.ruleset
    figures = shown(found)
    name = words.ruleset(rules.id)
    points = words.points(ledger.total)
    return ReviewView(
        title=words.say(N_("Review: %(game)s, %(points)s"), game=name, points=points),
        ruleset=name,
        house_rules=words.chosen(rules),
        game=look.id,
        seats=_seats(found, words),
        sum=_sum(figures, words),
        total=words.number(ledger.total),
        quality=quality(found, words),
        counted=_counted(found, words),
        chart=_chart(found, words),
        turns=tuple(_turns(found, figures, words)),
        luck=signed(figures.luck / TENTHS, words),
        given=words.mean(figures.given / TENTHS),
        text=_text(found, words) if found.seat == (look.viewer or 0) else "",
    )


def _text(found: Review, words: Words) -> str:
    """Write the result as a text to send, with how good the choices were."""
    look = found.look
    how = ending_of(look) if len(look.seats) > 1 else None
    if how is not None:
        first = text_of_result(look, result_line(look, how, words), words)
    else:
        name = words.ruleset(look.state.ruleset.id)
        first = words.say(N_("Fairwind %(ruleset)s: %(result)s"), ruleset=name, result=words.points(found.ledger.total))
    return "\n".join((first, quality(found, words), *squares(found, words)))


def quality(found: Review, words: Words) -> str:
    """Say how many turns went without giving anything away, and how long the longest run of such turns was."""
    runs = [len(list(run)) for judged, run in groupby(found.turns) if judged is Verdict.BEST]
    facts = {"best": sum(runs), "turns": words.out_of(len(found.turns)), "run": max(runs, default=0)}
    return words.say(N_("Best choice in %(best)s of %(turns)s turns, longest run %(run)s"), **facts)


def squares(found: Review, words: Words) -> tuple[str, ...]:
    """Draw how good each turn was, in one row or two."""
    drawn = [SQUARES[judged] for judged in found.turns]
    half = len(drawn) if len(drawn) <= LONGEST_ROW else -(-len(drawn) // 2)
    rows = [row for row in ("".join(drawn[:half]), "".join(drawn[half:])) if row]
    if words.direction == "rtl":
        rows = [f"{_LEFT_TO_RIGHT}{row}{_LEFT_TO_RIGHT}" for row in rows]
    return tuple(rows)


def _seats(found: Review, words: Words) -> tuple[SeatLink, ...]:
    look = found.look
    if len(look.seats) == 1:
        return ()
    names = seat_names(look.seats, look.viewer, words)
    return tuple(
        SeatLink(name, f"/games/{look.id}/review?seat={seat}", seat == found.seat) for seat, name in enumerate(names)
    )


def _sum(figures: Shown, words: Words) -> tuple[Line, ...]:
    lines = [
        Line(
            words.say(N_("To be expected")),
            words.mean(figures.start / TENTHS),
            words.say(N_("the mean of perfect play, before the first roll")),
        ),
        Line(
            words.say(N_("Luck")),
            signed(figures.luck / TENTHS, words),
            words.say(N_("how much better or worse the dice were than their mean")),
        ),
        Line(
            words.say(N_("Given away")),
            signed(-figures.given / TENTHS, words),
            words.say(N_("what the best choices would have been worth more")),
        ),
    ]
    if figures.outside:
        lines.append(
            Line(
                words.say(N_("Done by others")),
                signed(figures.outside / TENTHS, words),
                words.say(N_("entries lost, or an end before the card was full")),
            )
        )
    return tuple(lines)


def _counted(found: Review, words: Words) -> tuple[Tally, ...]:
    """Count the free choices by how good they were."""
    judged = [verdict(choice.given) for choice in found.choices]
    return tuple(
        Tally(kind.value, words.gettext(name), words.number(judged.count(kind))) for kind, name in VERDICTS.items()
    )


def _turns(found: Review, figures: Shown, words: Words) -> list[TurnView]:
    rules = found.look.state.ruleset
    expected = accumulate((luck - given for luck, given in figures.by_turn), initial=figures.start)
    next(expected)
    judged = found.turns
    views = []
    for place, (turn, after) in enumerate(zip(found.ledger.turns, expected, strict=True)):
        luck, given = figures.by_turn[place]
        box = turn.decisions[-1].chosen
        points = _written(turn)
        views.append(
            TurnView(
                number=words.number(place + 1),
                box=words.box(str(box), rules.id),
                points=words.number(points),
                luck=signed(luck / TENTHS, words),
                given=words.mean(given / TENTHS),
                verdict=judged[place].value,
                verdict_name=words.gettext(VERDICTS[judged[place]]),
                expected=words.mean(after / TENTHS),
                choices=_choices(turn, figures.rolls[place], figures.choices[place], rules, words),
            )
        )
    return views


def _written(turn: TurnReview) -> int:
    """Give the points that a turn wrote, bonuses for further fives of a kind among them."""
    card, last = turn.card, turn.decisions[-1]
    after = card.write(card.ruleset.place(str(last.chosen)), last.dice, len(turn.decisions))
    return after.total - after.upper_bonus - card.total + card.upper_bonus


def _choices(
    turn: TurnReview, lucks: tuple[int, ...], givens: tuple[int, ...], rules: Ruleset, words: Words
) -> tuple[ChoiceView, ...]:
    return tuple(
        ChoiceView(
            roll=words.say(N_("Roll %(roll)s"), roll=number),
            dice=decision.dice,
            marked=_marked(decision),
            luck=signed(luck / TENTHS, words),
            done=done(decision.chosen, rules, words),
            better=_better(decision, given, rules, words),
            ideal=_ideal(decision),
            verdict=None if decision.forced else verdict(decision.given).value,
            address=_address(turn, thrown, decision),
        )
        for number, (thrown, decision, luck, given) in enumerate(
            zip(turn.rolls, turn.decisions, lucks, givens, strict=True), start=1
        )
    )


def _better(decision: Decision, given: int, rules: Ruleset, words: Words) -> str:
    if verdict(decision.given) is Verdict.BEST:
        return ""
    facts = {"choice": to_do(decision.best, rules, words), "points": words.mean(given / TENTHS)}
    return words.say(N_("Best: %(choice)s, %(points)s points more"), **facts)


def _ideal(decision: Decision) -> Dice:
    """Give the dice that the best choice keeps, where another one was made."""
    if isinstance(decision.best, str) or verdict(decision.given) is Verdict.BEST:
        return ()
    return decision.best


def _marked(decision: Decision) -> tuple[int, ...]:
    """Give the positions of the dice that were kept."""
    left = [] if isinstance(decision.chosen, str) else list(decision.chosen)
    places = []
    for place, face in enumerate(decision.dice):
        if face in left:
            left.remove(face)
            places.append(place)
    return tuple(places)


def _address(turn: TurnReview, thrown: Thrown, decision: Decision) -> str:
    """Give the address of the analysis board with this position."""
    locked = thrown.keep if turn.card.ruleset.locked_dice else ()
    return address(Board(turn.card, decision.dice, decision.rolls_left, locked))


def _chart(found: Review, words: Words) -> Chart:
    """Draw the expected total over the game, with the lucky rolls and the costly choices."""
    rules = found.look.state.ruleset
    value = found.ledger.start
    points = [(0.0, value)]
    marks: list[tuple[float, float, str, str]] = []
    for nth, turn in enumerate(found.ledger.turns):
        step = 1 / (2 * len(turn.rolls))
        for number, (roll, decision) in enumerate(zip(turn.rolls, turn.decisions, strict=True)):
            value += roll.luck
            x = nth + (2 * number + 1) * step
            points.append((x, value))
            if roll.luck >= LUCKY:
                marks.append((x, value, "lucky", _title(nth, signed(roll.luck, words), words)))
            value -= decision.given
            points.append((x + step, value))
            if verdict(decision.given) is Verdict.COSTLY:
                text = f"{done(decision.chosen, rules, words)}, {signed(-decision.given, words)}"
                marks.append((x + step, value, "costly", _title(nth, text, words)))
    low, high = around([value for _, value in points])
    turns = max(len(found.ledger.turns), 1)
    frame = Frame(0, turns, low, high, words.direction == "rtl", lambda value: words.number(round(value)))
    labels = [(nth + 0.5, words.number(nth + 1)) for nth in range(turns)]
    return frame.chart(
        labels,
        line=frame.line(points),
        marks=tuple(Mark(frame.x(x), frame.y(y), kind, title) for x, y, kind, title in marks),
    )


def _title(nth: int, text: str, words: Words) -> str:
    return words.say(N_("Turn %(turn)s: %(what)s"), turn=nth + 1, what=text)
