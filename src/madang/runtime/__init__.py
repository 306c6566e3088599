"""Runs: accepted, run, answered, cancelled, recovered; and what they tell."""

from madang.runtime.runtime import Runtime
from madang.runtime.turn_request import TurnRequest

__all__ = ["Runtime", "TurnRequest"]
