"""What stays from turn to turn: who asks, what they have told us, what is remembered of them."""

from typing import Annotated, Any, Literal

from madang.graph.state import TurnState
from madang.state.fields import SENSITIVE, Range
from madang.state.reducers import merge_by_key

DealType = Literal["sale", "jeonse", "monthly_rent"]


class HomesConversation(TurnState, total=False):
    """Conversation fields of `homes`. A slot is null until the user has said it: nothing is assumed."""

    chat_session_id: str | None
    user_id: Annotated[int | None, SENSITIVE]

    region: str | None
    property_type: str | None
    deal_type: DealType | None
    price: Annotated[int | None, Range(0)]
    deposit: Annotated[int | None, Range(0)]
    monthly_rent: Annotated[int | None, Range(0)]
    area_m2: Annotated[float | None, Range(0)]
    contract_start: str | None
    contract_end: str | None
    annual_income: Annotated[int | None, SENSITIVE, Range(0)]
    age: Annotated[int | None, SENSITIVE, Range(0, 150)]
    homes_owned: Annotated[int | None, SENSITIVE, Range(0)]
    contract_text: Annotated[str | None, SENSITIVE]
    document_fields: Annotated[dict[str, Any], SENSITIVE, merge_by_key]

    loaded_memories: Annotated[list[dict[str, Any]] | None, SENSITIVE]
    user_preferences: Annotated[dict[str, Any] | None, SENSITIVE]
    memory_load_time: str | None
