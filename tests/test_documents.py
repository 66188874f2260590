"""What the documents say is true: commands, targets, settings, files, errors and examples that they name exist."""

import ast
import json
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

import app
from app.__main__ import cli, main
from app.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text() for path in DOCUMENTS}
README = TEXTS["README.md"]
CONTRIBUTING = TEXTS["CONTRIBUTING.md"]

FOLDERS = "app|bench|docs|migrations|static|templates|tests|tools"


def rows(text: str, first: str) -> list[list[str]]:
    """Read the Markdown table whose first column has this heading: its rows, without the heading."""
    table = text[text.index(f"| {first} |") :].split("\n\n", maxsplit=1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_there_are_documents_to_look_at() -> None:
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/api.md", "docs/decisions.md"} <= set(TEXTS)


@pytest.mark.parametrize("name", TEXTS)
def test_every_link_within_the_project_leads_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", TEXTS[name]):
        if not re.match(r"https?:", target):
            assert ((ROOT / name).parent / target).exists(), target


@pytest.mark.parametrize("name", TEXTS)
def test_every_file_that_a_document_names_exists(name: str) -> None:
    for path in re.findall(rf"`((?:{FOLDERS})/[\w./-]*)`", TEXTS[name]):
        made_by_the_example = path.endswith("/pocket.py")
        assert made_by_the_example or (ROOT / path).exists(), path


@pytest.mark.parametrize("name", TEXTS)
def test_every_make_target_that_a_document_names_exists(name: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = re.findall(r"(?:`| {4}|^)make ([a-z-]+)", TEXTS[name], re.MULTILINE)
    assert set(named) <= targets


@pytest.mark.parametrize("name", TEXTS)
def test_every_command_that_a_document_names_exists(name: str) -> None:
    named = re.findall(r"(?:`|\$ |bin/)fairwind ([a-z]+)", TEXTS[name])
    assert set(named) <= set(cli.commands)


def test_the_readme_tells_of_every_command_with_all_its_options() -> None:
    told: dict[str, str] = {}
    for call, _ in rows(README, "command"):
        name = call.strip("`").split()[1]
        told[name] = told.get(name, "") + call
    assert set(told) == set(cli.commands)
    for name, command in cli.commands.items():
        options = {word for option in command.params if isinstance(option, click.Option) for word in option.opts}
        assert options - {"--json"} == set(re.findall(r"--[a-z-]+", told[name])), name


def test_the_readme_tells_of_every_setting() -> None:
    expected = []
    for name, field in Settings.model_fields.items():
        value = ",".join(field.default) if isinstance(field.default, tuple) else field.default
        default = "" if value in (None, "") else f"`{value}`"
        expected.append([f"`{PREFIX}{name.upper()}`", default, field.description])
    assert rows(README, "variable") == expected


@pytest.mark.parametrize("name", TEXTS)
def test_every_setting_that_a_document_names_exists(name: str) -> None:
    named = set(re.findall(rf"\b{PREFIX}([A-Z_]+)", TEXTS[name]))
    assert named <= {setting.upper() for setting in Settings.model_fields}


EXAMPLES = [
    (name, call, printed)
    for name, text in TEXTS.items()
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for call, printed in re.findall(r"^\$ fairwind (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


@pytest.mark.parametrize(("name", "call", "printed"), EXAMPLES)
def test_every_example_of_a_call_prints_what_the_document_says(
    capsys: pytest.CaptureFixture[str], name: str, call: str, printed: str
) -> None:
    assert main(shlex.split(call)) == 0, name
    assert capsys.readouterr().out == printed


def test_the_readme_shows_an_example() -> None:
    assert "README.md" in {name for name, _, _ in EXAMPLES}


def exceptions() -> dict[str, str]:
    """Find the project's own exceptions: name → the first class it comes from."""
    found: dict[str, str] = {}
    for path in sorted(Path(app.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and node.bases:
                found[node.name] = ast.unparse(node.bases[-1])

    def is_error(name: str) -> bool:
        return name in {"Exception", "ValueError"} or (name in found and is_error(found[name]))

    return {name: base for name, base in found.items() if is_error(name)}


def test_contributing_draws_every_error_below_the_one_that_it_is() -> None:
    tree = CONTRIBUTING[CONTRIBUTING.index("```\nGameError") + 4 :].split("```")[0]
    drawn: dict[str, str] = {}
    above: list[str] = []
    for line in tree.splitlines():
        branch, name = re.findall(r"^([│├└─ ]*)(\w+)", line)[0]
        above[len(branch) // 4 :] = [name]
        drawn[name] = above[-2] if len(above) > 1 else "Exception"
    # A fault of ours in the code, which no caller can mend.
    faults = {"NaiveTime"}
    assert drawn == {name: base for name, base in exceptions().items() if name not in faults}


def test_the_command_for_a_copy_of_the_data_makes_one(tmp_path: Path) -> None:
    code = re.findall(r"python3 -c '(import sqlite3; .*)'", TEXTS["docs/operations.md"])[0]
    (tmp_path / "data").mkdir()
    with sqlite3.connect(tmp_path / "data" / "fairwind.sqlite3") as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE games (id TEXT)")
        database.execute("INSERT INTO games VALUES ('still in the log')")
        database.commit()
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    database.close()
    copied = sqlite3.connect(tmp_path / "copy.sqlite3")
    assert copied.execute("SELECT id FROM games").fetchall() == [("still in the log",)]
    copied.close()


def follow(folder: Path) -> None:
    """Do in a copy of the project what "Add a ruleset" says, word by word."""
    part = CONTRIBUTING[CONTRIBUTING.index("## Add a ruleset") : CONTRIBUTING.index("## Add a language")]
    blocks = re.findall(
        r'^ {3}```python (file|insert)=(\S+)(?: after="([^"]*)")?\n(.*?)^ {3}```', part, re.MULTILINE | re.DOTALL
    )
    assert len(blocks) == 4
    for kind, name, anchor, indented in blocks:
        text = re.sub(r"^ {3}", "", indented, flags=re.MULTILINE)
        path = folder / name
        if kind == "file":
            path.write_text(text)
            continue
        lines = path.read_text().splitlines(keepends=True)
        (place,) = [number for number, line in enumerate(lines) if line.startswith(anchor)]
        path.write_text("".join([*lines[: place + 1], text, *lines[place + 1 :]]))


PLAY = """
import json
from app.game.dice import Stream
from app.game.notation import Game, read_game, write_game
from app.game.rulesets import ruleset
from app.game.state import Roll, Score, apply, legal, outcome

game = Game(ruleset("pocket", {"straight_score": 20}), bytes(32))
state, moves = game.start(), []
while not state.over:
    for move in (Roll(), Roll((0,)), None):
        move = move or Score(max(legal(state).boxes, key=legal(state).boxes.get))
        state = apply(state, move, game.stream)
        moves.append(move)
text = write_game(Game(game.ruleset, game.key, tuple(moves)))
print(json.dumps([len(moves), state.card.total, text, read_game(text).play().card.total, outcome(state).winners]))
"""


def test_a_ruleset_is_added_by_following_the_instructions(tmp_path: Path) -> None:
    for part in ("app", "templates", "static", "migrations"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    follow(tmp_path)

    def python(*words: str) -> Any:
        done = subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    points = {
        box: found["points"] for box, found in python("-m", "app", "score", "pocket", *"456", "--json")["boxes"].items()
    }
    assert points == {"sixes": 6, "three_of_a_kind": 0, "straight": 15, "chance": 15}
    entry = next(one for one in python("-m", "app", "rulesets", "--json") if one["id"] == "pocket")
    assert entry == {
        "id": "pocket",
        "name": "Pocket",
        "dice": 3,
        "rolls": 2,
        "boxes": ["sixes", "three_of_a_kind", "straight", "chance"],
        "options": {"straight_score": [15, 20]},
    }
    moves, total, text, replayed, winners = python("-c", PLAY)
    assert moves == 4 * 3
    assert total == replayed
    assert text.startswith("fairwind/1 pocket[straight_score=20] by_turn key=")
    assert winners == [0]
