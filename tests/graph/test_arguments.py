"""Steps that carry arguments, agents that run several times in a turn, loops that are declared."""

from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field

from madang.errors import InvalidAssistant, InvalidState
from madang.graph import (
    Agent,
    Answer,
    Argument,
    Assistant,
    AssistantState,
    Context,
    Reads,
    Revision,
    StepRequest,
    TurnContext,
    Understanding,
    Writes,
    agent,
    build,
)
from madang.state.fields import Turn
from madang.state.reducers import append
from tests.support.trip_assistant import Services, Talk


class Region(BaseModel):
    name: str
    top: int = Field(default=3, ge=1, le=10)


class Findings(Writes):
    findings: Annotated[list[str], Turn(list), append]


class Report(Writes):
    report: str


class Sales(AssistantState, Findings, Report, total=False):
    company: str
    wanted: list[dict[str, Any]]
    rounds: int


class Question(Reads):
    company: str
    region: Argument[Region]
    unit: Argument[str] = "원"


@agent(task="매출", runs=3)
async def look(asked: Question, ctx: Context[Services]) -> Findings:
    ctx.services.called(f"look {asked.region.name}")
    return {"findings": [f"{asked.company} {asked.region.name} {asked.region.top}{asked.unit}"]}


@agent(task="보고")
async def report(findings: list[str], ctx: Context[Services]) -> Report:
    ctx.services.called("report")
    return {"report": " / ".join(sorted(findings))}


def region(name: str, **more: Any) -> StepRequest:
    return StepRequest("look", arguments={"region": {"name": name, **more}})


async def understand(state: Sales, _ctx: TurnContext[Services]) -> Understanding:
    """`가 서울 부산` is the company and the regions to look at."""
    company, *names = state["query"].split()
    return Understanding(update={"company": company}, steps=[*map(region, names), StepRequest("report")])


async def respond(state: Sales, _ctx: TurnContext[Services]) -> Answer:
    return Answer(answer=state.get("report") or "")


def sales(agents: tuple[Agent, ...] = (look, report), **changes: Any) -> Assistant:
    inputs = ("company", "wanted", "rounds")
    return Assistant("sales", "매출", Sales, agents, understand, respond, inputs=inputs, **changes)


async def test_one_agent_runs_several_times_in_a_turn_and_its_results_accumulate() -> None:
    talk = Talk(sales())
    state = await talk.say("가 서울 부산 서울")
    assert talk.called == {"look 서울": 1, "look 부산": 1, "report": 1}
    assert state["response"]["answer"] == "가 부산 3원 / 가 서울 3원"
    steps = {step["step_id"]: step for step in state["execution_steps"]}
    assert [s["arguments"]["region"] for s in steps.values() if s["agent"] == "look"] == [
        {"name": "서울", "top": 3},
        {"name": "부산", "top": 3},
    ]
    assert set(steps["step_2"]["depends_on"]) == {"step_0", "step_1"}


async def test_only_the_run_whose_arguments_are_new_runs_on_the_next_turn() -> None:
    talk = Talk(sales())
    await talk.say("가 서울 부산")
    state = await talk.say("가 부산 대구")
    assert talk.called == {"look 대구": 1, "report": 1}
    assert state["findings"] == ["가 부산 3원", "가 대구 3원"]
    assert state["response"]["answer"] == "가 대구 3원 / 가 부산 3원"
    state = await talk.say("가 부산 대구")
    assert talk.called == {}
    assert sorted(state["findings"]) == ["가 대구 3원", "가 부산 3원"]
    state = await talk.say("나 부산 대구")
    assert talk.called == {"look 부산": 1, "look 대구": 1, "report": 1}


async def test_what_goes_beyond_the_declared_runs_is_skipped_and_said() -> None:
    talk = Talk(sales())
    state = await talk.say("가 서울 부산 대구 광주")
    assert talk.called == {"look 서울": 1, "look 부산": 1, "look 대구": 1, "report": 1}
    assert "3개까지만" in state["response"]["answer"]


async def test_records_of_ever_other_arguments_do_not_pile_up() -> None:
    talk = Talk(sales())
    for i in range(20):
        state = await talk.say(f"가 도시{i}")
    assert len(state["step_records"]) <= 12


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (StepRequest("look", arguments={"region": {"name": "서울", "top": 99}}), r"look\(region\)"),
        (StepRequest("look", arguments={"region": {"name": "서울"}, "colour": "red"}), r"look\(colour\): unknown"),
        (StepRequest("look"), r"look\(region\): missing"),
        (StepRequest("report", arguments={"x": 1}), r"report\(x\): unknown argument \(it takes none\)"),
    ],
)
async def test_wrong_arguments_are_named(request_: StepRequest, says: str) -> None:
    async def wrong(_state: Sales, _ctx: TurnContext[Services]) -> Understanding:
        return Understanding(update={"company": "가"}, steps=[request_])

    with pytest.raises(InvalidState, match=says):
        await Talk(Assistant("sales", "매출", Sales, (look, report), wrong, respond, inputs=("company",))).say("가")


async def test_a_declared_loop_chooses_again_from_what_it_found_and_is_bounded() -> None:
    async def replan(state: Sales, _ctx: TurnContext[Services]) -> Revision | None:
        """Look one region further after each round, for ever."""
        rounds = (state.get("rounds") or 0) + 1
        return Revision(update={"rounds": rounds}, steps=[region(f"지역{rounds}"), StepRequest("report")])

    talk = Talk(sales(replan=replan, max_replans=5))
    state = await talk.say("가 서울")
    assert state["rounds"] == 5
    assert len(state["findings"]) == 3, "the agent declares three runs in a turn"
    assert talk.called["look 지역1"] == talk.called["look 지역2"] == 1
    assert state["report"] == "가 서울 3원 / 가 지역1 3원 / 가 지역2 3원"


async def test_a_reader_goes_on_with_what_the_other_runs_found() -> None:
    talk = Talk(sales())
    talk.services.faults = {"look 부산": OSError("연결 끊김")}
    state = await talk.say("가 서울 부산")
    assert state["report"] == "가 서울 3원"
    assert "연결 끊김" in state["response"]["answer"]


def test_results_that_could_not_accumulate_are_found_when_it_is_built() -> None:
    @agent(task="매출", runs=2)
    async def look(region: Argument[Region]) -> Report:
        return {"report": region.name}

    with pytest.raises(InvalidAssistant, match="results accumulate only in"):
        build(sales((look,)))


async def test_an_agent_may_read_what_it_adds_to_when_its_runs_are_declared() -> None:
    @agent(task="매출", runs=3)
    async def look(findings: list[str], region: Argument[Region], ctx: Context[Services]) -> Findings:
        return {"findings": [f"{region.name} 전에 {len(findings)}"]}

    async def replan(state: Sales, _ctx: TurnContext[Services]) -> Revision | None:
        return Revision(steps=[region(f"지역{len(state['findings'])}")]) if len(state["findings"]) < 3 else None

    state = await Talk(sales((look, report), replan=replan)).say("가 서울")
    assert state["findings"] == ["서울 전에 0", "지역1 전에 1", "지역2 전에 2"]
