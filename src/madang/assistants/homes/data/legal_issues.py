"""The issue layer: articles that people ask about, with a gist and everyday phrasings of our own."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from madang.assistants.homes import data
from madang.errors import UnreadableData


@dataclass(frozen=True, kw_only=True)
class Issue:
    """One article as an everyday question: what it says in short and how people ask for it.

    `steps` are what a person can do next. `prior` below 1 is for articles that give way to those of the lease laws
    when both fit.
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
    steps: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.law} {self.article}"


@cache
def load_issues() -> tuple[Issue, ...]:
    """Every packaged issue, in the order of the files. Raises `UnreadableData` naming the file that is wrong."""
    found: dict[str, Issue] = {}
    for name in sorted(f"issues/{item.name}" for item in files(data.__name__).joinpath("issues").iterdir()):
        table = data.load(name)
        with data.well_formed(name):
            issues = [_issue(table, item) for item in table["issue"]]
        for issue in issues:
            if issue.id in found:
                raise UnreadableData(f"{name}: {issue.id} stands twice")
            found[issue.id] = issue
    return tuple(found.values())


@cache
def articles() -> dict[tuple[str, str], tuple[str, str]]:
    """Each article of the layer by its law without blanks and its number: the law's name, and what it says."""
    return {
        ("".join(one.law.split()), one.article): (one.law, " ".join([one.topic, one.gist, *one.conditions]))
        for one in load_issues()
    }


@cache
@data.well_formed("english.toml")
def in_english() -> dict[str, dict[str, Any]]:
    """`gists` and `steps` by the issue's id, and the fixed `texts` of an answer. Raises `UnreadableData`."""
    return {name: dict(table) for name, table in data.load("english.toml").items()}


@cache
def load_guides() -> tuple[Issue, ...]:
    """Practical matters around a home that no article answers, in the same form. Raises `UnreadableData`."""
    table = data.load("guides.toml")
    with data.well_formed("guides.toml"):
        return tuple(_issue(table, item) for item in table["issue"])


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
        steps=tuple(item.get("steps", ())),
        prior=float(item.get("prior", file.get("prior", 1.0))),
    )
