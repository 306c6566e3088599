"""The homes assistant, wired."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.homes.agents import AGENTS
from madang.assistants.homes.answering.composer import respond
from madang.assistants.homes.answering.evidence import evidence
from madang.assistants.homes.answering.progress import track
from madang.assistants.homes.services import services
from madang.assistants.homes.state import MIGRATIONS, SCHEMA_VERSION, MainSupervisorState
from madang.assistants.homes.understanding.comparison_loop import LOOP
from madang.assistants.homes.understanding.draft_answers import read_answer
from madang.assistants.homes.understanding.form import FORM, TASKS
from madang.assistants.homes.understanding.guidance import EXAMPLES, GREETING
from madang.assistants.homes.understanding.hearing import hear
from madang.assistants.homes.understanding.intent_types import LABELS
from madang.assistants.homes.understanding.model_plan import TOOLS, plan, reference
from madang.assistants.homes.understanding.plan_fields import plan_fields
from madang.assistants.homes.understanding.planner import understand
from madang.graph import Assistant
from madang.graph.labels import labels_of
from madang.graph.model import ModelUse

INPUTS = (
    "last_intent", "last_parts", "pending", "legal_question", "legal_questions", "story", "said", "situation_requests",
    "last_situations", "lease_kind", "lease_facts", "letter_request", "contract_end", "search_keywords", "legal_terms",
    "figure_requests", "region", "regions", "sido", "property_type", "deal_type", "price", "deposit", "monthly_rent",
    "area_m2", "senior_debt", "other_deposits", "risk_signs", "price_months", "listing_wish", "loan_kinds",
    "loan_words", "loan_facts", "annual_income", "age", "homes_owned", "contract_text", "document_template",
    "document_fields", "user_id",
)  # fmt: skip


def initial() -> dict[str, Any]:
    """A new conversation's state: nothing is known yet."""
    return {"schema_version": SCHEMA_VERSION, "language": "ko"}


def preferences(state: Mapping[str, Any]) -> dict[str, Any]:
    """What is worth remembering of a user: offered the next time, never taken for granted."""
    return {name: state.get(name) for name in ("region", "property_type", "deal_type", "area_m2")}


assistant = Assistant(
    name="homes",
    title="홈즈냥즈",
    description="주택·상가 임대차 법률, 시세, 대출, 보증금 위험, 계약서 검토와 작성",
    greeting=GREETING,
    examples=EXAMPLES,
    state=MainSupervisorState,
    agents=AGENTS,
    understand=understand,
    respond=respond,
    inputs=INPUTS,
    track=track,
    steps_at="planning_state.execution_steps",
    response_at="final_response",
    plan_fields=plan_fields,
    initial=initial,
    migrations=MIGRATIONS,
    services=services,
    preferences=preferences,
    read_answer=read_answer,
    hear=hear,
    form=FORM,
    tasks=TASKS,
    labels=labels_of("madang.assistants.homes"),
    model=ModelUse(
        package="madang.assistants.homes",
        tools=TOOLS,
        plan=plan,
        evidence=evidence,
        intents={name.value: label for name, label in LABELS.items()},
        reference=reference,
        loop=LOOP,
        shown=("story", "figure_requests", "letter_request", "document_template", "last_intent"),
    ),
)
