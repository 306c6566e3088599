"""No field of the seed's bookkeeping is the same whatever was asked, unless it says why here."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.works import questions, situations
from tests.support.works import Talk

FIELDS = (
    "query_analyzer_state", "planning_state", "execution_manager_state", "workflow_status", "iteration_count",
    "db_queries_executed", "progress_percentage", "current_phase", "response_metadata", "warnings", "audit_trail",
)  # fmt: skip
LEAST = 5
KEY = re.compile(r"task_\d+|step_\d+")
SAME = {
    "who asks, and when: one user, company and day in this test": (
        "query_analyzer_state.user_context.company_id", "query_analyzer_state.user_context.today",
        "query_analyzer_state.user_context.user_id", "audit_trail.company_id", "audit_trail.user_id",
    ),
    "settings, told as such": (
        "planning_state.contingency_triggers.max_replans", "planning_state.contingency_triggers.quality_below",
        "planning_state.fallback_plans.description", "planning_state.fallback_plans.trigger",
    ),
    "how this runtime works: every step is checkpointed, results are told in the plan's order": (
        "planning_state.execution_plan.checkpoint", "execution_manager_state.aggregation_method",
    ),
    "a turn that has ended without a failure": (
        "execution_manager_state.execution_progress", "execution_manager_state.execution_status",
        "execution_manager_state.need_replan", "workflow_status.status", "iteration_count", "current_phase",
    ),
    "the shape of a result, not a score": (
        r"execution_manager_state.final_results.*", r"execution_manager_state.completed_tasks.result",
    ),
}  # fmt: skip


def leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every value with its path; entries of lists, and tasks and steps, share one. What is null or empty has none."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, f"{path}.{'*' if KEY.fullmatch(str(key)) else key}")
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one, path)
    elif value is not None:
        yield path, value


async def test_no_field_is_the_same_over_the_evaluation_set(tmp_path: Path) -> None:
    asked = (
        ["최근 실적 알려줘"]
        + [one["question"] for one in questions("dev")[::3]]
        + [one["text"] for one in situations("dev")[::4]]
    )
    asked += [
        "지난달 매출이 왜 줄었는지랑 지점별 매출 알려줘",
        "강릉지점 지난달 매출",
        "작년 매출 1조원 이상인 거래처",
        "거래처별 제품별 작년 매출",
        "월간 영업보고서 만들어줘",
        "방문보고서 작성하고 저장해줘. 오늘 없는이름의원 방문, 목적은 제품 디테일, 내용: 상품권 30만원을 드림",
    ]
    seen: dict[str, list[str]] = defaultdict(list)
    talk = Talk(tmp_path)
    for text in asked:
        state = await talk.say(text)
        for field in FIELDS:
            given = state.get(field)
            request = state["request_id"]
            if field == "audit_trail":
                given = [entry for entry in given or () if entry["request_id"] == request]
            for path, value in leaves(given, field):
                seen[path].append(str(value))
    excused = tuple(path for paths in SAME.values() for path in paths)
    constant = {p: v[0] for p, v in seen.items() if len(v) >= LEAST and len(set(v)) == 1}
    assert {p: v for p, v in constant.items() if not p.startswith(excused)} == {}
    assert seen["warnings.message"], "nothing that should be known was ever said as a warning"
