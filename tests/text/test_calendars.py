"""Calendar arithmetic."""

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from madang.text.calendars import add_months

few = settings(max_examples=60, deadline=None)


@few
@given(day=st.dates(min_value=date(2000, 1, 1), max_value=date(2100, 1, 1)), months=st.integers(-48, 48))
def test_months_keep_the_day_or_end_with_the_month(day: date, months: int) -> None:
    moved = add_months(day, months)
    assert (moved.year * 12 + moved.month) - (day.year * 12 + day.month) == months
    assert moved.day == day.day or (moved + timedelta(days=1)).day == 1
