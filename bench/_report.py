"""What `madang bench` does: runs suites, shows their rows as tables, keeps them in a JSON file."""

import json
import sys
from collections.abc import Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench import CHECKOUT, Suite, discover, is_long
from bench._machine import described, listen
from bench._page import update
from madang.errors import InvalidInput

YES = "yes"
RESULTS = Path("bench-results.json")


def report(given: Sequence[str], *, as_json: bool) -> None:
    """Run the named suites, or those that aren't long; results go to a JSON file and into `docs/benchmarks.md`.

    Raises `InvalidInput` for a name that isn't one, or an option that it hasn't.
    """
    known = discover()
    names, options = _split(given)
    unknown = sorted(set(names) - set(known))
    if unknown:
        raise InvalidInput(f"no suite {', '.join(unknown)}; there are {', '.join(known)}")
    chosen = names or [name for name in known if not is_long(name)]
    results: dict[str, list[dict[str, Any]]] = {}
    where: dict[str, str] = {}
    screen = Console(stderr=as_json)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("bench", total=len(chosen))
        for name in chosen:
            progress.update(task, description=name)
            before = listen()
            results[name] = [row.as_dict() for row in known[name](**_options_of(name, known[name], options))]
            quiet = max(before, listen(), key=lambda one: one.delay)
            where[name] = f"{described()} · {quiet.said()}"
            screen.print(_table(name, results[name]), quiet.said() + "\n")
            progress.advance(task)
    RESULTS.write_text(json.dumps(results, ensure_ascii=False, indent=2), encoding="utf-8")
    update(CHECKOUT / "docs" / "benchmarks.md", results, where)
    if as_json:
        sys.stdout.write(json.dumps(results, ensure_ascii=False) + "\n")


def _split(given: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Suites, and the options behind them as names and values."""
    first = next((place for place, word in enumerate(given) if word.startswith("--")), len(given))
    options: dict[str, str] = {}
    name = ""
    for word in given[first:]:
        if word.startswith("--") and word not in options:
            name, options[word] = word, YES
        elif name:
            options[name], name = word, ""
        else:
            raise InvalidInput(f"options come after the suites, each once with its value: {' '.join(given[first:])}")
    return list(given[:first]), options


def _options_of(name: str, suite: Suite, options: Mapping[str, str]) -> dict[str, Any]:
    known = {f"--{p.name.replace('_', '-')}": p for p in signature(suite).parameters.values()}
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise InvalidInput(f"{name} has no {', '.join(unknown)}; it has {', '.join(known) or 'no options'}")
    try:
        return {known[option].name: _value(known[option].default, value) for option, value in options.items()}
    except ValueError as problem:
        raise InvalidInput(f"{name}: {problem}") from problem


def _value(default: Any, given: str) -> Any:
    if isinstance(default, bool):
        if given != YES:
            raise ValueError(f"{given!r} comes after an option that takes no value")
        return True
    return type(default)(given)


def _table(title: str, rows: list[dict[str, Any]]) -> Table:
    table = Table("measure", "value", "peer", "ratio", "goal", title=title, title_justify="left")
    for row in rows:
        peer = f"{row['peer']} {row['peer_value']:,.4g}" if row["peer_value"] is not None else ""
        ratio = f"{row['ratio']:.3g}" if row["ratio"] is not None else ""
        value = f"{row['value']:,.4g} {row['unit']}".strip()
        table.add_row(row["measure"], value, peer, ratio, " · ".join(filter(None, (row["goal"], row["note"]))))
    return table
