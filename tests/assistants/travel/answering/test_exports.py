"""Markdown, iCalendar and the map."""

import re
from datetime import UTC, date, datetime
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madang.assistants.travel.answering.exports import TripDocument, to_icalendar, to_markdown, to_svg
from madang.assistants.travel.answering.exports.calendar import escape, fold
from madang.assistants.travel.state.results import TIERS
from madang.assistants.travel.state.trip import Party, Trip
from madang.assistants.travel.state.trip_facts import entrance_fees
from madang.assistants.travel.tools.flights import search_flights
from madang.assistants.travel.tools.hotels import search_hotels
from madang.assistants.travel.tools.itinerary import ItineraryQuery, plan_itinerary
from madang.assistants.travel.tools.plans import PlanInputs, make_plans

DAY = date(2026, 3, 27)


@pytest.fixture(scope="module")
def trip() -> TripDocument:
    asked = Trip(("파리",), DAY, 4, Party(2))
    flights, hotels = search_flights(asked).options, search_hotels(asked).options
    arrive, leave = flights[1]["outbound"]["arrive_at"], flights[1]["inbound"]["depart_at"]
    days, _ = plan_itinerary(ItineraryQuery(("파리",), DAY, 4, arrive_at=arrive, leave_at=leave))
    plans, chosen = make_plans(
        PlanInputs(flights, hotels, dict.fromkeys(TIERS, entrance_fees(days)), asked.stays, asked.party, 5_000_000)
    )
    return TripDocument(
        trip_id="trip-1",
        title="파리; 4박 | 5일",
        timezone="Europe/Paris",
        days=days["days"],
        flight=flights[1],
        hotels=[hotels[1]],
        plans=plans,
        recommendation=chosen,
        notes=days["notes"],
    )


def test_the_document_names_every_place_and_marks_estimates(trip: TripDocument) -> None:
    text = to_markdown(trip)
    assert text.startswith("# 파리; 4박 \\| 5일\n")
    for day in trip.days:
        for visit in day["places"]:
            assert visit["name"] in text
    assert "추정" in text
    for plan in trip.plans:
        assert f"**{plan['total']:,}**" in text
    assert len({line.count("|") for line in text.splitlines() if line.startswith("| 식비")}) == 1


def test_the_calendar_has_an_event_for_each_leg_and_visit(trip: TripDocument) -> None:
    text = to_icalendar(trip)
    events = sum(len(day["places"]) for day in trip.days) + 2
    assert text.count("BEGIN:VEVENT\r\n") == text.count("END:VEVENT\r\n") == events
    assert text.startswith("BEGIN:VCALENDAR\r\n")
    assert text.endswith("END:VCALENDAR\r\n")
    assert len(set(re.findall(r"UID:(\S+)", text))) == events
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "\n" not in text.replace("\r\n", "")


def test_the_calendar_is_the_same_each_time_but_another_trips_differs(trip: TripDocument) -> None:
    assert to_icalendar(trip) == to_icalendar(trip)
    other = to_icalendar(TripDocument("trip-2", trip.title, trip.timezone, trip.days, trip.flight))
    assert not set(re.findall(r"UID:(\S+)", to_icalendar(trip))) & set(re.findall(r"UID:(\S+)", other))
    assert "DTSTAMP:20260401T030000Z" in to_icalendar(trip, datetime(2026, 4, 1, 3, tzinfo=UTC))


def test_summer_time_begins_within_the_trip_and_is_defined(trip: TripDocument) -> None:
    text = to_icalendar(trip)
    zone = text[text.index("BEGIN:VTIMEZONE") : text.index("END:VTIMEZONE")]
    assert "BEGIN:DAYLIGHT\r\nDTSTART:20260329T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200" in zone
    assert "DTSTART;TZID=Europe/Paris:20260328T" in text
    assert trip.flight
    departs = datetime.fromisoformat(trip.flight["outbound"]["depart_at"]).astimezone(UTC)
    assert departs.strftime("DTSTART:%Y%m%dT%H%M%SZ") in text


@given(st.text(max_size=200))
def test_folding_and_escaping_lose_nothing(text: str) -> None:
    escaped = escape(text)
    folded = fold(f"SUMMARY:{escaped}")
    assert folded.endswith("\r\n")
    assert folded[:-2].replace("\r\n ", "") == f"SUMMARY:{escaped}"
    assert all(len(line.encode()) <= 75 for line in folded.split("\r\n"))
    assert not re.search(r"(?<!\\)(?:\\\\)*[;,]", escaped)


def test_the_map_is_well_formed_and_keeps_everything_in_its_frame(trip: TripDocument) -> None:
    root = ElementTree.fromstring(to_svg(trip))
    space = "{http://www.w3.org/2000/svg}"
    circles = [circle for group in root.iter(f"{space}g") for circle in group.iter(f"{space}circle")]
    assert len(circles) == sum(len(day["places"]) for day in trip.days)
    assert all(0 <= float(circle.attrib["cx"]) <= 800 and 0 <= float(circle.attrib["cy"]) <= 560 for circle in circles)
    assert "http" not in to_svg(trip).replace("http://www.w3.org/2000/svg", "")


def test_a_trip_without_places_still_exports() -> None:
    empty = TripDocument("t", "<빈 여행>", "Asia/Tokyo", [])
    assert ElementTree.fromstring(to_svg(empty)).tag.endswith("svg")
    assert "BEGIN:VEVENT" not in to_icalendar(empty)
    assert to_markdown(empty) == "# <빈 여행>\n"
