"""Redaction: what is personal goes, what is not stays exactly as it was."""

import copy
from collections import OrderedDict
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel

from madang.state.redaction import REDACTED, redact, redact_text
from tests.support.declared import Sample
from tests.support.strategies import json_values


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("주민번호 900101-1234567 입니다", "주민번호 [주민번호] 입니다"),
        ("900101 - 2234567이고", "[주민번호]이고"),
        ("9001011234567", "[주민번호]"),
        ("주민등록번호 1504053123456", "주민등록번호 [주민번호]"),
        ("외국인등록번호: 850505-5123456", "외국인등록번호: [주민번호]"),
        ("030101-4123456,", "[주민번호],"),
        ("010-1234-5678로 전화주세요", "[전화번호]로 전화주세요"),
        ("제 번호는01012345678이에요", "제 번호는[전화번호]이에요"),
        ("010 1234 5678 / 010.1234.5678 / 011-123-4567", "[전화번호] / [전화번호] / [전화번호]"),
        ("010-1111-2222,010-3333-4444", "[전화번호],[전화번호]"),
        ("+82-10-1234-5678 +821012345678 +82 2 123 4567", "[전화번호] [전화번호] [전화번호]"),
        ("02-123-4567, (02)1234-5678, 031-123-4567, 070-1234-5678", "[전화번호], [전화번호], [전화번호], [전화번호]"),
        ("전화 0212345678", "전화 [전화번호]"),
        ("신한은행 110-123-456789", "신한은행 [계좌번호]"),
        ("국민 123456-12-123456 홍길동", "국민 [계좌번호] 홍길동"),
        ("농협 301-1234-5678-91", "농협 [계좌번호]"),
        ("3333-01-1234567 (카카오뱅크)", "[계좌번호] (카카오뱅크)"),
        ("계좌번호는 1101234567890 입니다", "계좌번호는 [계좌번호] 입니다"),
        ("우리 1002123456789로", "우리 [계좌번호]로"),
        ("토스뱅크 1000-1234-5678", "토스뱅크 [계좌번호]"),
        ("4111-1111-1111-1111", "[카드번호]"),
        ("5555 5555 5555 4444", "[카드번호]"),
        ("4111111111111111", "[카드번호]"),
        ("카드 1234-5678-9012-3456", "카드 [카드번호]"),
        ("3782-822463-10005", "[카드번호]"),
        ("금액 １２３４ 번호 ０１０－１２３４－５６７８ 끝", "금액 １２３４ 번호 [전화번호] 끝"),
        ("01012345678 명의, 010-1234-5678 원하시면", "[전화번호] 명의, [전화번호] 원하시면"),
        ("hong.gd+a@example.co.kr로 보내", "[이메일]로 보내"),
    ],
)
def test_personal_numbers_are_masked(text: str, shown: str) -> None:
    assert redact_text(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-02부터 2026-03-04까지",
        "2026-01-02T03:04:05.678901+00:00",
        "2026-01-02 03:04:05+0900",
        "20260102 / 2026.01.02 03:04",
        "1,250,000원, 12,345,678,900원",
        "보증금 1012345678원",
        "은행 대출 2000000000 가능, 계좌이체 한도 50000000원",
        "주택임대차보호법 제7조의2 제1항, 시행령 제10조",
        "1f0a2b3c-1111-6222-8333-010123456789",
        "12345678-1234-1234-1234-123456789012",
        "3f786850e387550fdab836ed7e6dc881de23001b",
        "37.566535, 126.977969",
        "192.168.0.1 10.0.0.255:8000",
        "1704123456789",
        "8801043014809",
        "사업자등록번호 123-45-67890",
        "법인등록번호 110111-1234567",
        "999999-1234567",
        "4111-1111-1111-1112",
        "2024가단123456, 문서 2024-12-345678",
        "서울 테헤란로 123-45 101동 1502호 84.97㎡",
        "step_0 task_001 req_1700000000.123456 v1.2.3",
        "대표번호 1588-1234, 119",
        "user@localhost",
        "비율 0.1234567890123",
    ],
)
def test_what_is_not_personal_stays(text: str) -> None:
    assert redact_text(text) == text


@given(
    st.integers(0, 10**9).map(lambda won: f"{won:,}원"), st.datetimes().map(lambda time: time.isoformat()), st.uuids()
)
def test_money_times_and_ids_stay(money: str, time: str, number: Any) -> None:
    text = f"{money} {time} {number}"
    assert redact_text(text) == text


PREFIXES = st.sampled_from(["", "제 번호는 ", "연락처:", "(", "문의 ", "a, ", "\n"])
SUFFIXES = st.sampled_from(["", "입니다", "로 연락주세요", ")", ".", ", 감사", "\n"])
SEPARATORS = st.sampled_from(["-", "", " ", ".", " - "])


@given(PREFIXES, SUFFIXES, SEPARATORS, st.from_regex(r"[0-9]{8}", fullmatch=True))
def test_any_mobile_number(prefix: str, suffix: str, separator: str, digits: str) -> None:
    number = separator.join(("010", digits[:4], digits[4:]))
    assert redact_text(prefix + number + suffix) == f"{prefix}[전화번호]{suffix}"


@given(PREFIXES, SUFFIXES, st.dates(), st.sampled_from(["-", " - ", " "]), st.from_regex(r"[0-9]{6}", fullmatch=True))
def test_any_resident_number(prefix: str, suffix: str, born: date, separator: str, rest: str) -> None:
    number = f"{born:%y%m%d}{separator}{'1' if born.year % 100 > 40 else '3'}{rest}"
    assert redact_text(prefix + number + suffix) == f"{prefix}[주민번호]{suffix}"


@given(json_values(25))
def test_what_holds_nothing_sensitive_is_equal_and_not_changed(value: Any) -> None:
    before = copy.deepcopy(value)
    redacted = redact(value, fields={"nowhere"})
    assert value == before
    if redacted != value:
        assert any(
            mask in repr(redacted) for mask in ("[주민번호]", "[전화번호]", "[계좌번호]", "[카드번호]", "[이메일]")
        )


def test_declared_fields_at_every_depth() -> None:
    state = {"user_id": 7, "plan": {"owner_phone": "없음", "steps": [{"user_id": [1, {"x": 2}]}], "raw_query": "질문"}}
    before = copy.deepcopy(state)
    assert redact(state, state_type=Sample) == {
        "user_id": REDACTED,
        "plan": {"owner_phone": REDACTED, "steps": [{"user_id": REDACTED}], "raw_query": "질문"},
    }
    assert redact({"user_id": None, "memo": 1}, fields={"user_id", "memo"}) == {"user_id": None, "memo": REDACTED}
    assert state == before


class Point(NamedTuple):
    x: str
    y: int


@dataclass(frozen=True)
class Person:
    name: str
    phone: str


class Form(BaseModel):
    phone: str
    memo: str


def test_types_are_kept() -> None:
    phone = "010-1234-5678"
    value = {
        "tuple": (phone, 1),
        "point": Point(phone, 2),
        "set": {phone},
        "ordered": OrderedDict(a=phone),
        "person": Person("홍", phone),
        "form": Form(phone=phone, memo=phone),
        "messages": [HumanMessage(phone, id="m1"), AIMessage([{"type": "text", "text": phone}])],
        phone: 1,
        "010-9999-8888": 2,
    }
    shown = redact(value, fields={"phone"})
    assert shown["tuple"] == ("[전화번호]", 1)
    assert shown["point"] == Point("[전화번호]", 2)
    assert isinstance(shown["point"], Point)
    assert shown["set"] == {"[전화번호]"}
    assert isinstance(shown["ordered"], OrderedDict)
    assert shown["person"] == Person("홍", REDACTED)
    assert shown["form"] == Form(phone=REDACTED, memo="[전화번호]")
    assert shown["messages"][0] == HumanMessage("[전화번호]", id="m1")
    assert shown["messages"][1].content == [{"type": "text", "text": "[전화번호]"}]
    assert (shown["[전화번호]"], shown["[전화번호] (2)"]) == (1, 2)
    assert value["messages"][0].content == phone  # type: ignore[index]


def test_circles_and_shared_structure_end() -> None:
    circle: dict[str, Any] = {"phone": "010-1234-5678"}
    circle["self"] = circle
    assert redact(circle) == {"phone": "[전화번호]", "self": "…"}
    shared: Any = ["01012345678"]
    for _ in range(60):
        shared = [shared, shared]
    inner = redact(shared)
    while isinstance(inner, list):
        inner = inner[0]
    assert inner == "[전화번호]"


@pytest.mark.parametrize("piece", ["a", "1", "1-", "010-", "a.", "@", "1,111", "12 ", "(0", "900101-"])
def test_long_texts_do_not_stall(piece: str) -> None:
    assert redact_text(piece * 60_000 + "끝").endswith("끝")
