"""What a message says for the fields of a form: by the roles of its words, by its values, and as it was typed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from madang.assistants.works.data.forms import Form
from madang.assistants.works.state.documents import FormValues
from madang.assistants.works.tools.compliance.facts import read_facts
from madang.assistants.works.tools.form_values import labelled, parse_value, read_minutes
from madang.assistants.works.tools.lexicon import Lexicon
from madang.graph.reading import Claim, Heard, overlap
from madang.text.dates import find_dates
from madang.text.money import find_money

Span = tuple[int, int]
_PLACE = re.compile(
    r"장소(?:는|은|:)?\s?(?P<said>[가-힣A-Za-z0-9 ]{2,30}?)(?=[,.\n]|으로|로\s|이고|입니다|예요|에요|$)"
    r"|(?P<at>[가-힣A-Za-z0-9]{1,20}(?:\s[가-힣A-Za-z0-9]{1,20})?)에서"
)
_PERSON = re.compile(
    r"(?P<who>[가-힣]{1,4}\s?(?:원장|교수|과장|부장|약사|약국장|센터장|병원장|간호사|실장|대표)(?:님)?)"
)
_AUDIENCE = re.compile(
    r"(?P<who>(?:[가-힣]{2,6}\s)?[가-힣]{2,7}(?:과)?\s?(?:원장|의사|교수|약사|의료진|개원의)(?:님)?(?:들)?)"
)
_TIME = re.compile(r"(?:오전|오후|저녁|아침|낮|밤)?\s?\d{1,2}\s?시(?:\s?\d{1,2}\s?분|\s?반)?(?!간)")
_ADDED = re.compile(r"['\"“‘](?P<words>[^'\"”’]{4,600})['\"”’]")
BENEFIT_FIELDS = {
    "meal": "cost_per_person",
    "souvenir": "gift_per_person",
    "gift": "gift_per_person",
    "lecture_fee": "lecture_fee",
}


@dataclass
class FormReading:
    """The values after the message, and which words gave them."""

    values: FormValues
    claims: list[Claim] = field(default_factory=list)
    changed: dict[str, tuple[str | int | None, str | int]] = field(default_factory=dict)


def read_form(form: Form, heard: Heard, before: FormValues, lexicon: Lexicon, spans: Sequence[Span]) -> FormReading:
    """`before` with what the message says at `spans`. A value that is said again is replaced, nothing else is."""
    reading = FormReading(dict(before))
    text = heard.message.text
    for name, value in labelled(form, text, lexicon, heard.message.today).items():
        _set(reading, name, value)
    _by_role(form, heard, reading, lexicon, spans)
    _by_value(form, heard, reading, lexicon, spans)
    _as_typed(form, heard, reading, spans)
    return reading


def _set(reading: FormReading, name: str, value: str | int | None) -> None:
    if value in (None, "") or reading.values.get(name) == value:
        return
    assert value is not None
    reading.changed[name] = (reading.values.get(name), value)
    reading.values[name] = value


def _by_role(form: Form, heard: Heard, reading: FormReading, lexicon: Lexicon, spans: Sequence[Span]) -> None:
    for one in form.fields:
        for role in heard.roles_of(*one.roles):
            if one.name in reading.changed or not _within(role.span, spans):
                continue
            value = parse_value(one, role.words, lexicon, heard.message.today, role=True)
            if value is not None:
                _set(reading, one.name, value)
                reading.claims.append(heard.claim(role.span, f"document_form.{one.name}", value, "examples"))


def _by_value(form: Form, heard: Heard, reading: FormReading, lexicon: Lexicon, spans: Sequence[Span]) -> None:
    text, today = heard.message.text, heard.message.today
    fields = {one.name: one for one in form.fields}
    facts = read_facts(text, today)
    for benefit in facts.benefits:
        name = BENEFIT_FIELDS.get(benefit.kind, "")
        each = benefit.each or (-(-benefit.total // facts.people) if benefit.total and facts.people else None)
        if name in fields and name not in reading.changed and each:
            _set(reading, name, each)
            _claim_words(
                heard,
                reading,
                name,
                [item.span for item in find_money(text) if item.value.won in (each, benefit.total)],
            )
    if "minutes" in fields and "minutes" not in reading.changed:
        _set(reading, "minutes", read_minutes(text))
    for name, pattern in (("time", _TIME), ("speaker", None), ("contact", None)):
        if name in fields and name not in reading.changed and (match := (pattern or _PERSON).search(text)):
            if name == "time" or not reading.values.get(name) or re.search(r"연자|강사|면담|만나|만났", text):
                if name != "speaker" or re.search(r"연자|강사|강연", text):
                    _set(reading, name, match.group().strip())
                    reading.claims.append(
                        heard.claim(match.span(), f"document_form.{name}", match.group().strip(), "parser")
                    )
    for one in form.fields:
        if one.name in reading.changed or one.kind in {"text", "won", "time", "person", "minutes"}:
            continue
        value = parse_value(one, text, lexicon, today)
        if value is not None and (
            one.kind != "date" or not reading.values.get(one.name) or one.name in reading.changed or _date_given(heard)
        ):
            _set(reading, one.name, value)
    if "customer" in fields and fields["customer"].audience and not reading.values.get("customer"):
        if match := _AUDIENCE.search(text):
            _set(reading, "customer", match["who"].strip())
    _bare_money(form, heard, reading, spans)


def _date_given(heard: Heard) -> bool:
    return bool(heard.roles_of("event_date")) or bool(re.search(r"(?:날짜|일시|방문일|일자)", heard.message.text))


def _bare_money(form: Form, heard: Heard, reading: FormReading, spans: Sequence[Span]) -> None:
    """A sum that names no field is of the field whose value it is nearest to."""
    names = [one.name for one in form.fields if one.kind == "won"]
    if any(name in reading.changed for name in names) or not names:
        return
    items = [item for item in find_money(heard.message.text) if item.value.won > 0 and _within(item.span, spans)]
    if len(items) != 1 or re.search(r"총|합계|전체", heard.message.text):
        return
    won = items[0].value.won
    known = {name: int(reading.values[name]) for name in names if reading.values.get(name)}
    name = min(known, key=lambda one: max(won, known[one]) / min(won, known[one])) if known else names[0]
    _set(reading, name, won)
    reading.claims.append(heard.claim(items[0].span, f"document_form.{name}", won, "parser"))


def _claim_words(heard: Heard, reading: FormReading, name: str, spans: Sequence[Span]) -> None:
    reading.claims += [heard.claim(span, f"document_form.{name}", reading.values.get(name), "parser") for span in spans]


def _as_typed(form: Form, heard: Heard, reading: FormReading, spans: Sequence[Span]) -> None:
    text = heard.message.text
    fields = {one.name: one for one in form.fields}
    if "place" in fields and "place" not in reading.changed:
        match = _PLACE.search(text)
        said = match and (match["said"] or match["at"])
        if said and (match["said"] or not reading.values.get("place")):  # type: ignore[index]
            days = find_dates(said, heard.message.today)
            _set(reading, "place", (said[days[-1].span[1] :] if days else said).strip(" 에시"))
    if "purpose" in fields and not reading.values.get("purpose"):
        hint = next((hint for hint in fields["purpose"].hints if hint in text), None)
        clause = re.search(rf"[^,.\n]*{hint}[^,.\n]*", text) if hint else None
        if clause:
            words = re.sub(r"^\s*(?:방문\s?)?목적(?:은|:)?\s*", "", clause.group()).strip()
            _set(reading, "purpose", words if len(words) <= 30 else str(hint))
    if "content" in fields:
        told = _told(heard, spans)
        _correct_amounts(reading, heard)
        if told and told not in str(reading.values.get("content", "")) and "content" not in reading.changed:
            before = str(reading.values.get("content", ""))
            _set(reading, "content", f"{before}\n{told}".strip())


def _told(heard: Heard, spans: Sequence[Span]) -> str:
    """What is told, as it was typed: the clauses that tell and say more than the value of a field."""
    kept = []
    for act in heard.acts:
        words = heard.message.text[slice(*act["span"])].strip(" ,")
        if (
            act["kind"] not in {"tell", "add"}
            or not _within(act["span"], spans)
            or act.get("task") in {"store", "chat"}
        ):
            continue
        if re.fullmatch(r"(?:오늘|어제|그제|방금)?\s?\S{2,20}\s?(?:방문|다녀왔\S*|갔다\s?왔\S*|들렀\S*)[.!]?", words):
            continue
        kept.append(words)
    return " ".join(kept)


def _correct_amounts(reading: FormReading, heard: Heard) -> None:
    """A corrected sum is corrected in the text that tells it too."""
    content = reading.values.get("content")
    for name, (old, new) in list(reading.changed.items()):
        if not isinstance(old, int) or not isinstance(new, int) or not isinstance(content, str):
            continue
        for item in reversed(find_money(content)):
            if item.value.won == old:
                content = content[: item.span[0]] + f"{new:,}원" + content[item.span[1] :]
        if content != reading.values.get("content"):
            reading.changed["content"] = (reading.values.get("content"), content)
            reading.values["content"] = content


def added_words(heard: Heard) -> str | None:
    """The words that are to be written into a text: what is quoted."""
    match = _ADDED.search(heard.message.text)
    return match["words"] if match else None


def _within(span: Sequence[int], spans: Sequence[Span]) -> bool:
    return any(overlap(span, other) for other in spans)
