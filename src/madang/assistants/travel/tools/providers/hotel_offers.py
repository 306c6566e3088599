"""Hotel offers in the self-service API's format: hotels around a point, then their offers."""

from datetime import timedelta
from typing import Any

from madang.assistants.travel.data.rates import won
from madang.assistants.travel.tools.hotels import HotelRequest, StayOption, rooms_for
from madang.assistants.travel.tools.itinerary.windows import base_of
from madang.assistants.travel.tools.providers.selfservice import SelfServiceApi
from madang.assistants.travel.tools.providers.tiers import three_stays
from madang.errors import ServiceUnavailable


class LiveHotels:
    """A HotelProvider over the self-service API."""

    def __init__(self, api: SelfServiceApi, most: int = 20, radius_km: int = 5) -> None:
        self._api, self._most, self._radius = api, most, radius_km

    async def hotels(self, request: HotelRequest) -> list[StayOption]:
        base = base_of(request.city)
        near = await self._api.get(
            "/v1/reference-data/locations/hotels/by-geocode",
            {"latitude": f"{base.lat:.5f}", "longitude": f"{base.lon:.5f}", "radius": self._radius, "radiusUnit": "KM"},
        )
        ids = [str(row["hotelId"]) for row in near.get("data") or [] if row.get("hotelId")][: self._most]
        if not ids:
            return []
        rooms = rooms_for(request.party, "hotel")
        offers = await self._api.get(
            "/v3/shopping/hotel-offers",
            {
                "hotelIds": ",".join(ids),
                "checkInDate": request.check_in.isoformat(),
                "checkOutDate": (request.check_in + timedelta(days=request.nights)).isoformat(),
                "adults": max(1, -(-request.party.adults // rooms)),
                "roomQuantity": rooms,
                "currency": "KRW",
                "bestRateOnly": "true",
            },
        )
        return three_stays(_read(offers, request, rooms))


def _read(body: dict[str, Any], request: HotelRequest, rooms: int) -> list[StayOption]:
    try:
        found = [_option(row, request, rooms) for row in body.get("data") or [] if row.get("available", True)]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ServiceUnavailable("숙소 응답의 형식이 다릅니다") from error
    return [option for option in found if option is not None]


def _option(row: dict[str, Any], request: HotelRequest, rooms: int) -> StayOption | None:
    offers = row.get("offers") or []
    if not offers:
        return None
    hotel = row["hotel"]
    best = min(offers, key=lambda offer: float(offer["price"]["total"]))
    total = won(float(best["price"]["total"]), best["price"].get("currency", "KRW"))
    return StayOption(
        type="standard",
        name=str(hotel["name"]),
        city=request.city,
        area=None,
        accommodation="hotel",
        price_per_night=total // request.nights,
        rooms=rooms,
        nights=request.nights,
        total_price=total,
        latitude=hotel.get("latitude"),
        longitude=hotel.get("longitude"),
        as_of=None,
        rating=float(hotel["rating"]) if hotel.get("rating") else None,
        is_estimate=False,
        source="live",
    )
