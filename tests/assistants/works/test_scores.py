"""Scores, confidences and counts are computed: none is the same whatever was asked."""

from collections import defaultdict
from pathlib import Path
from typing import Any

from bench.works import questions, situations
from madang.assistants.works.data.rules import load_rules
from madang.assistants.works.tools.compliance import judge, read_facts
from madang.assistants.works.understanding.question import read_question
from tests.support.company import TODAY, rows, shared_lexicon
from tests.support.works import Talk

SCORES = {
    "data_analysis": ("confidence_score",),
    "information_retrieval": ("confidence_score", "relevance_scores"),
    "document_generation": ("confidence_score",),
    "compliance_validation": ("confidence_score", "score", "validation_results"),
    "storage_decision": ("confidence_score", "data_size"),
    "query_analyzer_state": ("complexity_score", "parsed_intents"),
}


def numbers(value: Any) -> list[float]:
    """The scores in a field: itself, its values, or the confidences of its entries."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list):
        return [one["confidence"] for one in value if one["confidence"] is not None]
    return [] if value is None else [value]


async def test_no_score_is_the_same_over_a_set_of_conversations(tmp_path: Path) -> None:
    customer = rows()["customers"][0]["customer"]
    turns = [
        "지난달 지점별 매출 알려줘",
        "강릉지점 지난달 매출",
        "2019년 매출 얼마야?",
        "최근 실적 알려줘",
        "식사 접대 규정 찾아줘",
        f"{customer} 방문 기록 찾아줘",
        "우주 왕복선 매뉴얼 검색해줘",
        "의사에게 식사 12만원 제공해도 돼?",
        "4월 20일 제품설명회, 원장 5명, 1인당 식사 5만원 괜찮은지 규정 검토해줘",
        f"방문보고서 작성하고 저장해줘. 오늘 {customer} 방문, 목적은 제품 디테일, 내용: 임상 자료를 요청함",
        "방문보고서 작성하고 저장해줘. 오늘 없는이름의원 방문, 목적은 제품 디테일, 내용: 상품권 30만원을 드림",
        "월간 영업보고서 만들어줘",
        "다온의원 원장님은 목요일 오후 방문을 선호하신다고 메모 저장해줘",
    ]
    talk = Talk(tmp_path)
    seen: dict[str, list[float]] = defaultdict(list)
    for text in turns:
        state = await talk.say(text)
        assert not await talk.asked(), text
        for field, names in SCORES.items():
            for name in names:
                seen[f"{field}.{name}"] += numbers((state.get(field) or {}).get(name))
    assert len(seen) == sum(map(len, SCORES.values()))
    assert [name for name, values in seen.items() if len(values) < 3] == []
    assert [name for name, values in seen.items() if len(set(values)) == 1] == []


async def test_queries_are_counted_where_they_are_made(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    first = await talk.say("지난달 지점별 매출 알려줘")
    checked = await talk.say("의사에게 식사 12만원 제공해도 돼?")
    noted = await talk.say("다온의원 원장님은 목요일 오후 방문을 선호하신다고 메모 저장해줘")
    counts = [state["db_queries_executed"] for state in (first, checked, noted)]
    assert counts == [1, 0, 3]
    assert noted["storage_decision"]["resource_usage"]["db_queries"] == 2


def test_confidence_differs_over_the_questions_of_the_evaluation_set() -> None:
    read = [read_question(one["question"], shared_lexicon(), TODAY) for one in questions("dev")]
    computed = {reading.confidence for reading in read if reading.query["kind"] == "query"}
    assert len(computed) > 1
    assert all(reading.confidence is None for reading in read if reading.query["kind"].startswith("reject"))


def test_confidence_differs_over_the_situations_of_the_evaluation_set() -> None:
    book = load_rules()
    judged = [judge(read_facts(one["text"], TODAY), book, [], TODAY) for one in situations("dev")]
    by_rule: dict[str, set[float]] = defaultdict(set)
    for judgement in judged:
        for one in judgement.results:
            by_rule[one.rule.id].add(one.verdict.confidence)
    assert len({confidence for found in by_rule.values() for confidence in found}) > 4
    assert len(by_rule["rebate_law.seminar_meal"]) > 1
    assert len(by_rule["rebate_law.cash"]) > 1
