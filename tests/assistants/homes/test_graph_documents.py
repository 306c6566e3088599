"""Drafting a contract: what is missing, the draft, approval, change, refusal, and files that open."""

import io
from datetime import date
from typing import Any

import pytest
from docx import Document

from madang.assistants.homes.tools.documents import find_template
from madang.assistants.homes.understanding.draft_answers import read_answer, values_in
from tests.support.homes import Talk, intent, response, steps
from tests.support.layout import glued

HOME = "서울 마포구 월드컵로 12 101동 202호, 보증금 5천 월세 60, 계약금 500만원, 임대인 김철수, 임차인 이영희"
DATES = "계약일 2026-11-20, 잔금일 2026-12-01, 입주 2026-12-01 2년 계약"


class Shelf:
    """Where documents are saved in these tests."""

    def __init__(self) -> None:
        self.saved: list[dict[str, Any]] = []

    async def save(self, document: dict[str, Any]) -> str:
        self.saved.append(document)
        return f"doc-{len(self.saved)}"


async def draft(talk: Talk) -> dict[str, Any]:
    """Up to the approval of a complete draft."""
    await talk.say("월세 계약서 만들어줘")
    await talk.reply(HOME)
    return await talk.reply(DATES)


def words_of(docx: bytes) -> str:
    document = Document(io.BytesIO(docx))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])


async def test_what_is_missing_is_asked_in_groups_then_a_draft_waits_for_approval() -> None:
    talk = Talk()
    state = await talk.say("월세 계약서 만들어줘")
    assert intent(state) == "contract_creation"
    asked = await talk.pending()
    assert asked["kind"] == "clarification"
    assert all(label in asked["question"] for label in ("소재지", "보증금", "월세", "임대인", "임차인", "계약일"))
    await talk.reply(HOME)
    asked = await talk.pending()
    told, wanted = asked["question"].split("더 필요한 것", 1)
    assert "월세 60만원" in told, "what was understood is said back"
    assert "소재지" not in wanted
    assert "임대차 종료일" in wanted
    await talk.reply(DATES)
    asked = await talk.pending()
    assert asked["kind"] == "approval"
    assert "2028년 11월 30일" in asked["draft"]["markdown"]
    assert asked["draft"]["fields"]["monthly_rent"] == 600_000, "the 12 of a street is no rent"
    assert asked["draft"]["fields"]["balance"] == 45_000_000


async def test_what_is_missing_can_be_filled_into_a_form_with_words_beside_it() -> None:
    talk = Talk()
    await talk.say("월세 계약서 만들어줘")
    form = (await talk.pending())["form"]
    assert form["properties"]["deposit"] == {
        "type": "integer",
        "title": "보증금",
        "description": "예: 3억 5천, 350000000",
        "x-kind": "money",
        "x-unit": "원",
    }
    assert form["properties"]["start_date"]["format"] == "date"
    fields = {"deposit": "5천만원", "monthly_rent": 600_000, "down_payment": "500만원", "landlord_name": "김철수"}
    fields |= {"address": "서울 마포구 월드컵로 12 101동 202호"}
    await talk.answer({"fields": fields, "note": f"임차인은 이영희, {DATES}"})
    asked = await talk.pending()
    assert asked["kind"] == "approval"
    assert asked["form"]["properties"]["deposit"]["default"] == 50_000_000
    assert asked["draft"]["fields"]["tenant_name"] == "이영희"


async def test_an_approved_draft_becomes_documents_that_open() -> None:
    shelf = Shelf()
    talk = Talk(save_document=shelf.save)
    await draft(talk)
    state = await talk.reply("네, 이대로 만들어 주세요")
    [saved] = shelf.saved
    assert {"docx", "html", "md"} <= set(saved["files"])
    assert saved["markdown"] == state["team_results"]["document"]["final_document"]
    text = words_of(saved["files"]["docx"])
    assert "김철수" in text
    assert "60만원" in text
    assert saved["kind"] == "lease_contract"
    document = state["team_results"]["document"]
    assert (document["document_id"], document["decision"]) == ("doc-1", "approve")
    assert document["review_result"]["reviewed"]
    assert document["review_result"]["risks"] == [], "our own form has no unfair clause"
    assert all(document["review_result"]["compliance_check"].values())
    assert response(state)["structured_data"]["document"]["document_id"] == "doc-1"
    assert (state["completed_teams"], steps(state)) == (["document"], {"drafting": "completed"})


async def test_without_a_place_to_save_the_text_is_in_the_answer() -> None:
    talk = Talk()
    await draft(talk)
    state = await talk.answer({"decision": "approve"})
    assert state["team_results"]["document"]["document_id"] is None
    assert "# 주택 월세 계약서" in response(state)["answer"]


async def test_a_change_is_made_and_asked_about_again() -> None:
    talk = Talk()
    await draft(talk)
    await talk.reply("월세 65만원으로 바꿔줘")
    asked = await talk.pending()
    assert asked["kind"] == "approval"
    assert asked["draft"]["fields"]["monthly_rent"] == 650_000
    await talk.reply("특약에 반려동물 한 마리 가능 추가해줘")
    asked = await talk.pending()
    assert "반려동물 한 마리 가능" in asked["draft"]["markdown"]
    await talk.answer({"decision": "modify", "note": "그냥 좀 다르게"})
    asked = await talk.pending()
    assert "읽지 못했습니다" in asked["question"], "a change that can't be read is not passed over"
    await talk.reply("월세 70만원")
    state = await talk.answer({"decision": "approve"})
    assert "70만원" in state["team_results"]["document"]["final_document"]


@pytest.mark.parametrize(
    "changes",
    [
        {"monthly_rent": 650_000},
        {"월세": "65만원"},
        {"monthly_rent": {"from": 600_000, "to": 650_000}},
        "월세 65만원으로",
        ["월세 65만원으로"],
    ],
)
@pytest.mark.parametrize("decision", ["modify", "approve"])
async def test_changes_given_with_a_decision_are_made_and_shown_again(changes: Any, decision: str) -> None:
    talk = Talk()
    await draft(talk)
    await talk.answer({"decision": decision, "changes": changes})
    asked = await talk.pending()
    assert asked["kind"] == "approval"
    assert asked["draft"]["fields"]["monthly_rent"] == 650_000


async def test_changes_and_a_note_are_both_made() -> None:
    talk = Talk()
    await draft(talk)
    note = "특약에 반려동물 한 마리 가능 추가해줘"
    await talk.answer({"decision": "modify", "changes": {"monthly_rent": 650_000}, "note": note})
    shown = (await talk.pending())["draft"]
    assert shown["fields"]["monthly_rent"] == 650_000
    assert "반려동물 한 마리 가능" in shown["markdown"]


async def test_an_approval_that_repeats_the_fields_approves() -> None:
    talk = Talk()
    await draft(talk)
    fields = (await talk.pending())["draft"]["fields"]
    state = await talk.answer({"decision": "approve", "changes": fields})
    assert state["team_results"]["document"]["decision"] == "approve"


async def test_a_change_that_can_t_be_used_is_said() -> None:
    talk = Talk()
    await draft(talk)
    await talk.answer({"decision": "modify", "changes": {"색깔": "파랑"}})
    assert "읽지 못했습니다" in (await talk.pending())["question"]


async def test_questions_about_a_draft_are_blocks_that_stay_apart() -> None:
    talk = Talk()
    await talk.say("월세 계약서 써줘")
    assert not glued((await talk.pending())["question"])
    talk = Talk()
    await draft(talk)
    await talk.reply("특약에 임차인은 전입신고를 하지 않는다 추가해줘")
    asked = await talk.pending()
    assert not glued(asked["question"])
    assert asked["draft"]["labels"]["monthly_rent"] == "월세"


async def test_an_unfair_special_term_is_shown_before_approval() -> None:
    talk = Talk()
    await draft(talk)
    await talk.reply("특약에 임차인은 전입신고를 하지 않는다 추가해줘")
    asked = await talk.pending()
    assert "전입신고" in asked["question"].split("#")[0]
    state = await talk.answer({"decision": "approve"})
    assert state["team_results"]["document"]["review_result"]["risk_level"] == "high"


async def test_a_refusal_makes_nothing_and_loses_nothing() -> None:
    shelf = Shelf()
    talk = Talk(save_document=shelf.save)
    await draft(talk)
    state = await talk.reply("아니 취소할래")
    assert shelf.saved == []
    assert state["team_results"]["document"]["decision"] == "reject"
    assert "멈췄습니다" in response(state)["answer"]


async def test_values_that_contradict_are_asked_about() -> None:
    talk = Talk()
    await talk.say("월세 계약서 만들어줘")
    await talk.reply(HOME)
    days = {"contract_date": "2026-11-20", "balance_date": "2026-12-01", "start_date": "2026-12-01"}
    await talk.answer({**days, "end_date": "2026-01-01"})
    asked = await talk.pending()
    assert asked["kind"] == "clarification"
    assert "종료일이 시작일보다 빠릅니다" in asked["question"]
    await talk.reply("2028년 11월 30일")
    assert (await talk.pending())["kind"] == "approval"


async def test_what_the_first_message_says_is_not_asked_again() -> None:
    talk = Talk()
    await talk.say("전세 계약서 써줘. 마포구 월드컵북로 21 101호, 보증금 3억, 계약금 3천, 임대인 박영수 임차인 김하늘")
    told, wanted = (await talk.pending())["question"].split("더 필요한 것", 1)
    assert "보증금 3억원" in told
    assert not any(label in wanted for label in ("소재지", "보증금", "임대인"))
    assert "계약일" in wanted


async def test_which_contract_is_asked_when_it_was_not_said() -> None:
    talk = Talk()
    state = await talk.say("계약서 만들어줘")
    assert response(state)["type"] == "clarification"
    assert response(state)["structured_data"]["choices"][0] == "전세 계약서"
    await talk.say("매매로 해주세요")
    assert "매도인" in (await talk.pending())["question"]


async def test_a_new_question_is_not_taken_for_an_answer() -> None:
    talk = Talk()
    await talk.say("월세 계약서 만들어줘")
    question: Any = {**await talk.pending(), "answered": False, "answer": None}
    state = (await talk.graph.aget_state(talk.config)).values
    assert read_answer(question, "전세금 5% 인상 가능해?", state) is None
    assert read_answer(question, "보증금은 3천이고 월세는 50이에요", state) is not None
    assert read_answer(question, "취소", state) == "취소"


async def test_a_yes_that_names_a_value_is_a_change() -> None:
    talk = Talk()
    await draft(talk)
    await talk.reply("네, 월세는 65만원으로 해주세요")
    asked = await talk.pending()
    assert asked["draft"]["fields"]["monthly_rent"] == 650_000


async def test_days_are_read_as_people_write_them() -> None:
    talk = Talk()
    await talk.say("월세 계약서 만들어줘")
    await talk.reply(HOME)
    await talk.reply("계약일은 이번주 금요일이고 잔금일이랑 입주일은 12월 15일, 2년")
    fields = (await talk.pending())["draft"]["fields"]
    assert (fields["contract_date"], fields["balance_date"]) == ("2026-11-20", "2026-12-15")
    assert (fields["start_date"], fields["end_date"]) == ("2026-12-15", "2028-12-14")


async def test_a_draft_takes_what_people_say_as_they_say_it() -> None:
    talk = Talk()
    await talk.say("전세계약서 초안 만들어줘")
    await talk.reply("임대인은 박서준이고 임차인은 나야 이하나")
    await talk.reply("집은 경기도 성남시 분당구 판교역로 166, 103동 1502호, 전용 84제곱")
    await talk.reply("보증금 5억 2천, 계약금은 10%로, 잔금은 2027년 1월 15일")
    await talk.reply("기간은 2027년 1월 15일부터 2년")
    await talk.reply("특약: 반려묘 1마리 사육을 허용한다. 임대인은 잔금일 다음 날까지 근저당을 설정하지 않는다")
    await talk.reply("아 보증금 5억으로 바꿔줘")
    asked = await talk.pending()
    assert "보증금 5억원, 계약금 5,000만원" in asked["question"], "what changed is said while one thing is missing"
    await talk.reply("승인")
    assert "승인" in (await talk.pending())["question"], "what could not be written is said"
    await talk.reply("계약일은 오늘")
    fields = (await talk.pending())["draft"]["fields"]
    assert fields["landlord_name"] == "박서준", "a special term names nobody"
    assert fields["tenant_name"] == "이하나"
    assert fields["address"] == "경기도 성남시 분당구 판교역로 166, 103동 1502호"
    assert (fields["deposit"], fields["down_payment"], fields["balance"]) == (500_000_000, 50_000_000, 450_000_000)
    assert fields["special_terms"].startswith("반려묘 1마리")
    assert "근저당" in fields["special_terms"]


@pytest.mark.parametrize(
    ("said", "name", "value"),
    [
        ("임대인은 도배를 해준다", "landlord_name", None),
        ("세입자는 고양이 키우는 사람", "tenant_name", None),
        ("임대인 남궁민 임차인 제갈길동", "tenant_name", "제갈길동"),
        ("집주인 배수지, 세입자 노지훈", "landlord_name", "배수지"),
        ("서울 마포구 월드컵북로 54길 11 2층 201호", "address", "서울 마포구 월드컵북로 54길 11 2층 201호"),
        ("부산광역시 해운대구 센텀중앙로 97 A동 1203호", "address", "부산광역시 해운대구 센텀중앙로 97 A동 1203호"),
        ("매달 25일 입금", "rent_day", "25"),
        ("특약 없어", "special_terms", "없음"),
        ("특약은 ‘에어컨은 임대인이 고친다’", "special_terms", "에어컨은 임대인이 고친다"),
        ("특약은 반려동물 가능, 임대인: 김철수", "landlord_name", "김철수"),
        ("전부 해서 3천이요", "deposit", 30_000_000),
    ],
)
def test_blanks_are_filled_by_their_own_grammar(said: str, name: str, value: object) -> None:
    form = find_template("월세")
    assert values_in(form, said, form.fields, date(2026, 11, 18)).get(name) == value


async def test_a_letter_is_filled_by_what_is_told_after_it() -> None:
    talk = Talk()
    first = await talk.say("보증금 반환 지급명령 신청서 써줄 수 있어? 보증금 9천만원 중에 7천만원 못 받았어")
    assert "청구금액: 7,000만원" in response(first)["answer"]
    then = await talk.say("채권자 윤세리 채무자 구승준, 2026년 9월 30일 만기")
    text = response(then)["answer"]
    assert all(
        words in text for words in ("채권자: 윤세리", "채무자: 구승준", "2026년 9월 30일에 끝났으나", "7,000만원")
    )


async def test_a_draft_that_a_question_interrupts_goes_on_with_what_was_told() -> None:
    talk = Talk()
    await talk.say("전세 계약서 써줘")
    await talk.reply("임대인 김철수, 임차인 이영희")
    await talk.say("전세권이 뭐야?")
    await talk.say("계속해줘")
    assert "임대인 성명 김철수, 임차인 성명 이영희를 적어 두었습니다" in (await talk.pending())["question"]
    await talk.reply("보증금 2억")
    asked = await talk.say("확정일자는 뭐야?")
    assert asked["left_open"] == ["전세 계약서 써줘", "임대인 김철수, 임차인 이영희", "보증금 2억"]
    await talk.say("이어서 해주세요")
    assert "보증금 2억원, 임대인 성명 김철수" in (await talk.pending())["question"]
    await talk.reply(
        "서울 마포구 양화로 12 301호, 계약금 2천만원, 잔금 1억8천, 계약일 12월 1일, 잔금일 12월 20일, "
        "시작일 12월 20일, 종료일 2028년 12월 19일"
    )
    await talk.reply("승인")
    assert (await talk.say("확정일자는 뭐야?"))["left_open"] == []
