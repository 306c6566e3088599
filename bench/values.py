"""How the value parsers do on public sets that nobody here wrote; see `bench._public_sets` for what is compared."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench import Row, Suite
from bench._public_sets import Case, Key, cases_in
from madang.errors import InvalidInput
from madang.text.ages import find_ages
from madang.text.areas import find_areas
from madang.text.dates import find_dates
from madang.text.durations import find_durations
from madang.text.money import Money, find_money
from madang.text.numbers import find_numbers
from madang.text.ordinals import find_ordinals
from madang.text.parsed import Parsed
from madang.text.quantities import find_quantities
from madang.text.ranges import find_ranges
from madang.text.rates import find_rates
from madang.text.spans import DateSpan
from madang.text.times import TimeOfDay, find_times

Found = list[tuple[tuple[int, int], set[Key]]]
PARTS = {"morning": "MO", "dawn": "MO", "afternoon": "AF", "evening": "EV NI", "night": "NI", "noon": "NO"}


@dataclass
class Rules:
    """How a value is compared: `strict` takes the first reading alone and a span of days only as a whole."""

    strict: bool = False


RULES = Rules()


def _keys(found: Iterable[Parsed[Any]], key: Callable[[Any], Iterable[Key]]) -> Found:
    def meant(item: Parsed[Any]) -> tuple[Any, ...]:
        return (item.value,) if RULES.strict else item.readings or (item.value,)

    return [(item.span, {k for one in meant(item) for k in key(one)}) for item in found]


def _figure(value: float) -> float:
    return float(f"{float(value):.6g}")


def _money(value: Money) -> Iterable[Key]:
    amount = value.won if value.currency == "KRW" else value.amount or 0
    plain: Key = (value.currency, round(float(amount), 4))
    if value.upper is not None:
        return [(*plain, round(float(value.upper), 4))]
    return [plain, (*plain, value.approx)]


def _date(value: DateSpan) -> Iterable[Key]:
    start, end = str(value.start), str(value.end)
    after = str(value.end + timedelta(days=1)) if value.end.year < 9999 else end
    if RULES.strict:
        return [(start, end)]
    keys: list[Key] = [(start, end), ("since", start), ("before", start), ("after", after), ("after", start)]
    if value.kind == "rolling":
        earlier = str(value.start - timedelta(days=1))
        keys += [(earlier, str(value.end - timedelta(days=1))), (earlier, end)]
    return [*keys, ("until", end)]


def _time(value: TimeOfDay) -> Iterable[Key]:
    if value.part:
        return [(part,) for part in PARTS[value.part].split()]
    return [(f"{value.start:%H:%M:%S}", f"{value.end:%H:%M:%S}" if value.end else None)]


READERS: dict[str, Callable[[Case], Found]] = {
    "number": lambda case: _keys(find_numbers(case.text), lambda value: [(_figure(value),)]),
    "range": lambda case: _keys(
        find_ranges(case.text),
        lambda value: [tuple(None if end is None else _figure(end) for end in (value.low, value.high))],
    ),
    "ordinal": lambda case: _keys(find_ordinals(case.text), lambda value: [(value.place,)]),
    "rate": lambda case: _keys(find_rates(case.text), lambda value: [(round(value.percent, 2),)]),
    "age": lambda case: _keys(find_ages(case.text), lambda value: [(value.upper or value.number, value.unit)]),
    "money": lambda case: _keys(find_money(case.text), _money),
    "quantity": lambda case: [
        *_keys(find_quantities(case.text), lambda value: [(value.upper or value.amount, value.unit)]),
        *_keys(find_areas(case.text), lambda value: [(value.upper or value.sqm, "square meter")]),
    ],
    "duration": lambda case: _keys(find_durations(case.text), lambda value: [(round(value.total_seconds, 3),)]),
    "date": lambda case: _keys(find_dates(case.text, case.today), _date),
    "time": lambda case: _keys(find_times(case.text), _time),
}


def judge(case: Case, taken: set[tuple[str, tuple[int, int]]] | None = None) -> str:
    """right, not read or wrong. `taken` are values of the same text that other words of it account for."""
    verdicts = {_judged(case, name, wanted, taken or set()) for name, wanted in case.wants}
    return next(verdict for verdict in ("wrong", "not read", "right") if verdict in verdicts)


def _judged(case: Case, name: str, wanted: frozenset[Key], taken: set[tuple[str, tuple[int, int]]]) -> str:
    found = READERS[name.removeprefix("maybe ")](case)
    if not wanted:
        return "wrong" if found else "right"
    places = [match.start() for match in re.finditer(re.escape(case.words), case.text)] if case.words else []
    if places:
        size = len(case.words)
        found = [item for item in found if any(item[0][0] < at + size and item[0][1] > at for at in places)]
    if any(keys & wanted for _, keys in found) or (not RULES.strict and _bridged(case, found, wanted)):
        return "right"
    left = found if places else [item for item in found if (name, item[0]) not in taken]
    return "wrong" if left else "right" if name.startswith("maybe ") else "not read"


def _bridged(case: Case, found: Found, wanted: frozenset[Key]) -> bool:
    within = case.loose and any(_within(keys, wanted, str(case.today)) for _, keys in found)
    return within or bool(_apart(found) & wanted)


def _apart(found: Found) -> set[Key]:
    """오늘 오후 4시부터 내일 오후 5시까지: two moments of ours are one span of theirs."""
    points = [[key[0] for key in keys if len(key) == 2 and key[1] in (None, key[0])] for _, keys in found]
    return {(a, b) for one, two in pairwise(points) for a in one for b in two}


def _within(read: set[Key], wanted: frozenset[Key], today: str) -> bool:
    spans = [key for key in read if len(key) == 2 and str(key[0])[:1].isdigit() and "-" in str(key[1])]
    cut = [(max(start, today) if start <= today <= end else start, end) for start, end in spans]
    theirs = [key for key in wanted if str(key[0])[:1].isdigit() and key[1]]
    return any(a <= start and end <= b for a, b in theirs for start, end in [*spans, *cut])


def results(folder: Path) -> list[tuple[Case, str]]:
    """Every case with its verdict, or `left out`. Raises `InvalidInput` if the folder has none of the sets."""
    cases = list(cases_in(folder))
    if not cases:
        raise InvalidInput(f"no Specs/*/Korean/*.json and no Duckling/*/KO/Corpus.hs under {folder}")
    return [(case, "left out" if case.left_out else judge(case, _taken(case, cases))) for case in cases]


def _taken(case: Case, cases: list[Case]) -> set[tuple[str, tuple[int, int]]]:
    """Values that are the answer to other words of the same sentence: asked only where ours can't be located."""
    if not case.words or case.words in case.text:
        return set()
    wanted = [(name, keys) for one in cases if one.text == case.text and one is not case for name, keys in one.wants]
    return {
        (name, span)
        for name, keys in wanted
        for span, read in READERS[name.removeprefix("maybe ")](case)
        if read & keys
    }


def eval_values(folder: str = "") -> list[Row]:
    """Right, not read and confidently wrong by kind; each case that isn't right, and each left out, goes to stderr."""
    judged = results(Path(folder or "."))
    for case, verdict in judged:
        if verdict != "right":
            why = case.left_out or sorted({str(key) for _, keys in case.wants for key in keys})
            sys.stderr.write(f"{verdict}: {case.source} [{case.words}] {case.text.strip()} -- {why}\n")
    kinds = sorted({case.kind for case, verdict in judged if verdict != "left out"})
    rows = [_row(kind, [v for case, v in judged if case.kind == kind]) for kind in kinds]
    rows.append(_row("all", [verdict for _, verdict in judged]))
    RULES.strict = True
    try:
        rows.append(_row("all, strictly", [verdict for _, verdict in results(Path(folder or "."))]))
    finally:
        RULES.strict = False
    out = Counter(case.left_out for case, verdict in judged if verdict == "left out")
    return [*rows, *(Row(measure=f"left out: {why}", value=count) for why, count in out.most_common())]


def _row(kind: str, verdicts: list[str]) -> Row:
    asked = [verdict for verdict in verdicts if verdict != "left out"]
    count = Counter(asked)
    note = f"{count['right']}/{len(asked)}, not read {count['not read']}, wrong {count['wrong']}"
    if kind.startswith("all"):
        note += f" ({count['wrong'] / len(asked):.3f})"
    goal = ">= 0.9 right, <= 0.03 wrong" if kind == "all" else ""
    return Row(measure=kind, value=round(count["right"] / max(len(asked), 1), 4), unit="right", goal=goal, note=note)


SUITES: dict[str, Suite] = {"eval-values": eval_values}
