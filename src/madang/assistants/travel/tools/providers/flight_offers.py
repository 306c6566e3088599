"""Flight offers in the self-service API's format."""

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from madang.assistants.travel.data.estimates import in_won
from madang.assistants.travel.data.world import airport_timezone, locate
from madang.assistants.travel.state.results import FlightLeg, FlightOption
from madang.assistants.travel.state.trip import Trip
from madang.assistants.travel.tools.flights import departure_airport
from madang.assistants.travel.tools.providers.selfservice import SelfServiceApi
from madang.assistants.travel.tools.providers.tiers import three_flights
from madang.errors import ServiceUnavailable

_DURATION = re.compile(r"P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?")


class LiveFlights:
    """Live return flights over the self-service API."""

    def __init__(self, api: SelfServiceApi, most: int = 30) -> None:
        self._api, self._most = api, most

    async def flights(self, trip: Trip) -> list[FlightOption]:
        """Up to three offers, one a tier, cheapest first; empty when nothing flies then.

        Raises ServiceUnavailable (QuotaExceeded), ConfigurationError for a refused key, InvalidInput for a bad request.
        """
        origin, goal = locate(trip.origin), locate(trip.cities[0])
        start, end = departure_airport(origin, goal), departure_airport(goal, origin)
        if not start or not end:
            return []
        params: dict[str, str | int] = {
            "originLocationCode": start,
            "destinationLocationCode": end,
            "departureDate": trip.depart.isoformat(),
            "returnDate": trip.home.isoformat(),
            "adults": max(1, trip.party.adults),
            "currencyCode": "KRW",
            "max": self._most,
            "nonStop": "true" if trip.direct_only else "false",
        }
        if trip.party.children:
            params["children"] = trip.party.children
        if trip.party.infants:
            params["infants"] = min(trip.party.infants, trip.party.adults)
        return three_flights(_read(await self._api.get("/v2/shopping/flight-offers", params), trip))


def _read(body: dict[str, Any], trip: Trip) -> list[FlightOption]:
    carriers = (body.get("dictionaries") or {}).get("carriers") or {}
    try:
        return [_option(offer, carriers, trip) for offer in body.get("data") or []]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ServiceUnavailable("항공권 응답의 형식이 다릅니다") from error


def _option(offer: dict[str, Any], carriers: dict[str, str], trip: Trip) -> FlightOption:
    there, back = offer["itineraries"][0], offer["itineraries"][1]
    code = (offer.get("validatingAirlineCodes") or [there["segments"][0]["carrierCode"]])[0]
    price = in_won(float(offer["price"]["grandTotal"]), offer["price"].get("currency", "KRW"))
    return {
        "type": "standard",
        "mode": "flight",
        "airline": carriers.get(code, code),
        "price": price,
        "price_per_person": price // trip.party.size,
        "outbound": _leg(there),
        "inbound": _leg(back),
        "is_estimate": False,
        "as_of": None,
        "source": "live",
    }


def _leg(itinerary: dict[str, Any]) -> FlightLeg:
    first, last = itinerary["segments"][0], itinerary["segments"][-1]
    departs = _local(first["departure"])
    arrives = _local(last["arrival"])
    stops = len(itinerary["segments"]) - 1 + sum(int(part.get("numberOfStops") or 0) for part in itinerary["segments"])
    return {
        "origin": first["departure"]["iataCode"],
        "destination": last["arrival"]["iataCode"],
        "depart_at": departs.isoformat(timespec="minutes"),
        "arrive_at": arrives.isoformat(timespec="minutes"),
        "duration_minutes": _minutes(itinerary.get("duration"), departs, arrives),
        "stops": stops,
        "day_change": (arrives.date() - departs.date()).days,
    }


def _local(end: dict[str, Any]) -> datetime:
    moment = datetime.fromisoformat(end["at"])
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(airport_timezone(end["iataCode"])))


def _minutes(text: str | None, departs: datetime, arrives: datetime) -> int:
    match = _DURATION.fullmatch(text or "")
    if match and any(match.groups()):
        days, hours, minutes = (int(part or 0) for part in match.groups())
        return days * 1440 + hours * 60 + minutes
    return int((arrives - departs).total_seconds() // 60)
