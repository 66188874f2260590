"""The project's own tools: locks, make targets, what may stand in a committed file, finding a browser."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.browser import HOW_TO_GET_ONE, NoBrowserError, find_chromium, find_firefox
from tests.support.firefox_door import own_answer
from tools.can_make_venv import objection
from tools.get_browser import installing_commands

ROOT = Path(__file__).parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-bench.lock")
PIN = re.compile(
    r"(?P<name>[a-z0-9][a-z0-9.-]*)==(?P<version>[^ ]+)(?: ; (?P<marker>[^\\]+))?"
    r"(?: \\\n {4}--hash=sha256:[0-9a-f]{64})+"
)


def pins(lock: str) -> dict[tuple[str, str | None], str]:
    """Read a lock file: package and marker → version; every line of it must belong to a pin with its hashes."""
    text = (ROOT / lock).read_text().rstrip("\n")
    found = list(PIN.finditer(text))
    assert "\n".join(match.group() for match in found) == text
    return {(match["name"], match["marker"]): match["version"] for match in found}


def tracked_files() -> list[Path]:
    """Everything git would commit: tracked, or new and not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout
    return [path for name in listed.decode().split("\0") if name and (path := ROOT / name).is_file()]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_of_a_lock_file_is_a_version_with_hashes(lock: str) -> None:
    assert pins(lock)


@pytest.mark.parametrize("lock", LOCKS)
def test_no_lock_file_names_an_address_to_download_from(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    assert "index-url" not in text
    assert "find-links" not in text


def test_the_lock_for_development_contains_the_one_for_running() -> None:
    assert pins("requirements.lock").items() <= pins("requirements-dev.lock").items()


def test_the_bench_lock_changes_no_version_of_the_other_locks() -> None:
    others = dict(pins("requirements-dev.lock"))
    assert all(others.get(package, version) == version for package, version in pins("requirements-bench.lock").items())


def test_every_dependency_that_the_project_names_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for_running = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["postgres"]]
    groups = project["dependency-groups"]
    asked = {
        "requirements.lock": for_running + groups["build"],
        "requirements-dev.lock": for_running + groups["dev"],
        "requirements-bench.lock": groups["bench"],
    }
    for lock, requirements in asked.items():
        names = {re.split(r"[\[<>=!~ ]", requirement)[0].replace("_", "-") for requirement in requirements}
        assert names <= {name for name, _ in pins(lock)}, lock


@pytest.mark.parametrize("target", ["install", "run", "test", "check", "bench", "quality", "lock", "browser"])
def test_the_makefile_has_the_target(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_the_program_for_checking_a_change_runs_the_same_tests_as_a_person() -> None:
    program = ROOT / ".ci" / "run"
    assert os.access(program, os.X_OK)
    assert re.search(r"^make test\b", program.read_text(), re.MULTILINE)


def test_no_committed_text_names_a_package_index_or_a_folder_of_one_machine() -> None:
    hosts = ("pypi" + ".org", "pythonhosted" + ".org", "npmjs" + ".org", "deb.debian" + ".org")
    folder = re.compile(r"(?<![\w.:/~-])/(?:home|root|work|Users|mnt)/[\w.-]+")
    offences = []
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        found = [host for host in hosts if host in text] + folder.findall(text)
        offences += [f"{path.relative_to(ROOT)}: {word}" for word in found]
    assert offences == []


def test_the_name_of_the_vendored_htmx_tells_its_version_and_its_licence_lies_beside_it() -> None:
    (script,) = (ROOT / "static" / "vendor").glob("htmx-*.min.js")
    version = script.name.removeprefix("htmx-").removesuffix(".min.js")
    assert re.findall(r'this\.version="([^"]+)"', script.read_text(encoding="utf-8")) == [version]
    assert "Zero-Clause BSD" in script.with_name(f"htmx-{version}.LICENSE.txt").read_text(encoding="utf-8")


def test_the_core_imports_nothing_but_the_standard_library_and_itself() -> None:
    for path in (ROOT / "app" / "game").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    modules = [alias.name for alias in names]
                case ast.ImportFrom(module=str(module), level=0):
                    modules = [module]
                case _:
                    continue
            for module in modules:
                assert module.startswith("app.game") or module.split(".")[0] in sys.stdlib_module_names, path


def test_an_old_python_is_refused_with_the_version_it_has_and_the_one_it_needs() -> None:
    sentence = objection((3, 9, 2), modules_missing=False)
    assert sentence is not None
    assert "3.11" in sentence
    assert "3.9.2" in sentence


def test_a_python_without_venv_says_which_package_brings_it() -> None:
    sentence = objection((3, 11, 0), modules_missing=True)
    assert sentence is not None
    assert "python3-venv" in sentence


def test_this_python_can_make_the_environment() -> None:
    assert objection(sys.version_info[:3], modules_missing=False) is None


def test_a_missing_browser_is_an_error_that_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(NoBrowserError, match="make browser") as error:
        find_chromium({"PATH": str(tmp_path)}, own=str(tmp_path / "chrome"))
    assert str(error.value) == HOW_TO_GET_ONE


def test_a_browser_named_by_the_environment_comes_before_the_systems(tmp_path: Path) -> None:
    for name in ("mine", "chromium"):
        (tmp_path / name).touch(mode=0o755)
    mine = str(tmp_path / "mine")
    assert find_chromium({"PATH": str(tmp_path), "CHROME_PATH": mine}) == Path(mine)
    assert find_chromium({"PATH": str(tmp_path)}) == tmp_path / "chromium"


def test_a_wrong_browser_path_is_named_in_the_error(tmp_path: Path) -> None:
    with pytest.raises(NoBrowserError, match=r"CHROME_PATH is .*nowhere"):
        find_chromium({"PATH": str(tmp_path), "CHROME_PATH": str(tmp_path / "nowhere")})


def test_playwrights_own_browser_will_do_where_the_system_has_none(tmp_path: Path) -> None:
    own = tmp_path / "chrome"
    own.touch(mode=0o755)
    assert find_chromium({"PATH": str(tmp_path / "empty")}, own=str(own)) == own


def test_firefox_is_the_systems_or_none(tmp_path: Path) -> None:
    assert find_firefox({"PATH": str(tmp_path)}) is None
    (tmp_path / "firefox").touch(mode=0o755)
    assert find_firefox({"PATH": str(tmp_path)}) == tmp_path / "firefox"
    (tmp_path / "firefox-esr").touch(mode=0o755)
    assert find_firefox({"PATH": str(tmp_path)}) == tmp_path / "firefox-esr"


def test_only_the_commands_that_firefox_can_do_without_are_answered_for_it() -> None:
    media = {"id": 7, "method": "emulation.setMediaFeaturesOverride", "params": {"features": []}}
    answer = own_answer(json.dumps(media))
    assert answer is not None
    assert json.loads(answer) == {"type": "success", "id": 7, "result": {}}
    assert own_answer(json.dumps({"id": 8, "method": "browsingContext.navigate", "params": {}})) is None


def test_the_browser_comes_from_the_system_on_debian_as_root_and_from_playwright_elsewhere() -> None:
    _, install = installing_commands("debian", root=True)
    assert install[:2] == ["apt-get", "install"]
    assert {"chromium", "firefox-esr"} <= set(install)
    for distribution, root in (("debian", False), ("fedora", True), ("", False)):
        (command,) = installing_commands(distribution, root=root)
        assert command[1:] == ["-m", "playwright", "install", "chromium"]


def test_what_checks_a_change_runs_all_tests_once_with_nothing_to_read() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("make")] == ["make test </dev/null"] == lines[-1:]
    subprocess.run(["bash", "-n", ".ci/run"], cwd=ROOT, check=True)
