"""Calculators: known figures, and what must hold for every figure."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madang.assistants.homes.tools.calculators.acquisition_tax import acquisition_rate, acquisition_tax
from madang.assistants.homes.tools.calculators.annuities import remaining_balance
from madang.assistants.homes.tools.calculators.brokerage import brokerage_fee
from madang.assistants.homes.tools.calculators.calculation import won
from madang.assistants.homes.tools.calculators.conversion import conversion_rate, deposit_to_rent
from madang.assistants.homes.tools.calculators.dsr import dsr_limit
from madang.assistants.homes.tools.calculators.increase_cap import increase_cap
from madang.assistants.homes.tools.calculators.jeonse_risk import jeonse_risk
from madang.assistants.homes.tools.calculators.lease_report import report_deadline
from madang.assistants.homes.tools.calculators.loan_payment import loan_payment
from madang.assistants.homes.tools.calculators.ltv import ltv_limit
from madang.assistants.homes.tools.calculators.notice import notice_window
from madang.assistants.homes.tools.calculators.refusal_damages import refusal_damages
from madang.assistants.homes.tools.calculators.rent_to_deposit import rent_to_deposit
from madang.assistants.homes.tools.calculators.roi import Investment, RoiCalculator
from madang.assistants.homes.tools.calculators.shop_scope import shop_scope
from madang.assistants.homes.tools.calculators.small_deposit import small_deposit, small_deposit_tier
from madang.assistants.homes.tools.calculators.termination import termination_date
from madang.errors import InvalidState

sums = st.integers(min_value=1_000_000, max_value=5_000_000_000)
rates = st.decimals(min_value="0.001", max_value="0.2", places=4)
few = settings(max_examples=60, deadline=None)


@few
@given(deposit=sums, rent=st.integers(min_value=0, max_value=10_000_000))
def test_an_increase_never_exceeds_a_twentieth(deposit: int, rent: int) -> None:
    values = increase_cap(deposit, rent).values
    rise, rent_rise = values["max_increase_deposit"], values["max_increase_rent"]
    assert isinstance(rise, int)
    assert isinstance(rent_rise, int)
    assert rise * 20 <= deposit < (rise + 1) * 20
    assert rent_rise * 20 <= rent


@few
@given(before=sums, share=st.floats(min_value=0, max_value=0.99), base=st.decimals("0", "0.2", places=4))
def test_converted_rent_stays_within_the_lower_rate(before: int, share: float, base: Decimal) -> None:
    after = int(before * share)
    values = deposit_to_rent(before, after, base_rate=base).values
    rent = values["max_monthly_rent"]
    assert isinstance(rent, int)
    rate = min(Decimal("0.1"), base + Decimal("0.02"))
    assert rent * 12 <= (before - after) * rate
    assert (rent + 1) * 12 > (before - after) * rate


def test_conversion_uses_the_dated_base_rate_and_says_so() -> None:
    result = deposit_to_rent(500_000_000, 300_000_000)
    assert result.values["max_monthly_rent"] == 750_000
    assert any(rule["name"] == "기준금리" and rule["as_of"] for rule in result.rules)
    assert any("4.5%" in line for line in result.explanation)


def test_shop_conversion_is_four_and_a_half_times_the_base_rate() -> None:
    assert conversion_rate("shop", "0.02") == Decimal("0.09")
    assert conversion_rate("shop", "0.05") == Decimal("0.12")


def test_a_deposit_that_does_not_fall_cannot_become_rent() -> None:
    with pytest.raises(InvalidState) as error:
        deposit_to_rent(100_000_000, 100_000_000)
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
    assert small_deposit_tier(region) == tier


@few
@given(deposit=sums, region=st.sampled_from(["서울", "수원", "부산", "전주"]), price=sums)
def test_what_is_paid_first_is_bounded_by_deposit_limit_and_half_the_price(
    deposit: int, region: str, price: int
) -> None:
    values = small_deposit(region, deposit, house_price=price).values
    amount, maximum, limit = values["amount"], values["maximum"], values["limit"]
    assert isinstance(amount, int)
    assert isinstance(maximum, int)
    assert isinstance(limit, int)
    assert amount <= min(deposit, maximum, max(price // 2, 0)) or amount == 0
    assert (amount == 0) or deposit <= limit
    assert values["eligible"] == (deposit <= limit)


def test_notice_runs_from_six_to_two_months_before_the_end() -> None:
    values = notice_window(date(2027, 3, 31), today=date(2026, 11, 15)).values
    assert (values["start"], values["end"], values["open"]) == ("2026-09-30", "2027-01-31", True)
    shop = notice_window(date(2027, 3, 31), kind="shop").values
    assert shop["end"] == "2027-02-28"


def test_termination_takes_three_months() -> None:
    assert termination_date(date(2026, 11, 30)).values["effective"] == "2027-02-28"


@few
@given(low=sums, more=st.integers(min_value=0, max_value=1_000_000_000))
def test_a_dearer_home_in_one_band_never_costs_less_to_broker(low: int, more: int) -> None:
    first, second = brokerage_fee("sale", low).values, brokerage_fee("sale", low + more).values
    assert isinstance(first["max_fee"], int)
    assert isinstance(second["max_fee"], int)
    if first["rate"] == second["rate"]:
        assert first["max_fee"] <= second["max_fee"]


def test_a_small_rent_counts_seventyfold() -> None:
    assert brokerage_fee("lease", 5_000_000, monthly_rent=300_000).values["amount"] == 26_000_000
    assert brokerage_fee("lease", 20_000_000, monthly_rent=300_000).values["amount"] == 50_000_000


def test_an_officetel_and_a_shop_have_their_own_rates() -> None:
    assert brokerage_fee("lease", 200_000_000, property_kind="officetel", area=40).values["max_fee"] == 800_000
    assert brokerage_fee("lease", 200_000_000, property_kind="officetel", area=100).values["max_fee"] == 1_800_000


@few
@given(price=st.integers(min_value=100_000_000, max_value=3_000_000_000), more=st.integers(0, 500_000_000))
def test_acquisition_tax_rises_with_the_price(price: int, more: int) -> None:
    assert acquisition_rate(price) <= acquisition_rate(price + more)
    assert Decimal("0.01") <= acquisition_rate(price) <= Decimal("0.03")


def test_acquisition_tax_on_the_line() -> None:
    values = acquisition_tax(700_000_000, homes=1, area=100).values
    assert (values["tax"], values["education_tax"], values["rural_tax"]) == (11_690_000, 1_169_000, 1_400_000)
    with pytest.raises(InvalidState, match="homes"):
        acquisition_tax(700_000_000, homes=0)


@pytest.mark.parametrize(
    ("homes", "regulated", "rate"),
    [(2, False, 0.01), (2, True, 0.08), (3, False, 0.08), (3, True, 0.12), (4, False, 0.12), (1, True, 0.01)],
)
def test_more_homes_pay_heavier_rates(homes: int, regulated: bool, rate: float) -> None:
    values = acquisition_tax(500_000_000, homes=homes, regulated=regulated, area=100).values
    assert values["rate"] == rate
    if rate > 0.03:
        assert values["education_tax"] == 2_000_000
        assert values["rural_tax"] == (3_000_000 if rate == 0.08 else 5_000_000)


def test_a_second_home_for_a_while_pays_the_usual_rate() -> None:
    assert acquisition_tax(500_000_000, homes=2, regulated=True, temporary=True).values["rate"] == 0.01


@few
@given(principal=sums, rate=rates, years=st.integers(1, 40))
def test_an_annuity_pays_back_what_was_borrowed(principal: int, rate: Decimal, years: int) -> None:
    values = loan_payment(principal, rate, years).values
    monthly = values["monthly_payment"]
    assert isinstance(monthly, int)
    balance = Decimal(principal)
    for _ in range(years * 12):
        balance = balance * (1 + rate / 12) - monthly
    # A payment rounded to a won leaves at most half a won a month, grown by interest.
    assert abs(balance) <= Decimal(years * 12) * (1 + rate / 12) ** (years * 12)


@few
@given(principal=sums, rate=rates, years=st.integers(1, 40))
def test_equal_principal_costs_less_interest_than_an_annuity(principal: int, rate: Decimal, years: int) -> None:
    annuity = loan_payment(principal, rate, years).values["total_interest"]
    equal = loan_payment(principal, rate, years, method="equal_principal").values["total_interest"]
    only = loan_payment(principal, rate, years, method="interest_only").values["total_interest"]
    assert isinstance(annuity, int)
    assert isinstance(equal, int)
    assert isinstance(only, int)
    assert equal <= annuity + 1 <= only + 2


@few
@given(income=sums, rate=rates, years=st.integers(1, 40))
def test_a_dsr_limit_can_just_be_paid(income: int, rate: Decimal, years: int) -> None:
    result = dsr_limit(income, rate, years, ratio="0.4").values
    limit, room = result["limit"], result["monthly_room"]
    assert isinstance(limit, int)
    assert isinstance(room, int)
    if limit:
        monthly = loan_payment(limit, rate, years).values["monthly_payment"]
        assert isinstance(monthly, int)
        assert monthly <= room + 1


@few
@given(principal=sums, rate=rates, paid=st.integers(0, 360))
def test_the_balance_falls_from_the_loan_to_nothing(principal: int, rate: Decimal, paid: int) -> None:
    left = remaining_balance(principal, rate, 360, paid)
    assert 0 <= left <= principal + 1
    assert remaining_balance(principal, rate, 360, 360) == 0


@few
@given(price=sums, deposit=sums, senior=st.integers(0, 1_000_000_000), more=st.integers(1, 100_000_000))
def test_more_senior_debt_is_never_safer(price: int, deposit: int, senior: int, more: int) -> None:
    order = ["safe", "caution", "danger", "critical"]
    less = jeonse_risk(price, deposit, senior_debt=senior).values["level"]
    greater = jeonse_risk(price, deposit, senior_debt=senior + more).values["level"]
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
    left = remaining_balance(100_000_000, "0.04", 360, 36)
    assert isinstance(values["exit_1"], int)
    assert abs(values["exit_1"] - (sold - left)) <= 1


def test_every_result_names_its_rule_and_works_it_out() -> None:
    results = [
        increase_cap(100_000_000),
        small_deposit("서울", 100_000_000),
        brokerage_fee("sale", 500_000_000),
        acquisition_tax(500_000_000, homes=1),
        ltv_limit(500_000_000, "0.7"),
        jeonse_risk(500_000_000, 400_000_000),
        report_deadline(date(2026, 1, 1), 70_000_000, 0),
        refusal_damages(300_000_000, 0, 350_000_000, 0),
        rent_to_deposit(500_000),
    ]
    for result in results:
        assert result.formula
        assert result.explanation
        assert all(rule["source"] for rule in result.rules)
        assert result.as_record()["values"]


def test_damages_are_the_greatest_of_three() -> None:
    values = refusal_damages(300_000_000, 500_000, 300_000_000, 1_000_000, base_rate="0.025").values
    assert values["three_months"] == (500_000 + 1_125_000) * 3
    assert values["damages"] == values["difference"] == 500_000 * 24


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0, "0원"), (125_000_000, "1억 2,500만원"), (10_000, "1만원"), (100_000_001, "1억 1원"), (-5_000, "-5,000원")],
)
def test_sums_read_as_in_korea(amount: int, text: str) -> None:
    assert won(amount) == text


@pytest.mark.parametrize(
    ("region", "limit"),
    [("서울 마포구", 900), ("부산광역시 기장군", 690), ("경기도 수원시", 690), ("경기도 화성시", 540), ("전주시", 370)],
)
def test_a_shop_is_within_the_act_up_to_its_regions_limit(region: str, limit: int) -> None:
    values = shop_scope(limit * 1_000_000 - 100_000_000, 1_000_000, region=region).values
    assert (values["limit"], values["within"]) == (limit * 1_000_000, True)
    assert not shop_scope(limit * 1_000_000, 1, region=region).values["within"]
