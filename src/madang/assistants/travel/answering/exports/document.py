"""The trip to export, and its Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass

from madang.assistants.travel.state.results import FlightOption, ItineraryDay, Recommendation, Stay, TripPlan
from madang.assistants.travel.state.trip_facts import clock_span
from madang.assistants.travel.tools.budget import LABELS

_MEALS = {"lunch": "점심", "dinner": "저녁"}


@dataclass(frozen=True)
class TripDocument:
    """A trip as the state has it. `trip_id` makes the calendar's identifiers stable."""

    trip_id: str
    title: str
    timezone: str
    days: Sequence[ItineraryDay]
    flight: FlightOption | None = None
    hotels: Sequence[Stay] = ()
    plans: Sequence[TripPlan] = ()
    recommendation: Recommendation | None = None
    notes: Sequence[str] = ()


def to_markdown(trip: TripDocument) -> str:
    """Headings for plans, transport, lodging and days; every estimate is marked."""
    parts = [f"# {_plain(trip.title)}", *_transport(trip), *_lodging(trip), *_plans(trip)]
    for day in trip.days:
        parts += _day(day)
    if trip.notes:
        parts += ["## 알아 두세요", "\n".join(f"- {_plain(note)}" for note in trip.notes)]
    return "\n\n".join(parts) + "\n"


def _plain(text: object) -> str:
    """Free text that can't break a table or a heading."""
    return " ".join(str(text).replace("|", "\\|").split())


def _mark(option: FlightOption | Stay) -> str:
    return f" (추정, {option['as_of']} 기준)" if option["is_estimate"] else ""


def _transport(trip: TripDocument) -> list[str]:
    if not trip.flight:
        return []
    flight, rows = trip.flight, []
    for name, leg in (("가는 편", flight["outbound"]), ("오는 편", flight["inbound"])):
        ends = f"{leg['origin']} {_moment(leg['depart_at'])} → {leg['destination']} {_moment(leg['arrive_at'])}"
        rows.append(f"- {name}: {ends}")
    rows += [f"- {_plain(flight['airline'])}"] if flight["airline"] else []
    return ["## 교통", "\n".join([*rows, f"- {flight['price']:,}원{_mark(flight)}"])]


def _lodging(trip: TripDocument) -> list[str]:
    if not trip.hotels:
        return []
    rows = [
        f"- {_plain(hotel['name'])}, {hotel['nights']}박: {hotel['total_price']:,}원{_mark(hotel)}"
        for hotel in trip.hotels
    ]
    return ["## 숙소", "\n".join(rows)]


def _plans(trip: TripDocument) -> list[str]:
    if not trip.plans:
        return []
    head = "| 항목 | " + " | ".join(_plain(plan["title"]) for plan in trip.plans) + " |"
    rule = "|---|" + "---:|" * len(trip.plans)
    rows = [head, rule]
    for category, label in LABELS.items():
        amounts = [next((i["amount"] for i in plan["items"] if i["category"] == category), 0) for plan in trip.plans]
        rows.append(f"| {label} | " + " | ".join(f"{amount:,}" for amount in amounts) + " |")
    rows.append("| **합계** | " + " | ".join(f"**{plan['total']:,}**" for plan in trip.plans) + " |")
    parts = ["## 플랜", "\n".join(rows)]
    if trip.recommendation:
        reasons = "\n".join(f"- {_plain(reason)}" for reason in trip.recommendation["reasons"])
        parts += [f"추천: **{_plain(trip.recommendation['title'])}**", reasons]
    return [part for part in parts if part]


def _day(day: ItineraryDay) -> list[str]:
    head = f"## {day['day']}일차 {day['date']} {_plain(day['title'])}"
    rows = []
    if move := day["move"]:
        ends = f"{_plain(move['origin'])} → {_plain(move['destination'])}"
        rows.append(f"| {clock_span(move)} | {ends} | {move['minutes']}분 | - |")
    for visit in day["places"]:
        fee = f"{visit['fee']:,}원" if visit["fee"] else "-"
        times = f"{visit['start']}–{visit['end']}"
        rows.append(f"| {times} | {_plain(visit['name'])} | {visit['travel_minutes']}분 | {fee} |")
    for meal in day["meals"]:
        what = f"{_MEALS[meal['kind']]}: {_plain(meal['place'])}"
        rows.append(f"| {meal['start']}–{meal['end']} | {what} | - | - |")
    rows = ["| 시간 | 장소 | 이동 | 입장료 |", "|---|---|---:|---:|", *sorted(rows)]
    figures = f"이동 {day['moving_minutes']}분, 관람 {day['visiting_minutes']}분, {day['km']}km"
    rain = [visit["name"] for visit in day["rain_alternative"]]
    parts = [head, "\n".join(rows) if day["places"] else "이동과 휴식", figures]
    return [*parts, f"비가 오면: {_plain(', '.join(rain))}"] if rain else parts


def _moment(iso: str) -> str:
    return f"{iso[:10]} {iso[11:16]}"
