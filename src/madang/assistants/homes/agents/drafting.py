"""The document team: asks for what is missing, shows the draft, and makes the contract once it is approved."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from madang.assistants.homes.agents.contract_analysis import as_risk
from madang.assistants.homes.tools.calculators.calculation import won
from madang.assistants.homes.tools.contract_review import ContractAnalysisTool, ContractReview
from madang.assistants.homes.tools.document_fields import Field
from madang.assistants.homes.tools.documents import (
    ContractTemplate,
    check_fields,
    draft,
    find_template,
    finish,
    missing_fields,
)
from madang.assistants.homes.understanding.draft_answers import changes_in, unknown_changes, values_in
from madang.assistants.homes.understanding.guidance import with_object
from madang.errors import ConfigurationError
from madang.graph import AgentContext, Ask, NeedsInput, View, agent
from madang.state.clock import now_iso
from madang.text.blocks import spaced
from madang.text.rendering import render

OUT = "team_results.document"
FORMATS = ("docx", "html", "md", "pdf")
NAMES = (
    "document_type",
    "document_content",
    "review_result",
    "final_document",
    "document_id",
    "decision",
    "formats",
    "notes",
)
_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("집", ("address", "area", "part")),
    ("금액", ("price", "deposit", "monthly_rent", "down_payment", "interim_payment", "balance", "maintenance")),
    ("날짜", ("contract_date", "interim_date", "balance_date", "start_date", "end_date")),
    ("사람", ("landlord_name", "tenant_name", "seller_name", "buyer_name")),
)
_UNREAD = "어떤 항목을 어떻게 바꿀지 읽지 못했습니다{}. 예: “월세 65만원으로”, “특약에 반려동물 가능 추가”"
_SHOWN = frozenset(name for _, names in _GROUPS for name in names)


@dataclass
class Progress:
    """How far the talk about a document has come, replayed from the answers."""

    values: dict[str, Any]
    decision: str = ""
    asked: int = 0
    shown: int = 0
    problems: list[str] = field(default_factory=list)


@agent(
    team="document",
    agent_name="document_team",
    step_type="document",
    reads=("document_template", "document_fields"),
    writes=tuple(f"{OUT}.{name}" for name in NAMES),
    task="계약서 작성",
    description="빠진 내용을 묻고, 초안을 보이고, 승인을 받아 작성",
    timeout=60,
    data=("contract_rules",),
)
async def drafting(wanted: View, ctx: AgentContext) -> dict[str, Any] | NeedsInput:
    template = find_template(wanted.document_template)
    talk = replay(template, wanted.document_fields or {}, ctx.answers, ctx.today)
    if talk.decision == "reject":
        return rejected(template)
    missing = missing_fields(template, talk.values)
    if missing or talk.problems:
        return NeedsInput(questions=(ask_fields(template, missing, talk),))
    text = draft(template, talk.values)
    review = await asyncio.to_thread(ContractAnalysisTool().review, text)
    if talk.decision != "approve":
        return NeedsInput(questions=(ask_approval(template, text, review, talk),))
    ctx.progress(60, "문서 만드는 중")
    return await _made(template, talk.values, review, ctx)


def replay(template: ContractTemplate, given: Mapping[str, Any], answers: Mapping[str, Any], today: date) -> Progress:
    """Go through the answers in the order of the questions; what can't be used is a problem to ask about again."""
    known = {item.name for item in template.fields}
    talk = Progress({})
    _take(template, talk, {name: value for name, value in given.items() if name in known}, today)
    while True:
        missing = missing_fields(template, talk.values)
        if missing or talk.problems:
            said = answers.get(f"fields_{talk.asked + 1}")
            if said is None:
                return talk
            talk.asked += 1
            if str(said).strip() in ("취소", "그만", "됐어", "안 할래"):
                talk.decision = "reject"
                return talk
            talk.problems = []
            _take(template, talk, values_in(template, said, missing, today), today)
            continue
        said = answers.get(f"approval_{talk.shown + 1}")
        if said is None:
            return talk
        talk.shown += 1
        decision = said.get("decision") if isinstance(said, Mapping) else str(said)
        if decision not in ("modify", "approve"):
            talk.decision = "reject"
            return talk
        changes = changes_in(template, said, talk.values, today) if isinstance(said, Mapping) else {}
        unread = unknown_changes(template, said)
        if decision == "approve" and not changes and not unread:
            talk.decision = "approve"
            return talk
        if unread or not changes:
            talk.problems = [_UNREAD.format(f" ({', '.join(unread)})" if unread else "")]
        _take(template, talk, changes, today)


def _take(template: ContractTemplate, talk: Progress, values: Mapping[str, Any], today: date) -> None:
    """Take the values that can be used and note what is wrong with the others."""
    merged = {**talk.values, **values}
    if {"deposit", "price", "down_payment", "interim_payment"} & set(values) and "balance" not in values:
        merged.pop("balance", None)
    checked = check_fields(template, merged, today)
    wrong = {problem.field for problem in checked.problems}
    talk.values = {name: value for name, value in checked.values.items() if name not in wrong}
    talk.problems += [
        problem.reason + (f" ({problem.allowed})" if problem.allowed else "") for problem in checked.problems
    ]


def ask_fields(template: ContractTemplate, missing: list[Field], talk: Progress) -> Ask:
    """One question for all that is missing, grouped as a person would give it."""
    lines = [f"{template.template_name}에 필요한 것을 알려 주세요. 한 번에 적으셔도 되고 아는 것만 적으셔도 됩니다."]
    if taken := _taken(template, talk.values):
        lines = [f"{taken} 적어 두었습니다.", f"{template.template_name}에 더 필요한 것을 알려 주세요."]
    lines += [f"- 다시 확인해 주세요: {problem}" for problem in talk.problems]
    names = {item.name: item for item in missing}
    for title, group in _GROUPS:
        asked = [names[name] for name in group if name in names]
        if asked:
            lines.append(f"- {title}: {', '.join(item.label for item in asked)}")
    if len(missing) == 1:
        lines = [*(f"다시 확인해 주세요: {problem}" for problem in talk.problems), missing[0].question]
    shown = draft(template, talk.values) if talk.values else None
    return Ask(id=f"fields_{talk.asked + 1}", question=spaced(lines), field="document_fields", draft=shown)


def _taken(template: ContractTemplate, values: Mapping[str, Any]) -> str:
    """What is in the contract so far, so that a mistake is seen before the draft."""
    said = [item for item in template.fields if item.name in values and item.name in _SHOWN]
    shown = [
        f"{item.label} {won(int(values[item.name])) if item.kind == 'money' else values[item.name]}" for item in said
    ]
    return with_object(", ".join(shown)) if shown else ""


def ask_approval(template: ContractTemplate, text: str, review: ContractReview, talk: Progress) -> Ask:
    said = [f"{template.template_name} 초안입니다. 이대로 만들까요? 바꿀 것이 있으면 말해 주세요."]
    found = [f"- 확인: {f.title} “{f.quoted}” ({', '.join(f.articles)})" for f in review.findings]
    if found:
        said += ["초안을 검토해 보니 살펴볼 조항이 있습니다:", *found]
    return Ask(
        id=f"approval_{talk.shown + 1}",
        kind="approval",
        question=f"{spaced(said)}\n\n{text}",
        choices=("승인", "수정", "거절"),
        draft={
            "title": template.template_name,
            "markdown": text,
            "fields": dict(talk.values),
            "labels": {item.name: item.label for item in template.fields},
        },
    )


def rejected(template: ContractTemplate) -> dict[str, Any]:
    return {
        "document_type": template.document_type,
        "document_content": None,
        "review_result": None,
        "final_document": None,
        "document_id": None,
        "decision": "reject",
        "formats": [],
        "notes": [],
    }


async def _made(
    template: ContractTemplate, values: Mapping[str, Any], review: ContractReview, ctx: AgentContext
) -> dict[str, Any]:
    text = finish(template, values, ctx.today)
    files, notes = await asyncio.to_thread(rendered, text, template.template_name)
    metadata = {"template_id": template.template_id, "document_type": template.document_type, "deal": template.deal}
    document_id = None
    if ctx.turn.save_document is not None:
        document_id = await ctx.turn.save_document(
            {
                "title": template.template_name, "kind": template.document_type, "markdown": text, "files": files,
                "metadata": metadata,
            }
        )  # fmt: skip
    ctx.source("final_document", tool="documents", source=template.template_id)
    return {
        "document_type": template.document_type,
        "document_content": {
            "title": template.template_name,
            "content": f"{len(text)}자",
            "metadata": metadata,
            "created_at": now_iso(),
        },
        "review_result": {
            "reviewed": True,
            "risk_level": "high" if review.risk_level == "critical" else review.risk_level,
            "risks": [as_risk(finding) for finding in review.findings],
            "recommendations": [f"{finding.title}: {finding.instead}" for finding in review.findings],
            "compliance_check": {
                rule: outcome == "pass"
                for rule, outcome in review.compliance_check.items()
                if outcome != "not_mentioned"
            },
        },
        "final_document": text,
        "document_id": document_id,
        "decision": "approve",
        "formats": list(files) if document_id else [],
        "notes": notes,
    }


def rendered(text: str, title: str) -> tuple[dict[str, bytes], list[str]]:
    """The document in every form that can be made here, and why one can't."""
    files: dict[str, bytes] = {}
    notes: list[str] = []
    for form in FORMATS:
        try:
            files[form] = render(text, form, title=title)
        except ConfigurationError as error:
            notes.append(str(error))
    return files, notes
