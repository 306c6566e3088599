"""The Model Context Protocol with its published client, over HTTP and over stdio."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import MCPError, StdioServerParameters, stdio_client
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

from madang.store.documents import Documents
from tests.support.serving import GUARDED, Site, serving

ROOT = Path(__file__).parents[3]


@asynccontextmanager
async def connected(site: Site, headers: dict[str, str] | None = None) -> AsyncIterator[Client]:
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        transport = streamable_http_client(f"{site.address}/mcp", http_client=http)
        async with Client(transport) as client:
            yield client


def text_of(answer: CallToolResult) -> str:
    return str(answer.content[0].model_dump()["text"])


async def test_an_assistant_is_a_tool_and_a_conversation_goes_on(site: Site) -> None:
    async with connected(site) as client:
        (tool,) = (await client.list_tools()).tools
        assert tool.name == "trip"
        first = await client.call_tool("trip", {"message": "오사카 3 100"})
        assert not first.is_error
        assert text_of(first) == first.structured_content["answer"] == "합계 2100"
        session = first.structured_content["session_id"]
        second = await client.call_tool("trip", {"message": "부산", "session_id": session})
        assert second.structured_content["session_id"] == session
    messages = (await site.http.get(f"/api/v1/sessions/{session}/messages")).json()["items"]
    assert len(messages) == 4


async def test_what_cannot_be_asked_is_said(site: Site) -> None:
    async with connected(site) as client:
        for name, given in (("nobody", {"message": "x"}), ("trip", {"message": ""}), ("trip", {"message": 7})):
            try:
                answer = await client.call_tool(name, given)
            except MCPError:
                continue
            assert answer.is_error


async def test_documents_are_resources_of_their_owner(server_db: str) -> None:
    async with serving(server_db, GUARDED) as site:
        alice, bob = await site.user("alice"), await site.user("bob")
        session = await site.session(**alice)
        document = await Documents(site.runtime.db).save(session, title="t", files={"md": "계약서".encode()})
        uri = f"madang://documents/{document.document_id}"
        async with connected(site, alice) as client:
            templates = (await client.list_resource_templates()).resource_templates
            assert [one.uri_template for one in templates] == ["madang://documents/{document_id}"]
            assert (await client.read_resource(uri)).contents[0].model_dump()["text"] == "계약서"
        async with connected(site, bob) as client:
            with pytest.raises(MCPError):
                await client.read_resource(uri)


async def test_a_conversation_of_another_is_not_there(server_db: str) -> None:
    async with serving(server_db, GUARDED) as site:
        alice, bob = await site.user("alice"), await site.user("bob")
        hers = await site.session(**alice)
        async with connected(site, bob) as client:
            foreign = await client.call_tool("trip", {"message": "부산", "session_id": hers})
            unknown = await client.call_tool("trip", {"message": "부산", "session_id": "none"})
        assert foreign.is_error
        assert text_of(foreign).replace(hers, "…") == text_of(unknown).replace("none", "…")
        assert (await site.http.get(f"/api/v1/sessions/{hers}/messages", headers=alice)).json()["items"] == []


async def test_credentials_are_asked_for(server_db: str) -> None:
    async with serving(server_db, GUARDED) as site:
        assert (await site.http.post("/mcp", json={})).status_code == 401


async def test_over_stdio(tmp_path: Path, sqlite_url: str) -> None:
    command = [
        "-m",
        "madang",
        "mcp",
        "--only-app",
        "--app",
        "tests.support.behaviour_graphs:talking",
        "--db",
        sqlite_url,
    ]
    environ = {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "MADANG_DATA_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    given = StdioServerParameters(command=sys.executable, args=command, env=environ, cwd=ROOT)
    async with Client(stdio_client(given)) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["talking"]
        answer = await client.call_tool("talking", {"message": "hello"})
    assert answer.structured_content["status"] == "completed"
