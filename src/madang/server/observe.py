"""Metrics and traces, derived from the events that the runtime publishes: no code elsewhere knows of them."""

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import product
from typing import Any

from opentelemetry import trace
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from madang import caches
from madang.events import TERMINAL, of_turn
from madang.llm.accounting import totals
from madang.runtime import Runtime
from madang.state.clock import parse_time
from madang.state.steps import TERMINAL_STEPS

Frame = dict[str, Any]
STATUS = {"response": "completed", "workflow_interrupted": "interrupted", "error": "failed", "cancelled": "cancelled"}
MOST_WATCHED = 1_000
# One that waits for an answer goes on with the same steps.
OVER = TERMINAL - {"workflow_interrupted"}
SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


@dataclass
class Watched:
    """A turn that is being followed. `done` are the steps that were counted."""

    assistant: str
    begun: datetime
    span: trace.Span | None
    done: set[str] = field(default_factory=set)


class Observer:
    """Follows every turn of one runtime."""

    media_type = CONTENT_TYPE_LATEST

    def __init__(self, runtime: Runtime, tracer_provider: trace.TracerProvider | None = None) -> None:
        self._runtime = runtime
        self._tracer = trace.get_tracer("madang", tracer_provider=tracer_provider)
        self._since = datetime.now(UTC)
        self._turns: OrderedDict[tuple[str, str | None], Watched] = OrderedDict()
        self._registry = CollectorRegistry()
        self._count_turns = Counter(
            "madang_turns", "Turns that ended", ["assistant", "status"], registry=self._registry
        )
        self._turn_time = Histogram(
            "madang_turn_seconds", "How long turns took", ["assistant"], buckets=SECONDS, registry=self._registry
        )
        self._step_time = Histogram(
            "madang_step_seconds",
            "How long steps took",
            ["assistant", "agent", "status"],
            buckets=SECONDS,
            registry=self._registry,
        )
        self._tokens = Counter("madang_tokens", "Model tokens used", ["assistant", "kind"], registry=self._registry)
        self._calls = Counter("madang_model_calls", "Model calls made", ["assistant", "model"], registry=self._registry)
        self._cost = Counter(
            "madang_model_cost_usd",
            "What model calls with a known price have cost, in dollars",
            ["assistant"],
            registry=self._registry,
        )
        self._events = Counter("madang_events", "Events published", ["type"], registry=self._registry)
        self._sockets = Gauge("madang_sockets_open", "Open sockets", registry=self._registry)
        self._running = Gauge("madang_turns_running", "Turns that run in this process", registry=self._registry)
        self._queued = Gauge("madang_runs_queued", "Runs that wait to be run, anywhere", registry=self._registry)
        self._oldest = Gauge(
            "madang_queue_oldest_seconds",
            "How long the first run that could be run has waited",
            registry=self._registry,
        )
        self._listening = Gauge(
            "madang_listening", "Whether this process hears from Postgres; 1 with SQLite", registry=self._registry
        )
        self._unrecovered = Counter(
            "madang_recovery_failures", "Runs that this process could not recover", registry=self._registry
        )
        self._caches = Gauge(
            "madang_cache_bytes", "About how much each cache of this process holds", ["cache"], registry=self._registry
        )
        self._failures = 0
        # A count that appears with its first failure has no rise that a rule could see.
        for assistant, status in product(runtime.served, STATUS.values()):
            self._count_turns.labels(assistant, status)
        runtime.hub.taps.append(self.see)

    def __len__(self) -> int:
        """How many turns are being followed."""
        return len(self._turns)

    def close(self) -> None:
        """Stop following."""
        self._runtime.hub.taps.remove(self.see)

    async def exposition(self, sockets: int) -> bytes:
        """The metrics in Prometheus' text form."""
        self._sockets.set(sockets)
        self._running.set(len(self._runtime.runner))
        queued, oldest = await self._runtime.runs.backlog()
        self._queued.set(queued)
        self._oldest.set(oldest)
        link = self._runtime.link
        self._listening.set(link is None or link.listener.connected)
        self._unrecovered.inc(self._runtime.recovery.failures - self._failures)
        self._failures = self._runtime.recovery.failures
        for name, size in (*caches.sizes().items(), *self._runtime.saver.cache_sizes().items()):
            self._caches.labels(name).set(size)
        return generate_latest(self._registry)

    def see(self, frames: list[Frame]) -> None:
        """Take note of published events."""
        for frame in of_turn(frames):
            self._events.labels(frame["type"]).inc()
            turn = self._turn(frame)
            for step in frame.get("execution_steps") or ():
                self._step(turn, step)
            if frame["type"] in TERMINAL:
                self._end(turn, frame)
            if frame["type"] in OVER:
                self._turns.pop((frame["session_id"], frame["request_id"]), None)

    def _turn(self, frame: Frame) -> Watched:
        key = (frame["session_id"], frame["request_id"])
        turn = self._turns.pop(key, None)
        live = self._runtime.runner.find(frame["session_id"])
        if turn is None:
            assistant = (live.run.assistant if live is not None else None) or "unknown"
            turn = Watched(assistant, parse_time(frame["timestamp"]), None)
        if turn.span is None:
            turn.begun = parse_time(frame["timestamp"])
            turn.span = self._tracer.start_span(
                "turn",
                start_time=nanoseconds(turn.begun),
                attributes={
                    "madang.assistant": turn.assistant,
                    "madang.session_id": frame["session_id"],
                    "madang.request_id": frame["request_id"] or "",
                },
            )
        self._turns[key] = turn
        if len(self._turns) > MOST_WATCHED:
            self._turns.popitem(last=False)
        return turn

    def _step(self, turn: Watched, step: dict[str, Any]) -> None:
        started, ended = step.get("started_at"), step.get("completed_at")
        if step["status"] not in TERMINAL_STEPS or step["step_id"] in turn.done or not ended:
            return
        turn.done.add(step["step_id"])
        # A process that takes a turn over sees steps that another one ran; they were counted there.
        if step.get("reused") or not started or parse_time(ended) < self._since:
            return
        begun, over = parse_time(started), parse_time(ended)
        agent = step.get("agent") or step.get("agent_name") or ""
        self._step_time.labels(turn.assistant, agent, step["status"]).observe((over - begun).total_seconds())
        within = trace.set_span_in_context(turn.span) if turn.span is not None else None
        span = self._tracer.start_span(
            f"step {agent}",
            context=within,
            start_time=nanoseconds(begun),
            attributes={
                "madang.step_id": step["step_id"],
                "madang.agent": agent,
                "madang.team": step.get("team") or "",
                "madang.status": step["status"],
            },
        )
        if step["status"] == "failed":
            span.set_status(trace.StatusCode.ERROR)
        span.end(nanoseconds(over))

    def _end(self, turn: Watched, frame: Frame) -> None:
        status, over = STATUS[frame["type"]], parse_time(frame["timestamp"])
        self._count_turns.labels(turn.assistant, status).inc()
        self._turn_time.labels(turn.assistant).observe(max(0.0, (over - turn.begun).total_seconds()))
        live = self._runtime.runner.find(frame["session_id"])
        usage = (live.state.get("usage") if live is not None else None) or {}
        used = totals(usage.get("llm") or {})
        self._tokens.labels(turn.assistant, "prompt").inc(used["prompt_tokens"])
        self._tokens.labels(turn.assistant, "completion").inc(used["completion_tokens"])
        for model, calls in used["api_calls_made"].items():
            self._calls.labels(turn.assistant, model).inc(calls)
        self._cost.labels(turn.assistant).inc(used["cost_usd"] or 0.0)
        if turn.span is not None:
            turn.span.set_attribute("madang.status", status)
            if frame["type"] == "error":
                turn.span.set_status(trace.StatusCode.ERROR, str(frame.get("error")))
            turn.span.end(nanoseconds(over))
            turn.span = None


def nanoseconds(at: datetime) -> int:
    """A time as traces have it."""
    return int(at.timestamp() * 1_000_000) * 1000
