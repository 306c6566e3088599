"""Values of form fields: parsed from words by what the field holds."""

import re
from collections.abc import Mapping
from datetime import date

from madang.assistants.works.data.forms import Form, FormField
from madang.assistants.works.state.documents import FormValues
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.lexicon_search import scan
from madang.text.dates import find_dates
from madang.text.money import find_money
from madang.text.normalise import squeeze
from madang.text.numbers import parse_number

MAX_TEXT = 4000
_MINUTES = re.compile(
    r"(?P<n>\d{1,3})\s?분\s?(?:에|간|동안|짜리|강연|발표|강의|정도\s?(?:강연|발표|강의))"
    r"|(?P<h>\d{1,2}|한|두|세)\s?시간(?:\s?(?P<half>반))?"
)
_COUNT = re.compile(
    r"(?<![\d,.])(?P<n>\d{1,4}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?(?:명|분(?!의|\s?(?:에|간|동안|짜리|강연|발표|강의))|인(?!당))"
)
_CUSTOMER = re.compile(
    r"[가-힣A-Za-z0-9]{2,20}(?:의원|병원|약국|클리닉|의료원|내과|외과|소아과|피부과|이비인후과)(?![가-힣]{2})"
)
_LABELLED = re.compile(r"(?:^|[\n,;/·]|\s-\s|[.]\s)\s{0,3}(?P<label>[가-힣0-9 ]{2,10}?)\s?[:：=]\s?(?P<value>[^\n,;]+)")


def labelled(form: Form, text: str, lexicon: Lexicon, today: date) -> FormValues:
    """The fields that a text names before their values: 장소: 본사 회의실."""
    by_label = {squeeze(f.label): f for f in form.fields} | {squeeze(f.name): f for f in form.fields}
    by_label |= {squeeze(f.label)[-2:]: f for f in form.fields if len(squeeze(f.label)) > 3}
    said = [(by_label.get(squeeze(m["label"])), m["value"].strip()) for m in _LABELLED.finditer(text[:MAX_TEXT])]
    return from_mapping(form, {one.name: value for one, value in said if one}, lexicon, today)


def from_mapping(form: Form, given: Mapping[str, object], lexicon: Lexicon, today: date) -> FormValues:
    """Values by field name or label, each as its field holds it; what doesn't fit is left out."""
    found: FormValues = {}
    for one in form.fields:
        raw = given.get(one.name, given.get(one.label))
        if raw in (None, ""):
            continue
        text = str(raw)[:MAX_TEXT]
        if one.kind in {"count", "won", "minutes"} and re.fullmatch(r"[\d,]{1,12}", text):
            found[one.name] = int(text.replace(",", ""))
            continue
        value = parse_value(one, text, lexicon, today, role=True)
        if value is not None:
            found[one.name] = value
    return found


def parse_value(one: FormField, text: str, lexicon: Lexicon, today: date, *, role: bool = False) -> str | int | None:
    """The field's value in `text`; with `role` the words are known to be this field's, so that text is the value."""
    if one.kind == "date":
        days = find_dates(text, today, "past" if one.past else "future")
        return days[0].value.start.isoformat() if days else None
    if one.kind == "count":
        counts = [parse_number(m["n"]) for m in _COUNT.finditer(text)]
        return max((int(c) for c in counts if c), default=None)
    if one.kind == "minutes":
        return read_minutes(text if not role or "분" not in text else f"{text}간")
    if one.kind == "won":
        amounts = [item.value.won for item in find_money(text) if item.value.won > 0]
        return amounts[0] if len(amounts) == 1 else None
    if one.kind in {"customer", "product", "rep"}:
        return _named(one.kind, text, lexicon) or (text.strip() if role and len(text) <= 60 else None)
    return text.strip() if role else None


def read_minutes(text: str) -> int | None:
    """How long a lecture takes."""
    match = _MINUTES.search(text)
    if match is None:
        return None
    if match["n"]:
        return int(match["n"])
    hours = parse_number(match["h"])
    return int(hours or 0) * 60 + (30 if match["half"] else 0) or None


def _named(kind: str, text: str, lexicon: Lexicon) -> str | None:
    named = [f.meaning.value for f in scan(text, lexicon) if f.meaning.role == "value" and f.meaning.name == kind]
    if named:
        return named[0]
    stranger = _CUSTOMER.search(text) if kind == "customer" else None
    return stranger.group() if stranger else None
