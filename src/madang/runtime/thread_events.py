"""What a run streams, as those who follow its thread are told it: the events of the SDK's thread protocol.

They go to the session's log beside the events of the turn, so that a client that comes back misses nothing. A state is
logged by the checkpoint that holds it, never whole.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage

from madang.events import ThreadEvent
from madang.runtime.message_events import MessageEvents
from madang.runtime.served_graph import ServedGraph
from madang.runtime.state_json import plain
from madang.runtime.streams import Namespace, RecentStates
from madang.store.runs import Run

# What a run has to stream so that every channel of the protocol has something to tell.
MODES = ("values", "updates", "messages", "tools", "custom", "tasks", "checkpoints")
INTERRUPT = "__interrupt__"
# What an update may weigh in the log; a larger one is told without its values.
LARGEST = 64 * 1024
STATUS = {"completed": "completed", "failed": "failed", "interrupted": "interrupted", "cancelled": "interrupted"}


class ThreadEvents:
    """The thread events of one run, in order."""

    def __init__(self, run: Run, served: ServedGraph, recent: RecentStates) -> None:
        self._run, self._served, self._recent = run, served, recent
        self._messages: dict[Namespace, MessageEvents] = defaultdict(MessageEvents)
        self._states: dict[Namespace, Any] = {}
        self._places: dict[Namespace, str | None] = {}
        self._inside: dict[Namespace, str] = {}
        self._asked: set[str] = set()

    def begun(self) -> ThreadEvent:
        """The run runs."""
        return self._lifecycle((), "running")

    def ended(self, status: str, error: str | None = None) -> list[ThreadEvent]:
        """The run has ended or waits: whatever is open is closed, the root last."""
        told = [event for namespace in list(self._messages) for event in self._silence(namespace)]
        told += [event for namespace in list(self._states) for event in self._state(namespace)]
        told += [self._lifecycle(namespace, STATUS[status]) for namespace in self._inside]
        self._inside.clear()
        return [*told, self._lifecycle((), STATUS[status], **({"error": error} if error else {}))]

    def told(self, namespace: Namespace, mode: str, payload: Any) -> Iterator[ThreadEvent]:
        """What one part of the stream tells."""
        if namespace and namespace not in self._inside:
            name, _, task = namespace[-1].partition(":")
            self._inside[namespace] = task
            yield self._lifecycle(namespace, "started", trigger_call_id=task, graph_name=name)
        match mode:
            case "values":
                yield from self._values(namespace, payload)
            case "checkpoints":
                yield from self._checkpoint(namespace, payload)
            case "messages":
                yield from self._spoken(namespace, *payload)
            case "updates":
                yield from self._updates(namespace, payload)
            case "tasks":
                yield from self._task(namespace, payload)
            case "tools":
                yield self._event("tools", namespace, payload)
            case "custom":
                yield from self._custom(namespace, payload)

    def _event(self, method: str, namespace: Namespace, data: Any, node: str | None = None) -> ThreadEvent:
        return ThreadEvent(method=method, namespace=list(namespace), data=plain(data), node=node)

    def _lifecycle(self, namespace: Namespace, event: str, **more: Any) -> ThreadEvent:
        name = namespace[-1].partition(":")[0] if namespace else self._served.name
        return self._event("lifecycle", namespace, {"event": event, "graph_name": name, **more})

    def _values(self, namespace: Namespace, values: Any) -> Iterator[ThreadEvent]:
        yield from self._silence(namespace)
        if isinstance(values, Mapping) and INTERRUPT in values:
            yield from self._questions(namespace, values[INTERRUPT])
            yield from self._state(namespace)
            values = {name: value for name, value in values.items() if name != INTERRUPT}
            # It waits at the checkpoint that it has come to: no other follows.
            if place := self._places.get(namespace):
                self._states[namespace] = values
                yield from self._state(namespace, place)
            return
        yield from self._state(namespace)
        yield from self._unheard(namespace, values)
        self._states[namespace] = values

    def _checkpoint(self, namespace: Namespace, payload: Mapping[str, Any]) -> Iterator[ThreadEvent]:
        metadata = payload.get("metadata") or {}
        place, parent = _checkpoint_id(payload.get("config")), _checkpoint_id(payload.get("parent_config"))
        # Without its step: @langchain/react takes a branch, whose steps are lower, for an old state that is told again.
        told = {"id": place, "source": metadata.get("source")}
        yield self._event("checkpoints", namespace, {**told, **({"parent_id": parent} if parent else {})})
        self._places[namespace] = place
        yield from self._state(namespace, place)

    def _state(self, namespace: Namespace, checkpoint_id: str | None = None) -> Iterator[ThreadEvent]:
        """The state that waits for its checkpoint; whole where a graph keeps no checkpoints."""
        if namespace not in self._states:
            return
        values = self._states.pop(namespace)
        if checkpoint_id is None:
            if namespace not in self._places:
                yield self._event("values", namespace, {"values": values})
            return
        self._recent.keep((self._run.session_id, namespace, checkpoint_id), values)
        yield self._event("values", namespace, {"checkpoint_id": checkpoint_id})

    def _questions(self, namespace: Namespace, interrupts: Sequence[Any]) -> Iterator[ThreadEvent]:
        """A question is told once, where it is asked: the graphs around it repeat it."""
        for interrupt in interrupts:
            if interrupt.id not in self._asked:
                self._asked.add(interrupt.id)
                # The JavaScript client reads `payload`, the Python client `value`.
                data = {"interrupt_id": interrupt.id, "payload": interrupt.value, "value": interrupt.value}
                yield self._event("input.requested", namespace, data)

    def _spoken(self, namespace: Namespace, message: Any, metadata: Mapping[str, Any]) -> Iterator[ThreadEvent]:
        if isinstance(message, AIMessage):
            node = metadata.get("langgraph_node")
            for data in self._messages[namespace].hear(message):
                yield self._event("messages", namespace, data, node)

    def _silence(self, namespace: Namespace) -> Iterator[ThreadEvent]:
        for data in self._messages[namespace].finish():
            yield self._event("messages", namespace, data)

    def _unheard(self, namespace: Namespace, values: Any) -> Iterator[ThreadEvent]:
        """An answer of ours that was not streamed."""
        answer = self._served.answer(self._run, values) if not namespace and isinstance(values, Mapping) else None
        if answer is not None and not self._messages[namespace].heard(answer.id):
            for data in self._messages[namespace].hear(answer):
                yield self._event("messages", namespace, data)

    def _custom(self, namespace: Namespace, payload: Any) -> Iterator[ThreadEvent]:
        piece = self._served.answer_chunk(self._run, payload)
        if piece is None:
            named = payload.get("name") if isinstance(payload, Mapping) else None
            about = {"name": named} if isinstance(named, str) else {}
            yield self._event("custom", namespace, {**about, "payload": payload})
            return
        if payload.get("restart"):
            self._messages[namespace].restart(str(piece.id))
        for data in self._messages[namespace].hear(piece):
            yield self._event("messages", namespace, data)

    def _updates(self, namespace: Namespace, payload: Mapping[str, Any]) -> Iterator[ThreadEvent]:
        for node, values in payload.items():
            if node == INTERRUPT:
                yield from self._questions(namespace, values)
                continue
            event = self._event("updates", namespace, {"node": node, "values": values})
            large = len(str(event.data)) > LARGEST
            yield self._event("updates", namespace, {"node": node, "values": {}, "left_out": True}) if large else event

    def _task(self, namespace: Namespace, task: Mapping[str, Any]) -> Iterator[ThreadEvent]:
        """A task's beginning or end, without the state that it was given and what it wrote: updates tell that."""
        if "result" not in task:
            yield self._event("tasks", namespace, {"id": task["id"], "name": task["name"]})
            return
        error = task.get("error")
        failed = {"error": str(error) if error else None, "interrupts": task.get("interrupts") or []}
        yield self._event("tasks", namespace, {"id": task["id"], "name": task["name"], "result": {}, **failed})
        for inner in [inner for inner, trigger in self._inside.items() if trigger == task["id"]]:
            yield from self._silence(inner)
            yield from self._state(inner)
            status = "failed" if error else "interrupted" if failed["interrupts"] else "completed"
            yield self._lifecycle(inner, status, **({"error": failed["error"]} if error else {}))
            del self._inside[inner]


def _checkpoint_id(config: Mapping[str, Any] | None) -> str | None:
    place: Mapping[str, Any] = (config or {}).get("configurable") or {}
    return place.get("checkpoint_id")


def joined(events: Sequence[tuple[str | None, Any]]) -> list[tuple[str | None, Any]]:
    """Events with neighbouring pieces of one text made one piece."""
    told: list[tuple[str | None, Any]] = []
    for key, event in events:
        before = told[-1][1] if told else None
        if isinstance(event, ThreadEvent) and isinstance(before, ThreadEvent) and _continues(before, event):
            told[-1] = (None, _together(before, event))
        else:
            told.append((key, event))
    return told


def _continues(before: ThreadEvent, event: ThreadEvent) -> bool:
    if (before.method, before.namespace) != (event.method, event.namespace) or event.method != "messages":
        return False
    return all(e.data["event"] == "content-block-delta" for e in (before, event)) and all(
        before.data[name] == event.data[name] for name in ("message_id", "index")
    )


def _together(before: ThreadEvent, event: ThreadEvent) -> ThreadEvent:
    first, second = before.data["delta"], event.data["delta"]
    (grows,) = (name for name in second if name != "type")
    delta = second if grows == "fields" else {**first, grows: first[grows] + second[grows]}
    return ThreadEvent(
        method=event.method, namespace=event.namespace, data={**event.data, "delta": delta}, node=event.node
    )
