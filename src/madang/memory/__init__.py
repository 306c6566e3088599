"""What is remembered of a user, on LangGraph's Store interface."""

from madang.memory.sessions import SessionMemory

__all__ = ["SessionMemory"]
