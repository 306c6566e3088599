"""Metrics, traces and logs."""

import io
import json
import logging
import re
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import madang.text.morphemes  # noqa: F401  its cache is told
from madang.server.logs import JsonFormatter, RedactingFormatter, configure_logging
from madang.server.observe import Observer
from tests.support.runtimes import questions
from tests.support.serving import GUARDED, Site, receive, serving
from tests.support.trip_assistant import Services

RESIDENT = "900101-1234568"


def value(exposition: str, name: str, **labels: str) -> float:
    for line in exposition.splitlines():
        if re.match(rf"{name}(\{{|\s)", line) and all(f'{k}="{v}"' in line for k, v in labels.items()):
            return float(line.rsplit(" ", 1)[1])
    raise AssertionError(f"no {name} {labels}")


async def test_metrics_count_turns_steps_and_sockets(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "오사카 3 100")
    await site.ask(session, "오사카 3 200")
    async with site.socket(session) as socket:
        await receive(socket)
        shown = (await site.http.get("/metrics")).text
    assert value(shown, "madang_turns_total", assistant="trip", status="completed") == 2
    assert value(shown, "madang_turn_seconds_count", assistant="trip") == 2
    assert value(shown, "madang_step_seconds_count", assistant="trip", agent="money", status="completed") == 2
    # What the second turn kept didn't run again.
    assert value(shown, "madang_step_seconds_count", assistant="trip", agent="flight", status="completed") == 1
    assert value(shown, "madang_sockets_open") == 1
    assert value(shown, "madang_turns_running") == 0
    assert value(shown, "madang_runs_queued") == 0
    assert value(shown, "madang_events_total", type="response") == 2
    assert value(shown, "madang_cache_bytes", cache="morphemes") >= 0
    for name in site.runtime.saver.cache_sizes():
        assert value(shown, "madang_cache_bytes", cache=name) >= 0
    assert session not in shown


async def test_a_turn_that_is_over_is_not_remembered(site: Site) -> None:
    observer: Observer = site.app.state.observer
    for number in range(3):
        await site.ask(await site.session(), f"오사카 3 {number}00")
    assert len(observer) == 0


async def test_failed_steps_and_interrupted_turns_are_told_apart(sqlite_url: str) -> None:
    services = Services(asks={"itinerary"}, faults={"hotel": OSError("점검")})
    async with serving(sqlite_url, services=services) as site:
        session = await site.session()
        await site.ask(session, "오사카 3")
        pending = await questions(site.runtime, session)
        run = await site.runtime.resume(session, {pending[0]["interrupt_id"]: {"decision": "approve"}})
        await site.runtime.wait(run.run_id)
        shown = (await site.http.get("/metrics")).text
    assert value(shown, "madang_turns_total", assistant="trip", status="interrupted") == 1
    assert value(shown, "madang_turns_total", assistant="trip", status="completed") == 1
    assert value(shown, "madang_step_seconds_count", agent="hotel", status="failed") == 1
    assert value(shown, "madang_step_seconds_count", agent="flight", status="completed") == 1


async def test_metrics_are_for_administrators_where_credentials_are_required(sqlite_url: str) -> None:
    async with serving(sqlite_url, GUARDED) as site:
        admin, user = await site.user("root", role="admin"), await site.user("alice")
        assert (await site.http.get("/metrics", headers=user)).status_code == 403
        assert (await site.http.get("/metrics", headers=admin)).status_code == 200


async def test_a_span_for_the_turn_and_one_for_each_step(site: Site) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    observer = Observer(site.runtime, provider)
    session = await site.session()
    await site.ask(session, "오사카 3 100")
    observer.close()
    spans = {span.name: span for span in exporter.get_finished_spans()}
    assert set(spans) == {"turn", "step flight", "step hotel", "step itinerary", "step money"}
    turn = spans["turn"]
    assert turn.attributes is not None
    assert turn.attributes["madang.assistant"] == "trip"
    assert turn.attributes["madang.status"] == "completed"
    assert turn.context is not None
    for name in ("step flight", "step money"):
        parent = spans[name].parent
        assert parent is not None
        assert parent.span_id == turn.context.span_id
        assert (spans[name].start_time or 0) <= (spans[name].end_time or 0)
    assert "오사카" not in "".join(span.to_json() for span in spans.values())


@pytest.fixture
def captured(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """Everything the process logs, as `madang serve` writes it, in both forms."""
    stream = io.StringIO()
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    for formatter in (JsonFormatter(), RedactingFormatter()):
        handler = logging.StreamHandler(stream)
        handler.setFormatter(formatter)
        root.addHandler(handler)
    before = root.level
    root.setLevel(logging.DEBUG)
    yield stream
    root.setLevel(before)


async def test_no_log_line_holds_a_resident_number(sqlite_url: str, captured: io.StringIO) -> None:
    logger = logging.getLogger("madang.test")
    async with serving(sqlite_url) as site:
        session = await site.session()
        await site.ask(session, f"오사카 3 {RESIDENT.replace('-', '')}")
        await site.http.get(f"/api/v1/sessions/{RESIDENT}")
    try:
        raise ValueError(f"bad number {RESIDENT}")
    except ValueError:
        logger.exception("failed for %s", RESIDENT, extra={"given": {"deep": [RESIDENT]}, "text": RESIDENT})
    written = captured.getvalue()
    assert "request" in written
    assert "failed for" in written
    assert RESIDENT not in written
    assert RESIDENT.replace("-", "") not in written
    assert RESIDENT[7:] not in written


def test_json_lines_hold_their_fields() -> None:
    record = logging.makeLogRecord(
        {"msg": "request", "levelname": "INFO", "name": "madang.x", "status": 200, "ms": 1.5}
    )
    shown = json.loads(JsonFormatter().format(record))
    assert (shown["message"], shown["level"], shown["logger"]) == ("request", "info", "madang.x")
    assert (shown["status"], shown["ms"]) == (200, 1.5)
    assert RedactingFormatter().format(record) == "info madang.x: request status=200 ms=1.5"


def test_every_logger_goes_through_the_redacting_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    before = root.level
    configure_logging("info", "json")
    root.setLevel(before)
    assert [type(handler.formatter) for handler in root.handlers] == [JsonFormatter]
    assert logging.getLogger("uvicorn.error").handlers == []
