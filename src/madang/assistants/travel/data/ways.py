"""Ways within Korea and from airports into cities, small trips for wishes, and words to show in a restaurant."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=16)
def table(name: str) -> dict[str, Any]:
    """One of the data files beside this module."""
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text("utf-8"))


def source_of(name: str) -> tuple[str, str]:
    """What a table is, and as of when."""
    found = table(name)
    return found["source"], found["as_of"]


def alerts_for(city: str, country: str, month: int) -> list[str]:
    """What that month means there."""
    return [
        row["text"] for row in table("alerts")["alert"] if month in row["months"] and {city, country} & {*row["places"]}
    ]


@dataclass(frozen=True)
class Getaway:
    """A small trip within the country."""

    name: str
    town: str
    tags: frozenset[str]
    text: str


@lru_cache(maxsize=1)
def getaways() -> list[Getaway]:
    return [
        Getaway(row["name"], row["town"], frozenset(row["tags"]), row["text"]) for row in table("getaways")["place"]
    ]
