"""The JavaScript client, and with it clients such as agent-chat-ui, against the server."""

import asyncio
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.serving import Site

SCRIPT = Path(__file__).parent / "client.mjs"
PACKAGES = ("@langchain/langgraph-sdk@2", "@langchain/core@1")
INSTALLING = 180


@pytest.fixture(scope="module")
def javascript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the client installed; skips, saying why, where that can't be had."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed")
    folder = tmp_path_factory.mktemp("javascript")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
    try:
        made = subprocess.run(command, cwd=folder, capture_output=True, timeout=INSTALLING, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("the npm registry doesn't answer")
    if made.returncode:
        pytest.skip(f"the JavaScript client can't be installed: {made.stderr.decode()[-200:]}")
    shutil.copy(SCRIPT, folder / SCRIPT.name)
    return folder


@pytest.mark.timeout(INSTALLING + 120)
async def test_the_javascript_client(sdk_site: Site, javascript: Path) -> None:
    node = await asyncio.create_subprocess_exec(
        "node",
        str(javascript / SCRIPT.name),
        sdk_site.address,
        cwd=javascript,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await node.communicate()
    assert node.returncode == 0, err.decode()
    seen = json.loads(out)
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
