"""What stays from turn to turn: who asks, what they have told us, what is remembered of them."""

from typing import Annotated, Any, Literal, NotRequired

from typing_extensions import TypedDict

from madang.assistants.homes.state.results import FaqFit, Figure, LoanKind
from madang.graph.state import TurnState
from madang.state.fields import SENSITIVE, Range
from madang.state.reducers import merge_by_key

LeaseKind = Literal["home", "shop"]
DealType = Literal["sale", "jeonse", "monthly_rent"]


class FigureNeed(TypedDict):
    """A calculator the user asked for, the inputs given so far, and the names of those it still needs."""

    calculator: str
    inputs: dict[str, Figure]
    missing: list[str]


class LegalQuestion(TypedDict):
    """One question of law as it was asked: its own words, what was told for it, what was told in earlier messages.

    `act` is its place among the acts of the reading; null for a message that only tells.
    """

    act: int | None
    kind: str
    question: str
    told: list[str]
    before: list[str]


class LeaseFacts(TypedDict, total=False):
    """What was told of a lease or a sale, by role; lengths of time in the user's words, days as ISO dates."""

    old_deposit: int | None
    new_deposit: int | None
    old_rent: int | None
    new_rent: int | None
    loan: int | None
    key_money: int | None
    cost: int | None
    rate: float | None
    years: int | None
    start_date: str | None
    end_date: str | None
    event_date: str | None
    lived: str | None
    term: str | None
    notice: str | None
    arrears: str | None
    address: str | None


class LetterRequest(TypedDict):
    """A message or letter that is wanted: its kind, whether it is a short message, what was told for it. `says` are
    the sentences that it was asked to say, `to` how whoever receives it is addressed, `matter` what it is about."""

    kind: str
    short: bool
    told: list[str]
    sender: str | None
    receiver: str | None
    deadline: str | None
    wishes: list[str]
    amount: NotRequired[int | None]
    says: NotRequired[list[str]]
    to: NotRequired[str]
    matter: NotRequired[str]


class SituationRequest(TypedDict):
    """A question and the situations it may be about, best first; `clear` if the first one answers it, `again` if that
    was the last answer too; `figures` are what the told days and sums make of it, `not_counted` those left alone."""

    question: str
    found: list[str]
    clear: bool
    again: bool
    figures: list[str]
    not_counted: NotRequired[list[str]]
    faq: NotRequired[list[str]]
    """Narrow questions that may be the one asked, best first."""
    faq_fit: NotRequired[FaqFit]


class ListingWish(TypedDict, total=False):
    """What a listing should be like, besides region, deal and kind."""

    max_amount: int | None
    min_amount: int | None
    max_rent: int | None
    max_station_minutes: int | None
    min_built: int | None


class HomesConversation(TurnState, total=False):
    """Conversation fields of `homes`. A slot is null until the user has said it: nothing is assumed."""

    chat_session_id: str | None
    user_id: Annotated[int | None, SENSITIVE]

    last_intent: str | None
    last_parts: list[str]
    legal_question: str | None
    legal_questions: list[LegalQuestion]
    story: Annotated[list[str], SENSITIVE]
    said: Annotated[list[str], SENSITIVE]
    situation_requests: Annotated[list[SituationRequest], SENSITIVE]
    last_situations: list[str]
    lease_kind: LeaseKind | None
    lease_facts: Annotated[LeaseFacts, SENSITIVE, merge_by_key]
    letter_request: Annotated[LetterRequest | None, SENSITIVE]
    search_keywords: dict[str, list[str]] | None
    legal_terms: list[str]
    figure_requests: Annotated[list[FigureNeed], SENSITIVE]

    region: str | None
    regions: list[str]
    sido: str | None
    property_type: str | None
    deal_type: DealType | None
    price: Annotated[int | None, Range(0)]
    deposit: Annotated[int | None, Range(0)]
    monthly_rent: Annotated[int | None, Range(0)]
    area_m2: Annotated[float | None, Range(0)]
    senior_debt: Annotated[int | None, Range(0)]
    other_deposits: Annotated[int | None, Range(0)]
    risk_signs: list[str]
    listing_wish: ListingWish
    price_months: int | None
    loan_kinds: list[LoanKind]
    loan_words: str | None
    loan_facts: Annotated[dict[str, bool | int], SENSITIVE]
    contract_start: str | None
    contract_end: str | None
    annual_income: Annotated[int | None, SENSITIVE, Range(0)]
    age: Annotated[int | None, SENSITIVE, Range(0, 150)]
    homes_owned: Annotated[int | None, SENSITIVE, Range(0)]
    contract_text: Annotated[str | None, SENSITIVE]
    document_template: str | None
    document_fields: Annotated[dict[str, str | int | float], SENSITIVE]

    loaded_memories: Annotated[list[dict[str, Any]] | None, SENSITIVE]
    user_preferences: Annotated[dict[str, Any] | None, SENSITIVE]
    memory_load_time: str | None
