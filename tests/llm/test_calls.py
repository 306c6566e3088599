"""A call point against the scripted server: every way a model fails ends in the twin's value, with the reason noted."""

import asyncio
import dataclasses
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from madang.errors import InvalidInput
from madang.llm import Accounting, Budget, Models, ModelSettings, call, totals
from madang.llm.points import CallPoint
from madang.llm.testing import (
    ScriptedReply,
    ScriptedServer,
    answer,
    broken,
    held,
    raw,
    refusal,
    status,
    tool_call,
    truncated,
)
from tests.support.call_points import ANSWER, GOOD, INTENT, Intent

QUERY = {"query": "집주인이 보증금을 안 줘요"}
BY_TWIN = Intent(intent="legal_consult", confidence=0.5)
BY_MODEL = Intent(intent="market_inquiry", confidence=0.9)


async def test_without_a_model_the_twin_answers_and_nothing_is_noted() -> None:
    outcome = await call(INTENT, QUERY, Models())
    assert outcome.value == BY_TWIN
    assert (outcome.source, outcome.fallback_reason) == ("twin", "no_model")
    assert outcome.update() == {"fallbacks": [], "llm_usage": {}}


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"네, 답입니다.\n```json\n{GOOD}\n```\n도움이 되길 바랍니다.",
        f"생각: {{아직}} [1] {GOOD} 끝 {{",
        '{"intent": "market_inquiry", "confidence": 0.9, "why": "시세"}',
    ],
    ids=["plain", "fenced", "between other text", "extra field"],
)
async def test_a_sound_answer_is_read_from_whatever_surrounds_it(text: str) -> None:
    with ScriptedServer([answer(text)]) as server:
        models = server.models()
        outcome = await call(INTENT, QUERY, models)
        await models.aclose()
    assert (outcome.value, outcome.source, outcome.repaired) == (BY_MODEL, "model", False)
    assert outcome.fallbacks == ()


FAILURES: dict[str, tuple[ScriptedReply, str]] = {
    "500": (status(500), "server_error"),
    "503": (status(503), "server_error"),
    "429": (status(429), "rate_limited"),
    "401": (status(401), "key"),
    "404": (status(404), "rejected"),
    "context": (status(400, "maximum context length is 8192 tokens"), "context"),
    "refusal": (refusal(), "refusal"),
    "content filter": (ScriptedReply(pieces=("{",), finish="content_filter"), "refusal"),
    "empty": (answer(""), "empty"),
    "blank": (answer("  \n "), "empty"),
    "truncated": (truncated(GOOD[:20]), "truncated"),
    "whole but truncated": (truncated(GOOD), "truncated"),
    "connection closed in the body": (broken(GOOD), "disconnected"),
    "an HTML page": (raw("<html>gateway</html>"), "unexpected"),
    "JSON of something else": (raw('{"hello": 1}'), "unexpected"),
    "null choices": (raw('{"choices": null}'), "unexpected"),
    "an error with status 200": (raw('{"error": {"message": "overloaded"}}'), "unexpected"),
}


@pytest.mark.parametrize(("reply", "reason"), FAILURES.values(), ids=FAILURES)
async def test_a_failing_model_falls_back_at_once(reply: ScriptedReply, reason: str) -> None:
    with ScriptedServer([reply, answer(GOOD)]) as server:
        models = server.models()
        outcome = await call(INTENT, QUERY, models)
        await models.aclose()
        assert len(server.requests) == 1
    assert (outcome.value, outcome.source) == (BY_TWIN, "twin")
    assert outcome.fallback_reason == reason
    [note] = outcome.update()["fallbacks"]
    assert (note["point"], note["reason"]) == ("intent", reason)
    assert note["at"].endswith("+00:00")
    assert totals(outcome.usage)["llm_fallbacks"] == 1


BAD_ANSWERS: dict[str, tuple[ScriptedReply, str]] = {
    "no JSON": (answer("잘 모르겠습니다."), "bad_json"),
    "half JSON": (answer('{"intent": "unclear", "confi'), "bad_json"),
    "unknown value": (answer('{"intent": "weather", "confidence": 0.9}'), "schema"),
    "out of range": (answer('{"intent": "unclear", "confidence": 7}'), "schema"),
    "a list": (answer("[1, 2, 3]"), "schema"),
    "another tool": (tool_call("search", '{"q": "보증금"}'), "tool_call"),
    "a tool with broken arguments": (tool_call("search", '{"q": '), "tool_call"),
}


@pytest.mark.parametrize(("reply", "reason"), BAD_ANSWERS.values(), ids=BAD_ANSWERS)
async def test_a_bad_answer_is_repaired_once(reply: ScriptedReply, reason: str) -> None:
    with ScriptedServer([reply, answer(GOOD)]) as server:
        models = server.models()
        outcome = await call(INTENT, QUERY, models)
        await models.aclose()
        repair = server.requests[1]["messages"]
    assert (outcome.value, outcome.source, outcome.repaired) == (BY_MODEL, "model", True)
    assert [message["role"] for message in repair] == ["system", "user", "assistant", "user"]
    assert totals(outcome.usage)["api_calls_made"] == {"openai:scripted": 2}


@pytest.mark.parametrize(("reply", "reason"), BAD_ANSWERS.values(), ids=BAD_ANSWERS)
async def test_a_bad_answer_twice_falls_back(reply: ScriptedReply, reason: str) -> None:
    with ScriptedServer([reply, reply, answer(GOOD)]) as server:
        models = server.models()
        outcome = await call(INTENT, QUERY, models)
        await models.aclose()
        assert len(server.requests) == 2
    assert (outcome.value, outcome.fallback_reason) == (BY_TWIN, reason)


async def test_the_repair_request_says_which_field_is_wrong() -> None:
    with ScriptedServer([answer('{"intent": "unclear", "confidence": 7}'), answer(GOOD)]) as server:
        models = server.models()
        await call(INTENT, QUERY, models)
        await models.aclose()
        assert "confidence" in server.requests[1]["messages"][-1]["content"]


async def test_a_tool_call_with_the_right_fields_is_an_answer() -> None:
    with ScriptedServer([tool_call("Intent", GOOD)]) as server:
        models = server.models()
        outcome = await call(INTENT, QUERY, models)
        await models.aclose()
    assert (outcome.value, outcome.source) == (BY_MODEL, "model")


async def test_a_tool_call_where_text_is_expected_falls_back() -> None:
    with ScriptedServer([tool_call("search", "{}")] * 2) as server:
        models = server.models()
        outcome = await call(ANSWER, QUERY, models)
        await models.aclose()
    assert (outcome.source, outcome.fallback_reason) == ("twin", "tool_call")


async def test_a_slow_model_is_cut_off_by_the_timeout() -> None:
    release = threading.Event()
    with ScriptedServer([held(answer(GOOD), release)]) as server:
        models = server.models()
        outcome = await call(dataclasses.replace(INTENT, timeout=0.3), QUERY, models)
        await models.aclose()
    assert (outcome.value, outcome.fallback_reason) == (BY_TWIN, "timeout")


async def test_connection_refused_falls_back() -> None:
    with ScriptedServer([]) as server:
        models = server.models()
    outcome = await call(INTENT, QUERY, models)
    await models.aclose()
    assert (outcome.value, outcome.fallback_reason) == (BY_TWIN, "connection")


async def test_cancelling_goes_through_and_leaves_the_breaker_alone() -> None:
    release = threading.Event()
    with ScriptedServer([held(answer(GOOD), release)]) as server:
        models = server.models(breaker_threshold=1)
        task = asyncio.create_task(call(INTENT, QUERY, models))
        await asyncio.to_thread(server.waiting.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert models.breaker.phase == "closed"
        await models.aclose()


async def test_a_server_without_constrained_output_is_asked_in_words_from_then_on() -> None:
    def script(request: dict[str, object]) -> ScriptedReply:
        return status(400, "response_format is not supported") if "response_format" in request else answer(GOOD)

    with ScriptedServer(script) as server:
        models = server.models()
        first = await call(INTENT, QUERY, models)
        second = await call(INTENT, QUERY, models)
        await models.aclose()
        assert [("response_format" in request) for request in server.requests] == [True, False, False]
        assert '"confidence"' in server.requests[2]["messages"][0]["content"].split("스키마")[1]
    assert (first.source, second.source) == ("model", "model")


async def test_the_schema_and_the_budget_are_told_to_the_server() -> None:
    with ScriptedServer([answer(GOOD)]) as server:
        models = server.models()
        await call(INTENT, QUERY, models)
        await models.aclose()
        [request] = server.requests
    schema = request["response_format"]["json_schema"]
    assert schema["name"] == "Intent"
    assert set(schema["schema"]["required"]) == {"intent", "confidence"}
    assert schema["strict"] is True
    assert request["max_tokens"] == 80


async def test_long_inputs_are_cut_to_the_budget_and_named() -> None:
    point = dataclasses.replace(INTENT, budget=Budget(input_tokens=200, output_tokens=80))
    with ScriptedServer([answer(GOOD)]) as server:
        models = server.models()
        outcome = await call(point, {"query": "처음" + "가나다라 " * 2000 + "마지막"}, models)
        await models.aclose()
        text = server.requests[0]["messages"][-1]["content"]
    assert outcome.trimmed == ("query",)
    assert len(text) < 500
    assert "처음" in text
    assert "마지막" in text


async def test_personal_numbers_never_reach_the_server() -> None:
    secret = "900101-1234567"
    bad = answer(f"모르겠어요 {secret}")
    with ScriptedServer([bad, bad]) as server:
        models = server.models()
        outcome = await call(ANSWER, {"query": f"제 번호는 {secret}, 전화 010-1234-5678"}, models)
        repaired = await call(INTENT, {"query": f"{secret} 맞나요"}, models)
        await models.aclose()
        sent = server.sent_text()
    assert secret not in sent
    assert "1234567" not in sent
    assert "010-1234-5678" not in sent
    assert outcome.source == "model"
    assert secret not in str(repaired.fallbacks)


async def test_a_personal_number_is_redacted_also_inside_structured_inputs_and_where_the_text_is_cut() -> None:
    secret = "900101-1234567"
    point = dataclasses.replace(ANSWER, budget=Budget(60, 80))
    with ScriptedServer([answer("네"), answer("네")]) as server:
        models = server.models()
        await call(ANSWER, {"query": {"tenant": {"notes": [f"주민번호 {secret}"]}}}, models)
        await call(point, {"query": "가" * 24 + secret + "나" * 300}, models)
        await models.aclose()
        sent = server.sent_text()
    assert "900101-1" not in sent
    assert "234567" not in sent


async def test_usage_is_counted_per_point_and_recorded() -> None:
    accounting = Accounting()
    with ScriptedServer([answer(GOOD), answer("네"), status(500)]) as server:
        models = server.models()
        await call(INTENT, QUERY, models, accounting)
        await call(ANSWER, QUERY, models, accounting)
        await call(ANSWER, QUERY, models, accounting)
        await models.aclose()
    assert accounting.account["intent"]["openai:scripted"]["prompt_tokens"] == 11
    assert accounting.account["answer"]["openai:scripted"]["calls"] == 2
    sums = totals(accounting.account)
    assert (sums["total_tokens_used"], sums["llm_fallbacks"]) == (36, 1)
    assert sums["api_calls_made"] == {"openai:scripted": 3}
    assert sums["cost_usd"] is None


async def test_a_priced_model_has_a_cost_and_missing_usage_is_estimated() -> None:
    with ScriptedServer([answer(GOOD, usage=(1000, 100)), answer(GOOD, usage=None)]) as server:
        models = server.models(llm="openai:gpt-4o-mini")
        priced = await call(INTENT, QUERY, models)
        estimated = await call(INTENT, QUERY, models)
        await models.aclose()
    assert totals(priced.usage)["cost_usd"] == pytest.approx(0.00021)
    assert estimated.usage["intent"]["openai:gpt-4o-mini"]["estimated_calls"] == 1
    assert totals(estimated.usage)["total_tokens_used"] > 10


async def test_the_breaker_keeps_calls_away_until_a_probe_succeeds() -> None:
    now = [0.0]
    with ScriptedServer([status(500), status(500), answer(GOOD)]) as server:
        settings = ModelSettings(
            llm="openai:scripted", base_url=server.base_url, retries=0, breaker_threshold=2, breaker_cooldown=30
        )
        models = Models(settings, clock=lambda: now[0])
        reasons = [(await call(INTENT, QUERY, models)).fallback_reason for _ in range(3)]
        assert reasons == ["server_error", "server_error", "circuit_open"]
        assert len(server.requests) == 2
        now[0] = 31.0
        assert (await call(INTENT, QUERY, models)).source == "model"
        assert models.breaker.phase == "closed"
        await models.aclose()


async def test_a_bad_answer_does_not_open_the_breaker() -> None:
    with ScriptedServer([answer("?")] * 4) as server:
        models = server.models(breaker_threshold=1)
        await call(INTENT, QUERY, models)
        assert (await call(INTENT, QUERY, models)).fallback_reason == "bad_json"
        await models.aclose()


async def test_a_provider_that_is_not_installed_falls_back_and_check_says_which_package() -> None:
    models = Models(ModelSettings(llm="fireworks:some-model"))
    outcome = await call(INTENT, QUERY, models)
    assert (outcome.value, outcome.fallback_reason) == (BY_TWIN, "configuration")
    with pytest.raises(Exception, match="langchain-fireworks"):
        models.check()


async def test_a_given_langchain_model_without_tools_is_asked_in_words() -> None:
    chat = GenericFakeChatModel(messages=iter([AIMessage(GOOD, response_metadata={"stop_reason": "end_turn"})]))
    outcome = await call(INTENT, QUERY, Models(chat=chat))
    assert (outcome.value, outcome.source) == (BY_MODEL, "model")
    assert outcome.model == "given:GenericFakeChatModel"


@pytest.mark.parametrize(
    ("llm", "base_url", "name"),
    [
        ("", "", ""),
        ("  ", "", ""),
        ("openai:gpt-4o-mini", "", "openai:gpt-4o-mini"),
        ("Ollama:qwen2.5:7b", "", "ollama:qwen2.5:7b"),
        ("", "http://127.0.0.1:1/v1", "openai:default"),
        ("my-model", "http://127.0.0.1:1/v1", "openai:my-model"),
    ],
)
def test_settings_name_the_model(llm: str, base_url: str, name: str) -> None:
    models = Models.from_settings(llm, base_url=base_url)
    assert (models.name, models.configured) == (name, bool(name))


class ToolModel(GenericFakeChatModel):
    """A provider that takes a schema as a tool it must call, as Anthropic's does."""

    asked: list[dict[str, Any]]

    def bind_tools(self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any) -> Any:
        self.asked.append({"tools": tools, "tool_choice": tool_choice})
        return self.bind(**kwargs)


async def test_other_providers_get_the_schema_as_a_tool() -> None:
    tool = {"name": "Intent", "args": {"intent": "market_inquiry", "confidence": 0.9}, "id": "1"}
    chat = ToolModel(messages=iter([AIMessage("", tool_calls=[tool])]), asked=[])
    outcome = await call(INTENT, QUERY, Models(chat=chat))
    assert (outcome.value, outcome.source) == (BY_MODEL, "model")
    assert chat.asked[0]["tool_choice"] == "Intent"
    assert "confidence" in chat.asked[0]["tools"][0]["function"]["parameters"]["properties"]


async def test_a_missing_input_is_the_callers_error() -> None:
    with pytest.raises(InvalidInput, match="query"):
        await call(INTENT, {}, Models())


async def test_the_twin_gets_the_inputs_as_they_are_and_may_be_async() -> None:
    async def twin(inputs: object) -> str:
        return str(inputs)

    point = CallPoint(
        name="a", prompt=ANSWER.prompt, schema=str, inputs=("query",), local_inputs=("secret",), twin=twin
    )
    with ScriptedServer([status(500)]) as server:
        models = server.models()
        outcome = await call(point, {"query": "900101-1234567", "secret": "지역비밀"}, models)
        await models.aclose()
        assert "지역비밀" not in server.sent_text()
    assert "900101-1234567" in outcome.value
    assert "지역비밀" in outcome.value
