"""Wordings of our own, from a file: which calculator each asks for, with which inputs or lacking which."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from madang.assistants.homes.tools.figures import calculate, read_figures

TODAY = date(2026, 11, 15)
FILE = Path(__file__).with_name("figure_wordings.jsonl")
CASES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["question"][:24])
def test_a_wording_gives_its_inputs(case: dict[str, Any]) -> None:
    request = read_figures(case["question"], TODAY)[0]
    assert request.calculator == case["calculator"]
    if "missing" in case:
        assert set(request.missing) == set(case["missing"])
        return
    assert {name: _plain(request.inputs.get(name)) for name in case["inputs"]} == {
        name: _plain(value) for name, value in case["inputs"].items()
    }
    assert calculate(request).values


def _plain(value: Any) -> Any:
    """Rates are read as decimals and days as dates; the file has strings."""
    if isinstance(value, str) and value.replace(".", "", 1).isdigit():
        return Decimal(value).normalize()
    return value.normalize() if isinstance(value, Decimal) else str(value) if isinstance(value, date) else value
