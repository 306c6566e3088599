"""What an answer about a trip may state: the plans, the days, the costs, answers to questions, suggested cities."""

from collections.abc import Iterator

from madang.assistants.travel.answering import lines
from madang.assistants.travel.answering.needs import needs_heard
from madang.assistants.travel.answering.notes import notes_of
from madang.assistants.travel.answering.phrases import won
from madang.assistants.travel.services import TravelTurn
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import TripEstimate
from madang.assistants.travel.state.trip_facts import current_plan
from madang.graph import Answer
from madang.llm.evidence import Evidence, Fact, numbered

SHOWN_PLAN = ("sections", "map")


def evidence(state: MultiAgentTravelState, _ctx: TravelTurn, ours: Answer) -> Evidence:
    """The facts of this turn. What was computed is a draft for the model, not an appendix: a plan that is shown beside
    its words and does something else is worse than none."""
    if ours.structured_data.get("file"):
        return Evidence(worded=False)
    return Evidence(facts=numbered(list(_facts(state))), proposes="sums", replaces=SHOWN_PLAN)


def _facts(state: MultiAgentTravelState) -> Iterator[Fact]:
    for said in state.get("said_first") or ():
        yield Fact(id="", kind="note", text=said, says=said, must=True)
    if state.get("final_plans"):
        yield from _plan(state)
    for estimate in state.get("trip_estimates") or ():
        yield _estimate(estimate)
    for one in (*(state.get("guide_answers") or ()), *(state.get("looked_up") or ())):
        text = f"질문 “{one['question']}”: {one['answer']} (자료: {one['source']}, {one['as_of']})"
        yield Fact(id="", kind="guide", text=text, says=one["answer"])
    for suggestion in state.get("suggestions") or ():
        reasons = "; ".join(reason for reason in suggestion["reasons"] if reason)
        yield Fact(
            id="", kind="row", text=f"추천 도시 {suggestion['city']}: {reasons}",
            says=f"{suggestion['city']}: {reasons}", subject=suggestion["city"],
        )  # fmt: skip
    if not state.get("final_plans"):
        for line in needs_heard(state):
            yield Fact(id="", kind="note", text=line)
        if question := (state.get("pending") or {}).get("question"):
            yield Fact(id="", kind="note", text=f"아직 모르는 것(꼭 필요할 때만 답 끝에 한 번 묻기): {question}")


def _estimate(one: TripEstimate) -> Fact:
    """What another trip would cost."""
    nights = f"{one['city']} {one['nights']}박({one['depart_date']} 출발, {one['people']}명)"
    costs = ", ".join(f"{title} {won(total)}" for title, total in one["totals"].items())
    fits = {None: "", True: f", 예산 {won(one['budget'] or 0)} 안", False: f", 예산 {won(one['budget'] or 0)} 초과"}
    says = f"{nights}: 가장 싸게 {won(one['cheapest'])}{fits[one['fits']]} (추정, 입장료 제외)"
    text = f"다른 여행의 비용 어림. {says}. {costs}, {one['as_of']} 기준"
    return Fact(id="", kind="row", text=text, says=f"{says}.", subject=one["city"])


def _plan(state: MultiAgentTravelState) -> Iterator[Fact]:
    plan = current_plan(state)
    for one in state["final_plans"]:
        left = one["remaining"]
        fits = "" if left is None else f", 예산보다 {won(-left)} 초과" if left < 0 else f", 예산에서 {won(left)} 남음"
        text = f"{one['title']}: 총 {won(one['total'])}(추정){fits}, {', '.join(one['highlights'])}"
        yield Fact(id="", kind="plan", text=f"계산한 초안 {text}", subject=one["title"])
    costs = "; ".join(lines.costs(plan["items"]))
    yield Fact(id="", kind="plan", text=f"{plan['title']} 비용: {costs}", subject=plan["title"])
    for line in (*lines.transport(state, plan), *lines.lodging(state, plan)):
        yield Fact(id="", kind="plan", text=line.removeprefix("- "))
    for day in (state.get("itinerary") or {}).get("days") or ():
        places = ", ".join(
            f"{place['start']}~{place['end']} {place['name']}({place['category']}{', 실내' if place['indoor'] else ''}"
            f"{f', 입장료 {won(fee)}' if (fee := place['fee']) else ''})"
            for place in day["places"]
        )
        meals = ", ".join(f"{meal['start']} {lines.MEALS[meal['kind']]} {meal['place']}" for meal in day["meals"])
        places = "; ".join(part for part in (lines.move(day), places, meals) if part)
        rain = ", ".join(place["name"] for place in day["rain_alternative"])
        text = f"{day['day']}일째 {day['date']} {day['city']} {day['title']}: {places}. 이동 {day['moving_minutes']}분."
        yield Fact(id="", kind="plan", text=f"{text} 비 오면: {rain}" if rain else text)
    for note in notes_of(state, first=state.get("before") is None):
        yield Fact(id="", kind="note", text=note)
