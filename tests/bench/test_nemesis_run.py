"""A short ordeal: real servers, a few blows, every promise checked. The long one is `madang bench faults`."""

import pytest

from bench.nemesis.ordeal import Plan, endure

# One of each kind that takes no lease to wait for.
BLOWS = {
    "sqlite": ("kill", "terminate"),
    "postgres": ("kill", "clock", "database_disconnect", "database_restart"),
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
async def test_every_promise_holds_under_a_few_faults(backend: str) -> None:
    plan = Plan(seed=5, events=2, minutes=0.5, backend=backend, servers=1, clients=2, lease=3.0, only=BLOWS[backend])
    verdict = await endure(plan)
    assert [violation.as_dict() for violation in verdict.violations] == []
    assert verdict.evidence.record.faults
    assert any(one.turns for one in verdict.evidence.record.conversations.values())


@pytest.mark.timeout(400)
async def test_every_promise_holds_over_a_rolling_restart_of_servers_and_workers() -> None:
    plan = Plan(seed=6, events=1, minutes=2, servers=2, workers=2, clients=2, lease=5.0, only=("roll",))
    verdict = await endure(plan)
    assert [violation.as_dict() for violation in verdict.violations] == []
    assert list(verdict.evidence.record.faults) == ["roll"]
    assert any(one.turns for one in verdict.evidence.record.conversations.values())
