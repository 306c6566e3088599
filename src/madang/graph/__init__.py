"""The kit: declare agents, get the plan, the turn graph, reuse and provenance."""

from madang.graph.agent import Agent, Ask, NeedsInput, agent
from madang.graph.assistant import Answer, Assistant, Understanding, dig
from madang.graph.build import TurnGraph, build
from madang.graph.context import AgentContext, Deployment, Memory, TurnContext
from madang.graph.plan import Plan, StepRequest, build_plan
from madang.graph.state import AssistantState, Failure, PlanSummary, Question, Source, StepRecord, TurnState
from madang.graph.views import View

__all__ = [
    "Agent",
    "AgentContext",
    "Answer",
    "Ask",
    "Assistant",
    "AssistantState",
    "Deployment",
    "Failure",
    "Memory",
    "NeedsInput",
    "Plan",
    "PlanSummary",
    "Question",
    "Source",
    "StepRecord",
    "StepRequest",
    "TurnContext",
    "TurnGraph",
    "TurnState",
    "Understanding",
    "View",
    "agent",
    "build",
    "build_plan",
    "dig",
]
