"""What an agent that calls tools of MCP servers is made of: an assistant that wants one declares it with `use_tool`."""

import json
from typing import Any

from madang.errors import InvalidInput, NotFound, ServiceUnavailable
from madang.graph.context import Context
from madang.graph.declaration import Argument, Reads, Writes
from madang.graph.state import ToolResult
from madang.texts import say

OUTSIDE = "outside_tool"
LONGEST = 4000


class ToolRequest(Reads):
    tool: Argument[str]
    arguments: Argument[dict[str, Any]]
    language: str | None


class ToolFound(Writes):
    tool_results: list[ToolResult]


async def use_tool(asked: ToolRequest, ctx: Context[Any]) -> ToolFound:
    """What one tool says. Why it can't is said in our words: a server's own are no part of an answer."""
    try:
        answer = await ctx.tool(asked.tool, dict(asked.arguments))
    except (ServiceUnavailable, NotFound) as error:
        raise ServiceUnavailable(say("tool_unreachable", asked.language), tool=asked.tool) from error
    except InvalidInput as error:
        raise InvalidInput(say("tool_refused", asked.language), tool=asked.tool) from error
    text = answer.text.strip() or ("" if answer.data is None else json.dumps(answer.data, ensure_ascii=False))
    if not any(char.isalnum() for char in text):
        raise InvalidInput(say("tool_silent", asked.language), tool=asked.tool)
    server, _, _ = asked.tool.partition(".")
    when = ctx.today.isoformat()
    ctx.source("tool_results", tool=asked.tool, source=f"MCP {server}", as_of=when)
    return {"tool_results": [{"tool": asked.tool, "text": text[:LONGEST], "letters": len(text), "as_of": when}]}
