"""Streaming: pieces as they come, and a clean restart with the twin's text when the model breaks off."""

import asyncio
import dataclasses
import threading
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult

from madang.errors import InvalidAssistant
from madang.llm import Accounting, Evidence, Fact, Models, Restart, call, stream, totals
from madang.llm.sentences import EvidenceGuard
from madang.llm.statements import Statements
from madang.llm.testing import (
    ScriptedReply,
    ScriptedServer,
    answer,
    broken,
    held,
    refusal,
    status,
    tool_call,
    truncated,
)
from tests.support.call_points import ANSWER, INTENT, plain_answer

QUERY = {"query": "전세가 뭐예요"}
TEXT = "전세는 보증금을 맡기고 집을 빌리는 한국의 임대차 방식입니다."
BY_TWIN = plain_answer(QUERY)


async def test_pieces_come_one_by_one_and_make_the_answer() -> None:
    accounting = Accounting()
    with ScriptedServer([answer(TEXT)]) as server:
        models = server.models()
        text = stream(ANSWER, QUERY, models, accounting)
        with pytest.raises(RuntimeError):
            _ = text.outcome
        pieces = [piece async for piece in text]
        await models.aclose()
    assert len(pieces) > 2
    assert "".join(str(piece) for piece in pieces) == TEXT == text.outcome.value
    assert text.outcome.source == "model"
    assert totals(accounting.account)["total_tokens_used"] == 18


async def test_a_piece_is_handed_on_before_the_next_one_exists() -> None:
    release = threading.Event()
    with ScriptedServer([held(answer(TEXT), release, at=1)]) as server:
        models = server.models()
        pieces = aiter(stream(ANSWER, QUERY, models))
        assert await anext(pieces) == TEXT[:8]
        release.set()
        assert "".join([str(piece) async for piece in pieces]) == TEXT[8:]
        await models.aclose()


@pytest.mark.parametrize(
    ("reply", "reason", "started"),
    [
        (broken("전세는 ", "보증금을 "), "disconnected", True),
        (ScriptedReply(pieces=("전세는 ",), finish=None), "disconnected", True),
        (truncated(TEXT), "truncated", True),
        (status(500), "server_error", False),
        (status(429), "rate_limited", False),
        (refusal(), "empty", False),
        (tool_call("search", "{}"), "tool_call", False),
        (answer(""), "empty", False),
    ],
    ids=["cut", "ended early", "truncated", "500", "429", "refusal", "tool call", "empty"],
)
async def test_a_stream_that_fails_restarts_with_the_twin(reply: ScriptedReply, reason: str, started: bool) -> None:
    with ScriptedServer([reply]) as server:
        models = server.models()
        text = stream(ANSWER, QUERY, models)
        pieces = [piece async for piece in text]
        await models.aclose()
    assert pieces[-1] == BY_TWIN
    assert (Restart(reason) in pieces) is started  # type: ignore[arg-type]
    assert text.outcome.value == BY_TWIN
    assert (text.outcome.source, text.outcome.fallback_reason) == ("twin", reason)
    assert text.outcome.update()["fallbacks"][0]["reason"] == reason


async def test_a_stream_that_stalls_is_cut_off() -> None:
    release = threading.Event()
    with ScriptedServer([held(answer(TEXT), release, at=2)]) as server:
        models = server.models()
        pieces = [piece async for piece in stream(dataclasses.replace(ANSWER, timeout=4.0), QUERY, models)]
        await models.aclose()
    assert pieces == [TEXT[:8], TEXT[8:16], Restart("timeout"), BY_TWIN]


FACTS = Evidence(facts=(Fact(id="F1", kind="figure", text="보증금 1억 원", says="보증금은 1억 원이에요."),))
INVENTED = "보증금은 1억 원입니다. [F1] 한도는 9%입니다. [F1] 문의하세요. [G]"


async def test_a_sentence_that_fails_is_replaced_and_never_shown() -> None:
    guard = EvidenceGuard(Statements(FACTS))
    with ScriptedServer([answer(INVENTED)]) as server:
        models = server.models()
        text = stream(ANSWER, QUERY, models, guard=guard)
        shown = "".join([str(piece) async for piece in text])
        await models.aclose()
    assert shown == text.outcome.value == "보증금은 1억 원입니다. 보증금은 1억 원이에요. 문의하세요."
    assert [one.problem for one in guard.sentences] == [None, "figure", None]


async def test_an_answer_with_no_sentence_left_is_replaced_by_the_twins() -> None:
    with ScriptedServer([answer("한도는 9%입니다. [G]")]) as server:
        models = server.models()
        text = stream(ANSWER, QUERY, models, guard=EvidenceGuard(Statements(Evidence())))
        pieces = [piece async for piece in text]
        await models.aclose()
    assert pieces == [BY_TWIN]
    assert text.outcome.fallback_reason == "unsourced"


async def test_a_reader_who_walks_away_leaves_the_breaker_usable() -> None:
    release = threading.Event()
    with ScriptedServer([held(answer(TEXT), release, at=1)]) as server:
        models = server.models()
        async with aclosing(aiter(stream(ANSWER, QUERY, models))) as pieces:  # type: ignore[type-var]
            assert await anext(pieces) == TEXT[:8]
        assert models.breaker.phase == "closed"
        await models.aclose()


async def test_without_a_model_the_twin_is_streamed() -> None:
    text = stream(ANSWER, QUERY, Models())
    assert [piece async for piece in text] == [BY_TWIN]
    assert text.outcome.fallbacks == ()


async def test_cancelling_a_stream_goes_through_and_the_breaker_can_probe_again() -> None:
    release = threading.Event()
    with ScriptedServer([held(answer(TEXT), release, at=1)]) as server:
        models = server.models()

        async def read() -> None:
            async for _ in stream(ANSWER, QUERY, models):
                pass

        task = asyncio.create_task(read())
        await asyncio.to_thread(server.waiting.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert models.breaker.allow()
        await models.aclose()


class Swallowing(GenericFakeChatModel):
    """A client that goes on when it is cancelled, as `asyncio.wait_for` can on Python 3.11."""

    started: Any

    async def _astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
        self.started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            yield ChatGenerationChunk(message=AIMessageChunk(content="그래도 답"))

    async def _agenerate(self, *args: Any, **kwargs: Any) -> ChatResult:
        self.started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise ValueError from None
        raise AssertionError


@pytest.mark.parametrize("streaming", [True, False])
async def test_a_cancellation_that_the_client_swallows_still_goes_through(streaming: bool) -> None:
    started = asyncio.Event()
    models = Models(chat=Swallowing(messages=iter([]), started=started))

    async def read() -> None:
        if streaming:
            async for _ in stream(ANSWER, QUERY, models):
                pass
        else:
            await call(ANSWER, QUERY, models)

    task = asyncio.create_task(read())
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_only_free_text_is_streamed() -> None:
    with pytest.raises(InvalidAssistant, match="intent"):
        stream(INTENT, QUERY, Models())  # type: ignore[arg-type]
