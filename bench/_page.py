"""`docs/benchmarks.md`: each suite's last results, with when and where they were measured."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HEAD = """# Benchmarks

Written by `madang bench`; each suite replaces its own part. Values stand beside a peer that was measured in the same
run: the ratio is what to read. A part that was measured on a busy machine says so.
"""
_PART = re.compile(r"^## (?P<name>[\w-]+)\n(?P<text>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def update(page: Path, results: Mapping[str, Sequence[Mapping[str, Any]]], where: Mapping[str, str]) -> None:
    """Puts the results of suites into the page; other parts stay. `where` says by suite how it was measured."""
    parts: dict[str, str] = {}
    if page.exists():
        parts = {found["name"]: found["text"].strip() for found in _PART.finditer(page.read_text(encoding="utf-8"))}
    parts |= {name: f"{where[name]}\n\n{_table(rows)}" for name, rows in results.items()}
    text = "".join(f"\n## {name}\n\n{parts[name]}\n" for name in sorted(parts))
    page.write_text(HEAD + text, encoding="utf-8")


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = ["| measure | value | peer | ratio | goal |", "|---|---|---|---|---|"]
    for row in rows:
        peer = f"{row['peer']} {row['peer_value']:,.4g}" if row["peer_value"] is not None else ""
        ratio = f"{row['ratio']:.3g}" if row["ratio"] is not None else ""
        goal = " · ".join(filter(None, (row["goal"], row["note"])))
        value = f"{row['value']:,.4g} {row['unit']}".strip()
        cells = [row["measure"], value, peer, ratio, goal]
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    return "\n".join(lines)
