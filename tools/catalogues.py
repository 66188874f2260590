"""The catalogues of translations: kept in step with the texts of the source, and compiled for the server.

`python -m tools.catalogues update` puts new texts into every `app/locale/CODE/LC_MESSAGES/fairwind.po`, untranslated, and drops
those that are gone; `update --add CODE` begins a catalogue. `compile` writes the `.mo` files that the server reads: for a
complete catalogue alone, so that no page is ever half in another language.
"""

from __future__ import annotations

import argparse
import ast
import gettext
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import IO, Any

from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from app.web.words import CATALOGUES, DOMAIN

ROOT = Path(__file__).parents[1]
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")

_ONE, _TWO = 1, 2
# Functions and methods of our Python whose arguments are texts, by how many of them are.
_TEXTS = {"N_": _ONE, "gettext": _ONE, "say": _ONE, "P_": _TWO, "ngettext": _TWO, "count": _TWO}
_CONTEXT = "C_"
_HEAD = r"""msgid ""
msgstr ""
"Language: {language}\n"
"Plural-Forms: {plural}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"

"""
_NUMBERS_TRIED = 200


def python_texts(
    source: IO[bytes], keywords: Collection[str], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """Find the texts of a Python file, in the form in which Babel takes them; the two texts of a plural may be marked by N_."""
    del keywords, comment_tags, options
    return iter(sorted(_marked(ast.parse(source.read()))))


def _marked(tree: ast.Module) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    paired: set[ast.expr] = set()
    # Outer calls come before what is in their arguments.
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if node not in paired:
                texts = [_text(argument) for argument in node.args[: _TEXTS.get(name, _TWO)]]
                found = tuple(text for text in texts if text is not None)
                if name == _CONTEXT and len(found) == _TWO:
                    yield node.lineno, "pgettext", found, []
                elif _TEXTS.get(name) == _TWO == len(found):
                    paired.update(node.args[:_TWO])
                    yield node.lineno, "ngettext", found, []
                elif _TEXTS.get(name) == _ONE == len(found) and isinstance(node.args[0], ast.Constant):
                    yield node.lineno, "gettext", found[0], []


def _text(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Call(func=ast.Name(id="N_"), args=[ast.Constant(value=str(text))]):
            return text
        case _:
            return None


def template() -> Catalog:
    """Collect every text of the source."""
    found = Catalog(domain=DOMAIN)
    for folder, pattern, method in (("app", "**.py", f"{__name__}:python_texts"), ("templates", "**.html", "jinja2")):
        options = {pattern: {"silent": "false", "trimmed": "true", "newstyle_gettext": "true"}}
        for name, line, text, _, context in extract_from_dir(
            ROOT / folder, [(pattern, method)], options, DEFAULT_KEYWORDS
        ):
            found.add(text, locations=[(f"{folder}/{name}", line)], context=context)
    return found


def sources(folder: Path = CATALOGUES) -> dict[str, Path]:
    """Find the catalogues in a folder of languages, by language."""
    return {path.parts[-3]: path for path in sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))}


def read(path: Path, language: str) -> Catalog:
    """Read a catalogue."""
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN, abort_invalid=True)


def flaws(catalogue: Catalog, wanted: Catalog | None = None) -> list[str]:
    """Say what is wrong with a catalogue; with the texts that are `wanted`, also which it lacks and which it has to no purpose."""
    found = [f"{_name(message)}: {flaw}" for message in catalogue if message.id for flaw in _flaws(catalogue, message)]
    if wanted is not None:
        have, want = (
            {(message.context, _name(message)) for message in each if message.id} for each in (catalogue, wanted)
        )
        found += [f"{text}: not in the catalogue" for _, text in sorted(want - have, key=str)]
        found += [f"{text}: not in the source" for _, text in sorted(have - want, key=str)]
    return found


def _name(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _flaws(catalogue: Catalog, message: Message) -> Iterator[str]:
    forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))
    if message.fuzzy:
        yield "fuzzy"
    if not all(forms) or len(forms) != (catalogue.num_plurals if message.pluralizable else 1):
        yield "not translated"
        return
    last = message.id if isinstance(message.id, str) else message.id[-1]
    most = {name for text in (message.id if message.pluralizable else (last,)) for name in PLACEHOLDER.findall(text)}
    for number, form in enumerate(forms):
        names = set(PLACEHOLDER.findall(form))
        # A form for one number alone need not show it.
        spared = 1 if message.pluralizable and _stands_for_one(catalogue, number) else 0
        if not names <= most or len(set(PLACEHOLDER.findall(last)) - names) > spared:
            yield f"other placeholders in {form!r}"
        elif "%" in PLACEHOLDER.sub("", form).replace("%%", ""):
            yield f"a lone % in {form!r}"
        elif form.strip() != form and last.strip() == last:
            yield f"space around {form!r}"


def _stands_for_one(catalogue: Catalog, form: int) -> bool:
    plural = gettext.c2py(catalogue.plural_expr)
    return sum(plural(number) == form for number in range(_NUMBERS_TRIED)) == 1


def update(folder: Path = CATALOGUES, add: str | None = None) -> None:
    """Bring every catalogue up to date, and begin the one of the language `add`."""
    wanted = template()
    paths = sources(folder)
    if add:
        paths[add] = folder / add / "LC_MESSAGES" / f"{DOMAIN}.po"
    for language, path in paths.items():
        catalogue = read(path, language) if path.exists() else Catalog(language, DOMAIN)
        # No guesses from similar texts: they would look like translations.
        catalogue.update(wanted, no_fuzzy_matching=True)
        write(path, catalogue)
        _say(f"{language}: {len(catalogue)} texts, {len(flaws(catalogue))} to do")


def write(path: Path, catalogue: Catalog) -> None:
    """Write a catalogue, with a head of what programs need and nothing that changes by itself."""
    text = BytesIO(_HEAD.format(language=catalogue.locale_identifier, plural=catalogue.plural_forms).encode())
    text.seek(0, SEEK_END)
    write_po(text, catalogue, width=120, omit_header=True, ignore_obsolete=True, include_lineno=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.getvalue())


def compile_all(folder: Path = CATALOGUES) -> None:
    """Compile the catalogues that are complete; a language without a compiled one is not offered."""
    for language, path in sources(folder).items():
        catalogue, compiled = read(path, language), path.with_suffix(".mo")
        found = flaws(catalogue)
        if found or not len(catalogue):
            compiled.unlink(missing_ok=True)
            _say(f"{language} is not offered: of {len(catalogue)} texts {len(found)} are still to do")
            continue
        with compiled.open("wb") as file:
            write_mo(file, catalogue)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description="Keep the catalogues of translations.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("update").add_argument("--add", metavar="CODE", help="begin the catalogue of this language")
    commands.add_parser("compile")
    asked = parser.parse_args()
    if asked.command == "update":
        update(add=asked.add)
    else:
        compile_all()


if __name__ == "__main__":
    main()
