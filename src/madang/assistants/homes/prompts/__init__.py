"""Prompt texts, and how a call point is made of one."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic import BaseModel

from madang.llm import Budget, CallPoint, Inputs, read_prompt

T = TypeVar("T", bound=BaseModel | str)


def call_point(
    name: str,
    schema: type[T],
    inputs: tuple[str, ...],
    twin: Callable[[Inputs], T | Awaitable[T]],
    *,
    local_inputs: tuple[str, ...] = (),
    tokens: tuple[int, int] = (1500, 400),
    timeout: float = 8,
) -> CallPoint[T]:
    """The call point of the prompt `name`; `tokens` are those of its prompt and of its answer."""
    return CallPoint(
        name=f"homes.{name}",
        prompt=read_prompt("madang.assistants.homes", f"prompts/{name}.md"),
        schema=schema,
        inputs=inputs,
        twin=twin,
        local_inputs=local_inputs,
        budget=Budget(*tokens),
        timeout=timeout,
    )
