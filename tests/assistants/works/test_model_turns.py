"""works with a model: texts are written in the answer, each situation is judged by itself, rows reach the answer."""

import json
from pathlib import Path
from typing import Any

from tests.support import works
from tests.support.model_turns import act, is_understanding, reading, scripted, step


async def said(folder: Path, text: str, read: Any, answer: str) -> tuple[dict[str, Any], str]:
    """The state after a turn, and what the call that answers was sent."""
    talk = works.Talk(folder)
    async with scripted(read, answer) as (server, models):
        talk.models = models
        state = await talk.say(text)
    sent = [one for one in server.requests if not is_understanding(one)]
    return state, json.dumps(sent[-1]["messages"], ensure_ascii=False) if sent else ""


async def test_a_text_is_written_by_the_answer_whatever_form_a_model_names(tmp_path: Path) -> None:
    text = "원장님께 보낼 사과 문자 써줘. 회신은 다음 주 금요일까지"
    letter = step("DocumentGenerationAgent", form="letter", edit=False, values=[], query=None)
    read = reading("document", act(text, "order", "document"), steps=[letter])
    answer = "“원장님, 늦어져 죄송합니다. 3월 20일(금)까지 회신 부탁드립니다.” [P]"
    state, sent = await said(tmp_path, text, read, answer)
    assert sent
    assert "3월 20일(금)까지" in state["response"]["answer"]
    assert not state.get("document_generation")
    assert "글 초안" not in state["response"]["answer"]


async def test_two_situations_are_two_judgements_and_what_is_broken_is_said_whatever_the_model_says(
    tmp_path: Path,
) -> None:
    text = "원장님께 상품권 10만원 드려도 돼? 개별 방문해서 제품 설명하며 1인당 3만원 커피는?"
    checks = [
        step("ComplianceValidationAgent", text="원장에게 상품권 10만원을 준다"),
        step("ComplianceValidationAgent", text="의원을 개별 방문해 제품을 설명하며 원장 1명에게 3만원 식음료를 낸다"),
    ]
    read = reading("check", act(text, "ask_whether", "check"), steps=checks)
    state, sent = await said(tmp_path, text, read, "상품권은 안 됩니다. [F1]")
    assert [one["status"] for one in state["compliance_validation"]["further"]] != ["violation"]
    assert state["compliance_validation"]["status"] == "violation"
    assert "현금·상품권 제공 금지" in state["response"]["answer"]
    assert "점수" not in state["response"]["answer"]
    assert sent.count("판단한 상황") == 2


async def test_of_two_things_that_are_broken_the_one_passed_over_is_said(tmp_path: Path) -> None:
    text = "원장님께 상품권 10만원 드리고 골프 접대해도 돼?"
    check = step("ComplianceValidationAgent", text="원장에게 상품권 10만원을 주고 골프 접대를 한다")
    read = reading("check", act(text, "ask_whether", "check"), steps=[check])
    state, sent = await said(tmp_path, text, read, "상품권은 드릴 수 없습니다. [F2]")
    broken = [
        one["title"] for one in state["compliance_validation"]["validation_results"] if one["status"] == "violation"
    ]
    assert len(broken) > 1
    told = state["response"]["answer"]
    assert [title for title in broken if title in told] == broken[1:], "the first is the model's own sentence"
    assert sent


async def test_a_pass_is_no_clearance_to_a_model(tmp_path: Path) -> None:
    text = "견본품 한 통 정식으로 주면 돼?"
    check = step("ComplianceValidationAgent", text="최소 포장단위이고 견본품 표시가 있는 견본품 한 통을 원장에게 준다")
    read = reading("check", act(text, "ask_whether", "check"), steps=[check])
    state, sent = await said(tmp_path, text, read, "견본품 표시를 확인하고 드리세요. [F1]")
    assert state["response"]["answer"].startswith("견본품 표시를 확인")
    assert "통과라고 하지 않기" in sent


async def test_many_columns_and_a_condition_on_a_figure_are_computed(tmp_path: Path) -> None:
    text = "올해 제품설명회 가운데 참석자 5명 이하인 건을 날짜, 거래처, 담당자, 제품별로"
    query = {
        "metrics": ["attendee_count", "cost_per_attendee"], "dimensions": ["date", "customer", "rep", "product"],
        "filters": [{"field": "attendee_count", "op": "lte", "value": 5}],
        "period": {"from": "2026-01-01", "to": "2026-10-31"}, "compare": None, "sort": None, "limit": None,
    }  # fmt: skip
    read = reading("analysis", act(text, "ask_what", "analysis"), steps=[step("DataAnalysisAgent", queries=[query])])
    state, sent = await said(tmp_path, text, read, "목록입니다. [F1]")
    assert state["data_analysis"]["raw_data"]
    assert "참석자 수" in sent


def monthly(**over: Any) -> Any:
    query = {
        "metrics": ["sales_amount", "target_amount"], "dimensions": ["branch"], "filters": [], "compare": None,
        "period": {"from": "2026-02-01", "to": "2026-02-28"}, "sort": None, "limit": None,
    }  # fmt: skip
    return step("DataAnalysisAgent", queries=[{**query, **over}])


async def test_sums_and_working_days_are_evidence_and_a_table_stands_where_the_answer_puts_it(tmp_path: Path) -> None:
    text = "2월 지점별 매출이랑 목표 알려줘"
    read = reading("analysis", act(text, "ask_how_much", "analysis"), steps=[monthly()])
    state, sent = await said(
        tmp_path, text, read, "2월 지점별 매출입니다. [F1]\n\n[T1]\n\n더 볼 것을 말씀해 주세요. [G]"
    )
    assert "줄을 모두 더하면 매출" in sent
    assert "영업일(주말·공휴일 제외) 17일" in sent
    answer = state["response"]["answer"]
    assert answer.index("2월 지점별") < answer.index("|---|") < answer.index("더 볼 것")
    assert answer.count("|---|---|---|") == 1


async def test_a_table_that_the_answer_leaves_out_is_not_shown(tmp_path: Path) -> None:
    text = "2월 지점별 매출 두 줄로 요약해줘"
    read = reading("analysis", act(text, "ask_how_much", "analysis"), steps=[monthly()])
    state, _ = await said(tmp_path, text, read, "2월 지점별 매출을 살폈습니다. [F1]")
    assert "|---|" not in state["response"]["answer"]


async def test_months_of_customers_stand_side_by_side(tmp_path: Path) -> None:
    text = "지점별 월별 매출 표로 정리해줘"
    months = {"from": "2025-12-01", "to": "2026-02-28"}
    query = monthly(metrics=["sales_amount"], dimensions=["branch", "month"], period=months)
    read = reading("analysis", act(text, "ask_how_much", "analysis"), steps=[query])
    state, _ = await said(tmp_path, text, read, "석 달 매출입니다. [F1]\n[T1]")
    assert "| 지점 | 2025-12(원) | 2026-01(원) | 2026-02(원) | 합계(원) |" in state["response"]["answer"]


async def test_what_the_house_knows_of_a_topic_is_evidence(tmp_path: Path) -> None:
    text = "우리 CSO 쪽 지출보고서는 언제까지 쓰는 건지 정리 부탁드려요"
    read = reading("search", act(text, "ask_what", "search"))
    state, sent = await said(tmp_path, text, read, "회계연도가 끝나고 3개월 이내에 씁니다(약사법 제47조의2). [F1]")
    assert "3개월 이내" in sent
    assert "안내 “지출보고서”" in sent
    assert state["response"]["answer"]
