"""The running text of a how-to-play page, made from what the ruleset says of itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from babel.lists import format_list

from app.game.dice import Addressing
from app.game.rules import Joker, Ruleset, TieBreak
from app.game.rulesets import ruleset
from app.web.day_words import SHARED
from app.web.guide_examples import most
from app.web.guide_facts import facts
from app.web.words import N_, Words

_FACE_SUM = 21
"""1 + 2 + 3 + 4 + 5 + 6: an upper sum that is a multiple of it is so many of each face."""


def what(rules: Ruleset, words: Words) -> Iterator[str]:
    """Say what the game is."""
    yield words.say(
        N_(
            "%(dice)s dice and a card of %(boxes)s boxes. The game has %(boxes)s turns; each brings up to %(rolls)s"
            " rolls and"
            " fills one box. The highest total wins. Alone it is a run for your own best."
        ),
        dice=rules.dice,
        boxes=len(rules.boxes),
        rolls=rules.rolls,
    )
    yield from (words.gettext(text) for text in facts(rules.id).story)


def need(rules: Ruleset, words: Words, *, has_computer: bool) -> Iterator[str]:
    """Say what it is played with."""
    yield words.say(
        N_(
            "%(dice)s dice, here on the screen, and one card for each player: %(upper)s boxes above and %(lower)s"
            " below."
        ),
        dice=rules.dice,
        upper=len(rules.upper),
        lower=len(rules.boxes) - len(rules.upper),
    )
    yield words.gettext(
        "At a table any number can take turns with one set of dice; with up to about six it stays lively."
    )
    if has_computer:
        yield words.gettext("Against the computer you go first.")


def turn(rules: Ruleset, words: Words) -> Iterator[str]:
    """Say how a turn goes."""
    yield words.gettext("Roll all the dice.")
    yield from _rerolls(rules, words)
    if rules.saved_rolls:
        yield words.gettext(
            "Rolls that you do not use are saved. In a later turn that has used up its own rolls you may take saved"
            " ones,"
            " one at a time. Saved rolls are worth nothing at the end."
        )
    else:
        yield words.gettext("You need not use every roll.")
    yield words.gettext("Then write one open box. It is used up for the rest of the game, even with 0.")
    if rules.forced_order:
        yield words.gettext("Boxes are filled from top to bottom: the topmost open one is always next.")
    else:
        yield words.gettext("Boxes may be filled in any order. Each open one shows in grey what it would bring.")


def _rerolls(rules: Ruleset, words: Words) -> Iterator[str]:
    again = rules.rolls - 1
    yield words.ngettext(
        "Keep what you like and roll the rest, once more at most; you may think again as long as you have not rolled.",
        "Keep what you like and roll the rest, %(count)d more times at most; you may think again as long as you have"
        " not"
        " rolled.",
        again,
    ) % {"count": again}
    if rules.locked_dice:
        yield words.gettext(
            "A die that you have kept stays as it is for the rest of the turn: a roll may use only dice of the roll"
            " before"
            " it."
        )
    elif again > 1:
        yield words.gettext("Dice that you kept after the first roll may still be rolled after the second.")


def upper(rules: Ruleset, words: Words) -> Iterator[str]:
    """Explain the upper boxes and their bonus."""
    yield words.gettext("Each upper box counts one face only.")
    if not rules.bonus:
        yield words.gettext("There is no bonus for the upper boxes.")
        return
    steps = [
        words.say(N_("%(points)s points from %(sum)s"), points=step.points, sum=step.at_least) for step in rules.bonus
    ]
    yield words.say(
        N_("If the upper boxes add up to enough, there is a bonus: %(steps)s."),
        steps=format_list(steps, locale=words.locale),
    )
    edge = rules.bonus[0].at_least
    yield words.say(
        N_("So an upper sum of %(below)s brings a bonus of %(less)s, and %(sum)s a bonus of %(points)s."),
        below=edge - 1,
        less=rules.upper_bonus(edge - 1),
        sum=edge,
        points=rules.upper_bonus(edge),
    )
    if edge % _FACE_SUM == 0:
        yield _why(edge, edge // _FACE_SUM, words)


def _why(edge: int, each: int, words: Words) -> str:
    """Say where 63 (three of each face) and 84 (four) come from."""
    return words.say(
        N_(
            "Why %(sum)s? It is %(each)s of each face: %(addition)s. %(more)s of one face can make up for %(fewer)s of"
            " another."
        ),
        sum=edge,
        each=each,
        addition=" + ".join(str(each * face) for face in range(1, 7)),
        more=each + 1,
        fewer=each - 1,
    )


def lower(rules: Ruleset, words: Words) -> Iterator[str]:
    """Explain the lower boxes as far as the boxes do not explain themselves."""
    yield words.gettext("Each lower box asks for a hand of its own; without it the box pays 0.")
    if "two_pairs_full_house" not in rules.options:
        return
    if rules.options["two_pairs_full_house"]:
        yield words.gettext(
            "Here a full house counts as two pairs, as on most Scandinavian sheets. Sheets differ: the Finnish one"
            " does not"
            " count it."
        )
    else:
        yield words.gettext(
            "A full house is not two pairs here, as on the Finnish sheet. Sheets differ: most Scandinavian ones do"
            " count it."
        )


def more_fives(rules: Ruleset, words: Words) -> Iterator[str]:
    """Say what a further five of a kind means besides bonus and joker."""
    if rules.served_wins:
        yield words.say(
            N_(
                "Among several players five of a kind on the first roll wins the game at once, unless you have struck"
                " %(five)s. Alone the game goes on."
            ),
            five=words.box(rules.five_box, rules.id),
        )
    if rules.penalty:
        yield words.gettext(
            "Among several players everybody else loses an entry each time: a 0 in the topmost open box, which is their"
            " next turn."
        )


def end(rules: Ruleset, words: Words) -> Iterator[str]:
    """Say when the game is over, what counts, and what is a good result."""
    yield words.gettext(_TOTALS[bool(rules.bonus), rules.extra_five is not None])
    if rules.tie_break is TieBreak.UPPER_COUNT:
        yield words.gettext(
            "The highest total wins. Between equal totals more upper boxes with points win; if these are equal too,"
            " it is"
            " a draw."
        )
    else:
        yield words.gettext("The highest total wins; equal totals are a draw.")
    usual = rules is ruleset(rules.id)
    if usual:
        yield from (words.gettext(text) for text in facts(rules.id).level)
    yield from _most(rules, words, usual=usual)


_TOTALS = {
    (True, True): N_(
        "The game ends when every box is filled. Your total is the upper boxes with their bonus, the lower boxes,"
        " and the"
        " bonus for each further five of a kind."
    ),
    (True, False): N_(
        "The game ends when every box is filled. Your total is the upper boxes with their bonus, and the lower boxes."
    ),
    (False, True): N_(
        "The game ends when every box is filled. Your total is all boxes, and the bonus for each further five of a"
        " kind."
    ),
    (False, False): N_("The game ends when every box is filled. Your total is the sum of all boxes."),
}


def _most(rules: Ruleset, words: Words, *, usual: bool) -> Iterator[str]:
    special = rules.joker is not Joker.NONE or rules.extra_five is not None
    text = (
        N_("Without further fives of a kind no card can hold more than %(points)s points.")
        if special
        else N_("No card can hold more than %(points)s points.")
    )
    yield words.say(text, points=words.number(most(rules)))
    highest = facts(rules.id).most
    if usual and highest:
        yield words.say(N_("With them the highest total there can be is %(points)s."), points=words.number(highest))


def daily(words: Words, *, dailies: Sequence[str], addressing: Addressing) -> Iterator[str]:
    """Explain the game of the day; `dailies` are the rulesets that have one here."""
    if dailies:
        yield words.say(
            N_(
                "Every day has a number and dice of its own, here in %(games)s. Each player has one attempt a day in each, "
                "without corrections and without hints."
            ),
            games=words.listing([words.ruleset(id_) for id_ in dailies]),
        )
    if addressing is Addressing.BY_TURN:
        yield words.gettext(
            "Everybody gets the same dice in the same order that day. Each roll of each turn has faces of its own, whether"
            " or not some dice are kept, and the dice that you roll take the first ones."
        )
        yield words.gettext(
            "So your choices change your score, not your luck: stopping early skips the dice of that roll and shifts"
            " nothing."
        )
    else:
        yield words.gettext(SHARED[addressing])
    yield words.gettext(
        "The day changes at midnight UTC, for all at once. An attempt begun in time can be finished until 06:00 UTC of the"
        " day after; then the day closes. From then on its dice are open, and everybody can play them for practice, which"
        " never counts."
    )
    yield words.gettext("At the end “Copy result” gives you a text to send to others, which gives no dice away.")
