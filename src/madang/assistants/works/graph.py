"""`works`: questions over sales, documents, compliance and filing."""

from madang.assistants.works.agents import AGENTS
from madang.assistants.works.answering.answer import respond
from madang.assistants.works.answering.bookkeeping import replan, track
from madang.assistants.works.answering.evidence import evidence
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import MAX_REPLANS, MIGRATIONS, SCHEMA_VERSION, GlobalSessionState
from madang.assistants.works.understanding.form_input import TASKS, inputs
from madang.assistants.works.understanding.hearing import hear
from madang.assistants.works.understanding.model_plan import INTENTS, LOOP, TOOLS, asks, here, reference
from madang.assistants.works.understanding.plan import from_model, understand
from madang.assistants.works.understanding.replies import EXAMPLES, GREETING
from madang.graph import Assistant
from madang.graph.labels import labels_of
from madang.graph.model import ModelUse

INPUTS = (
    "company_id", "user_id", "query_analyzer_state", "last_query", "last_intent", "last_document", "open_question",
    "asked", "analysis_query", "further_queries", "analysis_view", "why_query", "show_request", "search_request",
    "document_request", "compliance_request", "storage_request", "speaker", "guide_topics", "account_request",
    "last_accounts",
)  # fmt: skip
assistant = Assistant(
    name="works",
    title="영업 도우미",
    description="제약 영업의 판매 자료 질문, 보고서와 신청서, 규정 검토, 보관",
    greeting=GREETING,
    examples=EXAMPLES,
    state=GlobalSessionState,
    agents=AGENTS,
    understand=understand,
    respond=respond,
    inputs=INPUTS,
    track=track,
    replan=replan,
    max_replans=MAX_REPLANS,
    services=WorksServices,
    initial=lambda: {"schema_version": SCHEMA_VERSION},
    migrations=MIGRATIONS,
    hear=hear,
    form=inputs(),
    tasks=TASKS,
    labels=labels_of("madang.assistants.works"),
    model=ModelUse(
        package="madang.assistants.works",
        tools=TOOLS,
        plan=from_model,
        evidence=evidence,
        intents=INTENTS,
        reference=reference,
        here=here,
        asks=asks,
        loop=LOOP,
        shown=("last_query", "last_intent", "findings"),
    ),
)
