"""The travel experts, and what understands and answers around them."""

from madang.assistants.travel.agents.budget_manager import budget_manager
from madang.assistants.travel.agents.coordinator import coordinator
from madang.assistants.travel.agents.destination_advisor import destination_advisor
from madang.assistants.travel.agents.flight_expert import flight_expert
from madang.assistants.travel.agents.guide_lookup import guide_lookup
from madang.assistants.travel.agents.hotel_expert import hotel_expert
from madang.assistants.travel.agents.itinerary_planner import itinerary_planner
from madang.assistants.travel.agents.local_guide import local_guide
from madang.assistants.travel.agents.outside_tool import outside_tool
from madang.assistants.travel.agents.trip_estimate import trip_estimate

AGENTS = (
    flight_expert,
    hotel_expert,
    itinerary_planner,
    budget_manager,
    coordinator,
    local_guide,
    destination_advisor,
    trip_estimate,
    guide_lookup,
    outside_tool,
)

__all__ = [
    "AGENTS",
    "budget_manager",
    "coordinator",
    "destination_advisor",
    "flight_expert",
    "guide_lookup",
    "hotel_expert",
    "itinerary_planner",
    "local_guide",
    "outside_tool",
    "trip_estimate",
]
