"""Long-term memory of the implicit local user: a session without a user is theirs."""

from collections.abc import Mapping
from typing import Any

from madang.memory import SessionMemory
from madang.server.identity import LOCAL


class LocalMemory(SessionMemory):
    """Memory for a server where no credentials are required."""

    async def load(self, user_id: int | None, session_id: str, query: str) -> dict[str, Any]:
        return await super().load(LOCAL.memory_id if user_id is None else user_id, session_id, query)

    async def remember(self, user_id: int | None, session_id: str, turn: Mapping[str, Any]) -> None:
        await super().remember(LOCAL.memory_id if user_id is None else user_id, session_id, turn)
