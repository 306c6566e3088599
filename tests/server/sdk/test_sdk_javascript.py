"""The JavaScript client, and with it clients such as agent-chat-ui, against the server."""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support.javascript import INSTALLING, installed
from tests.support.serving import Site

HERE = Path(__file__).parent
# The older one that npm calls the latest has no thread protocol; the newer one is what @langchain/react brings.
LATEST, NEWER = "@langchain/langgraph-sdk@2", "@langchain/langgraph-sdk@1.11"


@pytest.fixture(scope="module", params=[LATEST, NEWER])
def javascript(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a client installed."""
    return installed(tmp_path_factory.mktemp("javascript"), request.param, "@langchain/core@1")


async def run(folder: Path, script: str, address: str) -> dict[str, Any]:
    """What a script prints that is run with the client."""
    shutil.copy(HERE / script, folder / script)
    pipe = asyncio.subprocess.PIPE
    node = await asyncio.create_subprocess_exec("node", script, address, cwd=folder, stdout=pipe, stderr=pipe)
    out, err = await node.communicate()
    assert node.returncode == 0, err.decode()
    seen: dict[str, Any] = json.loads(out)
    return seen


@pytest.mark.parametrize("javascript", [NEWER], indirect=True)
@pytest.mark.timeout(INSTALLING + 120)
async def test_the_thread_protocol(sdk_site: Site, javascript: Path) -> None:
    seen = await run(javascript, "protocol.mjs", sdk_site.address)
    assert seen["spoken"] == ["you said please approve"]
    assert seen["asked"] == [{"question": "go on?", "count": 1}]
    assert seen["interrupted"] is True
    assert seen["states"] > 3
    assert seen["tree"] == ["counter"]
    assert seen["got"] == {"count": 1}
    assert seen["checkpoints"] > 3
    assert seen["approved"] == "yes"
    assert seen["forked"] == seen["thread"]
    assert seen["unknown"] == "no_such_checkpoint"
    assert seen["calls"] == [["add", "3"]]
    assert (seen["answer"], seen["city"]) == ("합계 2100", "오사카")


@pytest.mark.timeout(INSTALLING + 120)
async def test_the_javascript_client(sdk_site: Site, javascript: Path) -> None:
    seen = await run(javascript, "client.mjs", sdk_site.address)
    assert seen["run"]["thread_id"] == seen["thread"]
    assert {"metadata", "values", "messages", "custom|counter", "values|counter", "end"} == set(seen["events"])
    assert len(set(seen["ids"][:-1])) == len(seen["ids"]) - 1
    assert seen["interrupt"][0]["value"]["question"] == "go on?"
    assert set(seen["again"]) == {"metadata", "values", "values|counter", "end"}
    assert seen["status"] == "interrupted"
    assert seen["resumed"] == "yes"
    assert seen["messages"] == ["human", "ai"]
    assert seen["history"] > 3
    assert seen["forked"] == ["edited", "you said edited"]
    assert seen["found"] == [seen["thread"]]
    assert seen["counted"] == 1
    assert set(seen["followed"]) == {"metadata", "values"}
    assert seen["item"] == {"value": 1}
    assert seen["answer"] == "합계 2100"
    assert seen["waited"] == "부산"
    assert seen["gone"] == 404


# What the client has and the server doesn't offer, and why.
BY_DESIGN = {"~ui.getComponent": "pages that a graph brings are built by LangGraph's own platform"}


@pytest.mark.timeout(INSTALLING + 120)
async def test_every_method_of_the_client_is_checked_or_by_design_not_offered(sdk_site: Site, javascript: Path) -> None:
    seen = await run(javascript, "methods.mjs", sdk_site.address)
    assert len(seen["methods"]) > 40
    assert set(seen["methods"]) - set(seen["checked"]) == set(BY_DESIGN)
    assert seen["failed"] == {}
