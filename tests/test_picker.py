"""The list of games: every ruleset can be found, read about, and started with every option."""

from __future__ import annotations

import pytest
from jinja2 import Environment, meta

from app.game.errors import Unreadable
from app.game.rules import Ruleset, text_of
from app.game.rulesets import VARIANTS, ruleset
from app.play import Plan
from app.web import guide, picker
from app.web.render import TEMPLATES
from tests.support.reading import (
    RENDERER,
    TRADE_NAMES,
    WORDS,
    Reading,
)


def test_no_trade_name_stands_in_the_lists_of_games() -> None:
    for name, shown in (
        ("rules_index.html", guide.rules_index(WORDS)),
        ("new_game.html", picker.new_game(None, WORDS)),
    ):
        assert not TRADE_NAMES.search(Reading(RENDERER.page(name, shown, WORDS)).text)


def test_the_index_leads_to_every_page() -> None:
    found = Reading(RENDERER.page("rules_index.html", guide.rules_index(WORDS), WORDS))
    for offered in VARIANTS:
        assert found.links.count(f"/rules/{offered.id}") == 1


def new_game_forms(shown: picker.NewGameView) -> dict[str, dict[str, list[str]]]:
    found = Reading(RENDERER.page("new_game.html", shown, WORDS))
    assert len(set(found.ids)) == len(found.ids)
    return {form["ruleset"][0]: form for form in found.forms if "ruleset" in form}


def sent_rules(form: dict[str, list[str]], **changed: str) -> Ruleset:
    fields = {name: values[0] for name, values in form.items() if values[0]} | changed
    assert fields.pop("kind") == "solo"
    assert fields.pop("addressing") in {"by_turn", "continuous"}
    assert "corrections" not in fields
    # What is for games against computers is sent too, and left out of account.
    assert fields.pop("start") == "human_first"
    assert "same_dice" not in fields
    fields.pop("level", None)
    return ruleset(fields.pop("ruleset"), fields, text=True)


def test_every_ruleset_can_be_started_as_usual_and_with_every_option() -> None:
    forms = new_game_forms(picker.new_game(None, WORDS))
    assert set(forms) == {offered.id for offered in VARIANTS}
    for offered in VARIANTS:
        form = forms[offered.id]
        assert form["corrections"] == ["", "1"]
        assert sent_rules(form) is ruleset(offered.id)
        for option in offered.options:
            needed = {need.other: text_of(need.other_value) for need in offered.needs if need.option == option.name}
            assert set(form[option.name]) == {text_of(value) for value in option.values}
            for value in form[option.name]:
                assert text_of(sent_rules(form, **needed, **{option.name: value}).options[option.name]) == value


def test_a_ruleset_asked_for_is_shown_open_and_with_the_options_asked_for() -> None:
    shown = picker.new_game("yatzy", WORDS, options={"tie_break": "upper_count"})
    assert [entry.id for family in shown.families for entry in family.entries if entry.open] == ["yatzy"]
    assert sent_rules(new_game_forms(shown)["yatzy"]) is ruleset("yatzy", {"tie_break": "upper_count"})


def test_play_like_last_time_asks_for_the_same_rules() -> None:
    last = ruleset("maxi_yatzy", {"saved_rolls": True})
    shown = picker.new_game(None, WORDS, last=Plan(last))
    form = Reading(RENDERER.page("new_game.html", shown, WORDS)).forms[0]
    sent = {name: values[0] for name, values in form.items()}
    assert sent.pop("kind") == "solo"
    for name, usual in (("addressing", "by_turn"), ("corrections", "0"), ("same_dice", "0"), ("start", "human_first")):
        assert sent.pop(name) == usual
    assert ruleset(sent.pop("ruleset"), sent, text=True) is last


def test_an_unknown_ruleset_is_refused_by_the_picker() -> None:
    with pytest.raises(Unreadable, match="no ruleset 'chess'"):
        picker.new_game("chess", WORDS)


def test_the_picker_says_1956_and_1961_where_a_joker_is_chosen() -> None:
    for family in picker.families(WORDS):
        for entry in family.entries:
            for option in entry.options:
                if option.name == "joker":
                    assert "1956" in option.help
                    assert "1961" in option.help


def test_every_option_has_a_line_in_plain_words() -> None:
    for family in picker.families(WORDS):
        for entry in family.entries:
            assert all(option.help for option in entry.options)


@pytest.mark.parametrize(
    ("template", "context"),
    [
        ("rules.html", guide.RulesView),
        ("rules_index.html", guide.RulesIndexView),
        ("new_game.html", picker.NewGameView),
    ],
)
def test_templates_use_what_their_views_hold(template: str, context: type) -> None:
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    used = meta.find_undeclared_variables(environment.parse((TEMPLATES / template).read_text()))
    assert set(context.__dataclass_fields__) <= used  # type: ignore[attr-defined]
