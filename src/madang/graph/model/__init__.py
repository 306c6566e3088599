"""The two calls of a turn: one that understands a message, one that answers from evidence."""

from madang.graph.model.loop import Loop
from madang.graph.model.reading import ModelReading
from madang.graph.model.use import ModelUse, Tool

__all__ = ["Loop", "ModelReading", "ModelUse", "Tool"]
