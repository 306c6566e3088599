"""The two calls of a turn: one that understands a message, one that answers from evidence."""

from madang.graph.model.loop import Choice, Loop, asked_for
from madang.graph.model.reading import ModelReading
from madang.graph.model.use import ModelUse, Tool

__all__ = ["Choice", "Loop", "ModelReading", "ModelUse", "Tool", "asked_for"]
