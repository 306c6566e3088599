"""The blanks of a contract: what each holds, how a value is checked, and how values are read from a message."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from madang.assistants.homes import data
from madang.assistants.homes.tools.calculators.calculation import won
from madang.errors import FieldProblem
from madang.text.areas import find_areas
from madang.text.dates import find_dates
from madang.text.money import find_money
from madang.text.morphemes import known_as

FieldKind = Literal["text", "money", "date", "area", "day", "phone"]
FieldValue = str | int | float

_PHONE = re.compile(r"0\d{1,2}[-.\s]?\d{3,4}[-.\s]?\d{4}")
_NAME_AFTER = (
    r"(?:\s?(?:이름|성명|성함))?(?:(?:은|는|이|가)?\s+|\s?[:：]\s?)(?:(?:나|저|본인)(?:야|예요|이고|는)?,?\s+)?([가-힣]{2,4}?)"
    r"(?=이고|이며|입니다|이에요|예요|님|씨|이야|야|[,.\s]|$)"
)
LANDLORD, TENANT = r"(?:임대인|집?주인|건물주)", r"(?:임차인|세입자)"
_PARTIES: Mapping[str, str] = {
    "landlord_name": LANDLORD,
    "tenant_name": TENANT,
    "seller_name": r"(?:매도인|파는\s?사람)",
    "buyer_name": r"(?:매수인|사는\s?사람)",
}
_NAME_ENDS = re.compile(rf"(?:이고|이며|입니다|이에요|예요|님|씨|이야)?\s*(?:$|[,.\n]|{'|'.join(_PARTIES.values())})")
_ADDRESS = re.compile(
    r"(?:주소|소재지|집)?\s?(?:은|는|:)?\s?((?:[가-힣]{1,8}(?:특별시|광역시|특별자치시|도|시)|서울|부산|대구|인천|광주|대전|울산|세종|경기)"
    r"\s[가-힣0-9\s-]{2,40}?\d{1,5}(?:-\d{1,5})?(?:번?길\s?\d{1,4}(?:-\d{1,4})?)?(?:,?\s?[가-힣A-Za-z]{0,12}\s?(?:\d{1,5}|[A-Za-z가-하])동)?"
    r"(?:,?\s?\d{1,3}층)?(?:,?\s?(?:[가-힣A-Za-z]{2,12}\s)?\d{1,5}호)?)"
)
_ROLES: Mapping[str, str] = {
    "deposit": "deposit",
    "rent": "monthly_rent",
    "price": "price",
    "down_payment": "down_payment",
    "interim_payment": "interim_payment",
    "balance": "balance",
    "maintenance": "maintenance",
}
_DATE_WORDS: tuple[tuple[str, str], ...] = (
    ("balance_date", r"잔금"),
    ("interim_date", r"중도금"),
    ("contract_date", r"계약일|계약\s?날짜|계약은"),
    ("end_date", r"종료|만료|만기"),
    ("start_date", r"입주|시작|인도"),
)
_DATE_PARTICLES: tuple[tuple[str, str], ...] = (("start_date", r"\s?(?:부터|에?\s?입주)"), ("end_date", r"\s?까지"))


@dataclass(frozen=True, kw_only=True)
class Field:
    """One blank: its label, what it holds, whether it must be filled and what stands there if it isn't."""

    name: str
    label: str
    kind: FieldKind
    required: bool = True
    empty: str = ""
    ask: str = ""

    @property
    def question(self) -> str:
        return self.ask or f"{self.label}을(를) 알려 주세요."


def check_value(field: Field, value: FieldValue, today: date) -> FieldValue | FieldProblem:
    """The value in its stored form (won, ISO date, square metres, text), or what is wrong with it."""
    checked = _CHECKS[field.kind](value, today)
    if checked is None:
        return FieldProblem(field.name, f"{field.label} 값 {value!r}을(를) 읽을 수 없습니다", _EXAMPLES[field.kind])
    return checked


def blanks_form(fields: Iterable[Field], values: Mapping[str, FieldValue]) -> dict[str, Any]:
    """Blanks as JSON Schema: what each holds, how it is written, and its value so far."""
    blanks = list(fields)
    properties = {
        blank.name: {
            "type": {"money": "integer", "area": "number"}.get(blank.kind, "string"),
            "title": blank.label,
            **({"description": _EXAMPLES[blank.kind]} if blank.kind not in ("text", "date") else {}),
            "x-kind": blank.kind,
            **({"format": "date"} if blank.kind == "date" else {"x-unit": _UNITS.get(blank.kind, "")}),
            **({"default": values[blank.name]} if blank.name in values else {}),
        }
        for blank in blanks
    }
    return {"type": "object", "properties": properties, "required": [one.name for one in blanks if one.required]}


def show_value(field: Field, value: FieldValue) -> str:
    """A value as it stands in the contract."""
    if field.kind == "money":
        return f"금 {won(int(value))} (₩{int(value):,})"
    if field.kind == "date":
        day = date.fromisoformat(str(value))
        return f"{day.year}년 {day.month}월 {day.day}일"
    return f"{float(value):g}㎡" if field.kind == "area" else str(value)


def read_fields(message: str, today: date) -> dict[str, FieldValue]:
    """Values a message gives for the blanks: sums by what they are for, dates by the words around, names."""
    found: dict[str, FieldValue] = {}
    without_dates = _read_dates(message, today, found)
    for item in find_money(without_dates, "housing"):
        name = _ROLES.get(item.value.role or "")
        if name and item.value.won:
            found.setdefault(name, item.value.won)
    found |= {name: called for name, party in _PARTIES.items() if (called := name_after(party, message))}
    if address := _ADDRESS.search(message):
        found["address"] = address[1].strip()
    if areas := find_areas(message):
        found["area"] = areas[0].value.sqm
    return found


def name_after(party: str, message: str) -> str | None:
    """The name that a message gives this party (a pattern of words): a surname and what may follow one. An ordinary
    word is a name only where the sentence ends with it."""
    known: Mapping[str, Any] = data.load("templates/fields.toml")["names"]
    for match in re.finditer(party + _NAME_AFTER, message):
        name = match[1]
        surnamed = name[0] in known["surnames"] if len(name) < 4 else name[:2] in known["double_surnames"]
        if not surnamed or name in known["never"]:
            continue
        if known_as(name) != "word" or (len(name) == 3 and _NAME_ENDS.match(message, match.end(1))):
            return name
    return None


def _read_dates(message: str, today: date, found: dict[str, FieldValue]) -> str:
    """Put the dates into `found` and return the message with them blanked out: a day is not a sum."""
    rest = message
    for item in find_dates(message, today):
        start, end = item.span
        rest = rest[:start] + " " * (end - start) + rest[end:]
        if item.value.kind == "range":
            found.setdefault("start_date", item.value.start.isoformat())
            found.setdefault("end_date", item.value.end.isoformat())
        elif name := _date_name(message, start, end):
            found.setdefault(name, item.value.end.isoformat())
    return rest


def _date_name(message: str, start: int, end: int) -> str | None:
    after = next((name for name, words in _DATE_PARTICLES if re.match(words, message[end:])), None)
    before = re.split(r"[,.\n]", message[max(0, start - 12) : start])[-1]
    return next((name for name, words in _DATE_WORDS if re.search(words, before)), after)


def _text(value: FieldValue, _today: date) -> FieldValue | None:
    text = str(value).strip()
    return text if 0 < len(text) <= 2000 and "{{" not in text else None


def _money(value: FieldValue, _today: date) -> FieldValue | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 <= value <= 10**13 else None
    text = str(value).strip()
    if text.replace(",", "").isdigit():
        return int(text.replace(",", ""))
    sums = find_money(text, "housing")
    return sums[0].value.won if sums and sums[0].value.won else None


def _date(value: FieldValue, today: date) -> FieldValue | None:
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError:
        dates = [item for item in find_dates(str(value), today) if item.value.start == item.value.end]
        return dates[0].value.start.isoformat() if dates else None


def _area(value: FieldValue, _today: date) -> FieldValue | None:
    if isinstance(value, int | float):
        return float(value) if 5 <= value <= 1000 else None
    areas = find_areas(str(value))
    return areas[0].value.sqm if areas else None


def _day(value: FieldValue, _today: date) -> FieldValue | None:
    match = re.fullmatch(r"\s*(?:매월\s*)?(\d{1,2}|말)\s*일?\s*", str(value))
    if not match:
        return None
    return match[1] if match[1] == "말" or 1 <= int(match[1]) <= 31 else None


def _phone(value: FieldValue, _today: date) -> FieldValue | None:
    match = _PHONE.fullmatch(str(value).strip())
    return match.group() if match else None


_CHECKS = {"text": _text, "money": _money, "date": _date, "area": _area, "day": _day, "phone": _phone}
_UNITS = {"money": "원", "area": "㎡"}
_EXAMPLES = {
    "text": "1~2,000자",
    "money": "예: 3억 5천, 350000000",
    "date": "예: 2026-12-01, 12월 1일",
    "area": "예: 84㎡, 25평",
    "day": "1~31 또는 말",
    "phone": "예: 010-1234-5678",
}
