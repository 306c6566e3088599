"""The seeds' planner and team executors: one team's part of a turn, run by the kit itself."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

from langgraph.checkpoint.memory import InMemorySaver

from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.planning import AnalyzedIntent, PlanningState
from madang.assistants.homes.state.supervisor import MainSupervisorState
from madang.assistants.homes.state.teams import AnalysisTeamState, DocumentTeamState, SearchTeamState, SharedState
from madang.graph import StepRequest, TurnContext, Understanding, build, build_plan

State = Mapping[str, Any]


def _today() -> date:
    return datetime.now(ZoneInfo("Asia/Seoul")).date()


class PlanningAgent:
    """Reads a question's intent and plans for it, as a turn does."""

    def __init__(self, models: Any = None, services: HomesServices | None = None, today: date | None = None) -> None:
        self._context = TurnContext(today=today or _today(), services=services or HomesServices(), models=models)

    async def analyze_intent(self, query: str, context: State | None = None) -> AnalyzedIntent:
        """The intent of a question, in the light of an earlier state if one is given."""
        understanding = await self._understood(query, context)
        return cast(AnalyzedIntent, understanding.update["planning_state"]["analyzed_intent"])

    async def create_execution_plan(self, query: str, context: State | None = None) -> PlanningState:
        """The plan for a question; without steps if it would be answered at once."""
        from madang.assistants.homes.agents import AGENTS
        from madang.assistants.homes.understanding.plan_fields import plan_fields

        understanding = await self._understood(query, context)
        planning = dict(understanding.update["planning_state"])
        if not understanding.steps:
            return cast(PlanningState, {**planning, "execution_steps": [], "plan_validated": True})
        plan = build_plan({agent.name: agent for agent in AGENTS}, understanding.steps, {})
        summary = {
            "intent": understanding.intent,
            "strategy": plan.strategy,
            "parallel_groups": plan.parallel_groups,
            "estimated_total_time": plan.estimated_total_time,
        }
        return cast(PlanningState, {**planning, **plan_fields({}, summary, plan.steps)["planning_state"]})

    async def _understood(self, query: str, context: State | None) -> Understanding:
        from madang.assistants.homes.understanding.planner import understand

        return await understand(cast(MainSupervisorState, {**(context or {}), "query": query}), self._context)


class _Executor:
    """Runs the agents of one team on a state of its own and returns the team's state."""

    team = ""

    def __init__(self, services: HomesServices | None = None, models: Any = None, today: date | None = None) -> None:
        self._context = TurnContext(today=today or _today(), services=services or HomesServices(), models=models)

    async def _run(self, shared_state: SharedState, given: State) -> dict[str, Any]:
        from dataclasses import replace

        from madang.assistants.homes.graph import assistant

        only = replace(assistant, understand=_only(self.team))
        graph = build(only, InMemorySaver())
        turn = {
            **given,
            "query": shared_state["user_query"],
            "session_id": shared_state["session_id"],
            "request_id": "executor",
            "messages": [],
        }
        config: Any = {"configurable": {"thread_id": shared_state["session_id"]}}
        state = await graph.ainvoke(turn, config, context=self._context)
        return self._team_state(state, shared_state)

    def _team_state(self, state: State, shared_state: SharedState) -> dict[str, Any]:
        found = (state.get("team_results") or {}).get(self.team) or {}
        own = dict(state.get(f"{self.team}_team_state") or {"team_name": self.team, "status": "skipped"})
        return {**own, "shared_context": dict(shared_state), **self._results(found)}

    def _results(self, found: State) -> dict[str, Any]:
        raise NotImplementedError


def _only(team: str) -> Any:
    async def understand(state: MainSupervisorState, ctx: TurnContext[HomesServices]) -> Understanding:
        from madang.assistants.homes.agents import AGENTS
        from madang.assistants.homes.understanding.planner import understand as whole

        read = await whole(state, ctx)
        own = {agent.name for agent in AGENTS if agent.team == team}
        steps: list[StepRequest] = [step for step in read.steps if step.agent in own]
        return Understanding(update=read.update, steps=steps, answer=read.answer, intent=read.intent)

    return understand


class SearchExecutor(_Executor):
    """The search team by itself."""

    team = "search"

    async def execute(self, shared_state: SharedState, **given: Any) -> SearchTeamState:
        """What the search team finds for the question; `given` are slots that are known already."""
        return cast(SearchTeamState, await self._run(shared_state, given))

    def _results(self, found: State) -> dict[str, Any]:
        names = {
            "legal_results": "legal_search",
            "real_estate_results": "real_estate_search",
            "property_search_results": "property_search",
            "loan_results": "loan_search",
        }
        return {name: found.get(key) or [] for name, key in names.items()}


class AnalysisExecutor(_Executor):
    """The analysis team, with the searches that its analyses need."""

    team = "analysis"

    async def execute(self, shared_state: SharedState, **given: Any) -> AnalysisTeamState:
        """What the analysis team makes of the question; `given` are slots that are known already."""
        return cast(AnalysisTeamState, await self._run(shared_state, given))

    def _results(self, found: State) -> dict[str, Any]:
        names = ("raw_analysis", "metrics", "insights", "report", "visualization_data", "recommendations")
        return {name: found[name] for name in names if name in found}


class DocumentExecutor(_Executor):
    """The document team by itself. It stops at its first question unless everything is given."""

    team = "document"

    async def execute(self, shared_state: SharedState, **given: Any) -> DocumentTeamState:
        """The document team's state; `given` may hold `document_template` and `document_fields`."""
        return cast(DocumentTeamState, await self._run(shared_state, given))

    def _results(self, found: State) -> dict[str, Any]:
        names = ("document_type", "document_content", "review_result", "final_document")
        return {name: found.get(name) for name in names}
