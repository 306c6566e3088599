"""What a live provider offers the experts, one interface for flights and one for hotels."""

from typing import Protocol

from madang.assistants.travel.tools.flights import FlightRequest
from madang.assistants.travel.tools.hotels import HotelRequest, StayOption
from madang.assistants.travel.tools.transport import TransportOption


class FlightProvider(Protocol):
    """Live return flights."""

    async def flights(self, request: FlightRequest) -> list[TransportOption]:
        """Up to three offers, one a tier, cheapest first; empty when nothing flies then.

        Raises ServiceUnavailable (QuotaExceeded), ConfigurationError for a refused key, InvalidInput for a bad request.
        """
        ...


class HotelProvider(Protocol):
    """Live stays."""

    async def hotels(self, request: HotelRequest) -> list[StayOption]:
        """Up to three offers, one a tier, cheapest first; empty when nothing is free. Raises as `flights` does."""
        ...
