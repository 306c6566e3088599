"""The trip to export, and its Markdown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from madang.assistants.travel.tools.budget import LABELS

JsonObject = Mapping[str, Any]


@dataclass(frozen=True)
class TripDocument:
    """A trip as state has it: plain JSON values. `trip_id` makes the calendar's identifiers stable."""

    trip_id: str
    title: str
    timezone: str
    days: list[JsonObject]
    flight: JsonObject | None = None
    hotels: list[JsonObject] = field(default_factory=list)
    plans: list[JsonObject] = field(default_factory=list)
    recommendation: JsonObject | None = None
    notes: list[str] = field(default_factory=list)


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


def _mark(row: JsonObject) -> str:
    if not row.get("is_estimate", True):
        return ""
    return f" (추정, {row['as_of']} 기준)" if row.get("as_of") else " (추정)"


def _transport(trip: TripDocument) -> list[str]:
    if not trip.flight:
        return []
    flight, rows = trip.flight, []
    for name, key in (("가는 편", "outbound"), ("오는 편", "inbound")):
        leg = flight.get(key)
        if leg:
            ends = f"{leg['origin']} {_moment(leg['depart_at'])} → {leg['destination']} {_moment(leg['arrive_at'])}"
            rows.append(f"- {name}: {ends}")
    carrier = f"- {_plain(flight['airline'])}" if flight.get("airline") else ""
    price = f"- {flight['price']:,}원{_mark(flight)}"
    return ["## 교통", "\n".join(line for line in [*rows, carrier, price] if line)]


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
        reasons = "\n".join(f"- {_plain(reason)}" for reason in trip.recommendation.get("reasons", []))
        parts += [f"추천: **{_plain(trip.recommendation['title'])}**", reasons]
    return [part for part in parts if part]


def _day(day: JsonObject) -> list[str]:
    head = f"## {day['day']}일차 {day.get('date') or ''} {_plain(day['title'])}".rstrip()
    rows = ["| 시간 | 장소 | 이동 | 입장료 |", "|---|---|---:|---:|"]
    for visit in day["places"]:
        fee = f"{visit['fee']:,}원" if visit.get("fee") else "-"
        move = visit.get("travel_minutes") or 0
        rows.append(f"| {visit['start']}–{visit['end']} | {_plain(visit['name'])} | {move}분 | {fee} |")
    figures = f"이동 {day.get('moving_minutes', 0)}분, 관람 {day.get('visiting_minutes', 0)}분, {day.get('km', 0)}km"
    rain = [visit["name"] for visit in day.get("rain_alternative", [])]
    parts = [head, "\n".join(rows) if day["places"] else "이동과 휴식", figures]
    return [*parts, f"비가 오면: {_plain(', '.join(rain))}"] if rain else parts


def _moment(iso: str) -> str:
    return f"{iso[:10]} {iso[11:16]}"
