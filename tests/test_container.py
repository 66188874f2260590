"""The container and the worked example of docs/operations.md: what can be seen without an engine to run them."""

from __future__ import annotations

import re
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from app.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
CADDYFILE = (ROOT / "Caddyfile").read_text(encoding="utf-8")


@pytest.fixture
def compose() -> dict[str, Any]:
    """The worked example, read."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    return found


def test_the_container_runs_as_a_user_of_its_own_and_writes_to_one_volume() -> None:
    stage = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.findall(r"^USER (.*)$", stage, re.MULTILINE) == ["10001:10001"]
    assert re.findall(r"^VOLUME (.*)$", stage, re.MULTILINE) == ["/data"]
    assert "FAIRWIND_DATA=/data" in stage
    # What is copied after the last line that speaks as root stays root's.
    assert "--chown" not in stage
    assert re.search(r"^CMD \[", stage, re.MULTILINE), "a list, so that signals reach the server"


def test_the_base_images_are_named_with_their_versions() -> None:
    for image in re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE):
        assert re.search(r":[0-9]", image), image
    assert "--require-hashes" in DOCKERFILE


def test_what_the_image_needs_goes_to_the_builder_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_in = {line[1:] for line in lines if line.startswith("!")}
    assert "*" in lines
    assert {"app", "migrations", "static", "templates", "requirements.lock", "pyproject.toml"} <= let_in
    assert not let_in & {"data", "tests", ".git", ".venv"}


def test_both_servers_of_the_example_are_alike_and_locked_down(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert services["one"] == services["two"]
    one = services["one"]
    assert one["read_only"] is True
    assert one["cap_drop"] == ["ALL"]
    assert [volume.rpartition(":")[2] for volume in one["volumes"]] == ["/data"]
    assert "ports" not in one, "only the proxy is reached from outside"
    assert "ports" not in services["database"]


def test_the_settings_of_the_example_exist_and_can_be_used(
    compose: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = compose["services"]["one"]["environment"]
    for name, value in given.items():
        filled = re.sub(r"\$\{(\w+):\?[^}]*\}", "dice.example", str(value))
        monkeypatch.setenv(name, filled)
    settings = Settings.load()
    assert {name.removeprefix(PREFIX).lower() for name in given} <= set(Settings.model_fields)
    assert settings.hosts == ("dice.example",)
    assert settings.secure_cookies == "on"
    (subnet,) = compose["networks"]["inside"]["ipam"]["config"]
    assert settings.trusted_proxies == (subnet["subnet"],)
    assert ip_network(subnet["subnet"]).is_private


def test_the_proxy_of_the_example_asks_the_servers_that_there_are(compose: dict[str, Any]) -> None:
    upstreams = re.findall(r"(\w+):8000", CADDYFILE)
    assert set(upstreams) == {"one", "two"} <= set(compose["services"])
    assert "EXPOSE 8000" in DOCKERFILE
    assert "health_uri /ready" in CADDYFILE
    assert "encode" in CADDYFILE
    assert CADDYFILE.count("{") == CADDYFILE.count("}")


def test_counts_and_readiness_do_not_leave_the_example() -> None:
    assert "respond @inside 404" in CADDYFILE
    assert re.search(r"@inside path .*/metrics", CADDYFILE)


def test_no_password_stands_in_the_example(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        for name, value in service.get("environment", {}).items():
            if "PASSWORD" in name or "postgresql" in str(value):
                assert "${POSTGRES_PASSWORD:?" in str(value), name
