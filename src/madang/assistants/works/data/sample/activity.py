"""What happened in a month: sales, targets, visits, seminars and benefits. A month is the same whenever it is made."""

import calendar
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from madang.assistants.works.data.sample.masters import Columns, Masters
from madang.assistants.works.data.tables import COLUMNS

Month = tuple[int, int]
PURPOSES = ("제품 디테일", "신제품 소개", "재고 확인", "수금", "관계 유지")
PLACES = ("원내 회의실", "호텔 세미나실", "지점 교육장", "지역 의사회관")


@dataclass(frozen=True)
class MonthMaker:
    """Makes one month's rows of a company."""

    seed: int
    masters: Masters

    def tables(self, month: Month) -> dict[str, Columns]:
        """The rows of that month by table."""
        rng = np.random.default_rng([self.seed, 2, month[0], month[1]])
        days = _business_days(month)
        active = self._active(month)
        tag = f"{month[0]}{month[1]:02d}"
        seminars, attendees, benefits = self._seminars(rng, active, days, tag)
        visits = self._visits(rng, active, days, tag)
        meals = self._meals(rng, visits, tag)
        return {
            "sales": self._sales(rng, active, days, tag, month),
            "targets": self.targets(month),
            "visits": visits,
            "seminars": seminars,
            "attendees": attendees,
            "benefits": {name: benefits[name] + meals[name] for name in benefits},
        }

    def _active(self, month: Month) -> list[int]:
        first = date(*month, 1)
        return [i for i, day in enumerate(self.masters.customers["registered_on"]) if day < first]

    def _sales(self, rng: Any, active: list[int], days: list[date], tag: str, month: Month) -> Columns:
        customers, products = self.masters.customers, self.masters.products
        lines = rng.poisson(2.6, len(active))
        who = np.repeat(np.asarray(active), lines)
        what = rng.integers(0, len(products["product_id"]), len(who))
        when = rng.integers(0, len(days), len(who))
        trend = 1 + 0.004 * ((month[0] - 2021) * 12 + month[1])
        season = 1 + 0.08 * np.sin((month[1] - 2 + what % 10) * np.pi / 6)
        weight = np.asarray(self.masters.weights)[who]
        quantity = np.maximum(1, (rng.gamma(2.0, 4.0, len(who)) * weight * trend * season).astype(int))
        price = np.asarray(products["price"])[what]
        return {
            "sale_id": [f"S{tag}{i:05d}" for i in range(len(who))],
            "date": [days[i] for i in when],
            "customer_id": [customers["customer_id"][i] for i in who],
            "product_id": [products["product_id"][i] for i in what],
            "rep_id": [customers["rep_id"][i] for i in who],
            "quantity": [int(q) for q in quantity],
            "amount": [int(a) for a in quantity * price],
        }

    def targets(self, month: Month) -> Columns:
        """What each rep should sell of each product in that month."""
        rng = np.random.default_rng([self.seed, 3, month[0], month[1]])
        reps, products = self.masters.reps["rep_id"], self.masters.products["product_id"]
        size = len(reps) * len(products)
        level = 1 + 0.004 * ((month[0] - 2021) * 12 + month[1])
        amounts = (rng.normal(1.0, 0.18, size).clip(0.4, 1.8) * 720_000 * level).astype(int) // 10_000 * 10_000
        return {
            "date": [date(*month, 1)] * size,
            "rep_id": [rep for rep in reps for _ in products],
            "product_id": list(products) * len(reps),
            "amount": [int(a) for a in amounts],
        }

    def _visits(self, rng: Any, active: list[int], days: list[date], tag: str) -> Columns:
        customers = self.masters.customers
        often = {"A": 2.6, "B": 1.6, "C": 0.9, "D": 0.35}
        rates = [often[customers["grade"][i]] for i in active]
        who = np.repeat(np.asarray(active), rng.poisson(rates))
        when = rng.integers(0, len(days), len(who))
        why = rng.integers(0, len(PURPOSES), len(who))
        return {
            "visit_id": [f"V{tag}{i:05d}" for i in range(len(who))],
            "date": [days[i] for i in when],
            "rep_id": [customers["rep_id"][i] for i in who],
            "customer_id": [customers["customer_id"][i] for i in who],
            "purpose": [PURPOSES[i] for i in why],
            "note": [None] * len(who),
        }

    def _seminars(self, rng: Any, active: list[int], days: list[date], tag: str) -> tuple[Columns, Columns, Columns]:
        customers, products = self.masters.customers, self.masters.products
        count = int(rng.integers(24, 40))
        seminars, attendees, benefits = _empty("seminars"), _empty("attendees"), _empty("benefits")
        for i in range(count):
            host = active[int(rng.integers(0, len(active)))]
            product = int(rng.integers(0, len(products["product_id"])))
            people, each = int(rng.integers(4, 16)), int(rng.integers(4, 10)) * 10_000
            seminar_id, day = f"M{tag}{i:03d}", days[int(rng.integers(0, len(days)))]
            owner, customer = customers["rep_id"][host], customers["customer_id"][host]
            title = f"{products['product'][product]} 제품설명회"
            place = PLACES[int(rng.integers(0, len(PLACES)))]
            ids = (seminar_id, day, owner, customer, products["product_id"][product])
            _append(seminars, (*ids, title, place, people, people * each))
            for k in range(people):
                _append(attendees, (seminar_id, customer, f"참석자 {k + 1}"))
            given = (f"B{seminar_id}", day, owner, customer, "참석자 전체", "seminar_meal")
            _append(benefits, (*given, people * each, people, seminar_id))
        return seminars, attendees, benefits

    def _meals(self, rng: Any, visits: Columns, tag: str) -> Columns:
        benefits = _empty("benefits")
        chosen = rng.random(len(visits["visit_id"])) < 0.06
        for i in [int(i) for i in chosen.nonzero()[0]]:
            amount = int(rng.integers(2, 10)) * 10_000
            row = (f"B{tag}{i:05d}", visits["date"][i], visits["rep_id"][i], visits["customer_id"][i])
            _append(benefits, (*row, "원장", "meal", amount, 1, None))
        return benefits


def _empty(table: str) -> Columns:
    return {name: [] for name in COLUMNS[table] if name != "company_id"}


def _append(columns: Columns, row: tuple[Any, ...]) -> None:
    for name, value in zip(columns, row, strict=True):
        columns[name].append(value)


def _business_days(month: Month) -> list[date]:
    last = calendar.monthrange(*month)[1]
    return [day for n in range(1, last + 1) if (day := date(*month, n)).weekday() < 5]


def months_until(last: date, count: int) -> Iterator[Month]:
    """The `count` months that end with the month of `last`, in order."""
    index = last.year * 12 + last.month - 1
    for i in range(index - count + 1, index + 1):
        yield i // 12, i % 12 + 1
