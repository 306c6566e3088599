"""From words to a calculator: what is given is used, what is missing is named."""

from datetime import date

import pytest

from madang.assistants.homes.tools.figures import calculate, read_figures
from madang.bench.homes import cases, figure_fits
from madang.errors import InvalidState

TODAY = date(2026, 11, 15)


@pytest.mark.parametrize("case", cases("homes-figures", "dev"), ids=lambda case: case["question"][:24])
def test_figures_of_the_development_set_are_exact(case: dict[str, object]) -> None:
    assert figure_fits(case)


@pytest.mark.parametrize(
    ("question", "name", "value"),
    [
        ("전세가 7억인데 2억만 월세로 돌리면 월세 상한", "max_monthly_rent", 750_000),
        ("보증금 8억에서 3억 깎고 월세로 하면?", "max_monthly_rent", 1_125_000),
        ("보증금 2억, 월세 30에서 보증금을 1억으로 바꾸면 월세 총 얼마?", "total_monthly_rent", 675_000),
        ("월급 400인데 DSR로 얼마까지 빌릴 수 있어 금리 4% 30년", "limit", 335_137_984),
        ("경기도 광주 보증금 8천 최우선변제", "amount", 28_000_000),
        ("5억짜리 집 담보대출 LTV 70 적용하면", "limit", 350_000_000),
        ("전세금 2억을 2억 2천으로 올려달래요 괜찮나", "max_deposit", 210_000_000),
    ],
)
def test_everyday_wordings(question: str, name: str, value: int) -> None:
    assert calculate(read_figures(question, TODAY)[0]).values[name] == value


def test_a_raise_that_is_asked_for_is_not_the_present_deposit() -> None:
    request = read_figures("보증금 1억 올려달래요 되나요", TODAY)[0]
    assert request.missing == ("deposit",)


def test_a_province_alone_does_not_settle_the_region() -> None:
    assert read_figures("경기 최우선변제 보증금 1억", TODAY)[0].missing == ("region",)


def test_running_an_incomplete_request_names_each_missing_input() -> None:
    request = read_figures("대출 3억 받으면 월 얼마 갚아?", TODAY)[0]
    with pytest.raises(InvalidState) as error:
        calculate(request)
    assert {problem.field for problem in error.value.problems} == {"annual_rate", "years"}
    assert len(request.questions) == 2


def test_a_question_without_figures_asks_for_no_calculator() -> None:
    assert read_figures("집주인이 보증금을 안 돌려줘요", TODAY) == ()
    assert read_figures("", TODAY) == ()


def test_a_sum_a_rate_and_a_term_are_a_loan_without_the_word() -> None:
    request = read_figures("2억 4% 30년이면?", TODAY)[0]
    assert (request.calculator, request.missing) == ("loan_payment", ())


def test_a_lease_named_by_two_numbers() -> None:
    assert read_figures("2000에 75 사는데 얼마까지 올려요", TODAY)[0].inputs["monthly_rent"] == 750_000
