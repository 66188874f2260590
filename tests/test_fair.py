"""Fair dice for all to see: sealed days, opened days, the checker, the program of the document, and the counts of all dice."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.daily import key_of
from app.game.dice import Addressing, Stream
from app.game.rulesets import ruleset
from app.play.sights import all_dice
from app.play.tallying import Tallying, beyond, chi_square
from app.store import Store
from tests.support.after import DAY, attempt, close, finish, finished_games, somebody, store_of
from tests.support.web import Visitor, World, text_of

DOCUMENT = Path(__file__).parents[1] / "docs" / "fairness.md"
KEY = "ab" * 32
COMMITMENT = hashlib.sha256(bytes.fromhex(KEY)).hexdigest()


def counts(visitor: Visitor) -> dict[str, list[int]]:
    """Read the counts off the page: whose, and how often each face came up."""
    table = re.findall(r'<table class="figures counts">.*?</table>', visitor.get("/fair").text, re.DOTALL)[0]
    whose = re.findall(r'class="number">(\w+)</th>', table)
    rows = [re.findall(r'class="number">([\d,]+)</td>', row) for row in table.split("</tr>")]
    columns = zip(*([int(cell.replace(",", "")) for cell in row] for row in rows if row), strict=True)
    found = {name: list(column) for name, column in zip(whose, columns, strict=True)}
    assert all(sum(column[:6]) == column[6] for column in found.values())
    return {name: column[:6] for name, column in found.items()}


def test_the_fingerprints_of_the_next_thirty_days_are_public_and_hold_when_the_days_open(daily_world: World) -> None:
    page = daily_world.visitor().get("/fair").text
    sealed = re.findall(
        r'<time datetime="([\d-]+)">[^<]*</time>\s*<span class="small">Fingerprint <code dir="ltr">(\w+)', page
    )
    assert len(sealed) == 62
    assert len({day for day, _ in sealed}) == 31
    daily_world.clock.forward(days=5)
    later = daily_world.visitor().get("/fair").text
    opened = re.findall(r'data-key="(\w+)" data-commitment="(\w+)"', later)
    assert len(opened) == 2 * 5
    promised = {commitment for _, commitment in sealed}
    for key, commitment in opened:
        assert hashlib.sha256(bytes.fromhex(key)).hexdigest() == commitment
        assert commitment in promised


def test_no_key_of_a_day_that_is_open_or_to_come_stands_on_the_page(daily_world: World) -> None:
    finish(somebody(daily_world))
    page = daily_world.visitor().get("/fair").text
    with store_of(daily_world).reading() as tx:
        secret = tx.stored_secret("daily")
        days = [tx.day(DAY, id_) for id_ in ("yacht", "yatzy_kids")]
    assert secret is not None
    keys = [day.key.hex() for day in days if day is not None]
    assert keys == [key_of(secret, id_, DAY).hex() for id_ in ("yacht", "yatzy_kids")]
    assert not [key for key in (*keys, secret.hex()) if key in page]
    answer = daily_world.visitor().get("/fair", params={"day": DAY.isoformat(), "ruleset": "yacht"})
    assert answer.status_code == 403
    assert keys[0] not in answer.text
    close(daily_world)
    assert keys[0] in daily_world.visitor().get("/fair").text


def test_the_checker_shows_all_dice_of_a_closed_day(daily_world: World) -> None:
    close(daily_world)
    visitor = daily_world.visitor()
    dice = visitor.get(f"/api/v1/daily/{DAY.isoformat()}").json()["dice"]
    page = visitor.get("/fair", params={"day": DAY.isoformat(), "ruleset": "yacht"}).text
    assert "these are the dice that were fixed before" in page
    shown = re.findall(r'<bdi dir="ltr">([\d ]+)</bdi>', page)
    assert shown == [" ".join(map(str, faces)) for turn in dice for faces in turn]


def test_a_pasted_key_is_checked_against_its_fingerprint(daily_world: World) -> None:
    visitor = daily_world.visitor()
    asked = {"key": f" {KEY[:10]} {KEY[10:].upper()}\n", "ruleset": "yacht"}
    assert f"The fingerprint of this key is {COMMITMENT}." in visitor.get("/fair", params=asked).text
    right = visitor.get("/fair", params={**asked, "commitment": COMMITMENT.upper()}).text
    assert "these are the dice that were fixed before" in right.split('class="verdict"')[1][:200]
    wrong = visitor.get("/fair", params={**asked, "commitment": "0" * 64}).text
    assert f"does not give that fingerprint: its SHA-256 is {COMMITMENT}" in wrong
    continuous = visitor.get("/fair", params={**asked, "addressing": "continuous"}).text
    expected = all_dice(ruleset("yacht"), Stream(bytes.fromhex(KEY), Addressing.CONTINUOUS))
    shown = re.findall(r'<bdi dir="ltr">([\d ]+)</bdi>', continuous)
    assert shown == [" ".join(map(str, faces)) for turn in expected for faces in turn]


def test_what_cannot_be_checked_is_refused_with_a_sentence(daily_world: World) -> None:
    refused: dict[int, list[dict[str, str]]] = {
        400: [
            {"key": ""},
            {"key": "ab"},
            {"key": "g" * 64},
            {"key": "a" * 65},
            {"key": "\u0661" * 64},
            {"key": KEY, "commitment": "abc"},
            {"key": KEY, "addressing": "by_luck"},
            {"key": KEY, "addressing": ""},
        ],
        403: [{"day": "2026-11-29"}, {"day": "2026-12-24"}, {"day": "2028-01-01"}],
        404: [
            {"key": KEY, "ruleset": "bridge"},
            {"day": "x"},
            {"day": ""},
            {"day": "2026-02-30"},
            {"day": "2025-12-31"},
            {"day": "9" * 500},
        ],
        422: [{"day": "2026-11-29", "ruleset": "classic"}],
    }
    visitor = daily_world.visitor()
    for status, asked in refused.items():
        for fields in asked:
            answer = visitor.get("/fair", params=fields)
            assert answer.status_code == status, fields
            assert "<h1" in answer.text
            assert "Traceback" not in answer.text


def program() -> str:
    """Take the program out of the document."""
    found = re.findall(
        r"^```python file=check_day\.py\n(.*?)^```", DOCUMENT.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert len(found) == 1
    return str(found[0])


def run(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the document's program with nothing around but Python itself."""
    script = tmp_path / "check_day.py"
    script.write_text(program())
    return subprocess.run(
        [sys.executable, "-I", "-S", str(script), *words], capture_output=True, text=True, check=False, cwd=tmp_path
    )


def test_the_program_of_the_document_gives_the_dice_of_a_closed_day(daily_world: World, tmp_path: Path) -> None:
    close(daily_world)
    day = daily_world.visitor().get(f"/api/v1/daily/{DAY.isoformat()}").json()
    done = run(tmp_path, day["key"], day["commitment"], "by_turn", "5", "3", "12")
    assert done.stderr == ""
    head, *turns = done.stdout.splitlines()
    assert head == "The key gives the fingerprint."
    assert turns == [
        "  ".join(["Turn", str(number), *(" ".join(map(str, faces)) for faces in rolls)])
        for number, rolls in enumerate(day["dice"], start=1)
    ]
    assert run(tmp_path, day["key"], "0" * 64).returncode == 1


def test_the_program_knows_the_other_order_too(tmp_path: Path) -> None:
    done = run(tmp_path, KEY, COMMITMENT, "continuous")
    expected = all_dice(ruleset("classic"), Stream(bytes.fromhex(KEY), Addressing.CONTINUOUS))
    shown = [line.split("  ")[2:] for line in done.stdout.splitlines()[1:]]
    assert shown == [[" ".join(map(str, faces)) for faces in turn] for turn in expected]


def test_the_counts_do_not_move_while_a_day_is_open_and_take_it_in_once_when_it_closes(daily_world: World) -> None:
    visitor = daily_world.visitor()
    before = counts(visitor)
    finish(somebody(daily_world))
    finish(somebody(daily_world), worst=True)
    attempt(somebody(daily_world))
    assert counts(visitor) == before
    daily_world.clock.forward(hours=21, minutes=59, seconds=59)
    assert counts(visitor) == before
    daily_world.clock.forward(seconds=1)
    after = counts(visitor)
    # All dice of the day, once, by each ruleset: 12 turns and 8 of three rolls of five.
    boxes = [len(ruleset(id_).boxes) for id_ in ("yacht", "yatzy_kids")]
    assert sum(after["Days"]) == sum(15 * count for count in boxes)
    assert after["People"] == before["People"]
    assert counts(visitor) == after


def test_finished_games_are_counted_once_people_and_computers_apart(daily_world: World) -> None:
    visitor = somebody(daily_world)
    game = visitor.new_game("yatzy_kids")
    assert sum(counts(visitor)["People"]) == 0
    visitor.play_out(game)
    log = visitor.get(f"/api/v1/games/{game['id']}/log").json()["moves"]
    rolled = [face for entry in log if entry["move"] == "r" for face in entry["dice"]]
    expected = [rolled.count(face) for face in range(1, 7)]
    for _ in range(2):
        assert counts(visitor)["People"] == expected
        assert sum(counts(visitor)["Computers"]) == 0
    other = visitor.new_game("yatzy_kids", kind="computer", levels=["perfect"])
    visitor.play_out(other)
    boxes = len(ruleset("yatzy_kids").boxes)
    assert sum(counts(visitor)["People"]) == 2 * 5 * boxes
    assert 5 * boxes <= sum(counts(visitor)["Computers"]) <= 15 * boxes


def test_dice_that_seats_share_are_counted_once(daily_world: World) -> None:
    visitor = somebody(daily_world)
    visitor.play_out(visitor.new_game("yatzy_kids", kind="computer", levels=["perfect", "perfect"], same_dice=True))
    alone = sum(counts(visitor)["Computers"])
    boxes = len(ruleset("yatzy_kids").boxes)
    assert 5 * boxes <= alone <= 15 * boxes


def test_counting_anew_finds_what_is_wrong_and_mends_it(daily_world: World) -> None:
    visitor, store = somebody(daily_world), store_of(daily_world)
    visitor.play_out(visitor.new_game("yatzy_kids"))
    close(daily_world)
    right = counts(visitor)
    tallying = Tallying(store, daily_world.clock)
    assert tallying.recount() == []
    with store.writing() as tx:
        tx.tally({("people", 3): 7})
    assert counts(visitor) != right
    found = tallying.recount()
    assert [(one.what, int(one.stored) - int(one.counted)) for one in found] == [("count of face 3 of people", 7)]
    assert counts(visitor) == right


def test_many_games_are_counted_in_several_goes_and_none_twice(store: Store) -> None:
    ids = finished_games(store, 60)
    with store.writing() as tx:
        assert tx.games_to_tally(25) == ids[:25]
        assert [tx.mark_game_tallied(game) for game in ids[:25]] == [True] * 25
        assert not tx.mark_game_tallied(ids[0])
        assert tx.games_to_tally(100) == ids[25:]
        tx.tally({("people", 1): 5, ("people", 2): 3_000_000_000})
        tx.tally({("people", 1): 2})
        assert tx.tallies() == {("people", 1): 7, ("people", 2): 3_000_000_000}
        tx.forget_tallies()
        assert tx.tallies() == {}
        assert tx.games_to_tally(100) == ids


@pytest.mark.parametrize(
    ("square", "chance"), [(0.0, 1.0), (1.145, 0.95), (4.351, 0.5), (11.070, 0.05), (20.515, 0.001)]
)
def test_the_chance_is_that_of_every_printed_table_for_five_degrees_of_freedom(square: float, chance: float) -> None:
    assert beyond(square) == pytest.approx(chance, rel=0.002)


def test_the_chi_square_tells_even_counts_from_uneven_ones() -> None:
    assert chi_square((100,) * 6) == chi_square((0,) * 6) == (0.0, 1.0)
    # Mean 100; 400 / 100 for each face.
    square, chance = chi_square((80, 120, 80, 120, 80, 120))
    assert square == pytest.approx(24.0)
    assert chance < 0.001


def test_the_page_says_plainly_what_is_proved_and_what_is_not(daily_world: World) -> None:
    said = text_of(daily_world.visitor().get("/fair").text)
    assert "fixed before anybody plays, and cannot be changed afterwards" in said
    assert "an operator could pick a secret, or read it" in said
    assert "second browser" in said
