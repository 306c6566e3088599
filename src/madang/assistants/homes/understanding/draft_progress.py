"""How far the talk about a draft has come, replayed from the answers, and what is asked next."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from madang.assistants.homes.tools.calculators.calculation import won
from madang.assistants.homes.tools.contract_review import ContractReview
from madang.assistants.homes.tools.document_fields import Field, FieldValue, blanks_form
from madang.assistants.homes.tools.documents import ContractTemplate, check_fields, draft, missing_fields
from madang.assistants.homes.understanding.draft_answers import changes_in, unknown_changes, values_in
from madang.graph import Ask
from madang.text.blocks import spaced
from madang.text.particles import with_object

_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("집", ("address", "area", "part")),
    ("금액", ("price", "deposit", "monthly_rent", "down_payment", "interim_payment", "balance", "maintenance")),
    ("날짜", ("contract_date", "interim_date", "balance_date", "start_date", "end_date")),
    ("사람", ("landlord_name", "tenant_name", "seller_name", "buyer_name")),
)
_NOTHING = "“{}”에서 계약서에 적을 것을 찾지 못했습니다"
_UNREAD = "어떤 항목을 어떻게 바꿀지 읽지 못했습니다{}. 예: “월세 65만원으로”, “특약에 반려동물 가능 추가”"


@dataclass
class DraftProgress:
    """How far the talk about a document has come, replayed from the answers."""

    values: dict[str, FieldValue]
    decision: str = ""
    asked: int = 0
    shown: int = 0
    problems: list[str] = field(default_factory=list)
    share: int | None = None
    """The part of the whole that was agreed as down payment, in percent."""


def replay(
    template: ContractTemplate, given: Mapping[str, FieldValue], answers: Mapping[str, Any], today: date
) -> DraftProgress:
    """Go through the answers in the order of the questions; what can't be used is a problem to ask about again."""
    known = {item.name for item in template.fields}
    talk = DraftProgress({})
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
            read = values_in(template, said, missing, today)
            talk.problems = [] if read else [_NOTHING.format(str(said).strip()[:40])]
            _take(template, talk, read, today)
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


def _take(template: ContractTemplate, talk: DraftProgress, values: Mapping[str, Any], today: date) -> None:
    """Take the values that can be used and note what is wrong with the others."""
    merged = {**talk.values, **values}
    _share_out(talk, merged, values)
    if {"deposit", "price", "down_payment", "interim_payment"} & set(values) and "balance" not in values:
        merged.pop("balance", None)
    checked = check_fields(template, merged, today)
    wrong = {problem.field for problem in checked.problems}
    talk.values = {name: value for name, value in checked.values.items() if name not in wrong}
    talk.problems += [
        problem.reason + (f" ({problem.allowed})" if problem.allowed else "") for problem in checked.problems
    ]


def _share_out(talk: DraftProgress, merged: dict[str, Any], values: Mapping[str, Any]) -> None:
    """A down payment said as a share of the whole: as a sum, also when the whole is told later or changes."""
    if "down_payment" in values:
        said = str(values["down_payment"])
        talk.share = int(said[:-1]) if said.endswith("%") else None
    if talk.share is None:
        return
    whole = merged.get("price") or merged.get("deposit")
    merged.pop("down_payment", None)
    if isinstance(whole, int):
        merged["down_payment"] = whole * talk.share // 100


def ask_fields(template: ContractTemplate, missing: list[Field], talk: DraftProgress) -> Ask:
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
        lines = [*lines[:1], *(f"다시 확인해 주세요: {problem}" for problem in talk.problems), missing[0].question]
    shown = draft(template, talk.values) if talk.values else None
    return Ask(
        id=f"fields_{talk.asked + 1}",
        question=spaced(lines),
        field="document_fields",
        draft=shown,
        form=blanks_form(template.fields, talk.values),
    )


def _taken(template: ContractTemplate, values: Mapping[str, Any]) -> str:
    """What is in the contract so far, so that a mistake is seen before the draft."""
    said = [item for item in template.fields if item.name in values]
    shown = [
        f"{item.label} {won(int(values[item.name])) if item.kind == 'money' else values[item.name]}" for item in said
    ]
    return with_object(", ".join(shown)) if shown else ""


def ask_approval(template: ContractTemplate, text: str, review: ContractReview, talk: DraftProgress) -> Ask:
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
        form=blanks_form(template.fields, talk.values),
    )
