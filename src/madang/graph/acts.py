"""What a message does, clause by clause: learnt from labelled messages to all assistants."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from madang.graph.danger import in_danger
from madang.graph.reading import Act, ActKind, Heard

if TYPE_CHECKING:
    from madang.text.learnt import ClauseLabel, LearntReader
    from madang.text.message import Message

ACTS_READER = Path(__file__).parent / "acts.zip"
DANGER_SURE = 0.7
LEAST_SURE = 0.45  # below it a role is not claimed: its words stay left over or unlabelled


def hear(message: "Message", reader: "LearntReader", least: float = LEAST_SURE) -> Heard:
    """The message with its acts and the roles of its words. `reader` is the assistant's own."""
    from madang.text.learnt import LearntReader

    kinds = LearntReader.load(ACTS_READER).clauses(message, "acts")
    tasks = reader.clauses(message, "tasks")
    return Heard(message, tuple(_acts(message, kinds, tasks)), tuple(reader.roles(message, least)))


def _acts(message: "Message", kinds: Sequence["ClauseLabel"], tasks: Sequence["ClauseLabel"]) -> Iterator[Act]:
    """Neighbouring clauses that tell, about one thing, are one act; every question and order is its own."""
    last: Act | None = None
    for kind, task in zip(kinds, tasks, strict=True):
        start, end = kind.span
        dangerous = in_danger(message.text[start:end]) or (kind.name == "danger" and kind.sure >= DANGER_SURE)
        calm = "tell" if kind.name == "danger" else kind.name
        name = cast(ActKind, "danger" if dangerous else calm)
        if last and name == last["kind"] in {"tell", "danger"} and last.get("task") == task.name:
            last["span"][1] = end
            continue
        if last:
            yield last
        last = Act(kind=name, span=[start, end], task=task.name, sure=round(min(kind.sure, task.sure), 3))
    if last:
        yield last
