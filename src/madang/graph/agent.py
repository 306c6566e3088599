"""An agent is a function from the state fields it reads to the state fields it writes, and its types say so."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Literal, Protocol, cast, get_origin, overload

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypeVar, is_typeddict

from madang.errors import FieldProblem, InvalidAssistant, InvalidState, UndeclaredRead, UndeclaredWrite
from madang.graph.context import Context, ServicesT
from madang.graph.declaration import DeclaredField, Reads, declared_fields, hints_of, members
from madang.graph.frozen import freeze

Request = TypeVar("Request", bound=Reads, default=Any)
Result = TypeVar("Result", bound=Mapping[str, object], default=Any)


@dataclass(frozen=True, kw_only=True)
class Ask:
    """What a step needs from the user before it can finish."""

    question: str
    kind: Literal["clarification", "approval"] = "clarification"
    choices: tuple[str, ...] = ()
    draft: Any = None
    field: str | None = None
    form: Mapping[str, Any] | None = None
    """JSON Schema of what may be answered by name (`{"fields": {…}}`) beside words; a `default` is what is there."""
    id: str = "answer"


@dataclass(frozen=True, kw_only=True)
class NeedsInput:
    """Returned by an agent instead of a result: the step waits, its siblings go on, the user is asked.

    The agent runs again with the answers in `ctx.answers`, keyed by each question's `id`.
    """

    questions: tuple[Ask, ...]


@dataclass(frozen=True, kw_only=True)
class Agent(Generic[Request, Result, ServicesT]):
    """The declaration. What it reads, is told and writes follows from its request and result types.

    `today`, `model` and `data` say what else the result depends on: the date, the model in use, and data sets by
    name (their versions come from the assistant's services). `runs` is how often it may run in one turn, each time
    with other arguments; beyond one, what it writes accumulates.
    """

    name: str
    function: Callable[[Request, Context[ServicesT]], Awaitable[Result | NeedsInput]] = field(compare=False)
    request: type[Request]
    result: type[Result]
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
    runs: int = 1

    @cached_property
    def read_fields(self) -> tuple[DeclaredField, ...]:
        return tuple(one for one in declared_fields(self.request) if not one.argument)

    @cached_property
    def write_fields(self) -> tuple[DeclaredField, ...]:
        return declared_fields(self.result)

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """The state paths it reads."""
        return tuple(one.path for one in self.read_fields)

    @cached_property
    def optional(self) -> tuple[str, ...]:
        """The reads that need not have a writer in the plan."""
        return tuple(one.path for one in self.read_fields if not one.required)

    @cached_property
    def writes(self) -> tuple[str, ...]:
        """The state paths it writes."""
        return tuple(one.path for one in self.write_fields)

    @cached_property
    def write_names(self) -> dict[str, str]:
        """Name in the result → path in the state."""
        return {one.name: one.path for one in self.write_fields}

    @cached_property
    def arguments(self) -> dict[str, DeclaredField]:
        """What a step of this agent carries, by name."""
        return {one.name: one for one in declared_fields(self.request) if one.argument}

    @cached_property
    def _argument_types(self) -> dict[str, TypeAdapter[Any]]:
        return {name: TypeAdapter(one.type) for name, one in self.arguments.items()}

    def checked_arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as a step keeps them, in JSON's types. Raises `InvalidState`, naming each that is wrong."""
        problems = [
            FieldProblem(f"{self.name}({name})", "unknown argument", ", ".join(self.arguments) or "it takes none")
            for name in given
            if name not in self.arguments
        ]
        kept: dict[str, Any] = {}
        for name, one in self.arguments.items():
            if name in given:
                try:
                    value = self._argument_types[name].validate_python(given[name])
                    kept[name] = self._argument_types[name].dump_python(value, mode="json")
                except ValidationError as error:
                    problems += [FieldProblem(f"{self.name}({name})", e["msg"]) for e in error.errors()[:5]]
            elif one.required:
                problems.append(FieldProblem(f"{self.name}({name})", "missing"))
        if problems:
            raise InvalidState(problems)
        return kept

    def request_from(self, reads: Mapping[str, Any], arguments: Mapping[str, Any]) -> Request:
        """The request: read-only at every depth. Raises `UndeclaredRead` for a field that must have a value and has
        none in the state."""
        given: dict[str, Any] = {
            name: self._argument_types[name].validate_python(value) for name, value in arguments.items()
        }
        for one in self.read_fields:
            value = reads.get(one.path)
            if value is None and not one.required:
                continue
            if value is None and not one.admits_none:
                raise UndeclaredRead(
                    f"agent {self.name!r} reads {one.path!r}, which has no value in the state (declare it "
                    f"`{one.name}: … | None` if it may have none)",
                    agent=self.name,
                    field=one.path,
                )
            given[one.name] = freeze(value)
        request = cast(Any, self.request)(**given)
        object.__setattr__(request, "_agent", self.name)
        return cast(Request, request)

    def written(self, returned: Any) -> dict[str, Any]:
        """What a result writes, by path. Raises `UndeclaredWrite` for anything but the declared result."""
        if not isinstance(returned, Mapping):
            raise UndeclaredWrite(
                f"agent {self.name!r} returned {type(returned).__name__}; {self.result.__name__} was declared",
                agent=self.name,
            )
        for name in returned:
            if name not in self.write_names:
                raise UndeclaredWrite(
                    f"agent {self.name!r} writes {name!r}, which it did not declare", agent=self.name, field=name
                )
        for one in self.write_fields:
            if one.required and one.name not in returned:
                raise UndeclaredWrite(
                    f"agent {self.name!r} did not write {one.name!r}, which it declared",
                    agent=self.name,
                    field=one.name,
                )
        return {self.write_names[name]: value for name, value in returned.items()}


class Declare(Protocol):
    """Makes an agent of a function: one that takes a request, or one that takes the fields it reads as parameters."""

    @overload
    def __call__(
        self, function: Callable[[Request, Context[ServicesT]], Awaitable[Result | NeedsInput]], /
    ) -> Agent[Request, Result, ServicesT]: ...

    @overload
    def __call__(self, function: Callable[..., Awaitable[Result | NeedsInput]], /) -> Agent[Any, Result, Any]: ...


def agent(
    *,
    task: str,
    team: str = "",
    name: str = "",
    step_type: str = "",
    agent_name: str = "",
    description: str = "",
    timeout: float = 30.0,
    retries: int = 0,
    fallback: str | None = None,
    version: str = "1",
    today: bool = False,
    model: bool = False,
    data: tuple[str, ...] = (),
    runs: int = 1,
) -> Declare:
    """Declare a function as an agent; see `Agent` for the options. Raises `InvalidAssistant` for a declaration
    that can't work by itself."""

    def declare(function: Callable[..., Awaitable[Any]], /) -> Agent[Any, Any, Any]:
        known_as = name or getattr(function, "__name__", "")
        request, call = request_of(function, known_as)
        declared: Agent[Any, Any, Any] = Agent(
            name=known_as,
            function=call,
            request=request,
            result=result_of(function, known_as),
            task=task,
            team=team or known_as,
            step_type=step_type or team or known_as,
            agent_name=agent_name or known_as,
            description=description,
            timeout=timeout,
            retries=retries,
            fallback=fallback,
            version=version,
            today=today,
            model=model,
            data=data,
            runs=runs,
        )
        check_declaration(declared)
        return declared

    return declare


def request_of(function: Callable[..., Awaitable[Any]], name: str) -> tuple[Any, Callable[..., Awaitable[Any]]]:
    """The request type of an agent's function, and the function as one of a request and a context."""
    hints = {key: hint for key, hint in hints_of(function).items() if key != "return"}
    for hint in hints.values():
        if isinstance(hint, type) and issubclass(hint, Reads):
            return hint, function
    taken = inspect.signature(function).parameters
    contexts = [key for key, hint in hints.items() if (get_origin(hint) or hint) is Context]
    read = [key for key in taken if key not in contexts]
    if any(key not in hints for key in read):
        raise InvalidAssistant(f"agent {name!r} has parameters without a type; a type says what is read", agent=name)
    defaults = {key: taken[key].default for key in read if taken[key].default is not inspect.Parameter.empty}
    body = {"__annotations__": {key: hints[key] for key in read}, "__module__": function.__module__, **defaults}
    request = type(f"{name}_request", (Reads,), body)

    async def call(given: Any, ctx: Context[Any]) -> Any:
        return await function(**{key: getattr(given, key) for key in read}, **dict.fromkeys(contexts, ctx))

    return request, call


def result_of(function: Callable[..., Awaitable[Any]], name: str) -> Any:
    """The result type of an agent's function. Raises `InvalidAssistant` if it doesn't return one."""
    returned = [one for one in members(hints_of(function).get("return")) if one is not NeedsInput]
    if len(returned) != 1 or not is_typeddict(returned[0]):
        raise InvalidAssistant(f"agent {name!r} must say what it writes: return a class of `Writes`", agent=name)
    return returned[0]


def check_declaration(declared: Agent) -> None:
    """Raise `InvalidAssistant` unless the declaration makes sense on its own."""

    def refuse(why: str) -> None:
        raise InvalidAssistant(f"agent {declared.name!r} {why}", agent=declared.name)

    for what, paths in (("reads", declared.reads), ("writes", declared.writes)):
        if len(set(paths)) != len(paths):
            refuse(f"{what} one field under two names")
    if not declared.writes:
        refuse("writes nothing")
    for path in declared.writes:
        if declared.runs == 1 and any(overlaps(path, other) for other in declared.reads):
            refuse(f"reads what it writes ({path!r}): that is a cycle, unless it declares how often it `runs`")
    if declared.timeout <= 0:
        refuse(f"has a timeout of {declared.timeout} s; it must be positive")
    if declared.retries < 0:
        refuse(f"has {declared.retries} retries; it can't be negative")
    if declared.runs < 1:
        refuse(f"has {declared.runs} runs; it must be at least 1")
    if declared.runs > 1 and not declared.arguments:
        refuse("may run several times but takes no argument: each run would be the same")


def overlaps(a: str, b: str) -> bool:
    """Whether one path is the other, or lies inside it."""
    return a == b or a.startswith(b + ".") or b.startswith(a + ".")
