"""Calling a model at a call point: its answer if it is sound, the twin's otherwise. No model failure gets out."""

import asyncio
import inspect
import logging
from typing import Any, cast

from pydantic import BaseModel

from madang.errors import ConfigurationError
from madang.llm.accounting import NO_MODEL, Account, Accounting
from madang.llm.budgets import TurnBudget
from madang.llm.failures import REPAIRABLE, ModelFailure, failure_of
from madang.llm.models import Models
from madang.llm.points import CallPoint, Fallback, Inputs, Outcome, T
from madang.llm.replies import CallUsage, Reply, check_reply
from madang.llm.requests import Prepared, Turns, ask, in_text_note, prepare, redacted
from madang.llm.schemas import read_value
from madang.threads import in_thread

log = logging.getLogger(__name__)

# What servers answer to a `response_format` they don't know.
NO_SCHEMA = frozenset({400, 422, 501})
REPAIR = (
    "앞의 답은 요구한 JSON 형식에 맞지 않습니다: {problem}\n같은 내용을 형식에 맞는 JSON 객체 하나로만 다시 답하세요."
)


async def call(
    point: CallPoint[T],
    inputs: Inputs,
    models: Models,
    accounting: Accounting | None = None,
    *,
    budget: TurnBudget | None = None,
) -> Outcome[T]:
    """The value for `inputs`, from the model or, if that fails in any way, from the twin, with the reason noted.

    All calls of a turn share one `budget`.
    Raises `InvalidInput` if an input is missing, and whatever the twin itself raises. Cancellation goes through.
    """
    point.check_inputs(inputs)
    models = models.for_call(point.name)
    if not models.configured:
        return await twin_outcome(point, inputs, models, ModelFailure("no_model"))
    budget = budget or TurnBudget()
    prepared, spent, started = prepare(point, inputs), CallUsage(), models.clock()
    try:
        value, repaired = await _guarded(point, prepared, models, spent, budget)
    except ModelFailure as failure:
        budget.used(models.clock() - started, failure)
        usage = account_of(point, models, spent, started, fell_back=True)
        outcome = await twin_outcome(point, inputs, models, failure, usage)
    else:
        budget.used(models.clock() - started)
        outcome = Outcome(
            value=value,
            source="model",
            usage=account_of(point, models, spent, started, fell_back=False),
            model=models.name,
            repaired=repaired,
            trimmed=prepared.trimmed,
        )
    if accounting is not None:
        accounting.record(outcome.usage)
    return outcome


async def _guarded(
    point: CallPoint[T], prepared: Prepared, models: Models, spent: CallUsage, budget: TurnBudget
) -> tuple[T, bool]:
    seconds = admit(models, budget, point)
    try:
        spent.patience = seconds / 2
        # Built outside the timeout: importing a provider's client the first time is not the model's slowness.
        models.chat()
        async with asyncio.timeout(seconds):
            answer = await _answer(point, prepared, models, spent)
    except asyncio.CancelledError:
        models.breaker.abandoned()
        raise
    except (ModelFailure, TimeoutError, ConfigurationError) as error:
        raise settle(models, error) from error
    models.breaker.succeeded()
    return answer


def admit(models: Models, budget: TurnBudget, point: CallPoint[T]) -> float:
    """How long a call may take. Raises `ModelFailure` while the breaker is open, or when the turn has no time left."""
    seconds = budget.admit(models, point.timeout)
    if not models.breaker.allow():
        raise ModelFailure("circuit_open")
    return seconds


def settle(models: Models, error: Exception) -> ModelFailure:
    """The failure behind `error`, told to the breaker."""
    failure = ModelFailure("configuration", str(error)) if isinstance(error, ConfigurationError) else failure_of(error)
    if failure.of_service:
        models.breaker.failed(failure.reason)
    elif failure.reason == "configuration":
        models.breaker.abandoned()
    else:
        models.breaker.succeeded()
    return failure


async def _answer(point: CallPoint[T], prepared: Prepared, models: Models, spent: CallUsage) -> tuple[T, bool]:
    turns, reply = await _first_reply(point, prepared, models, spent)
    try:
        return _value(point, reply), False
    except ModelFailure as failure:
        if failure.reason not in REPAIRABLE:
            raise
        problem = failure
    log.info("model answer needs repair", extra={"point": point.name, "reason": problem.reason})
    said = redacted(reply.text or " ".join(reply.tool_calls))
    again = [*turns, ("assistant", said), ("user", redacted(REPAIR.format(problem=problem.detail)))]
    return _value(point, await ask(models, point, again, spent)), True


async def _first_reply(
    point: CallPoint[T], prepared: Prepared, models: Models, spent: CallUsage
) -> tuple[Turns, Reply]:
    if models.native_schema or point.schema is str:
        turns = prepared.turns()
        try:
            return turns, await ask(models, point, turns, spent)
        except ModelFailure as failure:
            unsupported = isinstance(failure.__cause__, NotImplementedError) or (
                failure.status in NO_SCHEMA and failure.reason != "context"
            )
            if point.schema is str or not unsupported:
                raise
    # The server may just not know constrained output: once more with the schema in words.
    was, models.native_schema = models.native_schema, False
    turns = prepared.turns(in_text_note(point))
    try:
        return turns, await ask(models, point, turns, spent)
    except ModelFailure:
        models.native_schema = was
        raise


def _value(point: CallPoint[T], reply: Reply) -> T:
    check_reply(reply)
    schema: Any = point.schema
    if issubclass(schema, BaseModel):
        return cast(T, read_value(reply, schema))
    if reply.tool_calls:
        raise ModelFailure("tool_call", "a tool call instead of text")
    return cast(T, reply.text.strip())


async def twin_value(point: CallPoint[T], inputs: Inputs) -> T:
    """The deterministic answer, from the inputs as they are (nothing leaves the machine)."""
    value = await in_thread(point.twin, inputs)
    return await value if inspect.isawaitable(value) else value


async def twin_outcome(
    point: CallPoint[T],
    inputs: Inputs,
    models: Models,
    failure: ModelFailure,
    usage: Account | None = None,
) -> Outcome[T]:
    """The twin's value with the note of why. Having no model at all is not a fall-back."""
    notes: tuple[Fallback, ...] = ()
    if failure.reason != "no_model":
        note: Fallback = {
            "point": point.name,
            "reason": failure.reason,
            "detail": redacted(failure.detail),
            "at": models.now().isoformat(),
        }
        notes = (note,)
        log.warning("model fell back to its twin", extra={"point": point.name, "reason": failure.reason})
    return Outcome(
        value=await twin_value(point, inputs),
        source="twin",
        fallback_reason=failure.reason,
        fallbacks=notes,
        usage=usage or {},
        model=models.name or None,
    )


def account_of(point: CallPoint[T], models: Models, spent: CallUsage, started: float, *, fell_back: bool) -> Account:
    """The account of one call, all its requests together."""
    cost = models.prices.cost_nano_usd(models.name, spent.prompt_tokens, spent.completion_tokens)
    counters = {
        "calls": spent.calls,
        "fallbacks": int(fell_back),
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "reasoning_tokens": spent.reasoning_tokens,
        "estimated_calls": spent.estimated,
        "unpriced_calls": spent.calls if cost is None else 0,
        "latency_ms": round((models.clock() - started) * 1000) if spent.calls else 0,
        "cost_nano_usd": cost or 0,
    }
    return {point.name: {models.name or NO_MODEL: counters}}
