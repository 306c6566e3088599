"""Day-by-day plans: places chosen by taste, grouped by area, ordered by travel time within opening hours."""

from madang.assistants.travel.tools.itinerary.model import ItineraryQuery
from madang.assistants.travel.tools.itinerary.planner import plan_itinerary

__all__ = ["ItineraryQuery", "plan_itinerary"]
