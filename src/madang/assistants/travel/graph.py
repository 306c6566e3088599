"""The travel assistant, wired."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.travel.agents import AGENTS
from madang.assistants.travel.answering.composer import respond
from madang.assistants.travel.answering.evidence import evidence
from madang.assistants.travel.answering.progress import track
from madang.assistants.travel.services import services
from madang.assistants.travel.state import GREETING, MIGRATIONS, MultiAgentTravelState
from madang.assistants.travel.state.initial import initial, no_wishes
from madang.assistants.travel.state.slots import NEEDS, SLOTS
from madang.assistants.travel.understanding.comparison_loop import LOOP
from madang.assistants.travel.understanding.form import FORM, TASKS
from madang.assistants.travel.understanding.hearing import hear
from madang.assistants.travel.understanding.model_plan import INPUTS, INTENTS, TOOLS, here, plan, reference
from madang.assistants.travel.understanding.needs_collector import understand
from madang.graph import Assistant
from madang.graph.labels import labels_of
from madang.graph.model import ModelUse

TURN_INPUTS = (
    "asked",
    "said_first",
    "considered",
    "spoken_of",
    "assumptions",
    "remembered",
    "pending",
    "chosen_plan",
    "info_collected",
    "slot_changes",
    "before",
)


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
    inputs=(*SLOTS, *NEEDS, *no_wishes(), *TURN_INPUTS),
    hear=hear,
    form=FORM,
    tasks=TASKS,
    labels=labels_of("madang.assistants.travel"),
    track=track,
    initial=initial,
    migrations=MIGRATIONS,
    services=services,
    preferences=preferences,
    model=ModelUse(
        package="madang.assistants.travel",
        tools=TOOLS,
        plan=plan,
        evidence=evidence,
        intents=INTENTS,
        inputs=INPUTS,
        reference=reference,
        loop=LOOP,
        here=here,
        shown=("considered", "assumptions", "chosen_plan"),
    ),
)
