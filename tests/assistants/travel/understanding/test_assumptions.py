"""What is assumed where the traveller said nothing."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from madang.assistants.travel.state.trip import departure_for

DAYS = st.dates(date(2026, 1, 1), date(2027, 12, 31))


@given(DAYS, DAYS, st.integers(0, 60))
def test_the_day_assumed_lies_in_the_window_and_never_in_the_past(today: date, start: date, days: int) -> None:
    window = {"from": start.isoformat(), "to": (start + timedelta(days=days)).isoformat()}
    day = departure_for(window, today)
    assert today <= day <= max(today, start + timedelta(days=days))
    assert departure_for(None, today) > today
