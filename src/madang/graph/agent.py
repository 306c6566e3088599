"""An agent is a function from the state fields it reads to the state fields it writes, and says so."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from madang.errors import InvalidAssistant
from madang.graph.context import AgentContext
from madang.graph.views import View

AgentFunction = Callable[[View, AgentContext], Awaitable[Any]]


@dataclass(frozen=True, kw_only=True)
class Ask:
    """What a step needs from the user before it can finish."""

    question: str
    kind: Literal["clarification", "approval"] = "clarification"
    choices: tuple[str, ...] = ()
    draft: Any = None
    field: str | None = None
    id: str = "answer"


@dataclass(frozen=True, kw_only=True)
class NeedsInput:
    """Returned by an agent instead of a result: the step waits, its siblings go on, the user is asked.

    The agent runs again with the answers in `ctx.answers`, keyed by each question's `id`.
    """

    questions: tuple[Ask, ...]


@dataclass(frozen=True)
class Agent:
    """The declaration. `reads` and `writes` are state paths (`destination`, `team_results.search.legal_search`);
    inside the function a path goes by its last part.

    `today`, `model` and `data` say what else the result depends on: the date, the model in use, and data sets by
    name (their versions come from the assistant's services). `optional` reads need not have a writer in the plan.
    """

    name: str
    function: AgentFunction = field(compare=False)
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    task: str
    team: str = ""
    step_type: str = ""
    agent_name: str = ""
    description: str = ""
    timeout: float = 30.0
    retries: int = 0
    fallback: str | None = None
    version: str = "1"
    today: bool = False
    model: bool = False
    data: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @property
    def read_names(self) -> dict[str, str]:
        """Local name → path."""
        return {local_name(path): path for path in self.reads}

    @property
    def write_names(self) -> dict[str, str]:
        return {local_name(path): path for path in self.writes}


def local_name(path: str) -> str:
    """The name a path goes by inside an agent: its last part."""
    return path.rsplit(".", 1)[-1]


def agent(
    *,
    reads: tuple[str, ...],
    writes: tuple[str, ...],
    task: str,
    team: str = "",
    name: str = "",
    **options: Any,
) -> Callable[[AgentFunction], Agent]:
    """Declare a function as an agent; see `Agent` for the options. Raises `InvalidAssistant` for a declaration
    that can't work by itself."""

    def declare(function: AgentFunction) -> Agent:
        declared = Agent(
            name=name or getattr(function, "__name__", ""),
            function=function,
            reads=reads,
            writes=writes,
            task=task,
            team=team,
            **options,
        )
        check_declaration(declared)
        return replace(
            declared,
            team=declared.team or declared.name,
            agent_name=declared.agent_name or declared.name,
            step_type=declared.step_type or declared.team or declared.name,
        )

    return declare


def check_declaration(declared: Agent) -> None:
    """Raise `InvalidAssistant` unless the declaration makes sense on its own."""

    def refuse(why: str) -> None:
        raise InvalidAssistant(f"agent {declared.name!r} {why}", agent=declared.name)

    for what, paths in (("reads", declared.reads), ("writes", declared.writes)):
        if not isinstance(paths, tuple) or not all(paths):
            refuse(f"must give {what} as a tuple of field names")
        if len({local_name(path) for path in paths}) != len(paths):
            refuse(f"{what} two fields that go by the same name")
    if not declared.writes:
        refuse("writes nothing")
    for path in declared.writes:
        if any(overlaps(path, other) for other in declared.reads):
            refuse(f"reads what it writes ({path!r}): that is a cycle")
    if declared.timeout <= 0:
        refuse(f"has a timeout of {declared.timeout} s; it must be positive")
    if declared.retries < 0:
        refuse(f"has {declared.retries} retries; it can't be negative")


def overlaps(a: str, b: str) -> bool:
    """Whether one path is the other, or lies inside it."""
    return a == b or a.startswith(b + ".") or b.startswith(a + ".")


def as_writes(declared: Agent, returned: Any) -> dict[str, Any]:
    """What the function returned as a mapping of local names, whatever form it has."""
    if returned is None:
        return {}
    if hasattr(returned, "model_dump"):
        dumped: dict[str, Any] = returned.model_dump(mode="json")
        return dumped
    if isinstance(returned, Mapping):
        return dict(returned)
    raise TypeError(f"agent {declared.name!r} returned {type(returned).__name__}; a mapping or a model was expected")
