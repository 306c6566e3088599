"""The kit: declare agents, get the plan, the turn graph, reuse and provenance."""

from madang.graph.agent import Agent, Ask, NeedsInput, agent
from madang.graph.assistant import Answer, Assistant, Revision, Understanding, dig
from madang.graph.build import TurnGraph, build
from madang.graph.context import Context, Deployment, Memory, TurnContext
from madang.graph.declaration import Argument, At, Reads, Writes
from madang.graph.plan import Plan, StepRequest, build_plan
from madang.graph.script import main
from madang.graph.state import AssistantState, Failure, PlanSummary, Question, Source, StepRecord, TurnState

__all__ = [
    "Agent",
    "Answer",
    "Argument",
    "Ask",
    "Assistant",
    "AssistantState",
    "At",
    "Context",
    "Deployment",
    "Failure",
    "Memory",
    "NeedsInput",
    "Plan",
    "PlanSummary",
    "Question",
    "Reads",
    "Revision",
    "Source",
    "StepRecord",
    "StepRequest",
    "TurnContext",
    "TurnGraph",
    "TurnState",
    "Understanding",
    "Writes",
    "agent",
    "build",
    "build_plan",
    "dig",
    "main",
]
