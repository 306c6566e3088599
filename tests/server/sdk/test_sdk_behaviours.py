"""Plain graphs do on our server what they do on LangGraph's own: over sixty behaviours, each compared.

What LangGraph's server gives was recorded from `langgraph dev` (`langgraph_dev.json` says when and of which version;
`python -m tests.support.behaviours URL` records it again). With MADANG_LANGGRAPH_DEV set to the address of one that
serves the same graphs, it is asked in the same run instead.
"""

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from madang.bootstrap import open_runtime
from madang.settings import Settings
from tests.support import behaviour_graphs
from tests.support.behaviours import BEHAVIOURS, GRAPHS, outcome
from tests.support.serving import serving

RECORDED: dict[str, Any] = json.loads((Path(__file__).parent / "langgraph_dev.json").read_text(encoding="utf-8"))
# What is so by design: what we give, and why.
BY_DESIGN: dict[str, tuple[Any, str]] = {
    "described_schemas": (
        {
            "input_schema": ["word"],
            "output_schema": ["answer", "word"],
            "state_schema": ["answer", "secret", "steps", "word"],
        },
        "the state is described as it is declared; a channel that is private to nodes is not part of that",
    ),
    "nothing_of_the_server_in_configurable": (
        ["assistant_id", "graph_id", "own", "run_id", "thread_id"],
        "`user_id` is there when there is a user; LangGraph gives an empty one too",
    ),
    "several_questions_in_wait": (
        [["age", "name", "town"], "a"],
        "the state stands beside the questions, however many; LangGraph leaves it out where there are several",
    ),
    "one_answer_to_several_questions": (
        [422, "interrupted"],
        "it can't be said which one is answered: all stay open; LangGraph lets the run fail",
    ),
    "a_run_that_waits": (["interrupted"], "it isn't over; LangGraph calls it a success"),
    "a_run_behind_one_that_comes_to_ask": (
        True,
        "it begins when the question is answered or given up; LangGraph drops the question and begins",
    ),
    "unknown_graph": (404, "what isn't there is 404 on every surface; LangGraph says 422"),
}


@pytest.fixture
async def ours(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LangGraphClient]:
    apps = {name: getattr(behaviour_graphs, name) for name in GRAPHS}
    settings = Settings(db=sqlite_url, data_dir=tmp_path)
    opened = open_runtime(settings, apps=apps, installed=False)
    async with serving(sqlite_url, opened=opened) as site, get_client(url=site.address, api_key=None) as client:
        yield client


async def expected(name: str) -> Any:
    """What LangGraph's own server gives."""
    if address := os.environ.get("MADANG_LANGGRAPH_DEV"):
        async with get_client(url=address, api_key=None) as client:
            return await outcome(BEHAVIOURS[name], client)
    return RECORDED["behaviours"][name]


def test_every_behaviour_is_recorded() -> None:
    assert set(RECORDED["behaviours"]) == set(BEHAVIOURS)
    assert set(BY_DESIGN) <= set(BEHAVIOURS)


@pytest.mark.parametrize("name", BEHAVIOURS)
async def test_it_does_the_same(ours: LangGraphClient, name: str) -> None:
    theirs, given = await expected(name), await outcome(BEHAVIOURS[name], ours)
    if name in BY_DESIGN:
        assert given == BY_DESIGN[name][0]
        assert given != theirs
    else:
        assert given == theirs
