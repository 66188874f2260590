"""The analysis board: set rules, card and dice, see what every keep and every box is worth, and go on with real dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.coach.advice import Coach
from app.game.errors import Unreadable
from app.game.rules import Ruleset
from app.game.rulesets import VARIANTS, ruleset
from app.play import NotReady
from app.play.coaching import Coaches, Counsel, counsel_on
from app.play.errors import NoCoach
from app.web.board import USUAL, Board, address, read, rules_in, single
from app.web.choices import wait_for, why_no_coach
from app.web.guide_options import OptionChoice, choices, fields
from app.web.hint import Bar, bars, sentences
from app.web.table import tone
from app.web.words import N_, Words

_PROBLEMS: Mapping[str, str] = {
    "impossible_card": N_("No game leads to this card."),
    "bad_points": N_("Points are whole numbers."),
    "bad_dice": N_("These are not the dice of this game."),
    "bad_locked": N_("A die that was kept stays kept until the end of the turn."),
    "bad_roll": N_("So many rolls cannot be left."),
    "unknown_ruleset": N_("There is no such game."),
}
"""What is wrong with a position, by its code; the exact reason follows in English."""

_ELSE = N_("That is not a position of this game.")


@dataclass(frozen=True, slots=True)
class Offer:
    """A ruleset to choose, or a number of rolls."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class BoxField:
    """A box of the card to be filled in: its key, its name, and the points as they were entered ("" while open)."""

    key: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Way:
    """A choice with its bar, and the address of the position that it leads to; `points` is what a box brings at once."""

    bar: Bar
    address: str
    points: str = ""


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """Everything that analysis.html shows.

    `fixed` are the form's hidden fields. `keep`: dice kept while the others are to be thrown. `ask` says which dice to enter.
    `problem` is why there is nothing to show, `detail` the same exactly and in English ("" for none). `standing` says what the
    card holds and expects. `go_on` is the address to ask again later.
    """

    ruleset: str
    house_rules: tuple[str, ...]
    rulesets: tuple[Offer, ...]
    options: tuple[OptionChoice, ...]
    fixed: tuple[tuple[str, str], ...]
    boxes: tuple[tuple[BoxField, ...], ...]
    extra: str | None
    keep: str
    dice: str
    ask: str
    rolls: tuple[Offer, ...]
    tones: Mapping[int, str]
    shown: tuple[int, ...]
    problem: str
    detail: str
    wait: bool
    standing: str
    sentences: tuple[str, ...]
    keeps: tuple[Way, ...]
    ways: tuple[Way, ...]
    here: str


@dataclass(frozen=True, slots=True)
class Found:
    """What can be said of an address: the board if it is one, the coach's counsel, or what stands in the way."""

    board: Board | None = None
    counsel: Counsel | None = None
    coach: Coach | None = None
    trouble: Exception | None = None

    @property
    def status(self) -> int:
        """The HTTP status: a bare board is fine without a coach."""
        match self.trouble:
            case None:
                return 200
            case NotReady() if self.board is not None:
                return 503 if self.board.dice else 200
            case NoCoach() if self.board is not None:
                return 422 if self.board.dice else 200
            case _:
                return 422


def find(pairs: Iterable[tuple[str, str]], coaches: Coaches) -> Found:
    """Read the position of an address and ask the coach about it."""
    try:
        board = read(pairs)
    except Unreadable as error:
        return Found(trouble=error)
    try:
        coach = coaches.coach(board.rules)
    except (NotReady, NoCoach) as error:
        return Found(board, trouble=error)
    if not board.dice:
        return Found(board, coach=coach)
    try:
        return Found(board, counsel_on(coach, board.card, board.dice, board.rolls_left, locked=board.keep), coach)
    except Unreadable as error:
        return Found(trouble=error)


def analysis(pairs: Iterable[tuple[str, str]], found: Found, words: Words) -> AnalysisView:
    """Show the board, with what was entered in its fields also where that is no position."""
    entered = _entered(pairs)
    rules = found.board.rules if found.board else _rules(entered)
    board = found.board
    problem, detail = _problem(found, words)
    keeps, ways = _ways(found, words)
    return AnalysisView(
        ruleset=words.ruleset(rules.id),
        house_rules=words.chosen(rules),
        rulesets=tuple(Offer(known.id, words.ruleset(known.id), known.id == rules.id) for known in VARIANTS),
        options=choices(rules, words),
        fixed=(("ruleset", rules.id), *fields(rules)),
        boxes=_boxes(rules, entered, words),
        extra=None if rules.extra_five is None else entered.get("extra", ""),
        keep="".join(map(str, board.keep)) if board else entered.get("keep", ""),
        dice="".join(map(str, board.dice)) if board else entered.get("dice", ""),
        ask=_ask(board, rules, words),
        rolls=_rolls(board, rules, words),
        tones={face: tone(rules, face) for face in range(1, 7)},
        shown=board.dice if board else (),
        problem=problem,
        detail=detail,
        wait=isinstance(found.trouble, NotReady),
        standing=_standing(found, words),
        sentences=sentences(found.counsel, words) if found.counsel else (),
        keeps=keeps,
        ways=ways,
        here=address(board) if board else "",
    )


def _entered(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    try:
        return single(pairs)
    except Unreadable:
        return {}


def _rules(entered: Mapping[str, str]) -> Ruleset:
    try:
        return rules_in(entered)
    except Unreadable:
        return ruleset(USUAL)


def _problem(found: Found, words: Words) -> tuple[str, str]:
    match found.trouble:
        case None:
            return "", ""
        case NotReady() as error:
            return wait_for(error, words), ""
        case NoCoach() as error:
            return why_no_coach(error, words), error.message
        case Unreadable(code=code, message=message):
            return words.gettext(_PROBLEMS.get(code, _ELSE)), message
        case _:
            return words.gettext(_ELSE), ""


def _boxes(rules: Ruleset, entered: Mapping[str, str], words: Words) -> tuple[tuple[BoxField, ...], ...]:
    every = [(box, BoxField(box.key, words.box(box.key, rules.id), entered.get(box.key, ""))) for box in rules.boxes]
    return tuple(field for box, field in every if box.upper), tuple(field for box, field in every if not box.upper)


def _ask(board: Board | None, rules: Ruleset, words: Words) -> str:
    """Say which dice to enter."""
    if board is not None and board.keep and not board.dice:
        missing = rules.dice - len(board.keep)
        return words.count(N_("The new die"), N_("The %(n)s new dice"), missing)
    return words.count(N_("The die"), N_("The %(n)s dice"), rules.dice)


def _rolls(board: Board | None, rules: Ruleset, words: Words) -> tuple[Offer, ...]:
    chosen = board.rolls_left if board else rules.rolls - 1
    most = rules.rolls - 1 if board is None or not board.keep else rules.rolls - 2
    return tuple(Offer(str(left), words.number(left), left == chosen) for left in range(most, -1, -1))


def _standing(found: Found, words: Words) -> str:
    """Say what the card holds, and before the dice are thrown what it expects."""
    if found.board is None:
        return ""
    card = found.board.card
    if card.full:
        return words.say(N_("The card is full: %(points)s."), points=words.points(card.total))
    if found.coach is None or found.board.dice or found.board.keep:
        return words.say(N_("On the card so far: %(points)s."), points=words.points(card.total))
    to_come = found.coach.table.to_come(card)
    return words.say(
        N_("On the card so far: %(points)s. To come on average: %(more)s, so %(total)s in all."),
        points=words.points(card.total),
        more=words.mean(to_come),
        total=words.mean(card.total + to_come),
    )


def _ways(found: Found, words: Words) -> tuple[tuple[Way, ...], tuple[Way, ...]]:
    """List every keep and every box with where it leads."""
    board = found.board
    if board is None or found.counsel is None:
        return (), ()
    rules, card = board.rules, board.card
    keeps, boxes = bars(found.counsel.advice, rules, words)
    ways = []
    roll = rules.rolls - board.rolls_left
    for bar in boxes:
        after = card.write(rules.place(str(bar.choice)), board.dice, roll)
        points = after.total - after.upper_bonus - card.total + card.upper_bonus
        ways.append(Way(bar, address(Board(after, rolls_left=rules.rolls - 1)), words.number(points)))
    return (
        tuple(Way(bar, address(Board(card, (), board.rolls_left - 1, bar.dice))) for bar in keeps),
        tuple(sorted(ways, key=lambda way: way.bar.away)),
    )
