"""Sums over the figures a message states: right to the won, and none where the roles aren't plain."""

import pytest

from madang.assistants.works.tools.typed_sums import sums_of


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "이번 달 목표 2억인데 어제까지 8천만원 했어요. 10일 지났고 10일 남았어요",
            ["40.0%", "120,000,000원", "12,000,000원", "80.0%"],
        ),
        ("연 목표 24억, 6월까지 누적 9억이면 달성률이 얼마예요", ["37.5%", "1,200,000,000원", "75.0%"]),
        ("가팀 1억/2억 나팀 3억/4억 정리해줘", ["| 가팀 |", "50.0%", "75.0%", "66.7%", "200,000,000원"]),
        ("B정이 800→720원으로 내리는데 도매 재고가 1,500정이에요", ["80원", "-10.0%", "120,000원"]),
        ("식대 660,000원(부가세 포함)이고 6명 왔어요", ["110,000원", "100,000원"]),
        ("500만원에서 3% 빼달래요", ["150,000원"]),
    ],
)  # fmt: skip
def test_what_is_stated_is_counted(text: str, parts: list[str]) -> None:
    told = sums_of(text)
    assert not [part for part in parts if part not in told], told


@pytest.mark.parametrize(
    "text",
    [
        "지난달 매출이 1억에서 1억2천으로 늘었는데 왜죠",
        "원장님 둘이서 저녁에 24만원 나왔어요",
        "내년 목표 때문에 고민이에요",
        "1인당 9만원짜리 도시락 6명",
        "",
    ],
)
def test_where_roles_are_not_plain_nothing_is_counted(text: str) -> None:
    assert sums_of(text) == ""
