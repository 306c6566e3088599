"""What a message wants, act by act, as its reader learnt it: figures, why, a document, a check, a search, keeping."""

from typing import Literal, get_args

from madang.graph.reading import Act, Heard

Task = Literal["analysis", "why", "show", "document", "edit", "check", "search", "store", "chat"]
TASKS: tuple[Task, ...] = get_args(Task)
SURE = 0.4


def tasks_of(heard: Heard) -> tuple[Task, ...]:
    """The tasks of what is asked and ordered, in order; those of what is told when nothing is. Below `SURE` none is
    claimed."""
    asked = [act for act in heard.acts if act["kind"].startswith(("ask_", "order", "change", "add", "take_back"))]
    found = [task for act in asked or heard.acts if (task := task_of(act)) and task != "chat"]
    return tuple(dict.fromkeys(found))


def task_of(act: Act) -> Task | None:
    """The task of one act, if the reader is sure enough."""
    task = act.get("task")
    return next((one for one in TASKS if one == task), None) if (act.get("sure") or 0.0) >= SURE else None


def is_idle(heard: Heard) -> bool:
    """A greeting or thanks, and nothing else."""
    return all(act["kind"] in {"greet", "thank"} for act in heard.acts)


def is_smalltalk(heard: Heard) -> bool:
    """A greeting, thanks or chat, and nothing else."""
    return all(act["kind"] in {"greet", "thank"} or act.get("task") == "chat" for act in heard.acts)
