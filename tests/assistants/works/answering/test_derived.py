"""Figures beside the rows: sums, what is left of a target, working days; and long tables turned."""

from datetime import date

from madang.assistants.works.answering.derived import totals, working_days
from madang.assistants.works.state.agents import Column, Row
from madang.assistants.works.tools.analysis import describe
from madang.assistants.works.tools.pivots import pivoted


def columns(*names: str) -> list[Column]:
    return [describe(name) for name in names]


def test_sums_over_all_rows_with_change_and_target() -> None:
    rows: list[Row] = [
        {"rep": "가", "sales_amount": 300, "sales_amount_compare": 200, "sales_amount_change": 100,
         "target_amount": 500, "achievement_rate": 0.6},
        {"rep": "나", "sales_amount": 100, "sales_amount_compare": 200, "sales_amount_change": -100,
         "target_amount": 500, "achievement_rate": 0.2},
    ]  # fmt: skip
    names = ("rep", "sales_amount", "sales_amount_compare", "sales_amount_change", "target_amount", "achievement_rate")
    said = totals(columns(*names), rows)
    assert "매출 400원" in said
    assert "매출 증감률 +0.0%" in said
    assert "달성률 40.0%, 목표까지 600원 남음" in said
    assert totals(columns("rep", "sales_amount"), rows[:1]) == ""


def test_means_and_ratios_are_not_added_up() -> None:
    rows: list[Row] = [{"rep": "가", "avg_order_amount": 10, "growth_rate": 0.1}] * 2
    assert totals(columns("rep", "avg_order_amount", "growth_rate"), rows) == ""


def test_working_days_of_each_period_and_what_is_left_of_the_month() -> None:
    said = list(
        working_days(
            ["2026-10-01 ~ 2026-10-31 (비교: 2025-10-01 ~ 2025-10-31)", "2026-11-01 ~ 2026-11-18"], date(2026, 11, 18)
        )
    )
    assert said[0].endswith("20일")
    assert said[1].endswith("18일")
    assert said[2].endswith("13일: 오늘(2026-11-18)까지 13일, 이달 말(2026-11-30)까지 남은 영업일 8일, 이달 전체 21일")


def test_months_stand_beside_each_other() -> None:
    rows: list[Row] = [
        {"customer": "가", "month": "2026-09", "sales_amount": 1},
        {"customer": "가", "month": "2026-10", "sales_amount": 2},
        {"customer": "나", "month": "2026-10", "sales_amount": 5},
    ]
    heads, lines = pivoted(columns("customer", "month", "sales_amount"), rows)
    assert [one["label"] for one in heads] == ["거래처", "2026-09", "2026-10", "합계"]
    assert lines == [
        {"customer": "가", "2026-09": 1, "2026-10": 2, "sum": 3},
        {"customer": "나", "2026-09": 0, "2026-10": 5, "sum": 5},
    ]


def test_a_table_of_several_figures_or_without_times_stays() -> None:
    rows: list[Row] = [{"customer": "가", "month": "2026-09", "sales_amount": 1, "quantity": 3}]
    assert pivoted(columns("customer", "month", "sales_amount", "quantity"), rows)[1] == rows
    assert pivoted(columns("customer", "quantity"), rows)[0] == columns("customer", "quantity")
