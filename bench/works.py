"""How well `works` understands and judges, and how fast a question over ten million rows is."""

import json
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import Row
from madang.assistants.works.tools.compliance import LedgerEntry, judge, load_rules, read_facts
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.warehouse import Warehouse
from madang.assistants.works.understanding.question import read_question

PARTS = ("kind", "metrics", "dimensions", "filters", "period", "compare", "sort", "limit")
NOTES = {"dev": "tuned on", "test": "own phrases; totals seen while tuning, some of compliance tuned on"}


@dataclass
class Score:
    """Counts over one set of questions."""

    total: int = 0
    exact: int = 0
    writes: int = 0
    refused_writes: int = 0
    executed: int = 0
    to_execute: int = 0
    parts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    wrong: list[str] = field(default_factory=list)


def _lines(name: str, split: str) -> list[dict[str, Any]]:
    text = (files("bench") / "data" / f"works-{name}.{split}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def questions(split: str) -> list[dict[str, Any]]:
    """The questions of `dev` or `test` with their gold meanings."""
    return _lines("questions", split)


def situations(split: str) -> list[dict[str, Any]]:
    """The compliance situations of `dev` or `test` with their gold results."""
    return _lines("compliance", split)


def dialogues(split: str) -> list[dict[str, Any]]:
    """The dialogues of `dev` or `test` with what each turn should come to."""
    return _lines("dialogues", split)


def canonical(query: dict[str, Any]) -> dict[str, Any]:
    """The meaning without the order of lists, which means nothing."""
    filters = [
        {**f, "value": sorted(f["value"]) if isinstance(f["value"], list) else f["value"]} for f in query["filters"]
    ]
    return {
        **query,
        "metrics": sorted(query["metrics"]),
        "dimensions": sorted(query["dimensions"]),
        "filters": sorted(filters, key=lambda f: json.dumps(f, ensure_ascii=False)),
    }


def score_questions(split: str, lexicon: Lexicon, warehouse: Warehouse | None = None) -> Score:
    """Exact and per-part accuracy; with a warehouse every query is executed too."""
    from madang.assistants.works.tools.analysis import analyse

    score = Score()
    for row in questions(split):
        today = date.fromisoformat(row["today"])
        query = read_question(row["question"], lexicon, today).query
        want, got = canonical(row["gold"]), canonical(dict(query))
        score.total += 1
        score.exact += want == got
        for part in PARTS:
            score.parts[part] += want[part] == got[part]
        if want["kind"] == "reject_write":
            score.writes += 1
            score.refused_writes += got["kind"] == "reject_write"
        if want != got:
            score.wrong.append(row["id"])
        if warehouse is not None and query["kind"] == "query":
            score.to_execute += 1
            analyse(query, warehouse, "sample", today)
            score.executed += 1
    return score


@dataclass
class Judged:
    """Counts over one set of situations."""

    rules: int = 0
    right: int = 0
    overall: int = 0
    overall_right: int = 0
    passed_violations: int = 0


def score_situations(split: str) -> Judged:
    """How many rules were judged as they should be, and how many violations passed."""
    book, found = load_rules(), Judged()
    for row in situations(split):
        today = date.fromisoformat(row["today"])
        ledger = [
            LedgerEntry(e["customer"], e["kind"], e["amount"], date.fromisoformat(e["date"])) for e in row["ledger"]
        ]
        judgement = judge(read_facts(row["text"], today), book, ledger, today)
        got = {one.rule.id: one.verdict.status for one in judgement.results}
        for rule, status in row["gold"].items():
            found.rules += 1
            found.right += got.get(rule) == status
            found.passed_violations += status == "violation" and got.get(rule) == "pass"
        found.overall += 1
        found.overall_right += judgement.status == row["status"]
        found.passed_violations += row["status"] == "violation" and judgement.status == "pass"
    return found


def eval_works() -> list[Row]:
    """Meanings, refusals and compliance on both halves of the evaluation sets; every query is executed."""
    rows: list[Row] = []
    with TemporaryDirectory() as folder:
        warehouse = Warehouse(Path(folder))
        for split, note in NOTES.items():
            lexicon = warehouse.lexicon("sample", date.fromisoformat(questions(split)[0]["today"]))
            found = score_questions(split, lexicon, warehouse)
            rows += [
                Row(measure=f"exact meaning ({split})", value=found.exact / found.total, goal="≥ 0.85", note=note),
                *(
                    Row(measure=f"{p} right ({split})", value=n / found.total, note=note)
                    for p, n in found.parts.items()
                ),
                Row(
                    measure=f"writes refused ({split})",
                    value=found.refused_writes / found.writes,
                    goal="1.0",
                    note=note,
                ),
                Row(
                    measure=f"queries executed ({split})",
                    value=found.executed / found.to_execute,
                    goal="1.0",
                    note=note,
                ),
            ]
            judged = score_situations(split)
            rows += [
                Row(measure=f"rule status right ({split})", value=judged.right / judged.rules, goal="≥ 0.9", note=note),
                Row(
                    measure=f"situations judged right ({split})",
                    value=judged.overall_right / judged.overall,
                    goal="≥ 0.9",
                    note=note,
                ),
                Row(measure=f"violations passed ({split})", value=judged.passed_violations, goal="0", note=note),
            ]
        warehouse.close()
    return rows


ASKED = (
    "작년 매출 얼마야?",
    "작년 지점별 매출 알려줘",
    "작년 월별 매출 추이 서울",
    "올해 제품군별 매출 전년 동기 대비",
    "작년 매출 상위 10개 거래처",
)


def sales() -> list[Row]:
    """A question's own time, from its words to its rows, beside DuckDB's for the same SQL on the same data."""
    count = int(os.environ.get("MADANG_BENCH_ROWS", "10000000"))
    with TemporaryDirectory() as folder:
        warehouse = Warehouse(Path(folder))
        today = date(2026, 3, 11)
        _grow(warehouse, today, count)
        rows = [row for text in ASKED for row in _timed(warehouse, text, today, count)]
        warehouse.close()
    return rows


def _grow(warehouse: Warehouse, today: date, count: int) -> None:
    """Make the sample's sales `count` rows long, inside DuckDB."""
    import duckdb

    path = warehouse.path("sample", today)
    connection = duckdb.connect(str(path))
    have = connection.execute("SELECT count(*) FROM sales").fetchone()
    times = -(-count // int(have[0] if have else 1)) - 1
    connection.execute(
        "INSERT INTO sales SELECT company_id, sale_id || '-' || n, date, customer_id, product_id, rep_id, "
        "quantity, amount + n FROM sales, range(1, ?) t(n) LIMIT ?",
        [times + 1, max(0, count - int(have[0] if have else 0))],
    )
    connection.close()


def _timed(warehouse: Warehouse, text: str, today: date, count: int) -> Iterator[Row]:
    from madang.assistants.works.tools.analysis import analyse

    lexicon = warehouse.lexicon("sample", today)
    query = read_question(text, lexicon, today).query
    compiled = analyse(query, warehouse, "sample", today).compiled
    connection = warehouse._connection(warehouse.path("sample", today))
    own, theirs = [], []
    for _ in range(5):
        started = time.perf_counter()
        connection.execute(compiled.sql, compiled.parameters).fetchall()
        theirs.append(time.perf_counter() - started)
        warehouse._results.clear()
        started = time.perf_counter()
        analyse(read_question(text, lexicon, today).query, warehouse, "sample", today)
        own.append(time.perf_counter() - started)
    yield Row(
        measure=f"{text} ({count:,} rows)",
        value=1000 * statistics.median(own),
        unit="ms",
        peer="DuckDB, the same SQL",
        peer_value=1000 * statistics.median(theirs),
        goal="≤ 2 ×",
    )


SUITES = {"eval-works": eval_works, "sales": sales}
