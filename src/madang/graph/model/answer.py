"""The second call of a turn: the answer, from evidence, sent sentence by sentence as each passes its check."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from madang.graph.model.outside import is_cut, outside_ids, with_outside
from madang.graph.model.prompt import (
    answer_prompt,
    as_json,
    asks_of,
    evidence_text,
    history_of,
    history_text,
    known_inputs,
    numbered,
    plain,
    shortened,
)
from madang.graph.model.understand import leads
from madang.graph.reading import Reading
from madang.graph.reasons import excuse
from madang.graph.state import ToolResult
from madang.texts import DEFAULT, say

if TYPE_CHECKING:
    from madang.graph.assistant import Answer, Assistant
    from madang.graph.context import TurnContext
    from madang.llm import CallPoint
    from madang.llm.evidence import Evidence, Fact
    from madang.llm.sentences import EvidenceGuard

State = Mapping[str, Any]
TOKENS = (24_000, 3_000)
SOURCES, LONGEST = 5, 200


def answer_point(assistant: "Assistant", draft: str) -> "CallPoint[str]":
    """The call point of an assistant's answers; its twin is our own answer."""
    from madang.llm import Budget, CallPoint

    prompt = answer_prompt(assistant)
    return CallPoint(
        name=f"{assistant.name}.answer",
        prompt=prompt,
        schema=str,
        inputs=tuple(sorted(prompt.placeholders)),
        twin=lambda _inputs: draft,
        budget=Budget(*TOKENS),
        timeout=60.0,
    )


def answer_inputs(
    assistant: "Assistant", state: State, context: "TurnContext[Any]", evidence: "Evidence"
) -> dict[str, Any]:
    """What the second call says of this turn."""
    said, message_id = history_of(state)
    asked = [f"{one['restated']}" for one in (state.get("understood") or {}).get("asked") or ()]
    reading: Reading | None = state.get("reading")
    text = state.get("query") or ""
    asked_by = asks_of(assistant.model, state, context) if assistant.model else {}
    if not asked and reading:
        asked = [text[slice(*act["span"])] for act in reading["acts"] if act["kind"].startswith(("ask", "order"))]
    steps = [s for s in assistant.steps(state) if s["status"] in ("failed", "skipped") and not s.get("reused")]
    return {
        "today": context.today.isoformat(),
        "language": str(state.get("language") or "ko"),
        "history": history_text(said),
        "message_id": message_id,
        "message": plain(text),
        "asked": plain(numbered(asked or [shortened(text, 300)])),
        "known": plain(as_json({**asked_by, **known_inputs(assistant, state)})),
        "failed": plain(as_json([f"{s['task']}: {excuse(s, state)}" for s in steps])),
        "evidence": evidence_text(evidence),
        "said": plain(evidence.said_first) or "(없음)",
        "after": evidence.after_is or "(없음)",
    }


async def worded(assistant: "Assistant", state: State, context: "TurnContext[Any]", ours: "Answer") -> "Answer":
    """The answer in a model's words, as far as they hold; ours where there is no model or nothing to word."""
    use = assistant.model
    if not leads(assistant, context) or use is None:
        return ours
    evidence = with_outside(use.evidence(state, context, ours), state)
    if not evidence.worded or context.budget.failed is not None:
        return ours
    said, _ = history_of(state, now=True)
    told = tuple(text for _, who, text in said if who == "사용자")
    shown = {one.path: one for one in assistant.form}
    known = {path: shown[path].shown(value) for path, value in known_inputs(assistant, state).items()}
    heard = "\n".join(text for _, who, text in said if who != "사용자")
    failed = any(step["status"] == "failed" for step in assistant.steps(state))
    foreign = str(state.get("language") or DEFAULT) != DEFAULT
    evidence = replace(
        evidence,
        facts=tuple(_as_due(one, heard, foreign=foreign) for one in evidence.facts),
        told=(*told, state.get("query") or "", *evidence.told),
        heard=heard,
        incomplete=failed,
        known={**known, "오늘": context.today.isoformat()},
    )
    return await _streamed(assistant, state, context, ours, evidence)


def _as_due(fact: "Fact", heard: str, *, foreign: bool) -> "Fact":
    """A fact that was said first already isn't again. Our sentences are Korean: in an answer in another language a
    model says them, and we only what it passes over."""
    must = fact.must and (fact.says or fact.text) not in heard
    return replace(fact, must=must and not foreign, heed=fact.heed or (must and foreign))


async def _streamed(
    assistant: "Assistant", state: State, context: "TurnContext[Any]", ours: "Answer", evidence: "Evidence"
) -> "Answer":
    from madang.llm import Restart, stream
    from madang.llm.sentences import EvidenceGuard
    from madang.llm.statements import Statements

    first = f"{evidence.said_first}\n\n" if evidence.said_first else ""
    context.token(first)
    language = str(state.get("language") or "ko")
    musts = [fact.id for fact in evidence.facts if fact.must]
    guard = EvidenceGuard(Statements(evidence, language), musts)
    point = answer_point(assistant, ours.answer)
    inputs = answer_inputs(assistant, state, context, evidence)
    speaking = stream(point, inputs, context.models, guard=guard, budget=context.budget)
    async for piece in speaking:
        if not isinstance(piece, Restart) and not speaking.ended:
            context.token(piece)
    context.note(speaking.outcome)
    outside = outside_ids(evidence, state)
    if speaking.outcome.source != "model" or not _says_something(guard, evidence, outside):
        context.token("", restart=True)
        return ours
    passed_over = _passed_over(guard, evidence)
    after = "".join(f"\n\n{part}" for part in (passed_over, evidence.after, _footer(guard, evidence, language)) if part)
    note = f"\n\n_{say('general_advice', language)}_" if _is_general(guard) else ""
    if rested := _told_outside(state, evidence, guard.cited & outside):
        note += f"\n\n_{say('outside_sources', language, tools=_names(rested))}_"
    if cut := [one for one in rested if is_cut(one)]:
        note += f"\n\n_{say('outside_cut', language, tools=_names(cut))}_"
    context.token(after + note)
    said, message_id = history_of(state)
    own = {name: text for name, who, text in said if who == "사용자"} | {message_id: str(state.get("query") or "")}
    kept = {name: value for name, value in ours.structured_data.items() if name not in evidence.replaces}
    return replace(
        ours,
        answer=f"{first}{guard.text}{after}{note}",
        structured_data={**kept, "statements": _statements(guard, evidence, own)},
        data={**ours.data, "streamed": True},
    )


def _names(told: Sequence[ToolResult]) -> str:
    return ", ".join(dict.fromkeys(one["tool"] for one in told))


def _told_outside(state: State, evidence: "Evidence", cited: Set[str]) -> list[ToolResult]:
    """The answers of tools outside that sentences rest on."""
    told = list(state.get("tool_results") or ())
    facts = evidence.facts[len(evidence.facts) - len(told) :]
    return [one for one, fact in zip(told, facts, strict=True) if fact.id in cited]


def _says_something(guard: "EvidenceGuard", evidence: "Evidence", outside: Set[str]) -> bool:
    """Whether enough is left: words at all, and of results that were found at least one. Beside what a tool outside
    said something that we found must be said too: its words are never the whole answer."""
    results = {fact.id for fact in evidence.facts if fact.kind in ("figure", "row", "finding", "plan", "judgement")}
    kept = [one for one in guard.sentences if one.shown]
    if outside and not evidence.said_first:
        ours = {fact.id for fact in evidence.facts if fact.kind != "note"} - outside
        if ours and not guard.cited & ours:
            return False
    if guard.placed:
        return True
    return bool(kept) and (not results or bool(guard.cited & results) or bool(evidence.said_first) or len(kept) > 1)


def _passed_over(guard: "EvidenceGuard", evidence: "Evidence") -> str:
    """What an answer was to heed and no sentence of it rests on, each said by us."""
    passed_over = [fact for fact in evidence.facts if fact.heed and fact.id not in guard.cited]
    return "\n".join(dict.fromkeys(f"- {fact.says or fact.text}" for fact in passed_over))


def _footer(guard: "EvidenceGuard", evidence: "Evidence", language: str) -> str:
    """The sources that the sentences rest on, or name themselves."""
    rests_on = [guard.text, *(fact.text for fact in evidence.facts if fact.id in guard.cited or fact.must)]
    named = [shown for one, shown in evidence.sources.items() if any(one in text for text in rests_on)][:SOURCES]
    return f"{say('sources', language)}: {', '.join(named)}" if named else ""


def _is_general(guard: "EvidenceGuard") -> bool:
    return any(one.general and "U" not in one.ids for one in guard.sentences)


def _statements(guard: "EvidenceGuard", evidence: "Evidence", own: Mapping[str, str]) -> list[dict[str, Any]]:
    """Each sentence with what it rests on, and those that were replaced with the reason."""
    facts = evidence.by_id()
    return [
        {
            "text": one.shown,
            "rests_on": [
                *(facts[name].text[:LONGEST] for name in one.ids if name in facts),
                *(own[name][:LONGEST] for name in one.messages if name in own),
            ],
            "general": one.general,
            **({"replaced": one.problem} if one.problem else {}),
        }
        for one in guard.sentences
    ]
