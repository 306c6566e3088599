"""What is sent to a model: inputs redacted, cut to the budget and put into the prompt; then one request at a time."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from madang.llm.failures import ModelFailure, failure_of
from madang.llm.models import Models
from madang.llm.points import CallPoint, Inputs, T
from madang.llm.replies import CallUsage, Reply, reply_of
from madang.llm.schemas import json_schema, response_format
from madang.llm.tokens import estimate_tokens, fit

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk
    from langchain_core.runnables import Runnable, RunnableConfig

Turns = Sequence[tuple[str, str]]

# What a provider calls the most tokens of an answer, where it isn't `max_tokens`.
LIMITS = {"google_genai": "max_output_tokens"}
IN_TEXT = "다음 JSON 스키마에 맞는 JSON 객체 하나만 답하세요. 설명이나 다른 글은 쓰지 마세요.\n"


@dataclass(frozen=True)
class Prepared:
    """A prompt ready to leave the machine, and which inputs were cut for it."""

    system: str
    user: str
    trimmed: tuple[str, ...]

    def turns(self, note: str = "") -> list[tuple[str, str]]:
        system = "\n\n".join(part for part in (self.system, note) if part)
        return [*([("system", system)] if system else []), ("user", self.user)]


def prepare(point: CallPoint[T], inputs: Inputs) -> Prepared:
    """The prompt with its inputs. Redaction comes before cutting: half a resident number would pass unseen."""
    from madang.state.redaction import redact

    plain = {name: _plain(inputs[name]) for name in point.inputs}
    texts = {name: _as_text(value) for name, value in redact(plain, fields=point.sensitive).items()}
    fixed = estimate_tokens(point.prompt.system) + estimate_tokens(point.prompt.user)
    fitted, trimmed = fit(texts, point.budget.input_tokens - fixed)
    system, user = point.prompt.render(fitted)
    return Prepared(redacted(system), redacted(user), trimmed)


def redacted(text: str) -> str:
    """`text` as it may leave the machine."""
    from madang.state.redaction import redact_text

    return redact_text(text)


def _plain(value: object) -> object:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def _jsonable(value: object) -> object:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else str(value)


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else redacted(json.dumps(value, ensure_ascii=False, default=_jsonable))


async def ask(models: Models, point: CallPoint[T], turns: Turns, spent: CallUsage) -> Reply:
    """One request, constrained to the point's schema where the server can. Raises `ModelFailure`."""
    model = models.chat()
    config: RunnableConfig = {"tags": ["nostream"], "run_name": point.name}
    while True:
        spent.calls += 1
        cancels = _cancels()
        try:
            message: AIMessage = await _bound(models, model, point).ainvoke(list(turns), config)
        # Every provider has errors of its own; all of them mean the same here: use the twin.
        except Exception as error:
            _pass_on(cancels)
            failure = failure_of(error)
            if not await _waited(failure, spent):
                raise failure from error
            continue
        _pass_on(cancels)
        return _counted(reply_of(message), turns, spent)


async def _waited(failure: ModelFailure, spent: CallUsage) -> bool:
    """Wait as long as the service asks for, once, if the call has that much time."""
    wait = failure.retry_after
    if failure.reason != "rate_limited" or wait is None or wait >= spent.patience:
        return False
    spent.patience = 0.0
    await asyncio.sleep(wait)
    return True


async def ask_streaming(
    models: Models, point: CallPoint[T], turns: Turns, spent: CallUsage
) -> AsyncIterator["AIMessageChunk"]:
    """The pieces of one streamed answer. Raises `ModelFailure`."""
    model = models.chat()
    config: RunnableConfig = {"tags": ["nostream"], "run_name": point.name}
    while True:
        spent.calls += 1
        cancels, begun = _cancels(), False
        try:
            async for chunk in _bound(models, model, point).astream(list(turns), config):
                _pass_on(cancels)
                begun = True
                yield chunk
        except Exception as error:
            _pass_on(cancels)
            failure = failure_of(error, streaming=True)
            if begun or not await _waited(failure, spent):
                raise failure from error
            continue
        _pass_on(cancels)
        return


def _cancels() -> int:
    task = asyncio.current_task()
    return task.cancelling() if task else 0


def _pass_on(before: int) -> None:
    """Raise the cancellation that came since `before`, should a client have swallowed it."""
    if _cancels() > before:
        raise asyncio.CancelledError


def finished(whole: "AIMessageChunk | None", turns: Turns, spent: CallUsage) -> Reply:
    """The reply that all pieces of a stream make. Raises `ModelFailure` if the stream just stopped."""
    if whole is None:
        raise ModelFailure("empty")
    reply = _counted(reply_of(whole), turns, spent)
    if reply.finish is None:
        raise ModelFailure("disconnected", "the stream ended without a finish reason")
    return reply


def _counted(reply: Reply, turns: Turns, spent: CallUsage) -> Reply:
    if reply.prompt_tokens is None or reply.completion_tokens is None:
        spent.estimated += 1
    spent.prompt_tokens += (
        sum(estimate_tokens(text) for _, text in turns) if reply.prompt_tokens is None else reply.prompt_tokens
    )
    spent.completion_tokens += (
        estimate_tokens(reply.text) if reply.completion_tokens is None else reply.completion_tokens
    )
    spent.reasoning_tokens += reply.reasoning_tokens
    return reply


def _bound(models: Models, model: Any, point: CallPoint[T]) -> "Runnable[Any, Any]":
    limit = point.budget.output_tokens + models.settings.reasoning_tokens
    schema = _schema(point) if models.native_schema else None
    if models.speaks_openai:
        # In the body as it is: the client's own parsing raises on cut-off answers and loses their token counts.
        body: dict[str, Any] = {"response_format": response_format(schema)} if schema else {}
        if models.settings.base_url or models.settings.provider != "openai":
            return model.bind(extra_body=body | {"max_tokens": limit})  # type: ignore[no-any-return]
        return model.bind(max_completion_tokens=limit, **({"extra_body": body} if body else {}))  # type: ignore[no-any-return]
    most = {LIMITS.get(models.settings.provider, "max_tokens"): limit}
    if schema is None:
        return model.bind(**most)  # type: ignore[no-any-return]
    tool = {"type": "function", "function": {"name": schema.__name__, "parameters": json_schema(schema)}}
    return model.bind_tools([tool], tool_choice=schema.__name__).bind(**most)  # type: ignore[no-any-return]


def _schema(point: CallPoint[T]) -> type[BaseModel] | None:
    return point.schema if issubclass(point.schema, BaseModel) else None


def in_text_note(point: CallPoint[T]) -> str:
    """The instruction for servers that can't constrain their output."""
    schema = _schema(point)
    return IN_TEXT + json.dumps(json_schema(schema), ensure_ascii=False) if schema else ""
