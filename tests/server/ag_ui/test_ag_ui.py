"""AG-UI with its published client, and with its published types."""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from ag_ui.core import Event
from pydantic import TypeAdapter

from tests.support.javascript import INSTALLING, installed
from tests.support.serving import GUARDED, Site, events_of, serving
from tests.support.trip_assistant import Services

EVENTS: TypeAdapter[Any] = TypeAdapter(Event)


def asking(text: str, thread: str = "t", run: str = "r") -> dict[str, Any]:
    message = {"id": "m", "role": "user", "content": text}
    empty: dict[str, Any] = {"tools": [], "context": [], "state": {}, "forwardedProps": {}}
    return {"threadId": thread, "runId": run, "messages": [message], **empty}


async def heard(site: Site, body: dict[str, Any], **headers: str) -> list[Any]:
    """The events of a run, each read as the protocol's own types read it."""
    answer = await site.http.post("/ag-ui/trip", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return [EVENTS.validate_python(event) for event in events_of(answer.text)]


async def test_a_turn_is_told(site: Site) -> None:
    told = await heard(site, asking("오사카 3 100"))
    kinds = [event.type.value for event in told]
    assert (kinds[0], kinds[-1]) == ("RUN_STARTED", "RUN_FINISHED")
    assert "".join(event.delta for event in told if event.type.value == "TEXT_MESSAGE_CONTENT") == "합계 2100"
    assert "plan_ready" in [event.name for event in told if event.type.value == "CUSTOM"]
    messages = (await site.http.get("/api/v1/sessions/t/messages")).json()["items"]
    assert [message["role"] for message in messages] == ["user", "assistant"]


async def test_the_same_run_is_one_turn(site: Site) -> None:
    await heard(site, asking("오사카 3 100"))
    answer = await site.http.post("/ag-ui/trip", json=asking("다른 말"))
    assert answer.status_code == 409


async def test_a_question_is_told(server_db: str) -> None:
    async with serving(server_db, services=Services(asks={"itinerary"})) as site:
        told = await heard(site, asking("오사카 3 100"))
        assert "workflow_interrupted" in [event.name for event in told if event.type.value == "CUSTOM"]
        assert told[-1].type.value == "RUN_FINISHED"


async def test_what_cannot_be_asked_is_refused(site: Site) -> None:
    for body in ({**asking("x"), "messages": []}, {"threadId": "t"}):
        assert (await site.http.post("/ag-ui/trip", json=body)).status_code == 422
    assert (await site.http.post("/ag-ui/nobody", json=asking("x"))).status_code == 404


async def test_a_thread_of_another_is_not_there(server_db: str) -> None:
    async with serving(server_db, GUARDED) as site:
        alice, bob = await site.user("alice"), await site.user("bob")
        await heard(site, asking("오사카 3 100"), **alice)
        refused = await site.http.post("/ag-ui/trip", json=asking("부산", run="other"), headers=bob)
        assert refused.status_code == 409
        assert "오사카" not in refused.text
        assert (await site.http.post("/ag-ui/trip", json=asking("부산"))).status_code == 401


@pytest.fixture(scope="module")
def javascript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = installed(tmp_path_factory.mktemp("ag-ui"), "@ag-ui/client@1.0.0")
    shutil.copy(Path(__file__).parent / "client.mjs", folder)
    return folder


@pytest.mark.timeout(INSTALLING + 60)
async def test_a_conversation_through_the_published_client(site: Site, javascript: Path) -> None:
    pipe = asyncio.subprocess.PIPE
    given = ("client.mjs", site.address, "trip", "오사카 3 100", "부산 2 50")
    node = await asyncio.create_subprocess_exec("node", *given, cwd=javascript, stdout=pipe, stderr=pipe)
    out, err = await node.communicate()
    assert node.returncode == 0, err.decode()
    seen = json.loads(out)
    assert [role for role, _ in seen["messages"]] == ["user", "assistant", "user", "assistant"]
    assert seen["messages"][1] == ["assistant", "합계 2100"]
    assert seen["events"].count("RUN_FINISHED") == 2
