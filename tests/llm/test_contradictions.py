"""Sentences that turn what their facts say around: what is called what, which side is open, who does it, whether it can
be done; and those beside them that say the same in other words."""

import pytest

from madang.llm.evidence import Evidence, Fact
from madang.llm.expressions import find_expression
from madang.llm.figures import find_figures
from madang.llm.statements import Statements

COST = Fact(
    id="F1", kind="plan", text="표준 플랜 비용: - 교통(왕복): 530,600원; - 숙박: 427,700원 (3박); - 식비: 440,000원"
)
TARGET = Fact(id="F2", kind="figure", text="수원지점: 매출 43,772,200원, 목표 37,260,000원, 달성률 117.5%")
WIDTH = Fact(id="F3", kind="guide", text="전동휠체어는 문 폭 80cm 이상인 방을 고르세요. 신청은 행사 7일 전까지 합니다.")
BROKER = Fact(
    id="F4",
    kind="judgement",
    text="아니요. 연장된 뒤 나가면 새 세입자를 구하는 중개보수는 집주인이 냅니다. 근거: 공인중개사법 제32조",
)
KEYS = Fact(id="F5", kind="article", text="민법 제640조: 두 달 치가 밀리면 임대인은 계약을 해지할 수 있다.")
ENTRY = Fact(id="F6", kind="article", text="형법 제319조: 허락 없이 남의 집에 들어가면 주거침입이 될 수 있다.")
SHARE = Fact(id="F7", kind="article", text="민법 제1009조: 배우자의 상속분에는 5할을 더한다.")
MONTHS = Fact(id="F8", kind="figure", text="9월 매출 192,819,600원, 10월 매출 201,077,100원.")
RATE = Fact(id="F9", kind="article", text="중개보수 상한 요율: 6억원 이상 12억원 미만 0.4%")
FACTS = (COST, TARGET, WIDTH, BROKER, KEYS, ENTRY, SHARE, MONTHS, RATE)
TOLD = ("my deposit is 5 mil and she keeps 1.5 million. i fly on Jan 4", "전세 3억2천이에요. 세 명이 가요")
STATEMENTS = Statements(Evidence(facts=FACTS, told=TOLD, known={"오늘": "2026-11-18"}))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("- 교통 왕복: 530,600원", ["F1"]),
        ("- 밥값: 440,000원", ["F1"]),
        ("목표를 6,512,200원 초과했습니다(43,772,200원 − 37,260,000원).", ["F2"]),
        ("문 폭이 80cm 이상인지 물어보세요.", ["F3"]),
        ("신청은 행사 7일 전까지예요.", ["F3"]),
        ("새 세입자를 구하는 중개보수는 임대인이 내요.", ["F4"]),
        ("허락 없이 들어가면 주거침입이 될 수 있어요(형법 제319조).", ["F6"]),
        ("배우자의 상속분에 5할을 더하는 것은 민법 제1009조예요.", ["F7", "F5"]),
        ("9월 192,819,600원에서 10월 201,077,100원으로 늘었습니다.", ["F8"]),
        ("그래서 1,500,000원을 빼시는 데 동의하지 않습니다. 1월 4일에 출국합니다.", ["U"]),
        ("예컨대 6억 2천 전세라면 0.4%로 248만원입니다.", ["F9"]),
        ("1월 4일이 월요일이니 그 전에 보내세요.", ["U"]),
    ],
)
def test_what_says_the_same_stays(text: str, ids: list[str]) -> None:
    assert STATEMENTS.problem(text, ids) is None


@pytest.mark.parametrize(
    ("text", "ids", "problem"),
    [
        ("- 교통 왕복: 427,700원", ["F1"], "subject"),
        ("매출 37,260,000원, 목표 43,772,200원입니다.", ["F2"], "subject"),
        ("목표에 6,512,200원 부족했습니다(43,772,200원 − 37,260,000원).", ["F2"], "sign"),
        ("6,512,200원 초과했습니다(43,772,200원 − 30,260,000원).", ["F2"], "figure"),
        ("문 폭이 80cm 이하인지 물어보세요.", ["F3"], "sign"),
        ("새 세입자를 구하는 중개보수는 세입자가 내요.", ["F4"], "party"),
        ("허락 없이 남의 집에 들어가도 주거침입이 될 수 없어요.", ["F6"], "verdict"),
        ("배우자의 상속분에 5할을 더하는 것은 민법 제640조예요.", ["F7", "F5"], "citation"),
        ("9월 192,819,600원에서 10월 201,077,100원으로 줄었습니다.", ["F8"], "sign"),
        ("일요일인 1월 4일까지 보내세요.", ["U"], "figure"),
    ],
)
def test_what_turns_it_around_goes(text: str, ids: list[str], problem: str) -> None:
    assert STATEMENTS.problem(text, ids) == problem


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(80,000원 + 16,700원) × 2명", 193_400),
        ("530,600 + 427,700 + 440,000", 1_398_300),
        ("300,000원(왕복) ÷ 3명", 100_000),
        ("그냥 2명", None),
        ("(80,000원 + ", None),
        ("10원 ÷ 0", None),
    ],
)
def test_a_working_is_read_whole_or_not_at_all(text: str, value: int | None) -> None:
    made = find_expression(text, 0, find_figures(text))
    assert (made.value if made else None) == value
