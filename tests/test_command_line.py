"""The command line as a script sees it: what it prints, what it refuses, and with which exit code."""

import json
import os
import pty
import re
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from app import __version__
from app.__main__ import cli, main
from app.clock import system
from app.coach.making import Tables
from app.game.rulesets import ruleset
from app.game.state import Roll, Score
from app.play import Plan, Play
from app.store import Store

ROOT = Path(__file__).resolve().parents[1]
Refused: TypeAlias = Callable[..., str]
FAIRWIND = Path(sys.executable).with_name("fairwind")


def run(
    *words: str, lines: str | bytes = "", data: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Call the installed program as a shell would."""
    text = lines if isinstance(lines, bytes) else lines.encode()
    done = subprocess.run(
        [str(FAIRWIND), *words],
        input=text,
        capture_output=True,
        check=False,
        timeout=60,
        env=_environment(data, variables),
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def _environment(data: Path | None, variables: dict[str, str]) -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("FAIRWIND_")}
    return env | ({"FAIRWIND_DATA": str(data)} if data else {}) | variables


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Call with --json, in this process, and read the one document."""
    assert main([*words, "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return json.loads(printed.out)


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Call wrongly, in this process, and give the one line that was said about it."""
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.endswith("\n")
    assert printed.err.count("\n") == 1
    return printed.err


def batch(*lines: object) -> list[Any]:
    """Ask for many at once; texts are sent as they are, everything else as JSON."""
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    done = run("score", "--batch", lines=text)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def open_box(points: int) -> dict[str, object]:
    return {"points": points, "legal": True, "reason": None}


def closed_box(reason: str) -> dict[str, object]:
    return {"points": 0, "legal": False, "reason": reason}


CLASSIC_LOWER = (
    "three_of_a_kind",
    "four_of_a_kind",
    "full_house",
    "small_straight",
    "large_straight",
    "five_of_a_kind",
    "chance",
)


# What score answers


def test_score_answers_every_open_box_in_the_order_of_the_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "score", "classic", "3", "1", "2", "4", "4")
    upper = {"ones": 1, "twos": 2, "threes": 3, "fours": 8, "fives": 0, "sixes": 0}
    lower = dict.fromkeys(CLASSIC_LOWER, 0) | {"small_straight": 30, "chance": 14}
    assert found == {
        "ruleset": "classic",
        "dice": [3, 1, 2, 4, 4],
        "boxes": {box: open_box(points) for box, points in (upper | lower).items()},
        "extra": 0,
    }
    assert list(found) == ["ruleset", "dice", "boxes", "extra"]
    assert list(found["boxes"]) == [*upper, *CLASSIC_LOWER]


def test_a_filled_box_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "score", "classic", "1", "1", "1", "2", "3", "--card", "ones=3", "--card", "chance=0")
    assert "ones" not in found["boxes"]
    assert "chance" not in found["boxes"]
    assert len(found["boxes"]) == 11


def test_a_box_that_the_joker_rule_closes_has_no_points_and_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "score", "classic", "6", "6", "6", "6", "6", "--card", "five_of_a_kind=50")
    assert found["extra"] == 100
    assert found["boxes"].pop("sixes") == open_box(30)
    assert found["boxes"]
    assert all(box == closed_box("joker_upper") for box in found["boxes"].values())


def test_a_joker_goes_below_once_its_upper_box_is_filled(capsys: pytest.CaptureFixture[str]) -> None:
    card = ("--card", "five_of_a_kind=0", "--card", "twos=6")
    found = answer(capsys, "score", "classic", "2", "2", "2", "2", "2", *card)
    # The five-of-a-kind box was struck: a joker all the same, but no bonus.
    assert found["extra"] == 0
    assert found["boxes"]["full_house"] == open_box(25)
    assert found["boxes"]["small_straight"] == open_box(30)
    assert found["boxes"]["large_straight"] == open_box(40)
    assert found["boxes"]["chance"] == open_box(10)
    assert found["boxes"]["ones"] == closed_box("joker_lower")


def test_options_change_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    dice = ("2", "2", "3", "3", "3")
    assert answer(capsys, "score", "classic", *dice)["boxes"]["three_of_a_kind"]["points"] == 13
    options = ("--option", "kind_scoring=matching", "--option", "full_house_score=sum", "--option", "joker=none")
    found = answer(capsys, "score", "classic", *dice, *options)["boxes"]
    assert found["three_of_a_kind"]["points"] == 9
    assert found["full_house"]["points"] == 13
    ordered = answer(capsys, "score", "classic", *dice, "--option", "forced_order=true")["boxes"]
    assert ordered["ones"] == open_box(0)
    assert ordered["twos"] == closed_box("forced_order")


def test_without_a_roll_the_last_one_is_meant(capsys: pytest.CaptureFixture[str]) -> None:
    def straight(*roll: str) -> int:
        found: int = answer(capsys, "score", "generala", "1", "2", "3", "4", "5", *roll)["boxes"]["straight"]["points"]
        return found

    # Served on the first roll, a straight pays 5 more.
    assert straight("--roll", "1") == 25
    assert straight("--roll", "3") == 20
    assert straight() == 20


def test_dice_count_and_rolls_are_those_of_the_ruleset(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "score", "crag", "4", "4", "5", "--roll", "2")["boxes"]["crag"]["points"] == 50
    assert answer(capsys, "score", "maxi_yatzy", *"666666")["boxes"]["six_of_a_kind"]["points"] == 100
    assert "1 to 2" in refusal(capsys, "score", "crag", "4", "4", "5", "--roll", "3")
    assert "6 dice" in refusal(capsys, "score", "maxi_yatzy", *"66666")


def test_saved_rolls_make_later_rolls_possible(capsys: pytest.CaptureFixture[str]) -> None:
    dice = ("score", "maxi_yatzy", *"123456", "--option", "saved_rolls=true")
    assert "1 to 3" in refusal(capsys, *dice, "--roll", "4")
    # One earlier turn can have left two rolls.
    assert answer(capsys, *dice, "--card", "ones=2", "--roll", "5")["boxes"]["full_straight"]["points"] == 21
    assert "1 to 5" in refusal(capsys, *dice, "--card", "ones=2", "--roll", "6")
    assert "1 to 3" in refusal(capsys, "score", "maxi_yatzy", *"123456", "--card", "ones=2", "--roll", "4")


def test_score_without_json_reads_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "crag", "1", "3", "5", "--card", "crag=26", "--card", "thirteen=26"]) == 2
    assert "crag cannot hold 26" in capsys.readouterr().err
    assert main(["score", "classic", "6", "6", "6", "6", "6", "--card", "five_of_a_kind=50"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "classic: 6 6 6 6 6"
    assert "sixes 30" in [" ".join(line.split()) for line in lines]
    assert "ones - joker_upper" in [" ".join(line.split()) for line in lines]
    assert lines[-1] == "  and 100 for a further five of a kind"


# Wrong calls

OK = ("score", "classic", "1", "1", "3", "4", "5")
LOCKED = ("--rolls-left", "1", "--option", "locked_dice=true")

WRONG_CALLS: list[tuple[tuple[str, ...], tuple[str, ...]]] = [
    ((), ("Missing command", "score", "serve")),
    (("roll",), ("'roll'", "score", "rulesets")),
    (("--colour",), ("'--colour'",)),
    (("score",), ("missing", "RULESET DICE...")),
    (("score", "classic"), ("5 dice", "none")),
    (("score", "bridge", "1", "1", "3", "4", "5"), ("'bridge'", "classic", "red_hot")),
    (("score", "classic", "1", "1", "3", "4"), ("5 dice", "not 1 1 3 4")),
    (("score", "classic", "1", "1", "3", "4", "5", "6"), ("5 dice", "not 1 1 3 4 5 6")),
    (("score", "classic", "1", "1", "3", "4", "7"), ("'7'", "1 to 6")),
    (("score", "classic", "1", "1", "3", "4", "0"), ("'0'", "1 to 6")),
    (("score", "classic", "1", "1", "3", "4", "-1"), ("-1", "DICE...")),
    (("score", "classic", "1", "1", "3", "4", "five"), ("'five'", "1 to 6")),
    (("score", "classic", "1", "1", "3", "4", "5.0"), ("'5.0'", "1 to 6")),
    (("score", "classic", "1", "1", "3", "4", "\u0665"), ("'\u0665'", "1 to 6")),
    (("score", "classic", "11345"), ("'11345'", "DICE...")),
    (("score", "classic", "1 1 3 4 5"), ("'1 1 3 4 5'", "DICE...")),
    ((*OK, "--roll", "0"), ("'0'", "from 1")),
    ((*OK, "--roll", "4"), ("1 to 3", "not 4")),
    ((*OK, "--roll", "x"), ("'x'", "whole number")),
    ((*OK, "--roll", "9" * 5000), ("whole number",)),
    ((*OK, "--roll"), ("--roll", "requires an argument", "[--roll N]")),
    ((*OK, "--rool", "1"), ("'--rool'", "--roll")),
    ((*OK, "--card", "ones"), ("'ones'", "BOX=POINTS")),
    ((*OK, "--card", "=3"), ("'=3'", "BOX=POINTS")),
    ((*OK, "--card", "ones="), ("''", "whole number")),
    ((*OK, "--card", "ones=x"), ("'x'", "whole number")),
    ((*OK, "--card", "ones=1e1"), ("'1e1'", "whole number")),
    ((*OK, "--card", "ones=-1"), ("'-1'", "from 0")),
    ((*OK, "--card", "ones=6"), ("ones cannot hold 6", "0, 1, 2, 3, 4, 5")),
    ((*OK, "--card", "full_house=24"), ("full_house cannot hold 24", "0, 25")),
    ((*OK, "--card", "small_straight=31"), ("small_straight cannot hold 31", "0, 30")),
    ((*OK, "--card", "one_pair=4"), ("'one_pair'", "ones", "chance")),
    ((*OK, "--card", "ones=2", "--card", "ones=3"), ("ones", "twice")),
    ((*OK, "--option", "joker"), ("'joker'", "NAME=VALUE")),
    ((*OK, "--option", "joker=maybe"), ("joker can be forced", "none", "maybe")),
    ((*OK, "--option", "lenient_full_house=yes"), ("lenient_full_house can be false, true", "yes")),
    ((*OK, "--option", "extra_five=25"), ("extra_five can be 100, 50, 0", "25")),
    ((*OK, "--option", "speed=2"), ("'speed'", "joker", "forced_order")),
    ((*OK, "--option", "joker=none", "--option", "joker=none"), ("joker", "twice")),
    (
        ("score", "yatzy", "1", "1", "3", "4", "5", "--option", "extra_yatzy=none", "--option", "joker_upper=wild"),
        ("joker_upper=wild", "extra_yatzy=bonus100_joker"),
    ),
    ((*OK, "--option", "forced_order=true", "--card", "twos=2"), ("top to bottom",)),
    ((*OK, "--batch"), ("--batch",)),
    (("score", "--batch", "--roll", "1"), ("--batch",)),
    (("solve",), ("'RULESET'", "[--statistics]")),
    (("solve", "bridge"), ("'bridge'", "classic", "red_hot")),
    (("solve", "crag", "yacht"), ("yacht", "[--force]")),
    (("solve", "crag", "--option", "rolls=3"), ("'rolls'", "none")),
    (("solve", "maxi_yatzy", "--option", "saved_rolls=true"), ("maxi_yatzy", "no exact solution", "pool")),
    (("advise", "crag", "1", "3", "5"), ("'--rolls-left'", "--rolls-left N")),
    (("advise", "crag", "1", "3", "--rolls-left", "1"), ("3 dice", "not 1 3")),
    (("advise", "crag", "--rolls-left", "1"), ("3 dice", "not none")),
    (("advise", "crag", "1", "3", "5", "--rolls-left", "2"), ("0 to 1", "not 2")),
    (("advise", "crag", "1", "3", "5", "--rolls-left", "-1"), ("'-1'", "whole number")),
    (("advise", "crag", "1", "3", "5", "--rolls-left", "1", "--card", "ones=4"), ("ones cannot hold 4", "0, 1, 2, 3")),
    (("advise", "crag", "1", "3", "5", "--rolls-left", "1", "--card", "chance=9"), ("'chance'", "thirteen")),
    (("advise", "crag", "1", "3", "5", "--rolls-left", "0", "--locked", "3"), ("locked_dice",)),
    (("advise", "classic", *"12345", "--locked", "7", *LOCKED), ("'7'", "446")),
    (("advise", "classic", *"12345", "--locked", "44", *LOCKED), ("on the table",)),
    (("simulate", "crag", "--level", "champion"), ("novice, casual, skilled, perfect", "'champion'")),
    (("simulate", "crag", "--games", "0"), ("'0'", "from 1")),
    (("simulate", "crag", "--games", "many"), ("'many'", "whole number")),
    (("simulate", "crag", "--seed", "-1"), ("'-1'", "from 0")),
    (("simulate", "maxi_yatzy", "--option", "saved_rolls=true"), ("saved rolls", "novice, casual, not 'perfect'")),
    (("daily", "tomorrow"), ("'tomorrow'", "2026-11-29")),
    (("daily", "2026-02-30"), ("'2026-02-30'", "2026-11-29")),
    (("daily", "2026-11-29", "2026-11-30"), ("'2026-11-29 2026-11-30'", "excuse DATE")),
    (("daily", "excuse"), ("'excuse'", "2026-11-29")),
    (("daily", "excuse", "today"), ("'today'", "2026-11-29")),
    (("daily", "hide", "2026-11-29"), ("'hide 2026-11-29'", "hide DATE PLAYER")),
    (("daily", "hide", "today", "ada"), ("'today'", "2026-11-29")),
    (("daily", "2026-11-29", "--ruleset", "bridge"), ("'bridge'", "classic", "red_hot")),
    (("daily", "2026-11-29", "--ruleset"), ("--ruleset", "requires an argument")),
    (("rulesets", "classic"), ("classic", "rulesets [--json]")),
    (("migrate", "now"), ("now", "migrate [--json]")),
    (("serve", "8000"), ("8000", "--port")),
    (("serve", "--port", "65536"), ("'65536'", "0 to 65535")),
    (("serve", "--port", "http"), ("'http'", "0 to 65535")),
    (("serve", "--workers", "0"), ("'0'", "1 to 64")),
    (("serve", "--host", ""), ("--host", "127.0.0.1")),
]


@pytest.mark.parametrize(
    ("words", "said"), WRONG_CALLS, ids=[" ".join(words)[:60] or "nothing" for words, _ in WRONG_CALLS]
)
def test_a_wrong_call_is_refused_in_one_line_that_says_what_would_be_right(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: tuple[str, ...]
) -> None:
    sentence = refusal(capsys, *words)
    assert sentence.startswith("fairwind")
    for part in said:
        assert part in sentence


def test_a_full_card_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    boxes = ("ones", "twos", "threes", "fours", "fives", "sixes", *CLASSIC_LOWER)
    card = [word for box in boxes for word in ("--card", f"{box}=0")]
    assert "filled" in refusal(capsys, *OK, *card)


def test_what_was_typed_cannot_break_the_line_or_command_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    sentence = refusal(capsys, *OK, "--option", "joker=a\nb\x1b[31m")
    assert "not a b?[31m." in sentence


def test_a_wrong_call_with_json_prints_nothing_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'7'" in refusal(capsys, "score", "classic", "1", "1", "3", "4", "7", "--json")


def test_json_may_stand_before_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", *OK]) == 0
    assert json.loads(capsys.readouterr().out)["ruleset"] == "classic"


def test_the_module_is_the_same_program() -> None:
    words = ["score", "crag", "6", "6", "1", "--json"]
    done = subprocess.run([sys.executable, "-m", "app", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["boxes"]["crag"]["points"] == 50
    assert run(*words).stdout == done.stdout


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"fairwind {__version__}\n"


@pytest.mark.parametrize("command", sorted(cli.commands))
def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert main([command, "--help"]) == 0
    assert f"Usage: fairwind {command}" in capsys.readouterr().out


# Many at once


def test_batch_answers_as_single_calls_do_and_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    found = batch(
        {"ruleset": "classic", "dice": [6, 6, 6, 6, 6], "card": {"five_of_a_kind": 50}, "roll": None, "options": {}},
        {"ruleset": "generala", "dice": [5, 4, 3, 2, 1], "card": {}, "roll": 1, "options": {"served_bonus": 10}},
        {"ruleset": "classic", "dice": [2, 2, 3, 3, 3], "options": {"lenient_full_house": True, "extra_five": 0}},
        {"dice": [1, 3, 5], "ruleset": "crag"},
    )
    assert found == [
        answer(capsys, "score", "classic", *"66666", "--card", "five_of_a_kind=50"),
        answer(capsys, "score", "generala", *"54321", "--roll", "1", "--option", "served_bonus=10"),
        answer(capsys, "score", "classic", *"22333", "--option", "lenient_full_house=true", "--option", "extra_five=0"),
        answer(capsys, "score", "crag", *"135"),
    ]


GOOD = '"ruleset": "classic", "dice": [1, 1, 3, 4, 5]'

WRONG_LINES = [
    ("", "malformed_json"),
    ("   ", "malformed_json"),
    ("nonsense", "malformed_json"),
    ("{", "malformed_json"),
    ("{" + GOOD, "malformed_json"),
    ("{" + GOOD + "} {}", "malformed_json"),
    ("{" + GOOD + ', "card": {"ones": NaN}}', "malformed_json"),
    ("{" + GOOD + ', "dice": [1, 1, 1, 1, 1]}', "malformed_json"),
    ("{" + GOOD + ', "card": {"ones": 1, "ones": 3}}', "malformed_json"),
    ("[" * 8000, "malformed_json"),
    ("{" + GOOD + ', "roll": ' + "1" * 8000 + "}", "malformed_json"),
    ("{" + GOOD + ', "card": {' + " " * 20000 + "}}", "too_large"),
    ("x" * 1_000_000, "too_large"),
    ("null", "bad_request"),
    ("[]", "bad_request"),
    ('"classic"', "bad_request"),
    ("{}", "bad_request"),
    ('{"ruleset": "classic"}', "bad_request"),
    ('{"dice": [1, 1, 3, 4, 5]}', "bad_request"),
    ("{" + GOOD + ', "cards": {}}', "bad_request"),
    ('{"ruleset": 1, "dice": [1, 1, 3, 4, 5]}', "bad_request"),
    ('{"ruleset": "classic", "dice": "11345"}', "bad_request"),
    ('{"ruleset": "classic", "dice": 11345}', "bad_request"),
    ('{"ruleset": "classic", "dice": null}', "bad_request"),
    ('{"ruleset": "classic", "dice": [true, 1, 3, 4, 5]}', "bad_request"),
    ('{"ruleset": "classic", "dice": [1.0, 1, 3, 4, 5]}', "bad_request"),
    ('{"ruleset": "classic", "dice": ["1", 1, 3, 4, 5]}', "bad_request"),
    ('{"ruleset": "classic", "dice": [[1], 1, 3, 4, 5]}', "bad_request"),
    ("{" + GOOD + ', "card": []}', "bad_request"),
    ("{" + GOOD + ', "card": {"ones": "3"}}', "bad_request"),
    ("{" + GOOD + ', "card": {"ones": true}}', "bad_request"),
    ("{" + GOOD + ', "card": {"ones": null}}', "bad_request"),
    ("{" + GOOD + ', "roll": "1"}', "bad_request"),
    ("{" + GOOD + ', "roll": true}', "bad_request"),
    ("{" + GOOD + ', "roll": 1.0}', "bad_request"),
    ("{" + GOOD + ', "options": []}', "bad_request"),
    ('{"ruleset": "bridge", "dice": [1, 1, 3, 4, 5]}', "unknown_ruleset"),
    ('{"ruleset": "\\ud800", "dice": [1, 1, 3, 4, 5]}', "unknown_ruleset"),
    ('{"ruleset": "classic", "dice": []}', "bad_dice"),
    ('{"ruleset": "classic", "dice": [1, 1, 3, 4]}', "bad_dice"),
    ('{"ruleset": "classic", "dice": [1, 1, 3, 4, 7]}', "bad_dice"),
    ('{"ruleset": "classic", "dice": [1, 1, 3, 4, 0]}', "bad_dice"),
    ('{"ruleset": "classic", "dice": [1, 1, 3, 4, 100000000000000000000]}', "bad_dice"),
    ("{" + GOOD + ', "roll": 0}', "bad_roll"),
    ("{" + GOOD + ', "roll": 4}', "bad_roll"),
    ("{" + GOOD + ', "roll": -1}', "bad_roll"),
    ("{" + GOOD + ', "card": {"one_pair": 2}}', "unknown_box"),
    ("{" + GOOD + ', "card": {"ones": 6}}', "impossible_card"),
    ("{" + GOOD + ', "card": {"ones": -1}}', "impossible_card"),
    ("{" + GOOD + ', "options": {"speed": 2}}', "unknown_option"),
    ("{" + GOOD + ', "options": {"joker": "maybe"}}', "bad_option"),
    # Switches are booleans and numbers are numbers: a text of them is not offered here.
    ("{" + GOOD + ', "options": {"locked_dice": "true"}}', "bad_option"),
    ("{" + GOOD + ', "options": {"locked_dice": 1}}', "bad_option"),
    ("{" + GOOD + ', "options": {"extra_five": "50"}}', "bad_option"),
    ("{" + GOOD + ', "options": {"joker": ["none"]}}', "bad_option"),
]


def test_a_wrong_line_is_answered_by_its_error_and_does_not_stop_the_rest() -> None:
    good = "{" + GOOD + "}"
    found = batch(*(text for line, _ in WRONG_LINES for text in (line, good)))
    wrong, right = found[::2], found[1::2]
    assert len(wrong) == len(right) == len(WRONG_LINES)
    assert all(list(one) == ["error"] and list(one["error"]) == ["code", "message"] for one in wrong)
    assert [(line[:80], one["error"]["code"]) for (line, _), one in zip(WRONG_LINES, wrong, strict=True)] == [
        (line[:80], code) for line, code in WRONG_LINES
    ]
    assert all(one["error"]["message"].endswith(".") for one in wrong)
    assert all(one["boxes"]["chance"]["points"] == 14 for one in right)


def test_a_line_that_is_not_utf_8_is_a_wrong_line() -> None:
    done = run("score", "--batch", lines=b'\xff\xfe\n{"ruleset": "crag", "dice": [1, 3, 5]}\r\n')
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["error"]["code"] == "malformed_json"
    assert second["boxes"]["odd_straight"]["points"] == 20
    assert (done.returncode, done.stderr) == (0, "")


def test_input_that_ends_in_the_middle_of_a_line_is_answered_to_the_end() -> None:
    done = run("score", "--batch", lines="{" + GOOD + '}\n{"ruleset": "cla')
    last = json.loads(done.stdout.splitlines()[-1])
    assert last["error"]["code"] == "malformed_json"
    assert (done.stdout.count("\n"), done.returncode, done.stderr) == (2, 0, "")


def test_no_input_gives_no_answers() -> None:
    done = run("score", "--batch")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    closed = subprocess.run(
        ["sh", "-c", '"$0" score --batch <&-', str(FAIRWIND)], capture_output=True, text=True, check=False
    )
    assert (closed.stdout, closed.stderr, closed.returncode) == ("", "", 0)


def test_a_reader_that_goes_away_is_no_accident(tmp_path: Path) -> None:
    many = tmp_path / "many.jsonl"
    many.write_text(("{" + GOOD + "}\n") * 2000)
    done = subprocess.run(
        ["sh", "-c", '"$0" score --batch <"$1" | head -n 1', str(FAIRWIND), str(many)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert json.loads(done.stdout)["boxes"]["chance"]["points"] == 14
    assert done.stderr == ""


def test_each_line_is_answered_before_the_next_is_sent() -> None:
    with subprocess.Popen(
        [str(FAIRWIND), "score", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        for face in range(1, 7):
            asked.stdin.write(json.dumps({"ruleset": "classic", "dice": [face] * 5}) + "\n")
            asked.stdin.flush()
            assert json.loads(asked.stdout.readline())["boxes"]["chance"]["points"] == 5 * face
        asked.stdin.close()
        assert asked.wait(timeout=10) == 0


def test_ten_thousand_lines_take_under_three_seconds() -> None:
    # Many choices of options, cards and dice, so that nothing is answered from memory alone.
    lines = []
    for number in range(10_000):
        dice = [number // 6**place % 6 + 1 for place in range(5)]
        card = {"ones": number % 6, "chance": 5 + number % 26, "five_of_a_kind": 50 * (number % 2)}
        options = {"joker": ("forced", "lower_free", "none")[number % 3], "small_straight_score": (30, 15)[number % 2]}
        ruleset = ("classic", "classic_free", "classic_plain", "classic_ja_alt")[number % 4]
        lines.append(json.dumps({"ruleset": ruleset, "dice": dice, "card": card, "roll": None, "options": options}))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run("score", "--batch", lines="\n".join(lines))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout.count('"boxes"') == 10_000
    # The time of the processor, so that a busy machine does not decide.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 3


def test_scoring_starts_without_the_libraries_of_the_server() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "app", *OK], cwd=ROOT, capture_output=True, text=True, check=True
    )
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "click" in imported
    assert not imported & {"fastapi", "starlette", "uvicorn", "pydantic", "sqlalchemy", "alembic", "numpy", "jinja2"}


# The list of rulesets

Options: TypeAlias = dict[str, list[Any]]
SWITCH = [False, True]
TURN: Options = {"locked_dice": SWITCH, "forced_order": SWITCH}
JOKERS = ["forced", "lower_free", "strict_1956", "free_choice", "none"]
CLASSIC: Options = {
    "joker": JOKERS,
    "extra_five": [100, 50, 0],
    "full_house_score": ["25", "sum"],
    "small_straight_score": [30, 15],
    "large_straight_score": [40, 30],
    "kind_scoring": ["all", "matching"],
    "lenient_full_house": SWITCH,
    "three_of_a_kind_box": [True, False],
    **TURN,
}
YATZY: Options = {
    "extra_yatzy": ["bonus100_joker", "plus50", "none"],
    "joker_upper": ["as_rolled", "wild"],
    "joker_after_zero": SWITCH,
    "two_pairs_full_house": SWITCH,
    "tie_break": ["draw", "upper_count"],
    **TURN,
}
SHEET: dict[str, tuple[str, int, int, int, Options]] = {
    "classic": ("Classic", 5, 3, 13, CLASSIC),
    "classic_free": (
        "Classic, free joker (1956)",
        5,
        3,
        13,
        CLASSIC | {"joker": ["lower_free", "forced", "strict_1956", "free_choice", "none"]},
    ),
    "classic_plain": (
        "Classic, no joker",
        5,
        3,
        13,
        CLASSIC | {"joker": ["none", "forced", "lower_free", "strict_1956", "free_choice"], "extra_five": [0, 100, 50]},
    ),
    "classic_ja_alt": (
        "Classic, other scores",
        5,
        3,
        13,
        CLASSIC
        | {"full_house_score": ["sum", "25"], "small_straight_score": [15, 30], "large_straight_score": [30, 40]},
    ),
    "yatzy": ("Yatzy, Finnish", 5, 3, 15, YATZY),
    "yatzy_scandinavian": (
        "Yatzy, Scandinavian",
        5,
        3,
        15,
        YATZY | {"extra_yatzy": ["none", "bonus100_joker", "plus50"], "two_pairs_full_house": [True, False]},
    ),
    "yatzy_kids": ("Yatzy for children", 5, 3, 8, {"size": [8, 10], "upper_bonus": [0, 50], **TURN}),
    "maxi_yatzy": ("Maxi Yatzy", 6, 3, 20, {"maxi_bonus": ["84_100", "75_50"], "saved_rolls": SWITCH, **TURN}),
    "yacht": (
        "Old Yacht",
        5,
        3,
        12,
        {
            "straights": ["30_30", "15_20", "25_30"],
            "four_sum": ["four", "all"],
            "lenient_full_house": SWITCH,
            **TURN,
        },
    ),
    "yacht_ww": ("Yacht, twelve boxes", 5, 3, 12, {"lenient_full_house": SWITCH, **TURN}),
    "kniffel": ("German", 5, 3, 13, {"extra_kniffel": ["schmidt50", "bonus100"], **TURN}),
    "generala": (
        "Generala",
        5,
        3,
        11,
        {
            "generala_value": [50, 60],
            "served_bonus": [5, 10],
            "wrap_straight": SWITCH,
            "ace_for_two": SWITCH,
            "double_generala_box": [True, False],
            "served_wins": [True, False],
        },
    ),
    "cheerio": ("Cheerio", 5, 2, 11, {"rolls": [2, 3]}),
    "crag": ("Crag", 3, 2, 13, {}),
    "kismet": (
        "Colours",
        5,
        3,
        15,
        {"straight_score": [30, 40], "five_alike_full_house": [True, False], "kismet_penalty": SWITCH},
    ),
    "red_hot": ("Wild ones", 5, 3, 13, {"extra_five": [0, 100], **TURN}),
}
"""Id → name, dice, rolls, boxes, options with the default first. Source: the rules sheet's sections 0 and 31."""


def test_rulesets_lists_what_the_rules_sheet_offers(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "rulesets")
    assert [list(one) for one in found] == [["id", "name", "dice", "rolls", "boxes", "options"]] * len(SHEET)
    assert {one["id"] for one in found} == set(SHEET)
    for one in found:
        name, dice, rolls, boxes, options = SHEET[one["id"]]
        assert (one["name"], one["dice"], one["rolls"], len(one["boxes"])) == (name, dice, rolls, boxes)
        # Compared as JSON, where true is not 1.
        assert json.dumps(one["options"], sort_keys=True) == json.dumps(options, sort_keys=True)
        assert one["boxes"][:6] == ["ones", "twos", "threes", "fours", "fives", "sixes"]


def test_rulesets_without_json_reads_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulesets"]) == 0
    printed = capsys.readouterr().out
    assert "crag: Crag\n  3 dice, 2 rolls, boxes ones, twos" in printed
    assert "  rolls: 2, 3\n" in printed
    assert "  locked_dice: false, true\n" in printed


# The solver


@pytest.fixture
def solved_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let this process keep its tables in a folder of the test's own."""
    monkeypatch.setenv("FAIRWIND_DATA", str(tmp_path))
    return tmp_path / "tables"


def test_solve_says_what_the_game_is_worth_and_keeps_the_table(
    capsys: pytest.CaptureFixture[str], solved_here: Path
) -> None:
    first = answer(capsys, "solve", "crag")
    (table,) = solved_here.glob("crag-*.table")
    assert list(first) == [
        "ruleset", "options", "expected", "standard_deviation", "bonus_rate", "boxes", "zero_rates", "states", "seconds",
        "table_bytes", "cached",
    ]  # fmt: skip
    # Thirteen boxes, each filled or not; crag has no bonus that the upper sum could lead to.
    assert (first["ruleset"], first["options"], first["states"], first["cached"]) == ("crag", {}, 2**13, False)
    assert first["table_bytes"] == table.stat().st_size
    assert [first[key] for key in ("standard_deviation", "bonus_rate", "boxes", "zero_rates")] == [None] * 4
    written = table.stat().st_mtime_ns
    again = answer(capsys, "solve", "crag")
    assert again == first | {"cached": True}
    assert table.stat().st_mtime_ns == written
    forced = answer(capsys, "solve", "crag", "--force")
    assert (forced["cached"], forced["expected"]) == (False, first["expected"])
    assert table.stat().st_mtime_ns > written


def test_statistics_add_up(capsys: pytest.CaptureFixture[str], solved_here: Path) -> None:
    del solved_here
    found = answer(capsys, "solve", "yatzy_kids", "--statistics", "--option", "upper_bonus=50")
    assert found["options"]["upper_bonus"] == 50
    boxes = ["ones", "twos", "threes", "fours", "fives", "sixes", "one_pair", "chance"]
    assert list(found["boxes"]) == list(found["zero_rates"]) == boxes
    assert sum(found["boxes"].values()) + 50 * found["bonus_rate"] == pytest.approx(found["expected"], abs=1e-4)
    assert all(0 <= rate < 1 for rate in found["zero_rates"].values())
    assert found["zero_rates"]["chance"] == 0
    assert 0 < found["standard_deviation"] < found["expected"]


def test_advice_on_the_last_box_is_what_chances_say(capsys: pytest.CaptureFixture[str], solved_here: Path) -> None:
    del solved_here
    card = [word for box in ruleset("crag").index if box != "crag" for word in ("--card", f"{box}=0")]
    found = answer(capsys, "advise", "crag", *"662", "--rolls-left", "1", *card)
    assert list(found) == ["best", "keeps", "boxes", "value"]
    # Crag, 50 points, is 6 6 1, 5 5 3 or 4 4 5: one face of six completes 6 6, the faces 6 and 1 in either order a single 6.
    assert found["best"] == {"action": "roll", "keep": [6, 6]}
    assert found["value"] == pytest.approx(50 / 6, abs=1e-6)
    keeps = {tuple(one["keep"]): one["expected"] for one in found["keeps"]}
    assert keeps[6,] == pytest.approx(50 * 2 / 36, abs=1e-6)
    # Three sorts of crag, each in three orders.
    assert keeps[()] == pytest.approx(50 * 9 / 216, abs=1e-6)
    assert keeps[2, 6] == keeps[2,] == keeps[2, 6] == 0
    assert len(found["keeps"]) == len(keeps) == 5
    assert [one["expected"] for one in found["keeps"]] == sorted(keeps.values(), reverse=True)
    assert found["boxes"] == {"crag": 0}
    found = answer(capsys, "advise", "crag", *"616", "--rolls-left", "0", *card)
    assert found == {"best": {"action": "score", "box": "crag"}, "keeps": [], "boxes": {"crag": 50}, "value": 50}


def test_locked_dice_stay(capsys: pytest.CaptureFixture[str], solved_here: Path) -> None:
    del solved_here
    call = ("advise", "yatzy_kids", *"11266", "--rolls-left", "1", "--option", "locked_dice=true")
    for locked in ("16", "6 1", "6-1"):
        keeps = [one["keep"] for one in answer(capsys, *call, "--locked", locked)["keeps"]]
        # A 1 and a 6 stay; of 1, 2 and 6 anything may be kept besides, but not all of it.
        assert sorted(keeps) == [[1, 1, 2, 6], [1, 1, 6], [1, 1, 6, 6], [1, 2, 6], [1, 2, 6, 6], [1, 6], [1, 6, 6]]


def test_simulate_says_how_games_come_out(capsys: pytest.CaptureFixture[str], solved_here: Path) -> None:
    del solved_here
    call = ("simulate", "crag", "--level", "casual", "--games", "2000", "--seed", "7")
    found = answer(capsys, *call)
    assert list(found) == [
        "games", "mean", "standard_deviation", "standard_error", "minimum", "maximum", "quantiles", "boxes", "bonus_rate",
        "extra_mean", "rolls_per_turn", "seconds",
    ]  # fmt: skip
    assert list(found["quantiles"]) == ["1", "5", "25", "50", "75", "95", "99"]
    assert found["standard_error"] == pytest.approx(found["standard_deviation"] / 2000**0.5)
    ordered = [found["minimum"], *found["quantiles"].values(), found["maximum"]]
    assert ordered == sorted(ordered)
    assert list(found["boxes"]) == list(ruleset("crag").index)
    assert sum(found["boxes"].values()) == pytest.approx(found["mean"])
    assert (found["games"], found["bonus_rate"], found["extra_mean"]) == (2000, 0, 0)
    assert 1.5 < found["rolls_per_turn"] < 2
    again, other = answer(capsys, *call), answer(capsys, *call[:-1], "8")
    assert again | {"seconds": 0} == found | {"seconds": 0}
    assert other["mean"] != found["mean"]


def test_solver_commands_without_json_read_well(capsys: pytest.CaptureFixture[str], solved_here: Path) -> None:
    assert main(["solve", "yatzy_kids", "--statistics"]) == 0
    solved = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"yatzy_kids: \d+\.\d{6} points on average under best play", solved[0])
    assert "size=8, upper_bonus=0" in solved[1]
    assert str(next(solved_here.glob("*.table"))) in solved[2]
    assert solved[-1].split()[0] == "chance"
    assert main(["advise", "yatzy_kids", *"66612", "--rolls-left", "1"]) == 0
    advised = capsys.readouterr().out.splitlines()
    assert advised[0] == "yatzy_kids: 6 6 6 1 2"
    assert re.fullmatch(r"Best: keep 6 6 6, \d+\.\d\d points to come on average\.", advised[1])
    assert advised[3].startswith("  keep 6 6 6 ")
    assert main(["simulate", "yatzy_kids", "--games", "100"]) == 0
    assert capsys.readouterr().out.startswith("yatzy_kids, perfect: 100 games in ")


def test_a_table_that_cannot_be_written_is_one_sentence(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "tables").write_text("a file where the folder should be")
    assert "crag cannot be made" in refused("solve", "crag")
    assert "FAIRWIND_PORT" in refused("solve", "crag", FAIRWIND_PORT="http")


def test_what_takes_long_shows_a_bar_on_a_terminal_and_the_answer_stays_clean(tmp_path: Path) -> None:
    screen, terminal = pty.openpty()
    with subprocess.Popen(
        [str(FAIRWIND), "solve", "yacht_ww", "--json"],
        stdout=subprocess.PIPE,
        stderr=terminal,
        text=True,
        env=_environment(tmp_path, {}),
    ) as solving:
        os.close(terminal)
        out, _ = solving.communicate(timeout=100)
    shown = os.read(screen, 65536).decode()
    os.close(screen)
    assert json.loads(out)["states"] == 119_872
    assert re.search(r"\rSolving yacht_ww \[#*-*\] +\d+%, about \d+ s left", shown)
    # At the end the bar is wiped away.
    assert shown.endswith("\r\x1b[K")


# The database and the server


@pytest.fixture
def refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Refused:
    """Call a command that the environment refuses, in this process, and give the one sentence that it says."""

    def call(*words: str, **variables: str) -> str:
        for name, value in ({"FAIRWIND_DATA": str(tmp_path)} | variables).items():
            monkeypatch.setenv(name, value)
        assert main(words) == 1
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.count("\n") == 1
        assert printed.err.startswith("fairwind: ")
        return printed.err

    return call


def test_migrate_makes_the_database_and_may_be_repeated(tmp_path: Path) -> None:
    for _ in range(2):
        done = run("migrate", "--json", data=tmp_path / "new" / "folder")
        assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, {"migrated": True}, "")
    assert run("migrate", data=tmp_path / "new" / "folder").stdout == "The database has the schema of this version.\n"


def finished_game(data: Path) -> str:
    """Play a game of Cheerio to its end in a fresh database, always stopping after the first roll; give its id."""
    with closing(Store.open(data / "fairwind.sqlite3")) as store:
        store.migrate()
        play = Play(store, system)
        rules = ruleset("cheerio")
        player, look = play.open_game(None, Plan(rules))
        for version, box in enumerate(rules.index):
            play.move(look.id, player, 2 * version, Roll())
            look = play.move(look.id, player, 2 * version + 1, Score(box)).look
        assert look.finished_at is not None
        return look.id


def test_recount_finds_nothing_where_nothing_is_wrong(tmp_path: Path) -> None:
    finished_game(tmp_path)
    assert json.loads(run("recount", "--json", data=tmp_path).stdout) == {"differed": []}
    assert run("recount", data=tmp_path).stdout == "Nothing differed from the logs.\n"


def test_recount_mends_a_score_and_says_what_it_was(tmp_path: Path) -> None:
    game = finished_game(tmp_path)
    with closing(sqlite3.connect(tmp_path / "fairwind.sqlite3", isolation_level=None)) as database:
        (score,) = database.execute("SELECT score FROM seats").fetchone()
        database.execute("UPDATE seats SET score = 999")
        differed = {"game": game, "what": "score of seat 0", "stored": "999", "counted": str(score)}
        assert json.loads(run("recount", "--json", data=tmp_path).stdout) == {"differed": [differed]}
        assert database.execute("SELECT score FROM seats").fetchone() == (score,)
        database.execute("UPDATE seats SET score = 998")
    assert run("recount", data=tmp_path).stdout == f"{game}: score of seat 0 was 998, is now {score}\n"


def test_recount_asks_for_a_migrated_database(refused: Refused) -> None:
    assert "migrate" in refused("recount")


DATABASE_COMMANDS = ["serve", "migrate", "recount", "daily"]


@pytest.mark.parametrize("command", DATABASE_COMMANDS)
def test_a_data_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path, refused: Refused, command: str) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file where the folder should be")
    assert str(taken) in refused(command, FAIRWIND_DATA=str(taken))


@pytest.mark.parametrize("command", DATABASE_COMMANDS)
def test_a_database_that_is_none_is_one_sentence(tmp_path: Path, refused: Refused, command: str) -> None:
    (tmp_path / "fairwind.sqlite3").write_text("this is not a database, and long enough to tell " * 40)
    assert "fairwind.sqlite3" in refused(command)


def test_read_only_serving_refuses_a_database_of_a_later_version_too(
    tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Store.open(tmp_path / "fairwind.sqlite3")) as store:
        store.migrate()
    with closing(sqlite3.connect(tmp_path / "fairwind.sqlite3", isolation_level=None)) as database:
        database.execute("UPDATE alembic_version SET version_num = 'r9999'")
    monkeypatch.setenv("FAIRWIND_READ_ONLY", "on")
    assert "later version" in refused("serve")


@pytest.mark.parametrize("command", DATABASE_COMMANDS)
def test_a_database_of_a_later_version_is_left_alone(tmp_path: Path, refused: Refused, command: str) -> None:
    with closing(Store.open(tmp_path / "fairwind.sqlite3")) as store:
        store.migrate()
    with closing(sqlite3.connect(tmp_path / "fairwind.sqlite3", isolation_level=None)) as database:
        database.execute("UPDATE alembic_version SET version_num = 'r9999'")
        assert "later version" in refused(command)
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [("r9999",)]


def test_a_database_server_that_is_away_is_one_sentence_without_the_password(refused: Refused) -> None:
    address = "postgresql://someone:hunter2@127.0.0.1:9/fairwind"
    assert "hunter2" not in refused("migrate", FAIRWIND_DATABASE=address)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FAIRWIND_PORT", "http"),
        ("FAIRWIND_PORT", "65536"),
        ("FAIRWIND_WORKERS", "0"),
        ("FAIRWIND_SYNCHRONOUS", "OFF"),
        ("FAIRWIND_SIGNING_KEY", "secret"),
        ("FAIRWIND_DATABASE", "mysql://localhost/fairwind"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(refused: Refused, name: str, value: str) -> None:
    assert name in refused("serve", **{name: value})


def test_a_refusal_of_the_environment_leaves_no_traceback_and_exits_with_1(tmp_path: Path) -> None:
    done = run("serve", data=tmp_path, FAIRWIND_PORT="http")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)


@contextmanager
def serving(data: Path, *words: str, **variables: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run the server on a free port and give the address that it prints; nothing of it is left at the end."""
    command = [str(FAIRWIND), "serve", "--port", "0", *words]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=_environment(data, variables),
    ) as server:
        assert server.stdout is not None
        try:
            line = server.stdout.readline()
            found = re.fullmatch(r"Fairwind is ready: point your browser at (http://\S+)\n", line)
            assert found, line or (server.stderr and server.stderr.read())
            yield found[1], server
        finally:
            if server.poll() is None:
                server.terminate()
                server.wait(timeout=20)


def status(url: str) -> int:
    """Ask for a page as a browser would."""
    try:
        with urllib.request.urlopen(url, timeout=20) as page:  # noqa: S310 -- an http address of our own
            code: int = page.status
            return code
    except urllib.error.HTTPError as error:
        return error.code


def test_serve_says_in_one_line_where_to_point_the_browser(tmp_path: Path) -> None:
    with serving(tmp_path) as (address, server):
        assert address.startswith("http://127.0.0.1:")
        assert status(f"{address}/") == 200
        assert status(f"{address}/nothing-here") == 404
        server.send_signal(signal.SIGTERM)
        rest = server.communicate(timeout=20)
    # That line was the only one, requests, errors of others and the end included.
    assert rest == ("", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_server_ends_when_it_is_told_to(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path) as (_, server):
        server.send_signal(number)
        assert server.communicate(timeout=20) == ("", "")
        assert server.returncode in {0, -number}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_tables_of_the_days_games_are_begun_with_the_server_and_ended_with_it(
    tmp_path: Path, number: signal.Signals
) -> None:
    tables = Tables(tmp_path / "tables")
    with serving(tmp_path) as (address, server):
        while {path.name.partition("-")[0] for path in tables.folder.glob("*.lock")} != {"classic", "yatzy"}:
            assert status(f"{address}/health") == 200
        server.send_signal(number)
        # What makes the tables writes where the server does: to the end of both there is nothing.
        assert server.communicate(timeout=60) == ("", "")
    for id_ in ("classic", "yatzy"):
        assert tables.pace(ruleset(id_)) is None


def test_several_workers_serve_one_port(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "2") as (address, _):
        assert [status(f"{address}/") for _ in range(6)] == [200] * 6


def test_an_address_for_every_network_is_shown_as_one_that_a_browser_can_open(tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "0.0.0.0") as (address, _):  # noqa: S104 -- for a moment, on a free port
        assert address.startswith("http://127.0.0.1:")
        assert status(f"{address}/") == 200


def test_a_port_in_use_is_one_sentence(refused: Refused) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        sentence = refused("serve", "--port", port)
        assert port in sentence
        assert "in use" in sentence
        assert "--port" in sentence
        assert port in refused("serve", FAIRWIND_PORT=port)


def test_an_address_of_another_machine_is_one_sentence(refused: Refused) -> None:
    # 192.0.2.0/24 is set aside for documentation: no machine has it.
    assert "192.0.2.1" in refused("serve", "--host", "192.0.2.1")
    assert "not-a-host.invalid" in refused("serve", "--host", "not-a-host.invalid")


def test_the_command_line_wins_over_the_environment(refused: Refused) -> None:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        first, second = (str(taken.getsockname()[1]) for taken in (one, other))
        sentence = refused("serve", "--port", first, FAIRWIND_PORT=second)
        assert first in sentence
        assert second not in sentence
