"""The answer to a planned trip, composed from the state: every figure is one that an expert wrote."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.travel.agents.trip_facts import cities_of
from madang.assistants.travel.data.rates import as_of
from madang.assistants.travel.tools.budget import LABELS
from madang.assistants.travel.tools.plans import difference
from madang.graph import Answer, TurnContext

State = Mapping[str, Any]


async def respond(state: State, _ctx: TurnContext) -> Answer:
    """The plans, the recommended trip day by day, what was assumed and what is estimated."""
    sections = [section for section in (_overview(state), _plans(state), _days(state), _budget(state)) if section]
    notes = _notes(state)
    text = "\n\n".join(f"### {section['title']}\n{section['content']}" for section in sections)
    if notes:
        text += "\n\n### 알아 두세요\n" + "\n".join(f"- {note}" for note in notes)
    return Answer(
        answer=text or "계획을 세우지 못했습니다.",
        structured_data={
            "sections": [*sections, *([{"title": "알아 두세요", "content": "\n".join(notes)}] if notes else [])],
            "metadata": {"sources": _sources(state), "estimates_as_of": as_of(), "assumptions": state["assumptions"]},
            "map": _map_points(state),
        },
    )


def _overview(state: State) -> dict[str, Any]:
    start = state.get("depart_date") or state["assumptions"].get("depart_date")
    when = f"{start} 출발" + ("" if state.get("depart_date") else "(가정)")
    people = f"{state['num_people']}명"
    nights = f"{state['duration']}박{state['duration'] + 1}일"
    lines = [f"{'·'.join(cities_of(state))} {nights}, {people}, {when}"]
    if state.get("budget"):
        lines.append(f"예산 {state['budget']:,}원")
    chosen = state.get("recommendation")
    if chosen:
        lines.append(f"추천: **{chosen['title']}** 총 {chosen['total']:,}원(추정)")
        lines += [f"- {reason}" for reason in chosen["reasons"]]
        if chosen.get("changes"):
            lines.append("예산에 맞추려면 (작은 변화부터):")
            lines += [f"- {change['text']}" for change in chosen["changes"]]
    return {"title": "여행 계획", "content": "\n".join(lines)}


def _plans(state: State) -> dict[str, Any] | None:
    plans = state.get("final_plans")
    if not plans:
        return None
    return {"title": "세 가지 플랜", "content": difference(plans), "table": plans}


def _days(state: State) -> dict[str, Any] | None:
    days = (state.get("itinerary") or {}).get("days")
    if not days:
        return None
    lines = []
    for day in days:
        moving = f"이동 {day['moving_minutes']}분" if day.get("moving_minutes") else ""
        lines.append(f"**{day['day']}일째 {day['city']}** {moving}".strip())
        lines += [f"- {place['start']}–{place['end']} {place['name']}" for place in day["places"]]
    return {"title": "날짜별 일정", "content": "\n".join(lines)}


def _budget(state: State) -> dict[str, Any] | None:
    found = state.get("budget_breakdown")
    if not found:
        return None
    lines = [f"- {LABELS[item['category']]}: {item['amount']:,}원 ({item['note']})" for item in found["items"]]
    if found["remaining"] is not None:
        word = "남음" if found["remaining"] >= 0 else "부족"
        lines.append(f"합계 {found['total']:,}원, {abs(found['remaining']):,}원 {word}")
    lines += found["savings"]
    chart = [{"label": LABELS[item["category"]], "value": item["amount"]} for item in found["items"]]
    return {"title": "예산", "content": "\n".join(lines), "chart": {"type": "bar", "data": chart}}


def _notes(state: State) -> list[str]:
    notes = []
    assumed = state.get("assumptions") or {}
    if "depart_date" in assumed:
        notes.append(
            f"출발일을 말씀하지 않아 {assumed['depart_date']} 출발로 가정했습니다. 날짜를 알려 주시면 다시 계산합니다."
        )
    if "origin" in assumed:
        notes.append(f"출발지는 {assumed['origin']}(으)로 가정했습니다.")
    for analysis in ("flight_analysis", "hotel_analysis"):
        notes += (state.get(analysis) or {}).get("notes") or []
    notes += (state.get("itinerary") or {}).get("notes") or []
    options = [*(state.get("flight_options") or ()), *(state.get("hotel_options") or ())]
    if any(option.get("is_estimate") for option in options):
        notes.append(f"요금은 거리·계절·휴일로 계산한 추정값입니다 ({as_of()} 기준). 예약 전에 실제 값을 확인하세요.")
    return list(dict.fromkeys(notes))


def _sources(state: State) -> list[str]:
    named = [source.get("source") for source in (state.get("provenance") or {}).values()]
    return list(dict.fromkeys(str(name) for name in named if name))


def _map_points(state: State) -> list[dict[str, Any]]:
    days = (state.get("itinerary") or {}).get("days") or ()
    return [
        {"day": day["day"], "name": place["name"], "lat": place["latitude"], "lon": place["longitude"]}
        for day in days
        for place in day["places"]
    ]
