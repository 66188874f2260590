"""Where the games come from: every figure with who gives it, and the disagreements said."""

from __future__ import annotations

import re

from app.web import history
from app.web.render import Renderer
from app.web.words import Words
from tests.support.looks import Marked
from tests.support.web import World, text_of

EN = Words("en")
RENDERER = Renderer()


def page(words: Words = EN) -> str:
    """Write the page."""
    return RENDERER.page("history.html", history.history(words), words)


def test_every_line_is_followed_by_who_says_it() -> None:
    view = history.history(EN)
    lines = [*(line for moment in view.moments for line in moment.lines), *(line for _, line in view.claims)]
    lines += [*view.names, *view.shown, view.relatives]
    assert len(lines) > 20
    assert all(line.marks for line in lines)


def test_every_mark_leads_to_a_source_and_every_source_is_used() -> None:
    html = page()
    marks = set(re.findall(r'<a href="#(source-[a-z]+)"', html))
    assert marks == set(re.findall(r'<li id="(source-[a-z]+)"', html))
    assert len(marks) == 4


def test_figures_that_do_not_agree_stand_side_by_side_and_it_is_said() -> None:
    said = text_of(page())
    # Source: the facts sheet, from the Japanese encyclopaedia (1, 2) and the Hebrew one (3, 4).
    for number in ("40,000,000", "15,000,000", "50,000,000", "100,000,000"):
        assert number in said
    assert "cannot all be right" in said
    assert "The Yacht Game" in said
    assert "1,000 sets" in said


def test_each_year_tells_what_the_facts_sheet_tells() -> None:
    told = {moment.when: " ".join(line.text for line in moment.lines) for moment in history.history(EN).moments}
    for year, word in {"1954": "yacht", "1956": "Lowe", "1961": "joker", "1973": "Milton Bradley"}.items():
        assert word in told[year]
    offspring = dict(history.history(EN).offspring)
    assert offspring["1972"] == "Triple"
    assert offspring["1991"] == "Showdown"
    assert list(offspring) == sorted(offspring)


def test_the_page_is_reached_from_the_rules_and_from_the_foot_of_every_page_and_says_when_it_changed(
    world: World,
) -> None:
    visitor = world.visitor()
    for address in ("/rules", "/stats"):
        assert 'href="/history"' in visitor.get(address).text
    html = visitor.get("/history").text
    assert f'<time datetime="{history.CHANGED.isoformat()}">' in html


def test_numbers_are_written_in_the_manner_of_the_language() -> None:
    finnish = [number for number, _ in history.history(Words("fi")).claims]
    assert finnish[0].replace("\N{NO-BREAK SPACE}", " ") == "40 000 000"


def test_every_word_but_names_and_years_is_translated() -> None:
    html = re.sub(
        r"<(\w+) lang=\"en\".*?</\1>|<(head|footer class=\"site)\b.*?</(head|footer)>",
        "",
        page(Marked()),
        flags=re.DOTALL,
    )
    text = text_of(html)
    while (shorter := re.sub(r"«[^«»]*»", "", text)) != text:
        text = shorter
    # What Babel puts into a list and a date.
    assert set(re.findall(r"[^\W\d_]{2,}", text)) <= {"Fairwind", "and", "Nov"}
