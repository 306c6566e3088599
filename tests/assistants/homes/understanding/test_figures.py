"""From words to a calculator: what is given is used, what is missing is named."""

from datetime import date

import pytest

from bench.homes import cases, figure_fits
from madang.assistants.homes.tools.figures import calculate, read_figures
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


@pytest.mark.parametrize(
    ("told", "area"),
    [
        ("30평 아파트", 74.4),
        ("34평(전용 84)", 84.0),
        ("실평수 20평 빌라", 66.12),
        ("전용 25평 아파트", 82.64),
        ("84㎡", 84.0),
    ],
)
def test_pyeong_is_supply_area_for_a_flat_unless_said_otherwise(told: str, area: float) -> None:
    request = read_figures(f"무주택인데 {told} 5억 취득세", TODAY)[0]
    assert request.inputs["area"] == area
    estimated = "called_pyeong" in request.inputs
    assert estimated == (told == "30평 아파트")
    assert any("공급면적" in line for line in calculate(request).explanation) == estimated


def test_the_sentence_that_asks_decides() -> None:
    story = "보증금 1억에 월 80이고 만료는 2027년 2월 28일입니다. 계속 살기로 해서 올리려 합니다. "
    assert read_figures(story + "각각 얼마까지 가능합니까?", TODAY)[0].calculator == "increase_cap"
    assert read_figures(story + "갱신 통지는 언제까지 하나요?", TODAY)[0].calculator == "notice"


def test_a_limit_is_asked_for_without_a_second_loan() -> None:
    requests = read_figures("연봉 8천, 기존 대출로 연 1천만원 갚는 중, DSR 40% 4.5% 30년 한도", TODAY)
    assert [request.calculator for request in requests] == ["dsr"]


def test_what_a_landlord_asks_for_is_judged() -> None:
    values = calculate(read_figures("전세 3억인데 집주인이 4억 달래요 얼마까지 올려요", TODAY)[0]).values
    assert (values["max_deposit"], values["allowed"]) == (315_000_000, False)


def test_a_day_told_as_done_is_past() -> None:
    told = read_figures("묵시적 갱신인데 11월 3일에 나간다고 통보했어요 언제 끝나요", TODAY)[0]
    assert told.inputs["notified"] == date(2026, 11, 3)


def test_a_raised_deposit_lowers_the_rent() -> None:
    request = read_figures("보증금 3천에 월세 85인데 보증금을 8천으로 올리면 월세가 얼마나 줄어드나요?", TODAY)[0]
    made = calculate(request)
    assert made.values["max_monthly_rent"] == 187_500
    assert made.values["total_monthly_rent"] == 662_500
    assert "줄어드는" in made.explanation[-1]


@pytest.mark.parametrize(("place", "amount"), [("수원 영통", 48), ("안산 단원구", 28), ("포항 북구", 25), ("분당", 48)])
def test_a_ward_is_judged_by_its_city(place: str, amount: int) -> None:
    made = calculate(read_figures(f"{place} 원룸 보증금 6천 최우선변제 얼마?", TODAY)[0])
    assert made.values["amount"] == amount * 1_000_000
