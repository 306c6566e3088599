"""Whole dialogues as the bench has them, and how a turn is judged."""

import pytest

from bench.homes import cases
from bench.homes_dialogues import TurnScore, misfits, talk_through


def said(*turns: str) -> list[TurnScore]:
    [scores] = talk_through([{"turns": [{"say": turn, "expect": {}} for turn in turns]}])
    return scores


def test_dialogues_of_the_development_set_fit() -> None:
    talks = talk_through(cases("homes-dialogues", "dev"))
    turns = [turn for talk in talks for turn in talk]
    wrong = [(turn.said, turn.misfits) for turn in turns if turn.misfits]
    assert len(wrong) <= 0.05 * len(turns), wrong


def test_either_word_will_do_and_spaces_don_t_count() -> None:
    expect = {"intent": "legal_consult", "mentions": ["94만 5|945,000"], "not": ["시세"]}
    assert misfits(expect, "legal_consult", "월세는 94만5,000원까지") == ()
    assert misfits(expect, "market_inquiry", "시 세는") == (
        "intent market_inquiry, not legal_consult",
        "lacks 94만 5|945,000",
        "says 시세",
    )


def test_better_words_for_a_clause_are_given_when_asked() -> None:
    asked, better = said('특약에 "보일러 등 모든 수리는 임차인이 부담한다" 괜찮은가요?', "어떻게 수정해야 돼요?")
    assert asked.intent == better.intent == "contract_review"
    assert better.answer.startswith("이렇게 고쳐 쓰면 됩니다.")


def test_a_letter_is_written_with_blanks_for_what_was_not_told() -> None:
    [letter] = said("집주인한테 보낼 내용증명 써줘. 보증금을 안 돌려줘요")
    assert letter.answer.startswith("이렇게 보내시면 됩니다(보증금 반환 요청)")
    assert "(보증금)" in letter.answer
    assert "주택임대차보호법 제3조의3" in letter.answer


def test_a_message_is_written_about_what_was_told_before() -> None:
    _, text = said(
        "자취방 벽에 곰팡이 심한데 집주인이 내탓이래 도배 내돈으로 하라는데 이거 맞음?", "문자 뭐라고 보냄 써줘"
    )
    assert text.answer.startswith("이렇게 보내시면 됩니다(수리 요청)")
    assert "민법 제623조" in text.answer


@pytest.mark.parametrize(
    ("question", "refused"),
    [
        ("호주 시드니 집 월세 얼마야?", True),
        ("집주인이 호주에 살고 있는데 월세 10% 올려달래요", False),
        ("베트남에서 왔는데 원룸 보증금을 못 받았어요", False),
        ("중국집 하는 가게인데 월세를 두 배로 올려달래요", False),
    ],
)
def test_only_homes_abroad_are_refused(question: str, refused: bool) -> None:
    [turn] = said(question)
    assert ("다른 나라의 법" in turn.answer) is refused, turn.answer


def test_what_is_left_out_is_taken_from_the_question_before() -> None:
    first, moved, mended = said(
        "인천에서 보증금 1억인데 경매되면 최우선변제 얼마 받아?", "그럼 청주는? 보증금 7천", "7천이 아니라 8천이었어"
    )
    assert "최우선변제" in first.answer
    assert moved.intent == mended.intent == "legal_consult"
    assert "2,800만원" in moved.answer or "2,500만원" in moved.answer
    assert "8,000만원" in mended.answer


def test_a_debt_that_will_be_paid_off_no_longer_counts() -> None:
    before, after = said(
        "집 시세 5억인데 근저당 2억 있고 전세 2억으로 들어가요. 안전한가요?", "근저당을 잔금 날 다 갚는 조건이면?"
    )
    assert "80%" in before.answer
    assert "40%" in after.answer


def test_a_text_that_is_only_asked_for_is_about_what_was_told_before() -> None:
    *_, answer = said(
        "천장에서 물이 새는데 주인이 안 고쳐줘요", "집주인한테 문자 써줘요. 2월에 나갈 거라 보증금도 걱정돼요"
    )
    assert answer.answer.startswith("이렇게 보내시면 됩니다(수리 요청)")


@pytest.mark.parametrize(
    ("request_", "sentences"),
    [
        (
            "집주인한테 보낼 문자 써줘요. 오늘까지 답 없으면 내가 32만원 내고 고치고 청구한다고. 사투리 말고",
            ("임대인님, 안녕하세요.", "오늘까지 답 없으면 제가 32만원 내고 고치고 청구하겠습니다."),
        ),
        (
            "매도인한테 보낼 문자 써주세요. 해제하겠다고는 말고 명도 안되면 잔금 못친다 책임지라는 식으로요",
            ("매도인님, 안녕하세요.", "명도 안되면 잔금 못 칩니다. 책임져 주시기 바랍니다."),
        ),
        ("오빠한테 카톡 써줘. 싸우기 싫은데 위임장으로는 못한다고, 후견 같이 신청하자고", ("위임장으로는 못 해요.",)),
    ],
)
def test_a_text_says_what_it_is_asked_to_say(request_: str, sentences: tuple[str, ...]) -> None:
    [letter] = said(request_)
    assert letter.answer.startswith("이렇게 보내시면 됩니다")
    assert all(one in letter.answer for one in sentences)
    assert "해제하겠" not in letter.answer


def test_who_asks_about_land_is_not_asked_for_a_region() -> None:
    [answer] = said("이장은 이십년이 넘었으니 그 사람 땅이 됐다고 하던데 참말인가요?")
    assert "어느 지역" not in answer.answer


def test_an_opinion_about_a_term_is_no_request_to_write_one() -> None:
    [answer] = said("중개사가 잔금 날 신탁을 말소해 준다고 특약을 넣어 준답니다. 친구는 월세로 가라는데 어떻게 보세요?")
    assert "보낼 글" not in answer.answer
