"""Folk advice put to the test: what people say, what the exact solver says about it, and what it cannot say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.coach.players import strength
from app.web.advice_facts import AllFacts, Counts, Facts
from app.web.chart import Chart, Frame
from app.web.choices import hundredths, percent
from app.web.words import N_, Words

_LABELS_EVERY = 100
"""Points between the labels below a histogram."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of figures: what they are of, and one for each ruleset."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Lines of figures under a heading: a rule of thumb that was tried ("" for figures that need none)."""

    heading: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of advice: what people say, what is found, the figures behind it; `tested`: a computer can tell at all."""

    id: str
    advice: str
    finding: str
    groups: tuple[Group, ...]
    tested: bool


@dataclass(frozen=True, slots=True)
class Histogram:
    """How a figure is spread over the perfect player's games: a drawing, and the same as rows of a table."""

    id: str
    heading: str
    label: str
    chart: Chart
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AdviceView:
    """Everything that advice.html shows; the figures of each row stand in the order of `rulesets`."""

    rulesets: tuple[str, ...]
    pieces: tuple[Piece, ...]
    benchmarks: tuple[Group, ...]
    histograms: tuple[Histogram, ...]
    games: str
    command: str


@dataclass(frozen=True, slots=True)
class Tested:
    """Advice as it was tried: what people say, what is found, each rule tried with its words, and further figures by label."""

    id: str
    advice: str
    finding: str
    tried: tuple[tuple[str, str], ...] = ()
    figures: tuple[tuple[str, str], ...] = ()


_PIECES: tuple[Tested, ...] = (
    Tested(
        "order",
        N_("Do not fill the boxes in the order in which the hands come."),
        N_("Right. What brings the most now is often needed elsewhere, and a strong box waits for a better hand."),
        (("most_points", N_("Always the box that brings the most at once")),),
    ),
    Tested(
        "chance",
        N_("Keep Chance as a buffer for late bad rolls; do not use it early."),
        N_("As a rule it costs points: early bad rolls are bad too, and Chance is a good place for a high one."),
        (("chance_late", N_("Chance not before the last five turns")),),
        (
            ("chance_early", N_("Chance is used in the first five turns")),
            ("chance_late", N_("Chance is used in the last five turns")),
        ),
    ),
    Tested(
        "zero",
        N_("When nothing fits, put the zero into the hardest box, usually five of a kind, not into an easy one."),
        N_("It depends on the game. A low upper box loses little, but the way to the bonus goes through it."),
        (
            ("zero_five", N_("A zero goes into five of a kind")),
            ("zero_ones", N_("A zero goes into the ones")),
        ),
        (
            ("zero_rates/five_of_a_kind", N_("Five of a kind ends with 0")),
            ("zero_rates/ones", N_("The ones end with 0")),
        ),
    ),
    Tested(
        "bonus",
        N_("Go for the upper bonus, even by giving up a strong lower hand: it is a swing of 35 points, 50 in Yatzy."),
        N_(
            "The bonus is worth it, and is made in most games; but neither side is always right when both are on the table."
        ),
        (
            ("upper_first", N_("Three or more of a face and a lower hand of 20 points are there: the face goes above")),
            ("lower_first", N_("The same, but the lower hand is taken")),
        ),
        (("bonus_rate", N_("The bonus is made")),),
    ),
    Tested(
        "close",
        N_("Near the end, if a few points are missing for the bonus, use good rolls above."),
        N_("Mostly right, and dear where it is wrong: sometimes the bonus can wait for another box."),
        (("close_bonus", N_("In the last five turns, the upper box that makes the bonus")),),
    ),
    Tested(
        "four",
        N_("A good early four of a kind may rather go above."),
        N_("Right, nearly without exception."),
        (
            ("four_above", N_("In the first five turns, four alike go above")),
            ("four_below", N_("In the first five turns, four alike go into four of a kind")),
        ),
    ),
    Tested(
        "make_up",
        N_("Four of one face make up for two of another."),
        N_("Right, if the face is no lower: the sum alone counts. Most bonuses are made that way."),
        figures=(("made_up", N_("Games with the bonus in which some upper box has two of its face or fewer")),),
    ),
    Tested(
        "par",
        N_("A flat 63 is three of each face, an average result."),
        N_(
            "Three of each it is, and perfect play comes near it on average; but the sums spread widely, and just 63 is seldom."
        ),
        figures=(("exactly_par", N_("The upper sum is just 63")), ("upper/mean", N_("The mean of the upper sum"))),
    ),
)

_POINTS = frozenset({"upper/mean"})
"""The figures that are points; the others are shares."""

_OF_THE_GAME = frozenset({"most_points", "chance_late"})
"""Rules that speak in nearly every turn."""

_UNTESTED: tuple[tuple[str, str, str], ...] = (
    (
        "others",
        N_("Watch the other cards: whoever has filled the strong lower boxes must use good rolls above."),
        N_("Cannot be tested here: the exact solver plays alone, for points, and sees no other card."),
    ),
    (
        "luck",
        N_("Do not chase after bad luck."),
        N_(
            "Nothing to test: dice have no memory. What is to come depends on the card alone, and the analysis board shows the "
            "same for the same card, whatever happened before."
        ),
    ),
    (
        "count",
        N_("Count twice."),
        N_("Nothing to test here: the page adds up by itself. On paper it is good advice."),
    ),
    (
        "pace",
        N_("A quick choice is not a good one, nor is a slow one."),
        N_("Cannot be tested here: the exact solver knows no time."),
    ),
)

_CLAIMS = (
    ("shares/150_180", N_("150 to 180: beginners, says a Finnish guide")),
    ("shares/220_240", N_("220 to 240: the experienced, says the guide")),
    ("shares/above_300", N_("Above 300: excellent, says the guide")),
    ("shares/above_350", N_("Above 350: rare, says the guide")),
    ("five_rate", N_("With points for five of a kind: about half of the games, says the guide")),
    ("shares/200_300", N_("200 to 300: a solid game, says kawu")),
)


def advice(found: AllFacts, words: Words) -> AdviceView:
    """Show what was found."""
    every = tuple(found.rulesets.values())
    tested = tuple(_piece(one, every, words) for one in _PIECES)
    untested = tuple(
        Piece(id_, words.gettext(said), words.gettext(why), (), tested=False) for id_, said, why in _UNTESTED
    )
    return AdviceView(
        rulesets=tuple(words.ruleset(one.ruleset) for one in every),
        pieces=(*tested, *untested),
        benchmarks=_benchmarks(every, words),
        histograms=tuple(drawn for one in every for drawn in _histograms(one, words)),
        games=words.number(found.games),
        command=found.command,
    )


def _piece(one: Tested, every: Sequence[Facts], words: Words) -> Piece:
    tried = [_tried(name, words.gettext(rule), every, words) for name, rule in one.tried]
    figures = tuple(
        _row(words.gettext(label), path, every, words, share=path not in _POINTS) for path, label in one.figures
    )
    groups = (*tried, Group("", figures)) if figures else tuple(tried)
    return Piece(one.id, words.gettext(one.advice), words.gettext(one.finding), groups, tested=True)


def _tried(name: str, rule: str, every: Sequence[Facts], words: Words) -> Group:
    found = [facts.advice[name] for facts in every]
    rows = [
        Row(
            words.say(N_("How often it comes up in a game")),
            tuple(hundredths(one.a_game, words) for one in found),
        ),
        Row(
            words.say(N_("The perfect player does so then")),
            tuple("–" if one.kept is None else percent(one.kept, words) for one in found),
        ),
        Row(
            words.say(N_("Points given away in a game by always doing so")),
            tuple(_with_error(one.cost, one.standard_error, words) for one in found),
        ),
    ]
    # A rule about the whole game is no question that comes up.
    return Group(rule, tuple(rows[2:] if name in _OF_THE_GAME else rows))


def _with_error(points: float, error: float, words: Words) -> str:
    facts = {"points": hundredths(points, words), "error": hundredths(error, words)}
    return words.say(N_("%(points)s ± %(error)s"), **facts)


def _row(label: str, path: str, every: Sequence[Facts], words: Words, *, share: bool = True) -> Row:
    return Row(label, tuple(_figure(facts, path, words, share=share) for facts in every))


def _figure(facts: Facts, path: str, words: Words, *, share: bool = True) -> str:
    """Find a figure by its path; shares as percent, other numbers as means, whole ones as they are."""
    found: object = facts.figures
    for name in path.split("/"):
        found = found[name] if isinstance(found, Mapping) else None
    if not isinstance(found, (int, float)):
        return "–"
    if share:
        return percent(found, words)
    return words.number(found) if isinstance(found, int) else words.mean(found)


def _benchmarks(every: Sequence[Facts], words: Words) -> tuple[Group, ...]:
    """Hold what people call good against perfect play and against our levels."""
    means = (
        _row(words.say(N_("Perfect play")), "expected", every, words, share=False),
        *(
            Row(words.level(level), tuple(_level(facts, level, words) for facts in every))
            for level in ("skilled", "casual", "novice")
        ),
    )
    claims = [_row(words.gettext(label), path, every, words) for path, label in _CLAIMS]
    spread = [
        _row(percent(int(part) / 100, words), f"percentiles/{part}", every, words, share=False)
        for part in ("5", "25", "50", "75", "95")
    ]
    return (
        Group(words.say(N_("Mean in points")), means),
        Group(words.say(N_("So many of the perfect player's games are such")), tuple(claims)),
        Group(words.say(N_("So many of the perfect player's games have no more points than")), tuple(spread)),
    )


def _level(facts: Facts, level: str, words: Words) -> str:
    measured = strength(facts.ruleset).get(level)
    return "–" if measured is None else words.mean(measured[0])


def _histograms(facts: Facts, words: Words) -> tuple[Histogram, ...]:
    name = words.ruleset(facts.ruleset)
    return (
        _histogram(f"{facts.ruleset}-totals", words.say(N_("Totals: %(game)s"), game=name), facts.totals, words),
        _histogram(
            f"{facts.ruleset}-upper", words.say(N_("Sums of the upper boxes: %(game)s"), game=name), facts.upper, words
        ),
    )


def _histogram(id_: str, heading: str, counts: Counts, words: Words) -> Histogram:
    """Draw how many of the games lie in each step; the few at the ends are left out where they are less than one in 1,000."""
    games = sum(counts.counts)
    worth_showing = [place for place, count in enumerate(counts.counts) if count * 1000 >= games]
    first, last = worth_showing[0], worth_showing[-1]
    shares = [count / games for count in counts.counts[first : last + 1]]
    edges = [counts.step * place for place in range(first, last + 2)]
    ranges = [words.say(N_("%(low)s to %(high)s"), low=low, high=low + counts.step - 1) for low in edges[:-1]]
    frame = Frame(edges[0], edges[-1], 0, max(shares), words.direction == "rtl", lambda share: percent(share, words))
    titles = [f"{some}: {percent(share, words)}" for some, share in zip(ranges, shares, strict=True)]
    every = max(counts.step, _LABELS_EVERY if edges[-1] - edges[0] > 2 * _LABELS_EVERY else counts.step * 3)
    labels = [(edge, words.number(edge)) for edge in edges if edge % every == 0]
    rows = tuple((some, _in_tenths(share, words)) for some, share in zip(ranges, shares, strict=True))
    return Histogram(
        id_,
        heading,
        words.say(N_("How often each range of points comes up; the table below has the figures.")),
        frame.chart(labels, bars=frame.bars(edges, shares, titles)),
        rows,
    )


def _in_tenths(share: float, words: Words) -> str:
    return words.say(N_("%(number)s%%"), number=words.mean(100 * share))
