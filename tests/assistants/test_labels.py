"""Each assistant's form, steps and first page have English beside the Korean, in one file, with nothing left over."""

import importlib
import re
import tomllib
from pathlib import Path

import pytest

import madang.assistants
from madang.graph import Assistant

ROOT = Path(madang.assistants.__file__).parent
NAMES = ("homes", "travel", "works")
HANGUL = re.compile("[가-힣]")


def assistant_of(name: str) -> Assistant:
    found: Assistant = importlib.import_module(f"madang.assistants.{name}.graph").assistant
    return found


def labels(assistant: Assistant) -> set[str]:
    """Everything of the form, the steps and the first page that a reader sees, but the examples."""
    own = {assistant.title, assistant.description, assistant.greeting, *assistant.tasks.values()}
    inputs = {text for one in assistant.form for text in (one.title, one.help, one.unit, *dict(one.choices).values())}
    return {text for text in (*own, *inputs, *(agent.task for agent in assistant.agents)) if HANGUL.search(text)}


@pytest.mark.parametrize("name", NAMES)
def test_every_label_has_english(name: str) -> None:
    assistant = assistant_of(name)
    assert [text for text in labels(assistant) if HANGUL.search(assistant.labels(text, "en"))] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_english_is_left_over(name: str) -> None:
    assistant = assistant_of(name)
    written = tomllib.loads((ROOT / name / "data" / "labels.en.toml").read_text(encoding="utf-8"))
    assert written.keys() - labels(assistant) - set(assistant.examples) == set()


@pytest.mark.parametrize("name", NAMES)
def test_korean_is_as_it_is_written(name: str) -> None:
    assistant = assistant_of(name)
    own = labels(assistant)
    assert {assistant.labels(text, language) for text in own for language in (None, "ko")} == own
