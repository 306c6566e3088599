"""The form of a model's reading: the same in every assistant, with its inputs, tasks and tools as the choices."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Union

from pydantic import (
    BaseModel,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    create_model,
    field_validator,
)

from madang.graph.reading import ACT_KINDS, ASIDE

if TYPE_CHECKING:
    from madang.graph.assistant import Assistant

MOST, AT_ONCE, LONGEST_CODE = 40, 4, 8
Stated = int | float | bool | str | list[str]


class SaidAct(BaseModel):
    """Base of one thing that the message does."""

    quote: str = Field(max_length=2000, description="메시지에서 그대로 옮긴 말")
    kind: str
    task: str
    restated: str = Field(max_length=500, description="앞뒤 맥락을 채워 혼자서도 뜻이 통하게 다시 쓴 한 문장")


class SaidClaim(BaseModel):
    """Base of one value and the words it comes from."""

    field: str
    value: Stated
    quote: str = Field(max_length=300, description="값이 나온 말, 그대로")
    message: str | None = Field(default=None, description="앞선 메시지에서 옮겼으면 그 id(m3), 이번 메시지면 null")


class SaidQuestion(BaseModel):
    """What must be asked back before anything useful can be done."""

    question: str = Field(max_length=300)
    field: str | None = None
    choices: list[str] = Field(default_factory=list, max_length=6)


class SaidReading(BaseModel):
    """Base of the whole reading; each assistant has its own, with its choices."""

    language: str = Field(max_length=LONGEST_CODE, description="답할 언어: ko, en, ja, zh …")
    intent: str
    acts: list[Any]
    claims: list[Any]
    cleared: list[str] = Field(default_factory=list, max_length=MOST, description="사용자가 물린(지운) 입력 항목")
    steps: list[Any]
    queries: list[str] = Field(default_factory=list, max_length=8, description="찾아볼 말(검색어). 하나에 한 가지")
    keywords: list[str] = Field(default_factory=list, max_length=12)
    ask: SaidQuestion | None = None

    @field_validator("acts", "claims", "cleared", "steps", "queries", "keywords", mode="wrap")
    @classmethod
    def keep_what_fits(cls, given: Any, read: ValidatorFunctionWrapHandler) -> Any:
        """One thing that breaks the form takes nothing else with it."""
        return _what_fits(given, read, MOST)

    @field_validator("ask", mode="wrap")
    @classmethod
    def ask_what_fits(cls, given: Any, read: ValidatorFunctionWrapHandler) -> Any:
        """A question that is too long, has too many choices or names no input costs no second call."""
        if not isinstance(given, dict):
            return read(given)
        fitting = _fitting(dict(given), lambda items: [read(items[0])])
        fitting = fitting or _fitting({**given, "field": None}, lambda items: [read(items[0])])
        return next(iter(fitting), None)

    @field_validator("language", mode="before")
    @classmethod
    def language_code(cls, given: Any) -> Any:
        """Vietnamese: what is too long for a code is cut to where it may begin with one."""
        return given[:LONGEST_CODE] if isinstance(given, str) else given


class SaidRound(BaseModel):
    """Base of what a model chooses in a round of a loop."""

    enough: bool = Field(description="이제 답할 수 있으면 true")
    steps: list[Any]

    @field_validator("steps", mode="wrap")
    @classmethod
    def keep_what_fits(cls, given: Any, read: ValidatorFunctionWrapHandler) -> Any:
        """A choice that breaks the form takes no other with it."""
        return _what_fits(given, read, AT_ONCE)


def _what_fits(given: Any, read: ValidatorFunctionWrapHandler, most: int) -> Any:
    try:
        return read(given)
    except ValidationError:
        return [one for item in (given if isinstance(given, list) else ()) for one in _fitting(item, read)][:most]


def _fitting(item: Any, read: Callable[[list[Any]], Any]) -> list[Any]:
    """The item as it is, or with what is too long in it cut; nothing if it doesn't fit even so."""
    try:
        return list(read([item]))
    except ValidationError as error:
        cut = [_cut(item, one) for one in error.errors()]
        if not any(cut):
            return []
    try:
        return list(read([item]))
    except ValidationError:
        return []


def _cut(item: Any, error: Any) -> bool:
    """Whether a list or text that was too long could be cut where it stands."""
    most = (error.get("ctx") or {}).get("max_length")
    if most is None:
        return False
    holder: Any = None
    last: Any = None
    for name in error["loc"]:
        inside = holder[last] if holder is not None else item
        # Names of alternatives stand in the path too, and are no keys.
        if (isinstance(inside, dict) and name in inside) or (isinstance(inside, list) and isinstance(name, int)):
            holder, last = inside, name
    if holder is None or not isinstance(holder[last], list | str):
        return False
    holder[last] = holder[last][:most]
    return True


def schema_of(assistant: "Assistant") -> type[SaidReading]:
    """The reply that `understand` wants from a model."""
    use = assistant.model
    assert use is not None
    tasks = (*assistant.tasks, "chat")
    paths = tuple(one.path for one in (*assistant.form, *use.inputs))
    act: Any = create_model("Act", __base__=SaidAct, kind=(_one_of(ACT_KINDS), ...), task=(_one_of(tasks), ...))
    claim: Any = create_model("Claim", __base__=SaidClaim, field=(_one_of((*paths, ASIDE)), ...))
    steps: Any = _one_step([(tool.agent, tool.arguments) for tool in use.tools])
    path: Any = _one_of(paths)
    listed: dict[str, Any] = {"acts": list[act], "claims": list[claim], "cleared": list[path], "steps": list[steps]}
    asked = create_model("Question", __base__=SaidQuestion, field=(_one_of(paths) | None, None))
    fields: dict[str, Any] = {name: (kind, Field(max_length=MOST)) for name, kind in listed.items()}
    fields |= {"intent": (_one_of(tuple(use.intents)), ...), "ask": (asked | None, None)}
    made: type[SaidReading] = create_model("Reading", __base__=SaidReading, **fields)
    return made


def round_of(tools: Sequence[tuple[str, type[BaseModel] | None]]) -> type[SaidRound]:
    """The reply that a round of a loop wants: whether enough is known, else which tools with which arguments."""
    step: Any = _one_step(tools)
    made: type[SaidRound] = create_model("Round", __base__=SaidRound, steps=(list[step], Field(max_length=AT_ONCE)))
    return made


def _one_step(tools: Sequence[tuple[str, type[BaseModel] | None]]) -> Any:
    return Union[tuple(_step(agent, arguments) for agent, arguments in tools)]  # noqa: UP007


def _step(agent: str, arguments: type[BaseModel] | None) -> type[BaseModel]:
    fields: dict[str, Any] = {"agent": (Literal[agent], ...)}
    if arguments is not None:
        fields["arguments"] = (arguments, ...)
    return create_model(re.sub(r"\W", "_", f"Step_{agent}"), **fields)


def _one_of(names: tuple[str, ...]) -> Any:
    return Literal[names]
