"""Memory of earlier conversations: recent ones word for word, older ones as a summary, within a token budget.

Everything of an owner lies under one namespace, and a memory is made for one owner: nothing crosses.
"""

from collections.abc import Mapping
from typing import Any

from langgraph.store.base import BaseStore

from madang.errors import InvalidInput
from madang.memory.ranking import Embed, rank
from madang.memory.records import Remembered, add_turn, as_memory, tokens_in
from madang.state.clock import now_iso
from madang.state.plain import check_json

ROOT = "users"
RECENT = 3
BUDGET = 1500
MOST = 200


class SessionMemory:
    """What the turn graph loads before it plans and keeps after it has answered. Without an owner that is nothing."""

    def __init__(
        self,
        store: BaseStore,
        owner: str | None,
        *,
        embed: Embed | None = None,
        recent: int = RECENT,
        budget: int = BUDGET,
    ) -> None:
        self._store = store
        self._known = owner is not None
        self._space = (ROOT, owner or "")
        self._embed = embed
        self._recent = recent
        self._budget = budget

    async def load(self, session_id: str, query: str) -> dict[str, Any]:
        """`loaded_memories`, `user_preferences` and `memory_load_time` for a turn; without an owner there are none."""
        if not self._known:
            return {"loaded_memories": [], "user_preferences": {}, "memory_load_time": now_iso()}
        earlier = [r for r in await self._sessions() if r["session_id"] != session_id]
        recent, older = earlier[: self._recent], earlier[self._recent :]
        chosen: list[dict[str, Any]] = []
        left = self._budget
        for record, whole in [
            *((r, True) for r in recent),
            *((r, False) for r in await rank(query, older, self._embed)),
        ]:
            memory = as_memory(record, whole=whole)
            cost = tokens_in(memory)
            if cost <= left:
                chosen.append(memory)
                left -= cost
        return {
            "loaded_memories": chosen,
            "user_preferences": await self.preferences(),
            "memory_load_time": now_iso(),
        }

    async def remember(self, session_id: str, turn: Mapping[str, Any]) -> None:
        """Keep a finished turn (`request_id`, `assistant`, `query`, `answer`, `intent`, `preferences`), once."""
        if not self._known:
            return
        space = (*self._space, "sessions")
        item = await self._store.aget(space, session_id)
        before: Any = item.value if item else None
        record = add_turn(before, session_id, turn)
        if record is not before:
            await self._store.aput(space, session_id, dict(record), index=False)
        learnt = {k: v for k, v in (turn.get("preferences") or {}).items() if v not in (None, "", [], {})}
        if learnt:
            known = await self._preferences()
            said = set(known["set_by_user"])
            known["values"] |= {k: v for k, v in learnt.items() if k not in said}
            await self._put_preferences(known)

    async def view(self) -> dict[str, Any]:
        """All that is remembered."""
        return {"sessions": await self._sessions(), "preferences": await self.preferences()}

    async def forget(self, session_id: str | None = None) -> int:
        """Forget one conversation, or everything; how many entries there were."""
        space = (*self._space, "sessions")
        keys = [r["session_id"] for r in await self._sessions() if session_id in (None, r["session_id"])]
        for key in keys:
            await self._store.adelete(space, key)
        if session_id is None:
            await self._store.adelete(self._space, "preferences")
        return len(keys)

    async def preferences(self) -> dict[str, Any]:
        """What the user prefers, learnt or said."""
        return dict((await self._preferences())["values"])

    async def set_preferences(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Set preferences; None removes one. What a user has set is never overwritten by what is learnt.

        Raises `InvalidInput` for values that can't be kept.
        """
        problem = check_json(dict(values))
        if problem is not None:
            raise InvalidInput(f"preferences: {problem}")
        known = await self._preferences()
        kept = {k: v for k, v in {**known["values"], **values}.items() if v is not None}
        said = (set(known["set_by_user"]) | set(values)) & set(kept)
        await self._put_preferences({"values": kept, "set_by_user": sorted(said)})
        return kept

    async def _preferences(self) -> dict[str, Any]:
        item = await self._store.aget(self._space, "preferences")
        return dict(item.value) if item else {"values": {}, "set_by_user": []}

    async def _put_preferences(self, known: dict[str, Any]) -> None:
        await self._store.aput(self._space, "preferences", known, index=False)

    async def _sessions(self) -> list[Remembered]:
        items = await self._store.asearch((*self._space, "sessions"), limit=MOST)
        records: list[Any] = [item.value for item in items if item.namespace == (*self._space, "sessions")]
        return sorted(records, key=lambda r: str(r["updated_at"]), reverse=True)
