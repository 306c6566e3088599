"""What a message says for the fields of a form: by the roles of its words, by its values, and as it was typed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from madang.assistants.works.data.forms import Form
from madang.assistants.works.state.documents import FormValues
from madang.assistants.works.tools.compliance.facts import read_facts
from madang.assistants.works.tools.form_values import labelled, parse_value, read_minutes
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.understanding.meaning import only
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
_SPOKEN_BY = re.compile(
    r"(?:연자|강사)(?:는|은|로|:)?\s?(?P<who>[가-힣A-Za-z0-9]{2,20}(?:\s[가-힣A-Za-z0-9]{2,12}){0,2}\s?(?:교수|과장|원장|부장|센터장|선생)님?)"
)
_REQUESTED = re.compile(
    r"(?:작성|만들|써|저장|보관|검토|확인|정리|고쳐|바꿔)\S{0,4}\s?(?:줘|주세요|하고|부탁|달라|할래|해$|해[.!])"
)
_LECTURED = re.compile(r"강연|발표|강의|연자|강사|시간")
_MET = re.compile(r"면담|만나|만났|뵙")
_TIME = re.compile(r"(?:오전|오후|저녁|아침|낮|밤)?\s?\d{1,2}\s?시(?:\s?\d{1,2}\s?분|\s?반)?(?!간)")
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
    text = only(heard.message.text, spans)
    for name, value in labelled(form, text, lexicon, heard.message.today).items():
        _set(reading, name, value)
    _by_role(form, heard, reading, lexicon, spans)
    _sums(form, heard, text, reading)
    _people(form, heard, text, reading)
    _named(form, heard, text, reading, lexicon)
    _bare_money(form, heard, reading, spans)
    _as_typed(form, heard, text, reading, spans)
    _claim_beside(heard, reading)
    return reading


def _claim_beside(heard: Heard, reading: FormReading) -> None:
    """ "1인 8만원": the count belongs to the sum that was taken; what is kept as typed claims all it says."""
    taken = [claim["span"] for claim in reading.claims if claim["span"]]
    for value in heard.message.values:
        beside = any(0 <= span[0] - value.span[1] <= 3 for span in taken)
        act = heard.act_at(value.span[0])
        told = "content" in reading.changed and act is not None and heard.acts[act]["kind"] in {"tell", "add"}
        if (beside or told) and not any(overlap(value.span, span) for span in taken):
            reading.claims.append(heard.claim(value.span, "document_form.content", value.words, "parser"))


def _set(reading: FormReading, name: str, value: str | int | None) -> None:
    if value in (None, "") or reading.values.get(name) == value:
        return
    assert value is not None
    before = reading.changed[name][0] if name in reading.changed else reading.values.get(name)
    reading.changed[name] = (before, value)
    reading.values[name] = value


def _by_role(form: Form, heard: Heard, reading: FormReading, lexicon: Lexicon, spans: Sequence[Span]) -> None:
    for one in form.fields:
        for role in heard.roles_of(*one.roles):
            if one.name in reading.changed or not _within(role.span, spans):
                continue
            if one.kind == "minutes" and not _LECTURED.search(heard.message.text):
                continue
            value = parse_value(one, role.words, lexicon, heard.message.today, role=True)
            if value is not None:
                _set(reading, one.name, value)
                reading.claims.append(heard.claim(role.span, f"document_form.{one.name}", value, "examples"))


def _sums(form: Form, heard: Heard, text: str, reading: FormReading) -> None:
    """Sums tied to what they are for: a meal, a gift, a lecture."""
    names, facts = {one.name for one in form.fields}, read_facts(text, heard.message.today)
    for benefit in facts.benefits:
        name = BENEFIT_FIELDS.get(benefit.kind, "")
        each = benefit.each or (-(-benefit.total // facts.people) if benefit.total and facts.people else None)
        if name not in names or name in reading.changed or not each:
            continue
        _set(reading, name, each)
        spans = [item.span for item in find_money(text) if item.value.won in (each, benefit.total)]
        reading.claims += [heard.claim(span, f"document_form.{name}", each, "parser") for span in spans]


def _people(form: Form, heard: Heard, text: str, reading: FormReading) -> None:
    """When, how long, and who: a time of day, the lecture's minutes, the speaker, the one who was met."""
    names = {one.name for one in form.fields}
    if "minutes" in names and "minutes" not in reading.changed:
        _set(reading, "minutes", read_minutes(text))
    for name, pattern, cue in (("speaker", _SPOKEN_BY, None), ("time", _TIME, None), ("contact", _PERSON, _MET)):
        if name not in names or (name in reading.changed and name != "speaker"):
            continue
        match = pattern.search(text)
        if match is None or (cue and reading.values.get(name) and not cue.search(text)):
            continue
        who = match["who"] if "who" in pattern.groupindex else match.group()
        span = match.span("who") if "who" in pattern.groupindex else match.span()
        _set(reading, name, who.strip())
        reading.claims.append(heard.claim(span, f"document_form.{name}", who.strip(), "parser"))


def _named(form: Form, heard: Heard, text: str, reading: FormReading, lexicon: Lexicon) -> None:
    """Dates, counts and names that the data knows. A date that stands already changes only when it is called one."""
    for one in form.fields:
        if one.name in reading.changed or one.kind in {"text", "won", "time", "person", "minutes"}:
            continue
        value = parse_value(one, _SPOKEN_BY.sub(" ", text) if one.audience else text, lexicon, heard.message.today)
        if value is None or (one.kind == "date" and reading.values.get(one.name) and not _date_given(heard)):
            continue
        _set(reading, one.name, value)
        if one.kind == "count":
            spans = [v.span for v in heard.message.values if str(value) in v.words]
            spans += [role.span for role in heard.roles_of("headcount", "minutes") if str(value) in role.words]
            reading.claims += [heard.claim(span, f"document_form.{one.name}", value, "parser") for span in spans]
    wanting = [one for one in form.fields if one.audience and not reading.values.get(one.name)]
    if wanting and (match := _AUDIENCE.search(text)):
        _set(reading, wanting[0].name, match["who"].strip())
        reading.claims.append(
            heard.claim(match.span("who"), f"document_form.{wanting[0].name}", match["who"], "parser")
        )


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


def _as_typed(form: Form, heard: Heard, text: str, reading: FormReading, spans: Sequence[Span]) -> None:
    """The place, the purpose, and what is told, in the words it was told in."""
    fields = {one.name: one for one in form.fields}
    if "place" in fields and "place" not in reading.changed:
        match = _PLACE.search(text)
        said = match and (match["said"] or match["at"])
        if said and (match["said"] or not reading.values.get("place")):  # type: ignore[index]
            days = find_dates(said, heard.message.today)
            _set(reading, "place", (said[days[-1].span[1] :] if days else said).strip(" 에시"))
    if "purpose" in fields and not reading.values.get("purpose"):
        hint = next((hint for hint in fields["purpose"].hints if hint in text), None)
        clause = next((part for part in re.split(r"[,.\n]", text) if hint and hint in part), None)
        if clause:
            words = re.sub(r"^\s*(?:방문\s?)?목적(?:은|:)?\s*", "", clause).strip()
            _set(reading, "purpose", words if len(words) <= 30 else str(hint))
    if "content" in fields:
        told = _told(heard, spans, reading.values)
        _correct_amounts(reading)
        if told and told not in str(reading.values.get("content", "")) and "content" not in reading.changed:
            before = str(reading.values.get("content", ""))
            _set(reading, "content", f"{before}\n{told}".strip())


def _told(heard: Heard, spans: Sequence[Span], values: FormValues) -> str:
    """What is told, as it was typed: the parts of the message that request nothing and are no field's value alone."""
    kept = []
    for act in heard.acts:
        words = heard.message.text[slice(*act["span"])]
        if not _within(act["span"], spans) or _REQUESTED.search(words) or act["kind"].startswith("ask_"):
            continue
        pieces = [piece.strip() for piece in re.split(r",\s+|\n", words.strip(" ,"))]
        kept += [piece for piece in pieces if piece and not _is_field(piece, values)]
    return ", ".join(kept)


def _is_field(piece: str, values: FormValues) -> bool:
    """ "어제 한빛내과 방문", "목적은 신제품 소개": said for a field that has it already."""
    bare = re.sub(r"^(?:방문\s?)?(?:목적|면담자|담당자|제품|거래처)(?:은|는|:)?\s*", "", piece)
    if bare != piece or piece == values.get("purpose"):
        return True
    return bool(re.fullmatch(r"(?:\S{1,8}\s)?\S{2,20}\s?(?:방문|다녀왔\S*|갔다\s?왔\S*|들렀\S*|다녀옴)[.!]?", piece))


def _correct_amounts(reading: FormReading) -> None:
    """A corrected sum is corrected in the text that tells it too."""
    content = reading.values.get("content")
    for old, new in list(reading.changed.values()):
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
    quoted = [heard.message.text[start:end] for start, end in heard.message.quotes]
    return quoted[0].strip("'\"“”‘’「」『』 \n") if quoted else None


def _within(span: Sequence[int], spans: Sequence[Span]) -> bool:
    return any(overlap(span, other) for other in spans)
