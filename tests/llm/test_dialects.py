"""What each provider's dialect allows in a request, enforced by a scripted server on the assistants' real schemas."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from madang.assistants.homes.graph import assistant as homes
from madang.assistants.travel.graph import assistant as travel
from madang.assistants.works.graph import assistant as works
from madang.graph.model.schema import round_of
from madang.llm import Budget, CallPoint, Models, ModelSettings, Prompt, call
from madang.llm.schemas import json_schema
from madang.llm.testing import ScriptedReply, ScriptedServer, answer, status
from madang.runtime.mcp_arguments import arguments_of

ASSISTANTS = {one.name: one for one in (homes, works, travel)}
RAIN = {
    "properties": {"city": {"type": "string"}, "days": {"type": "array", "items": {"type": "integer"}}, "at": {}},
    "required": ["city"],
}
OUTSIDE = ("weather.rain", arguments_of("weather_rain", RAIN)[0])


def rounds_of(assistant: Any) -> Any:
    """What a round of its loop wants, with a tool of an MCP server among its own."""
    return round_of([*((one.agent, one.arguments) for one in assistant.model.loop.tools), OUTSIDE])


SCHEMAS: dict[str, Any] = {
    **{f"{name}.understand": one.reading_schema for name, one in ASSISTANTS.items()},
    **{f"{name}.explore": rounds_of(one) for name, one in ASSISTANTS.items()},
}
SAID: dict[str, Any] = {
    "language": "ko", "acts": [], "claims": [], "cleared": [], "steps": [], "queries": [],
    "keywords": [], "ask": None,
}  # fmt: skip
# https://platform.openai.com/docs/guides/structured-outputs (2026-11): what strict mode knows, and its bounds.
STRICT = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "anyOf",
    "description",
    "$defs",
    "$ref",
}
DEEPEST, MOST_PROPERTIES, MOST_CHOICES = 10, 5000, 1000
# https://ai.google.dev/api/caching#Schema (2026-11): a subset of OpenAPI's; references are
# resolved before, and names may be written either way.
GEMINI = {
    "type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required",
    "propertyOrdering", "items", "anyOf", "minimum", "maximum", "minLength", "maxLength", "pattern", "default",
    "example", "minProperties", "maxProperties", "any_of", "max_items", "min_items", "property_ordering",
}  # fmt: skip
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def said(schema: dict[str, Any]) -> dict[str, Any]:
    """A reading that fits a schema: its first intent, and nothing else; or a round that ends a loop."""
    if "enough" in schema["properties"]:
        return {"enough": True, "steps": []}
    return {**SAID, "intent": schema["properties"]["intent"]["enum"][0]}


def nodes(schema: Any, depth: int = 0) -> Iterator[tuple[dict[str, Any], int]]:
    """Every schema inside a schema, with how deep it stands."""
    if not isinstance(schema, dict):
        return
    yield schema, depth
    inner = [*(schema.get("properties") or {}).values(), *(schema.get("$defs") or {}).values(), schema.get("items")]
    for one in [*inner, *(schema.get("anyOf") or schema.get("any_of") or ())]:
        yield from nodes(one, depth + 1)


def strict_problem(schema: dict[str, Any]) -> str | None:
    """What OpenAI's strict mode would refuse."""
    found = list(nodes(schema))
    if schema.get("type") != "object" or "anyOf" in schema:
        return "the root must be an object"
    for one, depth in found:
        if unknown := set(one) - STRICT:
            return f"unknown keywords {sorted(unknown)}"
        if depth > DEEPEST:
            return "nested too deep"
        if one.get("type") == "object":
            if one.get("additionalProperties") is not False:
                return "an object is open"
            if sorted(one.get("required", ())) != sorted(one.get("properties", {})):
                return "a property is not required"
    if sum(len(one.get("properties", {})) for one, _ in found) > MOST_PROPERTIES:
        return "too many properties"
    if sum(len(one.get("enum", ())) for one, _ in found) > MOST_CHOICES:
        return "too many choices"
    return None


def strictly(request: dict[str, Any]) -> ScriptedReply:
    wanted = request["response_format"]["json_schema"]
    if not NAME.fullmatch(wanted["name"]):
        return status(400, "the name of a schema")
    if not wanted["strict"]:
        return status(400, "not strict")
    problem = strict_problem(wanted["schema"])
    return status(400, problem) if problem else answer(json.dumps(said(wanted["schema"])))


def nothing(_inputs: Any) -> Any:
    """Stands for: the model's answer was not taken."""
    return None


def point(name: str) -> "CallPoint[Any]":
    prompt = Prompt(user="{message}", system="읽으세요", name=name)
    return CallPoint(
        name=name, prompt=prompt, schema=SCHEMAS[name], inputs=("message",),
        twin=nothing, budget=Budget(4000, 1000), timeout=20.0,
    )  # fmt: skip


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("llm", ["openai:scripted", "ollama:scripted"])
async def test_openai_takes_the_reading_in_strict_mode(name: str, llm: str) -> None:
    with ScriptedServer(strictly) as server:
        models = server.models(llm=llm)
        outcome = await call(point(name), {"message": "안녕"}, models)
        await models.aclose()
    assert outcome.source == "model", server.requests[0]["response_format"]
    assert len(server.requests) == 1


@pytest.mark.parametrize("wrong", [{"default": 1}, {"minLength": 2}, {"oneOf": []}])
def test_the_scripted_server_refuses_what_strict_mode_does(wrong: dict[str, Any]) -> None:
    fine = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
    assert strict_problem(fine) is None
    assert strict_problem({**fine, "properties": {"a": {"type": "string", **wrong}}})
    assert strict_problem({**fine, "required": []})


@contextmanager
def serving(reply: Any) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server that answers any POST with what `reply` makes of its path and body: a status and a body."""
    seen: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append(body)
            code, said = reply(self.path, body)
            data = json.dumps(said).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def as_anthropic(path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """https://docs.anthropic.com/en/api/messages (2026-11)."""
    (tool,) = body.get("tools") or [{}]
    choice = body.get("tool_choice") or {}
    right = (
        path.endswith("/v1/messages")
        and body.get("max_tokens", 0) > 0
        and all(one["role"] in ("user", "assistant") for one in body["messages"])
        and NAME.fullmatch(tool.get("name", ""))
        and tool.get("input_schema", {}).get("type") == "object"
        and (choice.get("type"), choice.get("name")) == ("tool", tool.get("name"))
    )
    if not right:
        return 400, {"type": "error", "error": {"type": "invalid_request_error", "message": "refused"}}
    used = {"type": "tool_use", "id": "toolu_1", "name": tool["name"], "input": said(tool["input_schema"])}
    return 200, {
        "id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": [used],
        "stop_reason": "tool_use", "stop_sequence": None, "usage": {"input_tokens": 9, "output_tokens": 5},
    }  # fmt: skip


def as_gemini(path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """https://ai.google.dev/api/generate-content (2026-11)."""
    (declared,) = (body.get("tools") or [{}])[0].get("functionDeclarations") or [{}]
    schema = declared.get("parameters") or declared.get("parametersJsonSchema") or {}
    unknown = set() if "parametersJsonSchema" in declared else {key for one, _ in nodes(schema) for key in one} - GEMINI
    if ":generateContent" not in path or not NAME.fullmatch(declared.get("name", "")) or unknown or not schema:
        return 400, {"error": {"code": 400, "message": f"refused {sorted(unknown)}", "status": "INVALID_ARGUMENT"}}
    part = {"functionCall": {"name": declared["name"], "args": said(schema)}}
    return 200, {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 5, "totalTokenCount": 14},
        "modelVersion": "scripted",
    }  # fmt: skip


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize(
    ("llm", "dialect", "package"),
    [
        ("anthropic:scripted", as_anthropic, "langchain_anthropic"),
        ("google:scripted", as_gemini, "langchain_google_genai"),
    ],
    ids=["anthropic", "google"],
)
async def test_other_providers_take_the_reading_as_a_tool(name: str, llm: str, dialect: Any, package: str) -> None:
    pytest.importorskip(package)
    with serving(dialect) as (address, seen):
        models = Models(ModelSettings(llm=llm, base_url=address, api_key="test", retries=0))
        outcome = await call(point(name), {"message": "안녕"}, models)
        await models.aclose()
    assert outcome.source == "model", json.dumps(seen[:1], ensure_ascii=False)[:2000]


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_limit_is_said_in_the_schema_that_a_model_reads(name: str) -> None:
    """Lengths aren't enforced by strict modes; one that isn't said costs a call."""
    limits = [
        (one, node)
        for node in _all_nodes(SCHEMAS[name].model_json_schema())
        for one in ("maxItems", "maxLength")
        if one in node
    ]
    said = [str(node.get("description", "")) for node in _all_nodes(json_schema(SCHEMAS[name]))]
    assert limits
    for one, node in limits:
        words = f"많아야 {node[one]}개" if one == "maxItems" else f"{node[one]}자까지"
        assert any(words in text for text in said), words


def _all_nodes(given: Any) -> Iterator[dict[str, Any]]:
    if isinstance(given, dict):
        yield given
    for one in given.values() if isinstance(given, dict) else given if isinstance(given, list) else ():
        yield from _all_nodes(one)
