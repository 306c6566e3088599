"""What `madang bench` does: runs suites, shows their rows as tables, keeps them in a JSON file."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench import discover
from madang.errors import InvalidInput

RESULTS = Path("bench-results.json")


def report(names: Sequence[str], *, as_json: bool) -> None:
    """Run the named suites, or all. Raises `InvalidInput` for a name that isn't one."""
    known = discover()
    unknown = sorted(set(names) - set(known))
    if unknown:
        raise InvalidInput(f"no suite {', '.join(unknown)}; there are {', '.join(known)}")
    results: dict[str, list[dict[str, Any]]] = {}
    screen = Console(stderr=as_json)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("bench", total=len(names or known))
        for name in names or list(known):
            progress.update(task, description=name)
            results[name] = [row.as_dict() for row in known[name]()]
            screen.print(_table(name, results[name]))
            progress.advance(task)
    RESULTS.write_text(json.dumps(results, ensure_ascii=False, indent=2), encoding="utf-8")
    if as_json:
        sys.stdout.write(json.dumps(results, ensure_ascii=False) + "\n")


def _table(title: str, rows: list[dict[str, Any]]) -> Table:
    table = Table("measure", "value", "peer", "ratio", "goal", title=title, title_justify="left")
    for row in rows:
        peer = f"{row['peer']} {row['peer_value']:,.4g}" if row["peer_value"] is not None else ""
        ratio = f"{row['ratio']:.3g}" if row["ratio"] is not None else ""
        value = f"{row['value']:,.4g} {row['unit']}".strip()
        table.add_row(row["measure"], value, peer, ratio, " · ".join(filter(None, (row["goal"], row["note"]))))
    return table
