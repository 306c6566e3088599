"""Documentation can't drift: what exists is named in it, and its examples run."""

import re
from pathlib import Path

from madang.bootstrap import ASSISTANTS
from madang.events import type_names
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
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = text.split("\ndependencies = [", 1)[1].split("\n]", 1)[0]
    for package in re.findall(r'"([a-z0-9-]+)', listed):
        assert package in decisions, package


def test_every_assistant_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in ASSISTANTS:
        assert f"`{name}`" in readme
