"""What nobody claims is left over; danger comes first; a short reply has a meaning."""

from datetime import date
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madang.graph.danger import danger_answer, in_danger
from madang.graph.dialogue import read_reply
from madang.graph.inputs import Input
from madang.graph.reading import Act, Heard, overlap, settle, unclaimed_values
from madang.graph.remarks import closing, opening, shown_reading
from madang.text.learnt import Role
from madang.text.message import Message, Value
from tests.support.trip_assistant import trip_assistant

TODAY = date(2026, 11, 18)
TEXT = "예산은 300만원인데 친구는 200만원 썼대요. 휠체어도 되나요?"


def heard(text: str = TEXT, *roles: Role) -> Heard:
    cut = text.find(".") + 1 or len(text)
    acts = [Act(kind="tell", span=[0, cut])]
    acts += [Act(kind="ask_whether", span=[cut + 1, len(text)])] if cut < len(text) else []
    values = [Value("money", (at, at + 5), text[at : at + 5], n) for n in (300, 200) if (at := text.find(str(n))) >= 0]
    return Heard(Message(text, TODAY, tuple(values)), tuple(acts), roles)


def role(name: str, words: str, text: str = TEXT) -> Role:
    at = text.index(words)
    return Role(name, (at, at + len(words)), words, 0.9)


def test_what_is_claimed_said_beside_and_left_over() -> None:
    message = heard(TEXT, role("aside", "200만원"), role("access", "휠체어"))
    budget = message.claim((4, 9), "budget", 3_000_000, "parser")
    reading = settle(message, [budget])
    assert [(c["field"], c["words"], c["act"]) for c in reading["claims"]] == [
        ("budget", "300만원", 0),
        ("aside", "200만원", 0),
    ]
    assert [(left["words"], left["why"]) for left in reading["left"]] == [("휠체어", "not_supported")]


def test_a_value_that_nobody_claims_is_left_over_and_stops_a_calculation() -> None:
    message = heard()
    reading = settle(message, [message.claim((4, 9), "budget", 3_000_000, "parser")])
    assert [left["words"] for left in reading["left"]] == ["200만원"]
    assert [value.words for value in unclaimed_values(reading, message, ["money"], act=0)] == ["200만원"]
    assert unclaimed_values(reading, message, ["rate"]) == []


def test_a_question_that_the_plan_does_not_serve_is_named() -> None:
    message = heard(TEXT, role("aside", "200만원"))
    reading = settle(message, [message.claim((4, 9), "budget", 3_000_000, "parser")], answered=[0])
    assert [left["words"] for left in reading["left"]] == ["휠체어도 되나요?"]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8)), max_size=6))
def test_left_overs_lie_in_order_outside_of_claims(spans: list[tuple[int, int]]) -> None:
    message = heard()
    claims = [message.claim((start, start + length), "x", 1, "parser") for start, length in spans]
    reading = settle(message, claims, answered=[])
    places = [left["span"] for left in reading["left"]]
    assert places == sorted(places)
    assert all(one[1] <= other[0] for one, other in pairwise(places))
    for left in reading["left"]:
        assert left["words"] == TEXT[slice(*left["span"])]
        if left["why"] == "no_field":
            assert not any(overlap(left["span"], claim["span"] or [0, 0]) for claim in claims)


def test_what_was_heard_and_not_read_is_shown_and_at_most_two_are_named() -> None:
    assistant = trip_assistant(form=(Input(path="budget", title="예산", kind="money"),))
    message = heard(TEXT, role("access", "휠체어"))
    reading = settle(message, [message.claim((4, 9), "budget", 3_000_000, "parser")], answered=[0])
    state: dict[str, Any] = {"reading": reading, "query": TEXT}
    assert shown_reading(assistant, state)["read"][0]["text"] == "예산 300만원"
    assert len(shown_reading(assistant, state)["not_read"]) == len(reading["left"]) == 2
    said = closing(assistant, state, {"answer": "", "data": {}})
    assert "예산 300만원" in said
    assert said.count("“") == 2
    assert "예산" not in closing(assistant, {"reading": {**reading, "left": []}}, {"answer": "예산 300만원으로 했어요"})


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("보증금도 못 받고 그냥 죽고 싶어요", "109"),
        ("집주인이 칼을 들고 찾아왔어요", "112"),
        ("아버지가 쓰러졌는데 숨을 안 쉬어요", "119"),
        ("부엌에서 가스 냄새가 계속 나요", "119"),
        ("I want to die", "109"),
        ("요즘은 그냥 다 끝내고 싶다는 생각이 들어요", "109"),
        ("운전하다가 그냥 가드레일 박으면 내일 안 가도 되겠지 그런 생각을 해요", "109"),
        ("신고는 안 했어요 맞은 사진만 있어요", "112"),
    ],
)
def test_danger_is_heard_and_answered_with_the_number_to_call(text: str, number: str) -> None:
    assert in_danger(text)
    assert number in danger_answer(text)
    reading = {"acts": [Act(kind="danger", span=[0, len(text)])], "claims": [], "left": []}
    assert number in opening({"reading": reading, "query": text})


@pytest.mark.parametrize(
    "text",
    [
        "웃겨 죽겠네 진짜",
        "배고파 죽겠어요 맛집 좀",
        "실적 때문에 죽겠다",
        "야경이 죽여주는 호텔",
        "상권이 죽었나요?",
        "죽 맛집 알려줘",
    ],
)
def test_figures_of_speech_are_no_danger(text: str) -> None:
    assert not in_danger(text)
    assert opening({"reading": {"acts": [], "claims": [], "left": []}, "query": text}) == ""


@pytest.mark.parametrize(
    ("text", "kind"),
    [("네", "yes"), ("네!", "yes"), ("ㅇㅇ", "yes"), ("아니요.", "no"), ("그걸로 할게요", "that"),
     ("취소", "cancel"), ("다시", "again"),
     ("네 그런데 하나 더 물어볼게요", None), ("4명이요", None)],
)  # fmt: skip
def test_short_replies(text: str, kind: str | None) -> None:
    reply = read_reply(text)
    assert (reply.kind if reply else None) == kind


@pytest.mark.parametrize(
    ("text", "chosen"), [("두 번째요", "교토"), ("2번", "교토"), ("교토로 할게요", "교토"), ("마지막 거", "나라")]
)
def test_choices_by_name_and_place(text: str, chosen: str) -> None:
    reply = read_reply(text, ["오사카", "교토", "나라"])
    assert reply is not None
    assert reply.choice == chosen
