"""How a turn looks in a terminal."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Self

from rich.console import Console, Group
from rich.live import Live
from rich.markdown import Markdown
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

SPEAKERS = {"user": "나", "assistant": "답"}
MARKS = {"pending": "○", "in_progress": "◐", "completed": "●", "failed": "✗", "skipped": "–"}


def console() -> Console:
    """A console on standard output."""
    return Console(highlight=False)


def print_rows(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """Rows whose first column is an id: a table where it fits, else lines that cut nothing; tabs for other programs."""
    screen = console()
    table = Table(*headings)
    for row in rows:
        table.add_row(*map(escape, row))
    if not screen.is_terminal:
        for row in rows:
            screen.file.write("\t".join(" ".join(cell.split()) for cell in row) + "\n")
    elif Measurement.get(screen, screen.options.update(max_width=10_000), table).maximum <= screen.width:
        screen.print(table)
    else:
        for first, *others in rows:
            screen.print(Text(first, style="bold"), soft_wrap=True)
            screen.print(Text("  " + " · ".join(filter(None, others)), style="dim"))


def local_time(text: str | None) -> str:
    """A stored time as the clock on the wall shows it."""
    return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M") if text else ""


def shortened(text: str, length: int = 40) -> str:
    """The beginning of a text, in one line."""
    words = " ".join(text.split())
    return words if len(words) <= length else words[: length - 1] + "…"


def laid_out(text: str) -> Markdown:
    """An answer for a terminal. A line right below a list is a paragraph of its own, as its writer meant it."""
    return Markdown(re.sub(r"(?m)^([^\S\n]*(?:[-*]|\d+[.)]) .*)\n(?=[^\s\-*\d|#>]|\*\*)", r"\1\n\n", text))


class Progress:
    """Plain lines, one for each change: for `ask`, logs and pipes."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._seen: dict[str, str] = {}

    def show(self, frame: dict[str, Any]) -> None:
        for step in frame.get("execution_steps") or ():
            if self._seen.get(step["step_id"]) != step["status"]:
                self._seen[step["step_id"]] = step["status"]
                self._stream.write(step_line(step) + "\n")
        if frame["type"] in ("planning_start", "data_reuse_notification", "error"):
            self._stream.write(f"{frame['message']}\n")


def step_line(step: dict[str, Any]) -> str:
    """A step in one line: mark, task, how long, what went wrong."""
    took = f"  {step['execution_time']:.1f} s" if step.get("execution_time") is not None else ""
    why = f"  {step['error']}" if step.get("error") else ""
    kept = "  앞선 결과 사용" if step.get("reused") else ""
    return f"{MARKS[step['status']]} {step['task']}{took}{kept}{why}"


class LiveTurn:
    """The TODO list and the streamed answer, redrawn in place."""

    def __init__(self, screen: Console) -> None:
        self._steps: list[dict[str, Any]] = []
        self._answer = ""
        self._note = ""
        self._problem = ""
        self._live = Live(console=screen, refresh_per_second=12, transient=False)

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._live.update(self._drawn(), refresh=True)
        self._live.__exit__(*error)

    def show(self, frame: dict[str, Any]) -> None:
        kind = frame["type"]
        if "execution_steps" in frame:
            self._steps = frame["execution_steps"]
        if kind == "token":
            self._answer = ("" if frame["restart"] else self._answer) + frame["text"]
        elif kind == "response":
            self._answer = frame["answer"]
        elif kind == "workflow_interrupted":
            self._answer = "\n\n".join(question_text(item) for item in frame["interrupts"])
        elif kind in ("error", "cancelled"):
            self._problem = frame["message"]
        elif "message" in frame:
            self._note = frame["message"]
        self._live.update(self._drawn())

    def _drawn(self) -> Group:
        table = Table.grid(padding=(0, 1))
        for step in self._steps:
            bar = f"{step['progress_percentage']}%" if step["status"] == "in_progress" else ""
            table.add_row(step_line(step), bar)
        parts: list[Any] = [table] if self._steps else []
        if self._answer:
            parts.append(laid_out(self._answer))
        if self._problem:
            parts.append(Text(self._problem, style="red"))
        if not parts:
            parts.append(Text(self._note, style="dim"))
        return Group(*parts)


def question_text(item: dict[str, Any]) -> str:
    """A pending question with its choices, numbered."""
    choices = "\n".join(f"{i}. {choice}" for i, choice in enumerate(item.get("choices") or (), 1))
    return f"{item.get('question') or ''}\n\n{choices}".strip()
