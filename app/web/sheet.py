"""The scorecard as a page shows it: columns of rows, one cell a seat, the way to the upper bonus, and the totals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from app.game.card import Card
from app.game.errors import Reason
from app.game.rules import Box, Ruleset
from app.game.state import Legal, Score, State
from app.play import Look
from app.web.opponents import seat_names
from app.web.words import N_, Words

# The longest lower section that stands beside six upper boxes on a small screen without scrolling.
_LONGEST_COLUMN = 10
# Rows that the sums take at the foot of a column.
_ROOM_FOR_SUMS = 2


class Mark(StrEnum):
    """What a cell holds."""

    OPEN = "open"
    OFFER = "offer"
    CLOSED = "closed"
    WRITTEN = "written"


@dataclass(frozen=True, slots=True)
class Cell:
    """One seat's value in a box: `points` as shown ("" for none), `said` for those who see no row, `fresh` if just written."""

    mark: Mark
    points: str
    said: str
    own: bool
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One box: its key, its name, and a cell for each seat; `armed`: a second tap writes its 0."""

    key: str
    label: str
    cells: tuple[Cell, ...]
    armed: bool = False


@dataclass(frozen=True, slots=True)
class Bonus:
    """How far the upper bonus is: in words, in percent of the way (0..100), and what each seat has made so far ("" for none)."""

    progress: str
    percent: int
    cells: tuple[Cell, ...]
    made: bool
    lost: bool


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the card; `first` rows stand above the bonus, `rest` below it."""

    caption: str
    first: tuple[Row, ...]
    bonus: Bonus | None = None
    rest: tuple[Row, ...] = ()

    @property
    def rows(self) -> int:
        """Count the rows, the bonus among them."""
        return len(self.first) + (self.bonus is not None) + len(self.rest)


@dataclass(frozen=True, slots=True)
class Sum:
    """A seat's total, and its bonuses for further fives of a kind ("" where there are none to show).

    `coming`: what the dice on the table would add to these bonuses ("" for nothing).
    """

    seat: int
    name: str
    extra: str
    coming: str
    total: str
    own: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """The whole card; `rows` is the length of its longest column; `tucked`: the upper column leaves room for the sums below it.

    `offers`: there is a box to choose now.
    """

    columns: tuple[Column, ...]
    rows: int
    tucked: bool
    offers: bool
    sums: tuple[Sum, ...]


def sheet(look: Look, legal: Legal, words: Words, *, armed: str | None = None) -> Sheet:
    """Lay out the card of every seat."""
    rules = look.state.ruleset
    rows = [_row(look, legal, words, place, armed) for place in range(len(rules.boxes))]
    upper = tuple(row for row, box in zip(rows, rules.boxes, strict=True) if box.upper)
    lower = tuple(row for row, box in zip(rows, rules.boxes, strict=True) if not box.upper)
    moved = max((len(lower) - len(upper) - 1) // 2, 0) if len(lower) > _LONGEST_COLUMN else 0
    columns = (
        Column(words.say(N_("Upper boxes")), upper, _bonus(look, words), lower[:moved]),
        Column(words.say(N_("Lower boxes")), lower[moved:]),
    )
    return Sheet(
        columns=columns,
        rows=max(column.rows for column in columns),
        tucked=columns[1].rows - columns[0].rows >= _ROOM_FOR_SUMS,
        offers=any(cell.mark is Mark.OFFER for row in rows for cell in row.cells),
        sums=_sums(look, words),
    )


def _own(look: Look) -> int:
    return 0 if look.viewer is None else look.viewer


def _row(look: Look, legal: Legal, words: Words, place: int, armed: str | None) -> Row:
    box = look.state.ruleset.boxes[place]
    label = words.box(box.key, look.state.ruleset.id)
    cells = tuple(_cell(look, legal, words, place, seat) for seat in range(len(look.state.seats)))
    if box.key == armed:
        said = words.say(N_("%(box)s: tap again to write 0"), box=label)
        cells = tuple(replace(cell, said=said) for cell in cells)
    return Row(box.key, label, cells, armed=box.key == armed)


def _cell(look: Look, legal: Legal, words: Words, place: int, seat: int) -> Cell:
    state = look.state
    box = state.ruleset.boxes[place]
    label = words.box(box.key, state.ruleset.id)
    own = seat == _own(look)
    written = state.seats[seat].card.points[place]
    if written is not None:
        # What the others wrote stays marked until the looker writes again.
        fresh = any(event.seat == seat and event.move == Score(box.key) for event in (*look.last, *look.others))
        return Cell(Mark.WRITTEN, str(written), _said(label, written, words), own, fresh)
    if seat != state.to_play or seat != look.viewer or state.dice is None or state.over:
        return Cell(Mark.OPEN, "", "", own)
    if box.key in legal.boxes:
        points = legal.boxes[box.key]
        return Cell(Mark.OFFER, str(points), _said(label, points, words), own)
    # The reason stands in the status line; here the points are shown that the closed box would have brought.
    points = box.score(state.dice, state.roll)
    return Cell(Mark.CLOSED, str(points), words.say(N_("closed by a rule")), own)


def _said(label: str, points: int, words: Words) -> str:
    return words.say(N_("%(box)s: %(points)s"), box=label, points=words.points(points))


def _bonus(look: Look, words: Words) -> Bonus | None:
    card = look.state.seats[_own(look)].card
    rules = card.ruleset
    if not rules.bonus:
        return None
    made_by = [seat.card.upper_bonus for seat in look.state.seats]
    cells = tuple(
        Cell(Mark.WRITTEN, f"+{points}" if points else "", "", own=seat == _own(look))
        for seat, points in enumerate(made_by)
    )
    reached, made = card.upper_sum, card.upper_bonus
    ahead = [step.at_least for step in rules.bonus if step.at_least > reached]
    goal = min(ahead, default=max(step.at_least for step in rules.bonus))
    lost = bool(ahead) and reached + _still_possible(card) < goal
    facts = {"sum": reached, "goal": goal, "rest": goal - reached}
    if not ahead:
        progress = words.say(N_("%(sum)s / %(goal)s, made"), **facts)
    elif lost:
        progress = words.say(N_("%(sum)s / %(goal)s, out of reach"), **facts)
    else:
        progress = words.say(N_("%(sum)s / %(goal)s, %(rest)s to go"), **facts)
    return Bonus(progress, min(100 * reached // goal, 100), cells, bool(made), lost and not made)


def _still_possible(card: Card) -> int:
    """Give the most that the open upper boxes can still bring."""
    rules = card.ruleset
    return sum(rules.dice * face for face, place in rules.upper.items() if card.points[place] is None)


def _sums(look: Look, words: Words) -> tuple[Sum, ...]:
    own, cards = _own(look), [seat.card for seat in look.state.seats]
    has_extra = look.state.ruleset.extra_five is not None
    # One's own bonuses stand there from the beginning, the others' once one of them has some.
    others_extra = has_extra and any(card.extra for seat, card in enumerate(cards) if seat != own)
    return tuple(
        Sum(
            seat,
            name,
            words.number(cards[seat].extra) if others_extra or (has_extra and seat == own) else "",
            _coming(look, seat),
            words.number(cards[seat].total),
            seat == own,
        )
        for seat, name in enumerate(seat_names(look.seats, look.viewer, words))
    )


def _coming(look: Look, seat: int) -> str:
    state = look.state
    if state.dice is None or state.over or seat != state.to_play:
        return ""
    extra = state.card.extra_for(state.dice, state.roll)
    return f"+{extra}" if extra else ""


def status_of_closed(state: State, legal: Legal, words: Words) -> str | None:
    """Say in words why open boxes are closed for these dice; None where none is."""
    reasons: Mapping[str, Reason] = {key: reason for key, reason in legal.closed.items() if reason is not Reason.FILLED}
    if not reasons or state.dice is None or state.over:
        return None
    rules, face = state.ruleset, state.dice[0]
    reason = next(iter(reasons.values()))
    box = _box_to_use(rules, state.card, face, reason)
    return words.reason(reason, face=face, box=box.key if box else "", ruleset_id=rules.id)


def _box_to_use(rules: Ruleset, card: Card, face: int, reason: Reason) -> Box | None:
    match reason:
        case Reason.JOKER_UPPER | Reason.JOKER_LOWER:
            return rules.boxes[rules.upper[face]]
        case Reason.FORCED_ORDER:
            return rules.boxes[next(card.open_places())]
        case _:
            return None
