"""A conversation in one piece, as people read it: its turns with question, reading, plan, answer and cost."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from madang.graph.plan import levels
from madang.llm.accounting import counted, totals
from madang.runtime import Runtime
from madang.runtime.outcome import plain
from madang.state.redaction import redact
from madang.state.security import StateSecurityManager
from madang.store.sessions import Session
from madang.store.shares import Share
from madang.store.transcripts import Transcripts, TurnRecord

Shown = dict[str, Any]


async def transcript(
    runtime: Runtime, session: Session, *, before: str | None = None, branch: str | None = None, limit: int = 50
) -> Shown:
    """The last turns, or those before one; of the branch that is newest, or that goes through a run.

    Raises `NotFound` for a run that isn't of this session.
    """
    # What is told later than the session was read is left to whoever follows the log from there.
    window = await Transcripts(runtime.db).window(
        session.session_id, session.last_seq, before=before, through=branch, limit=limit
    )
    turns = [turn_shown(record) for record in window.turns]
    runs = [record.run for record in window.turns if record.run is not None]
    running = next((run for run in runs if run.status in ("running", "queued")), None)
    waiting = next((record for record in window.turns if record.run and record.run.status == "interrupted"), None)
    return {
        "turns": turns,
        "pending": [] if waiting is None else waiting.frames.get("workflow_interrupted", {}).get("interrupts", []),
        "running": running and {"run_id": running.run_id, "request_id": running.request_id, "status": running.status},
        "last_seq": session.last_seq,
        "has_more": window.has_more,
    }


async def shared_transcript(
    runtime: Runtime, session: Session, share: Share, *, before: str | None = None, limit: int = 50
) -> Shown:
    """What a link shows: what had been said when it was made, of the branch it was made of."""
    transcripts = Transcripts(runtime.db)
    last = await transcripts.message(session.session_id, share.last_message_id) if share.last_message_id else None
    window = await transcripts.window(
        session.session_id, session.last_seq, before=before, through=last.run_id if last else None, limit=limit
    )
    turns = []
    for record in window.turns:
        said = [one for one in record.messages if one.id <= share.last_message_id]
        if said and not (record.run and record.run.status in ("queued", "running")):
            asked = [one for one in record.asked if _moment(one["timestamp"]) <= _moment(share.created_at)]
            told = turn_shown(replace(record, messages=said, asked=asked))
            turns.append({**told, "usage": None, "feedback": None, "branches": []})
    shown = {
        "session": {"title": session.title, "assistant": session.assistant, "created_at": session.created_at},
        "turns": turns,
        "redacted": share.redacted,
        "shared_at": share.created_at,
        "has_more": window.has_more,
    }
    if not share.redacted:
        return shown
    served = runtime.served.get(session.assistant or "")
    sensitive = frozenset(StateSecurityManager.SENSITIVE_FIELDS) | (served.sensitive if served else frozenset())
    masked: Shown = redact(shown, fields=sensitive)
    return masked


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def turn_shown(record: TurnRecord) -> Shown:
    """One turn."""
    run, frames = record.run, record.frames
    question = next((one for one in record.messages if one.role == "user"), None)
    result = run.result if run is not None and isinstance(run.result, Mapping) else {}
    last = record.messages[-1] if record.messages else None
    first = record.messages[0] if record.messages else None
    return {
        "run_id": run.run_id if run else None,
        "request_id": run.request_id if run else first and first.request_id,
        "status": run.status if run else "completed",
        "started_at": (run.started_at or run.created_at) if run else first and first.created_at,
        "ended_at": run.ended_at if run else last and last.created_at,
        "question": question and _message(question),
        "messages": [{**_message(one), "role": one.role} for one in record.messages],
        "asked": [question for frame in record.asked for question in _asked(frame)],
        "reading": frames.get("plan_ready", {}).get("reading") or result.get("reading"),
        "plan": _plan(frames),
        "response": _response(record),
        "text": record.text,
        "error": _error(record),
        "note": frames["cancelled"]["message"] if run and run.status == "cancelled" and "cancelled" in frames else None,
        "usage": _usage(run.usage if run else None),
        "branches": list(record.branches),
        "feedback": record.feedback and plain(vars(record.feedback)),
    }


def _message(message: Any) -> Shown:
    return {
        "message_id": message.id,
        "content": message.content,
        "structured_data": message.structured_data,
        "created_at": message.created_at,
    }


def _asked(frame: Mapping[str, Any]) -> list[Shown]:
    """What an interrupt asked, without its draft, which some questions repeat, and its form: they are long."""
    asked = []
    for one in frame["interrupts"]:
        kept = {name: one[name] for name in ("interrupt_id", "kind", "question", "value") if name in one}
        draft = one.get("draft")
        text = draft.get("markdown") if isinstance(draft, Mapping) else draft
        if isinstance(kept.get("question"), str) and isinstance(text, str) and text.strip():
            kept["question"] = kept["question"].replace(text.strip(), "").strip()
        asked.append({**kept, "created_at": frame["timestamp"]})
    return asked


def _plan(frames: Mapping[str, Mapping[str, Any]]) -> Shown | None:
    planned = frames.get("plan_ready")
    if planned is None:
        return None
    newest = max((frames[kind] for kind in ("plan_ready", "todo_updated") if kind in frames), key=lambda f: f["seq"])
    steps: Sequence[Mapping[str, Any]] = newest["execution_steps"]
    ids = [step["step_id"] for step in steps]
    graph = {step["step_id"]: {one for one in step.get("depends_on") or () if one in ids} for step in steps}
    groups = levels(graph, ids)
    return {
        "execution_steps": steps,
        "strategy": planned["execution_strategy"],
        "parallel_groups": groups if any(len(group) > 1 for group in groups) else None,
        "intent": planned["intent"],
        "confidence": planned["confidence"],
        "estimated_total_time": planned["estimated_total_time"],
    }


def _response(record: TurnRecord) -> Shown | None:
    answered = next((one for one in reversed(record.messages) if one.role == "assistant"), None)
    if answered is None:
        return None
    data = dict(answered.structured_data or {})
    told = record.frames.get("response", {})
    return {
        "message_id": answered.id,
        "type": data.pop("type", None) or told.get("response_type") or "answer",
        "answer": answered.content,
        "structured_data": data,
        "teams_used": told.get("teams_used", []),
        "data": told.get("data", {}),
        "created_at": answered.created_at,
    }


def _error(record: TurnRecord) -> Shown | None:
    """What clients were told of a failure; never its inside."""
    if record.run is None or record.run.status != "failed":
        return None
    told = record.frames.get("error", {})
    return {"code": told.get("error") or (record.run.error or {}).get("code"), "message": told.get("message")}


def _usage(usage: Any) -> Shown | None:
    """What models cost; whatever else a run counted (queries of its data) is no matter of theirs."""
    account = counted(usage)
    if not account:
        return None
    sums = totals(account)
    calls = sum(sums["api_calls_made"].values())
    return {"calls": calls, "tokens": sums["total_tokens_used"], "cost": sums["cost_usd"], **sums}
