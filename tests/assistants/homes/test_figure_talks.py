"""Follow-ups that answer for, or change, one figure of the last calculation."""

import pytest

from tests.support.homes import Talk, response


@pytest.mark.parametrize(
    ("first", "then", "told"),
    [
        ("전세 2억을 월세로 바꾸면 얼마?", "전부요", "월 75만원"),
        ("전세 2억을 월세로 바꾸면 얼마?", "5천이요", "월 56만 2,500원"),
        ("전세 2억 8천에서 5천 빼고 월세로 하면?", "그럼 8천 빼면?", "월 30만원"),
        ("전세 3억인데 집주인이 4억 달래요 얼마까지 올려주면 되나요", "3억1천이면?", "한도 안입니다"),
        ("월세 60만원인데 3만5천원 올려달래요 되나요?", "그럼 2만원이면?", "한도 안입니다"),
        ("2주택 되는데 3억짜리 취득세 얼마", "아니요", "모두 330만원"),
        ("2주택 되는데 3억짜리 취득세 얼마", "네 조정지역이에요", "모두 2,520만원"),
        ("복비 얼마예요? 5억인데", "매매요", "최대 200만원"),
        (
            "집주인이 실거주한다고 거절하더니 다른 사람한테 세줬어요 손해배상 얼마 받을 수 있나요",
            "저는 3억 전세였고 새 세입자는 4억이래요",
            "900만원",
        ),
    ],
)
async def test_a_figure_is_answered_for_or_changed(first: str, then: str, told: str) -> None:
    talk = Talk()
    await talk.say(first)
    assert told in response(await talk.say(then))["answer"]
