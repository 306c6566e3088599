"""Day-by-day plans: places chosen by taste, grouped by area, ordered by travel time within opening hours."""

from madang.assistants.travel.tools.itinerary.model import Day, ItineraryPlan, ItineraryRequest, Meal, Visit
from madang.assistants.travel.tools.itinerary.planner import plan_itinerary

__all__ = ["Day", "ItineraryPlan", "ItineraryRequest", "Meal", "Visit", "plan_itinerary"]
