"""Answers that need no expert: everything is in the state already."""

import re
from itertools import pairwise

from madang.assistants.travel.answering import lines, tables
from madang.assistants.travel.answering.export import export
from madang.assistants.travel.answering.phrases import day_text, nights_text, trip_summary, won
from madang.assistants.travel.services import TravelTurn
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import Itinerary, ItineraryDay, Tier, TripPlan
from madang.assistants.travel.state.trip_facts import (
    cities_of,
    current_plan,
    itinerary_of,
    nights_of,
    of_tier,
    people_of,
    stays_of,
)
from madang.assistants.travel.tools.budget import LABELS
from madang.assistants.travel.tools.transport import TIER_LABELS
from madang.assistants.travel.understanding.follow_ups import FollowUp
from madang.graph import Answer
from madang.text.blocks import spaced
from madang.text.particles import with_direction, with_object, with_topic

_COSTS = re.compile(r"비용|얼마|금액|영수증|돈")
_NO_COSTS = re.compile(r"(?:비용|금액|돈)[은는을를]?\s?(?:빼|제외|말고|없이)")


async def answer(state: MultiAgentTravelState, meant: FollowUp, ctx: TravelTurn) -> Answer:
    """The answer to a follow-up, from the state alone."""
    if meant.kind == "export":
        return await export(state, meant.format or "markdown", ctx)
    if meant.kind in ("rain", "show_day"):
        return day_answer(state, meant)
    if meant.kind in ("cheaper", "better"):
        return other_plan(state, -1 if meant.kind == "cheaper" else 1)
    if meant.kind == "show_plan" and meant.plan:
        return one_plan(state, meant.plan)
    if meant.kind == "summary":
        return summary(state)
    simple = {"difference": difference, "why": why, "cost": cost, "other_hotels": other_hotels, "thanks": thanks}
    return simple.get(meant.kind, plan_so_far)(state)


def plan_so_far(state: MultiAgentTravelState) -> Answer:
    """A message that asks for nothing we know, with a plan on the table."""
    plan = current_plan(state)
    text = (
        f"지금 계획은 {trip_summary(state)}, {plan['title']} 총 {won(plan['total'])}(추정)이에요. "
        "날짜, 예산, 숙소, 일정 가운데 무엇을 바꿀까요? “호텔만 더 좋은 데로”, “둘째 날 비 오면?”처럼 말씀해 주세요."
    )
    return Answer(
        type="guidance",
        answer=text,
        structured_data={"choices": ["호텔만 더 좋은 데로", "더 싸게", "플랜 차이가 뭐야"]},
    )


def summary(state: MultiAgentTravelState) -> Answer:
    """The days in short, a line each, to be passed on; costs only where they are asked for."""
    days = state["itinerary"]["days"]
    said = [f"{trip_head(state)}"]
    said += [
        f"- {day_text(day['date'])} {day['city']}: "
        + (" → ".join(place["name"] for place in day["places"]) or "자유 시간")
        for day in days
    ]
    if _COSTS.search(state["query"]) and not _NO_COSTS.search(state["query"]):
        plan = current_plan(state)
        each = plan["total"] // (people_of(state) or 1)
        said.append(f"총 {won(plan['total'])}, 1인당 {won(each)}(추정)")
    said.append("“문서로 저장해줘”, “캘린더로 내보내줘”라고 하시면 파일로도 드려요.")
    return Answer(answer=spaced(said), structured_data={"table": tables.days(days)})


def trip_head(state: MultiAgentTravelState) -> str:
    """Where, when and who in one line."""
    cities, nights = "·".join(cities_of(state)), nights_text(nights_of(state))
    first, last = state["itinerary"]["days"][0]["date"], state["itinerary"]["days"][-1]["date"]
    return f"**{cities} {nights}, {people_of(state)}명** {day_text(first)}~{day_text(last)}"


def thanks(state: MultiAgentTravelState) -> Answer:
    plan = current_plan(state)
    text = f"네! {plan['title']} 그대로 두었어요. 정하시려면 “{plan['title']}으로 할게”, "
    return Answer(type="guidance", answer=text + "가져가시려면 “캘린더로 내보내줘”라고 해 주세요.")


def difference(state: MultiAgentTravelState) -> Answer:
    """What sets the three plans apart: where the money goes."""
    plans = state["final_plans"]
    said = ["세 플랜은 교통편, 숙소 등급, 식비가 다르고, 일정도 각자의 교통편 시각과 입장료에 맞춰 달라요."]
    said += lines.plans(plans, state.get("recommendation"))
    said += [_days_of(plan, itinerary_of(state["itineraries"], plan)) for plan in plans if state.get("itineraries")]
    for cheap, dear in pairwise(plans):
        said.append(f"{cheap['title']} → {dear['title']}: {_gaps(cheap, dear)}")
    return Answer(answer=spaced(said), structured_data={"table": tables.plans(plans)})


def _days_of(plan: TripPlan, days: Itinerary) -> str:
    """How much of the first and the last day a plan has, and how much it sees."""
    first, last = days["days"][0]["window"][0], days["days"][-1]["window"][1]
    seen = "" if days["is_general"] else f", {sum(len(day['places']) for day in days['days'])}곳"
    return f"{plan['title']} 일정: 첫날 {first}부터 마지막 날 {last}까지{seen}"


def _gaps(cheap: TripPlan, dear: TripPlan) -> str:
    before = {item["category"]: item["amount"] for item in cheap["items"]}
    gaps = {item["category"]: item["amount"] - before[item["category"]] for item in dear["items"]}
    largest = sorted((name for name in gaps if gaps[name]), key=lambda name: -abs(gaps[name]))
    return ", ".join(f"{LABELS[name]} {gaps[name]:+,}원" for name in largest)


def _largest(cheap: TripPlan, dear: TripPlan) -> str:
    before = {item["category"]: item["amount"] for item in cheap["items"]}
    most = max(dear["items"], key=lambda item: abs(item["amount"] - before[item["category"]]))
    return f"{LABELS[most['category']]} {won(abs(most['amount'] - before[most['category']]))}"


def why(state: MultiAgentTravelState) -> Answer:
    chosen = state["recommendation"]
    assert chosen is not None
    if not chosen["fits"]:
        why_not = f"예산 {won(state['budget'] or 0)}에 드는 플랜이 없어"
        opening = f"{why_not} 가장 저렴한 {with_object(chosen['title'])} 보여 드리고 있어요."
        changes = [f"- {change['text']}" for change in chosen["changes"]]
        return Answer(answer=spaced([opening, *(["이렇게 하면 예산에 들어와요.", *changes] if changes else [])]))
    reasons = [f"- {reason}" for reason in chosen["reasons"]]
    return Answer(answer=spaced([f"{with_object(chosen['title'])} 추천한 이유예요.", *reasons]))


def cost(state: MultiAgentTravelState) -> Answer:
    """The costs of the plan in force."""
    plan = current_plan(state)
    each = plan["total"] // (people_of(state) or 1)
    said = [f"{with_topic(plan['title'])} 모두 {won(plan['total'])}, 1인당 {won(each)}이에요(추정)."]
    said += lines.costs(plan["items"])
    left = plan["remaining"]
    if left is not None:
        more = "남아요" if left >= 0 else "모자라요"
        said.append(f"예산 {won(state['budget'] or 0)}에서 {won(abs(left))}이 {more}.")
    recommended = state.get("recommendation")
    savings = recommended["savings"] if recommended else []
    said += ["줄일 수 있는 곳:", *(f"- {saving}" for saving in savings)] if savings else []
    return Answer(answer=spaced(said), structured_data={"table": tables.costs(plan["items"])})


def one_plan(state: MultiAgentTravelState, tier: Tier) -> Answer:
    plan = of_tier(state["final_plans"], tier)
    said = [f"**{plan['title']}, 총 {won(plan['total'])}(추정)**"]
    said += lines.transport(state, plan) + lines.lodging(state, plan) + lines.costs(plan["items"])
    if state.get("itineraries"):
        said += lines.days(itinerary_of(state["itineraries"], plan)["days"])
    return Answer(answer=spaced(said), structured_data={"table": tables.costs(plan["items"])})


def other_hotels(state: MultiAgentTravelState) -> Answer:
    now = current_plan(state)["hotel_type"]
    said = ["고를 수 있는 숙소예요."]
    for option in state["hotel_options"]:
        name = TIER_LABELS[option["type"]] + ("(지금)" if option["type"] == now else "")
        said += [lines.stay(part, name) for part in stays_of(option)]
    said.append("“숙소만 더 좋은 데로” 또는 “게스트하우스로 바꿔줘”처럼 말씀해 주세요.")
    return Answer(answer=spaced(said), structured_data={"table": tables.hotels(state["hotel_options"])})


def day_answer(state: MultiAgentTravelState, meant: FollowUp) -> Answer:
    """One day, or what to do there when it rains; without a day, all of them."""
    days = state["itinerary"]["days"]
    if meant.day is not None:
        at = len(days) - 1 if meant.day == -1 else meant.day - 1
        if not 0 <= at < len(days):
            return Answer(type="guidance", answer=f"일정은 {len(days)}일까지 있어요. 며칠째 날을 볼까요?")
        days = [days[at]]
    if meant.kind == "show_day":
        return Answer(answer=spaced(lines.days(days)), structured_data={"table": tables.days(days)})
    said = ["비가 오면 이렇게 바꾸면 돼요." if len(days) > 1 else ""]
    for day in days:
        said += [f"{lines.day_head({**day, 'moving_minutes': 0})} (비 올 때)", *_rain(day)]
    return Answer(answer=spaced(said))


def _rain(day: ItineraryDay) -> list[str]:
    dry = day["rain_alternative"]
    if not dry:
        if all(place["indoor"] for place in day["places"]):
            return ["- 모두 실내라 그대로 다니시면 돼요."]
        return ["- 가까운 실내 장소가 없어 시간을 비워 두는 편이 나아요."]
    usual = {place["name"] for place in day["places"]}
    dropped = usual - {place["name"] for place in dry}
    said = [
        f"- {place['start']}–{place['end']} {place['name']}{'' if place['name'] in usual else ' (대신)'}"
        for place in dry
    ]
    return [*said, f"- 빼는 곳: {', '.join(sorted(dropped))}"] if dropped else said


def other_plan(state: MultiAgentTravelState, step: int) -> Answer:
    """The next cheaper or better plan beside the one in force."""
    plans = sorted(state["final_plans"], key=lambda plan: plan["total"])
    now = current_plan(state)
    at = next(i for i, plan in enumerate(plans) if plan["type"] == now["type"]) + step
    if not 0 <= at < len(plans):
        edge = "저렴한" if step < 0 else "높은"
        hint = (
            "기간을 줄이거나 게스트하우스로 바꾸면 더 낮출 수 있어요."
            if step < 0
            else "숙소나 항공만 따로 올릴 수도 있어요."
        )
        return Answer(answer=f"이미 가장 {edge} {now['title']}이에요. {hint}")
    other = plans[at]
    gap = abs(now["total"] - other["total"])
    text = f"{with_topic(other['title'])} 총 {won(other['total'])}(추정)으로 {won(gap)} " + (
        "아낄 수 있어요. " if step < 0 else "더 들어요. "
    )
    cheap, dear = (other, now) if step < 0 else (now, other)
    where = f"{_largest(cheap, dear)} 차이가 가장 커요. "
    choice = f"{other['title']}으로 할게"
    return Answer(answer=text + where + f"“{choice}”라고 하시면 정해 둘게요.", structured_data={"choices": [choice]})


def chosen(state: MultiAgentTravelState, meant: FollowUp) -> Answer:
    """The user has taken a plan."""
    plan = of_tier(state["final_plans"], meant.plan)
    said = [f"{with_direction(plan['title'])} 정했어요. 총 {won(plan['total'])}(추정)이에요."]
    said += lines.transport(state, plan) + lines.lodging(state, plan)
    said.append("예약은 직접 하셔야 해요. “캘린더로 내보내줘”라고 하시면 일정을 파일로 드릴게요.")
    return Answer(answer=spaced(said), structured_data={"plan": dict(plan), "choices": ["캘린더로 내보내줘"]})
