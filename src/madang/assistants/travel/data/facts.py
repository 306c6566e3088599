"""What travellers ask beside their plan, as dated notes: topics with the words that bring them up."""

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from madang.text.normalise import squeeze


@dataclass(frozen=True)
class Topic:
    """Something that is asked about. `made_from` names the data it is worked out from, else `text` or `by` says it."""

    id: str
    title: str
    words: tuple[str, ...]
    text: str = ""
    check: str = ""
    made_from: str = ""
    by: dict[str, str] = field(default_factory=dict, hash=False)

    def answer(self, country: str | None) -> str:
        """The answer for a country, with where to check it."""
        said = self.by.get(country or "", self.text)
        return f"{said}. ({self.check})" if self.check else f"{said}."


@lru_cache(maxsize=1)
def _facts() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "facts.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def topics() -> dict[str, Topic]:
    """Every topic by its id."""
    found = [
        Topic(
            row["id"],
            row["title"],
            tuple(row["words"]),
            row.get("text", ""),
            row.get("check", ""),
            row.get("from", ""),
            row.get("by", {}),
        )
        for row in _facts()["topic"]
    ]
    return {topic.id: topic for topic in found}


def facts_source() -> tuple[str, str]:
    """What the notes are, and as of when they hold."""
    return _facts()["source"], _facts()["as_of"]


def topics_in(words: str) -> list[Topic]:
    """The topics that a question brings up, in the order of their words."""
    plain = squeeze(words).lower()
    found = [(plain.find(word), topic) for topic in topics().values() for word in topic.words if word in plain]
    return list(dict.fromkeys(topic for _, topic in sorted(found, key=lambda pair: pair[0])))
