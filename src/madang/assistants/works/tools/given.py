"""What was given to customers, by whom, and where it is over a limit: the ledger as an auditor looks at it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from madang.assistants.works.state.documents import AccountRequest
from madang.assistants.works.tools.accounts import MOST, Span, condition
from madang.assistants.works.tools.warehouse import Warehouse

EACH, MONTHLY_TIMES = 100_000, 4
KINDS = {"meal": "식음료", "souvenir": "기념품", "promo_item": "판촉물", "sample": "견본품", "lecture_fee": "강연료"}
_OWN = "company_id = $company"


@dataclass(frozen=True)
class Given:
    """One benefit of the ledger."""

    day: date
    rep: str
    customer: str
    recipient: str
    kind: str
    amount: int
    people: int

    @property
    def each(self) -> float:
        return self.amount / max(1, self.people)


def given(request: AccountRequest, warehouse: Warehouse, company_id: str, span: Span, today: date) -> list[Given]:
    """What was given in the period, newest first."""
    values: dict[str, Any] = {"start": span.start, "end": span.end}
    wheres = [condition(one, values) for one in request.get("filters") or ()]
    source = " UNION ALL ".join(
        f"SELECT customer_id, rep_id, date, recipient, kind, amount, people FROM {table} WHERE {_OWN}"
        for table in warehouse.archive.tables("benefits")
    )
    sql = (
        "SELECT b.date, COALESCE(r.rep, ''), COALESCE(c.customer, ''), COALESCE(b.recipient, ''), b.kind, b.amount, "
        f"COALESCE(b.people, 1) FROM ({source}) AS b "
        f"LEFT JOIN (SELECT rep_id, rep, team, branch FROM reps WHERE {_OWN}) AS r ON r.rep_id = b.rep_id "
        "LEFT JOIN (SELECT customer_id, customer, customer_type, region, specialty, grade FROM customers "
        f"WHERE {_OWN}) AS c ON c.customer_id = b.customer_id "
        f"WHERE {' AND '.join(['b.date >= $start', 'b.date <= $end', *wheres])} ORDER BY b.date DESC"
    )
    rows = warehouse.run(company_id, today, sql, values, most=MOST).rows
    return [Given(a, b, c, d, e, int(f), int(g)) for a, b, c, d, e, f, g in rows]


def over_limit(found: Sequence[Given]) -> tuple[list[Given], list[tuple[str, str, str, int]]]:
    """Meals that cost more a head than the limit, and who got more of them in a month than they may."""
    meals = [one for one in found if one.kind == "meal"]
    costly = [one for one in meals if one.each > EACH]
    times: dict[tuple[str, str, str], int] = {}
    for one in meals:
        key = (one.recipient or one.customer, one.customer, one.day.strftime("%Y-%m"))
        times[key] = times.get(key, 0) + 1
    often = [(*key, count) for key, count in times.items() if count > MONTHLY_TIMES]
    return costly, sorted(often, key=lambda item: -item[3])


def given_text(found: Sequence[Given], span: Span) -> tuple[str, list[str], list[list[str]], str]:
    """A sentence, a table by rep, and what stands out."""
    meals = [one for one in found if one.kind == "meal"]
    reps: dict[str, list[Given]] = {}
    for one in found:
        reps.setdefault(one.rep or "미지정", []).append(one)
    rows = [
        [
            name, str(len(many)), str(sum(one.kind == "meal" for one in many)), f"{sum(one.amount for one in many):,}",
            f"{max((one.each for one in many if one.kind == 'meal'), default=0):,.0f}",
        ]
        for name, many in sorted(reps.items(), key=lambda item: -len(item[1]))
    ]  # fmt: skip
    costly, often = over_limit(found)
    told = (
        f"제공 내역 {len(found)}건({span.words}) 가운데 식음료는 {len(meals)}건입니다. "
        f"1인당 10만 원을 넘은 식음료는 {len(costly)}건, 한 사람에게 한 달 4회를 넘은 경우는 {len(often)}건입니다."
    )
    lines = [
        f"- {one.day} {one.rep} → {one.customer} {one.recipient}: {one.amount:,}원 / {one.people}명 "
        f"= 1인당 {one.each:,.0f}원"
        for one in costly[:SHOWN]
    ]
    lines += [f"- {month} {who}({customer}): {count}회" for who, customer, month, count in often[:SHOWN]]
    titles = ["담당자", "제공 건수", "식음료 건수", "금액 합계(원)", "식음료 1인당 최고(원)"]
    return told, titles, rows, "\n".join([*lines, *([""] if lines else []), *NOTES])


SHOWN = 10
NOTES = (
    "- 제공 내역에 적힌 금액이며 세금·봉사료를 나눈 자료가 없어, 제외 기준으로는 한도 안일 수 있습니다. "
    "참석자 서명과 영수증은 원본과 대조하세요.",
    "- 내역에 적히지 않은 것은 여기서 보이지 않으니 위반이 없다는 결론은 아닙니다. "
    "월 4회는 개별 기관 방문 설명의 기준입니다.",
)
