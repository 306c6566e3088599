"""iCalendar (RFC 5545): flights in their own zones, visits in the city's, folded lines, stable identifiers."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from madang.assistants.travel.answering.exports.document import TripDocument
from madang.assistants.travel.answering.exports.zones import vtimezone
from madang.assistants.travel.state.results import ItineraryDay

_STAMP = "20260101T000000Z"
_FOLD = 75


def to_icalendar(trip: TripDocument, stamp: datetime | None = None) -> str:
    """One event a leg (in UTC) and a visit (in the city's zone, which is defined in the file).

    The same trip always gives the same identifiers, so importing it again updates rather than doubles.
    """
    made = stamp.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ") if stamp else _STAMP
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Madang//travel//KO",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{escape(trip.title)}",
        f"X-WR-TIMEZONE:{trip.timezone}",
    ]
    years = [int(day["date"][:4]) for day in trip.days]
    if years:
        lines += vtimezone(trip.timezone, min(years), max(years))
    for event in _events(trip):
        lines += event.lines(trip.trip_id, made)
    lines.append("END:VCALENDAR")
    return "".join(fold(line) for line in lines)


class _Event:
    def __init__(self, key: str, summary: str, start: datetime, end: datetime, **more: str) -> None:
        self.key, self.summary, self.start, self.end, self.more = key, summary, start, end, more

    def lines(self, trip_id: str, made: str) -> list[str]:
        uid = hashlib.sha256(f"{trip_id}\n{self.key}".encode()).hexdigest()[:32]
        more = [f"{name.upper()}:{value}" for name, value in self.more.items() if value]
        return [
            "BEGIN:VEVENT",
            f"UID:{uid}@madang.travel",
            f"DTSTAMP:{made}",
            f"DTSTART{_when(self.start)}",
            f"DTEND{_when(self.end)}",
            f"SUMMARY:{escape(self.summary)}",
            *more,
            "END:VEVENT",
        ]


def _events(trip: TripDocument) -> Iterator[_Event]:
    legs = {"outbound": trip.flight["outbound"], "inbound": trip.flight["inbound"]} if trip.flight else {}
    for key, leg in legs.items():
        name = f"{leg['origin']} → {leg['destination']}"
        yield _Event(key, name, datetime.fromisoformat(leg["depart_at"]), datetime.fromisoformat(leg["arrive_at"]))
    for day in trip.days:
        yield from _visits(day, ZoneInfo(trip.timezone))


def _visits(day: ItineraryDay, zone: ZoneInfo) -> Iterator[_Event]:
    if move := day["move"]:
        name = f"{move['origin']} → {move['destination']}"
        ends = (_local(day["date"], move[end], zone) for end in ("start", "end"))
        yield _Event(f"{day['date']} move", name, *ends)
    for at, visit in enumerate(day["places"]):
        start, end = _local(day["date"], visit["start"], zone), _local(day["date"], visit["end"], zone)
        place = f"{visit['latitude']:.6f};{visit['longitude']:.6f}"
        about = f"{visit['category']}, 이동 {visit['travel_minutes']}분"
        key = f"{day['date']} {at} {visit['name']}"
        yield _Event(
            key, visit["name"], start, end, geo=place, location=escape(visit["name"]), description=escape(about)
        )


def _local(day: str, clock: str, zone: ZoneInfo) -> datetime:
    hours, minutes = map(int, clock.split(":"))
    midnight = datetime.combine(date.fromisoformat(day), datetime.min.time())
    return (midnight + timedelta(hours=hours, minutes=minutes)).replace(tzinfo=zone)


def _when(moment: datetime) -> str:
    if isinstance(moment.tzinfo, ZoneInfo):
        return f";TZID={moment.tzinfo.key}:{moment.strftime('%Y%m%dT%H%M%S')}"
    return f":{moment.astimezone(UTC).strftime('%Y%m%dT%H%M%SZ')}"


def escape(text: str) -> str:
    """Text as a property value: backslash, semicolon, comma and line breaks escaped, other controls dropped."""
    plain = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    plain = plain.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")
    return "".join(char for char in plain if char >= " ")


def fold(line: str) -> str:
    """A content line cut into pieces of at most 75 octets, never inside a character, ended by CRLF."""
    pieces: list[str] = []
    piece, size = "", 0
    for char in line:
        width = len(char.encode())
        if size + width > _FOLD:
            pieces.append(piece)
            piece, size = " ", 1
        piece += char
        size += width
    return "\r\n".join([*pieces, piece]) + "\r\n"
