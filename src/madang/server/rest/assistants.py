"""Which assistants there are."""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter

from madang.runtime.served_graph import ServedGraph, find_served
from madang.server.identity import TheRuntime, Who
from madang.server.language import Language
from madang.server.rest.models import AssistantDetails, AssistantShown, MapShown

router = APIRouter(tags=["assistants"])


@router.get("/assistants", response_model=list[AssistantShown])
async def list_assistants(runtime: TheRuntime, _who: Who, language: Language) -> list[dict[str, Any]]:
    """Which assistants there are."""
    return [describe(served, language) for served in runtime.served.values()]


@router.get("/assistants/{name}", response_model=AssistantDetails)
async def get_assistant(name: str, runtime: TheRuntime, _who: Who, language: Language) -> dict[str, Any]:
    """One assistant, with its inputs as JSON Schema: what can be asked of it can be asked by filling them in."""
    served = find_served(runtime.served, name)
    shown = describe(served, language)
    return {**shown, "inputs": served.form(language), "step_titles": served.step_titles(language)}


@router.get("/assistants/{name}/map", response_model=MapShown)
async def get_map(name: str, runtime: TheRuntime, _who: Who, language: Language) -> dict[str, Any]:
    """Which of its agents reads and writes which field of the state; of a plain graph, which node leads to which."""
    served = find_served(runtime.served, name)
    called = served.step_titles(language)
    agents = [{**agent, "title": called.get(agent["title"], agent["title"])} for agent in served.agents()]
    paths = dict.fromkeys(path for agent in agents for path in (*agent["reads"], *agent["writes"]))
    fields = [
        {
            "field": path,
            "read_by": [agent["name"] for agent in agents if path in agent["reads"]],
            "written_by": [agent["name"] for agent in agents if path in agent["writes"]],
        }
        for path in sorted(paths)
    ]
    return {"agents": agents, "fields": fields, "sensitive": sorted(served.sensitive), "edges": await served.edges()}


def describe(served: ServedGraph, language: str | None) -> dict[str, Any]:
    """An assistant as a client sees it."""
    return {"name": served.name, **asdict(served.about_in(language))}
