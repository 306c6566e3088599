"""Whether the model that is set can be used: built, reached, and answering in the form that is asked for."""

from typing import TypedDict

from pydantic import BaseModel

from madang.errors import ConfigurationError
from madang.llm.calls import call
from madang.llm.models import Models
from madang.llm.points import Budget, CallPoint
from madang.llm.prompts import Prompt


class ModelCheck(TypedDict):
    """`reachable` is null where no model is set."""

    model: str
    reachable: bool | None
    why: str
    schema: bool | None
    latency_ms: int | None
    priced: bool | None


class Ready(BaseModel):
    ready: bool


PROBE: CallPoint[Ready] = CallPoint(
    name="check",
    prompt=Prompt(user='Answer with {"ready": true}: {word}', name="check"),
    schema=Ready,
    inputs=("word",),
    twin=lambda _inputs: Ready(ready=False),
    budget=Budget(500, 200),
    timeout=20.0,
)


async def check_model(models: Models) -> ModelCheck:
    """One tiny call; what it tells, with the reason if it failed."""
    if not models.configured:
        return ModelCheck(model="", reachable=None, why="no model is set (MADANG_LLM)", schema=None, latency_ms=None,
                          priced=None)  # fmt: skip
    try:
        models.check()
    except ConfigurationError as error:
        return ModelCheck(model=models.name, reachable=False, why=str(error), schema=None, latency_ms=None, priced=None)
    outcome = await call(PROBE, {"word": "ok"}, models)
    counted = next((one for by in outcome.usage.values() for one in by.values()), {})
    note = outcome.fallbacks[0] if outcome.fallbacks else None
    return ModelCheck(
        model=models.name,
        reachable=outcome.source == "model",
        why=f"{note['reason']}: {note['detail']}" if note else "",
        schema=models.native_schema if outcome.source == "model" else None,
        latency_ms=counted.get("latency_ms"),
        priced=models.name in models.prices.models,
    )
