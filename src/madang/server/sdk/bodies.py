"""What clients send. What they don't send has LangGraph's default; what isn't known is ignored, as it is there."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

StreamMode = Literal[
    "values", "messages", "updates", "events", "tasks", "checkpoints", "debug", "custom", "messages-tuple"
]
ThreadStreamMode = Literal["run_modes", "lifecycle", "state_update"]
Strategy = Literal["reject", "interrupt", "rollback", "enqueue"]
Order = Literal["asc", "desc"]
Status = Literal["idle", "busy", "interrupted", "error"]
# As LangGraph counts: the lowest number begins first.
HIGHEST, LOWEST = -5, 5
Name = Annotated[str, Field(min_length=1, max_length=255)]


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Modes = Annotated[list[StreamMode], BeforeValidator(_as_list), Field(max_length=20)]
Nodes = Literal["*"] | list[str]
Limit = Annotated[int, Field(ge=1, le=1000)]
Offset = Annotated[int, Field(ge=0, le=1_000_000)]


class Body(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class CheckpointConfig(Body):
    thread_id: str | None = None
    checkpoint_ns: str | None = None
    checkpoint_id: str | None = None
    checkpoint_map: dict[str, Any] | None = None


class Config(Body):
    tags: list[str] | None = None
    recursion_limit: Annotated[int, Field(ge=1, le=10_000)] | None = None
    configurable: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None


class Command(Body):
    update: dict[str, Any] | list[Any] | None = None
    resume: Any = None
    goto: str | dict[str, Any] | list[str | dict[str, Any]] | None = None


class RunCreateStateful(Body):
    """A run to create."""

    assistant_id: Name
    input: Any = None
    command: Command | None = None
    config: Config | None = None
    context: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    checkpoint: CheckpointConfig | None = None
    checkpoint_id: str | None = None
    stream_mode: Modes | None = None
    stream_subgraphs: bool = False
    stream_resumable: bool = False
    interrupt_before: Nodes | None = None
    interrupt_after: Nodes | None = None
    multitask_strategy: Strategy = "enqueue"
    if_not_exists: Literal["create", "reject"] = "reject"
    on_disconnect: Literal["cancel", "continue"] = "continue"
    on_completion: Literal["delete", "keep"] = "delete"
    webhook: str | None = None
    after_seconds: Annotated[float, Field(ge=0, le=366 * 24 * 3600)] | None = None
    priority: Annotated[int, Field(ge=HIGHEST, le=LOWEST)] | None = None
    durability: Literal["sync", "async", "exit"] | None = None
    checkpoint_during: bool | None = None


class RunCreateStateless(RunCreateStateful):
    """A run to create on a thread of its own."""


class ThreadSuperstepUpdate(Body):
    class Update(Body):
        values: Any = None
        command: Command | None = None
        as_node: str | None = None

    updates: list[Update]


class TtlBody(Body):
    """How many minutes after its last use a thread goes, or shrinks to its newest state."""

    ttl: Annotated[float, Field(gt=0, le=100 * 366 * 24 * 60)]
    strategy: Literal["delete", "keep_latest"] = "delete"


def _as_ttl(value: Any) -> Any:
    return {"ttl": value} if isinstance(value, int | float) and not isinstance(value, bool) else value


Ttl = Annotated[TtlBody, BeforeValidator(_as_ttl)]


class ThreadCreate(Body):
    """A thread to create."""

    thread_id: Name | None = None
    metadata: dict[str, Any] | None = None
    if_exists: Literal["raise", "do_nothing"] = "raise"
    supersteps: list[ThreadSuperstepUpdate] | None = None
    ttl: Ttl | None = None


class ThreadPatch(Body):
    metadata: dict[str, Any] | None = None
    ttl: Ttl | None = None


class ThreadCountRequest(Body):
    metadata: dict[str, Any] | None = None
    values: dict[str, Any] | None = None
    status: Status | None = None


class ThreadSearchRequest(ThreadCountRequest):
    ids: list[str] | None = None
    limit: Limit = 10
    offset: Offset = 0
    sort_by: Literal["thread_id", "status", "created_at", "updated_at", "state_updated_at"] = "updated_at"
    sort_order: Order = "desc"
    select: list[str] | None = None
    extract: dict[str, str] | None = None


class ThreadPruneRequest(Body):
    thread_ids: Annotated[list[str], Field(max_length=1000)]
    strategy: Literal["delete", "keep_latest"] = "delete"


class ThreadStateCheckpointRequest(Body):
    checkpoint: CheckpointConfig
    subgraphs: bool | None = False
    select: list[str] | None = None


class ThreadStateUpdate(Body):
    values: dict[str, Any] | list[Any] | None = None
    as_node: str | None = None
    checkpoint: CheckpointConfig | None = None
    checkpoint_id: str | None = None


class ThreadStateSearch(Body):
    limit: Limit = 10
    before: CheckpointConfig | Config | str | None = None
    metadata: dict[str, Any] | None = None
    checkpoint: CheckpointConfig | None = None
    select: list[str] | None = None


class RunsCancel(Body):
    thread_id: str | None = None
    run_ids: list[str] | None = None
    status: Literal["pending", "running", "all"] | None = None


class AssistantCreate(Body):
    """An assistant to create."""

    graph_id: Name
    assistant_id: Name | None = None
    name: Annotated[str, Field(max_length=255)] | None = None
    description: Annotated[str, Field(max_length=10_000)] | None = None
    config: dict[str, Any] | None = None
    context: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    if_exists: Literal["raise", "do_nothing"] = "raise"


class AssistantPatch(Body):
    graph_id: Name | None = None
    name: Annotated[str, Field(max_length=255)] | None = None
    description: Annotated[str, Field(max_length=10_000)] | None = None
    config: dict[str, Any] | None = None
    context: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None


class AssistantVersionChange(Body):
    version: Annotated[int, Field(ge=1, le=1_000_000)]


class CronCreate(RunCreateStateful):
    """A run by the clock: a run's body, and when."""

    schedule: Annotated[str, Field(min_length=9, max_length=200)]
    timezone: Annotated[str, Field(max_length=100)] | None = None
    end_time: Annotated[datetime, Field(strict=False)] | None = None
    enabled: bool = True
    on_run_completed: Literal["delete", "keep"] | None = None


class CronPatch(Body):
    schedule: Annotated[str, Field(min_length=9, max_length=200)] | None = None
    timezone: Annotated[str, Field(max_length=100)] | None = None
    end_time: Annotated[datetime, Field(strict=False)] | None = None
    enabled: bool | None = None
    on_run_completed: Literal["delete", "keep"] | None = None
    input: Any = None
    config: Config | None = None
    context: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    webhook: str | None = None
    interrupt_before: Nodes | None = None
    interrupt_after: Nodes | None = None
    stream_mode: Modes | None = None
    stream_subgraphs: bool | None = None
    stream_resumable: bool | None = None
    durability: Literal["sync", "async", "exit"] | None = None


class CronCountRequest(Body):
    assistant_id: str | None = None
    thread_id: str | None = None
    metadata: dict[str, Any] | None = None
    enabled: bool | None = None


class CronSearch(CronCountRequest):
    limit: Limit = 10
    offset: Offset = 0
    sort_by: (
        Literal["cron_id", "assistant_id", "thread_id", "created_at", "updated_at", "next_run_date", "end_time"] | None
    ) = None
    sort_order: Order | None = None
    select: list[str] | None = None


class AssistantCountRequest(Body):
    metadata: dict[str, Any] | None = None
    graph_id: str | None = None
    name: str | None = None


class AssistantSearchRequest(AssistantCountRequest):
    limit: Limit = 10
    offset: Offset = 0
    sort_by: Literal["assistant_id", "graph_id", "name", "created_at", "updated_at"] = "name"
    sort_order: Order = "asc"
    select: list[str] | None = None


class AssistantVersionsSearchRequest(Body):
    metadata: dict[str, Any] | None = None
    limit: Limit = 10
    offset: Offset = 0


Namespace = Annotated[list[str], Field(max_length=50)]


class StorePutRequest(Body):
    namespace: Namespace
    key: Name
    value: dict[str, Any]
    index: Literal[False] | list[str] | None = None
    ttl: Annotated[float, Field(gt=0, le=100 * 366 * 24 * 60)] | None = None


class StoreDeleteRequest(Body):
    namespace: Namespace
    key: Name


class StoreSearchRequest(Body):
    namespace_prefix: Namespace = []
    filter: dict[str, Any] | None = None
    limit: Limit = 10
    offset: Offset = 0
    query: str | None = None
    refresh_ttl: bool | None = None


class StoreListNamespacesRequest(Body):
    prefix: Namespace | None = None
    suffix: Namespace | None = None
    max_depth: Annotated[int, Field(ge=1, le=100)] | None = None
    limit: Limit = 100
    offset: Offset = 0
