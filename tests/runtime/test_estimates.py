"""What earlier runs tell of the next: medians, and nothing where nothing is known."""

from types import SimpleNamespace
from typing import cast

from madang.runtime.estimates import Estimates
from madang.store.runs import Runs


def run(seconds: float, nano_usd: int | None, **extra: int) -> SimpleNamespace:
    counters = {"calls": 1, "cost_nano_usd": nano_usd or 0, **extra}
    usage = {"llm": {"answer": {"openai:small": counters}}} if nano_usd is not None else {"queries": 3}
    return SimpleNamespace(assistant="trip", result={"timings": {"flight": seconds}}, usage=usage)


class Kept:
    def __init__(self, *items: SimpleNamespace) -> None:
        self.items = list(items)

    async def lately_completed(self, _assistant: str) -> list[SimpleNamespace]:
        return self.items


def estimates(*items: SimpleNamespace) -> Estimates:
    return Estimates(cast(Runs, Kept(*items)))


async def test_a_turn_costs_what_the_middle_one_of_earlier_turns_cost() -> None:
    known = estimates(run(1, 1_000_000), run(2, 3_000_000), run(9, 8_000_000))
    assert await known.cost_of("trip") == 0.003
    assert await known.of("trip") == {"flight": 2}
    known.learn("trip", {"flight": 2.0}, run(2, 9_000_000).usage)
    assert await known.cost_of("trip") == 0.0055


async def test_turns_without_a_model_or_without_a_price_tell_no_cost() -> None:
    assert await estimates(run(1, None)).cost_of("trip") is None
    assert await estimates(run(1, 0, unpriced_calls=1)).cost_of("trip") is None
    assert await estimates().cost_of("trip") is None
