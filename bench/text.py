"""How well `madang.text` reads what people type, and what starting up costs."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from importlib.resources import files

from bench import Row, Suite
from madang.text.areas import find_areas
from madang.text.cues import find_cues
from madang.text.dates import DateSpan, find_comparisons, find_dates, find_nights, find_periods
from madang.text.laws import find_laws
from madang.text.money import Context, find_money
from madang.text.normalise import closest
from madang.text.numbers import parse_number
from madang.text.parsed import Parsed
from madang.text.people import find_people
from madang.text.places import find_regions
from madang.text.rates import find_rates

GOAL = ">= 0.95 on test"
TODAY = "2026-03-11"
CONTEXTS: dict[str, Context] = {"housing": "housing", "travel": "travel", "sales": "sales"}
Case = dict[str, str | list[str]]


def cases(name: str, half: str) -> list[Case]:
    """The phrases of one evaluation set; `half` is dev or test."""
    raw = (files("bench") / "data" / f"text-{name}.{half}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in raw.splitlines() if line]


def _option(case: Case, name: str, default: str = "") -> str:
    value = case.get(name, default)
    return value if isinstance(value, str) else default


def _money(case: Case) -> list[str]:
    shown = []
    for item in find_money(str(case["text"]), CONTEXTS.get(_option(case, "context"))):
        money = item.value
        figure = f"{money.won}" if money.currency == "KRW" else f"{money.currency} {money.amount:g}"
        if money.upper is not None:
            figure += f"..{money.upper}"
        shown.append(" ".join([figure, *filter(None, (money.per, money.approx, money.role))]))
    return shown


def _numbers(case: Case) -> list[str]:
    value = parse_number(str(case["text"]))
    return ["none" if value is None else str(value)]


def _areas(case: Case) -> list[str]:
    shown = []
    for item in find_areas(str(case["text"])):
        area = item.value
        figure = f"{area.sqm:g}" + (f"..{area.upper:g}" if area.upper is not None else "")
        shown.append(" ".join([figure, *filter(None, (area.basis, area.approx))]))
    return shown


def _rates(case: Case) -> list[str]:
    shown = []
    for item in find_rates(str(case["text"])):
        rate = item.value
        figure = f"{rate.percent:g}" + (f"..{rate.upper:g}" if rate.upper is not None else "") + rate.unit
        shown.append(" ".join([figure, *filter(None, (rate.per,))]))
    return shown


def _people(case: Case) -> list[str]:
    names = ("total", "adults", "children", "infants", "delta")
    found = [[(name, getattr(item.value, name)) for name in names] for item in find_people(str(case["text"]))]
    return [" ".join(f"{name}={value}" for name, value in item if value is not None) for item in found]


def _today(case: Case) -> date:
    return date.fromisoformat(_option(case, "today", TODAY))


def _spans(found: list[Parsed[DateSpan]]) -> list[str]:
    return [f"{item.value.start}..{item.value.end}" + ("" if item.value.exact else " ~") for item in found]


def _dates(case: Case) -> list[str]:
    return _spans(find_dates(str(case["text"]), _today(case)))


def _periods(case: Case) -> list[str]:
    return _spans(find_periods(str(case["text"]), _today(case)))


def _nights(case: Case) -> list[str]:
    return [f"{item.value.nights}/{item.value.days}" for item in find_nights(str(case["text"]))]


def _comparisons(case: Case) -> list[str]:
    return [item.value for item in find_comparisons(str(case["text"]))]


def _regions(case: Case) -> list[str]:
    return [item.value.name for item in find_regions(str(case["text"]))]


def _laws(case: Case) -> list[str]:
    shown = []
    for item in find_laws(str(case["text"])):
        ref = item.value
        parts = [ref.law, None if ref.kind in {"법률", "규약"} else ref.kind, ref.article]
        parts += [f"{ref.paragraph}항" if ref.paragraph else None, f"{ref.item}호" if ref.item else None]
        shown.append(" ".join(filter(None, parts)))
    return shown


def _cues(case: Case) -> list[str]:
    shown = []
    for item in find_cues(str(case["text"])):
        cue = item.value
        attached = (cue.about or "") + (f">{cue.instead}" if cue.instead else "")
        shown.append(f"{cue.kind}:{attached}" if attached else cue.kind)
    return shown


def _typos(case: Case) -> list[str]:
    return [closest(str(case["text"]), _option(case, "candidates").split(",")) or "none"]


READERS: dict[str, Callable[[Case], list[str]]] = {
    "money": _money,
    "numbers": _numbers,
    "areas": _areas,
    "rates": _rates,
    "people": _people,
    "dates": _dates,
    "periods": _periods,
    "nights": _nights,
    "comparisons": _comparisons,
    "regions": _regions,
    "laws": _laws,
    "cues": _cues,
    "typos": _typos,
}


def failures(name: str, half: str) -> list[tuple[Case, list[str]]]:
    """The cases whose answer is not exactly the wanted one, with the answer given."""
    answers = [(case, READERS[name](case)) for case in cases(name, half)]
    return [(case, answer) for case, answer in answers if answer != case["want"]]


def eval_text() -> list[Row]:
    """Exact accuracy of each parser: on phrases tuned on (dev), and on phrases whose totals were seen (test)."""
    rows = []
    right = {"dev": 0, "test": 0}
    asked = {"dev": 0, "test": 0}
    for name in READERS:
        for half in ("dev", "test"):
            total = len(cases(name, half))
            correct = total - len(failures(name, half))
            right[half] += correct
            asked[half] += total
            goal = GOAL if half == "test" else ""
            rows.append(_row(f"{name} {half}", correct, total, goal))
    rows += [_row(f"all {half}", right[half], asked[half], GOAL if half == "test" else "") for half in right]
    return rows


def _row(measure: str, correct: int, total: int, goal: str) -> Row:
    return Row(measure=measure, value=round(correct / total, 4), unit="exact", goal=goal, note=f"{correct}/{total}")


_HELP = "import sys; sys.argv = ['madang', '--help']\nfrom madang.cli import main\ntry: main()\nexcept SystemExit: pass"
_LOADED = "\nsys.stderr.write(','.join(sorted({name.partition('.')[0] for name in sys.modules})))"
HEAVY = ("kiwipiepy", "duckdb", "bm25s", "sqlalchemy", "langchain_openai")


def startup() -> list[Row]:
    """What `madang --help` costs beside an empty Python, and which heavy packages it loads (none)."""
    loaded = set(_run(_HELP + _LOADED).stderr.split(","))
    heavy = [name for name in HEAVY if name in loaded]
    return [
        Row(
            measure="madang --help",
            value=_milliseconds(_HELP),
            unit="ms",
            peer="python -c pass",
            peer_value=_milliseconds("pass"),
            note="median of 7",
        ),
        Row(measure="import madang", value=_milliseconds("import madang"), unit="ms", note="median of 7"),
        Row(measure="heavy packages loaded by --help", value=len(heavy), goal="0", note=", ".join(heavy)),
    ]


def _run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)


def _milliseconds(code: str) -> float:
    times = []
    for _ in range(7):
        begun = time.perf_counter()
        _run(code)
        times.append(time.perf_counter() - begun)
    return round(1000 * statistics.median(times), 1)


SUITES: dict[str, Suite] = {"eval-text": eval_text, "startup": startup}
