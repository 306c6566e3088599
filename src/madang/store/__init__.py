"""What is kept: sessions, messages, runs, events, documents, blobs and checkpoints, on SQLite or Postgres."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from madang.store.checkpointer import StateCheckpointer
    from madang.store.saver import SessionSaver

__all__ = ["SessionSaver", "StateCheckpointer"]


def __getattr__(name: str) -> Any:
    if name == "SessionSaver":
        from madang.store.saver import SessionSaver

        return SessionSaver
    if name == "StateCheckpointer":
        from madang.store.checkpointer import StateCheckpointer

        return StateCheckpointer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
