"""Letters and messages: which one fits, and what is written."""

from datetime import date

import pytest

from madang.assistants.homes.tools.letters import GENERAL, day_in_words, fitting, is_manner, letters, named_kind, write

TODAY = date(2026, 11, 18)


@pytest.mark.parametrize(
    ("asked", "told", "side", "kind"),
    [
        ("문자 써줘", ["집에 물이 새는데 주인이 안 고쳐줘요"], "tenant", "repair"),
        ("내용증명 써줘", ["계약 끝났는데 보증금 안 줘요"], "tenant", "deposit_return"),
        ("문자 좀 써 주세요 차갑지 않게", ["세입자가 월세를 계속 밀려요"], "landlord", "arrears"),
        ("오늘 저녁 메뉴 써줘", [], "tenant", GENERAL),
    ],
)
def test_the_letter_fits_the_matter(asked: str, told: list[str], side: str, kind: str) -> None:
    assert fitting(asked, told, side) == kind


def test_what_is_not_known_stays_a_named_blank() -> None:
    made = write("deposit_return", {"sender": "김민수", "deposit": "1억원"}, TODAY, short=False)
    assert "보내는 사람: 김민수" in made.text
    assert "보증금 1억원" in made.text
    assert "(받는 사람)" in made.open
    assert "(보증금)" not in made.text


@pytest.mark.parametrize("kind", list(letters()))
@pytest.mark.parametrize("short", [True, False])
def test_every_letter_can_be_written(kind: str, short: bool) -> None:
    assert write(kind, {}, TODAY, short=short).text


def test_a_deadline_in_words_stays_in_the_letter() -> None:
    made = write("deposit_return", {"deadline": day_in_words("퇴거 당일")}, TODAY, short=True)
    assert "퇴거 당일까지 돌려주시기 바랍니다" in made.text
    assert day_in_words("2027-02-08") == "2027년 2월 8일"


@pytest.mark.parametrize(
    "clause",
    ["너무 세게 말고", "예의 바르게 짧게", "조금만 기다려 달라고요", "ask for the deposit", "갱신해달라꼬"],
)
def test_how_a_text_is_to_be_written_is_not_pasted_into_it(clause: str) -> None:
    assert is_manner(clause)


@pytest.mark.parametrize("clause", ["어제부터 천장에서 물이 새요", "환기는 매일 했고", "집주인이 연락을 안 받아요"])
def test_what_happened_may_stand_in_a_text(clause: str) -> None:
    assert not is_manner(clause)


@pytest.mark.parametrize(
    ("text", "kind"), [("합의서 초안 작성해 주십시오", "agreement"), ("수리 요청 글 써줘", "repair"), ("문자 써줘", "")]
)
def test_a_letter_is_named_by_its_title(text: str, kind: str) -> None:
    assert named_kind(text) == kind


def test_a_request_for_money_back_says_nothing_that_was_not_told() -> None:
    text = write("down_payment", {}, TODAY, short=True).text
    assert "특약" not in text
    assert "은행" not in text
