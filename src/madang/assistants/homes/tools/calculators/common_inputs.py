"""Inputs that several calculators share."""

from madang.assistants.homes.tools.calculators.spec import Input

DEPOSIT = Input("deposit", "won", "보증금", "지금 보증금(전세금)이 얼마인가요?", roles=("deposit",), slot="deposit")
MONTHLY_RENT = Input("monthly_rent", "won", "월세", "월세가 얼마인가요?", roles=("rent",), slot="monthly_rent")
PRICE = Input("price", "won", "집값", "집값(또는 보증금)이 얼마인가요?", roles=("price",), slot="price")
REGION = Input("region", "region", question="집이 어느 지역에 있나요?", slot="region")
ANNUAL_INCOME = Input("annual_income", "yearly_won", "연소득", "연소득이 얼마인가요?", slot="annual_income")
ANNUAL_RATE = Input("annual_rate", "rate", question="대출 금리가 연 몇 %인가요?")
YEARS = Input("years", "years", question="대출 기간이 몇 년인가요?")
BASE_RATE = Input("base_rate", "rate")
LEASE_KIND = Input("kind", "option")
AREA = Input("area", "area")
