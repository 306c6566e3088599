"""Reading what a user says about a draft: values for its blanks, changes, or something else altogether."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from madang.assistants.homes.tools.document_fields import Field, check_value
from madang.assistants.homes.tools.documents import ContractTemplate, find_template
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.intents import read_intent
from madang.assistants.homes.understanding.quoted_contracts import document_values
from madang.assistants.homes.understanding.slots import without_denied
from madang.errors import FieldProblem, NotFound
from madang.graph.questions import read_answer as read_plain
from madang.graph.state import Question
from madang.text.calendars import add_months
from madang.text.message import Message

# Only whether there is a change matters when a text is told from a new question, not which day it names.
_ANY_DAY = date(2026, 1, 1)
_CANCEL = re.compile(r"^\s*(?:취소|그만|됐어|됐습니다|안\s?할래|안\s?만들|중단)")
_YES = re.compile(r"\s*(?:네|넵|예|응|그래|좋|승인|이대로|그대로|확인|진행|ㅇㅇ|오케이|ok)", re.IGNORECASE)
_TERMS = re.compile(r"특약(?:사항)?(?:에|으로|은|는|:|：)?")
_ADDED = re.compile(r"(?:을|를)?\s?(?:추가|넣어|적어|포함)")
_CHANGED = re.compile(r"(?:으로|로)\s*(?:바꿔|수정|변경|고쳐)[^,.\n]*")
_TERMS_SAID = re.compile(
    r"특약(?:사항)?(?:은|는|도)?\s?(?:(?P<none>(?:따로\s?)?없(?:어요?|음|습니다|이))"
    r"|(?:(?<=은|는)|[:：])\s*(?P<terms>[^\n]+(?:\n\s*(?:[-•]|\d{1,2}[.)])[^\n]+)*))"
)
_NEXT_LABEL = re.compile(r",\s{0,3}(?=[가-힣]{2,6}\s?[:：])")
_SHARE = re.compile(r"계약금[은이]?\s?(?:보증금의|매매대금의|집값의)?\s?(\d{1,2})\s?(?:%|퍼센트|프로)")
_RENT_DAY = re.compile(r"매(?:월|달)\s?(\d{1,2}|말)\s?일")
LEAST_TOTAL = 10_000_000
_YEARS = re.compile(r"(?:기간은?\s?)?(\d{1,2})\s?년(?:\s?(?:간|계약|동안|짜리))?(?!\s?\d{1,2}\s?월)")
# "잔금일이랑 입주일은 12월 15일" gives one day for both.
_AND = r"(?:(?:이랑|랑|하고|과|와)\s?[가-힣]{2,6}?)?"
_ALIASES: Mapping[str, str] = {
    "address": r"주소|소재지|집\s?주소",
    "landlord_name": r"임대인|집주인",
    "tenant_name": r"임차인|세입자",
    "seller_name": r"매도인",
    "buyer_name": r"매수인",
    "contract_date": r"계약일|계약\s?날짜",
    "balance_date": r"잔금일|잔금\s?날짜",
    "start_date": r"입주일?|시작일?|임대차\s?시작일?",
    "end_date": r"종료일?|만료일?|만기일?|임대차\s?종료일?",
    "special_terms": r"특약(?:사항)?",
    "landlord_phone": r"(?:임대인|집주인)\s?(?:연락처|전화(?:번호)?)",
    "tenant_phone": r"(?:임차인|세입자)\s?(?:연락처|전화(?:번호)?)",
    "rent_account": r"(?:입금\s?)?계좌",
    "rent_day": r"월세\s?(?:지급일|납부일|내는\s?날)",
}


def values_in(template: ContractTemplate, said: Any, missing: Sequence[Field], today: date) -> dict[str, Any]:
    """Values for blanks in an answer: a form's fields, labelled lines, or words as people write them."""
    known = {item.name: item for item in template.fields}
    if isinstance(said, Mapping):
        given = said.get("fields") if isinstance(said.get("fields"), Mapping) else said
        words = values_in(template, said["note"], missing, today) if said.get("note") else {}
        return {**words, **_form_values(template, given or {})}
    text, terms = _special_terms(_CHANGED.sub(" ", without_denied(str(said))))
    found = {name: value for name, value in document_values(text, today).items() if name in known}
    found |= _labelled(text, known, today, found)
    _period(text, found, known)
    _unlabelled(text, found, missing, today)
    patterns = {"down_payment": (_SHARE, "{}%"), "rent_day": (_RENT_DAY, "{}")}
    for name, (pattern, form) in patterns.items():
        if name in known and name not in found and (match := pattern.search(text)):
            found[name] = form.format(match[1])
    if terms and "special_terms" in known:
        found["special_terms"] = terms
    if not found and len(missing) == 1:
        return {missing[0].name: _bare(text, missing[0])}
    return found


def _special_terms(text: str) -> tuple[str, str]:
    """The message without its special terms, and those: what they say of sums, days and people is theirs."""
    if _ADDED.search(text) or (match := _TERMS_SAID.search(text)) is None:
        return text, ""
    terms, *others = _NEXT_LABEL.split(match["terms"] or "없음", maxsplit=1)
    return f"{text[: match.start()]} {text[match.end() :]}\n{''.join(others)}", terms.strip(" .“”‘’\"'")


def _unlabelled(text: str, found: dict[str, Any], missing: Sequence[Field], today: date) -> None:
    """The one large sum that nothing names is the whole price, while that is asked for."""
    total = next((item.name for item in missing if item.name in ("price", "deposit")), None)
    if total is None or total in found:
        return
    text = text.replace(str(found.get("address") or "\n"), " ")
    sums = {item.value.won for item in Message.read(text, today, context="housing").of("money") if not item.value.role}
    if len(sums) == 1 and (only := sums.pop()) >= LEAST_TOTAL and only not in found.values():
        found[total] = only


def _form_values(template: ContractTemplate, given: Mapping[str, Any]) -> dict[str, Any]:
    """Values by the name or the label of their blank; of a change from one value to another the new one."""
    names = {item.label: item.name for item in template.fields} | {item.name: item.name for item in template.fields}
    found = {names[key]: _new_value(value) for key, value in given.items() if key in names}
    return {name: value for name, value in found.items() if value not in (None, "")}


def _new_value(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return next((value[key] for key in ("to", "after", "new", "value") if key in value), None)


def _labelled(text: str, known: Mapping[str, Field], today: date, found: Mapping[str, Any]) -> dict[str, Any]:
    """Values after their labels: "임대인: 김마당", "계약일 12월 1일"."""
    labelled: dict[str, Any] = {}
    for name, item in known.items():
        label = _ALIASES.get(name, re.escape(item.label))
        match = re.search(rf"(?:^|[\s,·;/])-?\s{{0,3}}(?:{label}){_AND}\s?([:：]|은|는|이|가)\s?([^\n,;]+)", text)
        # "임대인은 도배를 해 준다" names nobody; what stands after a colon is meant as it is.
        if match is None or (name.endswith("_name") and match[1] not in ":："):
            continue
        value = match[2].strip(" .")
        if item.kind in ("text", "phone") and name in found:
            continue
        checked = check_value(item, value, today)
        if not isinstance(checked, FieldProblem):
            labelled[name] = checked
    return labelled


def _period(text: str, found: dict[str, Any], known: Mapping[str, Field]) -> None:
    """ "2년 계약" ends so many years after it begins, the day before."""
    years = _YEARS.search(text)
    start = found.get("start_date")
    if years and start and "end_date" in known and "end_date" not in found:
        last = add_months(date.fromisoformat(str(start)), 12 * int(years[1]))
        found["end_date"] = date.fromordinal(last.toordinal() - 1).isoformat()


def _bare(text: str, item: Field) -> str:
    stripped = text.strip().rstrip(".!~ ")
    return re.sub(r"(?:입니다|이에요|예요|이요|요)$", "", stripped) if item.kind in ("text", "phone") else stripped


def changes_in(template: ContractTemplate, said: Any, values: Mapping[str, Any], today: date) -> dict[str, Any]:
    """What a user wants changed in a draft, in a form's fields, in words, or in both: only what is really other."""
    if not isinstance(said, Mapping):
        return _changes_in_words(template, str(said), values, today)
    found: dict[str, Any] = {}
    if said.get("decision") != "approve" and said.get("note"):
        found |= _changes_in_words(template, str(said["note"]), values, today)
    for part in given_changes(said):
        if isinstance(part, Mapping):
            found |= _form_values(template, part)
        else:
            found |= _changes_in_words(template, str(part), {**values, **found}, today)
    fields = {item.name: item for item in template.fields}
    return {
        name: value
        for name, value in found.items()
        if name not in values or check_value(fields[name], value, today) != values[name]
    }


def given_changes(said: Any) -> list[Any]:
    """The changes that an answer carries beside its decision: mappings by field, or words."""
    given = [said.get(name) for name in ("fields", "changes")] if isinstance(said, Mapping) else []
    return [part for one in given if one for part in (one if isinstance(one, list | tuple) else [one])]


def unknown_changes(template: ContractTemplate, said: Any) -> list[str]:
    """Names in an answer's changes that the contract has no blank for."""
    known = {name for item in template.fields for name in (item.name, item.label)}
    return [
        str(name) for part in given_changes(said) if isinstance(part, Mapping) for name in part if name not in known
    ]


def _changes_in_words(template: ContractTemplate, text: str, values: Mapping[str, Any], today: date) -> dict[str, Any]:
    """Values that the words name; special terms are added to those there are."""
    added = _added_terms(text)
    if added and any(item.name == "special_terms" for item in template.fields):
        before = str(values.get("special_terms") or "")
        return {"special_terms": f"{before}\n- {added}" if before else f"- {added}"}
    return values_in(template, text, (), today)


def _added_terms(text: str) -> str:
    """The special terms that the last sentence adds: "특약에 반려동물 금지 추가해줘"."""
    begins = _TERMS.search(text)
    ends = _ADDED.search(text, max(begins.end() + 1, text.rfind(".") + 1)) if begins else None
    return text[begins.end() : ends.start()].strip(" .,“”\"'") if begins and ends else ""


def read_answer(question: Question, text: str, state: Mapping[str, Any]) -> Any | None:
    """The answer that a plain text gives to a question about a draft; None if it is a new question."""
    template = _template(state)
    if template is None:
        return read_plain(question, text)
    if question["kind"] == "approval":
        return _decision(template, question, text)
    if _CANCEL.search(text):
        return "취소"
    return None if _asks_else(text) else text.strip() or None


def _decision(template: ContractTemplate, question: Question, text: str) -> dict[str, str] | None:
    """A value for a blank is a change, even in a yes ("네, 월세는 65만원으로요")."""
    decided = read_plain(question, text)
    if isinstance(decided, Mapping) and decided.get("decision") in ("reject", "modify"):
        return dict(decided)
    if not _asks_else(text) and changes_in(template, text, {}, _ANY_DAY):
        return {"decision": "modify", "note": text}
    if decided is not None or _YES.match(text):
        return {"decision": "approve", "note": text}
    return None


def _asks_else(text: str) -> bool:
    """Whether the text is a question of its own rather than something to write into a contract."""
    reading = read_intent(text)
    asks = bool(re.search(r"[?？]\s*$|(?:알려|찾아|검토해|계산해|비교해)\s?(?:줘|주세요)", text))
    return asks and reading.intent not in (IntentType.UNCLEAR, IntentType.CONTRACT_CREATION)


def _template(state: Mapping[str, Any]) -> ContractTemplate | None:
    try:
        return find_template(state.get("document_template") or "")
    except NotFound:
        return None
