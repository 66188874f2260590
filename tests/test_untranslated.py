"""Nothing shown stands outside a translation: in templates, in Python, and on pages in which every translation is marked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from app.game.rules import Ruleset
from app.game.rulesets import VARIANTS, ruleset
from app.play.plan import Plan
from app.web import guide, picker
from app.web.render import TEMPLATES, Renderer
from app.web.words import LANGUAGES, Words
from tests.support.looks import Marked
from tools.catalogues import template

WEB = Path(__file__).parent.parent / "app" / "web"
RENDERER = Renderer()

every_template = pytest.mark.parametrize("name", sorted(path.name for path in TEMPLATES.glob("*.html")))


# Templates


SHOWN_ATTRIBUTES = ("alt", "aria-description", "aria-label", "placeholder", "title")
GAP = "\N{OBJECT REPLACEMENT CHARACTER}"
OWN = {
    "base.html": {"Fairwind"},
    "api.html": {"openapi", "json"},
}
"""What needs no translation: the name, and the name of a file. Key caps do not either."""


class Shown(HTMLParser):
    """The text of a template that people see or hear."""

    def __init__(self, html: str) -> None:
        """Read a template in which a gap stands for every expression."""
        super().__init__()
        self.texts: list[str] = []
        self._key = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what attributes say."""
        found = dict(attrs)
        self._key = tag == "kbd"
        self.texts += [found[name] or "" for name in SHOWN_ATTRIBUTES if name in found]
        self.texts += [value or "" for name, value in attrs if name.startswith("data-") and " " in (value or "")]
        if tag == "meta" and found.get("name") == "description":
            self.texts.append(found["content"] or "")

    def handle_endtag(self, tag: str) -> None:
        """Leave a key cap."""
        self._key &= tag != "kbd"

    def handle_data(self, data: str) -> None:
        """Note text."""
        if not self._key:
            self.texts.append(data)


def document(node: nodes.Node) -> Iterator[str]:
    """Give the text of a parsed template in order; what is computed is a gap, but for texts that stand in it as they are."""
    match node:
        case nodes.Block(name="kind"):
            pass  # a class
        case nodes.Block(name="main_data") | nodes.Macro(name="moves"):
            yield f"<p {''.join(text for part in node.body for text in document(part))}>"  # attributes
        case nodes.TemplateData(data=str(text)) | nodes.Const(value=str(text)):
            yield text
        case nodes.CondExpr() | nodes.Filter() | nodes.Concat() | nodes.Output():
            for part in node.iter_child_nodes(exclude=("args", "kwargs", "test")):
                yield from document(part)
        case nodes.Expr():
            yield GAP
        case _:
            for child in node.iter_child_nodes(exclude=("args", "defaults", "target", "test")):
                if not isinstance(child, nodes.Expr):
                    yield from document(child)


def parsed(name: str) -> nodes.Template:
    """Parse a template as the renderer does."""
    environment = Environment(extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True, autoescape=True)
    return environment.parse((TEMPLATES / name).read_text(encoding="utf-8"))


def untranslated(tree: nodes.Template) -> set[str]:
    """Find the words of a template that are not in a translation."""
    texts = Shown("".join(document(tree))).texts
    return {word for text in texts for word in re.findall(r"[^\W\d_]+", text)}


@every_template
def test_a_template_holds_no_text_outside_a_translation(name: str) -> None:
    assert untranslated(parsed(name)) <= OWN.get(name, set())


@every_template
def test_what_a_template_hands_on_to_its_pieces_is_translated(name: str) -> None:
    for call in parsed(name).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name not in {"_", "gettext", "ngettext", "path", "static"}:
            texts = [part.value for part in call.args if isinstance(part, nodes.Const) and isinstance(part.value, str)]
            assert not [text for text in texts if re.search(r"^[A-Z]|\w \w", text)]


@pytest.mark.parametrize(
    "source",
    [
        "<p>Roll</p>",
        '<p aria-label="Roll"></p>',
        '<p title="{% if x %}Roll{% endif %}"></p>',
        '{{ "Roll" if x }}',
        "{% for a in b %}{% else %}Roll{% endfor %}",
        "{% macro a() %}Roll{% endmacro %}",
        '<meta name="description" content="Roll">',
    ],
)
def test_a_text_outside_a_translation_is_found(source: str) -> None:
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    assert untranslated(environment.parse(source)) == {"Roll"}


def test_a_text_within_a_translation_is_no_finding() -> None:
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    source = """<p title="{{ _('Roll') }}">{{ _("Keep %(n)s", n=1) }}{% trans %}Roll{% endtrans %}</p>"""
    assert untranslated(environment.parse(source)) == set()


# Python


FOR_PROGRAMS = {
    "api.py": "the API speaks English",
    "api_bodies.py": "the same",
    "api_days.py": "of days too",
    "picture.py": "a drawing, whose font has no other letters",
    "answers.py": "its errors do too",
    "docs.py": "and so does its page",
    "guard.py": "headers",
    "metrics.py": "what is counted, for programs",
    "board.py": "what an address says wrongly, refused in English",
    "assets.py": "errors for those who run the server",
    "render.py": "the same",
    "service.py": "the same",
    "files.py": "the same",
    "pages.py": "sentences of bad requests, shown as English",
    "__init__.py": "the framework's settings",
}
MARKERS = {"N_", "P_", "C_", "gettext", "ngettext", "say", "count"}


def unmarked(source: str) -> list[str]:
    """Find the texts of several words in Python source that no marker stands around: no docstrings, no errors' messages."""
    tree = ast.parse(source)
    passed: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in MARKERS:
                passed.update(part for argument in node.args for part in ast.walk(argument))
            case ast.Raise() | ast.Expr(value=ast.Constant()):
                passed.update(ast.walk(node))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in passed]
    return [text for text in texts if isinstance(text, str) and re.search(r"[^\W\d]{2,}[,:;.]? [^\W\d]{2,}", text)]


@pytest.mark.parametrize("name", sorted(path.name for path in WEB.glob("*.py") if path.name not in FOR_PROGRAMS))
def test_python_holds_no_sentence_for_people_outside_a_translation(name: str) -> None:
    assert unmarked((WEB / name).read_text(encoding="utf-8")) == []


def test_a_sentence_outside_a_translation_is_found() -> None:
    source = '"""A docstring here."""\nx = words.say(N_("Roll the dice"))\ny = f"Keep {x} dice, please"\nz = "roll"\n'
    assert unmarked(source) == [" dice, please"]


# Pages


def left_in_english(html: str) -> list[str]:
    """Find the words of a page that its translations, here put between « and », do not hold; parts in English are left out."""
    text = " ".join(
        Shown(re.sub(r"<(\w+) lang=\"en\".*?</\1>|<(code|head|script)\b.*?</\2>", "", html, flags=re.DOTALL)).texts
    )
    while (shorter := re.sub(r"«[^«»]*»", "", text)) != text:
        text = shorter
    return re.findall(r"[^\W\d_]{2,}", text)


@pytest.mark.parametrize("rules", [ruleset(variant.id) for variant in VARIANTS], ids=lambda rules: rules.id)
def test_every_word_of_the_rules_is_translated(rules: Ruleset) -> None:
    marked = Marked()
    html = RENDERER.page("rules.html", guide.rules(rules, marked), marked)
    # Dates, and what Babel puts between the last two of a list.
    assert set(left_in_english(html)) <= {"Fairwind", "Nov", "or", "and"}


def test_every_word_of_the_lists_of_rulesets_is_translated() -> None:
    marked = Marked()
    for name, view in (
        ("new_game.html", picker.new_game("yatzy", marked, last=Plan(ruleset("generala"), levels=("novice",)))),
        ("rules_index.html", guide.rules_index(marked)),
    ):
        assert set(left_in_english(RENDERER.page(name, view, marked))) <= {"Fairwind"}


def test_no_page_of_rules_falls_back_to_english() -> None:
    sentences = {message.id for message in template() if isinstance(message.id, str) and len(message.id.split()) > 2}
    for language in LANGUAGES[1:]:
        spoken = Words(language)
        for variant in VARIANTS:
            html = RENDERER.page("rules.html", guide.rules(ruleset(variant.id), spoken), spoken)
            assert not sentences & {text.strip() for text in Shown(html).texts}
