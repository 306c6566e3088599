"""What is remembered of a user, on LangGraph's Store interface."""

from madang.memory.owners import owner_of
from madang.memory.sessions import SessionMemory

__all__ = ["SessionMemory", "owner_of"]
