"""Reading what a user says into the fields of a form."""

import re
from collections.abc import Mapping
from datetime import date

from madang.assistants.works.data.forms import Form, FormField
from madang.assistants.works.state.documents import FormValues
from madang.assistants.works.tools.compliance.facts import read_facts
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.lexicon_search import scan
from madang.text.dates import find_dates
from madang.text.money import find_money
from madang.text.normalise import squeeze
from madang.text.numbers import parse_number
from madang.text.parsed import blanked

MAX_TEXT = 4000
_COUNT = re.compile(r"(?<![\d,.])(?P<n>\d{1,4}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?(?:명|분(?!의)|인(?!당))")
_CUSTOMER = re.compile(
    r"[가-힣A-Za-z0-9]{2,20}(?:의원|병원|약국|클리닉|의료원|내과|외과|소아과|피부과|이비인후과)(?![가-힣])"
)
_PLACE = re.compile(r"(?<![가-힣A-Za-z0-9])(?P<place>[가-힣A-Za-z0-9]{1,20}(?:\s[가-힣A-Za-z0-9]{1,20})?)에서")
_LABELLED = re.compile(r"(?:^|[\n,;/·]|\s-\s)\s{0,3}(?P<label>[가-힣0-9 ]{2,10}?)\s?[:：=]\s?(?P<value>[^\n,;]+)")


def fill(form: Form, given: object, values: FormValues, lexicon: Lexicon, today: date) -> FormValues:
    """`values` with what `given` says: free text, or a mapping by field name or label. Earlier values are replaced."""
    if isinstance(given, Mapping):
        inner = given.get("fields")
        return {**values, **_from_mapping(form, inner if isinstance(inner, Mapping) else given, lexicon, today)}
    text = str(given)[:MAX_TEXT]
    found = _labelled(form, text, lexicon, today)
    for one in form.fields:
        if one.name not in found and one.kind != "text":
            value = _read(one, text, lexicon, today)
            if value is not None:
                found[one.name] = value
    merged = {**values, **found}
    return {**merged, **_texts(form, text, merged, lexicon, today)}


def _from_mapping(form: Form, given: Mapping[str, object], lexicon: Lexicon, today: date) -> FormValues:
    found: dict[str, str | int | None] = {}
    for one in form.fields:
        raw = given.get(one.name, given.get(one.label))
        if raw in (None, ""):
            continue
        text = str(raw)[:MAX_TEXT]
        if one.kind == "count" and re.fullmatch(r"\d{1,4}", text):
            found[one.name] = int(text)
        elif one.kind == "won" and re.fullmatch(r"[\d,]+", text):
            found[one.name] = int(text.replace(",", ""))
        else:
            value = _read(one, text, lexicon, today)
            found[one.name] = value if value is not None or one.kind in {"count", "won", "date"} else text
    return {name: value for name, value in found.items() if value is not None}


def _labelled(form: Form, text: str, lexicon: Lexicon, today: date) -> FormValues:
    by_label = {squeeze(f.label): f for f in form.fields} | {squeeze(f.name): f for f in form.fields}
    by_label |= {squeeze(f.label)[-2:]: f for f in form.fields if len(squeeze(f.label)) > 3}
    said = [(by_label.get(squeeze(m["label"])), m["value"].strip()) for m in _LABELLED.finditer(text)]
    return _from_mapping(form, {one.name: value for one, value in said if one}, lexicon, today)


def _read(one: FormField, text: str, lexicon: Lexicon, today: date) -> str | int | None:
    if one.kind == "date":
        days = find_dates(text, today, "past" if one.past else "future")
        return days[0].value.start.isoformat() if days else None
    if one.kind == "count":
        counts = [parse_number(m["n"]) for m in _COUNT.finditer(text)]
        return max((int(c) for c in counts if c), default=None)
    if one.kind == "won":
        return _cost(text, today)
    if one.kind in {"customer", "product", "rep"}:
        named = [
            f.meaning.value for f in scan(text, lexicon) if f.meaning.role == "value" and f.meaning.name == one.kind
        ]
        if named:
            return named[0]
        stranger = _CUSTOMER.search(text) if one.kind == "customer" else None
        return stranger.group() if stranger else None
    return None


def _cost(text: str, today: date) -> int | None:
    """The cost for one person: as said, or the total over the number of people."""
    facts = read_facts(text, today)
    for benefit in facts.benefits:
        if benefit.kind in {"meal", "souvenir"} and benefit.each:
            return benefit.each
        if benefit.kind == "meal" and benefit.total and facts.people:
            return -(-benefit.total // facts.people)
    amounts = [item.value.won for item in find_money(text) if item.value.won > 0]
    if len(amounts) == 1:
        total = re.search(r"총|합계|전체", text)
        return -(-amounts[0] // facts.people) if total and facts.people else None if total else amounts[0]
    return None


def _texts(form: Form, text: str, values: FormValues, lexicon: Lexicon, today: date) -> FormValues:
    """The text fields from what is left: by their telling words, then in order."""
    found: FormValues = {}
    waiting = [f for f in form.fields if f.kind == "text" and not f.optional and not values.get(f.name)]
    if not waiting:
        return found
    # Only the first day is the form's own; a later one ("다음주 재방문") belongs to what is told.
    text = blanked(text, [item.span for item in find_dates(text, today)[:1]])
    pieces = [p.strip() for p in re.split(r"[,\n;]|(?<=[가-힣])\.\s", text) if p.strip()]
    used: set[str] = set()
    for one in waiting:
        for piece in pieces:
            word = next((hint for hint in one.hints if hint in piece), None)
            if word and piece not in used:
                found[one.name] = _place(piece) if one.name == "place" else _unlabelled(one, piece)
                used.add(piece)
                break
    if not _is_request(text):
        rest = [p for p in pieces if p not in used and not _is_other(form, p, lexicon, today)]
        for one in [f for f in waiting if f.name not in found]:
            if rest:
                found[one.name] = rest.pop(0) if one is not waiting[-1] else ", ".join(rest)
    return found


def _unlabelled(one: FormField, piece: str) -> str:
    """ "목적은 신제품 소개" says the field's own name first."""
    name = re.escape(one.label.split()[-1])
    return re.sub(rf"^(?:{re.escape(one.label)}|{name})(?:은|는|이|가|:)\s*", "", piece) or piece


def _place(piece: str) -> str:
    match = _PLACE.search(piece)
    return match["place"] if match else piece


def _is_request(text: str) -> bool:
    return (
        bool(re.search(r"(?:작성|만들|써|생성|준비)\S{0,6}\s?(?:줘|주세요|달라|해|고)|신청서|보고서", text))
        and len(text) < 60
    )


def _is_other(form: Form, piece: str, lexicon: Lexicon, today: date) -> bool:
    """Whether a piece is the value of a field that isn't text."""
    bare = blanked(piece, [item.span for item in find_dates(piece, today)])
    if not bare.strip():
        return True
    kinds = [f for f in form.fields if f.kind not in ("text", "date")]
    return len(piece) < 25 and any(_read(f, bare, lexicon, today) is not None for f in kinds)
