"""Situations: what happens to people around a home, with the answer, what to do and how people tell of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from madang.assistants.homes import data
from madang.errors import UnreadableData

FOLDER = "situations"


@dataclass(frozen=True, kw_only=True, eq=False)
class Situation:
    """One situation. `phrases` are how people tell of it; `figures` name what is worked out from the days and sums that
    were told; `letter` the kind of letter that goes with it."""

    id: str
    topic: str
    title: str
    answer: str
    phrases: tuple[str, ...]
    as_of: str
    steps: tuple[str, ...] = ()
    ask: str = ""
    law: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    letter: str = ""
    english: str = ""
    calculator: str = ""
    """The calculator that answers how much, if everything it needs was told."""
    yields: bool = False
    """Whether it gives way to what an agent works out for a short question."""
    refuses: bool = False
    """Whether a text for it is not written: the answer says why."""


@cache
def load_situations() -> tuple[Situation, ...]:
    """Every packaged situation, in the order of the files. Raises `UnreadableData` naming the file that is wrong."""
    found: dict[str, Situation] = {}
    for name in sorted(f"{FOLDER}/{item.name}" for item in files(data.__name__).joinpath(FOLDER).iterdir()):
        table = data.load(name)
        with data.well_formed(name):
            situations = [_situation(table, item) for item in table["situation"]]
        for one in situations:
            if one.id in found:
                raise UnreadableData(f"{name}: {one.id} stands twice")
            found[one.id] = one
    return tuple(found.values())


def _situation(file: Mapping[str, Any], item: Mapping[str, Any]) -> Situation:
    unknown = set(item) - set(Situation.__dataclass_fields__)
    if unknown:
        raise ValueError(f"{item['id']}: {sorted(unknown)} is no field")
    return Situation(
        id=item["id"],
        topic=file["topic"],
        title=item["title"],
        answer=" ".join(item["answer"].split()),
        phrases=tuple(line.strip() for line in item["phrases"].splitlines() if line.strip()),
        as_of=item.get("as_of", file["as_of"]),
        steps=tuple(item.get("steps", ())),
        ask=item.get("ask", ""),
        law=tuple(item.get("law", ())),
        figures=tuple(item.get("figures", ())),
        letter=item.get("letter", ""),
        calculator=item.get("calculator", ""),
        yields=item.get("yields", False),
        refuses=item.get("refuses", False),
        english=" ".join(item.get("english", "").split()),
    )
