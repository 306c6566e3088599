"""Data of the user's own that an assistant reads: how it is loaded, and what is there."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from madang.graph.context import Deployment

Report = Callable[[int, int], None]


@dataclass(frozen=True)
class Loaded:
    """What was loaded: figures for programs, a line for people."""

    figures: dict[str, Any]
    line: str


@dataclass(frozen=True, kw_only=True)
class DataSource:
    """One kind of data. A package offers its own by name, in a mapping that its entry point `madang.data` names.

    `status(deployment)` is JSON, `lines(status)` the same for people. `load(deployment, report, …)` is the command
    `madang data load NAME`; its other parameters are declared as for Typer, its docstring is the help. It loads all
    or raises and changes nothing.
    """

    title: str
    status: Callable[[Deployment], Any]
    lines: Callable[[Any], Iterable[str]]
    load: Callable[..., Loaded] | None = None
