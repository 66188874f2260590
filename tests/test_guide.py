"""Laws of the how-to-play pages: they explain exactly the rules that are played, with whatever options."""

from __future__ import annotations

from datetime import UTC, date, datetime
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.game.card import Card, card_from
from app.game.dice import multisets
from app.game.errors import Unreadable
from app.game.rules import Ruleset, text_of
from app.game.rulesets import VARIANTS, ruleset, variant
from app.web import guide
from app.web.guide_facts import FACTS, facts
from tests.support.reading import (
    CHOICES,
    TRADE_NAMES,
    WORDS,
    boxes,
    every_option,
    every_ruleset,
    in_any_order,
    named,
    page,
    part,
    view,
)


@every_option
def test_every_page_can_be_written_and_tells_its_parts_in_order(rules: Ruleset) -> None:
    found = page(rules)
    parts = [part.id for part in view(rules).parts]
    assert parts == ["what", "need", "turn", "upper", "lower", "fives", "end", "variants", "daily"]
    assert [id_ for id_ in found.ids if id_ in parts] == parts
    assert len(set(found.ids)) == len(found.ids)
    assert {f"#{id_}" for id_ in parts} <= set(found.links)


@every_option
def test_every_box_is_explained_in_words_and_with_two_or_three_examples(rules: Ruleset) -> None:
    explained = boxes(rules)
    assert list(explained) == [box.key for box in sorted(rules.boxes, key=lambda box: not box.upper)]
    for box in rules.boxes:
        shown = explained[box.key]
        assert shown.sentences
        assert "The examples show what it pays." not in shown.sentences
        assert len(shown.examples) in {2, 3}
        assert len({(example.dice, example.note) for example in shown.examples}) == len(shown.examples)


@every_option
def test_examples_show_a_hit_and_where_there_is_one_a_miss(rules: Ruleset) -> None:
    for box in rules.boxes:
        points = [example.points for example in boxes(rules)[box.key].examples]
        can_miss = any(box.score(dice, rules.rolls) == 0 for dice in multisets(rules.dice))
        assert max(points) > 0
        assert (0 in points) is can_miss


@every_option
def test_the_points_of_the_examples_are_those_that_play_would_write(rules: Ruleset) -> None:
    free = in_any_order(rules)
    for box in rules.boxes:
        for example in boxes(rules)[box.key].examples:
            card = Card.empty(free)
            if box.needs and not example.note.endswith("is open or holds 0"):
                five = (6,) * free.dice
                card = card.write(free.place(box.needs), five, free.rolls)
            roll = 1 if example.note == "on the first roll" else free.rolls
            place = free.place(box.key)
            assert example.points == card.previews(example.dice, roll)[box.key].points
            assert example.points == card.write(place, example.dice, roll).points[place]
            assert example.text == ("1 point" if example.points == 1 else f"{example.points} points")


@every_option
def test_each_step_for_further_fives_is_what_the_card_allows(rules: Ruleset) -> None:
    found = part(rules, "fives")
    for step in (*found.steps, *found.edges):
        written = {
            box.key: points for box, points in zip(rules.boxes, step.card.points, strict=True) if points is not None
        }
        # The card is one that can come about, not a drawing.
        assert card_from(rules, written) == step.card
        assert rules.five_alike(step.dice, rules.rolls)
        previews = step.card.previews(step.dice, rules.rolls)
        allowed = [(WORDS.box(key, rules.id), one.points) for key, one in previews.items() if one.reason is None]
        assert [(one.box, one.points) for one in step.may] == allowed
        assert step.closed == tuple(WORDS.box(key, rules.id) for key, one in previews.items() if one.reason is not None)
        assert step.extra == step.card.extra_for(step.dice, rules.rolls)


@given(data=st.data())
@settings(max_examples=60)
def test_any_combination_of_options_has_a_page_that_agrees_with_play(data: st.DataObject) -> None:
    offered = data.draw(st.sampled_from(VARIANTS))
    options = {option.name: data.draw(st.sampled_from(option.values)) for option in offered.options}
    for need in offered.needs:
        if options[need.option] == need.value:
            options[need.other] = need.other_value
    rules = ruleset(offered.id, options)
    assert all(WORDS.box(box.key, rules.id) in page(rules).text for box in rules.boxes)
    found = part(rules, "fives")
    for step in (*found.steps, *found.edges):
        points = [one.points for one in step.card.previews(step.dice, rules.rolls).values() if one.reason is None]
        assert [one.points for one in step.may] == points


@pytest.mark.parametrize("rules", [rules for rules in CHOICES if WORDS.chosen(rules)], ids=named)
def test_every_option_changes_what_the_page_explains(rules: Ruleset) -> None:
    def explained(which: Ruleset) -> list[guide.Part]:
        return [found for found in view(which).parts if found.id != "variants"]

    assert explained(rules) != explained(ruleset(rules.id))
    assert all(rule in page(rules).text for rule in WORDS.chosen(rules))


@every_option
def test_option_links_lead_to_the_page_that_explains_them(rules: Ruleset) -> None:
    needs = variant(rules.id).needs
    for option in part(rules, "variants").options:
        for value in option.values:
            asked = dict(parse_qsl(value.query.removeprefix("?")))
            if value.fits:
                found = ruleset(rules.id, asked, text=True)
                assert text_of(found.options[option.name]) == value.value
                changed = {name for name in found.options if found.options[name] != rules.options[name]}
                assert changed <= {option.name, *(need.option for need in needs if need.other == option.name)}
            else:
                assert option.needs
                with pytest.raises(Unreadable):
                    ruleset(rules.id, asked, text=True)


@every_option
def test_a_page_starts_the_game_that_it_explains_and_leads_to_its_options(rules: Ruleset) -> None:
    (form,) = (form for form in page(rules).forms if "kind" in form)
    sent = {name: values[0] for name, values in form.items()}
    assert sent.pop("kind") == "solo"
    assert ruleset(sent.pop("ruleset"), sent, text=True) is rules
    asked = dict(parse_qsl(urlsplit(view(rules).choose).query))
    assert ruleset(asked.pop("ruleset"), asked, text=True) is rules


@every_option
def test_no_trade_name_stands_outside_what_is_known_elsewhere(rules: Ruleset) -> None:
    assert not TRADE_NAMES.search(page(rules).text)


@every_ruleset
def test_every_ruleset_tells_its_character_origin_and_name_elsewhere(rules: Ruleset) -> None:
    assert rules.id in FACTS
    assert part(rules, "what").known
    for related in facts(rules.id).related:
        assert related != rules.id
        assert related in FACTS


@every_ruleset
def test_the_day_of_the_last_change_is_a_day_that_has_been(rules: Ruleset) -> None:
    found = view(rules)
    assert date(2026, 1, 1) < date.fromisoformat(found.changed_iso) <= datetime.now(UTC).date()
    assert f"Last changed: {found.changed}" in page(rules).text
