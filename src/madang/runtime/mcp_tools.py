"""Tools of MCP servers that the settings name, for agents: `server.tool`, over streamable HTTP or stdio.

Each call opens its own connection, so that a server that hangs, dies or is replaced holds up nobody else. What a loop
may offer a model is what a server says it only reads with, or what the settings name.
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from madang.errors import ConfigurationError, InvalidInput, NotFound, ServiceUnavailable, needs_extra
from madang.graph.context import Offered, OfferedTool, ToolAnswer
from madang.runtime.mcp_arguments import arguments_of

log = logging.getLogger(__name__)
TIMEOUT, LISTING = 30.0, 15.0
LISTED, LOST = 300.0, 30.0
MOST = 40
_SEQUENCES = ("args", "tools", "assistants")


@dataclass(frozen=True)
class McpServer:
    """Where a server is: an address, or a command that speaks over its standard input and output.

    `tools` are those that a model may be offered (none named: those that only read), `assistants` whose (none: all).
    """

    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    tools: tuple[str, ...] = ()
    assistants: tuple[str, ...] = ()
    timeout: float = TIMEOUT


def read_servers(text: str) -> dict[str, McpServer]:
    """The servers of `MADANG_MCP_SERVERS`: JSON of `{name: address}` or `{name: {"url" or "command", …}}`.

    Raises `ConfigurationError`, which shows no value.
    """
    if not text.strip():
        return {}
    try:
        given = json.loads(text)
        entries = {name: {"url": one} if isinstance(one, str) else dict(one) for name, one in given.items()}
        servers = {
            str(name): McpServer(**one | {key: tuple(one[key]) for key in _SEQUENCES if key in one})
            for name, one in entries.items()
        }
        usable = all(0 < server.timeout <= TIMEOUT for server in servers.values())
    except (ValueError, TypeError, AttributeError):
        raise ConfigurationError(
            'MADANG_MCP_SERVERS: should be JSON of {name: "https://…"} or {name: {"command": …, "args": […]}}'
        ) from None
    if not usable:
        raise ConfigurationError(f"MADANG_MCP_SERVERS: a timeout is a number of seconds up to {TIMEOUT:g}")
    for name, server in servers.items():
        if bool(server.url) == bool(server.command) or "." in name or not name:
            raise ConfigurationError(f"MADANG_MCP_SERVERS: {name!r} needs a url or a command, and no dot in its name")
    return servers


class McpTools:
    """The tools that agents may call; connections are opened when they are needed."""

    def __init__(self, servers: Mapping[str, McpServer], clock: Callable[[], float] = time.monotonic) -> None:
        self._servers = dict(servers)
        self._clock = clock
        self._listed: dict[str, tuple[float, tuple[OfferedTool, ...] | None]] = {}

    async def offered(self, assistant: str) -> Offered:
        """The tools that a loop of this assistant may offer. What servers have is asked now and then, side by side; one
        that can't be reached is named and takes nothing with it."""
        names = [n for n, one in self._servers.items() if not one.assistants or assistant in one.assistants]
        found = await asyncio.gather(*map(self._had, names))
        tools = tuple(tool for had in found for tool in had or ())
        return Offered(tools[:MOST], tuple(name for name, had in zip(names, found, strict=True) if had is None))

    async def _had(self, name: str) -> tuple[OfferedTool, ...] | None:
        until, had = self._listed.get(name, (0.0, None))
        if self._clock() < until:
            return had
        try:
            had = await self._ask(name)
        except (ServiceUnavailable, InvalidInput) as error:
            log.warning("an MCP server gave no tools", extra={"server": name, "error": str(error)})
            had = None
        self._listed[name] = (self._clock() + (LOST if had is None else LISTED), had)
        return had

    async def _ask(self, name: str) -> tuple[OfferedTool, ...]:
        wanted = self._servers[name].tools
        async with self._connected(name, LISTING) as client:
            listed = (await client.list_tools()).tools
        offered = []
        for tool in listed:
            reads = bool(tool.annotations and tool.annotations.read_only_hint)
            if (tool.name in wanted) if wanted else reads:
                known_as = f"{name}.{tool.name}"
                arguments, written = arguments_of(re.sub(r"\W", "_", known_as), tool.input_schema)
                offered.append(OfferedTool(known_as, tool.description or "", arguments, written))
        return tuple(offered)

    async def tools(self) -> dict[str, dict[str, Any]]:
        """Every tool by `server.tool`, with its description and its arguments as JSON Schema.

        Raises `ServiceUnavailable` for a server that can't be reached.
        """
        found: dict[str, dict[str, Any]] = {}
        for name in self._servers:
            async with self._connected(name) as client:
                for tool in (await client.list_tools()).tools:
                    found[f"{name}.{tool.name}"] = {
                        "description": tool.description or "",
                        "arguments": tool.input_schema,
                    }
        return found

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """What a tool says. Raises `NotFound`, `InvalidInput` if it refuses, `ServiceUnavailable`."""
        server, _, tool = name.partition(".")
        async with self._connected(server) as client:
            answer = await client.call_tool(tool, dict(arguments))
        text = "\n".join(str(one.text) for one in answer.content if getattr(one, "text", None) is not None)
        if answer.is_error:
            raise InvalidInput(f"{name}: {text or 'the tool refused'}", tool=name)
        return ToolAnswer(text, answer.structured_content)

    @asynccontextmanager
    async def _connected(self, name: str, most: float = TIMEOUT) -> AsyncIterator[Any]:
        server = self._servers.get(name)
        if server is None:
            known = ", ".join(sorted(self._servers)) or "none"
            raise NotFound(f"no tool server {name!r}; there are {known}", server=name)
        with needs_extra("server", "tools of MCP servers"):
            import httpx2
            from mcp import MCPError, StdioServerParameters
            from mcp.client import Client
            from mcp.client.streamable_http import streamable_http_client
        try:
            async with asyncio.timeout(min(most, server.timeout)):
                if server.command:
                    process = StdioServerParameters(
                        command=server.command, args=list(server.args), env=dict(server.env) or None
                    )
                    async with Client(process) as client:
                        yield client
                    return
                async with (
                    httpx2.AsyncClient(headers=dict(server.headers), timeout=server.timeout) as http,
                    Client(streamable_http_client(server.url, http_client=http)) as client,
                ):
                    yield client
        except MCPError as error:
            raise InvalidInput(f"{name}: {error}", server=name) from error
        except (OSError, TimeoutError, httpx2.HTTPError) as error:
            raise ServiceUnavailable(f"the tool server {name!r} can't be reached", server=name) from error
        except ExceptionGroup as group:
            # The client's own tasks report what went wrong together.
            for one in _leaves(group):
                if isinstance(one, InvalidInput | NotFound):
                    raise one from group
            raise ServiceUnavailable(f"the tool server {name!r} can't be reached", server=name) from group


def _leaves(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    found: list[BaseException] = []
    for one in group.exceptions:
        found += _leaves(one) if isinstance(one, BaseExceptionGroup) else [one]
    return found
