"""Whole conversations through the built graph."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.works import dialogues
from madang.state.validation import validate_update
from tests.support.company import RIVAL, TODAY, rows
from tests.support.works import Talk, agents_of

SEMINAR = ["DocumentGenerationAgent", "ComplianceValidationAgent", "StorageDecisionAgent"]


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Talk:
    return Talk(tmp_path)


def sections(state: dict[str, Any]) -> dict[str, Any]:
    return {s["type"]: s for s in state["response"]["structured_data"]["sections"]}


async def test_a_question_is_answered_in_words_with_table_and_chart(talk: Talk) -> None:
    state = await talk.say("지난달 지점별 매출 전년 동기 대비 알려줘")
    section = sections(state)["analysis"]
    assert "2026-02-01 ~ 2026-02-28" in state["response"]["answer"]
    assert "2025-02-01 ~ 2025-02-28" in state["response"]["answer"]
    assert {row["branch"] for row in section["rows"]} == {r["branch"] for r in rows()["reps"]}
    chart = state["response"]["structured_data"]["visualizations"][0]
    assert chart["type"] == "bar_chart"
    assert chart["image_url"].startswith("data:image/svg+xml;base64,")
    now, before = chart["data"]["series"]
    assert (now["values"], before["name"]) == (chart["data"]["values"], "매출 (비교 기간)")
    assert before["values"] == [row["sales_amount_compare"] for row in section["rows"]]
    assert state["final_response"] == state["response"]["answer"]
    assert state["query_analyzer_state"]["semantic_query"]["compare"] == {"type": "yoy", "period": None}


async def test_the_bookkeeping_of_a_turn_is_computed(talk: Talk) -> None:
    state = await talk.say("지난달 서울 매출")
    analyzer, plan = state["query_analyzer_state"], state["planning_state"]
    manager, agent = state["execution_manager_state"], state["agent_states"]["task_001"]
    assert analyzer["raw_query"] == "지난달 서울 매출"
    assert analyzer["suggested_agents"] == ["DataAnalysisAgent"]
    assert {e["type"] for e in analyzer["extracted_entities"]} >= {"region", "metric", "period"}
    assert plan["execution_plan"][0]["agents"] == ["DataAnalysisAgent"]
    assert plan["task_dependencies"] == {"task_001": []}
    assert manager["execution_status"] == "completed"
    assert [t["task_id"] for t in manager["completed_tasks"]] == ["task_001"]
    assert manager["pending_tasks"] == manager["failed_tasks"] == []
    assert 0 < manager["quality_scores"]["task_001"] <= 1
    assert agent["agent_name"] == "DataAnalysisAgent"
    assert agent["generated_queries"][0].startswith("SELECT")
    assert agent["query_execution_plans"][0]["operator"]
    assert agent["execution_time"] > 0
    assert state["progress_percentage"] == 100.0
    assert state["current_phase"] == "completed"
    assert state["db_queries_executed"] == 1
    good, problems = validate_update(type_of(), {k: v for k, v in state.items() if k != "messages"})
    assert not problems
    assert good


def type_of() -> type:
    from madang.assistants.works.state import GlobalSessionState

    return GlobalSessionState


async def test_follow_ups_and_what_is_kept(talk: Talk) -> None:
    first = await talk.say("지난달 서울 매출 얼마야?")
    second = await talk.say("그럼 부산은?")
    third = await talk.say("작년이랑 비교하면?")
    meaning = third["query_analyzer_state"]["semantic_query"]
    assert second["query_analyzer_state"]["semantic_query"]["filters"][0]["value"] == "부산"
    assert meaning["filters"][0]["value"] == "부산"
    assert meaning["compare"]["type"] == "yoy"
    assert meaning["period"] == first["query_analyzer_state"]["semantic_query"]["period"]
    again = await talk.say("지난달 부산 매출 작년이랑 비교해줘")
    assert again["execution_steps"][0]["reused"] is True
    assert sections(again)["analysis"] == sections(third)["analysis"]


async def test_an_unclear_question_asks_once_with_choices_and_the_answer_completes_it(talk: Talk) -> None:
    asked = await talk.say("최근 서울 실적 알려줘")
    assert asked["response"]["type"] == "clarification"
    assert asked["response"]["structured_data"]["choices"]
    assert asked["current_phase"] == "clarifying"
    assert asked["query_analyzer_state"]["ambiguities"][0]["field"] == "period"
    answered = await talk.say("2번")
    assert answered["query_analyzer_state"]["semantic_query"] == {
        "kind": "query", "metrics": ["sales_amount"], "dimensions": [],
        "filters": [{"field": "region", "op": "eq", "value": "서울"}],
        "period": {"from": "2026-02-01", "to": "2026-02-28"}, "compare": None, "sort": None, "limit": None,
    }  # fmt: skip


async def test_a_name_that_is_not_there_is_said_and_the_nearest_offered(talk: Talk) -> None:
    state = await talk.say("강넘지점 지난달 매출")
    branch = state["query_analyzer_state"]["semantic_query"]["filters"][0]["value"]
    unknown = await talk.say("강릉지점 지난달 매출")
    assert branch == "강남지점"
    assert unknown["query_analyzer_state"]["semantic_query"]["filters"][0]["value"] == "강릉지점"
    assert "강릉지점" in unknown["response"]["answer"]
    assert "없습니다" in unknown["response"]["answer"]
    assert sections(unknown)["analysis"]["unknown"][0]["nearest"] in {r["branch"] for r in rows()["reps"]}
    assert unknown["replans"] == 1
    assert "가장 가까운 이름은" in unknown["response"]["answer"]
    # Figures of another branch that only sounds alike would answer another question.
    assert "가까운 이름으로 보면" not in unknown["response"]["answer"]
    assert unknown["execution_manager_state"]["replan_attempts"] == 1


@pytest.mark.parametrize("text", ["지난달 매출 데이터 삭제해줘", "경쟁사 매출 알려줘", "다음달 매출 예측해줘"])
async def test_what_is_refused_reads_nothing_and_says_why(talk: Talk, text: str) -> None:
    state = await talk.say(text)
    assert state["response"]["type"] == "refusal"
    assert state["execution_steps"] == []
    assert state["db_queries_executed"] == 0
    assert "있습니다" in state["response"]["answer"]


async def test_a_seminar_request_is_drafted_checked_and_kept_only_when_asked(talk: Talk) -> None:
    state = await talk.say("제품설명회 신청서 만들고 규정까지 봐줘")
    labels = ("일시", "장소", "대상 기관", "제품", "참석 인원", "1인당 식음료 비용")
    assert all(label in state["document_generation"]["missing"] for label in labels)
    assert state["response"]["answer"].count("알려 주세요") == 1
    customer = rows()["customers"][0]["customer"]
    state = await talk.say(f"4월 10일 본사 세미나실에서, {customer}, 노바프레정")
    assert state["document_generation"]["missing"] == ["참석 인원", "1인당 식음료 비용"]
    state = await talk.say("8명, 1인당 식사 12만원")
    assert state["document_generation"]["missing"] == []
    assert agents_of(state) == SEMINAR[:2]
    assert state["compliance_validation"]["status"] == "violation"
    assert "약사법 시행규칙 제44조제4항" in state["response"]["answer"]
    state = await talk.say("저장해줘")
    assert state["storage_decision"]["storage_status"] == "failed"
    assert "10만원" in state["storage_decision"]["decision_reasoning"]
    assert talk.services.warehouse.archive.documents("sample") == []
    state = await talk.say("1인당 8만원으로 바꿔서 저장해줘")
    assert agents_of(state) == SEMINAR
    assert state["document_generation"]["form_data"]["attendees"] == 8
    assert state["compliance_validation"]["status"] == "pass"
    assert state["storage_decision"]["storage_status"] == "completed"
    filed = talk.services.warehouse.archive.documents("sample")
    assert [d.document_type for d in filed] == ["seminar_request"]
    found = await talk.say(f"{customer} 제품설명회 신청서 찾아줘")
    assert any(h["id"].startswith("document:") for h in found["information_retrieval"]["filtered_results"])


async def test_a_filed_visit_is_counted_by_later_questions(talk: Talk) -> None:
    customer = next(c for c in rows()["customers"] if c["customer_type"] == "의원")["customer"]
    question = f"{customer} 이번 달 방문 횟수"
    before = sections(await talk.say(question))["analysis"]["rows"][0]["visit_count"]
    await talk.say("방문보고서 작성하고 저장해줘")
    state = await talk.say(f"오늘 {customer} 방문, 제품 디테일, 원장님이 임상 자료를 요청하셨습니다")
    assert state["storage_decision"]["storage_decision"] == "hybrid"
    assert state["storage_decision"]["storage_metadata"]["rows"] == {"visits": 1}
    assert all(Path(p).exists() for p in state["storage_decision"]["storage_metadata"]["files"].values())
    after = sections(await talk.say(question))["analysis"]["rows"][0]["visit_count"]
    assert after == before + 1
    other = Talk(talk.services.folder.parent, RIVAL)
    assert other.services.warehouse.archive.documents(RIVAL) == []


async def test_a_note_is_kept_and_found(talk: Talk) -> None:
    state = await talk.say("다온의원 원장님은 목요일 오후 방문을 선호하신다고 메모 저장해줘")
    assert state["storage_decision"]["storage_decision"] == "vector_db"
    found = await talk.say("목요일 오후 방문 선호 메모 찾아줘")
    assert "목요일" in found["information_retrieval"]["filtered_results"][0]["content"]


async def test_a_report_is_written_over_the_figures(talk: Talk) -> None:
    state = await talk.say("월간 영업보고서 만들어줘")
    assert agents_of(state) == ["DataAnalysisAgent", "DocumentGenerationAgent"]
    content = state["document_generation"]["generated_document"]["content"]
    assert "2026-02-01 ~ 2026-02-28" in content
    assert f"{state['data_analysis']['raw_data'][0]['sales_amount']:,}" in content
    stored = await talk.say("저장해줘")
    assert stored["storage_decision"]["storage_status"] == "completed"


async def test_the_audit_trail_tells_who_asked_what_and_why(talk: Talk) -> None:
    await talk.say("지난달 서울 매출")
    await talk.say("경쟁사 매출 알려줘")
    state = await talk.say("의사에게 식사 12만원 제공해도 돼?")
    trail = state["audit_trail"]
    asked = [e for e in trail if e["action"] == "asked"]
    assert [e["query"] for e in asked] == [
        "지난달 서울 매출",
        "경쟁사 매출 알려줘",
        "의사에게 식사 12만원 제공해도 돼?",
    ]
    assert [e["decision"] for e in asked] == ["query", "reject_access", "other_agent"]
    assert {e["user_id"] for e in trail} == {"7"}
    assert {e["company_id"] for e in trail} == {"sample"}
    read = next(e for e in trail if e["agent"] == "DataAnalysisAgent")
    assert any(name.startswith("sales (") for name in read["data_read"])
    judged = next(e for e in trail if e["agent"] == "ComplianceValidationAgent")
    assert judged["decision"] == "violation"
    assert "rebate_law.visit_meal" in judged["reason"]


async def test_another_company_sees_its_own_rows_only(tmp_path: Path) -> None:
    own = await Talk(tmp_path / "a").say("작년 매출 얼마야?")
    other = await Talk(tmp_path / "b", RIVAL).say("작년 매출 얼마야?")
    amount = sections(own)["analysis"]["rows"][0]["sales_amount"]
    assert amount == sum(r["amount"] for r in rows()["sales"] if r["date"].year == 2025)
    assert sections(other)["analysis"]["rows"][0]["sales_amount"] != amount
    assert TODAY.year == 2026


async def test_a_company_without_data_is_told_so(tmp_path: Path) -> None:
    state = await Talk(tmp_path, "newcomer").say("지난달 매출 알려줘")
    assert state["response"]["type"] == "guidance"
    assert "madang data load sales" in state["response"]["answer"]


async def test_quality_differs_with_the_result(talk: Talk) -> None:
    good = await talk.say("지난달 지점별 매출")
    bad = await talk.say("없는지점이라는지점 2019년 매출")
    assert good["data_analysis"]["confidence_score"] > bad["data_analysis"]["confidence_score"]


@pytest.mark.parametrize("dialogue", [*dialogues("dev"), *dialogues("test")], ids=lambda d: str(d["id"]))
async def test_dialogues(tmp_path: Path, dialogue: dict[str, Any]) -> None:
    talk = Talk(tmp_path)
    for turn in dialogue["turns"]:
        state = await talk.say(turn["user"])
        expect = turn["expect"]
        meaning = state["query_analyzer_state"]["semantic_query"]
        assert meaning["kind"] == expect.get("kind", meaning["kind"])
        for part, value in expect.get("semantic_query", {}).items():
            assert meaning[part] == value, (turn["user"], part, json.dumps(meaning, ensure_ascii=False))
        if "agents" in expect:
            assert agents_of(state) == expect["agents"]


def test_there_are_enough_dialogues() -> None:
    assert len(dialogues("dev")) + len(dialogues("test")) >= 10


@pytest.mark.parametrize("rules", ["식사 접대 규정", "견본품 규정"])
async def test_figures_asked_for_beside_a_search_are_given_too(talk: Talk, rules: str) -> None:
    state = await talk.say(f"지난달 매출 얼마야? 그리고 {rules} 찾아줘")
    assert set(agents_of(state)) == {"InformationRetrievalAgent", "DataAnalysisAgent"}
    assert "2026-02-01 ~ 2026-02-28" in state["response"]["answer"]
