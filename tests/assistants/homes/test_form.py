"""An empty conversation begins in the form: whatever can be wanted there, with and without what it needs."""

import pytest

from madang.assistants.homes.graph import assistant
from tests.support.homes import Talk, response

# What the first of them needs is read from disk, on a busy machine for a while.
pytestmark = pytest.mark.timeout(300)
TASKS = list(assistant.tasks)


@pytest.mark.parametrize("task", TASKS)
async def test_whatever_is_wanted_can_be_begun_with(task: str) -> None:
    state = await Talk().fill(task=task)
    # It is answered, or asks for what it needs: in words, or for a document in a form.
    said = "" if state.get("__interrupt__") else response(state)["answer"]
    assert state.get("__interrupt__") or said.strip()
    assert "이해하지 못했" not in said


async def test_a_calculation_is_made_in_the_form_alone() -> None:
    talk = Talk()
    wanted = {"task": "conversion", "lease_facts__old_deposit": 500_000_000, "lease_facts__new_deposit": 300_000_000}
    state = await talk.fill(**wanted)
    assert "75만원" in response(state)["answer"]
    state = await talk.fill(lease_facts__new_deposit=400_000_000)
    assert "37만 5,000원" in response(state)["answer"]
