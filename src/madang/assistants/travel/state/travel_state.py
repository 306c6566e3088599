"""The state of a whole `travel` conversation: phase 1 collects the slots, phase 2 adds the experts."""

from typing import Annotated, Any, Literal

from typing_extensions import TypedDict

from madang.assistants.travel.state.results import (
    Accommodation,
    AgentResult,
    AskedQuestion,
    Booked,
    BudgetBreakdown,
    EarlierPlan,
    ExpertAnalysis,
    FlightOption,
    FlightTimes,
    GuideAnswer,
    HotelOption,
    Itinerary,
    ItineraryOptimization,
    Mode,
    Pace,
    Recommendation,
    SlotChange,
    Suggestion,
    Tier,
    TripEstimate,
    TripPlan,
)
from madang.graph.state import TurnState
from madang.state.fields import SENSITIVE, Range, Turn
from madang.state.reducers import append, merge_by_key, merge_steps
from madang.state.steps import ExecutionStepState

SCHEMA_VERSION = "2.0"

NIGHTS = Range(1, 14, "박")
BUDGET = Range(100_000, 10_000_000, "원")
PEOPLE = Range(1, 10, "명")
OUTINGS = Range(1, 8, "곳")
FLIGHT_HOURS = Range(1, 24, "시간")

CurrentStep = Literal["collecting", "searching", "planning", "done"]

DateWindow = TypedDict("DateWindow", {"from": str, "to": str})
"""The first and the last day on which the trip may begin."""


class Response(TypedDict, total=False):
    """The response of the turn."""

    type: str
    answer: str
    structured_data: dict[str, Any]
    teams_used: list[str]
    data: dict[str, Any]


class TravelState(TurnState, total=False):
    """Phase 1: one agent. Slots and what was found for them belong to the conversation: a trip outlasts a turn."""

    destination: str | None
    duration: Annotated[int | None, NIGHTS]
    budget: Annotated[int | None, BUDGET]
    num_people: Annotated[int | None, PEOPLE]
    travel_style: list[str]

    info_collected: bool
    current_step: CurrentStep

    flight_options: list[FlightOption]
    hotel_options: list[HotelOption]
    itinerary: Itinerary

    created_at: str
    updated_at: str
    errors: Annotated[list[str], Turn(list), append]


class MultiAgentTravelState(TravelState, total=False):
    """Phase 2: all of phase 1, and the experts. A slot is null until the user has said it."""

    origin: str | None
    destinations: list[str]
    city_nights: dict[str, int] | None
    depart_date: str | None
    return_date: str | None
    depart_window: DateWindow | None
    adults: Annotated[int | None, Range(0, 10, "명")]
    children: Annotated[int | None, Range(0, 10, "명")]
    infants: Annotated[int | None, Range(0, 10, "명")]
    budget_amount: Annotated[int | None, Range(0)]
    budget_basis: Literal["total", "per_person"] | None
    budget_total_said: bool | None
    budget_flexibility: Literal["strict", "flexible"] | None
    preferred_airline: str | None
    accommodation_preference: Accommodation | None
    must_visit_places: list[str]
    pace: Pace | None

    arrive_time: str | None
    leave_time: str | None
    rest_times: list[str]
    outings_a_day: Annotated[int | None, OUTINGS]
    max_flight: Annotated[float | None, FLIGHT_HOURS]
    transport: Mode | None
    no_transport: list[Mode]
    lodging_budget: Annotated[int | None, Range(0)]
    booked: list[Booked]
    climate: Literal["warm", "cool"] | None
    scope: str | None
    child_months: list[int]
    diet: list[str]
    access: list[str]
    pets: list[str]
    avoid: list[str]
    wishes: list[str]

    considered: list[str]
    spoken_of: list[str]
    asked: Annotated[list[AskedQuestion], Turn(list)]
    guide_answers: Annotated[list[GuideAnswer], Turn(list)]
    suggestions: Annotated[list[Suggestion], Turn(list)]
    looked_up: Annotated[list[GuideAnswer], Turn(list), append]
    trip_estimates: Annotated[list[TripEstimate], Turn(list), append]
    assumptions: dict[str, str]
    remembered: list[str]
    said_first: Annotated[list[str], Turn(list)]
    slot_changes: Annotated[list[SlotChange], Turn(list)]
    before: Annotated[EarlierPlan | None, Turn(None)]

    flight_tier: Tier | None
    hotel_tier: Tier | None
    direct_only: bool
    day_paces: dict[str, Pace]
    avoid_places: list[str]
    chosen_plan: Tier | None

    loaded_memories: Annotated[list[dict[str, Any]] | None, SENSITIVE]
    user_preferences: Annotated[dict[str, Any] | None, SENSITIVE]
    memory_load_time: str | None

    execution_steps: Annotated[list[ExecutionStepState], Turn(list), merge_steps]
    current_agent: Annotated[str, Turn("")]
    next_agent: Annotated[str | list[str], Turn("")]
    agent_history: Annotated[list[str], Turn(list), append]

    flights_searched: bool
    hotels_searched: bool
    itinerary_planned: bool
    budget_analyzed: bool
    plans_generated: bool

    agent_results: Annotated[dict[str, AgentResult], Turn(dict), merge_by_key]
    flight_analysis: ExpertAnalysis | None
    flight_times: list[FlightTimes]
    hotel_analysis: ExpertAnalysis | None
    itineraries: list[Itinerary]
    itinerary_optimization: ItineraryOptimization | None
    budget_breakdown: BudgetBreakdown | None
    final_plans: list[TripPlan]
    recommendation: Recommendation | None
    response: Annotated[Response | None, Turn(None)]
