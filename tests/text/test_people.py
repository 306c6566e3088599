import pytest

from madang.text.people import People, find_people


def _only(text: str) -> People:
    [found] = find_people(text)
    return found.value


def test_groups_said_together_are_one_party() -> None:
    assert _only("성인 2명, 초등학생 1명, 유아 1명") == People(4, 2, 1, 1)
    assert _only("성인셋유아하나") == People(4, 3, None, 1)
    assert _only("와이프랑 애 둘") == People(4, 2, 2)


@pytest.mark.parametrize(
    ("text", "total"), [("동창 열두명이서", 12), ("스무 명", 20), ("열다섯 명", 15), ("스물두 명", 22)]
)
def test_more_than_ten_people_in_words(text: str, total: int) -> None:
    assert _only(text).total == total


def test_children_alone_leave_the_total_open() -> None:
    assert _only("초등생 하나 데리고") == People(children=1)


@pytest.mark.parametrize(
    ("text", "delta"), [("둘은 빠진대요", -2), ("한 명 더", 1), ("엄마는 못 간대", -1), ("동생도 같이 간대요", 1)]
)
def test_changes_are_deltas_not_totals(text: str, delta: int) -> None:
    assert _only(text) == People(delta=delta)


def test_a_change_and_a_new_total_are_both_reported() -> None:
    assert [found.value for found in find_people("둘은 못 간대요 그래서 4명이에요")] == [People(delta=-2), People(4)]


def test_friends_may_or_may_not_include_the_speaker() -> None:
    [found] = find_people("친구 셋이랑")
    assert [reading.total for reading in found.readings] == [4, 3]


@pytest.mark.parametrize(
    "text", ["두당 90", "1인당 5만원", "4인실", "2분기", "방 두 개", "네 맞아요", "둘째 주", "10분 거리"]
)
def test_prices_rooms_and_answers_are_not_people(text: str) -> None:
    assert find_people(text) == []


@pytest.mark.parametrize(
    ("text", "total"), [("친구 넷 제주 2박3일", 4), ("여자 셋 오사카", 3), ("동기 다섯 다낭 4박5일", 5)]
)
def test_friends_before_a_place_are_a_party(text: str, total: int) -> None:
    assert _only(text).total == total


@pytest.mark.parametrize("text", ["몇 시에 가야 하나", "뭐부터 해야 하나?"])
def test_whether_one_must_is_nobody(text: str) -> None:
    assert find_people(text) == []
