"""Whole turns that a model leads: two calls, what it understood is carried out, what it says is held to the facts."""

from pathlib import Path
from typing import Any

import pytest

from madang.assistants.homes.graph import assistant as homes_assistant
from madang.assistants.works.tools.links import link_user
from madang.graph.remarks import closing
from tests.support import homes, trips, works
from tests.support.company import TODAY, rows
from tests.support.model_turns import act, claim, is_understanding, reading, scripted, step

ASKED = "전세 2억인데 집주인이 8% 올려달래요. 얼마까지 올릴 수 있어요?"
FIGURE = {"calculator": "increase_cap", "inputs": [{"name": "deposit", "value": 200_000_000}]}
UNDERSTOOD = reading(
    "legal_consult",
    act("전세 2억인데 집주인이 8% 올려달래요.", "tell", "law"),
    act("얼마까지 올릴 수 있어요?", "ask_how_much", "increase_cap", "전세 보증금 2억을 얼마까지 올릴 수 있는지"),
    claims=[claim("deposit", 200_000_000, "2억"), claim("lease_facts.rate", 8, "8%")],
    steps=[
        step("legal_search"),
        step("calculation", figures=[FIGURE]),
    ],
    queries=["주택임대차보호법 제7조 증액 5퍼센트"],
)  # fmt: skip


async def say(text: str, understood: Any, said: Any, **settings: Any) -> tuple[dict[str, Any], list[Any], homes.Talk]:
    async with scripted(understood, said, **settings) as (server, models):
        talk = homes.Talk(models=models)
        state = await talk.say(text)
        return state, server.requests, talk


def tokens(talk: homes.Talk) -> str:
    """What a reader has on the screen in the end."""
    shown = ""
    for part in talk.written:
        if part["type"] == "token":
            shown = part["text"] if part["restart"] else shown + part["text"]
    return shown


async def test_two_calls_carry_a_turn_and_what_was_understood_is_in_the_state() -> None:
    said = "5%까지만 올릴 수 있으니 8%는 거절해도 돼요. [F1]\n문자로 남겨 두세요. [G]"
    state, requests, talk = await say(ASKED, UNDERSTOOD, said)
    assert [is_understanding(request) for request in requests] == [True, False]
    assert state["deposit"] == 200_000_000
    assert state["lease_facts"]["rate"] == 8
    assert state["planning_state"]["analyzed_intent"]["intent_type"] == "legal_consult"
    assert [one["kind"] for one in state["reading"]["acts"]] == ["tell", "ask_how_much"]
    assert state["understood"]["asked"][0]["restated"] == "전세 보증금 2억을 얼마까지 올릴 수 있는지"
    text = state["final_response"]["answer"]
    assert "2억 1,000만원" in text.split("5%까지만")[0], "the figure that was asked for is said first, by us"
    assert "문자로 남겨 두세요." in text
    assert tokens(talk) == text
    assert state["usage"]["llm"].keys() == {"homes.understand", "homes.answer"}
    assert state["fallbacks"] == []


@pytest.mark.parametrize(
    ("said", "field"),
    [
        (claim("deposit", 300_000_000, "3억"), "deposit"),
        (claim("monthly_rent", 500_000, "월세 50"), "monthly_rent"),
        (claim("property_type", "우주선", "전세"), "property_type"),
    ],
)
async def test_a_claim_whose_quote_or_value_does_not_hold_is_dropped(said: dict[str, Any], field: str) -> None:
    state, _, _ = await say(ASKED, {**UNDERSTOOD, "claims": [said]}, "알겠어요. [G]")
    assert state.get(field) is None
    assert state["understood"]["dropped"]


async def test_parsers_win_on_a_value_and_the_model_on_what_it_is() -> None:
    wrong = {**UNDERSTOOD, "claims": [claim("deposit", 20_000_000, "전세 2억")]}
    state, _, _ = await say(ASKED, wrong, "알겠어요. [G]")
    assert state["deposit"] == 200_000_000


async def test_a_number_nobody_said_reaches_no_calculator() -> None:
    figures = [{"calculator": "increase_cap", "inputs": [{"name": "deposit", "value": 777_000_000}]}]
    state, _, _ = await say(ASKED, {**UNDERSTOOD, "steps": [step("calculation", figures=figures)]}, "네. [G]")
    assert all(need["inputs"].get("deposit") == 200_000_000 for need in state["figure_requests"])


async def test_a_model_cannot_take_away_help_in_danger() -> None:
    text = "남편이 저를 때려요 집에서 나가고 싶어요"
    read = reading("irrelevant", act(text, "tell", "chat"))
    state, _, _ = await say(text, read, "괜찮아요. [G]")
    assert "112" in state["final_response"]["answer"]


async def test_a_judgement_asked_for_in_so_many_words_is_made_without_being_chosen() -> None:
    text = "새 세입자가 구해져야 보증금을 준다는데 기다려야 하나요?"
    read = reading(
        "legal_consult",
        act(text, "ask_whether", "law", "새 세입자 구해지면 준다는데 기다려야 하나요"),
        steps=[step("legal_search")],
    )
    state, requests, _ = await say(text, read, "기다리지 않아도 돼요. [F1]")
    assert state["judgements"][0]["rule"] == "wait-new-tenant"
    assert "규칙의 판단" in str(requests[-1]), "the model reads it, and sees whether it fits"
    assert state["final_response"]["answer"].startswith("기다리지 않아도 돼요."), (
        "it is not said before the model speaks"
    )


async def test_a_judgement_of_another_case_neither_leads_nor_removes_what_fits_the_user() -> None:
    text = "2021년 1월부터 상가에서 장사하는데 10년까지 갱신을 요구할 수 있나요?"
    read = reading("legal_consult", act(text, "ask_whether", "law", text), steps=[step("legal_search")])
    said = "네, 2021년 1월부터 6년이 안 되었으니 아직 요구할 수 있어요. [F1,U]"
    state, _, _ = await say(text, read, said)
    assert state["final_response"]["answer"].startswith("네, 2021년 1월부터")
    assert "지났다면" not in state["final_response"]["answer"]


async def test_an_exact_answer_to_what_was_asked_needs_no_call(tmp_path: Path) -> None:
    async with scripted(UNDERSTOOD, "네. [G]") as (server, models):
        traveller = trips.Traveller(models=models)
        await traveller.graph.aupdate_state(
            traveller.config,
            {"pending": {"kind": "choice", "names": ["destination"], "choices": ["오사카", "후쿠오카"]}},
            as_node="respond",
        )  # fmt: skip
        state = await traveller.say("오사카")
    assert state["destination"] == "오사카"
    assert not any(is_understanding(request) for request in server.requests)


TRIP = "오사카 12월 20일부터 3박 여자친구랑 갈건데 예산은 둘이 합쳐 200만원. 유심은 뭘로 해야돼?"
TRIP_READ = reading(
    "plan_trip",
    act("오사카 12월 20일부터 3박 여자친구랑 갈건데 예산은 둘이 합쳐 200만원.", "order", "plan"),
    act("유심은 뭘로 해야돼?", "ask_what", "ask_place", "오사카에서 유심은 무엇을 쓰나"),
    claims=[
        claim("destination", "오사카", "오사카"), claim("depart_date", "2026-12-20", "12월 20일"),
        claim("duration", 3, "3박"), claim("num_people", 2, "여자친구랑"), claim("budget", 2_000_000, "200만원"),
        claim("travel_style", ["휴양"], "여자친구랑"),
    ],
    steps=[
        step("coordinator", change=None),
        step("local_guide", questions=[{"question": "유심", "topics": ["sim"], "cities": ["오사카"], "places": []}]),
    ],
)  # fmt: skip


async def test_what_is_known_of_a_situation_is_evidence_with_the_days_that_were_told() -> None:
    told, ask = "남편이 2026년 8월 21일에 돌아가셨는데 보증 빚이 있대요.", "언제까지 어떻게 해야 하나요?"
    restated = "돌아가신 남편의 빚 때문에 상속포기·한정승인을 언제까지 해야 하는지"
    read = reading("legal_consult", act(told, "tell", "law"), act(ask, "ask_how", "law", restated))
    said = "포기나 한정승인은 2026년 11월 23일까지 하세요. [F1]\n2026년 11월 20일까지만 됩니다. [F1]"
    state, requests, _ = await say(f"{told} {ask}", {**read, "steps": [step("legal_search")]}, said)
    assert "2026년 11월 23일" in str(requests[1]), "the Saturday on which the period would end is passed over"
    answer = state["final_response"]["answer"]
    assert "11월 23일까지" in answer
    assert "11월 20일까지만" not in answer


async def test_travel_plans_from_claims_and_says_back_what_was_inferred() -> None:
    async with scripted(TRIP_READ, "유심은 출발 전에 사 두면 편해요. [G]") as (server, models):
        state = await trips.Traveller(models=models).say(TRIP)
    assert len(server.requests) == 2
    slots = {name: state[name] for name in ("destination", "duration", "num_people", "budget", "return_date")}
    assert slots == {
        "destination": "오사카", "duration": 3, "num_people": 2, "budget": 2_000_000, "return_date": "2026-12-23",
    }  # fmt: skip
    inferred = {one["field"]: one["inferred"] for one in state["reading"]["claims"]}
    assert inferred["travel_style"]
    assert not inferred["duration"]
    assert state["final_plans"]
    assert any(one["field"] == "num_people" for one in state["response"]["structured_data"]["read"])


async def test_a_value_out_of_range_is_refused_by_name() -> None:
    read = {**TRIP_READ, "claims": [claim("destination", "오사카", "오사카"), claim("duration", 30, "30박")]}
    async with scripted(read, "네. [G]") as (_, models):
        state = await trips.Traveller(models=models).say("오사카 30박 둘이 갈래 유심은 뭘로 해야돼?")
    assert state["duration"] is None
    assert "30박" in state["response"]["answer"]


QUERY = {
    "metrics": ["sales_amount"], "dimensions": ["branch"], "filters": [],
    "period": {"from": "2026-02-01", "to": "2026-02-28"},
    "compare": None, "sort": {"by": "sales_amount", "order": "desc"}, "limit": 3,
}  # fmt: skip


async def test_works_computes_the_models_questions_and_drops_what_the_engine_refuses(tmp_path: Path) -> None:
    text = "저번 달 지점 매출 톱3랑 성별 매출"
    bad = {**QUERY, "filters": [{"field": "성별", "op": "eq", "value": "남"}]}
    read = reading(
        "analysis", act(text, "ask_how_much", "analysis"), steps=[step("DataAnalysisAgent", queries=[QUERY, bad])]
    )
    talk = works.Talk(tmp_path)
    async with scripted(read, "표를 보세요. [G]") as (server, models):
        talk.models = models
        state = await talk.say(text)
    assert state["query_analyzer_state"]["semantic_query"]["limit"] == 3
    assert state["further_queries"] == []
    assert len(server.requests) == 2


async def test_both_calls_are_told_who_asks_as_far_as_that_is_known(tmp_path: Path) -> None:
    text = "우리 팀 지난달 매출 알려줘"
    read = reading(
        "analysis", act(text, "ask_how_much", "analysis"), steps=[step("DataAnalysisAgent", queries=[QUERY])]
    )
    talk = works.Talk(tmp_path)
    rep = rows()["reps"][0]
    async with scripted([read, read], "표를 보세요. [G]") as (server, models):
        talk.models = models
        await talk.say(text)
        link_user(talk.services.warehouse, talk.services.folder, "sample", "7", rep["rep"], TODAY)
        await talk.say(text)
    prompts = [str(request["messages"][-1]["content"]) for request in server.requests]
    assert all('"나": null' in prompt for prompt in prompts[:2])
    assert all(f'"rep": "{rep["rep"]}"' in prompt and rep["team"] in prompt for prompt in prompts[2:])


async def test_filing_is_checked_first_whatever_the_model_says(tmp_path: Path) -> None:
    text = "김원장 골프 접대했다고 메모 저장해줘"
    read = reading("store", act(text, "order", "store"), steps=[step("StorageDecisionAgent", note="김원장 골프 접대")])
    talk = works.Talk(tmp_path)
    async with scripted(read, "저장했습니다. [F1]") as (_, models):
        talk.models = models
        state = await talk.say(text)
    agents = [one["agent"] for one in state["execution_steps"]]
    assert agents.index("ComplianceValidationAgent") < agents.index("StorageDecisionAgent")


async def test_a_later_message_may_be_read_from_an_earlier_one() -> None:
    async with scripted([UNDERSTOOD, reading(
        "legal_consult", act("아까 그거 다시 계산해줘", "order", "increase_cap"),
        claims=[claim("lease_facts.old_deposit", 200_000_000, "2억", "m1")], steps=[step("legal_search")],
    )], "네, 알겠어요. [G]") as (_, models):  # fmt: skip
        talk = homes.Talk(models=models)
        await talk.say(ASKED)
        state = await talk.say("아까 그거 다시 계산해줘")
    assert state["lease_facts"]["old_deposit"] == 200_000_000


async def test_why_is_looked_into_round_by_round_and_every_figure_has_its_source(tmp_path: Path) -> None:
    text = "왜 서울 매출이 떨어졌는지 나눠서 보여줘"
    seoul = [{"field": "region", "op": "eq", "value": "서울"}]
    month = {**QUERY, "dimensions": [], "filters": seoul, "sort": None, "limit": None}
    why = {**month, "compare": {"type": "yoy", "period": None}}
    read = reading("why", act(text, "ask_why", "why"), steps=[step("ChangeAnalysisAgent", query=why, falls=True)])

    def by(name: str) -> dict[str, Any]:
        return step("DataQueryAgent", query={**why, "dimensions": [name]})

    rounds = [
        {"enough": False, "steps": [by("branch"), by("product_class")]},
        {"enough": False, "steps": [by("customer_type")]},
        {"enough": True, "steps": []},
    ]
    talk = works.Talk(tmp_path)
    shown = "서울 매출을 나누어 보았어요. [F1]\n[T0]\n[T1]\n[T2]\n[T3]"
    async with scripted(read, shown, explore=rounds) as (server, models):
        talk.models = models
        state = await talk.say(text)
    assert [one["agent"] for one in state["execution_steps"]] == ["ChangeAnalysisAgent", *["DataQueryAgent"] * 3]
    assert state["rounds"] == 2
    assert len(server.requests) == 5, "understand, three rounds, answer"
    assert len(state["query_results"]) == 3
    assert state["provenance"]["query_results"]["source"]
    assert state["provenance"]["change_analysis"]["source"]
    assert [len(one["arguments"]) for one in state["execution_steps"][1:]] == [1, 1, 1]
    tables = [*state["query_results"], state["change_analysis"]]
    assert all(one["heading"] in state["response"]["answer"] for one in tables)


async def test_a_loop_ends_after_its_rounds_whatever_the_model_wants(tmp_path: Path) -> None:
    text = "왜 매출이 줄었어?"
    why = {**QUERY, "dimensions": [], "sort": None, "limit": None, "compare": {"type": "yoy", "period": None}}
    read = reading("why", act(text, "ask_why", "why"), steps=[step("ChangeAnalysisAgent", query=why, falls=True)])
    dimensions = ["branch", "region", "team", "product", "rep", "grade"]
    rounds = [
        {"enough": False, "steps": [step("DataQueryAgent", query={**why, "dimensions": [name]})]} for name in dimensions
    ]
    talk = works.Talk(tmp_path)
    async with scripted(read, "나누어 보았어요. [G]", explore=rounds) as (_, models):
        talk.models = models
        state = await talk.say(text)
    assert state["rounds"] == 4


async def test_a_day_is_of_the_year_that_the_story_tells_and_a_count_is_the_models() -> None:
    text = "전세만기 11월9일지났는데 집주인이 돈이 없대요. 둘 다 집 가져본적 없어요. 어떡하죠?"
    read = reading(
        "legal_consult",
        act("전세만기 11월9일지났는데 집주인이 돈이 없대요.", "tell", "law"),
        act("둘 다 집 가져본적 없어요.", "tell", "law"),
        act("어떡하죠?", "ask_how", "law", "만기가 지났는데 보증금을 못 받으면 어떻게 하는지"),
        claims=[claim("contract_end", "2026-11-09", "11월9일"), claim("homes_owned", 0, "둘 다 집 가져본적")],
        steps=[step("legal_search")],
        queries=["임차권등기명령"],
    )
    state, _, _ = await say(text, read, "임차권등기부터 하세요. [G]")
    assert state["contract_end"] == "2026-11-09"
    assert state["homes_owned"] == 0


async def test_a_list_too_long_loses_only_its_end_and_choices_are_read_in_korean() -> None:
    text = "2억8천 30년 3.5%면 한달에 얼마? 4억8천 집 복비는 얼마예요?"
    loan: list[tuple[str, Any]] = [("principal", 280_000_000), ("annual_rate", 3.5), ("years", 30)]
    fee: list[tuple[str, Any]] = [("deal", "매매"), ("price", 480_000_000)]
    figures = [
        {"calculator": name, "inputs": [{"name": one, "value": value} for one, value in inputs]}
        for name, inputs in [("loan_payment", loan), ("brokerage", fee), *[("loan_payment", loan)] * 8]
    ]
    read = reading(
        "loan_consult",
        act("2억8천 30년 3.5%면 한달에 얼마?", "ask_how_much", "loan_payment"),
        act("4억8천 집 복비는 얼마예요?", "ask_how_much", "brokerage"),
        claims=[claim("price", 480_000_000, "4억8천")],
        steps=[step("calculation", figures=figures)],
    )
    state, _, _ = await say(text, read, "복비는 최대 192만원이에요. [F2]")
    assert len(state["figure_requests"]) == 8
    assert state["figure_requests"][1]["inputs"]["deal"] == "sale"
    assert "192만원" in state["final_response"]["answer"]


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("11월 9일 식사에 396,000원을 쓴 것으로 적었어요.", False),
        ("11월 9일에 396,000원을 쓴 것으로 적었어요.", True),
        ("네.", True),
    ],
)
def test_what_an_answer_takes_up_is_not_called_left_out(answer: str, named: bool) -> None:
    left = [{"words": "11/9 식사 396,000원", "span": (0, 15)}]
    state = {"reading": {"acts": [], "claims": [], "left": left}}
    response = {"answer": answer, "structured_data": {"statements": []}}
    assert ("반영하지 못했어요" in closing(homes_assistant, state, response)) is named


@pytest.mark.parametrize(
    ("asked", "choices"),
    [
        ({"choices": [f"{n}번" for n in range(9)], "field": None, "question": "어느 쪽이에요?"}, 6),
        ({"choices": [], "field": "no_such_input", "question": "어느 쪽이에요?"}, 0),
        ({"choices": [], "field": None, "question": "어느 쪽이에요? " * 60}, 0),
    ],
)
async def test_a_question_back_beyond_its_limits_costs_no_further_call(asked: dict[str, Any], choices: int) -> None:
    state, requests, _ = await say("이거 되나요", reading("legal_consult", ask=asked), "쓰이지 않음")
    assert len(requests) == 1
    assert not state.get("fallbacks")
    assert state["final_response"]["answer"].startswith("어느 쪽이에요?")
    assert len(state["pending"]["choices"]) == choices


async def test_a_sentence_may_name_the_message_that_it_rests_on() -> None:
    text = "월세 62만원인데 1년이면 얼마예요"
    read = reading("legal_consult", act(text, "ask_how_much", "law"))
    said = "1년이면 62만원 × 12 = 744만원이에요. [m1]\n2년이면 1,588만원이에요. [m1]"
    state, requests, _ = await say(text, read, said)
    assert '<message id="m1">' in str(requests[-1]["messages"])
    answer = state["final_response"]
    assert "744만원이에요." in answer["answer"]
    assert "1,588만원" not in answer["answer"]
    assert answer["structured_data"]["statements"][0]["rests_on"] == [text]
