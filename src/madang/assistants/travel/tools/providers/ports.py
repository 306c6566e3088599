"""What a live provider offers the experts, one interface for flights and one for hotels."""

from typing import Protocol

from madang.assistants.travel.state.results import FlightOption, HotelOption
from madang.assistants.travel.state.trip import Trip


class FlightProvider(Protocol):
    """Live return flights."""

    async def flights(self, trip: Trip) -> list[FlightOption]:
        """Up to three offers, one a tier, cheapest first; empty when nothing flies then.

        Raises ServiceUnavailable (QuotaExceeded), ConfigurationError for a refused key, InvalidInput for a bad request.
        """
        ...


class HotelProvider(Protocol):
    """Live stays in the first city of a trip."""

    async def hotels(self, trip: Trip) -> list[HotelOption]:
        """Up to three offers, one a tier, cheapest first; empty when nothing is free. Raises as `flights` does."""
        ...
