"""Hotel offers in the self-service API's format: hotels around a point, then their offers."""

from typing import Any

from madang.assistants.travel.data.estimates import in_won
from madang.assistants.travel.state.results import HotelOption
from madang.assistants.travel.state.trip import Trip
from madang.assistants.travel.tools.hotels import rooms_for
from madang.assistants.travel.tools.itinerary.windows import base_of
from madang.assistants.travel.tools.providers.selfservice import SelfServiceApi
from madang.assistants.travel.tools.providers.tiers import three_stays
from madang.errors import ServiceUnavailable


class LiveHotels:
    """Live stays in the first city of a trip over the self-service API."""

    def __init__(self, api: SelfServiceApi, most: int = 20, radius_km: int = 5) -> None:
        self._api, self._most, self._radius = api, most, radius_km

    async def hotels(self, trip: Trip) -> list[HotelOption]:
        """Up to three offers, one a tier, cheapest first; empty when nothing is free. Raises as `flights` does."""
        base = base_of(trip.cities[0])
        near = await self._api.get(
            "/v1/reference-data/locations/hotels/by-geocode",
            {"latitude": f"{base.lat:.5f}", "longitude": f"{base.lon:.5f}", "radius": self._radius, "radiusUnit": "KM"},
        )
        ids = [str(row["hotelId"]) for row in near.get("data") or [] if row.get("hotelId")][: self._most]
        if not ids:
            return []
        rooms = rooms_for(trip.party, "hotel")
        offers = await self._api.get(
            "/v3/shopping/hotel-offers",
            {
                "hotelIds": ",".join(ids),
                "checkInDate": trip.depart.isoformat(),
                "checkOutDate": trip.home.isoformat(),
                "adults": max(1, -(-trip.party.adults // rooms)),
                "roomQuantity": rooms,
                "currency": "KRW",
                "bestRateOnly": "true",
            },
        )
        return three_stays(_read(offers, trip, rooms))


def _read(body: dict[str, Any], trip: Trip, rooms: int) -> list[HotelOption]:
    try:
        found = [_option(row, trip, rooms) for row in body.get("data") or [] if row.get("available", True)]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ServiceUnavailable("숙소 응답의 형식이 다릅니다") from error
    return [option for option in found if option is not None]


def _option(row: dict[str, Any], trip: Trip, rooms: int) -> HotelOption | None:
    offers = row.get("offers") or []
    if not offers:
        return None
    hotel = row["hotel"]
    best = min(offers, key=lambda offer: float(offer["price"]["total"]))
    total = in_won(float(best["price"]["total"]), best["price"].get("currency", "KRW"))
    return {
        "type": "standard",
        "name": str(hotel["name"]),
        "city": trip.cities[0],
        "area": None,
        "accommodation": "hotel",
        "price_per_night": total // trip.nights,
        "rooms": rooms,
        "nights": trip.nights,
        "total_price": total,
        "rating": float(hotel["rating"]) if hotel.get("rating") else None,
        "latitude": hotel.get("latitude"),
        "longitude": hotel.get("longitude"),
        "is_estimate": False,
        "as_of": None,
        "source": "live",
    }
