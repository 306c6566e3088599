"""What clients of the thread protocol send."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from madang.server.sdk.bodies import Body, CheckpointConfig, Config, Name, RunCreateStateful, Strategy

Namespace = Annotated[list[str], Field(max_length=50)]
Channel = Annotated[str, Field(max_length=255)]


class ProtocolCommand(BaseModel):
    """One command. Its answer carries the same id."""

    model_config = ConfigDict(extra="ignore", strict=True)

    id: Annotated[int, Field(ge=0, le=2**53)]
    method: Name
    params: dict[str, Any] = {}


class ProtocolEventStreamRequest(Body):
    """What a client wants to be told: channels, where, how deep below that, and after which number."""

    channels: Annotated[list[Channel], Field(max_length=100)]
    namespaces: Annotated[list[Namespace], Field(max_length=100)] | None = None
    depth: Annotated[int, Field(ge=0, le=1000)] | None = None
    since: Annotated[int, Field(ge=0, le=2**53)] | None = None


class Unsubscribe(Body):
    subscription_id: Name


class Reconnect(Body):
    run_id: Name
    last_event_id: str | None = None
    subscriptions: list[str] | None = None


class _Told(Body):
    config: Config | None = None
    context: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None


class RunStart(_Told):
    assistant_id: Name
    input: Any = None
    multitask_strategy: Strategy | None = Field(default=None, alias="multitaskStrategy")

    def as_run(self) -> RunCreateStateful:
        """The run that is asked for; a checkpoint in the config is where it goes on from."""
        return _run(self, self.assistant_id, input=self.input, multitask_strategy=self.multitask_strategy or "enqueue")


class Answer(Body):
    interrupt_id: Name
    response: Any = None
    namespace: Namespace = []


class Respond(_Told):
    """An answer, or several."""

    interrupt_id: Name | None = None
    response: Any = None
    responses: Annotated[list[Answer], Field(max_length=1000)] | None = None
    update: dict[str, Any] | None = None
    goto: str | dict[str, Any] | list[str | dict[str, Any]] | None = None

    @property
    def answers(self) -> dict[str, Any]:
        """Answers by interrupt id."""
        if self.responses is not None:
            return {answer.interrupt_id: answer.response for answer in self.responses}
        return {self.interrupt_id: self.response} if self.interrupt_id else {}

    def as_run(self, assistant_id: str) -> RunCreateStateful:
        command = {"resume": self.answers, "update": self.update, "goto": self.goto}
        return _run(self, assistant_id, command=command)


class Message(Body):
    role: Annotated[str, Field(pattern="^(user|system)$")]
    content: Annotated[str, Field(max_length=100_000)]
    name: str | None = None


class Inject(Body):
    namespace: Namespace = []
    message: Message


class StateGet(Body):
    namespace: Namespace = []
    keys: list[str] | None = None


class ListCheckpoints(Body):
    namespace: Namespace = []
    limit: Annotated[int, Field(ge=1, le=1000)] = 10
    before: str | None = None


class Fork(_Told):
    checkpoint_id: Name
    input: Any = None

    def as_run(self, assistant_id: str) -> RunCreateStateful:
        given = _run(self, assistant_id, input=self.input)
        return given.model_copy(update={"checkpoint": CheckpointConfig(checkpoint_id=self.checkpoint_id)})


class GetTree(Body):
    run_id: str | None = None


def _run(told: _Told, assistant_id: str, **more: Any) -> RunCreateStateful:
    named = (told.config.configurable or {}).get("checkpoint_id") if told.config is not None else None
    return RunCreateStateful.model_validate(
        {
            "assistant_id": assistant_id,
            "config": told.config,
            "context": told.context,
            "metadata": told.metadata,
            "checkpoint": {"checkpoint_id": named} if isinstance(named, str) else None,
            "if_not_exists": "create",
            "stream_subgraphs": True,
            **more,
        }
    )
