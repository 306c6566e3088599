"""A small Jepsen: clients do random things to servers and workers over one database while a nemesis breaks them;
then the whole history is checked against the database. What is promised is in `docs/guarantees.md`.

    madang bench faults --events 60 --seed 1 --backend postgres --servers 2 --workers 2 --minutes 8
"""

import asyncio
import json
import signal
import sys
from collections import Counter
from pathlib import Path

from bench import Row


def faults(
    *,
    events: int = 40,
    seed: int = 1,
    rounds: int = 1,
    backend: str = "postgres",
    servers: int = 2,
    workers: int = 0,
    standby: int = 0,
    clients: int = 6,
    minutes: float = 8.0,
    only: str = "",
    keep: str = "",
) -> list[Row]:
    """So many rounds with seeds from `seed` on; `only` names kinds of faults, `keep` a folder for what is left."""
    from bench.nemesis.ordeal import Plan, endure, file_cases

    # Ended from outside, it ends what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    accepted = blows = 0
    found: Counter[str] = Counter()
    for number in range(seed, seed + rounds):
        plan = Plan(
            seed=number,
            events=events,
            minutes=minutes,
            backend=backend,
            servers=servers,
            workers=workers,
            standby=bool(standby),
            clients=clients,
            only=[kind for kind in only.split(",") if kind],
        )
        home = Path(keep) / f"{backend}-{number}" if keep else None
        verdict = asyncio.run(endure(plan, home))
        if home is not None:
            file_cases(verdict, home / "cases")
        record = verdict.evidence.record
        accepted += sum(len(one.turns) for one in record.conversations.values())
        blows += len(record.faults)
        found.update(violation.promise for violation in verdict.violations)
        said = {"seed": number, "seconds": round(verdict.seconds), "faults": Counter(record.faults)}
        for line in ({**said, "violations": len(verdict.violations)}, *(v.as_dict() for v in verdict.violations)):
            sys.stderr.write(json.dumps(line, ensure_ascii=False, default=str)[:1500] + "\n")
            sys.stderr.flush()
    told = ", ".join(f"{promise} ×{times}" for promise, times in sorted(found.items()))
    return [
        Row(measure=f"{backend}: broken promises", value=found.total(), goal="0", note=told),
        Row(measure=f"{backend}: faults", value=blows),
        Row(measure=f"{backend}: turns accepted meanwhile", value=accepted),
    ]


SUITES = {"faults": faults}
