"""Which providers are on."""

import httpx

from madang.assistants.travel.tools.providers.flight_offers import LiveFlights
from madang.assistants.travel.tools.providers.hotel_offers import LiveHotels
from madang.assistants.travel.tools.providers.ports import FlightProvider, HotelProvider
from madang.assistants.travel.tools.providers.selfservice import SelfServiceApi, SelfServiceKeys


def live_providers(
    keys: SelfServiceKeys | None, client: httpx.AsyncClient | None
) -> tuple[FlightProvider | None, HotelProvider | None]:
    """Both providers over one client; neither without a key."""
    if keys is None or client is None or not keys.client_id or not keys.client_secret:
        return None, None
    api = SelfServiceApi(keys, client)
    return LiveFlights(api), LiveHotels(api)
