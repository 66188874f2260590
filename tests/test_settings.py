"""The settings: what each environment variable does, and what is said about one that cannot be used."""

from __future__ import annotations

from datetime import UTC, timedelta
from pathlib import Path

import pytest
from pydantic import ValidationError

from app import clock
from app.settings import PREFIX, BadSettings, Settings
from app.store import Store

KEY = "0123456789abcdef" * 4
OLDER_KEY = "fedcba9876543210" * 4


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(PREFIX + name.upper(), raising=False)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("data", "/srv/games", Path("/srv/games")),
        ("database", "postgresql://ada@db.example/games", "postgresql://ada@db.example/games"),
        ("host", "0.0.0.0", "0.0.0.0"),  # noqa: S104  a value to read, not to listen on
        ("port", "8123", 8123),
        ("workers", "3", 3),
        ("hosts", "games.example, dice.example ,", ("games.example", "dice.example")),
        ("synchronous", "normal", "NORMAL"),
        ("signing_key", f"{KEY}, {OLDER_KEY}", (bytes.fromhex(KEY), bytes.fromhex(OLDER_KEY))),
        ("base_path", "/games/fairwind/", "/games/fairwind"),
        ("secure_cookies", "ON", "on"),
        ("trusted_proxies", "192.0.2.7, 198.51.100.0/24", ("192.0.2.7", "198.51.100.0/24")),
        ("read_only", "On", "on"),
        ("metrics", "ON", "on"),
        ("log", "Requests", "requests"),
        ("rate_limits", "Off", "off"),
        ("dailies", "crag, classic", ("crag", "classic")),
        ("daily_stream", "Continuous", "continuous"),
        ("daily_secret", KEY, bytes.fromhex(KEY)),
    ],
)
def test_every_setting_is_read_from_its_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, value: object
) -> None:
    assert getattr(Settings.load(), name) != value
    monkeypatch.setenv(PREFIX + name.upper(), text)
    assert getattr(Settings.load(), name) == value


def test_the_list_of_settings_above_is_complete() -> None:
    (marks,) = [mark for mark in test_every_setting_is_read_from_its_variable.pytestmark if mark.name == "parametrize"]  # type: ignore[attr-defined]
    assert {name for name, _, _ in marks.args[1]} == set(Settings.model_fields)


@pytest.mark.parametrize("name", list(Settings.model_fields))
def test_every_setting_has_one_line_that_says_what_it_is(name: str) -> None:
    description = Settings.model_fields[name].description
    assert description
    assert description.endswith(".")
    assert "\n" not in description
    assert "|" not in description, "it must fit a table"


def test_an_empty_variable_means_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.setenv(PREFIX + name.upper(), "")
    assert Settings.load() == Settings()


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("port", "seven", "integer"),
        ("port", "70000", "65535"),
        ("port", "-1", "0"),
        ("workers", "0", "1"),
        ("workers", "2.5", "integer"),
        ("synchronous", "OFF", "NORMAL"),
        ("secure_cookies", "maybe", "auto"),
        ("database", "mysql://localhost/games", "postgresql"),
        ("database", "sqlite://", "sqlite:///FILE"),
        ("base_path", "games", "/games"),
        ("base_path", '/ga"mes', "/games"),
        ("base_path", "//evil.example", "/games"),
        ("trusted_proxies", "proxy.example", "address"),
        ("trusted_proxies", "192.0.2.1/24", "network"),
        ("read_only", "perhaps", "on"),
        ("metrics", "some", "on"),
        ("log", "everything", "requests"),
        ("rate_limits", "sometimes", "off"),
        ("dailies", "classic,bridge", "bridge"),
        ("dailies", "yatzy,classic,yatzy", "twice"),
        ("dailies", ",", "at least one"),
        ("daily_stream", "by_luck", "continuous"),
        ("daily_secret", KEY[:-2], "32"),
        ("daily_secret", "not hexadecimal", "hexadecimal"),
        ("signing_key", KEY[:-2], "32"),
        ("signing_key", "not hexadecimal", "hexadecimal"),
        ("signing_key", f"{KEY},00", "32"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, word: str
) -> None:
    variable = PREFIX + name.upper()
    monkeypatch.setenv(variable, text)
    with pytest.raises(BadSettings, match=word) as refused:
        Settings.load()
    sentence = str(refused.value)
    assert sentence.startswith(f"{variable} cannot be used: ")
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize("name", ["SIGNING_KEY", "DAILY_SECRET"])
@pytest.mark.parametrize("text", [f"{KEY}zz", KEY[:40], f"{KEY},{OLDER_KEY[:40]}"])
def test_a_refused_key_or_secret_is_not_repeated_in_the_message(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setenv(f"{PREFIX}{name}", text)
    with pytest.raises(BadSettings) as refused:
        Settings.load()
    assert KEY[:40] not in str(refused.value)
    assert OLDER_KEY[:40] not in str(refused.value)


def test_the_printed_settings_hold_neither_key_nor_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{PREFIX}SIGNING_KEY", KEY)
    monkeypatch.setenv(f"{PREFIX}DAILY_SECRET", KEY)
    monkeypatch.setenv(f"{PREFIX}DATABASE", "postgresql://ada:swordfish@db.example/games")
    printed = repr(Settings.load())
    assert "swordfish" not in printed
    assert repr(bytes.fromhex(KEY)) not in printed
    assert KEY not in printed


def test_settings_cannot_be_changed_after_the_start() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().port = 1  # type: ignore[misc]


def test_a_setting_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValidationError, match="prot"):
        Settings(prot=1)  # type: ignore[call-arg]


def test_without_an_address_the_database_is_a_file_in_the_data_folder() -> None:
    assert Settings(data=Path("games")).where == Path("games/fairwind.sqlite3")
    assert Settings(data=Path("games"), database="postgresql://h/g").where == "postgresql://h/g"


@pytest.mark.parametrize("folder", ["a b", "50%", "what?", "#1", "日本", "a'b"])
def test_a_data_folder_may_have_any_name(tmp_path: Path, folder: str) -> None:
    store = Store.open(Settings(data=tmp_path / folder).where)
    store.migrate()
    store.check_schema()
    store.close()
    assert [path.name for path in (tmp_path / folder).iterdir()] == ["fairwind.sqlite3"]


def test_the_systems_clock_gives_moments_in_utc_that_do_not_go_back() -> None:
    first, second = clock.system(), clock.system()
    assert first.tzinfo is UTC
    assert timedelta(0) <= second - first < timedelta(minutes=1)
