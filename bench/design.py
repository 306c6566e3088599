"""Every row of DESIGN's section 10 in one table: each suite several times, the median and the spread beside the goal.

Bytes of a whole thread come from one run of `growth`: they hardly change. Kills and faults have commands of their own
(`kill`, `faults`), which take longer than all of this.
"""

import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from bench import Row
from bench._machine import TOO_BUSY, listen
from bench.asking import asking
from bench.server import server
from bench.shares import shares
from bench.storage import concurrency, growth, storage
from bench.turn import run as turn
from bench.workers import workers

TURNS_OF_WORKERS = 120
Rows = Sequence[Row]


@dataclass(frozen=True)
class Goal:
    """A measure of a suite and what it should be: its ratio to the peer, or its own value."""

    suite: str
    measure: str
    bound: float
    peer: str = ""
    least: bool = False
    own: bool = False

    def found(self, rows: Rows) -> Row | None:
        return next((row for row in rows if row.measure == self.measure and row.peer.startswith(self.peer)), None)

    def figure(self, row: Row) -> float:
        return row.value if self.own or row.ratio is None else row.ratio

    def holds(self, figure: float) -> bool:
        return figure >= self.bound if self.least else figure <= self.bound


def _storage() -> list[Goal]:
    goals = []
    for backend, late, delta in (("SQLite", 0.125, 0.25), ("Postgres", 0.167, 0.35)):
        for kind, bound in (("add_messages", late), ("DeltaChannel", delta)):
            name = f"{backend}, {kind}"
            goals += [
                Goal("storage", f"{name}: turn 500", bound),
                Goal("storage", f"{name}: turn 500 over turn 5", 1.5, own=True),
                Goal("storage", f"{name}: get_state", 0.15),
                Goal("storage", f"{name}: last 20 of history", 0.10),
            ]
    return goals


def _bytes() -> list[Goal]:
    goals = []
    for backend, late, whole in (("SQLite", 13, 7.6), ("Postgres", 17, 9.8)):
        name = f"{backend}, add_messages"
        goals += [
            Goal("growth", f"{name}: bytes of turn 500", late, own=True),
            Goal("growth", f"{name}: bytes of turn 500 over turn 50", 1.1, own=True),
            Goal("growth", f"{name}: whole thread", whole, own=True),
        ]
    return goals


def _asking() -> list[Goal]:
    return [
        goal
        for name in ("homes", "travel", "works")
        for goal in (
            Goal("asking", f"{name}: first question after the server is ready", 5),
            Goal("asking", f"{name}: a message of 20,000 characters", 15),
            Goal("asking", f"{name}: the longest that another request waits meanwhile", 250, own=True),
        )
    ]


GOALS = [
    *_bytes(),
    *_storage(),
    Goal("concurrency", "Postgres, 200 threads × 5 turns at once", 0.60, peer="no checkpointer", least=True),
    Goal("turn", "turn graph", 1.25),
    Goal("turn", "durable run with events", 1.5),
    Goal("server", "session and run to completion, 100 clients, Postgres", 1.5, least=True),
    Goal("workers", "turns/s that compute, 2 worker(s) beside a server", 1, least=True),
    Goal("workers", "turns/s that compute, 4 worker(s) beside a server", 1, least=True),
    Goal("server", "fan-out to 1000 sockets", 1, least=True),
    Goal("server", "memory a socket", 40, own=True),
    Goal("server", "reconnect 10,000 events behind: first event", 15, own=True),
    *_asking(),
    Goal("asking", "`madang ask homes` from cold to answer", 2),
]
REPEATED: Mapping[str, Callable[[], Rows]] = {
    "storage": storage,
    "concurrency": concurrency,
    "turn": turn,
    "server": server,
    "asking": asking,
    "workers": partial(workers, turns=TURNS_OF_WORKERS, waiting=0),
}
ONCE: Mapping[str, Callable[[], Rows]] = {"growth": growth, "shares": shares}


def design(*, runs: int = 3) -> list[Row]:
    """Section 10 of DESIGN: all its suites, `runs` times one after the other; and where a late turn's time goes."""
    delays = [listen().delay]
    found: list[dict[str, Rows]] = []
    failed: list[str] = []
    for number in range(runs):
        found.append({})
        for name, suite in {**REPEATED, **(ONCE if number == 0 else {})}.items():
            begun = time.monotonic()
            try:
                found[-1][name] = suite()
            except Exception:  # noqa: BLE001 - what was measured before must not be lost; the last row counts these
                failed.append(name)
                sys.stderr.write(f"{traceback.format_exc()}\n")
            delays.append(listen().delay)
            sys.stderr.write(f"run {number + 1} of {runs}: {name} took {time.monotonic() - begun:.0f} s\n")
    goals = [row for goal in GOALS if (row := compared(goal, found)) is not None]
    broken = Row(measure="suites that failed", value=len(failed), goal="0", note=", ".join(failed))
    return [*goals, *(found[0].get("shares", ()) if found else ()), _quiet(delays), broken]


def compared(goal: Goal, runs: Sequence[Mapping[str, Rows]]) -> Row | None:
    """One row out of those of several runs, the median of each side; `None` if no run has it."""
    rows = [row for run in runs if (row := goal.found(run.get(goal.suite, ()))) is not None]
    if not rows:
        return None
    figures = [goal.figure(row) for row in rows]
    peers = [row.peer_value for row in rows if row.peer_value is not None]
    held = sum(map(goal.holds, figures))
    return Row(
        measure=goal.measure,
        value=median(row.value for row in rows),
        unit=rows[0].unit,
        peer=rows[0].peer,
        peer_value=median(peers) if peers else None,
        goal=f"{'≥' if goal.least else '≤'} {goal.bound:g}",
        note=f"{' '.join(f'{figure:.3g}' for figure in figures)}: holds in {held} of {len(figures)}",
    )


def _quiet(delays: Sequence[float]) -> Row:
    return Row(
        measure="the machine between the suites, at its busiest",
        value=max(delays),
        unit="× its own time",
        goal=f"≤ {TOO_BUSY:g} to believe the rest",
        note=f"in {sum(delay > TOO_BUSY for delay in delays)} of {len(delays)} looks too busy",
    )


SUITES = {"design": design}
