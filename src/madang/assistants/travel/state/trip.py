"""What the experts find: flights, hotels, days, budgets and plans. Money is a whole number of won."""

from typing import Any, Literal

from typing_extensions import TypedDict

Tier = Literal["budget", "standard", "premium"]
Pace = Literal["relaxed", "normal", "packed"]


class FlightLeg(TypedDict, total=False):
    """One way; times are local, with their offset."""

    origin: str
    destination: str
    depart_at: str
    arrive_at: str
    duration_minutes: int
    stops: int
    day_change: int


class FlightOption(TypedDict, total=False):
    """The way there and back, by air unless `mode` says otherwise. `price` is for everyone."""

    type: Tier
    mode: str
    airline: str | None
    price: int
    price_per_person: int
    outbound: FlightLeg
    inbound: FlightLeg
    is_estimate: bool
    as_of: str | None
    source: str


class FlightTimes(TypedDict):
    """The hours of the trip that hold whichever of the options is taken: the last arrival, the first departure."""

    arrive_at: str
    leave_at: str
    by_air: bool


class HotelOption(TypedDict, total=False):
    """A stay. `total_price` is for all rooms and nights; `stays` are its parts when the trip has several cities."""

    type: Tier
    name: str
    city: str
    area: str | None
    accommodation: str | None
    price_per_night: int
    rooms: int
    nights: int
    total_price: int
    rating: float | None
    latitude: float | None
    longitude: float | None
    is_estimate: bool
    as_of: str | None
    source: str
    stays: list[dict[str, Any]]


class Visit(TypedDict, total=False):
    """One place on one day, and the way to it from the place before."""

    name: str
    category: str
    start: str
    end: str
    minutes: int
    fee: int | None
    latitude: float
    longitude: float
    indoor: bool
    travel_minutes: int | None
    travel_km: float | None
    note: str | None


class Meal(TypedDict):
    kind: str
    start: str
    end: str


class ItineraryDay(TypedDict, total=False):
    """A day in order, with its figures: minutes on the way and at places."""

    day: int
    date: str | None
    city: str
    title: str
    window: list[str]
    places: list[Visit]
    meals: list[Meal]
    rain_alternative: list[Visit]
    moving_minutes: int
    visiting_minutes: int
    km: float
    pace: Pace


class Itinerary(TypedDict, total=False):
    days: list[ItineraryDay]
    summary: str
    notes: list[str]
    is_general: bool


class ExpertAnalysis(TypedDict, total=False):
    """What an expert says about its options. `recommendation` is the tier recommended."""

    recommendation: Tier
    reasoning: str
    tips: list[str]
    notes: list[str]


class AgentResult(TypedDict, total=False):
    """One agent's result in detail."""

    options: list[FlightOption] | list[HotelOption]
    recommendation: FlightOption | HotelOption | None
    reasoning: str
    tips: list[str]
    summary: str


class ItineraryOptimization(TypedDict, total=False):
    """What was gained by ordering the places."""

    total_travel_minutes: int
    total_travel_km: float
    unordered_travel_minutes: int
    unordered_travel_km: float | None
    left_out: list[str]
    reasoning: str


class BudgetItem(TypedDict, total=False):
    category: str
    amount: int
    note: str | None
    is_estimate: bool


class BudgetBreakdown(TypedDict, total=False):
    """`remaining` is below zero when the budget doesn't suffice."""

    items: list[BudgetItem]
    total: int
    budget: int | None
    remaining: int | None
    per_person: int
    savings: list[str]


class TripPlan(TypedDict, total=False):
    """One of the three plans; `total` is the sum of its items."""

    type: Tier
    title: str
    flight_type: Tier
    hotel_type: Tier
    items: list[BudgetItem]
    total: int
    within_budget: bool | None
    remaining: int | None
    highlights: list[str]


class Change(TypedDict, total=False):
    """A change that would make the trip fit its budget."""

    kind: str
    text: str
    slots: dict[str, Any]
    total: int
    size: float


class Recommendation(TypedDict, total=False):
    type: Tier
    title: str
    reasons: list[str]
    total: int
    fits: bool
    changes: list[Change]
    savings: list[str]


class SlotChange(TypedDict):
    """What a turn changed in a slot or a wish; `before` is null when it wasn't known."""

    slot: str
    before: Any
    after: Any


class Glance(TypedDict):
    """The recommended plan as it was before the turn."""

    type: Tier
    title: str
    total: int
    fits: bool
