"""The smaller value parsers: times, durations, ages, counts, quantities, ordinals, ranges, English, distances."""

from datetime import date, time

import pytest

from madang.text.ages import Age, find_ages
from madang.text.dates import find_dates
from madang.text.durations import Duration, find_durations
from madang.text.money import find_money
from madang.text.numbers import find_numbers
from madang.text.ordinals import find_ordinals
from madang.text.quantities import find_quantities
from madang.text.ranges import NumberRange, find_ranges
from madang.text.times import find_times

TODAY = date(2026, 3, 11)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("오후 3시", time(15), None),
        ("밤 12시", time(0), None),
        ("낮 1시 반", time(13, 30), None),
        ("8시 3분 전", time(7, 57), None),
        ("15:20", time(15, 20), None),
        ("9am", time(9), None),
        ("오전 11시에서 3시까지", time(11), time(15)),
        ("11시부터 오전 3시까지", time(23), time(3)),
        ("13~15시", time(13), time(15)),
        ("저녁 7시쯤", time(19), None),
    ],
)
def test_times(text: str, start: time, end: time | None) -> None:
    [found] = find_times(text)
    assert (found.value.start, found.value.end) == (start, end)


@pytest.mark.parametrize("text", ["3시간", "도시 한 곳", "시작", "한 시도", "3:75", "10시리즈"])
def test_what_only_looks_like_a_time(text: str) -> None:
    assert find_times(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2년 1개월 21일", Duration(2, 1, 0, 21)),
        ("3년 반", Duration(3.5)),
        ("한 시간 30분 동안", Duration(hours=1, minutes=30)),
        ("2~3주", Duration(weeks=2, upper=Duration(weeks=3))),
        ("보름", Duration(days=15)),
    ],
)
def test_durations(text: str, value: Duration) -> None:
    assert [item.value for item in find_durations(text)] == [value]


@pytest.mark.parametrize(
    "text", ["2024년", "3월 5일", "15일에", "3시 20분", "두 분", "3주택", "10분의 1", "3분기", "2일차", "초등학생"]
)
def test_what_only_looks_like_a_duration(text: str) -> None:
    assert find_durations(text) == []


def test_months_of_a_lease() -> None:
    [lease] = find_durations("1년 6개월")
    assert lease.value.total_months == 18


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("만 7세", Age(7)),
        ("스물다섯 살", Age(25)),
        ("40~50세", Age(40, "year", 50)),
        ("26개월 아기", Age(26, "month")),
        ("중2", Age(14, "year", None, "about", "중2")),
        ("30대 부부", Age(30, "year", 39)),
    ],
)
def test_ages(text: str, value: Age) -> None:
    assert [item.value for item in find_ages(text)] == [value]


@pytest.mark.parametrize("text", ["50세대", "월세 50", "20대 3대", "살고 싶어요", "26개월 할부"])
def test_what_only_looks_like_an_age(text: str) -> None:
    assert find_ages(text) == []


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("3km", 3, "kilometer"),
        ("반 리터", 0.5, "liter"),
        ("영하 5도", -5, "degree"),
        ("시속 100킬로미터", 100, "kilometer per hour"),
    ],
)
def test_quantities(text: str, amount: float, unit: str) -> None:
    [found] = find_quantities(text)
    assert (found.value.amount, found.value.unit) == (amount, unit)


def test_ordinals() -> None:
    assert [item.value.place for item in find_ordinals("첫 번째, 둘째, 11번째, 3등")] == [1, 2, 11, 3]
    assert find_ordinals("등록 3등급 위치") == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("20 초과 35 이하", NumberRange(20, 35, False, True)),
        ("100보다 크거나 같은", NumberRange(100, None, True, True)),
        ("1000 - 5000", NumberRange(1000, 5000)),
        ("최대 100개에서 최소 20개", NumberRange(20, 100)),
    ],
)
def test_ranges(text: str, value: NumberRange) -> None:
    assert [item.value for item in find_ranges(text)] == [value]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("마이너스 오점 오", [-5.5]),
        ("삼분의 이", [2 / 3]),
        ("일백삼과 삼분의 이", [103 + 2 / 3]),
        ("1 4/5", [1.8]),
        ("192.168.1.2", [192, 168, 1, 2]),
        ("이만 가 볼게요, 만약 천안에 사는 사람", []),
    ],
)
def test_numbers(text: str, values: list[float]) -> None:
    assert [item.value for item in find_numbers(text)] == pytest.approx(values)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2년 1개월 21일 전", date(2024, 1, 21), date(2024, 1, 21)),
        ("어제로부터 4일 후", date(2026, 3, 14), date(2026, 3, 14)),
        ("10일 이내에", date(2026, 3, 11), date(2026, 3, 21)),
        ("영업일 기준 3일 후", date(2026, 3, 16), date(2026, 3, 16)),
        ("앞으로 3일", date(2026, 3, 12), date(2026, 3, 14)),
        ("10월 25일부터 1월 25일까지", date(2026, 10, 25), date(2027, 1, 25)),
        ("12월 1일부터 2028년 11월 30일까지", date(2026, 12, 1), date(2028, 11, 30)),
        ("13일 금요일", date(2026, 3, 13), date(2026, 3, 13)),
        ("9월 둘째 주", date(2026, 9, 7), date(2026, 9, 13)),
        ("2027년 셋째 주", date(2027, 1, 18), date(2027, 1, 24)),
        ("1월 12일, 2016년", date(2016, 1, 12), date(2016, 1, 12)),
        ("02/22/2016", date(2016, 2, 22), date(2016, 2, 22)),
        ("1970년대", date(1970, 1, 1), date(1979, 12, 31)),
        ("추수감사절", date(2026, 11, 26), date(2026, 11, 26)),
    ],
)
def test_dates_that_were_misread(text: str, start: date, end: date) -> None:
    [found] = find_dates(text, TODAY)
    assert (found.value.start, found.value.end) == (start, end)


@pytest.mark.parametrize("text", ["전달 오류로", "좋은 주말 보내세요", "만기 6개월 전부터", "계약일로부터 3일 이내"])
def test_words_that_only_look_like_dates(text: str) -> None:
    assert find_dates(text, TODAY) == []


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        ("3 달러 50 센트", "USD", 3.5),
        ("1천 640만 캐나다 달러", "CAD", 16_400_000),
        ("일점이삼불", "USD", 1.23),
        ("470 펜스", "GBP", 4.7),
    ],
)
def test_foreign_money(text: str, currency: str, amount: float) -> None:
    [found] = find_money(text)
    assert (found.value.currency, found.value.amount) == (currency, amount)
