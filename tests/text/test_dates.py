from datetime import date

import pytest

from madang.text.calendars import days_off_around, holiday_date
from madang.text.dates import DateSpan, find_comparisons, find_dates, find_nights, find_periods

WEDNESDAY = date(2026, 3, 11)


def _days(text: str, today: date = WEDNESDAY) -> tuple[str, str]:
    [found] = find_dates(text, today)
    return str(found.value.start), str(found.value.end)


def test_nothing_depends_on_the_clock_of_the_machine() -> None:
    assert _days("내일", date(2001, 12, 31)) == ("2002-01-01", "2002-01-01")


def test_a_bare_month_looks_ahead_for_plans_and_back_for_reports() -> None:
    [plan] = find_dates("2월", WEDNESDAY)
    [report] = find_periods("5월", WEDNESDAY)
    assert plan.value.start.year == 2027
    assert report.value.start.year == 2025
    [asked] = find_dates("2월", WEDNESDAY, direction="past")
    assert asked.value.start == date(2026, 2, 1)


def test_both_ends_of_a_range_are_read_together() -> None:
    [past] = find_periods("3월~5월", WEDNESDAY)
    assert (past.value.start, past.value.end) == (date(2025, 3, 1), date(2025, 5, 31))
    assert _days("12월 30일부터 1월 2일까지") == ("2026-12-30", "2027-01-02")
    [winter] = find_periods("11월부터 1월까지", WEDNESDAY)
    assert (winter.value.start, winter.value.end) == (date(2025, 11, 1), date(2026, 1, 31))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("8월 스무하룻날", "2026-08-21"),
        ("시월 초사흘", "2026-10-03"),
        ("작년 5월 열이렛날", "2025-05-17"),
        ("12월 보름날", "2026-12-15"),
    ],
)
def test_a_day_may_be_said_in_native_words(text: str, day: str) -> None:
    assert _days(text) == (day, day)


def test_a_length_after_a_month_is_no_day() -> None:
    assert _days("8월 사흘 정도") == ("2026-08-01", "2026-08-31")


def test_recent_months_end_with_today() -> None:
    [recent] = find_periods("최근 3개월", date(2026, 5, 31))
    assert (recent.value.start, recent.value.end) == (date(2026, 3, 1), date(2026, 5, 31))
    assert recent.readings == ()
    [last] = find_periods("지난 3개월", WEDNESDAY)
    assert last.readings[1] == DateSpan(date(2025, 12, 1), date(2026, 2, 28), True, "range")


def test_a_period_is_whole() -> None:
    [quarter] = find_periods("이번 분기", WEDNESDAY)
    assert quarter.value.end == date(2026, 3, 31)


@pytest.mark.parametrize(
    ("year", "first", "last"),
    [(2025, "2025-10-03", "2025-10-09"), (2026, "2026-09-24", "2026-09-27"), (2027, "2027-09-14", "2027-09-16")],
)
def test_chuseok_comes_with_the_days_off_around_it(year: int, first: str, last: str) -> None:
    [found] = find_dates(f"{year}년 추석", WEDNESDAY)
    assert (str(found.value.start), str(found.value.end)) == (first, last)
    day = holiday_date("추석", year)
    assert day
    assert days_off_around(day) == (found.value.start, found.value.end)


def test_vague_words_make_a_span_inexact() -> None:
    exact = {
        text: find_dates(text, WEDNESDAY)[0].value.exact
        for text in ("추석", "추석 때", "4월 5일", "4월 5일쯤", "4월 말")
    }
    assert exact == {"추석": True, "추석 때": False, "4월 5일": True, "4월 5일쯤": False, "4월 말": False}


def test_next_friday_has_two_readings() -> None:
    [found] = find_dates("다음 금요일", WEDNESDAY)
    assert {reading.start for reading in found.readings} == {date(2026, 3, 20), date(2026, 3, 13)}
    [clear] = find_dates("다음주 금요일", WEDNESDAY)
    assert clear.readings == ()


@pytest.mark.parametrize("text", ["2월 30일", "13월 1일", "2026-13-45", "0월 0일", "4/31"])
def test_days_that_do_not_exist_are_not_found(text: str) -> None:
    assert not [found for found in find_dates(text, WEDNESDAY) if found.value.kind == "day"]


def test_what_is_compared_with_is_not_the_period_asked_for() -> None:
    text = "전월 대비 이번 달 매출"
    assert [found.value for found in find_comparisons(text)] == ["previous_month"]
    assert [found.text for found in find_periods(text, WEDNESDAY)] == ["이번 달"]


def test_a_stay_from_a_day_gives_its_last_day() -> None:
    assert _days("4월 5일부터 3박") == ("2026-04-05", "2026-04-08")
    assert _days("내일부터 3일간") == ("2026-03-12", "2026-03-14")


def test_a_week_or_weekend_as_a_stay_is_ambiguous() -> None:
    [week] = find_nights("일주일")
    assert [(reading.nights, reading.days) for reading in week.readings] == [(6, 7), (7, 8)]
    [weekend] = find_nights("주말에")
    assert weekend.confidence <= 0.5


def test_more_or_fewer_nights_are_a_change() -> None:
    assert [found.value.delta for found in find_nights("하루 더")] == [1]
    assert [found.value.delta for found in find_nights("1박 줄여줘")] == [-1]


@pytest.mark.parametrize("text", ["3월 5일", "최근 일주일", "일주일 뒤", "1박에 20만원", "박물관"])
def test_dates_and_prices_are_not_stays(text: str) -> None:
    assert find_nights(text) == []
