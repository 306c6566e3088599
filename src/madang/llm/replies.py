"""A model's answer as plain values, and the checks that any answer must pass before its content is looked at."""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from madang.llm.failures import ModelFailure

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

TRUNCATED = frozenset({"length", "max_tokens", "model_length", "MAX_TOKENS"})
FILTERED = frozenset({"content_filter", "refusal", "SAFETY"})


@dataclass(frozen=True)
class Reply:
    """One answer: its text, the arguments of tool calls in it, why it ended and what it used."""

    text: str
    tool_calls: tuple[str, ...] = ()
    finish: str | None = None
    refusal: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int = 0


@dataclass
class CallUsage:
    """What the requests of one call point used, summed over its attempts."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: int = 0
    reasoning_tokens: int = 0
    patience: float = 0.0
    """How long a service that asks to be left alone may be waited for."""
    notes: list[str] = field(default_factory=list)


def reply_of(message: "AIMessage") -> Reply:
    """The plain values of a LangChain message, whichever provider it came from."""
    metadata = message.response_metadata
    usage = message.usage_metadata
    calls = [json.dumps(call["args"], ensure_ascii=False) for call in message.tool_calls]
    calls += [call["args"] or "" for call in message.invalid_tool_calls]
    finish = metadata.get("finish_reason") or metadata.get("stop_reason") or metadata.get("done_reason")
    return Reply(
        text=str(message.text),
        tool_calls=tuple(calls),
        finish=finish,
        refusal=message.additional_kwargs.get("refusal"),
        prompt_tokens=usage["input_tokens"] if usage else None,
        completion_tokens=usage["output_tokens"] if usage else None,
        reasoning_tokens=(usage.get("output_token_details") or {}).get("reasoning") or 0 if usage else 0,
    )


def check_reply(reply: Reply) -> None:
    """Raises `ModelFailure` for a refusal, an answer that was cut off or one that says nothing."""
    if reply.refusal or reply.finish in FILTERED:
        raise ModelFailure("refusal", reply.finish or "")
    if reply.finish in TRUNCATED:
        raise ModelFailure("truncated", reply.finish or "")
    if not reply.text.strip() and not reply.tool_calls:
        raise ModelFailure("empty")
