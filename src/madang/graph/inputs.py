"""An assistant's inputs, declared: from them come the form, its JSON Schema, its validation and the words for each."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from madang.errors import FieldProblem
from madang.state.fields import Range
from madang.texts import say

InputKind = Literal["text", "money", "rate", "count", "number", "area", "date", "dates", "choice", "flag"]
_TYPES: dict[str, str] = {
    "text": "string",
    "money": "integer",
    "rate": "number",
    "count": "integer",
    "number": "number",
    "area": "number",
    "date": "string",
    "dates": "string",
    "choice": "string",
    "flag": "boolean",
}
TASK = "task"
WON = "원"


@dataclass(frozen=True, kw_only=True)
class Input:
    """One thing an assistant can be told. `path` is where it lies in the state; `serves` are the tasks that use it."""

    path: str
    title: str
    kind: InputKind = "text"
    unit: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    """Value and how it is shown."""
    limits: Range | None = None
    many: bool = False
    help: str = ""
    serves: tuple[str, ...] = ()

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema."""
        one: dict[str, Any] = {"type": _TYPES[self.kind]}
        if self.kind == "date":
            one["format"] = "date"
        if self.kind == "choice":
            one["oneOf"] = [{"const": value, "title": title} for value, title in self.choices]
        if self.limits is not None:
            one |= {k: v for k, v in (("minimum", self.limits.low), ("maximum", self.limits.high)) if v is not None}
        found: dict[str, Any] = {"type": "array", "items": one} if self.many else one
        about = {"title": self.title, "description": self.help, "x-kind": self.kind, "x-unit": self.unit}
        return {**found, **{k: v for k, v in about.items() if v}, **({"x-serves": self.serves} if self.serves else {})}

    def labelled(self, label: Callable[[str], str]) -> "Input":
        """The same input with what `label` makes of each of its texts."""
        choices = tuple((value, label(title)) for value, title in self.choices)
        limits = self.limits and replace(self.limits, unit=_apart(label(self.limits.unit)))
        return replace(
            self,
            title=label(self.title),
            help=label(self.help),
            unit=label(self.unit),
            choices=choices,
            limits=limits,
        )

    def shown(self, value: Any) -> str:
        """A value as people say it."""
        if isinstance(value, list | tuple):
            return ", ".join(self.shown(one) for one in value)
        if self.kind == "choice":
            return dict(self.choices).get(str(value), str(value))
        if self.kind == "money" and isinstance(value, int):
            return won(value) if self.unit in (WON, "") else f"{value:,}{_apart(self.unit)}"
        if self.kind == "flag":
            return "예" if value else "아니요"
        return f"{value:g}{self.unit}" if isinstance(value, float) else f"{value}{self.unit}"


def _apart(unit: str) -> str:
    """A unit as it follows its number: words of the Latin alphabet stand apart."""
    return f" {unit}" if unit[:1].isascii() and unit[:1].isalpha() else unit


def won(amount: int) -> str:
    """A sum as people write it: 4억 3,000만원."""
    if amount < 10_000:
        return f"{amount:,}원"
    eok, rest = divmod(amount, 10**8)
    man, small = divmod(rest, 10**4)
    parts = [f"{eok:,}억" if eok else "", f"{man:,}만" if man else "", f"{small:,}" if small else ""]
    return " ".join(part for part in parts if part) + "원"


def form_schema(inputs: Iterable[Input], tasks: Mapping[str, str], language: str | None = None) -> dict[str, Any]:
    """The whole form as JSON Schema, with what is wanted (the task) first."""
    properties: dict[str, Any] = {one.path: one.schema() for one in inputs}
    if tasks:
        wanted = [{"const": name, "title": title} for name, title in tasks.items()]
        properties = {TASK: {"type": "string", "title": say("wanted", language), "oneOf": wanted}, **properties}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def check_form(
    inputs: Sequence[Input], tasks: Mapping[str, str], values: Mapping[str, Any], language: str | None = None
) -> tuple[dict[str, Any], list[FieldProblem]]:
    """The values that fit and a problem for each that doesn't. None clears a field."""
    known = {one.path: one for one in inputs}
    good: dict[str, Any] = {}
    problems: list[FieldProblem] = []
    for path, value in values.items():
        if path == TASK and (value is None or value in tasks):
            good[path] = value
        elif path == TASK:
            problems.append(FieldProblem(path, say("not_a_choice", language), ", ".join(tasks)))
        elif path not in known:
            problems.append(FieldProblem(path, say("no_such_input", language), None))
        elif value is None or (reason := misfit(known[path], value, language)) is None:
            good[path] = value
        else:
            problems.append(FieldProblem(path, reason, str(known[path].limits) if known[path].limits else None))
    return good, problems


def misfit(one: Input, value: Any, language: str | None = None) -> str | None:
    """Why a value doesn't fit an input, or None when it does."""
    if one.many:
        if not isinstance(value, list):
            return say("not_a_list", language)
        return next((reason for item in value if (reason := _misfit(one, item, language))), None)
    return _misfit(one, value, language)


def _misfit(one: Input, value: Any, language: str | None) -> str | None:
    wanted = _TYPES[one.kind]
    fits = {
        "string": isinstance(value, str),
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, int | float) and not isinstance(value, bool),
        "boolean": isinstance(value, bool),
    }[wanted]
    if not fits:
        return say("not_of_type", language, type=wanted)
    if one.choices and value not in dict(one.choices):
        return say("not_a_choice", language)
    if one.limits is not None and value not in one.limits:
        return say("out_of_range", language)
    return None
