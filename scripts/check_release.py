"""Parses and lints what cannot be run here: workflows, cargo-deny's rules, the citation, the justfile.

Exits with 1 and a line for each thing that is wrong. Needs PyYAML and rust-just (group `test` of pyproject.toml).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    tomllib = None

ROOT = Path(__file__).resolve().parent.parent
found: list[str] = []


def wrong(where: str, what: str) -> None:
    """Keeps something that is wrong."""
    found.append(f"{where}: {what}")


def workflow(path: Path) -> dict[str, Any]:
    """Checks that a workflow has what GitHub asks of one."""
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text()
    parsed = yaml.safe_load(text)
    # YAML takes the key `on` for a truth value.
    for key in ("name", True, "jobs"):
        if key not in parsed:
            wrong(name, f"no `{'on' if key is True else key}`")
    jobs = parsed.get("jobs", {})
    for job, about in jobs.items():
        if "runs-on" not in about or not about.get("steps"):
            wrong(name, f"job {job}: no `runs-on` or no steps")
        for needed in about.get("needs", []):
            if needed not in jobs:
                wrong(name, f"job {job} needs {needed}, which is not there")
        for number, step in enumerate(about.get("steps", []), 1):
            if ("uses" in step) == ("run" in step):
                wrong(name, f"job {job}, step {number}: one of `uses` and `run`")
            if "uses" in step and not re.fullmatch(r"[\w.-]+/[\w./-]+@[\w./-]+", step["uses"]):
                wrong(name, f"job {job}, step {number}: {step['uses']} names no version")
            for script in re.findall(r"(?:^|\s)(\./[\w/]+|scripts/\w+)", str(step.get("run", ""))):
                if not (ROOT / script).exists():
                    wrong(name, f"job {job}, step {number}: {script} is not there")
        known = set(about.get("strategy", {}).get("matrix", {}))
        for entry in about.get("strategy", {}).get("matrix", {}).get("include", []):
            known |= set(entry)
        for used in re.findall(r"matrix\.(\w+)", json.dumps(about)):
            if used not in known:
                wrong(name, f"job {job}: matrix.{used} is not in the matrix")
    if text.count("${{") != len(re.findall(r"\$\{\{ [^}]+ \}\}", text)):
        wrong(name, "an expression ${{ … }} is not closed")
    return parsed


def workflows() -> None:
    """All workflows, and what they have to cover."""
    folder = ROOT / ".github/workflows"
    all_of_them = {path.name: workflow(path) for path in sorted(folder.glob("*.yml"))}
    systems = set(all_of_them["tests.yml"]["jobs"]["systems"]["strategy"]["matrix"]["os"])
    for system in ("ubuntu", "macos", "windows"):
        if not any(name.startswith(system) for name in systems):
            wrong("tests.yml", f"no tests on {system}")
    built = json.dumps(all_of_them["release.yml"])
    for part in ("maturin", "x86_64-unknown-linux-gnu", "apple-darwin", "windows-msvc"):
        if part not in built:
            wrong("release.yml", f"nothing is built for {part}")


def version() -> str:
    """The version of the workspace."""
    match = re.search(r'\[workspace\.package\]\nversion = "([^"]+)"', (ROOT / "Cargo.toml").read_text())
    return match[1] if match else "?"


def citation() -> None:
    """The fields that the format asks for, and the version of the workspace."""
    parsed = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    for field in ("cff-version", "message", "title", "authors"):
        if not parsed.get(field):
            wrong("CITATION.cff", f"no `{field}`")
    for author in parsed.get("authors", []):
        if not {"name", "family-names", "given-names", "alias"} & set(author):
            wrong("CITATION.cff", f"an author without a name: {author}")
    if str(parsed.get("version")) != version():
        wrong("CITATION.cff", f"version {parsed.get('version')}, and the workspace has {version()}")


def licences() -> None:
    """Every licence of a dependency is one that deny.toml allows."""
    if tomllib is None:
        return
    rules = tomllib.loads((ROOT / "deny.toml").read_text())
    allowed = set(rules["licenses"]["allow"])
    for table in ("advisories", "bans", "sources"):
        if table not in rules:
            wrong("deny.toml", f"no [{table}]")
    # Not offline: a fresh machine has not fetched what only other platforms need.
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    for package in json.loads(listed.stdout)["packages"]:
        terms = (package["license"] or "none").replace("/", " OR ")
        for part in re.sub(r"[()]", "", terms).split(" AND "):
            if not set(part.split(" OR ")) & allowed:
                wrong("deny.toml", f"{package['name']} is licensed under {part}, which is not allowed")


def recipes() -> None:
    """The justfile is one, and what it runs is there."""
    listed = subprocess.run(["just", "--dump", "--dump-format", "json"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        wrong("justfile", listed.stderr.strip())
        return
    for script in re.findall(r"(\./test|scripts/\w+)", (ROOT / "justfile").read_text()):
        if not (ROOT / script).exists():
            wrong("justfile", f"{script} is not there")


for look in (workflows, citation, licences, recipes):
    look()
for line in found:
    print(line, file=sys.stderr)
print(f"workflows, citation, licences and recipes: {len(found)} wrong")
sys.exit(bool(found))
