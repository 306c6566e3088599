"""The issue layer: articles that people ask about, with a gist and everyday phrasings of our own."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from madang.errors import UnreadableData


@dataclass(frozen=True, kw_only=True)
class Issue:
    """One article as an everyday question: what it says in short and how people ask for it.

    `prior` below 1 is for articles that give way to those of the lease laws when both fit.
    """

    law: str
    kind: str
    article: str
    topic: str
    gist: str
    phrases: tuple[str, ...]
    as_of: str
    conditions: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    calculator: str | None = None
    prior: float = 1.0

    @property
    def id(self) -> str:
        return f"{self.law} {self.article}"


@cache
def load_issues() -> tuple[Issue, ...]:
    """Every packaged issue, in the order of the files. Raises `UnreadableData` naming the file that is wrong."""
    folder = resources.files("madang.assistants.homes").joinpath("data/issues")
    found: dict[str, Issue] = {}
    for file in sorted(folder.iterdir(), key=lambda item: item.name):
        if not file.name.endswith(".toml"):
            continue
        for issue in _read(file.name, file.read_text(encoding="utf-8")):
            if issue.id in found:
                raise UnreadableData(f"{file.name}: {issue.id} stands twice")
            found[issue.id] = issue
    return tuple(found.values())


def _read(name: str, text: str) -> list[Issue]:
    try:
        table = tomllib.loads(text)
        return [_issue(table, item) for item in table["issue"]]
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise UnreadableData(f"issue file {name} can't be read: {error!r}") from error


def _issue(file: dict[str, Any], item: dict[str, Any]) -> Issue:
    return Issue(
        law=file["law"],
        kind=file["kind"],
        article=item["article"],
        topic=item["topic"],
        gist=item["gist"],
        phrases=tuple(line.strip() for line in item["phrases"].splitlines() if line.strip()),
        as_of=item.get("as_of", file["as_of"]),
        conditions=tuple(item.get("conditions", ())),
        related=tuple(item.get("related", ())),
        calculator=item.get("calculator"),
        prior=float(item.get("prior", file.get("prior", 1.0))),
    )
