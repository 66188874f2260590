"""Golden games: what every move of them did is written down, read over by a person, and may not change unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.game.errors import GameError
from app.game.notation import read_game, write_game
from app.game.rulesets import VARIANTS
from tools.transcripts import FOLDER, main, transcript

FILES = sorted(FOLDER.glob("*.txt"))


def game_line(text: str) -> str:
    return next(line for line in text.splitlines() if not line.startswith("#"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_does_move_by_move_what_is_written_down(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    assert transcript(written) == written


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_s_line_is_written_as_games_are_written(path: Path) -> None:
    line = game_line(path.read_text(encoding="utf-8"))
    assert write_game(read_game(line)) == line


def test_every_ruleset_has_a_golden_game() -> None:
    played = {read_game(game_line(path.read_text(encoding="utf-8"))).ruleset.id for path in FILES}
    assert played == {variant.id for variant in VARIANTS}


def test_every_reason_of_the_joker_and_the_order_and_every_kind_of_move_stands_in_some_golden_game() -> None:
    everything = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
    for mark in (
        "joker_upper: ",
        "joker_lower: ",
        "forced_order: ",
        "extra 100",
        "extra 50",
        " u ",
        "pool 2",
        "wins at once",
    ):
        assert mark in everything, mark


def test_the_command_writes_what_has_changed_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written = FILES[0].read_text(encoding="utf-8")
    (tmp_path / "same.txt").write_text(written, encoding="utf-8")
    (tmp_path / "new.txt").write_text(game_line(written) + "\n", encoding="utf-8")
    monkeypatch.setattr("tools.transcripts.FOLDER", tmp_path)
    main()
    assert capsys.readouterr().out == "new.txt changed\n"
    made = (tmp_path / "new.txt").read_text(encoding="utf-8")
    assert written.endswith(made)
    assert (tmp_path / "same.txt").read_text(encoding="utf-8") == written


def test_a_game_that_breaks_the_rules_has_no_transcript() -> None:
    line = game_line(FILES[0].read_text(encoding="utf-8")).split(":")[0]
    with pytest.raises(GameError):
        transcript(f"{line}: s1\n")
