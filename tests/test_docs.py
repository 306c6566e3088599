"""Documentation can't drift: what exists is named in it, and its examples run."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

from bench.nemesis.faults import WEIGHTS
from bench.nemesis.promises import PROMISES
from madang.events import type_names
from madang.runtime.loading import installed
from madang.settings import Settings

ROOT = Path(__file__).parent.parent
DOCS = "\n".join(p.read_text(encoding="utf-8") for p in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))])


def test_every_setting_is_documented() -> None:
    for name in Settings.model_fields:
        assert f"MADANG_{name.upper()}" in DOCS, name


def test_every_event_is_documented() -> None:
    for name in type_names:
        assert f"`{name}`" in DOCS, name


def test_every_dependency_has_a_reason() -> None:
    decisions = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name: given for name, given in project["optional-dependencies"].items() if name != "test"}
    for requirement in [*project["dependencies"], *(one for given in extras.values() for one in given)]:
        package = Requirement(requirement).name
        assert package in decisions, package
    for extra in extras:
        assert f"`[{extra}]`" in DOCS, extra


def test_every_assistant_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for entry in installed():
        assert f"`{entry.name}`" in readme


def test_every_promise_is_in_the_guarantees_in_its_own_words() -> None:
    guarantees = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")
    for promise in PROMISES:
        assert f"| `{promise.__name__}` | {(promise.__doc__ or '').splitlines()[0]} |" in guarantees
    for fault in WEIGHTS:
        assert f"`{fault}`" in guarantees


def test_the_files_and_functions_of_the_architecture_are_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for path, name in re.findall(r"`([\w/]+\.py)`(?: `([\w.]+)`)?", text):
        files = [*(ROOT / "src" / "madang").rglob(path), *ROOT.glob(path)]
        assert files, path
        for part in filter(None, name.split(".")):
            assert any(re.search(rf"(?:def|class) {part}\b", file.read_text(encoding="utf-8")) for file in files), name


def test_the_agent_of_the_readme_is_that_of_the_example() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = next(block for block in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if "@agent" in block)
    example = (ROOT / "examples" / "packing.py").read_text(encoding="utf-8")
    for line in filter(None, shown.splitlines()):
        assert line.partition("  # ")[0] in example, line
