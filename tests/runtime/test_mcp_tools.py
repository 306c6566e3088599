"""Agents call tools of MCP servers: over HTTP (our own server is one) and over stdio."""

import sys
from pathlib import Path

import pytest

from madang.errors import ConfigurationError, InvalidInput, NotFound, ServiceUnavailable
from madang.graph import Context, agent
from madang.runtime.mcp_tools import McpServer, McpTools, read_servers
from tests.support.ports import free_port
from tests.support.runtimes import new_session, open_trip, say
from tests.support.serving import serving
from tests.support.trip_assistant import City, Flights, Services, replaced

SERVER = """
from mcp.server import MCPServer
server = MCPServer("small")
@server.tool()
def double(number: int) -> int:
    "Twice a number."
    return number * 2
server.run("stdio")
"""


async def test_a_tool_over_http_is_called_by_an_agent(sqlite_url: str, tmp_path: Path) -> None:
    @agent(task="항공 검색", team="search")
    async def flight(trip: City, ctx: Context[Services]) -> Flights:
        answer = await ctx.tool("other.trip", {"message": f"{trip.city} 3 100"})
        return {"flights": [answer.data["answer"], answer.text]}

    async with serving(sqlite_url) as site:
        tools = McpTools({"other": McpServer(url=f"{site.address}/mcp")})
        assert list(await tools.tools()) == ["other.trip"]
        own = f"sqlite:///{tmp_path}/own.db"
        async with open_trip(own, tools=tools, agents=replaced(flight)) as runtime:
            outcome = await say(runtime, await new_session(runtime), "부산 3 100")
            assert outcome["status"] == "completed"
            assert outcome["state"]["flights"] == ["합계 2100", "합계 2100"]


async def test_a_tool_over_stdio(tmp_path: Path) -> None:
    program = tmp_path / "small.py"
    program.write_text(SERVER, encoding="utf-8")
    tools = McpTools({"small": McpServer(command=sys.executable, args=(str(program),))})
    found = await tools.tools()
    assert found["small.double"]["description"] == "Twice a number."
    assert (await tools.call("small.double", {"number": 21})).text == "42"
    with pytest.raises(InvalidInput, match=r"small\.double|small"):
        await tools.call("small.double", {"number": "many"})
    with pytest.raises(InvalidInput):
        await tools.call("small.nothing", {})


async def test_what_can_t_be_reached_is_named(sqlite_url: str) -> None:
    tools = McpTools({"gone": McpServer(url=f"http://127.0.0.1:{free_port()}/mcp")})
    with pytest.raises(ServiceUnavailable, match="gone"):
        await tools.call("gone.tool", {})
    with pytest.raises(NotFound, match="other"):
        await tools.call("other.tool", {})

    @agent(task="항공 검색", team="search")
    async def flight(_trip: City, ctx: Context[Services]) -> Flights:
        return {"flights": [(await ctx.tool("none.at_all")).text]}

    async with open_trip(sqlite_url, agents=replaced(flight)) as runtime:
        outcome = await say(runtime, await new_session(runtime), "부산 3 100")
        (failed,) = [one for one in outcome["state"]["execution_steps"] if one["agent"] == "flight"]
        assert failed["status"] == "failed"


def test_servers_are_read_from_a_setting() -> None:
    assert read_servers(" ") == {}
    found = read_servers('{"a": "https://x/mcp", "b": {"command": "run", "args": ["1"], "env": {"K": "v"}}}')
    assert (found["a"].url, found["b"].args) == ("https://x/mcp", ("1",))
    for wrong in ("{", "[]", '{"a": {}}', '{"a": {"url": "u", "command": "c"}}', '{"a.b": "u"}', '{"a": {"port": 1}}'):
        with pytest.raises(ConfigurationError, match="MADANG_MCP_SERVERS"):
            read_servers(wrong)
