"""Streaming free text from a call point, with a clean restart when the model breaks off."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from madang.errors import ConfigurationError, InvalidAssistant
from madang.llm.accounting import Account, Accounting
from madang.llm.budgets import TurnBudget
from madang.llm.calls import account_of, admit, settle, twin_outcome
from madang.llm.failures import ModelFailure, Reason
from madang.llm.models import Models
from madang.llm.points import CallPoint, Inputs, Outcome
from madang.llm.replies import CallUsage, check_reply
from madang.llm.requests import Prepared, ask_streaming, finished, prepare

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk


@dataclass(frozen=True)
class Restart:
    """What was streamed so far is void; the text begins again after this."""

    reason: Reason


class Guard(Protocol):
    """What looks at an answer while it comes: pieces go in, what may be shown comes out."""

    def feed(self, piece: str) -> str: ...

    def finish(self) -> str: ...

    @property
    def text(self) -> str: ...


class Everything:
    """A guard that lets everything pass as it comes."""

    def __init__(self) -> None:
        self.text = ""

    def feed(self, piece: str) -> str:
        self.text += piece
        return piece

    def finish(self) -> str:
        self.text = self.text.strip()
        return ""


class TextStream:
    """An answer as it comes: iterate over pieces of text and `Restart` marks, then read `outcome`."""

    def __init__(
        self,
        point: CallPoint[str],
        inputs: Inputs,
        models: Models,
        *,
        accounting: Accounting | None = None,
        guard: Guard | None = None,
        budget: TurnBudget | None = None,
    ) -> None:
        self._point = point
        self._inputs = inputs
        self._models = models.for_call(point.name)
        self._accounting = accounting
        self._guard: Guard = guard or Everything()
        self._budget = budget or TurnBudget()
        self._outcome: Outcome[str] | None = None

    @property
    def outcome(self) -> Outcome[str]:
        """The whole answer. Raises `RuntimeError` while the stream has not ended."""
        if self._outcome is None:
            raise RuntimeError("the stream has not ended")
        return self._outcome

    @property
    def ended(self) -> bool:
        """Whether the model's part is over: what comes now, if anything, is the twin's."""
        return self._outcome is not None

    async def __aiter__(self) -> AsyncIterator[str | Restart]:
        point, models = self._point, self._models
        if not models.configured:
            yield await self._from_twin(ModelFailure("no_model"), {})
            return
        prepared, spent, started = prepare(point, self._inputs), CallUsage(), models.clock()
        shown = ""
        failure: ModelFailure | None = None
        guard = self._guard
        try:
            async with aclosing(self._from_model(prepared, spent)) as pieces:
                async for piece in pieces:
                    if passed := guard.feed(piece):
                        shown += passed
                        yield passed
            if rest := guard.finish():
                shown += rest
                yield rest
            if not guard.text:
                raise ModelFailure("unsourced", "no sentence was left")
        except ModelFailure as caught:
            failure = caught
        self._budget.used(models.clock() - started, failure)
        usage = account_of(point, models, spent, started, fell_back=failure is not None)
        if failure is None:
            self._finish(_by_model(guard.text, usage, models, prepared))
            return
        if shown.strip():
            yield Restart(failure.reason)
        yield await self._from_twin(failure, usage)

    async def _from_model(self, prepared: Prepared, spent: CallUsage) -> AsyncGenerator[str]:
        """Raises `ModelFailure`; tells the breaker how it went, also when the reader walks away."""
        models = self._models
        seconds = admit(models, self._budget, self._point)
        settled = False
        spent.patience = seconds / 2
        try:
            models.chat()
            async with aclosing(self._pieces(prepared, spent, seconds)) as pieces:
                async for piece in pieces:
                    yield piece
            models.breaker.succeeded()
            settled = True
        except (ModelFailure, TimeoutError, ConfigurationError) as error:
            settled = True
            raise settle(models, error) from error
        finally:
            if not settled:
                models.breaker.abandoned()

    async def _pieces(self, prepared: Prepared, spent: CallUsage, seconds: float) -> AsyncGenerator[str]:
        turns, left = prepared.turns(), seconds
        whole: AIMessageChunk | None = None
        chunks = ask_streaming(self._models, self._point, turns, spent)
        try:
            while True:
                # Only waiting for the model counts; a slow reader must not time the model out.
                since = asyncio.get_running_loop().time()
                async with asyncio.timeout(left):
                    chunk = await anext(chunks, None)
                left -= asyncio.get_running_loop().time() - since
                if chunk is None:
                    break
                whole = chunk if whole is None else whole + chunk
                if chunk.tool_call_chunks:
                    raise ModelFailure("tool_call", "a tool call instead of text")
                if text := str(chunk.text):
                    yield text
        finally:
            await chunks.aclose()  # type: ignore[attr-defined]
        check_reply(finished(whole, turns, spent))

    async def _from_twin(self, failure: ModelFailure, usage: Account) -> str:
        outcome = await twin_outcome(self._point, self._inputs, self._models, failure, usage)
        self._finish(outcome)
        return outcome.value

    def _finish(self, outcome: Outcome[str]) -> None:
        self._outcome = outcome
        if self._accounting is not None and outcome.usage:
            self._accounting.record(outcome.usage)


def _by_model(text: str, usage: Account, models: Models, prepared: Prepared) -> Outcome[str]:
    return Outcome(
        value=text,
        source="model",
        usage=usage,
        model=models.name,
        trimmed=prepared.trimmed,
    )


def stream(
    point: CallPoint[str],
    inputs: Inputs,
    models: Models,
    accounting: Accounting | None = None,
    *,
    guard: Guard | None = None,
    budget: TurnBudget | None = None,
) -> TextStream:
    """Stream a free-text call point. When the model fails midway, a `Restart` and the twin's text follow.

    A `guard` decides what of the model's text is shown.
    Raises `InvalidAssistant` for a call point with a schema and `InvalidInput` if an input is missing.
    """
    if point.schema is not str:
        raise InvalidAssistant(f"call point {point.name} has a schema; only free text is streamed", point=point.name)
    point.check_inputs(inputs)
    return TextStream(point, inputs, models, accounting=accounting, guard=guard, budget=budget)
