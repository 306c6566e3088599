"""Reading the public sets of `eval-values`: microsoft/Recognizers-Text and facebook/duckling, Korean.

Nothing of them is in this repository. A folder is a checkout (or an archive of the named files) of either.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

Key = tuple[Any, ...]
_NOW = datetime.fromisoformat("2013-02-12T04:30:00")  # duckling's test context
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Case:
    """Words of a text and what they mean, in keys that `bench.values` makes of our values too.

    `wants` holds one set of accepted keys for each reader that must agree (a date and a time); empty sets of keys
    mean that nothing may be read. `left_out` says why a case isn't asked. Where their conventions differ from ours
    the keys bridge them, each to our favour: their ranges end where the last word begins, ours where it ends, and
    whether an end belongs to a range isn't compared; of 이후, 이전, 까지 the day alone is; their vague spans (`loose`)
    are longer than ours, which must lie within; their last N days end yesterday, ours today; 저녁 may be their night;
    a moment counted from now is a duration, and so is an age in years or months without 살 or 세. Any of our readings
    counts. What contradicts its own words in the sets (오후 10시 45분: 22:55) stays, and counts as wrong.
    """

    source: str
    kind: str
    text: str
    today: date
    words: str = ""
    wants: tuple[tuple[str, frozenset[Key]], ...] = ()
    left_out: str = ""

    @property
    def loose(self) -> bool:
        """The words are vague, or count coarsely from today: our span must lie within theirs."""
        return _LOOSE.search(self.words) is not None


_LOOSE = re.compile(r"초(?:에)?$|중순|중반|말(?:에)?$|후반|년\s?이?전$|좀 더 일찍|주말")
_COUNTED = re.compile(r"시간(?!대|에)|(?<!시 )(?<!시)(?:\d|몇|일|이|삼) ?(?:분(?!기)|초)|순간")
_ZONE = re.compile(r"표준시|CET|GMT|gmt")


def cases_in(folder: Path) -> Iterator[Case]:
    """Every case of the sets found under a folder, those left out included."""
    for path in sorted(folder.rglob("Specs/*/Korean/*.json")):
        yield from _microsoft(path)
    for path in sorted(folder.rglob("Duckling/*/KO/Corpus.hs")):
        yield from _duckling(path)


def _microsoft(path: Path) -> Iterator[Case]:
    model = path.stem
    for case in json.loads(path.read_text("utf-8-sig")):
        now = _moment((case.get("Context") or {}).get("ReferenceDateTime", "2016-11-07T00:00:00"))
        source, text = f"{path.parts[-3]}/{model}", case["Input"]
        found = case.get("Results") or []
        if not found and not _no_values(model):
            kinds = _KINDS.get(model, ())
            yield Case(
                source, kinds[0] if kinds else model, text, now.date(), "", tuple((k, frozenset()) for k in kinds)
            )
        for result in found:
            kind, wants = _wanted(result, now)
            why = _no_values(model) or ("" if wants else _REASONS.get(kind, "no value is given for the words"))
            why = why or ("a time zone: no value of ours" if _ZONE.search(text) and "time" in kind else "")
            yield Case(source, kind, text, now.date(), result["Text"].strip(), wants, why)


def _moment(written: str) -> datetime:
    return datetime.fromisoformat(written[:19])


_KINDS: dict[str, tuple[str, ...]] = {
    "NumberModel": ("number",), "NumberRangeModel": ("range",), "OrdinalModel": ("ordinal",), "PercentModel": ("rate",),
    "DimensionModel": ("quantity",), "DateTimeModel": ("date", "time"), "DatePeriodParser": ("date",),
}  # fmt: skip
_REASONS = {
    "set": "a recurrence (매주): no value of ours",
    "ordinal.relative": "a place from the end or from here (마지막, 다음): no value of ours",
    "phonenumber": "telephone numbers are kept, not read",
    "quotedText": "quotations are `Message.quotes`, no value",
    "boolean": "yes and no are acts of a reading, no value",
}


def _no_values(model: str) -> str:
    if model.endswith("Extractor"):
        return "places alone, no value is given (the parsers' files hold the same sentences)"
    if model == "OrdinalModelSuppressExtendedTypes":
        return "asks that ordinals be not read, by an option of theirs"
    if model == "NumberModelPercentMode":
        return "asks that a fraction be two numbers, by an option of theirs"
    return ""


Wants = tuple[tuple[str, frozenset[Key]], ...]


def _wanted(result: dict[str, Any], now: datetime) -> tuple[str, Wants]:
    kind = str(result.get("TypeName") or result.get("Type")).removeprefix("datetimeV2.")
    value = result.get("Resolution") or result.get("Value") or {}
    if kind in _PLAIN:
        return _PLAIN[kind](value, result["Text"])
    if kind in {"set", "ordinal.relative", "phonenumber", "quotedText", "boolean"}:
        return kind, ()
    moments = _moments(value)
    return kind, _dated(kind, result["Text"], moments, now) if moments else ()


def _number(value: dict[str, Any], _: str) -> tuple[str, Wants]:
    return "number", (("number", frozenset({_figure(value["value"])})),)


def _figure(written: Any) -> Key:
    return (float(f"{float(written):.6g}"),)


def _range(value: dict[str, Any], _: str) -> tuple[str, Wants]:
    low, high = value["value"][1:-1].split(",")
    # Their upper ends of "20부터 100까지" are left out, ours are not: a range that is said is compared by its figures.
    return "range", (("range", frozenset({(_end(low), _end(high))})),)


def _end(written: str) -> float | None:
    return float(f"{float(written):.6g}") if written else None


def _ordinal(value: dict[str, Any], words: str) -> tuple[str, Wants]:
    if words.endswith("일"):
        return "ordinal", ()
    return "ordinal", (("ordinal", frozenset({(int(value["value"]),)})),)


def _percent(value: dict[str, Any], _: str) -> tuple[str, Wants]:
    return "percentage", (("rate", frozenset({(round(float(value["value"].rstrip("%")), 2),)})),)


def _age(value: dict[str, Any], words: str) -> tuple[str, Wants]:
    unit, number = value["unit"].lower(), float(value["value"])
    if words[-1] in "살세":
        return "age", (("age", frozenset({(number, unit)})),)
    # Years and months that something has lasted are durations here.
    seconds = {"year": 365, "month": 30, "week": 7, "day": 1}[unit] * 86400
    return "age", (("duration", frozenset({(number * seconds,)})),)


_CURRENCIES = {
    "Dollar": "USD", "Cent": "USD", "United States dollar": "USD", "Pound": "GBP", "Pence": "GBP", "Penny": "GBP",
    "Franc": "CHF", "Finnish markka": "FIM", "Peseta": "ESP", "Netherlands guilder": "NLG", "EUR": "EUR", "KRW": "KRW",
}  # fmt: skip


def _currency(value: dict[str, Any], _: str) -> tuple[str, Wants]:
    if value.get("value") is None:
        return "currency", ()
    unit = value["unit"]
    code = value.get("isoCurrency") or _CURRENCIES[unit]
    amount = float(value["value"]) / (100 if unit in {"Cent", "Pence", "Penny"} else 1)
    return "currency", (("money", frozenset({(code, round(amount, 4))})),)


def _dimension(value: dict[str, Any], _: str) -> tuple[str, Wants]:
    if value.get("value") is None:
        return "dimension", ()
    return "dimension", (("quantity", frozenset({(float(value["value"]), value["unit"].lower())})),)


def _temperature(value: dict[str, Any], _: str) -> tuple[str, Wants]:
    if value.get("value") is None:
        return "temperature", ()
    unit = {"C": "celsius", "F": "fahrenheit", "Degree": "degree"}[value["unit"]]
    return "temperature", (("quantity", frozenset({(float(value["value"]), unit)})),)


_PLAIN = {
    "number": _number, "numberrange": _range, "ordinal": _ordinal, "percentage": _percent, "age": _age,
    "currency": _currency, "dimension": _dimension, "temperature": _temperature,
}  # fmt: skip


def _moments(value: dict[str, Any]) -> list[dict[str, str]]:
    """The resolutions, the future one of two; each with its timex."""
    if "FutureResolution" in value:
        return [{**value["FutureResolution"], "timex": value.get("Timex", "")}] if value["FutureResolution"] else []
    listed = [one for one in value.get("values", ()) if one.get("value") != "not resolved"]
    days = [_day_of(one) for one in listed]
    return [one for one, day in zip(listed, days, strict=True) if day == max(days)]


def _day_of(one: dict[str, str]) -> str:
    return (one.get("start") or one.get("end") or one.get("value") or "")[:10] if "-" in str(one) else ""


_PART = re.compile(r"T(MO|AF|EV|NI)$")


def _dated(kind: str, words: str, moments: list[dict[str, str]], now: datetime) -> Wants:
    if kind == "duration":
        keys = {(float(one.get("duration") or one["value"]),) for one in moments}
        return (("duration", frozenset(keys)),)
    dates: set[Key] = set()
    times: set[Key] = set()
    for one in moments:
        start = one.get("date") or one.get("startDate") or one.get("time") or one.get("startTime")
        start = start or one.get("dateTime") or one.get("startDateTime") or one.get("start") or one.get("value")
        end = one.get("endDate") or one.get("endTime") or one.get("endDateTime") or one.get("end")
        if one["timex"] == "PRESENT_REF":
            return ()
        if "datetime" in kind and _COUNTED.search(words) and not re.search(r"시(?!간)", words):
            apart = _moment(end or start or "") - (_moment(start) if end and start else now)
            return (("duration", frozenset({(abs(apart.total_seconds()),)})),)
        dates |= _date_keys(words, (one.get("Mod") or one.get("mod") or "").split("-")[0], start, end)
        times |= _time_keys(start, end, one["timex"])
    wants = [("date", dates)] if kind in {"date", "daterange"} else [("time", times)] if "date" not in kind else []
    both = wants or [("date", dates), *([("time", times)] if ("23:59:59", None) not in times else [])]
    if ("0001-01-01",) * 2 in dates:
        return (("date", frozenset()),)
    return tuple((name, frozenset(keys)) for name, keys in both)


_WITHIN = re.compile(r"(?:안|내)(?:에|로)?$|^(?:with)?in ")


def _date_keys(words: str, side: str, start: str | None, end: str | None) -> set[Key]:
    if start and not end and side in {"since", "after", "before", "until"}:
        return {(side, start[:10])}
    if end and not start:
        return {(side or "before", end[:10])}
    if not start or len(start) < 10:
        return set()
    if not end:
        return {(start[:10], start[:10]), *([("until", start[:10])] if _WITHIN.search(words) else [])}
    before = str(date.fromisoformat(end[:10]) - _DAY) if end[:10] > "0001-01-01" else end[:10]
    # A range's end is theirs to exclude (다음 주 ends with Monday) or to include (4일부터 22일까지).
    keys: set[Key] = {(start[:10], end[:10]), (start[:10], before), *([(start[:10],) * 2] if end[11:13] else [])}
    if end[8:10] == "01" and not end[11:13]:
        month = date.fromisoformat(end[:10])
        keys.add((start[:10], str(_last_day(month, "Month"))))
        keys |= {(start[:10], f"{end[:4]}-12-31")} if end[5:7] == "01" else set()
    return keys


def _time_keys(start: str | None, end: str | None, timex: str) -> set[Key]:
    part = _PART.search(timex)
    if part:
        return {(part[1],)}
    first, last = (at[-8:] if at and ":" in at else None for at in (start or end, end if start else None))
    return {(first, last)} if first else set()


_EXAMPLES = re.compile(r"examples\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)\s*\n\s*\[(.*?)\n\s*\]", re.DOTALL)
_QUOTED = re.compile(r'(?m)^\s*[\[,]?\s*"([^"]+)"')


def _duckling(path: Path) -> Iterator[Case]:
    kind = path.parts[-3]
    for value, block in _EXAMPLES.findall(path.read_text("utf-8")):
        for phrase in _QUOTED.findall(f"[{block}" if not block.lstrip().startswith("[") else block):
            plain = value.split("--")[0].strip()
            wants = () if _ZONE.search(phrase) else _time(phrase, plain) if kind == "Time" else _DUCKLING[kind](plain)
            why = "" if wants else "an option or a value that ours have not (now, a time zone)"
            yield Case(f"duckling/{kind}", kind, phrase, _NOW.date(), phrase, wants, why)


def _floats(value: str) -> list[float]:
    return [float(item) for item in re.findall(r"(?<![A-Za-z])-?\d+(?:\.\d+)?", value)]


def _duckling_money(value: str) -> Wants:
    how, unit, *_ = value.split()
    figures = _floats(value)
    amounts = [figure / (100 if unit == "Cent" else 1) for figure in figures]
    code = _CURRENCIES[unit]
    key: Key = (code, *amounts) if how in {"simple", "between"} else (code, amounts[0], {"above": "over"}.get(how, how))
    return (("money", frozenset({key})),)


def _duckling_quantity(value: str) -> Wants:
    name = re.search(r'simple\s+(?:\(Custom "(.+?)"\)|(\w+))', value)
    assert name
    unit = (name[1] or name[2]).lower().replace("metre", "meter").replace("litre", "liter")
    return (("quantity", frozenset({(_floats(value)[0], unit)})),)


def _duckling_duration(value: str) -> Wants:
    count, unit = value.split()[1:]
    return (("duration", frozenset({(float(count) * {"Second": 1, "Minute": 60}[unit],)})),)


_TUPLE = re.compile(r"\((\d+), (\d+), (\d+), (\d+), (\d+), (\d+)\)")


def _tuples(value: str) -> list[datetime]:
    shape = "{:0>4}-{:0>2}-{:0>2}T{:0>2}:{:0>2}:{:0>2}"
    return [datetime.fromisoformat(shape.format(*item)) for item in _TUPLE.findall(value)]


def _time(words: str, value: str) -> Wants:
    """7일 전, 2년 안에, 지난 2시간: counted from now, in days or as a length of time."""
    first, *more = _tuples(value)
    if _COUNTED.search(words) and not re.search(r"시(?!간)", words):
        start, end = (first, more[0]) if more else (_NOW, first)
        return (("duration", frozenset({(abs((end - start).total_seconds()),)})),)
    if re.search(r"(?:안에?|내|전|후)$|전에$", words) and re.search(r"[일주년루]", words):
        day = str(first.date())
        keys: set[Key] = {(day, day), ("until", day), ("since", day)}
        if "Month" in value:
            keys = {(day, str(_last_day(first, "Month"))), ("until", f"{first.year}-{first.month:02}-12")}
        return (("date", frozenset(keys)),)
    if more and "주말" in words:
        return (("date", frozenset({(str((first + _DAY).date()), str((more[0] - _DAY).date()))})),)
    if more and first == _NOW and more[0].hour == 0:
        return (("date", frozenset({(str(first.date()), str(more[0].date()))})),)
    return _duckling_time(value)


def _duckling_time(value: str) -> Wants:
    first, *more = _tuples(value)
    grain = next((word for word in re.findall(r"[A-Z][a-z]+", value) if word in _GRAINS), "Day")
    if first == _NOW:
        return ()
    side = "after" if "After" in value else "before" if "Before" in value else None
    if more:
        return _duckling_interval(first, more[0], grain)
    last = first + _GRAINS[grain] - _DAY if grain in {"Week", "Month", "Quarter", "Year"} else first
    days = frozenset({(str(first.date()), str(_last_day(first, grain) or last.date()))})
    if grain in {"Hour", "Minute", "Second"}:
        return (("time", frozenset({(f"{first:%H:%M:%S}", None)})), ("maybe date", days))
    return (("date", frozenset({(side, str(first.date()))}) if side else days),)


_GRAINS = {name: timedelta(days=days) for name, days in (
    ("Second", 0), ("Minute", 0), ("Hour", 0), ("Day", 1), ("Week", 7), ("Month", 30), ("Quarter", 90), ("Year", 365),
)}  # fmt: skip


def _last_day(first: date, grain: str) -> date | None:
    months = {"Month": 1, "Quarter": 3, "Year": 12}.get(grain)
    if not months:
        return None
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    return date(year, month + 1, 1) - _DAY


def _duckling_interval(first: datetime, last: datetime, grain: str) -> Wants:
    if grain in {"Hour", "Minute", "Second"}:
        if first == _NOW:
            return (("time", frozenset({(f"{last:%H:%M:%S}", None)})),)
        parts = {(18, 0): {("EV",), ("NI",)}, (4, 12): {("MO",)}, (12, 19): {("AF",)}, (12, 14): {("NO",)}}
        if (first.hour, last.hour) in parts and grain == "Hour":
            return (("time", frozenset(parts[first.hour, last.hour])),)
        end = last - {"Hour": timedelta(hours=1), "Minute": timedelta(minutes=1)}.get(grain, timedelta())
        return (("time", frozenset({(f"{first:%H:%M:%S}", f"{end:%H:%M:%S}")})),)
    return (("date", frozenset({(str(first.date()), str((last - _DAY).date()))})),)


_DUCKLING = {
    "AmountOfMoney": _duckling_money,
    "Distance": _duckling_quantity, "Volume": _duckling_quantity, "Temperature": _duckling_quantity,
    "Quantity": _duckling_quantity,
    "Duration": _duckling_duration,
    "Numeral": lambda value: (("number", frozenset({_figure(_floats(value)[0])})),),
    "Ordinal": lambda value: (("ordinal", frozenset({(int(_floats(value)[0]),)})),),
    "Time": _duckling_time,
}  # fmt: skip
