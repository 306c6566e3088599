"""Live offers in place of estimates. Without a key there is no provider and the estimates stand."""

from madang.assistants.travel.tools.providers.offers import live_providers
from madang.assistants.travel.tools.providers.ports import FlightProvider, HotelProvider
from madang.assistants.travel.tools.providers.selfservice import SelfServiceApi, SelfServiceKeys

__all__ = ["FlightProvider", "HotelProvider", "SelfServiceApi", "SelfServiceKeys", "live_providers"]
