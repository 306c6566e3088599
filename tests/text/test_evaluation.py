"""The evaluation sets hold: everything tuned on, and at least 0.95 of what was not."""

import pytest

from bench.text import READERS, cases, eval_text, failures


@pytest.mark.parametrize("name", READERS)
def test_what_was_tuned_on_is_read_exactly(name: str) -> None:
    assert failures(name, "dev") == []


def test_what_was_not_tuned_on_is_read_too() -> None:
    total = sum(len(cases(name, "test")) for name in READERS)
    wrong = sum(len(failures(name, "test")) for name in READERS)
    assert total >= 300
    assert 1 - wrong / total >= 0.95


def test_the_bench_reports_each_parser_on_both_halves() -> None:
    measures = {row.measure for row in eval_text()}
    assert {f"{name} {half}" for name in READERS for half in ("dev", "test")} < measures
