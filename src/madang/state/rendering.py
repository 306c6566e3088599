"""A state's history made readable: text for a terminal, expanders for Streamlit."""

import importlib.util
import io
import json
import sys
from typing import Any

from madang.errors import ConfigurationError
from madang.state.diff import Diff, diff
from madang.state.plain import readable
from madang.state.redaction import redact

TITLE = "State 변화 추적"
_WIDTH = 100
_SHOWN = 70

Snapshot = dict[str, Any]


def shown(history: list[Snapshot], state_type: type | None) -> list[Snapshot]:
    """The snapshots as others may see them."""
    return [{**snapshot, "state": redact(snapshot["state"], state_type=state_type)} for snapshot in history]


def as_text(snapshots: list[Snapshot]) -> str:
    """Each snapshot with what changed since the one before; drawn by rich where that is installed."""
    entries = [(f"{snapshot['node']} - {snapshot['timestamp']}", lines) for snapshot, lines in _changes(snapshots)]
    if importlib.util.find_spec("rich") is None:
        return "\n".join([TITLE, *(line for head, lines in entries for line in (head, *(f"  {one}" for one in lines)))])
    return _tree(entries)


def in_streamlit() -> bool:
    """Whether a Streamlit script is running; doesn't import Streamlit to find out."""
    if "streamlit" not in sys.modules:
        return False
    try:
        running: Any = importlib.import_module("streamlit.runtime.scriptrunner")
    except ImportError:
        return False
    return running.get_script_run_ctx(suppress_warning=True) is not None


def draw_in_streamlit(snapshots: list[Snapshot]) -> None:
    """One expander per snapshot. Raises `ConfigurationError` if Streamlit isn't installed."""
    try:
        streamlit: Any = importlib.import_module("streamlit")
    except ImportError:
        raise ConfigurationError("streamlit is not installed: pip install streamlit") from None
    streamlit.write(f"### {TITLE}")
    for snapshot in snapshots:
        with streamlit.expander(f"{snapshot['node']} - {snapshot['timestamp']}"):
            streamlit.json(json.loads(json.dumps(snapshot["state"], default=readable, ensure_ascii=False)))


def _tree(entries: list[tuple[str, list[str]]]) -> str:
    from rich.console import Console
    from rich.text import Text
    from rich.tree import Tree

    tree = Tree(Text(TITLE))
    for head, lines in entries:
        branch = tree.add(Text(head))
        for line in lines:
            branch.add(Text(line))
    output = io.StringIO()
    Console(file=output, width=_WIDTH, force_terminal=False, color_system=None).print(tree)
    return output.getvalue()


def _changes(snapshots: list[Snapshot]) -> list[tuple[Snapshot, list[str]]]:
    before: dict[str, Any] = {}
    found = []
    for snapshot in snapshots:
        found.append((snapshot, _lines(diff(before, snapshot["state"]))))
        before = snapshot["state"]
    return found


def _lines(changes: Diff) -> list[str]:
    lines = [f"+ {path}: {_short(value)}" for path, value in changes.added.items()]
    lines += [f"~ {path}: {_short(old)} → {_short(new)}" for path, (old, new) in changes.changed.items()]
    lines += [f"- {path}: {_short(value)}" for path, value in changes.removed.items()]
    lines += [f"~ {path}: reordered" for path in changes.reordered]
    return sorted(lines, key=lambda line: line[2:]) or ["변화 없음"]


def _short(value: Any) -> str:
    text = json.dumps(value, default=readable, ensure_ascii=False, skipkeys=True)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text):,}자)"
