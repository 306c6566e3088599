"""A run while it runs: the events that its commits and its stream give rise to, appended in order."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from langgraph.types import Overwrite

from madang.events import Event, TodoUpdated, Token
from madang.graph.assistant import Assistant
from madang.runtime.derive import Keyed, implied, summaries
from madang.runtime.hub import Hub
from madang.store.events import Events, Frame
from madang.store.runs import Run

COALESCE = 0.05


@dataclass
class Live:
    """One running run. `state` is what is committed so far; `keys` are the events logged so far."""

    run: Run
    fence: int
    assistant: Assistant | None
    events: Events
    hub: Hub
    keys: set[str] = field(default_factory=set)
    state: dict[str, Any] = field(default_factory=dict)
    streamed: list[str] = field(default_factory=list)
    restart: bool = False
    cancelling: str = ""
    _tokens: list[str] = field(default_factory=list)
    _progress: dict[str, int] = field(default_factory=dict)
    _flushing: asyncio.Task[None] | None = None
    _order: asyncio.Lock = field(default_factory=asyncio.Lock)
    listeners: list[Callable[[Any], None]] = field(default_factory=list)

    async def committed(self, values: dict[str, Any]) -> None:
        """A checkpoint was committed: log what its state implies."""
        self.state = values
        await self._derive()

    async def finished_task(self, writes: list[tuple[str, Any]]) -> None:
        """A task's writes were committed before its superstep ended: its step has changed."""
        if self.assistant is None:
            return
        root = self.assistant.steps_at.split(".", 1)[0]
        reducer = self.assistant.specs[root].reducer
        changed = [value for channel, value in writes if channel == root and not isinstance(value, Overwrite)]
        if changed and reducer is not None:
            for value in changed:
                self.state = {**self.state, root: reducer(self.state.get(root), value)}
            await self._derive()

    def write(self, part: dict[str, Any]) -> None:
        """Something streamed from inside a node: a piece of the answer, or progress."""
        if part.get("type") == "token":
            if part.get("restart"):
                self.restart = True
                self._tokens.clear()
                self.streamed.clear()
            self._tokens.append(part["text"])
            self.streamed.append(part["text"])
        elif part.get("type") == "progress":
            self._progress[part["step_id"]] = part["progress"]
        else:
            return
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.get_running_loop().create_task(self._flush_soon())

    async def append(self, *events: Keyed | tuple[None, Event]) -> list[Frame]:
        """Log events after everything that was streamed before them, and tell who listens."""
        async with self._order:
            return await self._append([*self._pending(), *events])

    async def _derive(self) -> None:
        # The checkpoint of an input still holds the state of the turn before.
        if self.assistant is None or self.state.get("request_id") != self.run.request_id:
            return
        async with self._order:
            fresh = [(key, event) for key, event in implied(self.assistant, self.state) if key not in self.keys]
            if fresh:
                await self._append([*self._pending(), *fresh])

    async def _flush_soon(self) -> None:
        await asyncio.sleep(COALESCE)
        async with self._order:
            await self._append(self._pending())

    def _pending(self) -> list[tuple[str | None, Event]]:
        pending: list[tuple[str | None, Event]] = []
        if self._progress and self.assistant is not None:
            steps = summaries(self.assistant.steps(self.state))
            shown = [
                {**step, "progress_percentage": self._progress.get(step["step_id"], step["progress_percentage"])}
                if step["status"] == "in_progress"
                else step
                for step in steps
            ]
            self._progress.clear()
            pending.append((None, TodoUpdated(execution_steps=shown)))
        if self._tokens:
            pending.append((None, Token(text="".join(self._tokens), restart=self.restart)))
            self._tokens.clear()
            self.restart = False
        return pending

    async def _append(self, events: list[Any]) -> list[Frame]:
        if not events:
            return []
        frames = await self.events.append(self.run.session_id, self.run.run_id, self.fence, events)
        self.keys.update(key for key, _ in events if key is not None)
        self.hub.publish(frames)
        return frames

    async def settle(self) -> None:
        """Let the flush that is under way end."""
        if self._flushing is not None:
            await asyncio.gather(self._flushing, return_exceptions=True)
