"""The travel experts, and what understands and answers around them."""

from madang.assistants.travel.agents.budget_manager import budget_manager
from madang.assistants.travel.agents.coordinator import coordinator
from madang.assistants.travel.agents.flight_expert import flight_expert
from madang.assistants.travel.agents.hotel_expert import hotel_expert
from madang.assistants.travel.agents.itinerary_planner import itinerary_planner

AGENTS = (flight_expert, hotel_expert, itinerary_planner, budget_manager, coordinator)

__all__ = ["AGENTS", "budget_manager", "coordinator", "flight_expert", "hotel_expert", "itinerary_planner"]
