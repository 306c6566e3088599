"""State and differences as a terminal shows them."""

import json
from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.tree import Tree

SHORT = 100


def state_tree(name: str, values: Mapping[str, Any]) -> Tree:
    """A state as a tree, long values shortened."""
    tree = Tree(name)
    for key, value in values.items():
        _grow(tree, str(key), value, 0)
    return tree


def _grow(tree: Tree, name: str, value: Any, depth: int) -> None:
    if isinstance(value, Mapping) and value and depth < 4:
        branch = tree.add(f"[bold]{name}[/]")
        for key, inner in value.items():
            _grow(branch, str(key), inner, depth + 1)
    elif isinstance(value, list) and value and depth < 4:
        branch = tree.add(f"[bold]{name}[/] [dim]({len(value)})[/]")
        for i, inner in enumerate(value[:20]):
            _grow(branch, f"[{i}]", inner, depth + 1)
    else:
        tree.add(f"{name}: {_short(value)}")


def diff_table(changes: Mapping[str, Any]) -> Table:
    """What was added, removed and changed, one row each."""
    table = Table("", "path", "before", "after")
    for path, value in changes["added"].items():
        table.add_row("+", path, "", _short(value))
    for path, value in changes["removed"].items():
        table.add_row("-", path, _short(value), "")
    for path, change in changes["changed"].items():
        table.add_row("~", path, _short(change["before"]), _short(change["after"]))
    return table


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str).replace("[", "\\[")
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"
