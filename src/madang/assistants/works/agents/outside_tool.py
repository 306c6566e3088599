"""Outside tool: what a tool of an MCP server says, where a model asks for it in a loop."""

from madang.graph import agent
from madang.graph.outside_tools import use_tool

outside_tool = agent(
    name="outside_tool",
    task="외부 도구",
    timeout=40,
    today=True,
    runs=8,
)(use_tool)
