"""Questions read into meanings: names, periods, follow-ups, refusals."""

from datetime import date
from typing import Any

import pytest

from bench.works import questions, score_questions
from madang.assistants.works.understanding.question import Understood, read_question
from tests.support.company import TODAY, shared_lexicon


def read(text: str, previous: Any = None, today: date = TODAY) -> Understood:
    return read_question(text, shared_lexicon(), today, previous)


def value_of(text: str, field: str) -> Any:
    return {f["field"]: f["value"] for f in read(text).query["filters"]}.get(field)


@pytest.mark.parametrize("split", ["dev", "test"])
def test_the_evaluation_sets_stay_above_their_goals(split: str) -> None:
    found = score_questions(split, shared_lexicon())
    assert found.exact / found.total >= 0.85
    assert found.refused_writes == found.writes
    assert found.total >= 60


def test_there_are_enough_questions() -> None:
    assert len(questions("dev")) + len(questions("test")) >= 130


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("잠실지점 지난달 매출", "branch", "잠실지점"),
        ("홍길동 사원 이번달 실적", "rep", "홍길동"),
        ("하늘바다정 작년 판매량", "product", "하늘바다정"),
        ("튼튼한내과의원 매출 작년", "customer", "튼튼한내과의원"),
        ("노바프래정 지난달 매출", "product", "노바프레정"),
        ("강남 지점 지난달 매출", "branch", "강남지점"),
        ("로컬 매출 지난달", "customer_type", "의원"),
        ("서울시 매출 지난달", "region", "서울"),
        ("혈압약 매출 지난달", "product_class", "고혈압제"),
    ],
)
def test_names_known_mistyped_and_unknown(text: str, field: str, value: str) -> None:
    assert value_of(text, field) == value


def test_regions_said_as_one() -> None:
    query = read("수도권 지난달 매출").query
    assert query["filters"] == [{"field": "region", "op": "in", "value": ["서울", "경기", "인천"]}]
    assert query["dimensions"] == []


def test_a_follow_up_inherits_what_it_does_not_say() -> None:
    first = read("지난달 서울 매출 얼마야?").query
    second = read("그럼 부산은?", first).query
    assert second == {**first, "filters": [{"field": "region", "op": "eq", "value": "부산"}]}
    third = read("작년이랑 비교하면?", second).query
    assert third == {**second, "compare": {"type": "yoy", "period": None}}
    fourth = read("지점별로", third).query
    assert fourth["dimensions"] == ["branch"]
    assert fourth["period"] == first["period"]


def test_parts_of_a_question_complete_the_one_before() -> None:
    first = read("지난달 서울 매출 얼마야?").query
    both = read("수량도 보여줘", first).query
    assert both == {**first, "metrics": ["sales_amount", "quantity"]}
    assert read("방문수는?", first).query == {**first, "metrics": ["visit_count"]}
    ranked = read("작년 제품별 매출 상위 5개").query
    assert read("하위 3개는?", ranked).query == {**ranked, "sort": {"by": "sales_amount", "order": "asc"}, "limit": 3}
    assert read("월별로", ranked).query == {**ranked, "dimensions": ["month"], "sort": None, "limit": None}
    teams = read("지난 분기 팀별 달성률").query
    assert read("낮은 순으로", teams).query == {**teams, "sort": {"by": "achievement_rate", "order": "asc"}}


def test_a_whole_question_is_not_a_follow_up() -> None:
    first = read("지난달 서울 매출 얼마야?").query
    assert read("올해 팀별 방문 횟수 알려줘", first).query["filters"] == []


@pytest.mark.parametrize("today", [date(2024, 2, 29), date(2026, 1, 1), date(2026, 12, 31)])
def test_periods_follow_today(today: date) -> None:
    period = read("이번 달 매출 지점별", today=today).query["period"]
    assert period is not None
    assert period["from"] == today.replace(day=1).isoformat()
    assert period["to"] >= today.isoformat()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("매출 테이블 날려버려", "reject_write"),
        ("이번 달 목표를 2억으로 변경해주세요", "reject_write"),
        ("방문 기록 하나 추가해줘", "reject_write"),
        ("경쟁업체 실적 보여줘", "reject_access"),
        ("김원장님 생일이 언제야", "reject_access"),
        ("SELECT * FROM sales WHERE company_id = 'rival'", "reject_access"),
        ("내년 1분기 매출은 얼마나 될까?", "unsupported_forecast"),
        ("다음달 목표 금액 지점별", "query"),
        ("그래프로 바꿔줘", "other_agent"),
        ("새로 등록된 거래처 수 지난달", "query"),
    ],
)
def test_kinds(text: str, kind: str) -> None:
    assert read(text).query["kind"] == kind


def test_an_unclear_question_keeps_what_it_knows() -> None:
    reading = read("최근 서울 실적 알려줘")
    assert reading.query["kind"] == "clarify"
    assert reading.partial is not None
    assert reading.partial["filters"] == [{"field": "region", "op": "eq", "value": "서울"}]
    assert read("지난달", reading.partial).query["period"] == {"from": "2026-02-01", "to": "2026-02-28"}


def test_a_year_that_is_only_compared_with_moves_no_month() -> None:
    query = read("부산지점 10월 마감 전년비", today=date(2026, 11, 18)).query
    assert query["period"] == {"from": "2026-10-01", "to": "2026-10-31"}
    assert query["compare"] == {"type": "yoy", "period": None}


def test_the_period_before_against_is_the_one_compared_with() -> None:
    for text in (
        "강남지점 3분기 매출이랑 작년 3분기 대비 증감도 같이 보여줘",
        "작년 3분기 대비 올해 3분기 강남지점 매출",
    ):
        query = read(text, today=date(2026, 11, 18)).query
        assert query["period"] == {"from": "2026-07-01", "to": "2026-09-30"}, text
        assert query["compare"] == {"type": "yoy", "period": None}, text
