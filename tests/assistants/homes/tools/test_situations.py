"""Situations: which one a question is about, and what the told days and sums make of it."""

from datetime import date

import pytest

from madang.assistants.homes.data.situation_base import load_situations
from madang.assistants.homes.tools.letters import letters, noted
from madang.assistants.homes.tools.situation_figures import FIGURES, worked_out
from madang.assistants.homes.tools.situation_sums import SUMS
from madang.assistants.homes.tools.situations import SituationTool, Telling, bearing_on

TODAY = date(2026, 11, 18)


@pytest.fixture(scope="module")
def tool() -> SituationTool:
    return SituationTool()


def first(tool: SituationTool, text: str, *before: str) -> str | None:
    found = tool.match(Telling(text, text, before))
    return found[0].situation.id if found and found[0].clear else None


def test_there_are_many_and_each_names_figures_and_letters_that_exist() -> None:
    situations = load_situations()
    assert len(situations) >= 240
    assert {one.letter for one in situations if one.letter} <= set(letters())
    assert {name for one in situations for name in one.figures} <= set(FIGURES) | set(SUMS)
    assert all(one.answer and one.phrases for one in situations)


def test_what_people_say_finds_its_own_situation(tool: SituationTool) -> None:
    phrases = [(one.id, phrase) for one in load_situations() for phrase in one.phrases]
    wrong = [(key, text, found) for key, text in phrases if (found := first(tool, text)) not in (key, None)]
    assert len(wrong) <= 0.07 * len(phrases), wrong


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("안방 벽이 결로로 젖어 벽지가 썩는데 주인이 저더러 물어내래요", "mould"),
        ("가계약금 50만원 보냈는데 안 하기로 하면 돌려받나요", "provisional-deposit"),
        ("계약 끝났는데 주인이 전세금을 안 돌려줘요 어떻게 하나요", "deposit-not-returned"),
        ("오빠가 상속 서류에 쓴다고 제 인감증명이랑 도장을 보내래요", "inherit-seal"),
        ("삼남매가 물려받은 빌라에 세입자가 있는데 보증금을 저 혼자 다 돌려줘야 하나요", "heir-returns-deposit"),
        ("은행에서 방공제 때문에 한도가 줄었다는데 왜 그런가요", "room-deduction"),
        ("경매 넘어간 집 배당은 어떤 순서로 얼마 받나요", "auction-order"),
        ("아파트 잔금 치르면 취득세 신고 기한이 며칠인가요", "buy-deadlines"),
        ("주인이 매일 찾아와 죽여버린다고 협박해요", "landlord-harass"),
    ],
)
def test_other_words_for_a_situation_find_it(tool: SituationTool, text: str, key: str) -> None:
    assert first(tool, text) == key


def test_what_is_not_sure_is_offered_and_not_told(tool: SituationTool) -> None:
    text = "건물주가 단수하겠다더니 진짜 물을 끊었어요"
    nearest = tool.match(Telling(text, text))[0]
    assert (nearest.situation.id, nearest.clear) == ("utility-cut", False)


@pytest.mark.parametrize("text", ["오늘 저녁 뭐 먹지", "제주도 3박 4일 일정 짜줘", "고마워요", "파이썬 반복문 알려줘"])
def test_what_is_about_something_else_finds_none(tool: SituationTool, text: str) -> None:
    assert tool.match(Telling(text, text)) == []


@pytest.mark.parametrize(
    ("name", "texts", "said"),
    [
        ("home_notice", ["만기가 2027년 2월 20일이에요"], "2026년 12월 19일까지"),
        ("shop_notice", ["12월 31일 만기에 나가랍니다"], "2026년 11월 29일까지"),
        ("three_months", ["묵시적 갱신"], "2027년 2월 18일에 계약이 끝나요"),
        ("double_deposit", ["2억9천에 팔기로 하고 계약금 2천9백을 받았습니다. 3억1천 주겠다는 사람이"], "900만원 손해"),
        ("gosiwon", ["3개월치 90만원 선불냈는데 30일 살고 나가려고요"], "약 54만원"),
        ("inheritance", ["아버지가 9월 20일에 돌아가시고"], "포기·한정승인은 2026년 12월 21일까지"),
        ("inheritance", ["8월 21일에 남편이 돌아가셨어요"], "신고는 2027년 3월 2일까지"),
        ("inheritance", ["어머니가 올해 5월 6일에 돌아가셨는데"], "이미 지났으니"),
        ("filing_days", ["11월 10일에 계약했고 잔금은 12월 20일이에요"], "취득세와 등기는 2027년 2월 18일까지"),
        ("distribution", ["낙찰가 3억에 근저당 2억 4천, 제 보증금 1억인데"], "4,000만원이 모자라요"),
        ("distribution", ["감정가 말고 5억에 낙찰됐고 은행 2억, 보증금 1억"], "1억원을 받아 다 받아요"),
    ],
)
def test_days_and_sums_are_worked_out(name: str, texts: list[str], said: str) -> None:
    assert said in " ".join(worked_out([name], texts, TODAY))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("home_notice", "만기가 언제인지 몰라요"),
        ("home_notice", "만기가 2월 20일이라고도 하고 3월 20일이 만기라고도 해요"),
        ("double_deposit", "팔기로 했는데 물러도 되나요"),
        ("gosiwon", "고시원 환불 안 된대요 30만원 내고 또 20만원 냈어요"),
    ],
)
def test_nothing_is_worked_out_from_too_little_or_from_two_that_differ(name: str, text: str) -> None:
    assert worked_out([name], [text], TODAY) == []


def test_what_bears_on_a_second_question_comes_from_the_same_answer(tool: SituationTool) -> None:
    one = tool.find("housing-benefit")
    assert one is not None
    said = bearing_on("신청할 때 가족이 대신 가도 되나요", one)
    assert "대신 신청" in said
    assert len(said) < len(one.answer) + sum(map(len, one.steps))


@pytest.mark.parametrize(
    ("told", "note"),
    [("환기는 매일 했고", "환기는 매일 했음"), ("물이 새서", "물이 샘"), ("만지면 물 맺혀있음.", "만지면 물 맺혀있음")],
)
def test_what_was_told_is_written_as_a_note(told: str, note: str) -> None:
    assert noted(told) == note


def test_what_was_answered_last_answers_again_only_what_is_surely_about_it(tool: SituationTool) -> None:
    first_asked = "윗집에서 물이 새서 천장이 다 젖었는데 누가 물어주나요"
    text = "탐지 업체를 불렀는데 35만원을 달래요 이건 제가 내야 하나요"
    found = tool.match(Telling(text, text, [first_asked], ["leak-upstairs"]))
    assert not any(one.clear for one in found if one.situation.id == "leak-upstairs")


def test_being_told_in_english_is_no_situation_by_itself(tool: SituationTool) -> None:
    text = "my bicycle is still at the old school gym, can i pick it up on monday or is it too late"
    assert not any(one.clear for one in tool.match(Telling(text, text)))
