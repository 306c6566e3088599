"""Madang: a state layer and runtime for multi-agent assistants on LangGraph.

Importing it loads nothing else; each name loads its module when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from madang.bootstrap import TeamBasedSupervisor
    from madang.graph import (
        Answer,
        Assistant,
        AssistantState,
        Context,
        Reads,
        StepRequest,
        TurnContext,
        Understanding,
        Writes,
        agent,
        main,
    )
    from madang.store import SessionSaver

__version__ = "0.2.0"

_HOMES = {
    "Answer": "madang.graph",
    "Assistant": "madang.graph",
    "AssistantState": "madang.graph",
    "Context": "madang.graph",
    "Reads": "madang.graph",
    "SessionSaver": "madang.store",
    "StepRequest": "madang.graph",
    "TeamBasedSupervisor": "madang.bootstrap",
    "TurnContext": "madang.graph",
    "Understanding": "madang.graph",
    "Writes": "madang.graph",
    "agent": "madang.graph",
    "main": "madang.graph",
}

__all__ = [
    "Answer",
    "Assistant",
    "AssistantState",
    "Context",
    "Reads",
    "SessionSaver",
    "StepRequest",
    "TeamBasedSupervisor",
    "TurnContext",
    "Understanding",
    "Writes",
    "agent",
    "main",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'madang' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
