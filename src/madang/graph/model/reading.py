"""A model's reading, held against the message: quotes that stand in it, values that parse, and what rules insist on."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from madang.graph.danger import in_danger
from madang.graph.inputs import Input, misfit
from madang.graph.model.quotes import Span, place_of
from madang.graph.model.schema import SaidClaim, SaidQuestion, SaidReading
from madang.graph.reading import ASIDE, Act, ActKind, Claim, Heard, overlap
from madang.text.message import Message, Value
from madang.texts import say

if TYPE_CHECKING:
    from madang.graph.assistant import Assistant

NUMERIC = frozenset({"money", "rate", "count", "number", "area"})
SURE = 1.0
_COUNTED = re.compile(r"(?<!\d)(\d+)\s?")
_DIGIT = re.compile(r"\d")
_WEEKDAY = re.compile(r"^(?!.*(?:다음|이번|지난|저번)\s?주)\D*(?P<day>[월화수목금토일])요일")
_WEEKDAYS = "월화수목금토일"
_RELATIVE = re.compile(r"다음\s?날|담날|이튿날|전날|내일|모레|뒤|후|지나|전에")
_SUM = re.compile(r"원|만|억|천")


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """One thing that the message does, as the model restated it. `act` is its place among the acts."""

    act: int
    kind: ActKind
    task: str
    words: str
    restated: str

    @property
    def asks(self) -> bool:
        return self.kind.startswith("ask_") or self.kind in ("order", "change", "add")


@dataclass(frozen=True, kw_only=True)
class ModelReading:
    """What a model understood and rules let stand."""

    heard: Heard
    """The message with the model's acts; danger that rules heard is kept."""
    wanted: tuple[Wanted, ...]
    claims: tuple[Claim, ...]
    values: Mapping[str, Any]
    """Inputs set by the message, by path."""
    cleared: tuple[str, ...]
    """Inputs taken back; one that is also set begins anew."""
    steps: tuple[tuple[str, Mapping[str, Any]], ...]
    queries: tuple[str, ...]
    keywords: tuple[str, ...]
    ask: SaidQuestion | None
    intent: str
    language: str
    numbers: frozenset[Fraction]
    """Every number that the user said in this conversation."""
    dropped: tuple[str, ...] = ()
    """What did not hold, for the record."""
    refused: tuple[str, ...] = ()
    """Values outside what is allowed, each said back with the range."""

    def asked(self) -> list[Wanted]:
        return [one for one in self.wanted if one.asks]

    def step(self, agent: str) -> Mapping[str, Any] | None:
        """The arguments of a step, if it was asked for."""
        return next((arguments for name, arguments in self.steps if name == agent), None)

    def tasks(self) -> set[str]:
        return {one.task for one in self.wanted}

    def said_number(self, value: Any) -> bool:
        """Whether a number is one that the user said, as it is or as a share."""
        number = as_number(value)
        return number is None or bool(self.numbers & {number, number * 100, number / 100, number * 10_000})


def as_number(value: Any) -> Fraction | None:
    """A value as a number, if it is one."""
    if isinstance(value, bool):
        return None
    try:
        return Fraction(str(value).replace(",", "")) if isinstance(value, int | float | Decimal | str) else None
    except (ValueError, ZeroDivisionError):
        return None


def read_by_model(
    assistant: "Assistant", heard: Heard, reply: SaidReading, earlier: Mapping[str, Message]
) -> ModelReading:
    """The reading that holds. `earlier` are the user's messages before, parsed, by their ids."""
    acts, wanted, dropped = _acts(heard, reply)
    merged = replace(heard, acts=tuple(acts))
    extra = assistant.model.inputs if assistant.model else ()
    inputs = {one.path: one for one in (*assistant.form, *extra)}
    claims: list[Claim] = []
    refused: list[str] = []
    for said in reply.claims:
        field = inputs.get(said.field)
        claim = _claim(merged, said, field, earlier)
        if claim is None:
            dropped.append(f"{said.field}: {said.quote}")
            if field is not None and (why := _out_of_range(said, field)):
                refused.append(why)
        elif not any(_same_place(claim, other) for other in claims):
            claims.append(claim)
    values: dict[str, Any] = {}
    for claim in claims:
        path, value = claim["field"], claim["value"]
        if path != ASIDE:
            both = isinstance(value, list) and isinstance(values.get(path), list)
            values[path] = list(dict.fromkeys([*values[path], *value])) if both else value
    numbers = frozenset(n for message in (heard.message, *earlier.values()) for n in numbers_in(message))
    return ModelReading(
        heard=merged,
        wanted=tuple(wanted),
        claims=tuple(claims),
        values=values,
        cleared=tuple(dict.fromkeys(path for path in reply.cleared if path in inputs)),
        steps=tuple(_step(one) for one in reply.steps),
        queries=tuple(query.strip() for query in reply.queries if query.strip()),
        keywords=tuple(reply.keywords),
        ask=reply.ask if reply.ask and reply.ask.question.strip() else None,
        intent=reply.intent,
        language=_code_of(reply.language),
        numbers=numbers,
        dropped=tuple(dropped),
        refused=tuple(refused),
    )


def _code_of(language: str) -> str:
    """A language by its code: en, also where a model writes en-US or English; Korean where it has no letters of one."""
    code = language.strip().lower()[:2]
    return code if code.isascii() and code.isalpha() else "ko"


def _step(step: Any) -> tuple[str, Mapping[str, Any]]:
    arguments = getattr(step, "arguments", None)
    return step.agent, arguments.model_dump(by_alias=True) if arguments is not None else {}


def _acts(heard: Heard, reply: SaidReading) -> tuple[list[Act], list[Wanted], list[str]]:
    """The model's acts where their words stand; what rules heard as danger stays danger."""
    text, after = heard.message.text, 0
    found: list[tuple[Span, Any]] = []
    dropped: list[str] = []
    for said in reply.acts:
        span = place_of(said.quote, text, (after, len(text)))
        if span is None:
            dropped.append(f"act: {said.quote}")
            continue
        after = span[1]
        found.append((span, said))
    told = [span for span, said in found if said.kind == "danger"]
    # What words say beyond doubt stays danger; what only sounds like it is the model's to say.
    dangers = [
        act
        for act in heard.acts
        if act["kind"] == "danger"
        and (not found or in_danger(text[slice(*act["span"])]) or any(overlap(span, act["span"]) for span in told))
    ]
    acts: list[Act] = []
    wanted: list[Wanted] = []
    for span, said in sorted(found, key=lambda pair: pair[0]):
        kind: ActKind = "danger" if any(overlap(span, act["span"]) for act in dangers) else said.kind
        wanted.append(
            Wanted(act=len(acts), kind=said.kind, task=said.task, words=text[slice(*span)], restated=said.restated)
        )
        acts.append(Act(kind=kind, span=[*span], task=said.task, sure=SURE))
    if not acts:
        return list(heard.acts), [], dropped
    missed = [act for act in dangers if not any(overlap(act["span"], other["span"]) for other in acts)]
    return [*acts, *missed], wanted, dropped


def _out_of_range(said: SaidClaim, field: Input) -> str | None:
    """Why a number can't be taken, in words, if it is only that."""
    number = as_number(said.value)
    if number is None or field.limits is None or float(number) in field.limits:
        return None
    shown = field.shown(int(number) if number.denominator == 1 else float(number))
    return say("refused_value", title=field.title, value=shown, allowed=str(field.limits))


def _same_place(one: Claim, other: Claim) -> bool:
    """Two claims on one field from the same words."""
    return one["field"] == other["field"] and one["words"] == other["words"]


def _claim(heard: Heard, said: SaidClaim, field: Input | None, earlier: Mapping[str, Message]) -> Claim | None:
    """The claim, if its words stand in the message (or an earlier one) and its value holds."""
    message = earlier.get(said.message) if said.message else heard.message
    if message is None or (message is not heard.message and place_of(said.quote, message.text) is None):
        # The words count, not the number that a model gives their message.
        others = [one for one in earlier.values() if place_of(said.quote, one.text) is not None]
        now = place_of(said.quote, heard.message.text) is not None
        message = others[-1] if others and not now else heard.message
    span = place_of(said.quote, message.text)
    if span is None:
        return None
    if field is None:
        return heard.claim(span, ASIDE, said.quote, "model") if message is heard.message else None
    held = _held(said.value, field, message, span)
    if held is None:
        return None
    value, inferred = held
    if message is heard.message:
        return heard.claim(span, field.path, value, "model", inferred=inferred)
    words = message.text[slice(*span)]
    return Claim(span=None, words=words, field=field.path, value=value, by="model", act=None, inferred=inferred)


def _held(value: Any, field: Input, message: Message, span: Span) -> tuple[Any, bool] | None:
    """The value as it stands and whether it is only inferred; None if it doesn't hold."""
    if field.many and not isinstance(value, list):
        value = [value]
    if field.kind in NUMERIC and not field.many:
        return _number_held(value, field, message, span)
    if field.kind == "date":
        return _date_held(value, field, message, span)
    if field.kind == "dates" and isinstance(value, list):
        value = " ~ ".join(map(str, value))
    if not field.many and isinstance(value, int | float) and not isinstance(value, bool) and field.kind != "flag":
        value = str(value)
    if field.kind == "flag" and isinstance(value, str):
        value = value.lower() in ("true", "예", "yes")
    value = _chosen(value, field)
    if misfit(field, value) is not None:
        return None
    words = "".join(message.text[slice(*span)].split())
    said = value if isinstance(value, list) else [value]
    return value, not all("".join(str(one).split()) in words for one in said)


def _chosen(value: Any, field: Input) -> Any:
    """A choice by its value or by how it is shown."""
    shown = {title: name for name, title in field.choices}
    if isinstance(value, list):
        return [shown.get(str(one), one) for one in value]
    return shown.get(str(value), value)


def _number_held(value: Any, field: Input, message: Message, span: Span) -> tuple[Any, bool] | None:
    number = as_number(value)
    if number is None:
        return None
    words = message.text[slice(*span)]
    near = [one for one in message.values if overlap(one.span, span)]
    said = {n for one in near for n in numbers_of(one)}
    own = [n for one in near if one.kind in _KINDS.get(field.kind, ()) for n in _first_number(one)]
    if field.kind == "count":
        # 아홉 살, 활동지원사 한 분: what is counted is the model's to say, unless the field's own unit stands there.
        counted = _COUNTED.finditer(words) if field.unit else ()
        own = [Fraction(one[1]) for one in counted if words.startswith(field.unit, one.end())]
    inferred = number not in said
    if own or (_DIGIT.search(words) and field.kind != "count"):
        same = number in said or (field.kind == "rate" and bool(said & {number / 100, number * 100}))
        # 80에서 95로: the field's unit decides where none is said.
        same = same or (field.kind == "money" and not _SUM.search(words) and number / 10_000 in _digits(words))
        if not same and len(set(own)) != 1:
            return None
        if not same:
            # Parsers win on a value.
            number = own[0] * 100 if field.kind == "rate" and own[0] < 1 else own[0]
        inferred = False
    made: Any = int(number) if number.denominator == 1 else float(number)
    return (made, inferred) if misfit(field, made) is None else None


_KINDS: dict[str, tuple[str, ...]] = {
    "money": ("money",),
    "rate": ("rate",),
    "number": ("number", "quantity", "rate", "duration"),
    "area": ("area",),
}


def _date_held(value: Any, field: Input, message: Message, span: Span) -> tuple[Any, bool] | None:
    try:
        day = date.fromisoformat(str(value))
    except ValueError:
        return None
    near = [one for one in message.values if overlap(one.span, span)]
    days = sorted(d for one in near for d in dates_of(one.value))
    if days and _RELATIVE.search(message.text[slice(*span)]):
        return (day.isoformat(), True) if misfit(field, day.isoformat()) is None else None
    # 11월 9일 지났는데: the day is said, which year it is of the model knows from the story.
    if any((one.month, one.day) == (day.month, day.day) for one in days):
        return (day.isoformat(), False) if misfit(field, day.isoformat()) is None else None
    # 금요일에 돌아와: a weekday of the trip, not the next one from today.
    named = _WEEKDAY.search(message.text[slice(*span)])
    if named and day.weekday() == _WEEKDAYS.index(named["day"]):
        return (day.isoformat(), True) if misfit(field, day.isoformat()) is None else None
    if days and not days[0] <= day <= days[-1]:
        if len(set(days)) != 1:
            return None
        day = days[0]
    if misfit(field, day.isoformat()) is not None:
        return None
    return day.isoformat(), not days


def numbers_in(message: Message) -> Iterable[Fraction]:
    """Every number that a message states, in whatever form."""
    for value in message.values:
        yield from numbers_of(value)
    for match in re.finditer(r"\d[\d,]*(?:\.\d+)?", message.text):
        number = as_number(match.group().rstrip(","))
        if number is not None:
            yield number


def _digits(words: str) -> set[Fraction]:
    return {Fraction(one.replace(",", "")) for one in re.findall(r"\d[\d,]*", words)}


def numbers_of(value: Value) -> set[Fraction]:
    return {n for one in (value.value, *value.readings) for n in _numbers(one)}


def _first_number(value: Value) -> Sequence[Fraction]:
    return _numbers(value.value)[:1]


def _numbers(value: Any, depth: int = 0) -> list[Fraction]:
    if isinstance(value, bool) or value is None or depth > 4:
        return []
    if isinstance(value, int | float | Decimal | Fraction):
        number = as_number(str(float(value)) if isinstance(value, Fraction) else value)
        return [value] if isinstance(value, Fraction) else [number] if number is not None else []
    if isinstance(value, Mapping):
        return [n for one in value.values() for n in _numbers(one, depth + 1)]
    if isinstance(value, list | tuple | set | frozenset):
        return [n for one in value for n in _numbers(one, depth + 1)]
    if is_dataclass(value):
        return [n for one in fields(value) for n in _numbers(getattr(value, one.name), depth + 1)]
    return []


def dates_of(value: Any, depth: int = 0) -> list[date]:
    """The days inside a parsed value."""
    if isinstance(value, date):
        return [value]
    if depth > 4:
        return []
    if isinstance(value, list | tuple):
        return [d for one in value for d in dates_of(one, depth + 1)]
    if is_dataclass(value) and not isinstance(value, type):
        return [d for one in fields(value) for d in dates_of(getattr(value, one.name), depth + 1)]
    return []
