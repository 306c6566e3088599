"""The travel assistant, wired."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from madang.assistants.travel.agents import AGENTS
from madang.assistants.travel.agents.composer import respond
from madang.assistants.travel.agents.fresh_start import emptied
from madang.assistants.travel.agents.needs_collector import understand
from madang.assistants.travel.agents.tracking import track
from madang.assistants.travel.data.rates import as_of
from madang.assistants.travel.state import GREETING, MIGRATIONS, MultiAgentTravelState, create_initial_state
from madang.assistants.travel.tools.slots import SLOTS
from madang.graph import Assistant, Deployment

WISHES = ("assumptions", "flight_tier", "hotel_tier", "direct_only", "day_paces", "avoid_places")
TOLD = (
    "remembered",
    "waived",
    "pending_slot",
    "pending_choices",
    "chosen_plan",
    "info_collected",
    "slot_changes",
    "before",
)


@dataclass
class Services:
    """Live providers, if their keys are set. Built once per process; the client is made when first needed."""

    environ: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _providers(self) -> tuple[Any, Any]:
        from madang.assistants.travel.tools.providers import SelfServiceKeys, live_providers

        name, secret = self.environ.get("MADANG_TRAVEL_API_ID", ""), self.environ.get("MADANG_TRAVEL_API_SECRET", "")
        if not name or not secret:
            return None, None
        import httpx

        return live_providers(SelfServiceKeys(name, secret), httpx.AsyncClient(timeout=15))

    @property
    def flight_provider(self) -> Any:
        return self._providers[0]

    @property
    def hotel_provider(self) -> Any:
        return self._providers[1]

    @cached_property
    def data_versions(self) -> dict[str, str]:
        live = "live" if self._providers[0] else "off"
        return {"estimates": as_of(), "cities": as_of(), "live_flights": live, "live_hotels": live}


def initial() -> dict[str, Any]:
    """A new conversation's state, without what the runtime gives."""
    state = emptied({}) | dict(create_initial_state())
    return {name: value for name, value in state.items() if name not in ("session_id", "errors", "step_records")}


def services(deployment: Deployment) -> Services:
    return Services(deployment.environ)


def preferences(state: Mapping[str, Any]) -> dict[str, Any]:
    """What is worth remembering of a traveller."""
    names = ("origin", "travel_style", "accommodation_preference", "pace", "preferred_airline")
    return {name: state.get(name) for name in names}


assistant = Assistant(
    name="travel",
    title="여행 플래너",
    description="대화로 짜는 여행: 항공, 숙소, 날짜별 일정, 예산, 세 가지 플랜",
    greeting=GREETING,
    examples=("오사카 3박4일 둘이 200만원, 맛집 위주로", "다음 달 말에 제주도 가족여행, 애 둘 있어요"),
    state=MultiAgentTravelState,
    agents=AGENTS,
    understand=understand,
    respond=respond,
    inputs=(*SLOTS, *WISHES, *TOLD),
    track=track,
    initial=initial,
    migrations=MIGRATIONS,
    services=services,
    preferences=preferences,
)
