"""The travel experts, and what understands and answers around them."""

from madang.assistants.travel.agents.budget_manager import budget_manager
from madang.assistants.travel.agents.coordinator import coordinator
from madang.assistants.travel.agents.destination_advisor import destination_advisor
from madang.assistants.travel.agents.flight_expert import flight_expert
from madang.assistants.travel.agents.hotel_expert import hotel_expert
from madang.assistants.travel.agents.itinerary_planner import itinerary_planner
from madang.assistants.travel.agents.local_guide import local_guide

AGENTS = (
    flight_expert,
    hotel_expert,
    itinerary_planner,
    budget_manager,
    coordinator,
    local_guide,
    destination_advisor,
)

__all__ = [
    "AGENTS",
    "budget_manager",
    "coordinator",
    "destination_advisor",
    "flight_expert",
    "hotel_expert",
    "itinerary_planner",
    "local_guide",
]
