"""What is read out after an action: one text, short enough to be listened to."""

from __future__ import annotations

from collections.abc import Sequence

from app.game.dice import Dice
from app.game.state import Roll, Score, State, Undo, legal
from app.play import Event, Look
from app.web.opponents import opponents, said_of_totals, said_of_turns, scored
from app.web.result import Result, result_total
from app.web.sheet import status_of_closed
from app.web.words import N_, Words

LONGEST_ANNOUNCEMENT = 120
"""Characters: what a screen reader can say before it gets in the way."""


def announcement(look: Look, words: Words, status: str, result: Result | None, instead: object) -> str:
    """Say what the request did; `instead`: there is something else to say, and `status` says it."""
    state = look.state
    if instead is not None:
        return status[:LONGEST_ANNOUNCEMENT]
    event = own_last(look)
    match event.move if event else None:
        case Score() as move if event is not None:
            return _after_a_score(look, words, scored(event, move, state, words), result)
        case Roll() if result and state.dice is not None:
            return _sentences([_listed(state.dice), result.headline], words)
        case Undo() if event is not None and event.dice is not None:
            return words.say(N_("Taken back. Choose another box for %(dice)s."), dice=_listed(event.dice))
        case _ if state.dice is not None:
            return _with_reason(_thrown(state.dice, state, words), state, words)
        case _:
            return status


def _after_a_score(look: Look, words: Words, own: str, result: Result | None) -> str:
    """Say what was written, by the others too, and how it stands: as much of it as can be listened to."""
    if result:
        total = result.headline
    elif opponents(look):
        total = said_of_totals(look, words)
    else:
        total = words.say(N_("Total %(total)s"), total=result_total(look))
    theirs = said_of_turns(look, words)
    sayings = [[own, *theirs, total], [own, total], [own]]
    if len(theirs) == 1 and not result:
        # A single opponent's box comes before the totals, the totals of several before their boxes.
        sayings.insert(1, [own, *theirs])
    texts = [_sentences(saying, words) for saying in sayings]
    return next((text for text in texts if len(text) <= LONGEST_ANNOUNCEMENT), texts[-1][:LONGEST_ANNOUNCEMENT])


def _sentences(sayings: Sequence[str], words: Words) -> str:
    text = sayings[0]
    for saying in sayings[1:]:
        text = words.say(N_("%(first)s. %(second)s"), first=text, second=saying)
    return words.say(N_("%(sentence)s."), sentence=text)


def _with_reason(text: str, state: State, words: Words) -> str:
    """Add why boxes are closed, where there is room for it."""
    reason = status_of_closed(state, legal(state), words)
    longer = words.say(N_("%(thrown)s. %(reason)s"), thrown=text, reason=reason)
    return longer if reason is not None and len(longer) <= LONGEST_ANNOUNCEMENT else text


def _thrown(dice: Dice, state: State, words: Words) -> str:
    return words.say(N_("%(roll)s: %(dice)s"), roll=count_of_rolls(state, words), dice=_listed(dice))


def _listed(dice: Dice) -> str:
    return ", ".join(str(face) for face in dice)


def own_last(look: Look) -> Event | None:
    """Give what the looker did in the request that is being answered; computers may have moved after it."""
    own = [event for event in look.last if event.seat == look.viewer]
    return own[-1] if own else None


def count_of_rolls(state: State, words: Words) -> str:
    """Say which roll it is: "3 rolls" before the first one, then "Roll 2 of 3", with the saved rolls where there are such."""
    rules, pool = state.ruleset, state.seat.pool
    if state.over:
        return ""
    if state.roll > rules.rolls:
        text = words.say(N_("Roll %(roll)s, a saved one"), roll=state.roll)
    elif state.roll:
        text = words.say(N_("Roll %(roll)s of %(rolls)s"), roll=state.roll, rolls=rules.rolls)
    else:
        text = words.count(N_("%(n)s roll"), N_("%(n)s rolls"), rules.rolls)
    if not rules.saved_rolls:
        return text
    return words.say(
        N_("%(roll)s · %(saved)s"), roll=text, saved=words.count(N_("%(n)s saved"), N_("%(n)s saved"), pool)
    )
