"""A conversation over MCP: `python mcp_client.py http://127.0.0.1:8000/mcp homes 전세금 5% 인상 가능해?`"""

import asyncio
import sys

from mcp.client import Client


async def main(address: str, assistant: str, text: str) -> None:
    async with Client(address) as client:
        sys.stdout.write(", ".join(tool.name for tool in (await client.list_tools()).tools) + "\n")
        answer = await client.call_tool(assistant, {"message": text})
        sys.stdout.write(answer.content[0].model_dump()["text"] + "\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], " ".join(sys.argv[3:])))
