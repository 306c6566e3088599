"""Calculators: known figures, and what must hold for every figure."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madang.assistants.homes.tools import calculators as calc
from madang.assistants.homes.tools.roi import Investment, RoiCalculator
from madang.errors import InvalidState

won = st.integers(min_value=1_000_000, max_value=5_000_000_000)
rates = st.decimals(min_value="0.001", max_value="0.2", places=4)
few = settings(max_examples=60, deadline=None)


@few
@given(deposit=won, rent=st.integers(min_value=0, max_value=10_000_000))
def test_an_increase_never_exceeds_a_twentieth(deposit: int, rent: int) -> None:
    values = calc.increase_cap(deposit, rent).values
    rise, rent_rise = values["max_increase_deposit"], values["max_increase_rent"]
    assert isinstance(rise, int)
    assert isinstance(rent_rise, int)
    assert rise * 20 <= deposit < (rise + 1) * 20
    assert rent_rise * 20 <= rent


@few
@given(before=won, share=st.floats(min_value=0, max_value=0.99), base=st.decimals("0", "0.2", places=4))
def test_converted_rent_stays_within_the_lower_rate(before: int, share: float, base: Decimal) -> None:
    after = int(before * share)
    values = calc.deposit_to_rent(before, after, base_rate=base).values
    rent = values["max_monthly_rent"]
    assert isinstance(rent, int)
    rate = min(Decimal("0.1"), base + Decimal("0.02"))
    assert rent * 12 <= (before - after) * rate
    assert (rent + 1) * 12 > (before - after) * rate


def test_conversion_uses_the_dated_base_rate_and_says_so() -> None:
    result = calc.deposit_to_rent(500_000_000, 300_000_000)
    assert result.values["max_monthly_rent"] == 750_000
    assert any(rule.name == "기준금리" and rule.as_of for rule in result.rules)
    assert any("4.5%" in line for line in result.explanation)


def test_shop_conversion_is_four_and_a_half_times_the_base_rate() -> None:
    assert calc.conversion_rate("shop", "0.02") == Decimal("0.09")
    assert calc.conversion_rate("shop", "0.05") == Decimal("0.12")


def test_a_deposit_that_does_not_fall_cannot_become_rent() -> None:
    with pytest.raises(InvalidState) as error:
        calc.deposit_to_rent(100_000_000, 100_000_000)
    assert error.value.problems[0].field == "deposit_after"


@pytest.mark.parametrize(
    ("region", "tier"),
    [
        ("서울특별시 마포구", 0),
        ("경기도 수원시", 1),
        ("인천광역시", 1),
        ("인천광역시 강화군", 3),
        ("세종특별자치시", 1),
        ("경기도 용인시", 1),
        ("부산광역시 해운대구", 2),
        ("부산광역시 기장군", 3),
        ("경기도 광주시", 2),
        ("광주광역시 북구", 2),
        ("전북특별자치도 전주시", 3),
        ("경기도 양평군", 3),
    ],
)
def test_regions_have_the_tier_of_the_decree(region: str, tier: int) -> None:
    assert calc.small_deposit_tier(region) == tier


@few
@given(deposit=won, region=st.sampled_from(["서울", "수원", "부산", "전주"]), price=won)
def test_what_is_paid_first_is_bounded_by_deposit_limit_and_half_the_price(
    deposit: int, region: str, price: int
) -> None:
    values = calc.small_deposit(region, deposit, house_price=price).values
    amount, maximum, limit = values["amount"], values["maximum"], values["limit"]
    assert isinstance(amount, int)
    assert isinstance(maximum, int)
    assert isinstance(limit, int)
    assert amount <= min(deposit, maximum, max(price // 2, 0)) or amount == 0
    assert (amount == 0) or deposit <= limit
    assert values["eligible"] == (deposit <= limit)


@few
@given(day=st.dates(min_value=date(2000, 1, 1), max_value=date(2100, 1, 1)), months=st.integers(-48, 48))
def test_months_keep_the_day_or_end_with_the_month(day: date, months: int) -> None:
    moved = calc.add_months(day, months)
    assert (moved.year * 12 + moved.month) - (day.year * 12 + day.month) == months
    assert moved.day == day.day or (moved + timedelta(days=1)).day == 1


def test_notice_runs_from_six_to_two_months_before_the_end() -> None:
    values = calc.notice_window(date(2027, 3, 31), today=date(2026, 11, 15)).values
    assert (values["start"], values["end"], values["open"]) == ("2026-09-30", "2027-01-31", True)
    shop = calc.notice_window(date(2027, 3, 31), kind="shop").values
    assert shop["end"] == "2027-02-28"


def test_termination_takes_three_months() -> None:
    assert calc.termination_date(date(2026, 11, 30)).values["effective"] == "2027-02-28"


@few
@given(low=won, more=st.integers(min_value=0, max_value=1_000_000_000))
def test_a_dearer_home_in_one_band_never_costs_less_to_broker(low: int, more: int) -> None:
    first, second = calc.brokerage_fee("sale", low).values, calc.brokerage_fee("sale", low + more).values
    assert isinstance(first["max_fee"], int)
    assert isinstance(second["max_fee"], int)
    if first["rate"] == second["rate"]:
        assert first["max_fee"] <= second["max_fee"]


def test_a_small_rent_counts_seventyfold() -> None:
    assert calc.brokerage_fee("lease", 5_000_000, monthly_rent=300_000).values["amount"] == 26_000_000
    assert calc.brokerage_fee("lease", 20_000_000, monthly_rent=300_000).values["amount"] == 50_000_000


def test_an_officetel_and_a_shop_have_their_own_rates() -> None:
    assert calc.brokerage_fee("lease", 200_000_000, property_kind="officetel", area=40).values["max_fee"] == 800_000
    assert calc.brokerage_fee("lease", 200_000_000, property_kind="officetel", area=100).values["max_fee"] == 1_800_000


@few
@given(price=st.integers(min_value=100_000_000, max_value=3_000_000_000), more=st.integers(0, 500_000_000))
def test_acquisition_tax_rises_with_the_price(price: int, more: int) -> None:
    assert calc.acquisition_rate(price) <= calc.acquisition_rate(price + more)
    assert Decimal("0.01") <= calc.acquisition_rate(price) <= Decimal("0.03")


def test_acquisition_tax_on_the_line() -> None:
    values = calc.acquisition_tax(700_000_000, homes=1, area=100).values
    assert (values["tax"], values["education_tax"], values["rural_tax"]) == (11_690_000, 1_169_000, 1_400_000)
    with pytest.raises(InvalidState, match="homes"):
        calc.acquisition_tax(700_000_000, homes=0)


@pytest.mark.parametrize(
    ("homes", "regulated", "rate"),
    [(2, False, 0.01), (2, True, 0.08), (3, False, 0.08), (3, True, 0.12), (4, False, 0.12), (1, True, 0.01)],
)
def test_more_homes_pay_heavier_rates(homes: int, regulated: bool, rate: float) -> None:
    values = calc.acquisition_tax(500_000_000, homes=homes, regulated=regulated, area=100).values
    assert values["rate"] == rate
    if rate > 0.03:
        assert values["education_tax"] == 2_000_000
        assert values["rural_tax"] == (3_000_000 if rate == 0.08 else 5_000_000)


def test_a_second_home_for_a_while_pays_the_usual_rate() -> None:
    assert calc.acquisition_tax(500_000_000, homes=2, regulated=True, temporary=True).values["rate"] == 0.01


@few
@given(principal=won, rate=rates, years=st.integers(1, 40))
def test_an_annuity_pays_back_what_was_borrowed(principal: int, rate: Decimal, years: int) -> None:
    values = calc.loan_payment(principal, rate, years).values
    monthly = values["monthly_payment"]
    assert isinstance(monthly, int)
    balance = Decimal(principal)
    for _ in range(years * 12):
        balance = balance * (1 + rate / 12) - monthly
    # A payment rounded to a won leaves at most half a won a month, grown by interest.
    assert abs(balance) <= Decimal(years * 12) * (1 + rate / 12) ** (years * 12)


@few
@given(principal=won, rate=rates, years=st.integers(1, 40))
def test_equal_principal_costs_less_interest_than_an_annuity(principal: int, rate: Decimal, years: int) -> None:
    annuity = calc.loan_payment(principal, rate, years).values["total_interest"]
    equal = calc.loan_payment(principal, rate, years, method="equal_principal").values["total_interest"]
    only = calc.loan_payment(principal, rate, years, method="interest_only").values["total_interest"]
    assert isinstance(annuity, int)
    assert isinstance(equal, int)
    assert isinstance(only, int)
    assert equal <= annuity + 1 <= only + 2


@few
@given(income=won, rate=rates, years=st.integers(1, 40))
def test_a_dsr_limit_can_just_be_paid(income: int, rate: Decimal, years: int) -> None:
    result = calc.dsr_limit(income, rate, years, ratio="0.4").values
    limit, room = result["limit"], result["monthly_room"]
    assert isinstance(limit, int)
    assert isinstance(room, int)
    if limit:
        monthly = calc.loan_payment(limit, rate, years).values["monthly_payment"]
        assert isinstance(monthly, int)
        assert monthly <= room + 1


@few
@given(principal=won, rate=rates, paid=st.integers(0, 360))
def test_the_balance_falls_from_the_loan_to_nothing(principal: int, rate: Decimal, paid: int) -> None:
    left = calc.remaining_balance(principal, rate, 360, paid)
    assert 0 <= left <= principal + 1
    assert calc.remaining_balance(principal, rate, 360, 360) == 0


@few
@given(price=won, deposit=won, senior=st.integers(0, 1_000_000_000), more=st.integers(1, 100_000_000))
def test_more_senior_debt_is_never_safer(price: int, deposit: int, senior: int, more: int) -> None:
    order = ["safe", "caution", "danger", "critical"]
    less = calc.jeonse_risk(price, deposit, senior_debt=senior).values["level"]
    greater = calc.jeonse_risk(price, deposit, senior_debt=senior + more).values["level"]
    assert order.index(str(less)) <= order.index(str(greater))


def test_roi_deducts_every_cost_once() -> None:
    plan = Investment(
        price=400_000_000, monthly_rent=1_000_000, deposit=50_000_000, acquisition_costs=10_000_000,
        yearly_tax=1_000_000, yearly_upkeep=1_000_000, vacancy_rate="0.1", holding_years=2, sale_costs=2_000_000,
        sale_tax_rate="0.2",
    )  # fmt: skip
    values = RoiCalculator().calculate(plan).values
    assert values["initial_cost"] == 360_000_000
    assert values["yearly_net"] == 10_800_000 - 2_000_000
    # 5%: sold at 441m, gain 441-400-10-2 = 29m, tax 5.8m; left 441 - 50 - 5.8 - 2
    assert values["exit_5"] == 383_200_000
    assert values["total_return_5"] == round((383.2 + 17.6 - 360) / 360 * 100, 2)


def test_roi_with_a_loan_repays_what_is_left_of_it() -> None:
    plan = Investment(price=300_000_000, monthly_rent=900_000, loan=100_000_000, loan_rate="0.04", holding_years=3)
    values = RoiCalculator().calculate(plan).values
    sold = 300_000_000 * 1.01**3
    left = calc.remaining_balance(100_000_000, "0.04", 360, 36)
    assert isinstance(values["exit_1"], int)
    assert abs(values["exit_1"] - (sold - left)) <= 1


def test_every_result_names_its_rule_and_works_it_out() -> None:
    results = [
        calc.increase_cap(100_000_000),
        calc.small_deposit("서울", 100_000_000),
        calc.brokerage_fee("sale", 500_000_000),
        calc.acquisition_tax(500_000_000, homes=1),
        calc.ltv_limit(500_000_000, "0.7"),
        calc.jeonse_risk(500_000_000, 400_000_000),
        calc.report_deadline(date(2026, 1, 1), 70_000_000, 0),
        calc.refusal_damages(300_000_000, 0, 350_000_000, 0),
        calc.rent_to_deposit(500_000),
    ]
    for result in results:
        assert result.formula
        assert result.explanation
        assert all(rule.source for rule in result.rules)
        assert result.as_dict()["values"]


def test_damages_are_the_greatest_of_three() -> None:
    values = calc.refusal_damages(300_000_000, 500_000, 300_000_000, 1_000_000, base_rate="0.025").values
    assert values["three_months"] == (500_000 + 1_125_000) * 3
    assert values["damages"] == values["difference"] == 500_000 * 24


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0, "0원"), (125_000_000, "1억 2,500만원"), (10_000, "1만원"), (100_000_001, "1억 1원"), (-5_000, "-5,000원")],
)
def test_sums_read_as_in_korea(amount: int, text: str) -> None:
    assert calc.won(amount) == text


@pytest.mark.parametrize(
    ("region", "limit"),
    [("서울 마포구", 900), ("부산광역시 기장군", 690), ("경기도 수원시", 690), ("경기도 화성시", 540), ("전주시", 370)],
)
def test_a_shop_is_within_the_act_up_to_its_regions_limit(region: str, limit: int) -> None:
    values = calc.shop_scope(limit * 1_000_000 - 100_000_000, 1_000_000, region=region).values
    assert (values["limit"], values["within"]) == (limit * 1_000_000, True)
    assert not calc.shop_scope(limit * 1_000_000, 1, region=region).values["within"]
