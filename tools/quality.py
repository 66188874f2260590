"""How good the pages are, measured by others' tools: axe, html-validate and Lighthouse, on every scene of `tools.stage`.

`python -m tools.quality [axe] [html] [lighthouse]` runs all three or those that are named, prints what they found and a
table, and ends with 1 unless everything is as it shall be: no findings, and 100 in every category of Lighthouse.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]

from tests.support.browser import find_chromium, launch_arguments
from tools.stage import ROOT, STILL, Scene, Stage, languages, scenes, stage

NODE = ROOT / ".node"
"""Where `make quality` puts the programs of tools/package.json."""

PROGRAMS = NODE / "node_modules" / ".bin"

LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "forced colours": {"forced_colors": "active"},
}
COLOURS = ["color-contrast", "link-in-text-block"]
"""What axe is asked again in another colouring; all else is the same there."""

CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
MEASURED = ("home", "table, kept dice", "table, finished", "rules of classic")
RUNS = 3
FULL = 100


def look_with_axe(on: Stage, spoken: list[str]) -> Iterator[str]:
    """Let axe look at every scene in these languages and every colouring; gives what it finds."""
    for language in spoken:
        with on.guest(language) as guest:
            for scene in scenes():
                on.show(scene, guest)
                guest.page.evaluate(AXE_SCRIPT)
                for look, media in LOOKS.items():
                    guest.page.emulate_media(**{**STILL, **media})
                    asked = {"resultTypes": ["violations"], **({} if look == "light" else {"runOnly": COLOURS})}
                    answer = guest.page.evaluate("asked => axe.run(asked)", asked)
                    for problem in answer["violations"]:
                        where = ", ".join(str(node["target"][0]) for node in problem["nodes"][:3])
                        yield f"axe: {scene.name}, {language}, {look}: {problem['id']} at {where}"
                guest.page.emulate_media(**STILL)


def validate(on: Stage, spoken: list[str]) -> Iterator[str]:
    """Let html-validate read every scene in these languages, as the server sends it.

    What is done on a page is not in that, so scenes that begin with the same page are one.
    """
    sent = {(scene.address, scene.stranger): scene for scene in reversed(scenes())}
    with TemporaryDirectory() as folder:
        for language in spoken:
            with on.guest(language) as guest:
                for scene in sent.values():
                    on.be_seen_by(scene, guest)
                    asked = guest.page.request.get(on.address(scene), headers={"Accept-Language": language})
                    (Path(folder) / f"{scene.name}.{language}.html").write_bytes(asked.body())
        done = subprocess.run(
            [
                PROGRAMS / "html-validate",
                "--config",
                ROOT / "tools" / "htmlvalidate.json",
                "--formatter",
                "json",
                folder,
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if not done.stdout:
            raise SystemExit(done.stderr)
        for page in json.loads(done.stdout):
            for one in page["messages"]:
                name = Path(page["filePath"]).stem
                yield f"html: {name}, line {one['line']}: {one['ruleId']}: {one['message']} ({one.get('selector')})"


def measure(on: Stage, scene: Scene) -> dict[str, float]:
    """Let Lighthouse look at a scene as from a small phone; gives the median of each category, 0 to 100."""
    cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in on.cookies)
    flags = " ".join(["--headless=new", *launch_arguments()])
    command = [
        str(PROGRAMS / "lighthouse"),
        on.address(scene),
        "--quiet",
        "--output=json",
        f"--only-categories={','.join(CATEGORIES)}",
        f"--chrome-flags={flags}",
        f"--extra-headers={json.dumps({'Cookie': cookies})}",
    ]
    found: dict[str, list[float]] = {category: [] for category in CATEGORIES}
    for _ in range(RUNS):
        report = json.loads(_patiently(command))
        for category, scores in found.items():
            scores.append(FULL * (report["categories"][category]["score"] or 0))
        _explain(scene, report)
    return {category: median(scores) for category, scores in found.items()}


def _patiently(command: Sequence[str]) -> str:
    """Run Lighthouse, once more where it fails: on a busy machine its browser is sometimes too slow for it; gives its report."""
    surroundings = {**os.environ, "CHROME_PATH": str(find_chromium())}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=surroundings)
    if done.returncode:
        print(f"lighthouse ended with {done.returncode}, and is tried once more:", done.stderr, sep="\n", flush=True)
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=surroundings)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def _explain(scene: Scene, report: dict[str, Any]) -> None:
    """Print the audits that took something away."""
    for category in CATEGORIES:
        for part in report["categories"][category]["auditRefs"]:
            audit = report["audits"][part["id"]]
            if (
                part["weight"]
                and (audit["score"] or 0) < 1
                and audit["scoreDisplayMode"] not in {"notApplicable", "manual"}
            ):
                print(
                    f"lighthouse: {scene.name}: {category}: {audit['id']}: {audit.get('displayValue') or audit['title']}"
                )


def rate(on: Stage, spoken: list[str]) -> Iterator[str]:
    """Let Lighthouse rate what people see most, print its table, and give what is below 100."""
    del spoken
    print(f"{'':28}" + "".join(f"{category:>16}" for category in CATEGORIES))
    for scene in (scene for scene in scenes() if scene.name in MEASURED):
        scores = measure(on, scene)
        print(f"{scene.name:28}" + "".join(f"{score:16.0f}" for score in scores.values()), flush=True)
        yield from (
            f"lighthouse: {scene.name}: {category} {score:.0f}" for category, score in scores.items() if score < FULL
        )


LOOKING = {"axe": look_with_axe, "html": validate, "lighthouse": rate}


def main(arguments: Sequence[str] | None = None) -> int:
    """Look as the command line asks, and print what was found."""
    parser = argparse.ArgumentParser(description="Let others' tools look at the pages.")
    parser.add_argument("with_", nargs="*", choices=[*LOOKING, []], metavar="axe html lighthouse")
    parser.add_argument("--language", choices=languages(), help="in this language alone")
    asked = parser.parse_args(arguments)
    spoken = [asked.language] if asked.language else languages()
    if not PROGRAMS.exists():
        parser.error(f"{PROGRAMS} is not there: `make looks` puts it there")
    counts = {}
    with stage() as on:
        for name in asked.with_ or LOOKING:
            findings = list(LOOKING[name](on, spoken))
            print(*findings, sep="\n")
            counts[name] = len(findings)
    print(f"\n{len(scenes())} scenes, languages: {', '.join(spoken)}")
    for name, count in counts.items():
        print(f"{name:12} {count:4} findings")
    return int(any(counts.values()))


if __name__ == "__main__":
    sys.exit(main())
