"""What each ordeal came to, a file each, so that many can be counted together."""

import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import CHECKOUT, Row
from bench.nemesis.ordeal import Plan, Verdict

Report = dict[str, Any]


def report_of(plan: Plan, verdict: Verdict) -> Report:
    """An ordeal in figures, with the state of the code that it was run on."""
    record = verdict.evidence.record
    return {
        "backend": plan.backend,
        "seed": plan.seed,
        "servers": plan.servers,
        "workers": plan.workers,
        "faults": dict(Counter(record.faults)),
        "operations": len(record.calls),
        # How they were answered; `lost`: the connection was.
        "answers": dict(Counter(str(call.status or "lost") for call in record.calls)),
        "refused": dict(Counter(_detail(call.body) for call in record.calls if (call.status or 0) >= 500)),
        "turns": sum(len(one.turns) for one in record.conversations.values()),
        "violations": [violation.as_dict() for violation in verdict.violations],
        "seconds": round(verdict.seconds),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": _commit(),
    }


def keep(report: Report, folder: Path) -> None:
    """Write a report down, in place of an earlier one of the same seed."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(report, ensure_ascii=False, indent=1, default=str)
    (folder / f"{report['backend']}-{report['seed']}.json").write_text(text, encoding="utf-8")


def kept(folder: Path) -> list[Report]:
    """The reports of a folder, by database and seed."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")]
    return sorted(found, key=lambda report: (report["backend"], report["seed"]))


def rows_of(reports: Sequence[Report]) -> Iterator[Row]:
    """A row for each ordeal, and what they come to for each database."""
    for backend in dict.fromkeys(map(_ran_on, reports)):
        ordeals = [report for report in reports if _ran_on(report) == backend]
        for report in ordeals:
            yield Row(
                measure=f"{backend}, seed {report['seed']}: broken promises",
                value=len(report["violations"]),
                goal="0",
                note=_told(report),
            )
        broken = Counter(found["promise"] for report in ordeals for found in report["violations"])
        promises = ", ".join(f"{promise} ×{times}" for promise, times in sorted(broken.items()))
        yield Row(measure=f"{backend}: broken promises", value=broken.total(), goal="0", note=promises)
        yield Row(measure=f"{backend}: seeds", value=len(ordeals))
        yield Row(measure=f"{backend}: faults", value=sum(sum(report["faults"].values()) for report in ordeals))
        yield Row(measure=f"{backend}: operations", value=sum(report["operations"] for report in ordeals))
        yield Row(measure=f"{backend}: turns accepted meanwhile", value=sum(report["turns"] for report in ordeals))


def _detail(body: Any) -> str:
    return str(body.get("detail", body) if isinstance(body, dict) else body)[:200]


def _ran_on(report: Report) -> str:
    return f"{report['backend']}, workers" if report["workers"] else str(report["backend"])


def _told(report: Report) -> str:
    faults = ", ".join(f"{kind} {times}" for kind, times in sorted(report["faults"].items()))
    processes = f"{report['servers']} servers" + (f" and {report['workers']} workers" if report["workers"] else "")
    return (
        f"{processes}; {sum(report['faults'].values())} faults ({faults}), {report['operations']} operations"
        f"{_answers(report)}, {report['turns']} turns in {report['seconds']} s; {report['date']}, {report['commit']}"
    )


def _answers(report: Report) -> str:
    told = {"lost": "connection lost", "503": "answered 503"}
    answers = report.get("answers", {})
    found = [f"{answers[status]} × {words}" for status, words in told.items() if status in answers]
    return f" ({', '.join(found)})" if found else ""


def _commit() -> str:
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "unknown"
