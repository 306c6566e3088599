"""Markdown, iCalendar and the map."""

import re
from datetime import UTC, date, datetime
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madang.assistants.travel.answering.exports import TripDocument, to_icalendar, to_markdown, to_svg
from madang.assistants.travel.answering.exports.calendar import escape, fold
from madang.assistants.travel.tools.flights import FlightRequest, search_flights
from madang.assistants.travel.tools.hotels import HotelRequest, search_hotels
from madang.assistants.travel.tools.itinerary import ItineraryRequest, plan_itinerary
from madang.assistants.travel.tools.party import Party
from madang.assistants.travel.tools.plans import PlanInputs, Priced, make_plans, recommend

DAY = date(2026, 3, 27)


@pytest.fixture(scope="module")
def trip() -> TripDocument:
    flight = search_flights(FlightRequest("서울", "파리", DAY, 4, Party(2))).options[1]
    hotel = search_hotels(HotelRequest("파리", DAY, 4, Party(2)))
    plan = plan_itinerary(
        ItineraryRequest(("파리",), DAY, 4, arrive_at=flight.outbound.arrive_at, leave_at=flight.inbound.depart_at)
    )
    inputs = PlanInputs(
        (Priced("budget", 1, ""), Priced("standard", 2, ""), Priced("premium", 3, "")),
        tuple(Priced(option.type, option.total_price, option.name) for option in hotel.options),
        plan.fees_per_person(),
        (("파리", 4),),
        Party(2),
        5_000_000,
    )
    plans = make_plans(inputs)
    return TripDocument(
        trip_id="trip-1",
        title="파리; 4박 | 5일",
        timezone="Europe/Paris",
        days=list(plan.itinerary()["days"]),
        flight=flight.as_dict(),
        hotels=[hotel.options[1].as_dict()],
        plans=[plan.as_dict() for plan in plans],
        recommendation=recommend(plans, inputs).as_dict(),
        notes=plan.notes,
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
    flight = trip.flight or {}
    departs = datetime.fromisoformat(flight["outbound"]["depart_at"]).astimezone(UTC)
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
