"""What clients send and get, with examples for the OpenAPI document."""

from typing import Annotated, Any, Generic, Literal, TypeVar

import orjson
from fastapi import Response
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StrictBool, StringConstraints

Id = Annotated[str, StringConstraints(min_length=1, max_length=255, pattern=r"^[^\x00-\x1f\x7f]+$")]
# A path holds one id: a slash would cut it in two, and browsers resolve dots.
NewId = Annotated[
    str,
    StringConstraints(
        min_length=1, max_length=255, pattern=r"^([^\x00-\x1f\x7f/.\s]|\.[^\x00-\x1f\x7f/.])[^\x00-\x1f\x7f/]*$"
    ),
]
Title = Annotated[str, StringConstraints(max_length=500)]
Policy = Literal["reject", "enqueue", "interrupt", "rollback"]
Json = dict[str, Any]

SESSION = "0b6cf3c0-6a0f-4d4e-9f0a-0d3c5f1f7c11"
T = TypeVar("T")


class Given(BaseModel):
    """A body that clients send: unknown fields are refused, so that a misspelt one isn't lost silently."""

    model_config = ConfigDict(extra="forbid")


class NewSession(Given):
    """A conversation to begin."""

    assistant: str = Field(max_length=255, examples=["homes"])
    session_id: NewId | None = Field(None, description="any text without a slash; a UUID if none is given")
    title: Title | None = Field(None, examples=["전세금 인상"])
    metadata: Json = Field(default_factory=dict)


class SessionChanges(Given):
    """What to change. In `metadata`, null removes a key."""

    title: Title | None = Field(None, examples=["마포 84㎡"])
    archived: StrictBool | None = None
    metadata: Json | None = None


class NewMessage(Given):
    """A user's message; or, with `interrupt_id`, the answer to what is pending."""

    query: str = Field(
        "",
        max_length=100_000,
        validation_alias=AliasChoices("query", "content"),
        examples=["전세금 5% 인상 가능해?"],
    )
    edit_of: int | None = Field(
        None, ge=1, lt=2**62, description="the `message_id` of a question that this one is asked instead of"
    )
    branch: Id | None = Field(None, description="the `run_id` of a turn that this one follows; else the newest")
    files: list[Id] = Field(default_factory=list, max_length=10, description="files that were brought to this session")
    interrupt_id: Id | None = Field(None, description="what is answered; with `value` instead of `query`")
    value: Any = None
    request_id: Id | None = None
    multitask_strategy: Policy = Field("enqueue", description="what to do when a turn is running")


class Again(Given):
    """Whose turn to ask again, the last one if no message is named."""

    message_id: int | None = Field(None, ge=1, lt=2**62)
    request_id: Id | None = None


class Edit(Given):
    """Values by path. What depends on them runs again, unless `run` is false."""

    changes: Json = Field(min_length=1, examples=[{"budget": 1_500_000}])
    run: StrictBool = True


class Fork(Given):
    """Where to branch off, the present state if no checkpoint is named."""

    checkpoint_id: Id | None = None
    title: Title | None = None


class Shown(BaseModel):
    """Something of ours, as clients get it."""

    model_config = ConfigDict(from_attributes=True)


class AssistantShown(Shown):
    name: str = Field(examples=["homes"])
    title: str = Field(examples=["홈즈냥즈"])
    description: str
    greeting: str
    examples: list[str] = Field(examples=[["전세금 5% 인상 가능해?"]])


class AssistantDetails(AssistantShown):
    inputs: Json = Field(description="what it can be told directly, as JSON Schema")
    step_titles: dict[str, str] = Field(
        description="what its steps are called in the language asked for, by their `task` in plans",
        examples=[{"법률 정보 검색": "Search of the law"}],
    )


class SessionShown(Shown):
    session_id: str = Field(examples=[SESSION])
    assistant: str | None = Field(examples=["homes"])
    user_id: int | None
    title: str | None
    parent_session_id: str | None
    metadata: Json
    message_count: int
    last_message: str | None
    last_seq: int = Field(description="the number of the last event")
    created_at: str = Field(examples=["2026-01-02T03:04:05.000000+00:00"])
    updated_at: str
    archived: bool = False
    damaged: str | None = Field(default=None, description="in a list, why the rest can't be read")


class SessionListed(SessionShown):
    status: str = Field(
        examples=["completed"],
        description="of the run that is queued or runs, else of the newest; or `idle`",
    )
    snippet: str | None = Field(default=None, description="what was said around the text that was looked for")


class MessageShown(Shown):
    id: int
    session_id: str
    role: str = Field(examples=["assistant"])
    content: str = Field(examples=["네, 5%까지는 가능합니다."])
    structured_data: Json | None
    request_id: str | None
    run_id: str | None
    created_at: str


class RunShown(Shown):
    run_id: str
    session_id: str
    assistant: str | None
    status: str = Field(examples=["queued"])
    request_id: str | None
    multitask_strategy: str | None
    attempts: int
    error: Json | None
    usage: Json | None
    created_at: str
    updated_at: str
    started_at: str | None
    ended_at: str | None


class OutcomeShown(Shown):
    """The object of `madang ask --json`."""

    session_id: str
    request_id: str
    assistant: str
    status: str = Field(examples=["completed"])
    response: Json | None
    state: Json
    events: list[Json]


class PageShown(Shown, Generic[T]):
    """Some items, and the cursor that goes on after them; null at the end."""

    items: list[T]
    next_cursor: str | None


class StateShown(Shown):
    session_id: str
    checkpoint_id: str | None
    created_at: str | None
    next: list[str] = Field(description="the nodes that would run next")
    interrupts: list[Json] = Field(description="what it waits for")
    state: Json


class CheckpointShown(Shown):
    checkpoint_id: str
    parent_checkpoint_id: str | None
    created_at: str | None
    step: int | None
    source: str | None
    run_id: str | None
    request_id: str | None
    next: list[str]


class DiffShown(Shown):
    added: Json
    removed: Json
    changed: dict[str, Json] = Field(examples=[{"budget": {"before": 1_000_000, "after": 1_500_000}}])


class FieldShown(Shown):
    path: str = Field(examples=["budget"])
    value: Any
    source: Json | None = Field(description="the step, tool and data it came from")
    history: list[Json] = Field(description="each change with its checkpoint (`label`) and the nodes it is `by`")


class EditShown(Shown):
    run: RunShown | None = Field(description="the run that redoes what depends on the change, if any")
    state: Json


class InputShown(Shown):
    """A declared input: its value, that value in words, and the words of the message it came from."""

    field: str = Field(examples=["duration"])
    title: str = Field(examples=["숙박"])
    value: Any
    text: str = Field(examples=["3박"])
    words: str = Field(examples=["3박4일"])


class StepPreview(Shown):
    step_id: str
    agent: str
    task: str
    estimated_time: float | None = Field(description="seconds, the median of earlier runs")
    reason: str = Field(description="why it would run, or be kept")


class PreviewShown(Shown):
    steps: list[StepPreview] = Field(description="those that would run")
    kept: list[StepPreview] = Field(description="those whose results would be kept")
    estimated_cost: float | None = Field(description="USD, the median of earlier turns with a model; null if none")


class FileShown(Shown):
    file_id: str
    name: str = Field(examples=["계약서.docx"])
    kind: str = Field(examples=["docx"])
    characters: int
    rows: int | None = Field(description="of a table, without its header")


class NewShare(Given):
    """What the link shows."""

    redacted: StrictBool = Field(False, description="mask personal numbers and sensitive values")


class ShareShown(Shown):
    share_id: str
    url: str = Field(description="the page that shows it", examples=["/#/shared/…"])
    redacted: bool
    created_at: str


class MeShown(Shown):
    user_id: int | None
    name: str | None
    company_id: str
    role: str
    local: bool
    method: Literal["local", "api_key", "token"]
    credentials_required: bool


class NewKey(Given):
    """A key to make."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)] = Field(
        description="what it is for", examples=["노트북"]
    )


class KeyShown(Shown):
    key_id: str = Field(description="the part of the key that is no secret", examples=["4f1c0a9be2d7"])
    name: str
    created_at: str
    last_used_at: str | None = Field(description="to the minute")
    expires_at: str | None
    current: bool = Field(description="whether this request came with it")


class KeyMade(KeyShown):
    api_key: str = Field(description="the key itself, which can't be had again", examples=["mdg_4f1c0a9be2d7_…"])


class ModelShown(Shown):
    model: str | None = Field(examples=["openai:gpt-4o-mini"])
    reachable: bool = Field(description="as far as the last calls tell")
    reason: str | None = Field(description="why it can't be reached, or that there is none")


class AgentShown(Shown):
    name: str
    title: str
    team: str
    reads: list[str]
    writes: list[str]


class StateFieldShown(Shown):
    field: str
    read_by: list[str]
    written_by: list[str]


class EdgeShown(Shown):
    from_: str = Field(alias="from", description="a node; `__start__` is where a run begins")
    to: str = Field(description="a node; `__end__` is where a run ends")
    conditional: bool


class MapShown(Shown):
    """Which agent reads and writes which field; of a plain graph its nodes and channels, as far as they declare it."""

    agents: list[AgentShown]
    fields: list[StateFieldShown]
    sensitive: list[str] = Field(description="names of fields, at any depth, to be shown on request only")
    edges: list[EdgeShown] = Field(description="of a plain graph, which node leads to which; else none")


class NewFeedback(Given):
    """What you think of a message; null takes it back."""

    rating: Literal["up", "down"] | None
    reason: Annotated[str, StringConstraints(max_length=2000)] | None = None


class FeedbackShown(Shown):
    message_id: int
    rating: Literal["up", "down"] | None
    reason: str | None


class MessageInTurn(Shown):
    message_id: int
    role: str | None = None
    content: str
    structured_data: Json | None
    created_at: str


class TurnShown(Shown):
    """A question and what became of it. Turns of a copied conversation have no run: `run_id` is null."""

    run_id: str | None
    request_id: str | None
    status: str = Field(examples=["completed"])
    started_at: str | None
    ended_at: str | None
    question: MessageInTurn | None = Field(description="null where inputs were set or a value was edited")
    messages: list[MessageInTurn] = Field(description="all that was said in it")
    asked: list[Json] = Field(
        default_factory=list,
        description="what it asked back: `interrupt_id`, `kind`, `question` or `value`, `created_at`",
    )
    reading: Json | None
    plan: Json | None = Field(
        description="`execution_steps`, `strategy`, `parallel_groups`, `intent`, `confidence`, `estimated_total_time`"
    )
    response: Json | None = Field(
        description="`message_id`, `type`, `answer`, `structured_data`, `teams_used`, `data`, `created_at`"
    )
    text: str = Field(description="what has been streamed of an answer that isn't there yet")
    error: Json | None = Field(description="`code` and `message` of a turn that failed")
    note: str | None = Field(description="why it was cancelled")
    usage: Json | None = Field(description="`calls`, `tokens`, `cost` (US dollars; null: not known)")
    branches: list[str] = Field(description="the runs that stand in this place, oldest first, if there are several")
    feedback: Json | None


class ConversationShown(Shown):
    session: SessionShown
    turns: list[TurnShown] = Field(description="oldest first")
    pending: list[Json] = Field(description="what it waits for, as `workflow_interrupted` has it")
    running: Json | None = Field(description="`run_id`, `request_id`, `status` of a turn that is queued or runs")
    last_seq: int
    has_more: bool = Field(description="whether there are earlier turns")


class SharedShown(Shown):
    session: Json = Field(description="`title`, `assistant`, `created_at`")
    turns: list[TurnShown]
    redacted: bool
    shared_at: str
    has_more: bool


class MemoryShown(Shown):
    sessions: list[Json]
    preferences: Json = Field(examples=[{"travel_style": ["미식"]}])


class Forgotten(Shown):
    forgotten: int


class DocumentShown(Shown):
    document_id: str
    version: int
    session_id: str
    kind: str | None
    title: str | None
    content: Json
    metadata: Json
    created_at: str
    version_at: str
    formats: list[str] = Field(examples=[["docx", "md"]])
    versions: list[int]


class TableShown(Shown):
    name: str
    bytes: int


class DatabaseShown(Shown):
    backend: str = Field(examples=["sqlite"])
    total_bytes: int
    session_count: int
    tables: list[TableShown]


class StatsShown(Shown):
    sessions: int
    sessions_by_assistant: dict[str, int]
    running: int = Field(description="turns of yours that run now")
    database: DatabaseShown | None = Field(description="for administrators")


def json_response(value: Any, status: int = 200) -> Response:
    """A response straight from plain values: large ones needn't be validated on the way out."""
    return Response(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS), status, media_type="application/json")
