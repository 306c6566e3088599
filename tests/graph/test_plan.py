"""The plan is derived from what agents read and write."""

from hypothesis import given
from hypothesis import strategies as st

from madang.graph import Agent, StepRequest, build_plan
from madang.graph.plan import ready
from madang.state.steps import transition_step
from tests.support.trip_assistant import AGENTS, Talk, declared

BY_NAME = {agent.name: agent for agent in AGENTS}


def test_what_a_step_needs_is_planned_with_it() -> None:
    plan = build_plan(BY_NAME, [StepRequest("money")], {})
    assert [step["agent"] for step in plan.steps] == ["flight", "hotel", "itinerary", "money"]
    assert plan.strategy == "pipeline"
    assert plan.parallel_groups == [["step_0", "step_1"], ["step_2"], ["step_3"]]
    assert plan.estimated_total_time is None


def test_estimates_follow_the_longest_way() -> None:
    times = {"hotel": 2.0, "flight": 1.0, "itinerary": 3.0, "money": 0.5}
    assert build_plan(BY_NAME, [StepRequest("money")], times).estimated_total_time == 5.5


def test_one_step_is_sequential_and_has_no_groups() -> None:
    plan = build_plan(BY_NAME, [StepRequest("flight", description="오사카 항공")], {})
    assert (plan.strategy, plan.parallel_groups) == ("sequential", None)
    assert plan.steps[0]["description"] == "오사카 항공"


def test_independent_steps_are_parallel() -> None:
    plan = build_plan(BY_NAME, [StepRequest("flight"), StepRequest("hotel")], {})
    assert (plan.strategy, plan.parallel_groups) == ("parallel", [["step_0", "step_1"]])


@given(st.data())
def test_any_acyclic_agents_run_in_an_order_that_respects_what_they_read(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 7))
    agents: dict[str, Agent] = {}
    for i in range(count):
        reads = data.draw(st.sets(st.integers(0, i - 1))) if i else set()
        agents[f"a{i}"] = declared(f"a{i}", {f"f.x{r}": str for r in sorted(reads)}, {f"f.x{i}": str})
    plan = build_plan(agents, [StepRequest(name) for name in data.draw(st.permutations(sorted(agents)))], {})
    steps = list(plan.steps)
    order: list[str] = []
    while waiting := ready(steps):
        order += [step["agent"] for step in waiting]
        done = {step["step_id"] for step in waiting}
        steps = [transition_step(s, "skipped") if s["step_id"] in done else s for s in steps]
    assert sorted(order) == sorted(agents)
    for name, agent in agents.items():
        for path in agent.reads:
            assert order.index(f"a{path.removeprefix('f.x')}") < order.index(name)


async def test_every_written_field_knows_where_it_came_from() -> None:
    state = await Talk().say("오사카 3")
    flights = state["provenance"]["flights"]
    assert (flights["agent"], flights["tool"], flights["as_of"]) == ("flight", "fares", "2026-01-01")
    assert state["provenance"]["results.plan.total"]["agent"] == "money"
    assert {s["step_id"] for s in state["provenance"].values()} == {s["step_id"] for s in state["execution_steps"]}
