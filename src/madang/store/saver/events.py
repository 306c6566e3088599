"""What a listener is told after a commit."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitEvent:
    """One `put` or `put_writes` that is now durable. Its values are the caller's own objects: read, don't change."""

    kind: Literal["checkpoint", "writes"]
    session_id: str
    checkpoint_ns: str
    checkpoint_id: str
    run_id: str | None = None
    task_id: str | None = None
    task_path: str = ""
    channel_values: Mapping[str, Any] = field(default_factory=dict)
    writes: tuple[tuple[str, Any], ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


Listener = Callable[[CommitEvent], Awaitable[None] | None]
