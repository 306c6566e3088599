"""The Model Context Protocol: each assistant is a tool, the caller's documents are resources.

Over streamable HTTP at `/mcp` with the identity of every other request, and over stdio as the local user.
"""

from madang.server.mcp.offer import mcp_server

__all__ = ["mcp_server"]
