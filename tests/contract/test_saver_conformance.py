"""LangGraph's own suite for checkpointers: every capability by name, on both backends, plain and encrypted."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import Capability

from madang.store import SessionSaver
from tests.support.keys import TestKeyring


@contextmanager
def _registered(url: str, keyring: TestKeyring | None) -> Iterator[Any]:
    async def make() -> AsyncIterator[BaseCheckpointSaver[str]]:
        async with SessionSaver.from_url(url, keyring=keyring) as saver:
            yield saver

    yield checkpointer_test("SessionSaver")(make)


def test_the_suite_still_has_the_eight_capabilities_we_assert() -> None:
    assert {capability.value for capability in Capability} == set(CAPABILITIES)


CAPABILITIES = (
    "put",
    "put_writes",
    "get_tuple",
    "list",
    "delete_thread",
    "delete_for_runs",
    "copy_thread",
    "prune",
)


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
@pytest.mark.parametrize("capability", CAPABILITIES)
async def test_capability_is_detected_and_passes(db_url: str, capability: str, encrypted: bool) -> None:
    with _registered(db_url, TestKeyring() if encrypted else None) as registered:
        report = await validate(registered, capabilities={capability})
    result = report.results[capability]
    assert result.detected
    assert result.failures == []
    assert result.passed
    assert result.tests_passed > 0
