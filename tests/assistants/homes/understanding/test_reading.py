"""What a reader of the homes assistant's answers sees: blocks that stay apart."""

from typing import Any

import pytest

from bench.homes import cases
from tests.support.homes import CLAUSES, Talk, response
from tests.support.layout import glued

ASKED = [talk["turns"][0]["say"] for talk in cases("homes-dialogues", "dev")[::4]]
MORE = (
    "전세금 5% 인상 가능해?",
    "마포구 아파트 84㎡ 매매 시세 알려줘",
    "강남역 근처 전세 3억 이하 매물 찾아줘",
    "연소득 5천만원 무주택 신혼부부인데 전세대출 뭐 받을 수 있어?",
    "집값 5억 전세 4억 선순위 1억이면 위험해?",
    f"이 계약서 검토해줘\n{CLAUSES}",
    "마포 아파트 전세 시세랑 대출, 법적으로 조심할 것까지 다 알려줘",
    "안녕",
)


@pytest.mark.parametrize("text", [*ASKED, *MORE])
async def test_blocks_of_an_answer_stay_apart(text: str) -> None:
    answer: dict[str, Any] = response(await Talk().say(text))
    if answer:
        assert not glued(answer["answer"])
        for part in (answer.get("structured_data") or {}).get("sections", ()):
            assert not glued(part["content"]), part["title"]


async def test_ways_to_pay_back_are_named_plainly() -> None:
    answer = response(await Talk().say("집 살 때 3억 대출 30년 4%면 매달 얼마?"))["answer"]
    assert "- 원금균등: 첫 달" in answer
    assert "- (" not in answer


async def test_a_burden_is_said_once_among_the_reasons() -> None:
    answer = response(await Talk().say("집값 5억 전세 4억 선순위 1억이면 위험해?"))["answer"]
    assert answer.split("### 보증금 위험")[1].split("###")[0].count("매우 위험") == 1


async def test_deposits_of_monthly_rents_are_called_deposits() -> None:
    answer = response(await Talk().say("강남 원룸 월세 시세 알려줘"))["answer"]
    row = next(line for line in answer.splitlines() if "원룸 월세 |" in line)
    assert row.count("보증금 ") == 3
