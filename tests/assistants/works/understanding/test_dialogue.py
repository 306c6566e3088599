"""What is said goes on from what was said: scope, periods, references, guesses, another form of the same result."""

from pathlib import Path
from typing import Any

import pytest

from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.tools.decomposition import decompose
from madang.assistants.works.tools.links import link_user
from madang.assistants.works.understanding.form_input import DIMENSIONS, METRICS
from madang.assistants.works.understanding.question import read_question
from tests.support.company import TODAY, rows, shared_lexicon
from tests.support.works import Talk, agents_of


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Talk:
    return Talk(tmp_path)


def meaning(state: dict[str, Any]) -> Any:
    return state["query_analyzer_state"]["semantic_query"]


@pytest.mark.parametrize("text", [
    "지난달 매출 원래 그랬어?", "방문을 덜 가서 그런거 아냐? 지난달", "순서 바뀌나 지난달 매출",
    "꾸준히 가긴 해? 지난달 방문", "인과까진 아니어도 지난달 매출 경향정도", "판촉비 사용액 담당자별 이번달",
])  # fmt: skip
def test_an_ordinary_word_is_never_a_name(text: str) -> None:
    filters = read_question(text, shared_lexicon(), TODAY).query["filters"]
    assert [one for one in filters if one["field"] in {"product", "rep", "customer", "branch", "team"}] == []


async def test_scope_stays_a_new_period_wins_and_what_is_left_out_goes(talk: Talk) -> None:
    branch = rows()["reps"][0]["branch"]
    await talk.say(f"{branch} 지난달 매출 알려줘")
    split = meaning(await talk.say("제품별로 쪼개서 1월이랑 2월 차이 큰 순으로"))
    assert split["filters"] == [{"field": "branch", "op": "eq", "value": branch}]
    assert split["sort"] == {"by": "sales_amount_difference", "order": "desc"}
    assert split["compare"] == {"type": "mom", "period": None}
    assert meaning(await talk.say("그럼 작년 3월은?"))["period"] == {"from": "2025-03-01", "to": "2025-03-31"}
    assert meaning(await talk.say("전체로 보여줘"))["filters"] == []


async def test_the_lowest_of_those_shown_and_the_others_average(talk: Talk) -> None:
    branch = rows()["reps"][0]["branch"]
    shown = await talk.say(f"{branch} 담당자별 지난달 달성률 줄세워줘")
    lowest = min(shown["data_analysis"]["raw_data"], key=lambda row: row["achievement_rate"])["rep"]
    picked = meaning(await talk.say("그중 제일 낮은 사람 거래처별 매출 보여줘"))
    assert {"field": "rep", "op": "eq", "value": lowest} in picked["filters"]
    assert picked["dimensions"] == ["customer"]
    beside = await talk.say("그 친구 방문은 얼마나 했어? 다른 팀원 평균이랑 비교")
    assert meaning(beside)["metrics"] == ["visit_count"]
    assert f"{lowest}의 방문 횟수" in beside["response"]["answer"]


async def test_the_same_result_in_another_form_is_no_new_question(talk: Talk) -> None:
    first = await talk.say("지난달 지점별 매출 알려줘")
    table = await talk.say("표로 보여줘")
    assert meaning(table) == meaning(first)
    assert table["execution_steps"][0]["reused"] is True
    short = await talk.say("그거 3줄로 요약해줘")
    assert agents_of(short) == []
    assert len(short["response"]["answer"].splitlines()) >= 3
    assert short["response"]["answer"].startswith("1. ")


async def test_a_guess_at_a_cause_is_put_beside_the_figures_and_not_confirmed(talk: Talk) -> None:
    await talk.say("지난달 매출 전월 대비 알려줘")
    state = await talk.say("방문을 덜 가서 그런거 아냐?")
    assert meaning(state)["metrics"] == ["sales_amount", "visit_count"]
    assert "단정할 수는 없습니다" in state["response"]["answer"]


async def test_why_is_decomposed_and_the_parts_sum_up(talk: Talk) -> None:
    await talk.say("지난달 매출 알려줘")
    state = await talk.say("왜 줄었어?")
    assert agents_of(state) == ["ChangeAnalysisAgent"]
    sold = {month: sum(r["amount"] for r in rows()["sales"] if (r["date"].year, r["date"].month) == (2026, month))
            for month in (1, 2)}  # fmt: skip
    change = state["change_analysis"]
    assert (change["before"], change["after"]) == (sold[1], sold[2])
    found = decompose(state["why_query"], talk.services.warehouse, "sample", TODAY)
    assert found.parts.keys() >= {"product", "customer", "rep", "branch"}
    for parts in found.parts.values():
        assert sum(one["change"] for one in parts) == pytest.approx(sold[2] - sold[1])


async def test_two_questions_in_one_message_are_both_answered(talk: Talk) -> None:
    state = await talk.say("지난달 세미나 몇 건 했고 비용 제일 많이 쓴 지점 어디야")
    further = state["data_analysis"]["processed_data"]["further"]
    assert meaning(state)["metrics"] == ["seminar_count"]
    assert further[0]["columns"][-1]["name"] == "seminar_cost"
    assert further[0]["answer"] in state["response"]["answer"]


async def test_mine_is_who_the_user_is_linked_to_and_is_asked_for_otherwise(talk: Talk) -> None:
    asked = await talk.say("내 지난달 매출 얼마야?")
    assert asked["response"]["type"] == "clarification"
    rep = rows()["reps"][0]
    link_user(talk.services.warehouse, talk.services.folder, "sample", "7", rep["rep"], TODAY)
    state = await talk.say("우리 팀 지난달 매출 얼마야?")
    assert meaning(state)["filters"] == [{"field": "team", "op": "eq", "value": rep["team"]}]


async def test_a_period_that_the_data_does_not_have_is_said(talk: Talk) -> None:
    answer = (await talk.say("2019년 3월 매출"))["response"]["answer"]
    assert "자료가 없습니다" in answer
    assert " 0원" not in answer


async def test_a_question_can_be_asked_by_the_form_alone(talk: Talk) -> None:
    given = {
        "query": "", "session_id": "talk", "request_id": "form", "messages": [],
        "form_input": {"asked.metrics": ["visit_count"], "asked.dimensions": ["team"],
                       "asked.period": "2026-02-01 ~ 2026-02-28"},
    }  # fmt: skip
    state = await talk._run(given)
    assert state["analysis_query"]["metrics"] == ["visit_count"]
    assert state["analysis_query"]["period"] == {"from": "2026-02-01", "to": "2026-02-28"}
    assert state["data_analysis"]["raw_data"]


def test_the_form_calls_metrics_and_dimensions_as_the_layer_does() -> None:
    layer = semantics()
    assert {name: one.label for name, one in layer.metrics.items()} == METRICS
    assert {name: one.label for name, one in layer.dimensions.items()} == DIMENSIONS
