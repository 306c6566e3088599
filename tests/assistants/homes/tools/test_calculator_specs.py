"""A calculator is one spec in one file: what it declares holds, and a new one is used at once."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from madang.assistants.homes.data.legal_issues import load_issues
from madang.assistants.homes.data.policy import section
from madang.assistants.homes.tools import calculators as package
from madang.assistants.homes.tools.calculators import calculator, calculators, inputs_by_name
from madang.assistants.homes.tools.calculators.spec import Calculator
from madang.assistants.homes.tools.figures import calculate, read_figures
from madang.errors import InvalidInput, InvalidState
from tests.support.homes import Talk, response, steps

TODAY = date(2026, 11, 15)
ALL = calculators().values()
STAMP_TAX = """
from madang.assistants.homes.tools.calculators.calculation import Calculation, won
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input
def stamp_tax(price: int) -> Calculation:
    tax = 0 if price <= 100_000_000 else 150_000 if price <= 1_000_000_000 else 350_000
    return Calculation(calculator="stamp_tax", title="인지세", values={"tax": tax, "price": price}, rules=(),
        inputs={"price": price}, formula="기재금액 구간별", explanation=(f"{won(price)} → {won(tax)}",))
CALCULATOR = Calculator(name="stamp_tax", label="인지세", subject="law", examples=("5억 아파트 인지세",), run=stamp_tax,
    cues=(Cue("인지세"),), needed=("price",), said=lambda values, _: f"인지세는 {won(values['tax'])}입니다.",
    inputs=(Input("price", "won", "집값", "집값이 얼마인가요?", ("price", None)),), bounds={"price": (1, 10**12)})
"""


@pytest.fixture
def with_stamp_tax(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package with one file more."""
    (tmp_path / "stamp_tax.py").write_text(STAMP_TAX, encoding="utf-8")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    for found in (calculators, inputs_by_name):
        found.cache_clear()
    yield
    for found in (calculators, inputs_by_name):
        found.cache_clear()


@pytest.mark.usefixtures("with_stamp_tax")
async def test_ten_lines_in_one_file_add_a_calculator() -> None:
    assert len(STAMP_TAX.strip().splitlines()) <= 10
    talk = Talk()
    state = await talk.say("5억 아파트 살 때 인지세 얼마예요?")
    assert steps(state)["calculation"] == "completed"
    assert "인지세는 15만원입니다" in response(state)["answer"]
    assert "입력: 집값 5억원" in response(state)["answer"]
    assert "인지세는 35만원입니다" in response(await talk.say("12억이면?"))["answer"]


@pytest.mark.usefixtures("with_stamp_tax")
async def test_what_a_new_calculator_lacks_is_asked_for() -> None:
    talk = Talk()
    assert response(await talk.say("집 살 때 인지세 얼마예요?"))["answer"] == "집값이 얼마인가요?"
    assert "인지세는 15만원입니다" in response(await talk.say("7억이요"))["answer"]


@pytest.mark.usefixtures("with_stamp_tax")
async def test_a_result_that_can_not_be_is_not_shown_as_an_answer() -> None:
    state = await Talk().say("매매가 5조원이면 인지세 얼마예요?")
    assert steps(state)["calculation"] == "failed"
    assert "인지세는" not in response(state)["answer"]
    assert "있을 수 없는 값" in response(state)["answer"]


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_its_examples_ask_for_it_and_its_rules_are_declared(one: Calculator) -> None:
    tables = [section(name) for name in one.sources]
    declared = {str(row["source"]) for table in tables for row in (table, *table.values()) if "source" in _table(row)}
    for example in one.examples:
        asked = {request.calculator: request for request in read_figures(example, TODAY)}
        made = calculate(asked[one.name])
        assert made.calculator == one.name
        assert one.said(made.values, made.inputs)
        assert not one.sources or {rule["source"] for rule in made.rules} <= declared


def _table(row: object) -> dict[str, object]:
    return row if isinstance(row, dict) else {}


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_what_it_can_not_do_without_can_be_asked_for(one: Calculator) -> None:
    assert all(one.input(name).question for name in one.missing({}))
    assert all(inputs_by_name()[item.name].kind == item.kind for item in one.inputs)
    assert one.instead_of <= calculators().keys()


def test_calculators_that_articles_name_exist() -> None:
    assert {issue.calculator for issue in load_issues()} - {None} <= calculators().keys()


def test_an_unknown_calculator_is_named() -> None:
    with pytest.raises(InvalidInput, match="nothing_like_it"):
        calculator("nothing_like_it")


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("시세 1천만원인데 전세 9억이면 전세가율 얼마?", "jeonse_risk"),
        ("2천만원 오피스텔 사서 월세 900 받으면 수익률?", "roi"),
    ],
)
def test_results_beyond_all_measure_are_refused(question: str, name: str) -> None:
    request = next(request for request in read_figures(question, TODAY) if request.calculator == name)
    with pytest.raises(InvalidState, match="있을 수 없는 값"):
        calculate(request)
