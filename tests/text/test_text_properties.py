"""What every parser promises for any text at all: no exception, true spans, in order, original positions."""

import unicodedata
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madang.text.ages import find_ages
from madang.text.areas import find_areas
from madang.text.counts import find_counts
from madang.text.cues import find_cues
from madang.text.dates import find_comparisons, find_dates, find_nights, find_periods
from madang.text.durations import find_durations
from madang.text.english import find_english_dates
from madang.text.laws import find_laws
from madang.text.money import find_money
from madang.text.numbers import find_numbers, parse_number
from madang.text.ordinals import find_ordinals
from madang.text.people import find_people
from madang.text.places import find_regions
from madang.text.quantities import find_quantities
from madang.text.ranges import find_ranges
from madang.text.rates import find_rates
from madang.text.times import find_times

TODAY = date(2026, 3, 11)
FINDERS: dict[str, Callable[[str], object]] = {
    "numbers": find_numbers,
    "money": find_money,
    "money in housing": lambda text: find_money(text, "housing"),
    "money in travel": lambda text: find_money(text, "travel"),
    "money in sales": lambda text: find_money(text, "sales"),
    "areas": find_areas,
    "rates": find_rates,
    "people": find_people,
    "dates": lambda text: find_dates(text, TODAY),
    "periods": lambda text: find_periods(text, TODAY),
    "nights": find_nights,
    "comparisons": find_comparisons,
    "regions": find_regions,
    "laws": find_laws,
    "cues": find_cues,
    "times": find_times,
    "durations": find_durations,
    "ages": find_ages,
    "counts": find_counts,
    "quantities": find_quantities,
    "ordinals": find_ordinals,
    "ranges": find_ranges,
    "English dates": lambda text: find_english_dates(text, TODAY),
}
KOREAN = (
    "0123456789 ,.~-/%()가나다라월일년박조항호천백십만억원명이사오육둘셋네아니말고에서부터까지로은는"
    "강남서울제주주임법시행령평㎡대비전지난다음최근추석설"
)
SPEECH = st.text(alphabet=KOREAN, max_size=60)
EDGE_DAYS = st.sampled_from([date(1, 1, 1), date(2024, 2, 29), date(2026, 12, 31), date(9999, 12, 31)])


def _check(text: str, found: object) -> None:
    assert isinstance(found, list)
    at = 0
    for item in found:
        start, end = item.span
        assert 0 <= start < end <= len(text)
        assert text[start:end] == item.text
        assert start >= at, "in order of appearance"
        at = start
        assert 0 < item.confidence <= 1
        assert not item.readings or item.readings[0] == item.value
        assert len(item.readings) != 1


@pytest.mark.parametrize("name", FINDERS)
@settings(max_examples=60, deadline=None)
@given(text=st.one_of(SPEECH, st.text(max_size=80)))
def test_any_text_is_read_without_raising_and_with_true_spans(name: str, text: str) -> None:
    _check(text, FINDERS[name](text))


@pytest.mark.parametrize("name", FINDERS)
@pytest.mark.parametrize(
    "unit", ["1", "천", "3월 5일부터 ", "둘 추가 셋이 ", "전월 대비 지난주 ", "그거 말고 송파 ", "민법 7조 "]
)
def test_a_hundred_kilobytes_are_read(name: str, unit: str) -> None:
    text = unit * (33_000 // len(unit))
    _check(text, FINDERS[name](text))


@settings(max_examples=60, deadline=None)
@given(text=SPEECH, today=EDGE_DAYS)
def test_dates_at_the_edges_of_the_calendar_do_not_raise(text: str, today: date) -> None:
    for item in [*find_dates(text, today), *find_periods(text, today)]:
        assert item.value.start <= item.value.end


@pytest.mark.parametrize("name", FINDERS)
@settings(max_examples=40, deadline=None)
@given(text=SPEECH)
def test_decomposed_text_means_the_same(name: str, text: str) -> None:
    composed = FINDERS[name](text)
    decomposed = unicodedata.normalize("NFD", text)
    found = FINDERS[name](decomposed)
    _check(decomposed, found)
    assert isinstance(composed, list)
    assert isinstance(found, list)
    assert [item.value for item in found] == [item.value for item in composed]


@given(number=st.integers(min_value=0, max_value=10**15 - 1))
def test_a_number_is_read_back_from_its_digits(number: int) -> None:
    assert parse_number(str(number)) == number
    assert parse_number(f"{number:,}") == number


def _spell(number: int) -> str:
    digits = "영일이삼사오육칠팔구"
    if number == 0:
        return digits[0]
    out = ""
    for scale, name in ((10**8, "억"), (10**4, "만"), (1, "")):
        group, number = divmod(number, scale) if scale > 1 else (number, 0)
        if group:
            for small, unit in ((1000, "천"), (100, "백"), (10, "십"), (1, "")):
                count, group = divmod(group, small)
                out += (digits[count] if count else "") + (unit if count else "")
            out += name
    return out


@given(number=st.integers(min_value=1, max_value=10**4 - 1))
def test_a_number_is_read_back_from_its_hangul(number: int) -> None:
    assert parse_number(_spell(number)) == number


@given(eok=st.integers(1, 99), man=st.integers(1, 9999))
def test_spelled_won_is_read_back(eok: int, man: int) -> None:
    won = eok * 10**8 + man * 10**4
    for text in (f"{eok}억 {man}만원", f"{eok}억{man:,}만 원", f"{won}원", f"{won:,}원", f"{_spell(won)}원"):
        [money] = find_money(text)
        assert money.value.won == won
        assert money.text == text


@given(nights=st.integers(1, 30))
def test_nights_and_days_agree(nights: int) -> None:
    for text in (f"{nights}박{nights + 1}일", f"{nights}박", f"{_spell(nights)}박{_spell(nights + 1)}일"):
        [stay] = find_nights(text)
        assert (stay.value.nights, stay.value.days) == (nights, nights + 1)


@given(day=st.dates(date(2000, 1, 1), date(2099, 12, 31)))
def test_a_written_date_is_read_back(day: date) -> None:
    for text in (f"{day:%Y-%m-%d}", f"{day.year}.{day.month}.{day.day}", f"{day.year}년 {day.month}월 {day.day}일"):
        [found] = find_dates(text, TODAY)
        assert found.value.start == found.value.end == day
