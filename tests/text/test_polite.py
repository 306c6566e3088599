"""What someone wants said becomes sentences; how it is to be said, questions and stories do not."""

import pytest

from madang.text.polite import sayings


@pytest.mark.parametrize(
    ("request_", "sentences"),
    [
        ("58까지는 올려줄 맘 있어요", ["58까지는 올려줄 맘 있습니다."]),
        ("빚 확인이 될 때까지 기다려 달라고요", ["빚 확인이 될 때까지 기다려 주시기 바랍니다."]),
        (
            "입주일 확정해라, 조치계획 언제까지",
            ["입주일 확정해 주시기 바랍니다.", "조치계획 언제까지 알려 주시기 바랍니다."],
        ),
        ("월세는 5%까지 된다고 하고 내역 달라고", ["월세는 5%까지 됩니다.", "내역 주시기 바랍니다."]),
        ("적극 협조하겠다는 내용과 의무가 없다는 것을", ["적극 협조하겠습니다.", "의무가 없습니다."]),
        ("해제하겠다고는 말고 잔금 못 낸다고", ["잔금 못 냅니다."]),
        ("양도할 때 방해하지 말아달라", ["양도할 때 방해하지 말아 주시기 바랍니다."]),
        (
            "아드님 연락처를 여쭙는 내용으로 하되 독촉으로 보이지 않게 해 주십시오",
            ["아드님 연락처 알려 주시기 바랍니다."],
        ),
        ("갱신해달라꼬", ["갱신해 주시기 바랍니다."]),
    ],
)
def test_what_is_quoted_wished_or_asked_for_becomes_a_sentence(request_: str, sentences: list[str]) -> None:
    assert [one.text for one in sayings(request_)] == sentences


def test_a_text_for_ones_own_family_and_one_that_two_sign_are_worded_otherwise() -> None:
    assert [one.text for one in sayings("같이 신청하자고", "familiar")] == ["같이 신청했으면 해요."]
    assert [one.text for one in sayings("서로 길을 인정해 주는 것으로", "agreed")] == ["서로 길을 인정해 주기로 한다."]


@pytest.mark.parametrize(
    "text", ["너무 세게 말고", "집주인은 성격이 급해요", "내용증명이 낫나요 문자가 낫나요?", "", "네"]
)
def test_nothing_else_is_said(text: str) -> None:
    assert sayings(text) == []
