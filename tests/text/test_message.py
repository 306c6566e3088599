"""What `Message` promises: kinds, true places in the message as sent, no overlaps, both readings of what has two."""

import unicodedata
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madang.text.counts import Count
from madang.text.durations import Duration
from madang.text.message import Message, Value
from madang.text.money import Context
from madang.text.people import People

TODAY = date(2026, 3, 11)


def _kinds(text: str, context: Context | None = None) -> list[tuple[str, str]]:
    return [(value.kind, value.words) for value in Message.read(text, TODAY, context=context).values]


@pytest.mark.parametrize(
    ("text", "context", "kinds"),
    [
        ("오후 3시에 20분 미팅", "sales", [("time", "오후 3시"), ("duration", "20분")]),
        ("13~15시, 1시~3시, 밤 10시", None, [("time", "13~15시"), ("time", "1시~3시"), ("time", "밤 10시")]),
        ("2년 계약, 4개월 남음", "housing", [("duration", "2년"), ("duration", "4개월")]),
        ("한 시간 반 걸려요", None, [("duration", "한 시간 반")]),
        ("사흘 동안", "housing", [("duration", "사흘")]),
        ("커피 두 잔, 세 군데, 2회", None, [("count", "두 잔"), ("count", "세 군데"), ("count", "2회")]),
        ("20명, 손님 20분 모시고", None, [("people", "20명"), ("people", "20분")]),
        ("26개월 아기, 만 7세, 초3", "travel", [("age", "26개월"), ("age", "만 7세"), ("age", "초3")]),
        ("3분의 1만 받고 절반은", "housing", [("rate", "3분의 1"), ("rate", "절반")]),
        ("예산은 1.5 million won, $2,000", "travel", [("money", "1.5 million won"), ("money", "$2,000")]),
        ("10,000,000 won 말고 12,000,000", "housing", [("money", "10,000,000 won"), ("money", "12,000,000")]),
        ("번호는 42", None, [("number", "42")]),
        ("20에서 100까지", None, [("range", "20에서 100까지")]),
        ("010-1234-5678로 3번째", None, [("phone", "010-1234-5678"), ("ordinal", "3번째")]),
        ("섭씨 30도 5km", None, [("quantity", "섭씨 30도"), ("quantity", "5km")]),
        ("https://example.com/2024/03/05?a=30%", None, []),
    ],
)
def test_kinds(text: str, context: Context | None, kinds: list[tuple[str, str]]) -> None:
    assert _kinds(text, context) == kinds


def test_english_and_mixed_text() -> None:
    found = _kinds("leaving from Daegu on March 3rd, five nights, 2 adults, flight at 9am", "travel")
    assert found == [
        ("place", "Daegu"), ("date", "March 3rd"), ("nights", "five nights"), ("people", "2 adults"), ("time", "9am"),
    ]  # fmt: skip


def test_the_longer_value_wins() -> None:
    assert _kinds("3월 5일부터 3박4일") == [("date", "3월 5일"), ("nights", "3박4일")]
    assert _kinds("2주 전에 3억 5천만 원") == [("date", "2주 전"), ("money", "3억 5천만 원")]


def _only(text: str, context: Context | None = None) -> Value:
    [value] = Message.read(text, TODAY, context=context).values
    return value


def test_what_can_mean_two_things_keeps_both() -> None:
    assert _only("5천").readings == (5000, 50_000_000)
    assert [span.start for span in _only("11/12").readings] == [date(2026, 11, 12), date(2026, 12, 11)]
    assert [one.start.hour for one in _only("3시").readings] == [15, 3]
    assert _only("며칠").readings == (Duration(days=3), Duration(days=2))


def test_people_are_kept_apart_from_counts() -> None:
    assert _only("세 명").value == People(3)
    assert _only("세 개").value == Count(3, "개")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (unicodedata.normalize("NFD", "보증금 5천만 원"), unicodedata.normalize("NFD", "5천만 원")),
        ("보증금 ５０００만원", "５０００만원"),
        ("🏠🏠 보증금 5천\u200b만 원👨‍👩‍👧", "5천\u200b만 원"),
        ("\ufeff3월\u00a05일", "3월\u00a05일"),
    ],
)
def test_places_are_those_of_the_message_as_sent(text: str, words: str) -> None:
    value = _only(text, "housing")
    assert value.words == words == text[slice(*value.span)]


SPEECH = st.text(
    alphabet="0123456789 ,.~-/%:월일년박천백십만억원명시분살세개주달이사오둘셋네부터까지전후오전오후"
    "보증금강남대구절반 aMarch$€👍\u200b",
    max_size=50,
)


@settings(max_examples=120, deadline=None)
@given(text=st.one_of(SPEECH, st.text(max_size=60)), context=st.sampled_from([None, "housing", "travel", "sales"]))
def test_values_lie_inside_the_text_and_apart(text: str, context: Any) -> None:
    end = 0
    for value in Message.read(text, TODAY, context=context).values:
        assert end <= value.span[0] < value.span[1] <= len(text)
        assert text[slice(*value.span)] == value.words
        assert not value.readings or value.readings[0] == value.value
        end = value.span[1]


@settings(max_examples=40, deadline=None)
@given(number=st.integers(0, 10**9))
def test_no_written_number_is_without_a_value(number: int) -> None:
    for text in (f"{number}", f"그게 {number:,} 이라던데", f"코드 {number}!"):
        covered = {at for value in Message.read(text, TODAY).values for at in range(*value.span)}
        assert {at for at, char in enumerate(text) if char.isdigit()} <= covered


def test_a_quotation_and_what_is_pasted_stand_apart() -> None:
    message = Message.read('집주인이 "월세를 5만 원 올리겠다"고 해요\n제1조 차임\n제2조 기간\n이거 맞나요?', TODAY)
    quotes = [message.text[slice(*span)] for span in message.quotes]
    assert quotes == ['"월세를 5만 원 올리겠다"', "제1조 차임\n제2조 기간\n"]


@pytest.mark.parametrize("text", ["보증금 1억8천 배당요구 안함", "3억1천 주겠다는 사람이 있어요"])
def test_a_sum_before_another_word_is_neither_a_count_nor_a_duration(text: str) -> None:
    values = Message.read(text, date(2026, 11, 18), context="housing").values
    assert [value.kind for value in values] == ["money"]


@pytest.mark.parametrize(
    ("text", "won", "rest"),
    [
        ("1억 30년 4%", 100_000_000, ["30년", "4%"]),
        ("2억8천 30년 3.5%로 빌리면", 280_000_000, ["30년", "3.5%"]),
        ("보증금 1억 2년 계약", 100_000_000, ["2년"]),
        ("5천만 12개월", 50_000_000, ["12개월"]),
        ("1억 3% 올려 달래", 100_000_000, ["3%"]),
    ],
)
def test_digits_with_a_unit_of_their_own_are_no_part_of_the_sum_before_them(
    text: str, won: int, rest: list[str]
) -> None:
    first, *others = Message.read(text, TODAY, context="housing").values
    assert first.value.won == won
    assert [text[slice(*one.span)] for one in others] == rest


@pytest.mark.parametrize(("text", "number"), [("3만 5000명", 35_000), ("12만 3천평", 123_000), ("1만 2345", 12_345)])
def test_a_count_may_have_a_blank_in_it(text: str, number: int) -> None:
    found = Message.read(text, TODAY).values[0].value
    assert getattr(found, "won", found) == number
