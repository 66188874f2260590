"""What comes after a day: how the player did, and what all others did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.game.dice import Dice
from app.game.errors import Unreadable
from app.play.coaching import Review
from app.play.results import ROWS_A_PAGE, Board, Spread, line_of_play
from app.play.sights import Sight
from app.web.chart import Chart, Frame
from app.web.choices import TENTHS, signed
from app.web.day_text import path_of, review_of, text_of_attempt
from app.web.day_words import day_address
from app.web.review import quality, shown
from app.web.service import Ask, Service
from app.web.words import N_, P_, Words

BARS = 20
"""Bars of a histogram at most."""

_WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_FEWEST = 5
_LONGEST_NUMBER = 9


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of the summary: what it is, a figure, and what it means ("" where that is plain)."""

    label: str
    figure: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the board; `name` is "" for somebody without one."""

    rank: str
    name: str
    total: str
    game: str
    own: bool


@dataclass(frozen=True, slots=True)
class PageLink:
    """A page of the board; `rel` says how it lies to the one shown."""

    label: str
    address: str
    rel: str


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board as the page shows it: what it counts, its rows, where it is, and the pages beside it."""

    standing: str
    rows: tuple[Row, ...]
    where: str
    links: tuple[PageLink, ...]


@dataclass(frozen=True, slots=True)
class SpreadView:
    """All totals as a drawing, and as a table of ranges and how many lie in each."""

    chart: Chart
    ranges: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class BestTurn:
    """A turn of the best line of play."""

    number: str
    dice: Dice
    rolls: str
    box: str
    points: str


@dataclass(frozen=True, slots=True)
class AfterView:
    """Everything that _day_after.html shows. `text` is the result to send, "" for those who have none; `page` its address."""

    facts: tuple[Fact, ...]
    quality: str
    text: str
    here: str
    words_only: bool
    without_link: bool
    page: str
    board: BoardView
    spread: SpreadView | None
    best: tuple[BestTurn, ...]


def after(ask: Ask, sight: Sight) -> AfterView | None:
    """Show what comes after a day, None for those who may not see it yet.

    Raises:
        Unreadable: `bad_page`: the board has no such page.

    """
    if not sight.may_see_others:
        return None
    page = _page(ask.request.query_params.get("page", "1"))
    sight = ask.results.complete(sight)
    spread = ask.results.spread(sight)
    board = ask.results.board(sight, spread, page)
    own = sight.attempt.look if sight.finished and sight.attempt is not None else None
    found = review_of(ask, own.id, ask.player) if own is not None else None
    total = sight.attempt.total if sight.attempt is not None else None
    return AfterView(
        facts=tuple(_facts(sight, spread, found, ask.words)),
        quality=quality(found, ask.words) if found is not None else "",
        text=text_of_attempt(ask, sight, own, found) if own is not None else "",
        here=day_address(sight.day, sight.ruleset.id),
        words_only=ask.preferences.words_only,
        without_link=ask.preferences.without_link,
        page=path_of(sight.number, sight.ruleset.id, own.id) if own is not None else "",
        board=_board(board, spread.rank, sight, ask.words),
        spread=_spread(spread, total, ask.words) if spread.totals else None,
        best=tuple(_best(sight, ask.words)),
    )


def _page(text: str) -> int:
    """Read the number of a page.

    Raises:
        Unreadable: `bad_page`.

    """
    if not (text.isascii() and text.isdecimal()) or len(text) > _LONGEST_NUMBER:
        raise Unreadable("bad_page", f"A page of the board is a number such as 2, not {text[:40]!r}.")
    return int(text)


def _facts(sight: Sight, spread: Spread, found: Review | None, words: Words) -> list[Fact]:
    facts: list[Fact] = []
    if sight.finished and sight.attempt is not None and sight.attempt.total is not None:
        facts.append(Fact(words.say(N_("Your total")), words.number(sight.attempt.total)))
    if sight.par is not None:
        facts.append(
            Fact(
                words.say(N_("Par")),
                words.number(sight.par),
                words.say(N_("what the perfect player reaches on the same dice, not knowing those to come")),
            )
        )
    if found is not None:
        figures = shown(found)
        facts += [
            Fact(
                words.say(N_("Luck")),
                signed(figures.luck / TENTHS, words),
                words.say(N_("how much better or worse the dice were than their mean")),
            ),
            Fact(
                words.say(N_("Given away")),
                signed(-figures.given / TENTHS, words),
                words.say(N_("what the best choices would have been worth more")),
            ),
        ]
    if spread.rank is not None:
        of = words.count(*_OF, spread.count)
        facts.append(Fact(words.say(N_("Rank")), words.number(spread.rank), of))
    if sight.best is not None:
        note = words.say(N_("what somebody who knew all dice could have reached; the way there stands below"))
        facts.append(Fact(words.say(N_("Best with hindsight")), words.number(sight.best), note))
    return facts


_OF = P_("of %(n)s result", "of %(n)s results")
_RESULTS = P_("%(n)s result", "%(n)s results")


def _board(board: Board, rank: int | None, sight: Sight, words: Words) -> BoardView:
    here = day_address(sight.day, sight.ruleset.id)
    links = [(board.page - 1, N_("Better ones"), "prev"), (board.page + 1, N_("Further ones"), "next")]
    if rank is not None and not any(row.own for row in board.rows):
        links.append(((rank - 1) // ROWS_A_PAGE + 1, N_("Your rank"), "bookmark"))
    count = words.count(*_RESULTS, board.count)
    text = N_("%(results)s, final") if board.final else N_("%(results)s so far; the day is open until 06:00 UTC")
    return BoardView(
        standing=words.say(text, results=count),
        rows=tuple(
            Row(words.number(row.rank), row.name or "", words.number(row.total), row.game, row.own)
            for row in board.rows
        ),
        where=words.say(N_("Page %(page)s of %(pages)s"), page=board.page, pages=board.pages)
        if board.pages > 1
        else "",
        links=tuple(
            PageLink(words.gettext(label), f"{here}&page={page}#board", rel)
            for page, label, rel in links
            if 1 <= page <= board.pages
        ),
    )


def _spread(spread: Spread, own: int | None, words: Words) -> SpreadView:
    bins = in_bins(spread.totals[::-1])
    width = bins[0][1] - bins[0][0]
    counts = [count for _, _, count in bins]
    marked = [own is not None and low <= own < high for low, high, _ in bins]
    ranges = [words.left_to_right(f"{low}–{high - 1}") if width > 1 else words.number(low) for low, high, _ in bins]
    titles = [f"{label}: {words.number(count)}" for label, count in zip(ranges, counts, strict=True)]
    edges = [low for low, _, _ in bins] + [bins[-1][1]]
    frame = Frame(
        edges[0],
        edges[-1],
        0,
        max(_FEWEST, *counts),
        words.direction == "rtl",
        lambda value: words.number(round(value)),
    )
    bars = tuple(replace(bar, marked=mark) for bar, mark in zip(frame.bars(edges, counts, titles), marked, strict=True))
    step = max(1, len(bins) // 5)
    chart = frame.chart([(low, words.number(low)) for low in edges[::step]], bars=bars)
    return SpreadView(
        chart,
        tuple((label, words.number(count), mark) for label, count, mark in zip(ranges, counts, marked, strict=True)),
    )


def in_bins(totals: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Put totals, ascending, with their counts into ranges of a round width: from, up to but not, how many."""
    low, high = totals[0][0], totals[-1][0]
    width = next(width for width in _WIDTHS if high // width - low // width < BARS or width == _WIDTHS[-1])
    found = dict.fromkeys(range(low // width, high // width + 1), 0)
    for total, count in totals:
        found[total // width] += count
    return [(nth * width, (nth + 1) * width, count) for nth, count in found.items()]


_ROLLS = P_("%(n)s roll", "%(n)s rolls")


def _best(sight: Sight, words: Words) -> list[BestTurn]:
    return [
        BestTurn(
            words.number(number),
            turn.dice,
            words.count(*_ROLLS, turn.rolls),
            words.box(turn.box, sight.ruleset.id),
            words.number(turn.points),
        )
        for number, turn in enumerate(line_of_play(sight), start=1)
    ]


def after_json(served: Service, sight: Sight, page: int = 1) -> dict[str, Any]:
    """Give what comes after a completed day to the API: the best line from the close on, the board to those who may see it.

    Raises:
        Unreadable: `bad_page`: the board has no such page.

    """
    if not sight.may_see_others:
        return {}
    spread = served.results.spread(sight)
    board = served.results.board(sight, spread, page)
    opened = {"best_line": sight.best_line} if sight.closed else {}
    rows = [
        {"rank": row.rank, "name": row.name, "total": row.total, "game": row.game, "own": row.own} for row in board.rows
    ]
    return {
        **opened,
        "rank": spread.rank,
        "totals": [list(pair) for pair in spread.totals],
        "board": {"page": board.page, "pages": board.pages, "count": board.count, "final": board.final, "rows": rows},
    }
