import pytest

from madang.text.cues import Cue, cue_kinds, find_cues


def _only(text: str) -> Cue:
    [found] = find_cues(text)
    return found.value


@pytest.mark.parametrize(
    ("text", "about", "instead"),
    [
        ("제주 말고 부산", "제주", "부산"),
        ("아니 4박으로", None, "4박"),
        ("그게 아니라 3명이요", None, "3명"),
        ("예산을 300으로 바꿔줘", "예산", "300"),
        ("박물관 대신 쇼핑", "박물관", "쇼핑"),
        ("도쿄 말고 오사카로 바꿔줘", "도쿄", "오사카"),
        ("잘못 말했어요 4명이에요", None, "4명"),
    ],
)
def test_a_correction_says_what_goes_and_what_comes(text: str, about: str | None, instead: str | None) -> None:
    assert _only(text) == Cue("correction", about, instead)


@pytest.mark.parametrize(("text", "about"), [("나라는 됐어요", "나라"), ("온천은 빼줘", "온천"), ("다 취소해줘", None)])
def test_a_removal_says_what_goes(text: str, about: str | None) -> None:
    assert _only(text) == Cue("removal", about)


def test_the_same_word_refuses_alone_and_removes_after_a_noun() -> None:
    assert _only("됐어요").kind == "refusal"
    assert _only("호텔은 됐어요").kind == "removal"


def test_four_people_are_not_a_yes() -> None:
    assert cue_kinds("네 명이요") == set()
    assert cue_kinds("네 좋아요") == {"agreement"}
    assert cue_kinds("네?") == set()


def test_no_thanks_can_also_be_yes() -> None:
    [found] = find_cues("괜찮아요")
    assert [reading.kind for reading in found.readings] == ["refusal", "agreement"]


@pytest.mark.parametrize(
    "text", ["강남구 전세 시세 알려줘", "안전한 동네", "못골시장 근처", "예산은 200", "아니메 굿즈", "응암동 아파트"]
)
def test_ordinary_requests_have_no_cues(text: str) -> None:
    assert find_cues(text) == []
