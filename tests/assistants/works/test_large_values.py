"""Results that are too large for the state: every kind of turn works with a limit of 1 kB, and of 4 kB."""

from pathlib import Path

import pytest

from tests.support.company import rows
from tests.support.shelf import Shelf
from tests.support.works import Talk


@pytest.mark.parametrize("limit", [1000, 4000])
async def test_every_kind_of_turn_works_with_a_small_limit(tmp_path: Path, limit: int) -> None:
    shelf = Shelf()
    talk = Talk(tmp_path, blobs=shelf, size_limit=limit)
    customer = rows()["customers"][0]["customer"]
    for text, told in (
        ("지난달 지점별 매출 알려줘", "지점"),
        ("왜 줄었어?", "비중"),
        ("표로 보여줘", "매출(원)"),
        ("그거 3줄로 요약해줘", "1."),
        ("월간 영업보고서 만들어줘", "# 월간 영업보고서"),
        ("저장해줘", "보관했습니다"),
        (f"방문보고서 써줘. 오늘 {customer} 방문, 내용: {'제품 자료를 설명함. ' * 200}", "방문보고서"),
        ("규정 확인해줘", "규정 검토"),
        ("저장해줘", "보관했습니다"),
        ("제품 자료 설명 방문보고서 찾아줘", "찾은 자료"),
        ("강연료 규정 알려줘", "강연료"),
    ):
        state = await talk.say(text)
        assert told in state["response"]["answer"], text
        assert "$blob" not in state["response"]["answer"]
        assert not state["failures"], text
    assert shelf.kept
