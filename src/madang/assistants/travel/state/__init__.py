"""The state of `travel`: one import for its types and for what is done with them."""

from typing import cast

from madang.assistants.travel.state.initial import GREETING, create_initial_state
from madang.assistants.travel.state.migrations import MIGRATIONS, migrate_state_v1_to_v2
from madang.assistants.travel.state.results import (
    AgentResult,
    BudgetBreakdown,
    BudgetItem,
    ExpertAnalysis,
    FlightLeg,
    FlightOption,
    HotelOption,
    Itinerary,
    ItineraryDay,
    ItineraryOptimization,
    Recommendation,
    TripPlan,
    Visit,
)
from madang.assistants.travel.state.session_files import load_state, save_state
from madang.assistants.travel.state.slots import TravelStateModel
from madang.assistants.travel.state.travel_state import SCHEMA_VERSION, DateWindow, MultiAgentTravelState, TravelState
from madang.state.size import cleanup, compress_messages
from madang.state.steps import ExecutionStepState

_ONLY_WHILE_RUNNING = ("agent_history", "errors")


def cleanup_state(state: TravelState) -> TravelState:
    """A copy of the state; once the trip is planned, without what only a running plan needs."""
    dropped = _ONLY_WHILE_RUNNING if state.get("current_step") == "done" else ()
    return cast(TravelState, cleanup(state, drop=dropped))


__all__ = [
    "GREETING",
    "MIGRATIONS",
    "SCHEMA_VERSION",
    "AgentResult",
    "BudgetBreakdown",
    "BudgetItem",
    "DateWindow",
    "ExecutionStepState",
    "ExpertAnalysis",
    "FlightLeg",
    "FlightOption",
    "HotelOption",
    "Itinerary",
    "ItineraryDay",
    "ItineraryOptimization",
    "MultiAgentTravelState",
    "Recommendation",
    "TravelState",
    "TravelStateModel",
    "TripPlan",
    "Visit",
    "cleanup_state",
    "compress_messages",
    "create_initial_state",
    "load_state",
    "migrate_state_v1_to_v2",
    "save_state",
]
