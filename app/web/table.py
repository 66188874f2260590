"""The table as a page shows it: dice, what can be rolled, the status line, the announcement, and the result after the end."""

from __future__ import annotations

from dataclasses import dataclass

from app.game.dice import Dice
from app.game.errors import IllegalMove, Reason
from app.game.notation import write_options
from app.game.rules import Ruleset, text_of
from app.game.state import Legal, Roll, Score, State, legal
from app.play import Kind, Look, NotReady, Record, StaleGame, Start
from app.play.errors import NoCoach
from app.store import Status
from app.web.announcement import announcement, count_of_rolls, own_last
from app.web.choices import wait_for, why_no_coach
from app.web.day_words import DayLabel, day_label
from app.web.hint import HintView
from app.web.opponents import Turn, scored, turns, who_begins
from app.web.result import Result, result, result_total
from app.web.sheet import Sheet, sheet, status_of_closed
from app.web.words import FIVES_AGAIN, N_, Words

# What a status line holds on a small screen: more would push the card off it.
_TWO_LINES = 90
_TONES = ("black", "red", "green")


@dataclass(frozen=True, slots=True)
class Die:
    """One die: position from 0, face 1..6 (0: not rolled yet), its name as read out, and how it lies.

    `choosable`: it may be kept or let go now; `fresh`: it was rolled by the last request; `tone` names a colour of its pips.
    """

    position: int
    face: int
    name: str
    kept: bool = False
    locked: bool = False
    choosable: bool = False
    fresh: bool = False
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Rolling:
    """The Roll button: what it says by the number of kept dice, what it leads to, and whether it works."""

    labels: tuple[str, ...]
    leads_to: str
    works: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that table.html shows.

    `title` is the window's; `turn` and `count` say where the game is ("Turn 5 of 13", "Roll 2 of 3"). `five`: the roll just made
    has all dice alike. `status` is the line above the dice, `warns` if it asks for care. `announcement` is what is read out after
    an action, `focus` the id of the control where the hand goes if its own has gone. `again` holds the fields of the form
    that opens another game like this one, () where there is none. `day` names the day whose dice are played. `hints`: a hint
    can be asked for; `hint` is the one that was. `theirs` are the turns of the others since the looker's last score; `same_dice`:
    all seats have the same dice.
    """

    title: str
    ruleset: str
    rules_address: str
    house_rules: tuple[str, ...]
    game: str
    version: int
    turn: str
    sheet: Sheet
    dice: tuple[Die, ...]
    five: bool
    count: str
    rolling: Rolling | None
    undo: bool
    armed: str
    status: str
    warns: bool
    announcement: str
    focus: str
    result: Result | None
    again: tuple[tuple[str, str], ...]
    day: DayLabel | None = None
    theirs: tuple[Turn, ...] = ()
    same_dice: bool = False
    hints: bool = False
    hint: HintView | None = None


def table(
    look: Look,
    words: Words,
    *,
    armed: str | None = None,
    record: Record | None = None,
    refusal: Exception | None = None,
) -> TableView:
    """Show a game to its looker.

    `armed`: the box that waits for a second tap. `refusal`: why the request was turned away. `record`: how a finished game stands
    among the player's own.
    """
    state = look.state
    allowed = legal(state)
    name = words.ruleset(state.ruleset.id)
    ended = result(look, words, record) if look.status is Status.FINISHED else None
    notice = None if refusal is None else _refusal(refusal, look, words)
    status = _status(look, allowed, words, armed, notice)
    day = day_label(look, words)
    title = f"{name}, {day.name}" if day else name
    return TableView(
        title=f"{title}: {words.points(result_total(look))}" if ended else title,
        ruleset=name,
        rules_address=_rules_address(state.ruleset),
        house_rules=words.chosen(state.ruleset),
        game=look.id,
        version=look.version,
        turn=words.say(N_("Turn %(turn)s of %(turns)s"), turn=state.turn, turns=len(state.ruleset.boxes)),
        sheet=sheet(look, allowed, words, armed=armed),
        dice=_dice(look, words),
        five=_has_rolled(look) and len(set(state.dice or ())) == 1,
        count=count_of_rolls(state, words),
        rolling=_rolling(look, words),
        undo=allowed.undo and _plays(look),
        armed=armed or "",
        status=status,
        warns=notice is not None or armed is not None,
        announcement=announcement(look, words, status, ended, armed or notice),
        focus=_focus(look, allowed, armed),
        result=ended,
        again=again(look),
        day=day,
        theirs=turns(look, words),
        same_dice=state.shared_dice,
    )


def again(look: Look) -> tuple[tuple[str, str], ...]:
    """Give the form fields that open another game by the same rules; a day's attempt is there once."""
    rules = look.state.ruleset
    if look.day is not None:
        practice = (("kind", Kind.PRACTICE.value), ("ruleset", rules.id), ("day", look.day.isoformat()))
        return () if look.kind is Kind.DAILY or look.day_open else practice
    fields = [("kind", look.kind.value), ("ruleset", rules.id)]
    fields += [(name, text_of(value)) for name, value in rules.options.items()]
    if look.state.corrections:
        fields.append(("corrections", "1"))
    fields += [("level", seat.computer) for seat in look.seats if seat.computer is not None]
    if look.state.shared_dice:
        fields.append(("same_dice", "1"))
    if look.throws:
        fields.append(("start", Start.SINGLE_DIE.value))
    return tuple(fields)


def _plays(look: Look) -> bool:
    return look.status is Status.PLAYING and look.viewer == look.state.to_play


def _rules_address(rules: Ruleset) -> str:
    chosen = write_options(rules.options, rules.id).replace(",", "&")
    return f"/rules/{rules.id}?{chosen}" if chosen else f"/rules/{rules.id}"


def _dice(look: Look, words: Words) -> tuple[Die, ...]:
    state = look.state
    if state.over:
        return ()
    if state.dice is None:
        return tuple(Die(place, 0, "") for place in range(state.ruleset.dice))
    choosable = state.rolls_left > 0 and _plays(look)
    rolled = _has_rolled(look)
    return tuple(
        Die(
            position=place,
            face=face,
            name=words.say(N_("die %(number)s: %(face)s"), number=place + 1, face=words.face(face)),
            kept=place in state.kept and choosable,
            locked=place in state.locked,
            choosable=choosable,
            fresh=rolled and place not in state.kept,
            tone=tone(state.ruleset, face),
        )
        for place, face in enumerate(state.dice)
    )


def _has_rolled(look: Look) -> bool:
    """Tell whether the dice come from the request that is being answered."""
    return any(isinstance(event.move, Roll) for event in look.last[-1:] if event.seat == look.viewer)


def tone(rules: Ruleset, face: int) -> str:
    """Name the colour of a face's pips, "" for the usual one."""
    if face == rules.wild_face:
        return "wild"
    return next((_TONES[group] for group, faces in enumerate(rules.colors) if face in faces), "")


def _rolling(look: Look, words: Words) -> Rolling | None:
    state = look.state
    if not _plays(look):
        return None
    if state.rolls_left == 0:
        return Rolling((words.say(N_("Choose a box")),), words.say(N_("no rolls left")), works=False)
    leads_to = words.say(
        N_("roll %(roll)s of %(rolls)s"), roll=state.roll + 1, rolls=max(state.ruleset.rolls, state.roll + 1)
    )
    if state.dice is None:
        return Rolling((words.say(N_("Roll all")),), leads_to, works=True)
    rolled = [
        words.count(N_("Roll %(n)s die"), N_("Roll %(n)s dice"), count) for count in range(state.ruleset.dice, 0, -1)
    ]
    return Rolling((*rolled, words.say(N_("All kept: choose a box"))), leads_to, works=True)


_STANDSTILL = {Status.ABANDONED: N_("This game was given up."), Status.PLAYING: N_("This is somebody else's game.")}


def _status(look: Look, allowed: Legal, words: Words, armed: str | None, notice: str | None) -> str:
    state = look.state
    if notice is not None:
        return notice
    if look.status is Status.FINISHED:
        return ""
    if not _plays(look):
        return words.say(_STANDSTILL[look.status])
    if armed is not None:
        box, points = words.box(armed, state.ruleset.id), allowed.boxes.get(armed, 0)
        return words.say(N_("Tap again to write %(points)s in %(box)s"), points=points, box=box)
    return _between(look, words) if state.dice is None else _on_the_table(state, state.dice, allowed, words)


def _on_the_table(state: State, dice: Dice, allowed: Legal, words: Words) -> str:
    """Say what the dice bring with them, else what can be done."""
    if (closed := status_of_closed(state, allowed, words)) is not None:
        return closed
    if extra := state.card.extra_for(dice, state.roll):
        five = words.gettext(FIVES_AGAIN[dice[0] - 1])
        return words.say(N_("%(five)s: %(points)s extra"), five=five, points=words.points(extra))
    if state.corrected:
        return words.say(N_("Choose another box for the same dice."))
    if state.rolls_left:
        return words.say(N_("Keep what you like, then roll or choose a box."))
    return words.say(N_("That was the last roll: choose a box."))


def _between(look: Look, words: Words) -> str:
    """Say what stands there before the first roll of a turn."""
    event = own_last(look)
    if event is not None and isinstance(event.move, Score):
        return scored(event, event.move, look.state, words)
    if look.throws and not look.state.card.filled:
        return who_begins(look, words, longest=_TWO_LINES)
    if look.version == 0:
        return words.say(N_("A fresh card. Roll to begin."))
    return words.say(N_("Your turn: roll the dice."))


def _focus(look: Look, allowed: Legal, armed: str | None) -> str:
    if look.status is Status.FINISHED:
        return "result"
    if look.state.corrected and allowed.boxes:
        return f"box-{next(iter(allowed.boxes))}"
    return f"box-{armed}" if armed else "roll"


def _refusal(error: Exception, look: Look, words: Words) -> str:
    """Say why a request was turned away, with what lies on the table."""
    match error:
        case StaleGame():
            return words.say(N_("The game had moved on: this is where it stands now."))
        case IllegalMove(reason=Reason.JOKER_UPPER | Reason.JOKER_LOWER | Reason.FORCED_ORDER):
            closed = status_of_closed(look.state, legal(look.state), words)
            return closed or words.reason(error.reason)
        case IllegalMove():
            return words.reason(error.reason)
        case NotReady():
            return wait_for(error, words)
        case NoCoach():
            return why_no_coach(error, words)
        case _:
            return words.say(N_("That could not be understood, and nothing was changed. Please try again."))
