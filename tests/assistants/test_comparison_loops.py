"""Turns in which a model looks further: it chooses steps with arguments, reads what came of them, chooses again."""

from typing import Any

from madang.llm.testing import status
from tests.support import homes, trips
from tests.support.model_turns import act, claim, is_exploring, reading, scripted, step

BETTER = "전세 3억이랑 보증금 1억에 월세 70 중에 뭐가 나아? 전세는 2억을 4%로 빌려야 해. 둘 다 2년 계약이야"
ENOUGH: dict[str, Any] = {"enough": True, "steps": []}


def go_on(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"enough": False, "steps": list(steps)}


def figure(calculator: str, **inputs: Any) -> dict[str, Any]:
    given = [{"name": name, "value": value} for name, value in inputs.items()]
    return {"calculator": calculator, "inputs": given}


def further(calculator: str, **inputs: Any) -> dict[str, Any]:
    return step("further_calculation", **figure(calculator, **inputs))


def which() -> dict[str, Any]:
    asked = "전세 3억과 보증금 1억 월세 70만원 중 어느 쪽이 나은지"
    return reading("legal_consult", act(BETTER, "ask_which", "law", asked), steps=[step("legal_search")])


INTEREST = further("loan_payment", principal=200_000_000, annual_rate=4, years=2, method="interest_only")
AS_DEPOSIT = further("rent_to_deposit", monthly_rent=700_000)


async def test_homes_compares_over_several_calculations_each_a_step_of_the_plan() -> None:
    rounds = [go_on(INTEREST, AS_DEPOSIT), ENOUGH, go_on(AS_DEPOSIT), ENOUGH]
    said = "매달 나가는 돈을 견주어 보세요. [G]\n두 경우를 계산했어요. [F1,F2]"
    async with scripted(which(), said, explore=rounds) as (server, models):
        talk = homes.Talk(models=models)
        state = await talk.say(BETTER)
        made = [one for one in state["planning_state"]["execution_steps"] if one["agent"] == "further_calculation"]
        assert [one["status"] for one in made] == ["completed", "completed"]
        assert all(one["depends_on"] == [] for one in made), "they ran side by side"
        assert [one["calculator"] for one in state["further_figures"]] == ["loan_payment", "rent_to_deposit"]
        assert state["provenance"]["further_figures"]["tool"] == "calculators"
        assert state["rounds"] == 1
        assert [is_exploring(one) for one in server.requests] == [False, True, True, False]
        assert "66만 6,667원" in str(server.requests[2]), "the second round reads what the first came to"
        assert "66만 6,667원" in state["final_response"]["answer"], "and it is shown with its working"
        state = await talk.say(BETTER)
    kept = [one for one in state["planning_state"]["execution_steps"] if one["agent"] == "further_calculation"]
    assert [one.get("reused") for one in kept] == [True], "the same calculation is not made again"
    assert talk.calls["further_calculation"] == 0
    assert len(state["further_figures"]) == 1


async def test_a_number_nobody_said_is_not_calculated_and_the_model_is_told() -> None:
    invented = further("loan_payment", principal=555_000_000, annual_rate=4, years=2, method="interest_only")
    rounds = [go_on(invented, AS_DEPOSIT), ENOUGH]
    async with scripted(which(), "계산했어요. [F1]", explore=rounds) as (server, models):
        state = await homes.Talk(models=models).say(BETTER)
    assert [one["calculator"] for one in state["further_figures"]] == ["rent_to_deposit"]
    assert "555000000" in state["understood"]["not_chosen"][0]
    assert "555000000" in str(server.requests[2]["messages"][-1]), "what was not done is said in the next round"


async def test_homes_looks_at_rules_and_prices_too_and_what_does_not_exist_is_not_looked_for() -> None:
    rule = {"rule": "wait-new-tenant", "question": "새 세입자를 기다려야 하는지", "reversed": False}
    prices = {"region": "마포구", "deal_type": "jeonse", "area_m2": None, "property_type": None}
    rounds = [
        go_on(
            step("judgement", rules=[rule]),
            step("judgement", rules=[{**rule, "rule": "no-such-rule"}]),
            step("further_prices", **prices),
            step("further_prices", **{**prices, "region": "아틀란티스"}),
        ),
        ENOUGH,
    ]
    async with scripted(which(), "살펴봤어요. [F1]", explore=rounds) as (_, models):
        state = await homes.Talk(models=models).say(BETTER)
    assert [one["rule"] for one in state["judgements"]] == ["wait-new-tenant"]
    assert {(one["region"], one["deal_type"]) for one in state["further_prices"]} == {("서울특별시 마포구", "전세")}
    assert len(state["understood"]["not_chosen"]) == 2


async def test_several_loans_are_compared_in_a_loop_and_one_figure_is_not() -> None:
    text = "1억을 4%로 30년, 20년, 10년 세 가지 대출 나눠서 비교해줘"
    loans = [figure("loan_payment", principal=100_000_000, annual_rate=4, years=years) for years in (30, 20, 10)]
    three = reading("loan_consult", act(text, "order", "loan_payment"), steps=[step("calculation", figures=loans)])
    one_text = "1억을 4%로 30년이면 한 달에 얼마?"
    one = reading(
        "loan_consult", act(one_text, "ask_how_much", "loan_payment"), steps=[step("calculation", figures=loans[:1])]
    )
    async with scripted([three, one], "나누어 계산했어요. [F1]", explore=[ENOUGH]) as (server, models):
        talk = homes.Talk(models=models)
        await talk.say(text)
        assert [is_exploring(request) for request in server.requests] == [False, True, False]
        await talk.say(one_text)
        assert [is_exploring(request) for request in server.requests[3:]] == [False, False]


CITIES = "12월 18일부터 3박 둘이 가는데 오사카랑 후쿠오카 중에 어디가 나아?"
COMPARE = {
    "question": "오사카와 후쿠오카 견주기",
    "topics": ["compare"],
    "cities": ["오사카", "후쿠오카"],
    "places": [],
}
COMPARED = reading(
    "answer_questions",
    act(CITIES, "ask_which", "ask_place", "오사카와 후쿠오카 중 어디가 나은지"),
    claims=[
        claim("num_people", 2, "둘이"),
        claim("depart_date", "2026-12-18", "12월 18일"),
        claim("duration", 3, "3박"),
    ],
    steps=[step("local_guide", questions=[COMPARE])],
)


def trip(city: str, **changes: Any) -> dict[str, Any]:
    return step("trip_estimate", **{"city": city, "nights": 3, "departs": "2026-12-18", "lodging": None, **changes})


async def test_travel_compares_cities_and_ends_after_its_rounds() -> None:
    lookup = step("guide_lookup", **{**COMPARE, "topics": ["weather"]})
    rounds = [
        go_on(trip("오사카"), trip("후쿠오카"), lookup, trip("아틀란티스")),
        *(go_on(trip("오사카", nights=nights)) for nights in (2, 4, 5, 6)),
    ]
    async with scripted(COMPARED, "두 도시를 견주어 봤어요. [F1]", explore=rounds) as (server, models):
        state = await trips.Traveller(models=models).say(CITIES)
    assert state["rounds"] == 4
    assert len(server.requests) == 6, "understand, four rounds, answer"
    made = [(one["city"], one["nights"], one["people"]) for one in state["trip_estimates"]]
    assert made == [("오사카", 3, 2), ("후쿠오카", 3, 2), ("오사카", 2, 2), ("오사카", 4, 2), ("오사카", 5, 2)]
    assert state["looked_up"]
    assert "아틀란티스" in state["understood"]["not_chosen"][0]
    assert state["provenance"]["trip_estimates"]["source"]
    assert state["agent_results"]["trip_estimate"]["summary"] == "가지 5"


async def test_a_plan_that_was_ordered_beyond_its_budget_is_looked_into_and_one_within_it_is_not() -> None:
    text = "오사카 12월 18일부터 3박 둘이 30만원으로 짜줘"
    told = [
        claim("destination", "오사카", "오사카"), claim("depart_date", "2026-12-18", "12월 18일"),
        claim("duration", 3, "3박"), claim("num_people", 2, "둘이"), claim("budget", 300_000, "30만원"),
    ]  # fmt: skip
    ordered = reading("plan_trip", act(text, "order", "plan"), claims=told, steps=[step("coordinator", change=None)])
    more = "예산 300만원으로 바꿔줘"
    raised = reading(
        "change_trip", act(more, "change", "plan"), claims=[claim("budget", 3_000_000, "300만원")],
        steps=[step("coordinator", change=None)],
    )  # fmt: skip
    rounds = [go_on(trip("부산", nights=1, lodging="guesthouse")), ENOUGH]
    async with scripted([ordered, raised], "부산이면 더 싸요. [F1]", explore=rounds) as (server, models):
        traveller = trips.Traveller(models=models)
        state = await traveller.say(text)
        assert [one["city"] for one in state["trip_estimates"]] == ["부산"]
        assert [is_exploring(one) for one in server.requests] == [False, True, True, False]
        state = await traveller.say(more)
        assert [is_exploring(one) for one in server.requests[4:]] == [False, False]
    assert state["recommendation"]["fits"]


class Skipping:
    """A user who skips a step of the loop before it begins."""

    async def skipped(self) -> frozenset[str]:
        return frozenset({"step_2"})


async def test_a_step_of_a_loop_can_be_skipped_like_any_other() -> None:
    rounds = [go_on(trip("오사카"), trip("후쿠오카")), ENOUGH]
    async with scripted(COMPARED, "견주어 봤어요. [F1]", explore=rounds) as (_, models):
        state = await trips.Traveller(models=models, controls=Skipping()).say(CITIES)
    assert [one["status"] for one in state["execution_steps"]] == ["completed", "completed", "skipped"]
    assert len(state["trip_estimates"]) == 1


async def test_a_round_that_fails_ends_the_loop_and_the_user_is_told() -> None:
    async with scripted(COMPARED, "못 씁니다. [F1]", explore=[status(500)] * 3) as (server, models):
        state = await trips.Traveller(models=models).say(CITIES)
    assert state["rounds"] == 0
    assert not any(request.get("stream") for request in server.requests), "no further call after a service failure"
    assert "모델에 연결하지 못해" in state["response"]["answer"]
    assert "후쿠오카" in state["response"]["answer"]
