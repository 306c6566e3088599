"""What is asked of a finished plan and worded from it: a short note, each one's share, rooms, the day home, a meal."""

import re
from datetime import timedelta

from madang.assistants.travel.answering.phrases import day_text, won
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import AskedQuestion
from madang.assistants.travel.state.trip_facts import (
    cities_of,
    current_plan,
    departure_of,
    nights_of,
    of_tier,
    people_of,
)
from madang.assistants.travel.tools.budget import LABELS
from madang.assistants.travel.tools.guide import FROM_PLAN

_SINGLES = re.compile(r"(?P<count>\d|한|두|세)\s?명은?\s?(?:싱글|1인실|독방)|(?P<pastor>목사님만|한\s?분만)")
_SEXES = re.compile(r"남자?\s?(?P<men>\d{1,2})\D{0,6}여자?\s?(?P<women>\d{1,2})")
GENERAL = "일반 계획"
_COUNTS = {"한": 1, "두": 2, "세": 3}


def from_plan(topic: str, asked: AskedQuestion, state: MultiAgentTravelState) -> str:
    """The answer, or nothing when the topic is another one or no plan stands."""
    if topic not in FROM_PLAN:
        return ""
    if topic == "room_share":
        return _rooms(asked["words"], state)
    if not state.get("final_plans"):
        return ""
    return {"short_note": _note, "per_person": _share, "return_day": _home, "group_meal": _meal}[topic](asked, state)


def _note(_asked: AskedQuestion, state: MultiAgentTravelState) -> str:
    days = state["itinerary"]["days"]
    plan = current_plan(state)
    cities = "·".join(cities_of(state))
    lines = [f"**{cities} {day_text(days[0]['date'])}~{day_text(days[-1]['date'])}, {people_of(state)}명**"]
    if "flights" not in (state.get("booked") or ()):
        option = of_tier(state["flight_options"], plan["flight_type"])
        out, back = option["outbound"], option["inbound"]
        lines.append(f"- 갈 때 {out['depart_at'][11:16]} 출발 → {out['arrive_at'][11:16]} 도착(예상, 예매 때 확인)")
        lines.append(f"- 올 때 {back['depart_at'][11:16]} 출발 → {back['arrive_at'][11:16]} 도착(예상)")
    for day in days:
        if GENERAL in day["title"]:
            lines.append(f"- {day_text(day['date'])}: ________")
            continue
        names = ", ".join(place["name"] for place in day["places"]) or "쉬는 날"
        lines.append(f"- {day_text(day['date'])}: {names}")
    lines.append("- 숙소 이름 ________ 전화 ________")
    lines.append(f"- 비용 1인당 약 {won(plan['total'] // (people_of(state) or 1))}(추정)")
    return "\n".join(lines)


def _share(asked: AskedQuestion, state: MultiAgentTravelState) -> str:
    plan, people = current_plan(state), people_of(state) or 1
    lines = [f"**{'·'.join(cities_of(state))} {plan['title']} 1인당 비용(추정)**"]
    lines += [
        f"- {LABELS[item['category']]} {won(item['amount'] // people)}" for item in plan["items"] if item["amount"]
    ]
    lines.append(f"- 합계 1인당 약 {won(plan['total'] // people)} ({people}명 총 {won(plan['total'])})")
    lines.append("- 따로: 여권·개인 쇼핑·팁, 혼자 방을 쓰면 방값 절반을 더 내요")
    rooms = _rooms(asked["words"], state) if _SINGLES.search(asked["words"]) else ""
    return "\n".join([*lines, *([f"- {rooms}"] if rooms else [])])


def _rooms(words: str, state: MultiAgentTravelState) -> str:
    people = people_of(state)
    sexes = _SEXES.search(words)
    singles = sum(
        _COUNTS.get(match["count"] or "", 0) or int(match["count"] or 1) for match in _SINGLES.finditer(words)
    )
    if sexes:
        men, women = int(sexes["men"]), int(sexes["women"])
        men -= 1 if "목사" in words and singles else 0
        doubles, odd = men // 2 + women // 2, men % 2 + women % 2
        left = f"{odd}명이 남아 1인실이나 3인실이 {odd}개 더" if odd else "남는 사람 없이"
        alone = f", 1인실 {singles}개까지" if singles else ","
        return (
            f"방은 남자 {men}명과 여자 {women}명을 따로 2인실로 나누면 2인실 {doubles}개에 {left}{alone} 모두 "
            f"{doubles + odd + singles}개가 필요해요. 부부가 있으면 달라지니 알려 주세요."
        )
    if not people or ("2인1실" not in words.replace(" ", "") and not singles):
        return ""
    shared = max(0, people - singles)
    doubles = -(-shared // 2)
    extra = f" + 1인실 {singles}개(1인실을 쓰는 사람은 방값을 혼자 내요)" if singles else ""
    return f"{people}명이면 2인실 {doubles}개{extra}가 필요해요."


def _home(_asked: AskedQuestion, state: MultiAgentTravelState) -> str:
    home = departure_of(state) + timedelta(days=nights_of(state))
    option = of_tier(state["flight_options"], current_plan(state)["flight_type"])
    arrives = option["inbound"]["arrive_at"]
    late = arrives[:10] != home.isoformat()
    said = f"{day_text(departure_of(state))}에 떠나 {nights_of(state)}박이면 현지에서 {day_text(home)}에 떠나요"
    return (
        f"{said}, 한국에는 다음 날인 {day_text(arrives[:10])} {arrives[11:16]}쯤 닿아요(추정)."
        if late
        else f"{said}, 같은 날 {arrives[11:16]}쯤 돌아와요(추정)."
    )


def _meal(asked: AskedQuestion, state: MultiAgentTravelState) -> str:
    """A meal that is wanted on a day: what to book, for how many, without what isn't eaten."""
    day = re.search(r"(?P<day>\d{1,2})\s?일", asked["words"])
    dates = [one["date"] for one in state["itinerary"]["days"]]
    on = next((date for date in dates if day and int(date[8:]) == int(day["day"])), None)
    when = f"{day_text(on)} 저녁" if on else "그 저녁"
    diet = ", ".join(state.get("diet") or ())
    without = f" 못 드시는 것({diet})을 예약할 때 꼭 말하세요." if diet else ""
    return (
        f"{when}은 식사 자리로 비워 두었어요: {people_of(state)}명, 18:30쯤, 방이 있는 조용한 곳으로 "
        f"일주일 전에 예약하는 것을 권해요.{without} "
        "식당 이름까지는 제 자료로 확인할 수 없어 지도 앱에서 ‘룸’과 최근 후기를 보고 고르세요."
    )
