"""What a traveller reads: blocks that stay apart, tables and sources in words."""

import re
from typing import Any

import pytest

from tests.support.layout import glued, raw_cells, tables_in
from tests.support.trips import OSAKA, Traveller

FOLLOW_UPS = (
    "플랜 차이가 뭐야",
    "총 얼마 들어?",
    "프리미엄 플랜 자세히",
    "다른 호텔은 없어?",
    "둘째 날 비 오면?",
    "비 오면 어떡해?",
    "왜 이 플랜이야?",
    "2일차 보여줘",
    "아니 4박으로",
    "예산 80만원으로 줄여줘",
    "표준 플랜으로 할게",
    "문서로 줘",
    "안녕",
)


async def answers(*texts: str) -> list[dict[str, Any]]:
    talk = Traveller()
    return [(await talk.say(text))["response"] for text in texts]


async def test_blocks_of_every_answer_stay_apart() -> None:
    for response in await answers("안녕", "동남아 어디가 좋아?", OSAKA, *FOLLOW_UPS):
        assert not glued(response["answer"])
        for section in response["structured_data"].get("sections", ()):
            assert not glued(section.get("content", ""))


async def test_tables_have_korean_titles_and_cells_for_people() -> None:
    found = [t for r in await answers(OSAKA, *FOLLOW_UPS) for t in tables_in(r["structured_data"])]
    assert len(found) >= 5
    for table in found:
        assert table
        assert not raw_cells(table)


async def test_the_plans_stand_side_by_side_with_their_sums() -> None:
    [response] = await answers(OSAKA)
    plans = next(s["table"] for s in response["structured_data"]["sections"] if s["title"] == "세 가지 플랜")
    assert [row["플랜"] for row in plans] == ["알뜰 플랜", "표준 플랜", "프리미엄 플랜"]
    assert all(re.fullmatch(r"[\d,]+원", row["합계"]) for row in plans)


async def test_days_are_a_table_of_times_and_ways() -> None:
    [response] = await answers(OSAKA)
    days = next(s["table"] for s in response["structured_data"]["sections"] if s["title"] == "날짜별 일정")
    assert re.fullmatch(r"\d\d:\d\d–\d\d:\d\d", days[0]["시간"])
    assert re.fullmatch(r"\d+분", days[0]["이동"])


async def test_meals_stand_among_the_stops_of_their_day() -> None:
    [response] = await answers(OSAKA)
    days = next(s["table"] for s in response["structured_data"]["sections"] if s["title"] == "날짜별 일정")
    assert {row["날"] for row in days if row["장소"].startswith(("점심: ", "저녁: "))} == {row["날"] for row in days}
    assert days == sorted(days, key=lambda row: (row["날"], row["시간"]))


@pytest.mark.parametrize("text", [OSAKA, "제주 2박3일 넷이 150만원 휴양으로", "리스본 5박 둘이 800만원 관광"])
async def test_sources_are_titles_with_their_dates(text: str) -> None:
    [response] = await answers(text)
    sources = response["structured_data"]["metadata"]["sources"]
    assert len(sources) >= 2
    for source in sources:
        assert re.search(r"[가-힣]", source)
        assert re.search(r"\(\d{4}-\d\d-\d\d 기준\)$", source)
        assert not re.search(r"[a-z_]", source)


async def test_airports_are_named_in_korean() -> None:
    [response] = await answers(OSAKA)
    assert "인천(ICN) → " in response["answer"]
    assert "오사카(KIX), " in response["answer"]


async def test_a_train_goes_from_town_to_town() -> None:
    [response] = await answers("부산 1박2일 둘이 50만원 맛집")
    assert "서울 → " in response["answer"]
    assert not re.search(r"\([A-Z]{3}\)", response["answer"])


async def test_hotels_are_told_a_line_each_by_their_class() -> None:
    told = (await answers(OSAKA, "다른 호텔은 없어?"))[-1]["answer"]
    assert "- 표준(지금): " in told
    assert "- 프리미엄: " in told


async def test_where_no_plan_fits_the_reason_is_the_budget() -> None:
    told = (await answers(OSAKA, "예산 80만원으로 줄여줘", "왜 이 플랜이야?"))[-1]["answer"]
    assert told.startswith("예산 800,000원에 드는 플랜이 없어 가장 저렴한 알뜰 플랜을 보여 드리고 있어요.")
    assert "추천한 이유" not in told


async def test_where_to_save_is_a_list_of_its_own() -> None:
    told = (await answers(OSAKA, "예산 80만원으로 줄여줘", "총 얼마 들어?"))[-1]["answer"]
    assert "줄일 수 있는 곳:\n\n- " in told
