"""Answers that need no expert: everything is in the state already."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.travel.agents.trip_facts import cities_of, recommended
from madang.assistants.travel.data.world import locate
from madang.assistants.travel.tools.budget import LABELS
from madang.assistants.travel.tools.export import TripDocument, to_icalendar, to_markdown, to_svg
from madang.assistants.travel.tools.followups import FollowUp
from madang.assistants.travel.tools.plans import difference
from madang.assistants.travel.tools.transport import TIER_LABELS
from madang.graph import Answer

State = Mapping[str, Any]
FILES = {"markdown": ("md", "text/markdown"), "ics": ("ics", "text/calendar"), "map": ("svg", "image/svg+xml")}


def answer(state: State, meant: FollowUp) -> Answer:
    """The answer to a follow-up, from the state alone."""
    if meant.kind == "difference":
        return Answer(answer="세 플랜은 이렇게 다릅니다.\n" + difference(state["final_plans"]))
    if meant.kind == "why":
        reasons = "\n".join(f"- {reason}" for reason in state["recommendation"]["reasons"])
        return Answer(answer=f"{state['recommendation']['title']}을 추천한 이유입니다.\n{reasons}")
    if meant.kind == "cost":
        return cost(state)
    if meant.kind in ("rain", "show_day"):
        return day_answer(state, meant)
    if meant.kind in ("cheaper", "better"):
        return other_plan(state, -1 if meant.kind == "cheaper" else 1)
    if meant.kind == "export":
        return export(state, meant.format or "markdown")
    return still_here(state)


def still_here(state: State) -> Answer:
    """Small talk with a plan on the table."""
    plan = state["recommendation"]["title"]
    text = f"네! 지금은 {plan}을 추천해 드린 상태예요. 날짜, 예산, 숙소, 일정 가운데 바꾸고 싶은 것을 말씀해 주세요."
    return Answer(type="guidance", answer=text)


def cost(state: State) -> Answer:
    """The breakdown in words."""
    found = state["budget_breakdown"]
    lines = [f"- {LABELS[item['category']]}: {item['amount']:,}원 ({item['note']})" for item in found["items"]]
    rest = ""
    if found["remaining"] is not None:
        more = "남습니다" if found["remaining"] >= 0 else "모자랍니다"
        rest = f"\n예산 {found['budget']:,}원에서 {abs(found['remaining']):,}원이 {more}."
    text = f"합계 {found['total']:,}원(1인당 {found['per_person']:,}원, 추정)입니다.\n" + "\n".join(lines) + rest
    return Answer(answer=text, structured_data={"table": found["items"]})


def day_answer(state: State, meant: FollowUp) -> Answer:
    """One day, or what to do there when it rains; without a day, all of them."""
    days = state["itinerary"]["days"]
    if meant.day is None:
        wanted = days
    else:
        at = len(days) - 1 if meant.day == -1 else meant.day - 1
        if not 0 <= at < len(days):
            return Answer(type="guidance", answer=f"일정은 {len(days)}일까지 있어요. 며칠째 날을 볼까요?")
        wanted = [days[at]]
    rain = meant.kind == "rain"
    parts = []
    for day in wanted:
        places = (day.get("rain_alternative") or []) if rain else day["places"]
        listed = "\n".join(f"- {p['start']} {p['name']} ({p['minutes']}분)" for p in places)
        head = f"{day['day']}일째 {day['city']}" + (" (비 올 때)" if rain else "")
        parts.append(f"**{head}**\n{listed or '- 실내로 바꿀 곳이 없어 원래 일정을 그대로 두는 편이 낫습니다.'}")
    return Answer(answer="\n\n".join(parts))


def other_plan(state: State, step: int) -> Answer:
    """The next cheaper or better plan beside the recommended one."""
    plans = sorted(state["final_plans"], key=lambda plan: plan["total"])
    tier = state.get("chosen_plan") or state["recommendation"]["type"]
    at = next(i for i, plan in enumerate(plans) if plan["type"] == tier) + step
    if not 0 <= at < len(plans):
        edge = "가장 저렴한" if step < 0 else "가장 높은"
        return Answer(answer=f"이미 {edge} 플랜입니다. 기간이나 숙소 종류를 바꾸면 더 조정할 수 있어요.")
    now, other = plans[at - step], plans[at]
    text = f"{other['title']}은 {other['total']:,}원으로 {abs(now['total'] - other['total']):,}원 "
    text += "아낄 수 있어요." if step < 0 else "더 듭니다."
    return Answer(answer=text + f" “{TIER_LABELS[other['type']]} 플랜으로 할게”라고 하시면 정해 둘게요.")


def chosen(state: State, meant: FollowUp) -> Answer:
    """The user has taken a plan."""
    plan = next(plan for plan in state["final_plans"] if plan["type"] == meant.plan)
    lines = "\n".join(f"- {LABELS[item['category']]}: {item['amount']:,}원 ({item['note']})" for item in plan["items"])
    return Answer(answer=f"{plan['title']}으로 정했습니다. 총 {plan['total']:,}원(추정)입니다.\n{lines}")


def trip_document(state: State) -> TripDocument:
    """The trip as it can be taken away."""
    cities = cities_of(state)
    chosen_tier = state.get("chosen_plan") or state["recommendation"]["type"]
    hotels = [h for h in state["hotel_options"] if h["type"] == chosen_tier]
    return TripDocument(
        trip_id=state["session_id"],
        title=f"{'·'.join(cities)} {state['duration']}박{state['duration'] + 1}일",
        timezone=locate(cities[0]).timezone,
        days=state["itinerary"]["days"],
        flight=recommended(state["flight_options"], state["flight_analysis"]),
        hotels=hotels,
        plans=state["final_plans"],
        recommendation=state["recommendation"],
        notes=list(state["itinerary"].get("notes", ())),
    )


def export(state: State, form: str) -> Answer:
    """The trip as a file."""
    trip = trip_document(state)
    make = {"markdown": to_markdown, "ics": to_icalendar, "map": to_svg}[form]
    suffix, kind = FILES[form]
    file = {"filename": f"trip.{suffix}", "media_type": kind, "content": make(trip)}
    text = "여행을 파일로 만들었습니다." if form != "markdown" else file["content"]
    return Answer(answer=text, structured_data={"files": [file]})
