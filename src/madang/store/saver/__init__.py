"""A LangGraph checkpoint saver over Madang's tables."""

from madang.store.saver.events import CommitEvent, Listener
from madang.store.saver.saver import SessionSaver

__all__ = ["CommitEvent", "Listener", "SessionSaver"]
