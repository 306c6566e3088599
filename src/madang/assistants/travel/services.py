"""What the agents reach: live providers of flights and hotels, if their keys are set."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from madang.assistants.travel.data.climate import climate_source
from madang.assistants.travel.data.estimates import as_of
from madang.assistants.travel.data.facts import facts_source
from madang.graph import Deployment, TurnContext

if TYPE_CHECKING:
    from madang.assistants.travel.tools.providers.flight_offers import LiveFlights
    from madang.assistants.travel.tools.providers.hotel_offers import LiveHotels
    from madang.search.faq import Faq


@dataclass
class TravelServices:
    """Built once per process; the providers' client is made when first needed."""

    environ: Mapping[str, str] = field(default_factory=dict)

    def rehearsal(self) -> "TravelServices":
        """Without live providers."""
        return TravelServices()

    @cached_property
    def _providers(self) -> "tuple[LiveFlights, LiveHotels] | tuple[None, None]":
        name, secret = self.environ.get("MADANG_TRAVEL_API_ID", ""), self.environ.get("MADANG_TRAVEL_API_SECRET", "")
        if not name or not secret:
            return None, None
        import httpx

        from madang.assistants.travel.tools.providers.flight_offers import LiveFlights
        from madang.assistants.travel.tools.providers.hotel_offers import LiveHotels
        from madang.assistants.travel.tools.providers.selfservice import SelfServiceApi, SelfServiceKeys

        api = SelfServiceApi(SelfServiceKeys(name, secret), httpx.AsyncClient(timeout=15))
        return LiveFlights(api), LiveHotels(api)

    @property
    def flight_provider(self) -> "LiveFlights | None":
        return self._providers[0]

    @property
    def hotel_provider(self) -> "LiveHotels | None":
        return self._providers[1]

    @cached_property
    def faq(self) -> "Faq":
        """Narrow questions with their answers."""
        from madang.search.faq import Faq

        return Faq.packaged("madang.assistants.travel.data")

    @cached_property
    def data_versions(self) -> dict[str, str]:
        """What a step's result depends on besides its reads."""
        live = "live" if self.flight_provider else "off"
        return {
            "estimates": as_of(),
            "cities": as_of(),
            "facts": facts_source()[1],
            "faq": self.faq.version,
            "climate": climate_source()[1],
            "live_flights": live,
            "live_hotels": live,
        }


def services(deployment: Deployment) -> TravelServices:
    return TravelServices(deployment.environ)


TravelTurn = TurnContext[TravelServices]
