"""The contract of an assistant: its state, its understanding, its agents and its way of answering."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from types import NoneType
from typing import TYPE_CHECKING, Any, Generic, cast

from typing_extensions import TypeVar

from madang.errors import InvalidAssistant
from madang.graph.agent import Agent, overlaps
from madang.graph.context import Deployment, ServicesT, TurnContext
from madang.graph.declaration import DeclaredField, assignable, members, type_at
from madang.graph.inputs import Input
from madang.graph.labels import Translate, as_written
from madang.graph.model.use import ModelUse
from madang.graph.plan import StepRequest, dependencies, writers
from madang.graph.questions import read_answer
from madang.graph.reading import Claim, Heard
from madang.graph.state import Question, TurnState
from madang.state.fields import FieldSpec, field_specs
from madang.state.migrations import Migrations
from madang.state.steps import ExecutionStepState

if TYPE_CHECKING:
    from madang.graph.model.schema import SaidReading

State = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the user gets at the end of a turn. `type`: answer, clarification, guidance, …"""

    answer: str
    type: str = "answer"
    structured_data: Mapping[str, Any] = field(default_factory=dict)
    teams_used: Sequence[str] | None = None
    data: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {
            "type": self.type,
            "answer": self.answer,
            "structured_data": dict(self.structured_data),
            "teams_used": list(self.teams_used or ()),
            "data": dict(self.data),
        }


@dataclass(frozen=True, kw_only=True)
class Understanding:
    """What planning made of the message: an update of the state, and either steps to run or an answer that ends
    the turn (a question, guidance)."""

    update: Mapping[str, Any] = field(default_factory=dict)
    steps: Sequence[StepRequest] = ()
    answer: Answer | None = None
    intent: str = ""
    confidence: float | None = None
    claims: Sequence[Claim] = ()
    """Which words became which value; what nobody claims is left over and said."""
    answered: Sequence[int] | None = None
    """The acts of the message that this serves; None: all of them."""


@dataclass(frozen=True, kw_only=True)
class Revision:
    """A re-plan: further steps, and an update of the state that they may read."""

    steps: Sequence[StepRequest] = ()
    update: Mapping[str, Any] = field(default_factory=dict)


StateT = TypeVar("StateT", default=Any)
Track = Callable[[str, State], dict[str, Any]]


def _track_nothing(_phase: str, _state: State) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Assistant(Generic[StateT, ServicesT]):
    """One assistant. `check` (called by `build`) finds what doesn't hold together before anything runs.

    `inputs` are the fields that `understand` may write. `track` derives an assistant's own bookkeeping fields from
    the state after each phase (initialize, planning, dispatch, collect, aggregate, respond); it must be pure.
    `steps_at` and `response_at` say where steps and the response live in the state. `hear` parses and labels a message
    (in a thread of its own: it may take its time). `form` and `tasks` declare what can be told and what can be wanted.
    """

    name: str
    title: str
    state: type[StateT]
    agents: Sequence[Agent[Any, Any, ServicesT]]
    understand: Callable[[StateT, TurnContext[ServicesT]], Awaitable[Understanding]]
    respond: Callable[[StateT, TurnContext[ServicesT]], Awaitable[Answer | tuple[Answer, dict[str, Any]]]]
    _: KW_ONLY
    inputs: tuple[str, ...] = ()
    track: Track = _track_nothing
    replan: Callable[[StateT, TurnContext[ServicesT]], Awaitable[Revision | None]] | None = None
    max_replans: int = 3
    steps_at: str = "execution_steps"
    response_at: str = "response"
    plan_fields: Callable[[State, Mapping[str, Any], list[ExecutionStepState]], dict[str, Any]] | None = None
    initial: Callable[[], dict[str, Any]] = dict
    migrations: Migrations | None = None
    services: Callable[[Deployment], ServicesT] | None = None
    read_answer: Callable[[Question, str, State], Any | None] = lambda question, text, _state: read_answer(
        question, text
    )
    preferences: Callable[[State], dict[str, Any]] = lambda _state: {}
    hear: Callable[[str, StateT, TurnContext[ServicesT]], Heard] | None = None
    form: tuple[Input, ...] = ()
    tasks: Mapping[str, str] = field(default_factory=dict)
    greeting: str = ""
    description: str = ""
    examples: tuple[str, ...] = ()
    labels: Translate = as_written
    """Its titles, greeting, examples, choices and units in another language."""
    model: ModelUse | None = None
    """How a model leads its turns; None: none ever does."""

    @cached_property
    def reading_schema(self) -> "type[SaidReading]":
        """The form in which a model says what it understood."""
        from madang.graph.model.schema import schema_of

        return schema_of(self)

    @cached_property
    def by_name(self) -> dict[str, Agent]:
        return {agent.name: agent for agent in self.agents}

    @cached_property
    def specs(self) -> Mapping[str, FieldSpec]:
        return field_specs(cast(Any, self.state))

    def steps(self, state: State) -> list[ExecutionStepState]:
        """The steps of the present turn."""
        return list(dig(state, self.steps_at) or ())

    def response(self, state: State) -> dict[str, Any] | None:
        """The response of the present turn, once there is one."""
        found: dict[str, Any] | None = dig(state, self.response_at)
        return found

    def check(self) -> None:
        """Raise `InvalidAssistant`, naming agent and field, unless the declarations hold together."""
        if len(self.by_name) != len(self.agents):
            raise InvalidAssistant(f"{self.name}: two agents have the same name")
        base = set(field_specs(TurnState)) | set(self.inputs)
        for path in (self.steps_at, self.response_at):
            self._known(path, "the assistant")
        for agent in self.agents:
            self._check_types(agent)
            for path in agent.reads:
                if not any(overlaps(path, given) for given in base) and not writers(self.agents, path):
                    raise InvalidAssistant(
                        f"agent {agent.name!r} reads {path!r}, which no agent writes and which is not an input",
                        agent=agent.name,
                        field=path,
                    )
            self._check_fallback(agent)
        self._check_writers()
        dependencies([a for a in self.agents if a.name not in self.stand_ins])

    @cached_property
    def stand_ins(self) -> frozenset[str]:
        """Agents that only run when another one fails."""
        return frozenset(agent.fallback for agent in self.agents if agent.fallback)

    def _check_types(self, agent: Agent) -> None:
        """Request and result must agree with what the state declares at the same place."""
        hints = {name: spec.type for name, spec in self.specs.items()}
        for one in (*agent.read_fields, *agent.write_fields):
            self._known(one.path, f"agent {agent.name!r}")
            held = type_at(hints, one.path)
            if held is None:
                raise InvalidAssistant(f"agent {agent.name!r} names {one.path!r}, which the state does not declare")
        for one in agent.read_fields:
            held = tuple(m for m in members(type_at(hints, one.path)) if m is not NoneType)
            self._agree(agent, one, all(assignable(member, one.type) for member in held), hints)
        for one in agent.write_fields:
            self._agree(agent, one, assignable(one.type, type_at(hints, one.path)), hints)

    def _agree(self, agent: Agent, one: DeclaredField, agrees: bool, hints: Mapping[str, Any]) -> None:
        if not agrees:
            raise InvalidAssistant(
                f"agent {agent.name!r} declares {one.path!r} as {one.type}; in {self.state.__name__} it is "
                f"{type_at(hints, one.path)}",
                agent=agent.name,
                field=one.path,
            )

    def _known(self, path: str, who: str) -> None:
        root = path.split(".", 1)[0]
        if root not in self.specs:
            raise InvalidAssistant(f"{who} names {path!r}, but {self.state.__name__} has no field {root!r}", field=path)

    def _check_fallback(self, agent: Agent) -> None:
        if agent.fallback is None:
            return
        stand_in = self.by_name.get(agent.fallback)
        if stand_in is None:
            raise InvalidAssistant(f"agent {agent.name!r} falls back to {agent.fallback!r}, which does not exist")
        if not set(stand_in.writes) >= set(agent.writes):
            missing = sorted(set(agent.writes) - set(stand_in.writes))
            raise InvalidAssistant(f"fallback {stand_in.name!r} does not write {missing} for {agent.name!r}")
        if stand_in.arguments.keys() != agent.arguments.keys():
            raise InvalidAssistant(f"fallback {stand_in.name!r} does not take the arguments of {agent.name!r}")

    def _check_writers(self) -> None:
        for agent in self.agents:
            for path in agent.writes:
                spec = self.specs[path.split(".", 1)[0]]
                if agent.runs > 1 and (spec.reducer is None or not spec.turn):
                    raise InvalidAssistant(
                        f"{path!r} is written by {agent.name!r}, which may run {agent.runs} times in a turn: results "
                        "accumulate only in a `Turn` field with a reducer",
                        field=path,
                    )
                others = [w.name for w in writers(self.agents, path) if w.name != agent.name]
                if others and agent.name not in self.stand_ins and spec.reducer is None:
                    raise InvalidAssistant(
                        f"{path!r} is written by {agent.name!r} and {others[0]!r}, and has no reducer", field=path
                    )


def dig(state: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path of keys, or None."""
    value: Any = state
    for part in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


def nest(path: str, value: Any) -> dict[str, Any]:
    """An update that puts `value` at a dotted path of keys."""
    for part in reversed(path.split(".")):
        value = {part: value}
    return dict(value)
