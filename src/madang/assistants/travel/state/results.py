"""What the experts find: flights, hotels, days, budgets and plans. Money is a whole number of won."""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

Tier = Literal["budget", "standard", "premium"]
TIERS: tuple[Tier, ...] = ("budget", "standard", "premium")
Pace = Literal["relaxed", "normal", "packed"]
Mode = Literal["flight", "train", "bus", "car", "none"]
Accommodation = Literal["hotel", "guesthouse", "airbnb"]
Booked = Literal["flights", "hotel"]
Category = Literal["flights", "hotel", "food", "local_transport", "entrance_fees", "other"]


class PriceSource(TypedDict):
    """Where a price comes from, and as of when an estimate holds."""

    is_estimate: bool
    as_of: str | None
    source: Literal["estimate", "live"]


class FlightLeg(TypedDict):
    """One way; times are local, with their offset. `day_change` is how many calendar days later it arrives."""

    origin: str
    destination: str
    depart_at: str
    arrive_at: str
    duration_minutes: int
    stops: int
    day_change: int


class FlightOption(PriceSource):
    """The way there and back, by air unless `mode` says otherwise. `price` is for everyone, the other an adult's."""

    type: Tier
    mode: Mode
    airline: str | None
    price: int
    price_per_person: int
    outbound: FlightLeg
    inbound: FlightLeg


class FlightTimes(TypedDict):
    """The hours that the option of a tier leaves for the trip: its arrival there, its departure from there."""

    type: Tier
    arrive_at: str
    leave_at: str
    by_air: bool


class Stay(PriceSource):
    """Nights in one place. `total_price` is for all rooms and nights, `price_per_night` their average."""

    type: Tier
    name: str
    city: str
    area: str | None
    accommodation: Accommodation
    price_per_night: int
    rooms: int
    nights: int
    total_price: int
    rating: float | None
    latitude: float | None
    longitude: float | None


class HotelOption(Stay):
    """The stay of a whole trip; `stays` are its parts when the trip has several cities."""

    stays: NotRequired[list[Stay]]


class ExpertAnalysis(TypedDict):
    """What an expert says about its options. `recommendation` is the tier recommended."""

    recommendation: Tier
    reasoning: str
    tips: list[str]
    notes: list[str]


class Visit(TypedDict):
    """One place on one day, and the way to it from the stop before."""

    name: str
    category: str
    start: str
    end: str
    minutes: int
    fee: int | None
    latitude: float
    longitude: float
    indoor: bool
    travel_minutes: int
    travel_km: float
    note: str | None


class Meal(TypedDict):
    """A meal and where to have it: a restaurant, a street or market to eat in, or the area one is in then."""

    kind: Literal["lunch", "dinner"]
    start: str
    end: str
    place: str


class Move(TypedDict):
    """The way from one city of the trip to the next. `fare` is one adult's."""

    origin: str
    destination: str
    mode: Mode
    start: str
    end: str
    minutes: int
    fare: int


class ItineraryDay(TypedDict):
    """A day with its stops in order, its meals, and its figures. The way back to the lodging counts as moving.

    `move` is the way from the city before, on the day one changes it.
    """

    day: int
    date: str
    city: str
    title: str
    window: list[str]
    places: list[Visit]
    meals: list[Meal]
    move: Move | None
    rain_alternative: list[Visit]
    moving_minutes: int
    visiting_minutes: int
    km: float
    pace: Pace


class Itinerary(TypedDict, total=False):
    """The days of the trip, within the hours of the tier's way there and back; empty until they are planned."""

    type: Tier
    days: list[ItineraryDay]
    summary: str
    notes: list[str]
    is_general: bool


class ItineraryOptimization(TypedDict):
    """What was gained by ordering the places, and what found no place."""

    total_travel_minutes: int
    total_travel_km: float
    unordered_travel_minutes: int
    unordered_travel_km: float
    left_out: list[str]
    reasoning: str


class BudgetItem(TypedDict):
    category: Category
    amount: int
    note: str
    is_estimate: bool


class BudgetBreakdown(TypedDict):
    """`total` is the sum of the items; `remaining` is below zero when the budget doesn't suffice."""

    items: list[BudgetItem]
    total: int
    budget: int | None
    remaining: int | None
    per_person: int
    savings: list[str]


class TripPlan(TypedDict):
    """One of the three plans; `total` is the sum of its items. Its days are the itinerary of its `flight_type`."""

    type: Tier
    title: str
    flight_type: Tier
    hotel_type: Tier
    items: list[BudgetItem]
    total: int
    within_budget: bool | None
    remaining: int | None
    highlights: list[str]


class BudgetChange(TypedDict):
    """A change that would make the trip fit its budget: the slots to set, and how large a change it is."""

    kind: Literal["dates", "lodging", "nights", "budget"]
    text: str
    slots: dict[str, Any]
    total: int
    size: float


class Recommendation(TypedDict):
    """The plan to take, and why. `fits` is false when the budget carries no plan; `changes` would make it do so."""

    type: Tier
    title: str
    reasons: list[str]
    total: int
    fits: bool
    changes: list[BudgetChange]
    savings: list[str]


class TripEstimate(TypedDict):
    """What another trip would cost in each tier, without entrance fees; `fits` is null without a budget."""

    city: str
    depart_date: str
    nights: int
    people: int
    lodging: Accommodation | None
    totals: dict[str, int]
    cheapest: int
    budget: int | None
    fits: bool | None
    as_of: str


class AgentResult(TypedDict, total=False):
    """One agent's result as a summary; the result itself stays in its own fields."""

    options: list[dict[str, Any]]
    recommendation: dict[str, Any] | None
    reasoning: str
    tips: list[str]
    summary: str


class SlotChange(TypedDict):
    """What a turn changed in a slot or a wish; `before` is null when it wasn't known."""

    slot: str
    before: Any
    after: Any


class EarlierPlan(TypedDict):
    """The recommended plan as it was before the turn."""

    type: Tier
    flight_type: Tier
    hotel_type: Tier
    title: str
    total: int
    fits: bool


class AskedQuestion(TypedDict):
    """A question of the message: its words, the topics it brings up, and the cities and places it names. `rest`: it
    stands for all of the message that has no answer."""

    words: str
    topics: list[str]
    cities: list[str]
    places: list[str]
    rest: NotRequired[bool]
    faq: NotRequired[list[str]]
    """Narrow questions that may be this one, best first; `faq_sure` if they surely are."""
    faq_sure: NotRequired[bool]
    told: NotRequired[dict[str, str]]
    """What the conversation has told of the trip, for the blanks of a text."""


class GuideAnswer(TypedDict):
    """An answer to a question, with what it rests on; `near` if it is only one that the question may be."""

    question: str
    answer: str
    source: str
    as_of: str
    near: NotRequired[bool]


class Suggestion(TypedDict):
    """A city that fits what is wished, and why."""

    city: str
    reasons: list[str]
    flight_minutes: int | None
