"""A small Jepsen: clients do random things to servers and workers over one database while a nemesis breaks them;
then the whole history is checked against the database. What is promised is in `docs/guarantees.md`.

    madang bench faults --events 60 --seed 1 --backend postgres --servers 2 --workers 2 --minutes 8
"""

import asyncio
import json
import signal
import sys
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
    lease: float = 8.0,
    minutes: float = 8.0,
    only: str = "",
    keep: str = "",
    reports: str = "",
) -> list[Row]:
    """So many rounds with seeds from `seed` on; `only` names kinds of faults, `keep` a folder for what is left.

    `reports` is a folder with a file of figures for each seed: those of earlier runs are counted with these.
    """
    from bench.nemesis import reports as figures
    from bench.nemesis.forks import Forks
    from bench.nemesis.ordeal import Plan, endure, file_cases
    from bench.nemesis.servers import environment

    # Ended from outside, it ends what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    made: list[figures.Report] = []
    with Forks(environment()) as forks:
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
                lease=lease,
                only=[kind for kind in only.split(",") if kind],
            )
            home = Path(keep) / f"{backend}-{number}" if keep else None
            verdict = asyncio.run(endure(plan, home, forks))
            if home is not None:
                file_cases(verdict, home / "cases")
            made.append(figures.report_of(plan, verdict))
            if reports:
                figures.keep(made[-1], Path(reports))
            said = {**made[-1], "violations": len(verdict.violations)}
            for line in (said, *(violation.as_dict() for violation in verdict.violations)):
                sys.stderr.write(json.dumps(line, ensure_ascii=False, default=str)[:1500] + "\n")
                sys.stderr.flush()
    return list(figures.rows_of(figures.kept(Path(reports)) if reports else made))


SUITES = {"faults": faults}
