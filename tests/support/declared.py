"""A state with one field of every kind, declared where annotations are strings."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, Optional, Required, TypedDict

from langchain_core.messages import AnyMessage

from madang.state.fields import SENSITIVE, Range, Turn
from madang.state.reducers import add_messages, append_unique, merge_by_key, merge_steps, merge_to_depth
from madang.state.steps import ExecutionStepState


class Plan(TypedDict):
    raw_query: str
    steps: list[ExecutionStepState]
    owner_phone: Annotated[Optional[str], SENSITIVE]  # noqa: UP045
    note: NotRequired[str]


class Base(TypedDict, total=False):
    session_id: Required[str]
    schema_version: str
    user_id: Annotated[int | None, SENSITIVE]


class Sample(Base, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    nights: Annotated[int | None, Range(1, 14, "박")]
    rate: float
    phase: Annotated[Literal["planning", "done"], Turn("planning")]
    tags: Annotated[list[str], Turn(list), append_unique]
    plan: Plan | None
    part: Annotated[Plan, merge_by_key]
    results: Annotated[dict[str, dict[str, Any]], Turn(dict), merge_to_depth(2)]
    steps: Annotated[list[ExecutionStepState], Turn(list), merge_steps]
    next_agent: str | list[str]
    extra: dict[str, Any]
