"""The homes assistant as a whole: what runs, what is kept, what is asked, what is said."""

from typing import Any

import pytest

from madang.assistants.homes.graph import assistant
from madang.assistants.homes.services import HomesServices
from tests.support.homes import CLAUSES, Memory, Talk, intent, response, services, sources, steps

BY_REGION = {"market_search", "market_analysis", "loan_analysis", "report"}


def test_the_declarations_hold_together() -> None:
    assistant.check()


async def test_a_deposit_lowered_is_worked_out_with_its_rate_and_source() -> None:
    state = await Talk().say("5억 전세를 보증금 3억으로 내리면 월세 상한은?")
    assert steps(state) == {"legal_search": "completed", "calculation": "completed"}
    [figure] = state["team_results"]["analysis"]["raw_analysis"]["legal_calculation"]
    assert (figure["values"]["max_monthly_rent"], figure["values"]["rate"]) == (750_000, 0.045)
    text = response(state)["answer"]
    assert text.startswith("월세 상한은 월 75만원입니다")
    assert "한국은행" in text
    assert "2억원 × 4.5% ÷ 12 = 75만원" in text
    assert "주택임대차보호법 제7조의2" in sources(state)
    assert state["provenance"]["team_results.analysis.raw_analysis.legal_calculation"]["as_of"]


async def test_prices_and_loans_together_run_both_teams_and_give_a_chart() -> None:
    state = await Talk().say("마포구 84㎡ 전세 시세와 대출까지")
    assert intent(state) == "comprehensive"
    assert set(steps(state)) == {"market_search", "loan_search", "market_analysis", "loan_analysis", "report"}
    [row] = state["team_results"]["search"]["real_estate_search"]
    assert (row["region"], row["deal_type"], row["is_estimate"]) == ("서울특별시 마포구", "전세", True)
    [chart] = response(state)["structured_data"]["charts"]
    assert chart["unit"] == "원"
    assert all(len(series["values"]) == len(chart["labels"]) for series in chart["series"])
    assert "추정" in response(state)["answer"]
    assert response(state)["structured_data"]["metadata"]["estimates"] == ["서울특별시 마포구 전세"]
    loans = state["team_results"]["search"]["loan_search"]
    assert all(loan["eligible"] is not True for loan in loans), "nothing about the person is known"
    assert any("annual_income" in loan["missing"] for loan in loans)


async def test_a_pasted_contract_gets_exactly_its_unfair_clauses_found() -> None:
    state = await Talk().say(f"이 계약서 검토해줘\n{CLAUSES}")
    assert intent(state) == "contract_review"
    found = state["team_results"]["analysis"]["raw_analysis"]["contract_analysis"]["risks"]
    assert [risk["clause_label"] for risk in found] == ["1.", "2.", "3."]
    assert all(risk["clause"] in CLAUSES and risk["articles"] and risk["suggestion"] for risk in found)
    assert {"주택임대차보호법 제6조의3", "주택임대차보호법 제7조", "민법 제623조"} <= set(sources(state))
    assert "calculation" not in steps(state), "the 10% of a clause is no question about an increase"
    assert state.get("deposit") is None, "the words of a clause are not facts about the user"
    assert "전문가" in response(state)["answer"]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("양도세 절세 방법 알려줘", "세무사"),
        ("증여로 하는 게 나을까 매매가 나을까", "세무사"),
        ("도쿄 월세 계약은 법이 어떻게 돼?", "다른 나라"),
        ("소송하면 이길 수 있어?", "예측하지 않"),
    ],
)
async def test_what_it_can_not_answer_is_said_plainly_and_nothing_runs(question: str, said: str) -> None:
    state = await Talk().say(question)
    assert steps(state) == {}
    assert response(state)["type"] == "guidance"
    assert said in response(state)["answer"]
    assert "전문가 상담" in response(state)["answer"]


async def test_a_court_outcome_is_not_foretold_but_the_law_behind_it_is_found() -> None:
    state = await Talk().say("집주인이 보증금을 안 돌려줘요 소송하면 이길까요?")
    text = response(state)["answer"]
    assert "예측하지 않" in text
    assert sources(state)[0] == "주택임대차보호법 제3조의3"


@pytest.mark.parametrize("text", ["안녕하세요", "고마워", "오늘 날씨 어때?", "ㅎㅇ", "뭐 할 수 있어?", "ㅁㄴㅇㄹ"])
async def test_small_talk_gets_guidance_not_a_plan(text: str) -> None:
    state = await Talk().say(text)
    assert steps(state) == {}
    assert response(state)["type"] == "guidance"
    assert "임대차" in response(state)["answer"] or "도움" in response(state)["answer"]


@pytest.mark.parametrize(
    ("first", "then", "ran"),
    [
        ("마포구 84㎡ 전세 시세와 대출까지", "그거 말고 송파는?", BY_REGION),
        ("마포구 84㎡ 전세 시세 알려줘", "84㎡ 말고 59㎡", {"market_search", "market_analysis", "report"}),
        ("마포구 84㎡ 전세 시세 알려줘", "월세는?", {"market_search", "market_analysis", "report"}),
        ("마포구 84㎡ 전세 시세와 대출까지", "연봉 5천이고 무주택이야", {"loan_search", "loan_analysis", "report"}),
        ("보증금 3억 시세 4억 위험해?", "근저당도 5천 있어", {"risk_analysis", "report"}),
        ("보증금 3억 시세 4억 위험해?", "시세가 5억이면?", {"risk_analysis", "report"}),
        ("5억 전세를 보증금 3억으로 내리면 월세 상한은?", "아니 보증금 4억으로", {"calculation"}),
        ("보증금 2천에 월세 80인데 갱신하면 최대 얼마까지 올릴 수 있어?", "월세가 90이면?", {"calculation"}),
        ("서울 보증금 1억2천이면 최우선변제 얼마?", "인천이면?", {"calculation"}),
        ("3억 대출 연 4.2% 30년 원리금 월 얼마", "20년이면?", {"calculation", "loan_analysis", "report"}),
        ("관악구 빌라 전세 매물 찾아줘 2억 이하", "3억까지 괜찮아", {"property_search", "report"}),
    ],
)  # fmt: skip
async def test_a_correction_runs_only_what_depends_on_it(first: str, then: str, ran: set[str]) -> None:
    talk = Talk()
    before = set(steps(await talk.say(first)))
    state = await talk.say(then)
    assert set(talk.calls) <= ran
    assert all(count == 1 for count in talk.calls.values())
    assert {name for name, status in steps(state).items() if status == "kept"} == before - set(talk.calls)
    assert talk.calls, "something had to run"


async def test_a_correction_replaces_and_the_rest_is_inherited() -> None:
    talk = Talk()
    await talk.say("마포구 84㎡ 전세 시세 알려줘")
    state = await talk.say("그거 말고 송파는?")
    assert (state["region"], state["area_m2"], state["deal_type"]) == ("서울특별시 송파구", 84.0, "jeonse")
    state = await talk.say("아니 59로")
    assert (state["region"], state["area_m2"]) == ("서울특별시 송파구", 59.0)
    state = await talk.say("아니 그거 말고")
    assert response(state)["type"] == "clarification"
    assert "송파구" in response(state)["answer"]


async def test_the_same_question_again_keeps_everything() -> None:
    talk = Talk()
    first = await talk.say("전세금 5% 인상 가능해?")
    state = await talk.say("전세금 5% 인상 가능해?")
    assert steps(state) == {"legal_search": "kept"}
    assert state["team_results"]["search"]["legal_search"] == first["team_results"]["search"]["legal_search"]


async def test_sums_of_an_earlier_question_do_not_slip_into_a_new_one() -> None:
    talk = Talk()
    await talk.say("보증금 3억 시세 4억 위험해?")
    state = await talk.say("보증금 2억인데 안전할까?")
    assert response(state)["type"] == "clarification", "the price of another home is not this one's"


async def test_a_missing_input_is_asked_for_and_what_was_said_is_kept() -> None:
    talk = Talk()
    state = await talk.say("6억 아파트 사면 취득세 얼마야?")
    assert (response(state)["type"], steps(state)) == ("clarification", {})
    state = await talk.say("첫 집이에요")
    [figure] = state["team_results"]["analysis"]["raw_analysis"]["legal_calculation"]
    assert (figure["calculator"], figure["values"]["total"]) == ("acquisition_tax", 6_600_000)


async def test_a_new_question_leaves_a_pending_one_behind() -> None:
    talk = Talk()
    await talk.say("복비 얼마야?")
    state = await talk.say("집주인이 보증금을 안 돌려줘요 어떻게 해요?")
    assert sources(state)[0] == "주택임대차보호법 제3조의3"
    assert state["pending"] is None


async def test_a_remembered_region_is_offered_and_not_assumed() -> None:
    memory = Memory({"region": "서울특별시 마포구"})
    talk = Talk(memory=memory)
    state = await talk.say("전세 시세 알려줘")
    assert response(state)["type"] == "clarification"
    assert "서울특별시 마포구" in response(state)["answer"]
    assert response(state)["structured_data"]["choices"] == ["서울특별시 마포구"]
    assert state.get("region") is None
    state = await talk.say("네 거기요, 마포구")
    assert state["region"] == "서울특별시 마포구"
    assert memory.kept[-1]["preferences"]["region"] == "서울특별시 마포구"


async def test_nothing_is_assumed_about_the_person() -> None:
    state = await Talk().say("전세대출 받을 수 있어?")
    assert all(state.get(name) is None for name in ("annual_income", "age", "homes_owned"))
    text = response(state)["answer"]
    assert "연소득이 얼마인가요?" in text
    assert not any(loan["eligible"] for loan in state["team_results"]["search"]["loan_search"])


async def test_confidence_is_computed() -> None:
    questions = (
        "전세금 5% 인상 가능해?",
        "집주인이 보증금 안줘요",
        "마포구 84㎡ 매매 시세",
        "보일러 고장나면 누가 고쳐요?",
    )
    scores = [response(await Talk().say(q))["structured_data"]["metadata"]["confidence"] for q in questions]
    assert len(set(scores)) == len(scores)
    assert all(0 < score <= 1 for score in scores)


async def test_samples_say_that_they_are() -> None:
    state = await Talk().say("관악구 아파트 매매 매물 찾아줘")
    listings = state["team_results"]["search"]["property_search"]
    assert listings
    assert all(item["is_sample"] for item in listings)
    assert "예시" in response(state)["answer"]


async def test_statutes_are_quoted_exactly_with_their_date_once_loaded(tmp_path: Any) -> None:
    from madang.assistants.homes.tools.law_files import load_law

    law = tmp_path / "kr" / "주택임대차보호법"
    law.mkdir(parents=True)
    own = "당사자는 시험용 문장으로 증감을 청구할 수 있다."
    text = f"---\n제목: 주택임대차보호법\n시행일자: 2031-02-03\n---\n##### 제7조 (차임 등의 증감청구권)\n**①** {own}\n"
    (law / "법률.md").write_text(text, encoding="utf-8")
    shared = HomesServices(data_dir=tmp_path)
    talk = Talk(services=shared)
    before = await talk.say("전세금 5% 인상 가능해?")
    assert not before["team_results"]["search"]["legal_search"][0]["is_statute_text"]
    assert "요약" in response(before)["answer"]
    load_law(tmp_path, tmp_path / "law")
    state = await talk.say("전세금 5% 인상 가능해?")
    best = state["team_results"]["search"]["legal_search"][0]
    assert steps(state) == {"legal_search": "completed"}, "new data makes the search stale"
    assert (best["is_statute_text"], best["effective_date"]) == (True, "2031-02-03")
    assert own in best["content"]
    assert own in response(state)["answer"]
    assert "[시행 2031-02-03]" in response(state)["answer"]


async def test_the_versions_of_the_data_are_named() -> None:
    assert {"issues", "statutes", "market", "loans"} <= set(services().data_versions)


@pytest.mark.parametrize(
    ("question", "article"),
    [
        ("주인이 열쇠 따고 들어왔다 나감", "민법 제750조"),
        ("소개비를 규정보다 많이 뜯겼어요", "공인중개사법 제33조"),
        ("십년 장사하면 무조건 비워줘야하나", "상가건물 임대차보호법 제10조"),
        ("중도금까지 냈는데 매도인이 배액배상하고 해제하겠대요", "민법 제565조"),
    ],
)
async def test_questions_without_a_word_of_law_still_reach_it(question: str, article: str) -> None:
    state = await Talk().say(question)
    assert intent(state) == "legal_consult"
    found = [item["source"] for item in state["team_results"]["search"]["legal_search"]]
    assert article in found[:5]


@pytest.mark.parametrize("text", ["우리 아이 유치원 추천", "헬스장 환불 규정 알려줘", "너 사람이야?"])
async def test_an_article_that_hardly_fits_is_no_reason_to_answer(text: str) -> None:
    answer = response(await Talk().say(text))
    assert answer["type"] == "guidance" or "제가 확실히 드릴 답이 없어" in answer["answer"]


async def test_a_question_whether_is_answered_first_by_a_judgement_with_its_source() -> None:
    state = await Talk().say("집주인이 집을 팔았다고 나가라는데 나가야 하나요?")
    assert "judgement" in steps(state)
    [found] = state["judgements"]
    assert (found["verdict"], found["rule"]) == ("no", "sold-evict")
    assert found["sources"][0] == "주택임대차보호법 제3조"
    assert response(state)["answer"].startswith("아니요, 나가지 않아도 됩니다.")
    assert state["provenance"]["judgements"]["tool"] == "JudgementTool"
    assert "주택임대차보호법 제3조" in sources(state)


async def test_a_question_what_is_not_judged() -> None:
    state = await Talk().say("임차권등기명령은 어떻게 신청하나요?")
    assert not state.get("judgements")
    assert "judgement" not in steps(state)


async def test_a_question_that_no_rule_answers_is_answered_beside_a_judged_one() -> None:
    state = await Talk().say(
        "집주인이 집을 팔았다고 나가라는데 나가야 하나요? 그리고 임차권등기명령은 어떻게 신청하나요?"
    )
    assert [item["rule"] for item in state["judgements"]] == ["sold-evict"]
    first, second = response(state)["answer"].split("**“")[1:]
    assert "아니요, 나가지 않아도 됩니다." in first
    assert "전자소송" in second


async def test_what_an_answer_rests_on_is_there_to_be_opened() -> None:
    """An article that a situation names comes with its words and date, not with its name alone."""
    state = await Talk().say("벽에 곰팡이가 심한데 집주인이 수리를 안 해줘요")
    told = [*state["situations"], *state["faq_answers"]]
    named = {name for one in told for name in one["sources"]}
    opened = {one["source"]: one for answer in told for one in answer["articles"]}
    assert "민법 제623조" in named & set(opened)
    assert set(opened) <= named
    assert all(one["content"] and one["effective_date"] for one in opened.values())
