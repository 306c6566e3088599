"""Steps and runs: only the transitions of the table, with times, progress and errors kept right."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madang.errors import IllegalTransition, InvalidState, NotFound
from madang.state.steps import (
    RUN_STATUSES,
    STEP_STATUSES,
    TERMINAL_STEPS,
    ExecutionStepState,
    check_run_transition,
    new_step,
    progress_of,
    summarise,
    transition_step,
    update_step,
)
from tests.support.strategies import json_values

LEGAL_STEPS = {
    ("pending", "in_progress"),
    ("pending", "skipped"),
    ("pending", "failed"),
    ("in_progress", "in_progress"),
    ("in_progress", "completed"),
    ("in_progress", "failed"),
    ("in_progress", "skipped"),
}
LEGAL_RUNS = {
    ("queued", "running"),
    ("queued", "cancelled"),
    ("running", "queued"),
    ("running", "interrupted"),
    ("running", "completed"),
    ("running", "failed"),
    ("running", "cancelled"),
    ("interrupted", "running"),
    ("interrupted", "cancelled"),
}


def step(step_id: str = "step_0", **extra: Any) -> ExecutionStepState:
    return new_step(
        step_id,
        step_type="search",
        agent_name="search_team",
        team="search",
        task="법률 정보 검색",
        description="",
        **extra,
    )


@pytest.mark.parametrize("old", STEP_STATUSES)
@pytest.mark.parametrize("new", [*STEP_STATUSES, "paused"])
def test_step_transitions(old: str, new: str) -> None:
    before = {**step(), "status": old}
    if (old, new) in LEGAL_STEPS:
        assert transition_step(before, new)["status"] == new
    else:
        with pytest.raises(IllegalTransition, match="step_0"):
            transition_step(before, new)


@pytest.mark.parametrize("old", RUN_STATUSES)
@pytest.mark.parametrize("new", RUN_STATUSES)
def test_run_transitions(old: str, new: str) -> None:
    if (old, new) in LEGAL_RUNS:
        check_run_transition(old, new)
    else:
        with pytest.raises(IllegalTransition, match=old):
            check_run_transition(old, new)


def test_a_step_from_start_to_end() -> None:
    started = transition_step(step(), "in_progress", now="2026-01-02T03:04:05+09:00")
    half = transition_step(started, "in_progress", progress=50, now="2026-01-02T03:04:06+09:00")
    done = transition_step(half, "completed", result={"total": 1}, now="2026-01-01T18:04:15+00:00")
    assert (half["started_at"], half["progress_percentage"]) == ("2026-01-02T03:04:05+09:00", 50)
    assert (done["progress_percentage"], done["completed_at"]) == (100, "2026-01-01T18:04:15+00:00")
    assert done["execution_time"] == 10.0
    assert (done["result"], done["error"]) == ({"total": 1}, None)


@pytest.mark.parametrize("status", ["failed", "skipped"])
def test_the_end_without_success(status: str) -> None:
    ended = transition_step(transition_step(step(), "in_progress", progress=30), status, error="cancelled")
    assert ended["completed_at"] is not None
    assert (ended["progress_percentage"], ended["error"]) == (30, "cancelled")
    assert transition_step(step(), status)["started_at"] is None


@pytest.mark.parametrize("progress", [-1, 101, True, 50.0, "50", float("nan")])
def test_progress_that_is_none(progress: Any) -> None:
    with pytest.raises(InvalidState, match="progress_percentage"):
        transition_step({**step(), "status": "in_progress"}, "in_progress", progress=progress)


def test_update_one_of_several() -> None:
    steps = [step("step_0"), step("step_1")]
    before = copy.deepcopy(steps)
    changed = update_step(steps, "step_1", "in_progress", progress=10)
    assert [one["status"] for one in changed] == ["pending", "in_progress"]
    assert steps == before
    with pytest.raises(NotFound, match="step_7"):
        update_step(steps, "step_7", "in_progress")


def test_extra_fields_are_those_of_the_type() -> None:
    assert step(agent="legal", depends_on=["step_1"])["depends_on"] == ["step_1"]
    with pytest.raises(InvalidState, match="colour"):
        step(colour="red")


@given(st.lists(st.sampled_from(STEP_STATUSES)))
def test_progress_is_the_share_of_ended_steps(statuses: list[str]) -> None:
    steps = [{"status": status} for status in statuses]
    ended = sum(status in TERMINAL_STEPS for status in statuses)
    assert progress_of(steps) == (100 * ended / len(steps) if steps else 0.0)


@given(json_values(25), st.integers(1, 300))
def test_a_summary_is_small_and_plain(value: Any, count: int) -> None:
    large = {f"{'이름' * 100}{n}": [value] * count for n in range(count)}
    assert len(json.dumps(summarise(large), ensure_ascii=False)) < 6000
    assert summarise(large)["count"] == count


def test_a_summary_tells_what_there_is() -> None:
    summary = summarise({"legal_results": [1, 2, 3], "total_results": 3, "text": "가" * 500})
    assert summary["counts"] == {"legal_results": 3}
    assert summary["values"]["total_results"] == 3
    assert len(summary["values"]["text"]) == 120
    assert summarise([1, 2]) == {"kind": "list", "count": 2}
    assert summarise(None) == {}
