"""The travel assistant, wired."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.travel.agents import AGENTS
from madang.assistants.travel.answering.composer import respond
from madang.assistants.travel.answering.progress import track
from madang.assistants.travel.services import services
from madang.assistants.travel.state import GREETING, MIGRATIONS, MultiAgentTravelState, create_initial_state
from madang.assistants.travel.understanding.fresh_start import emptied
from madang.assistants.travel.understanding.needs_collector import understand
from madang.assistants.travel.understanding.slots import SLOTS
from madang.graph import Assistant

WISHES = ("assumptions", "flight_tier", "hotel_tier", "direct_only", "day_paces", "avoid_places")
TOLD = (
    "remembered",
    "waived",
    "pending_slot",
    "pending_choices",
    "chosen_plan",
    "info_collected",
    "slot_changes",
    "before",
)


def initial() -> dict[str, Any]:
    """A new conversation's state, without what the runtime gives."""
    state = emptied({}) | dict(create_initial_state())
    return {name: value for name, value in state.items() if name not in ("session_id", "errors", "step_records")}


def preferences(state: Mapping[str, Any]) -> dict[str, Any]:
    """What is worth remembering of a traveller."""
    names = ("origin", "travel_style", "accommodation_preference", "pace", "preferred_airline")
    return {name: state.get(name) for name in names}


assistant = Assistant(
    name="travel",
    title="여행 플래너",
    description="대화로 짜는 여행: 항공, 숙소, 날짜별 일정, 예산, 세 가지 플랜",
    greeting=GREETING,
    examples=("오사카 3박4일 둘이 200만원, 맛집 위주로", "다음 달 말에 제주도 가족여행, 애 둘 있어요"),
    state=MultiAgentTravelState,
    agents=AGENTS,
    understand=understand,
    respond=respond,
    inputs=(*SLOTS, *WISHES, *TOLD),
    track=track,
    initial=initial,
    migrations=MIGRATIONS,
    services=services,
    preferences=preferences,
)
