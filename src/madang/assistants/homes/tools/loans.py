"""Policy loans and supports: who may get them, as data; what isn't known of a person is asked, never assumed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from madang.assistants.homes import data
from madang.assistants.homes.state.results import ChartSeries, LoanKind, LoanSimulation
from madang.assistants.homes.tools.calculators.calculation import Rate, won
from madang.assistants.homes.tools.calculators.loan_payment import METHOD_NAMES, loan_payment
from madang.errors import FieldProblem, InvalidState

Status = Literal["eligible", "unknown", "ineligible"]
Known = int | float | bool | str

KIND_NAMES: Mapping[str, str] = {
    "purchase": "주택 구입",
    "jeonse": "전세",
    "monthly": "월세",
    "support": "지원",
    "guarantee": "보증",
}
QUESTIONS: Mapping[str, str] = {
    "age": "만 나이가 어떻게 되나요?",
    "annual_income": "부부합산 연소득이 얼마인가요?",
    "salary": "총급여(세전)가 얼마인가요?",
    "net_assets": "순자산(자산 - 빚)이 얼마쯤인가요?",
    "homes": "지금 가진 집이 몇 채인가요?",
    "price": "사려는 집의 가격이 얼마인가요?",
    "deposit": "보증금이 얼마인가요?",
    "monthly_rent": "월세가 얼마인가요?",
    "area": "전용면적이 몇 ㎡인가요?",
    "newlywed": "혼인 7년 이내이거나 결혼 예정인가요?",
    "newborn": "최근 2년 안에 출산했나요?",
    "first_home": "세대원 모두 집을 가진 적이 없나요?",
    "victim": "전세사기피해자 결정을 받았나요?",
    "region": "어느 지역인가요?",
    "burden_ratio": "집값에 대한 (선순위 채권 + 보증금)의 비율이 몇 %인가요?",
}


@dataclass(frozen=True)
class Condition:
    """One requirement: a known fact compared with a value."""

    field: str
    op: Literal["max", "min", "is"]
    value: Known
    text: str

    def holds(self, profile: Mapping[str, Known]) -> bool | None:
        """Whether it holds, `None` if the fact isn't known."""
        known = profile.get(self.field)
        if known is None:
            return None
        if self.op == "is":
            return known == self.value
        if isinstance(known, str) or isinstance(self.value, str):
            raise InvalidState([FieldProblem(self.field, "숫자여야 합니다")])
        return known <= self.value if self.op == "max" else known >= self.value


@dataclass(frozen=True, kw_only=True)
class LoanProduct:
    """A loan, support or guarantee as a dated fact. One that is `decided_by_bank` has no conditions of its own."""

    id: str
    name: str
    kind: LoanKind
    provider: str
    summary: str
    as_of: str
    source: str
    conditions: tuple[Condition, ...]
    rate: tuple[float, float] | None = None
    limit: int | None = None
    note: str = ""
    decided_by_bank: bool = False


@dataclass(frozen=True)
class PolicyMatch:
    """How a person stands to a product: what fails, what isn't known yet and how to ask for it."""

    product: LoanProduct
    status: Status
    met: tuple[str, ...]
    failed: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(QUESTIONS.get(field, field) for field in self.unknown)


@cache
@data.well_formed("loans.toml")
def load_products() -> tuple[LoanProduct, ...]:
    """Every packaged product. Raises `UnreadableData` if the file is wrong."""
    return tuple(_product(item) for item in data.load("loans.toml")["product"])


class LoanDataTool:
    """Products by what they are for and by words of their names: the policy loans, then the banks' own if given."""

    def __init__(self, products: Sequence[LoanProduct] | None = None, bank: Sequence[LoanProduct] = ()) -> None:
        self._products = (*(load_products() if products is None else products), *bank)

    def search(self, query: str = "", *, kinds: Sequence[LoanKind] = ()) -> list[LoanProduct]:
        """Products of those kinds, the ones the words name first; all of them without words or kinds."""
        wanted = [product for product in self._products if not kinds or product.kind in kinds]
        scored = [(_score(product, query), product) for product in wanted]
        if any(score for score, _ in scored):
            scored = [pair for pair in scored if pair[0]]
        return [product for _, product in sorted(scored, key=lambda pair: -pair[0])]


class PolicyMatcher:
    """Which products a person may get by what is known of them."""

    def __init__(self, products: Sequence[LoanProduct] | None = None) -> None:
        self._products = tuple(load_products() if products is None else products)

    def match(self, profile: Mapping[str, Known], *, kinds: Sequence[LoanKind] = ()) -> list[PolicyMatch]:
        """Every product with its standing: eligible first, then those with open questions (banks' own last), then
        the others."""
        matches = [self._standing(product, profile) for product in self._products if not kinds or product.kind in kinds]
        order = {"eligible": 0, "unknown": 1, "ineligible": 2}
        return sorted(
            matches,
            key=lambda m: (order[m.status], m.product.decided_by_bank, len(m.unknown), -len(m.met)),
        )

    def _standing(self, product: LoanProduct, profile: Mapping[str, Known]) -> PolicyMatch:
        results = [(condition, condition.holds(profile)) for condition in product.conditions]
        failed = tuple(condition.text for condition, holds in results if holds is False)
        unknown = tuple(dict.fromkeys(condition.field for condition, holds in results if holds is None))
        open_yet = bool(unknown) or product.decided_by_bank
        status: Status = "ineligible" if failed else "unknown" if open_yet else "eligible"
        return PolicyMatch(product, status, tuple(c.text for c, holds in results if holds), failed, unknown)


class LoanSimulator:
    """What a loan costs in each way of repaying."""

    def simulate(self, principal: int, annual_rate: Rate, years: int) -> LoanSimulation:
        """The three ways side by side with a chart of what is paid monthly. Raises `InvalidState` for bad figures."""
        plans = {method: loan_payment(principal, annual_rate, years, method=method) for method in METHOD_NAMES}
        series: list[ChartSeries] = [
            {"name": name, "values": [float(plan.values[value] or 0) for plan in plans.values()]}
            for name, value in (("첫 달", "first_payment"), ("총이자", "total_interest"))
        ]
        return {
            "plans": {method: plan.as_record() for method, plan in plans.items()},
            "chart": {
                "type": "bar",
                "title": f"{won(principal)} 대출의 상환 방식 비교",
                "unit": "원",
                "labels": list(METHOD_NAMES.values()),
                "series": series,
                "note": "금리가 그대로라고 볼 때의 계산입니다.",
            },
        }


def _product(item: dict[str, Any]) -> LoanProduct:
    rate = item.get("rate")
    return LoanProduct(
        id=item["id"],
        name=item["name"],
        kind=item["kind"],
        provider=item["provider"],
        summary=item["summary"],
        as_of=item["as_of"],
        source=item["source"],
        conditions=tuple(Condition(**condition) for condition in item["conditions"]),
        rate=(rate[0], rate[1]) if rate else None,
        limit=item.get("limit"),
        note=item.get("note", ""),
    )


def _score(product: LoanProduct, query: str) -> int:
    text = f"{product.name} {product.summary}"
    words = [word for word in query.replace("대출", " ").split() if len(word) >= 2]
    return sum(2 if word in product.name else 1 for word in words if word in text)
