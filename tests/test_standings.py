"""Statistics: what is counted where, recounted from the games by themselves."""

from __future__ import annotations

import random
import re
import statistics

from app.daily import Streak
from app.game.rulesets import VARIANTS
from app.play import Kind
from app.store import Figures, Store, Totals
from app.web import standings
from app.web.words import words
from tests.support.stores import a_game, later
from tests.support.web import Visitor, World, text_of

EN = words("en")


def section(visitor: Visitor, heading: str) -> str:
    """Read the section of a heading on the page, "" where there is none."""
    page = visitor.get("/stats").text
    found = re.findall(rf"<h2>{heading}</h2>(.*?)(?:<h2>|<p class=\"small\")", page, re.DOTALL)
    return text_of(found[0]) if found else ""


def play_day(visitor: Visitor) -> int:
    """Play the day to the end; gives its total."""
    table = visitor.post("/daily", data={"ruleset": "classic"}).headers["location"]
    return int(visitor.play_out(visitor.get(f"/api/v1{table}").json())["seats"][0]["total"])


def test_fifty_random_games_add_up(played: Store) -> None:
    """Played is finished and given up, and nothing else; the figures are those of the scores, counted by themselves."""
    chance = random.Random(4)
    scores: list[int] = []
    given_up = 0
    with played.writing() as tx:
        for number in range(50):
            tx.add_game(a_game(f"g{number}"))
            match chance.choice(("finished", "given up", "open")):
                case "finished":
                    scores.append(chance.randint(50, 250))
                    tx.finish(f"g{number}", later(number), {0: scores[-1]})
                case "given up":
                    given_up += 1
                    tx.abandon(f"g{number}", later(number))
                case _:
                    pass
        totals = tx.totals("ada")
    ((row,),) = [section.standings for section in standings.stats(totals, {}, EN).sections]
    assert (row.played, row.abandoned) == (str(len(scores) + given_up), str(given_up))
    assert (row.best, row.mean, row.spread) == (
        str(max(scores)),
        f"{statistics.mean(scores):.1f}",
        f"{statistics.stdev(scores):.1f}",
    )


def test_days_practice_and_assisted_games_stand_apart(world: World) -> None:
    visitor = world.visitor()
    total = play_day(visitor)
    assert section(visitor, "The daily").endswith(f"Classic {total} {total}.0 – 1 0")
    assert section(visitor, "Your games") == ""
    streak = section(visitor, "Days in a row")
    assert "Classic" in streak
    assert "1 day" in streak
    world.clock.forward(days=2)
    practice = visitor.open_table("classic", kind="practice", day="2026-11-29")
    points = visitor.play_out(visitor.get(f"/api/v1{practice}").json())["seats"][0]["total"]
    assert section(visitor, "Practice on past days").endswith(f"Classic {points} {points}.0 – 1 0")
    assert section(visitor, "The daily").endswith(f"Classic {total} {total}.0 – 1 0")


def test_kinds_are_counted_by_themselves_in_the_order_of_the_page() -> None:
    def one(kind: Kind, best: int, *, assisted: bool = False) -> Totals:
        return Totals("classic", "{}", kind, assisted, Figures(1, best, best, best * best), 1)

    totals = [one(kind, place, assisted=assisted) for assisted in (False, True) for place, kind in enumerate(Kind, 100)]
    view = standings.stats(totals, {}, EN)
    assert [section.heading for section in view.sections] == [
        "Your games",
        "Against computers",
        "The daily",
        "Practice on past days",
        "Assisted games",
    ]
    bests = {kind: str(place) for place, kind in enumerate(Kind, 100)}
    for shown, kind in zip(view.sections, (Kind.SOLO, Kind.COMPUTER, Kind.DAILY, Kind.PRACTICE), strict=False):
        assert [(row.best, row.played, row.abandoned) for row in shown.standings] == [(bests[kind], "2", "1")]
    assert len(view.sections[-1].standings) == len(Kind)


def test_a_streak_is_told_once_there_is_one() -> None:
    streaks = {"classic": Streak(0, 4), "yatzy": Streak(0, 0)}
    view = standings.stats([], streaks, EN)
    (run,) = view.runs
    assert (run.ruleset, run.calendar) == ("Classic", "/daily/archive?ruleset=classic")
    assert "4" in run.streak


def test_every_ruleset_can_be_counted() -> None:
    totals = [Totals(variant.id, "{}", "solo", assisted=False, finished=Figures(), abandoned=1) for variant in VARIANTS]
    view = standings.stats(totals, {}, EN)
    assert len({row.ruleset for row in view.sections[0].standings}) == len(VARIANTS)
