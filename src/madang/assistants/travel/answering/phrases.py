"""Korean for what the state holds: dates, money, and what a turn changed."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from madang.assistants.travel.state.results import SlotChange
from madang.assistants.travel.tools.transport import MODE_LABELS, TIER_LABELS
from madang.text.particles import with_direction, with_object, with_topic

STAYS = {"hotel": "호텔", "guesthouse": "게스트하우스", "airbnb": "에어비앤비"}


def day_text(day: date | str) -> str:
    """12월 18일(금)."""
    day = date.fromisoformat(day) if isinstance(day, str) else day
    return f"{day.month}월 {day.day}일({'월화수목금토일'[day.weekday()]})"


def won(amount: int) -> str:
    return f"{amount:,}원"


def nights_text(nights: int) -> str:
    return f"{nights}박{nights + 1}일"


def what_changed(changes: Sequence[SlotChange], home: date) -> str:
    """What the user's words changed, a short sentence each: 4박5일로 바꿨어요(12월 22일 귀국)."""
    by_slot = {change["slot"]: change for change in changes}
    said = {slot: sentence for slot, change in by_slot.items() if (sentence := _sentence(slot, change, by_slot))}
    if "duration" in said:
        said["duration"] = said["duration"].replace(".", f"({day_text(home)} 귀국).")
    return " ".join(said.values())


def _sentence(slot: str, change: SlotChange, others: Mapping[str, SlotChange]) -> str:
    before, after = change["before"], change["after"]
    if slot in _LISTS:
        return _of_list(slot, before or [], after or [])
    if slot == "budget_basis" and "budget" in others:
        return ""
    if not after and slot in ("hotel_tier", "flight_tier"):
        return f"{with_object(_NAMES[slot])} 처음대로 되돌렸어요."
    if not after:
        return f"{with_topic(_NAMES[slot])} 정하지 않은 것으로 할게요." if slot in _NAMES else ""
    if slot == "city_nights":
        return f"{with_direction(', '.join(f'{city} {nights}박' for city, nights in after.items()))} 나눴어요."
    if slot == "duration":
        return f"{with_direction(nights_text(after))} 바꿨어요."
    if slot == "budget":
        return f"예산을 {won(after)}으로 바꿨어요{_each(others)}."
    if slot == "depart_window":
        return f"{day_text(after['from'])}~{day_text(after['to'])} 사이 출발로 바꿨어요."
    if slot in _NEEDS:
        said = MODE_LABELS.get(after, after)
        return _NEEDS[slot].format(with_direction(said) if slot == "transport" else said)
    if slot in _PLAIN:
        return _PLAIN[slot].format(day_text(after) if slot == "depart_date" else after)
    form, names = _FORMS.get(slot, ("", {}))
    return form.format(with_direction(names.get(after, str(after)))) if form else ""


def _each(others: Mapping[str, SlotChange]) -> str:
    basis, amount = others.get("budget_basis"), others.get("budget_amount")
    per_person = basis and amount and basis["after"] == "per_person" and amount["after"]
    return f"(1인당 {won(amount['after'])})" if amount and per_person else ""


def _of_list(slot: str, before: Sequence[str], after: Sequence[str]) -> str:
    added, dropped = _LISTS[slot]
    if slot == "cities" and not set(before) & set(after):
        return f"목적지를 {with_direction('·'.join(after))} 바꿨어요."
    new, gone = [x for x in after if x not in before], [x for x in before if x not in after]
    said = [added.format(with_object("·".join(new)))] if new else []
    said += [dropped.format(with_object("·".join(gone)))] if gone else []
    return " ".join(said)


def trip_summary(slots: Mapping[str, Any]) -> str:
    """What is known so far in one line: 오사카 · 3박4일 · 2명."""
    cities = slots.get("destinations") or ([slots["destination"]] if slots.get("destination") else [])
    parts = ["·".join(cities)] if cities else []
    parts += [nights_text(slots["duration"])] if slots.get("duration") else []
    parts += [f"{slots['num_people']}명"] if slots.get("num_people") else []
    parts += [f"예산 {won(slots['budget'])}"] if slots.get("budget") else []
    parts += ["·".join(slots["travel_style"])] if slots.get("travel_style") else []
    return " · ".join(parts)


_FORMS: dict[str, tuple[str, Mapping[Any, str]]] = {
    "num_people": ("인원을 {} 바꿨어요.", {n: f"{n}명" for n in range(1, 11)}),
    "children": ("아이를 {} 맞췄어요.", {n: f"{n}명" for n in range(1, 11)}),
    "infants": ("유아를 {} 맞췄어요.", {n: f"{n}명" for n in range(1, 11)}),
    "budget_basis": ("예산을 {} 다시 계산했어요.", {"total": "전체 기준", "per_person": "1인당 기준"}),
    "preferred_airline": ("항공사를 {} 바꿨어요.", {}),
    "accommodation_preference": ("숙소를 {} 바꿨어요.", STAYS),
    "pace": ("일정을 {} 바꿨어요.", {"relaxed": "여유로운 속도", "normal": "보통 속도", "packed": "꽉 찬 속도"}),
    "budget_flexibility": ("{} 맞출게요.", {"strict": "예산을 넘지 않는 쪽", "flexible": "예산을 조금 넘어도 되는 쪽"}),
    "hotel_tier": ("숙소를 {} 바꿨어요.", {tier: f"{label} 등급" for tier, label in TIER_LABELS.items()}),
    "flight_tier": ("교통편을 {} 바꿨어요.", {tier: f"{label} 등급" for tier, label in TIER_LABELS.items()}),
}
_PLAIN = {
    "origin": "{} 출발로 바꿨어요.",
    "depart_date": "{} 출발로 바꿨어요.",
    "direct_only": "직항만 골랐어요.",
}
_NEEDS = {
    "arrive_time": "첫날을 {} 도착에 맞췄어요.",
    "leave_time": "마지막 날을 {} 출발에 맞췄어요.",
    "outings_a_day": "하루 {}곳까지만 나가게 했어요.",
    "max_flight": "비행은 {:g}시간 안으로 볼게요.",
    "transport": "이동은 {} 잡았어요.",
    "lodging_budget": "숙소를 1박 {:,}원 이하로 맞췄어요.",
}
_LISTS = {
    "rest_times": ("{} 쉬는 시간으로 비웠어요.", "{} 다시 쓸 수 있게 했어요."),
    "avoid": ("{} 빼기로 했어요.", "{} 다시 넣을 수 있게 했어요."),
    "access": ("{} 생각해서 일정을 봤어요.", "{} 조건에서 뺐어요."),
    "diet": ("{} 기억해 두었어요.", "{} 조건에서 뺐어요."),
    "cities": ("{} 목적지로 잡았어요.", "{} 목적지에서 뺐어요."),
    "travel_style": ("{} 여행 스타일에 넣었어요.", "{} 여행 스타일에서 뺐어요."),
    "must_visit_places": ("{} 꼭 갈 곳에 넣었어요.", "{} 꼭 갈 곳에서 뺐어요."),
    "avoid_places": ("{} 일정에서 뺐어요.", "{} 다시 일정에 넣을 수 있게 했어요."),
}
_NAMES = {
    "budget": "예산",
    "preferred_airline": "항공사",
    "accommodation_preference": "숙소 종류",
    "origin": "출발지",
    "depart_date": "출발일",
    "pace": "일정 속도",
    "hotel_tier": "숙소 등급",
    "flight_tier": "교통편 등급",
}
