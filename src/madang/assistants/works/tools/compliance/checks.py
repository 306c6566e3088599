"""One function per rule: does it apply to the facts, and if so, what follows."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from madang.assistants.works.data.rules import Rule
from madang.assistants.works.tools.compliance.facts import ATTENDEE, DIRECT, SPEAKER, THROUGH, Benefit, Facts

Status = str


@dataclass(frozen=True)
class LedgerEntry:
    """A benefit that was given before."""

    customer: str
    kind: str
    amount: int
    day: date
    people: int = 1


@dataclass(frozen=True)
class Verdict:
    status: Status
    details: str
    confidence: float
    missing: str | None = None


Check = Callable[[Facts, Rule, Sequence[LedgerEntry], date], Verdict | None]


def _won(amount: int) -> str:
    man, rest = divmod(amount, 10_000)
    return f"{man:,}만원" if man and not rest else f"{amount:,}원"


def passed(details: str, confidence: float = 0.95) -> Verdict:
    return Verdict("pass", details, confidence)


def violated(details: str, confidence: float = 0.95) -> Verdict:
    return Verdict("violation", details, confidence)


def unverified(details: str, missing: str) -> Verdict:
    return Verdict("unverified", details, 0.5, missing)


def prohibited(kind: str, label: str) -> Check:
    """A kind of benefit that is never allowed."""

    def check(facts: Facts, _rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
        found = facts.of(kind)
        if found:
            return violated(f"{label}에 해당하는 내용이 있습니다: {found[0].text}")
        return passed(f"{label}에 해당하는 내용이 없습니다", 0.85)

    return check


def inducement(facts: Facts, _rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict:
    if facts.induced:
        return violated(f"판매촉진의 대가로 읽힙니다: {facts.induced}")
    return passed("처방·거래의 대가라는 내용이 없습니다", 0.85)


def other_benefit(facts: Facts, _rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
    goods, gifts = facts.of("goods"), facts.of("gift")
    if goods:
        return violated(f"허용되는 경제적 이익의 유형이 아닙니다: {goods[0].text}")
    if gifts and not facts.public:
        return unverified(
            f"선물({gifts[0].text})은 허용 유형에 없습니다. 목적과 받는 사람을 확인해야 합니다", "제공 목적"
        )
    if facts.of("condolence") and not facts.public:
        return unverified("경조사비는 받는 사람의 소속에 따라 다릅니다", "받는 사람의 소속")
    return None


def within(kind: str, label: str, settings: tuple[str, ...] = ()) -> Check:
    """A benefit with a limit per person."""

    def check(facts: Facts, rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
        if settings and facts.setting not in settings:
            return None
        found = facts.of(kind)
        return judge_amount(found, facts, rule.figure("limit"), label) if found else None

    return check


def judge_amount(found: Sequence[Benefit], facts: Facts, limit: int, label: str) -> Verdict:
    """Per-person amounts against a limit; what isn't known isn't passed."""
    for one in found:
        if one.each is not None and one.each > limit:
            return violated(f"1인당 {label} {_won(one.each)}은 한도 {_won(limit)}을 넘습니다")
    for one in found:
        if one.each is None and one.total is None:
            return unverified(f"{label} 금액이 없습니다 (한도 1인당 {_won(limit)})", "1인당 금액")
        if one.each is None and one.total is not None:
            if facts.people and one.total > limit * facts.people:
                return violated(f"{facts.people}명에 {_won(one.total)}이면 1인당 {_won(limit)}을 넘습니다")
            if one.total <= limit:
                continue
            missing = "참석 인원" if not facts.people else "1인당 금액인지 총액인지"
            return unverified(f"{label} {_won(one.total)}의 1인당 금액을 알 수 없습니다", missing)
    each = max((one.each or 0) for one in found)
    return passed(f"1인당 {label} {_won(each) if each else ''} 한도 {_won(limit)} 이내".replace("  ", " "))


def visit_meal(facts: Facts, rule: Rule, ledger: Sequence[LedgerEntry], today: date) -> Verdict | None:
    meals = facts.of("meal")
    if not meals or facts.setting not in {"visit", "none"}:
        return None
    verdict = judge_amount(meals, facts, rule.figure("limit"), "식음료")
    if verdict.status == "violation":
        return verdict
    day = facts.day or today
    known = [e for e in ledger if e.kind == "meal" and facts.customer and e.customer == facts.customer]
    month = [e for e in known if (e.day.year, e.day.month) == (day.year, day.month)]
    same_day = sum(e.amount for e in month if e.day == day) + max((m.each or 0) for m in meals)
    if facts.times_a_month and facts.times_a_month > rule.figure("per_month"):
        return violated(f"월 {facts.times_a_month}회는 한도 {rule.figure('per_month')}회를 넘습니다")
    if len(month) + 1 > rule.figure("per_month"):
        return violated(
            f"{facts.customer}에 이번 달 이미 {len(month)}회 제공되어 한도 {rule.figure('per_month')}회를 넘습니다"
        )
    if same_day > rule.figure("limit"):
        return violated(f"같은 날 합계 {_won(same_day)}은 하루 한도 {_won(rule.figure('limit'))}을 넘습니다")
    if facts.setting == "none" and verdict.status == "pass" and max((m.each or 0) for m in meals) > 50_000:
        return unverified("제품 설명을 위한 자리인지 알 수 없습니다", "자리의 목적(제품설명회·방문)")
    return verdict


def sample(facts: Facts, _rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
    if not facts.of("sample"):
        return None
    text = facts.text
    if re.search(
        r"환자(?:에게|용|\s?처방|\s?투약)?|처방용|판매용|대량|\d{2,}\s?(?:박스|통|개|병|갑)|\d+\s?일분|[2-9]\s?(?:박스|통)",
        text,
    ):
        return violated("견본품은 제형 확인에 필요한 최소 수량만, 환자에게 쓰이지 않게 제공해야 합니다")
    if re.search(r"최소\s?(?:포장|수량|단위)|1\s?(?:개|포|정|박스)|한\s?(?:개|포|박스)", text) and re.search(
        r"견본품\s?(?:표시|표기|이라고)|[\"']?(?:sample|샘플)[\"']?\s?(?:표시|표기)|표시", text, re.IGNORECASE
    ):
        return passed("최소 포장단위이고 견본품 표시가 있습니다")
    return unverified("수량과 견본품 표시를 확인해야 합니다", "수량과 견본품 표시")


def conference(facts: Facts, _rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
    if not facts.of("conference"):
        return None
    if facts.says(ATTENDEE) or facts.says(DIRECT) or facts.companion:
        return violated("발표자·좌장·토론자가 아니거나 주최자를 통하지 않은 지원입니다")
    if facts.says(SPEAKER) and facts.says(THROUGH):
        return passed("발표자·좌장·토론자를 주최자를 통해 지원합니다")
    missing = "주최자를 통한 지원인지" if facts.says(SPEAKER) else "참가자의 역할"
    return unverified("참가자의 역할과 지원 경로를 확인해야 합니다", missing)


def post_marketing(facts: Facts, rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
    found = facts.of("post_marketing")
    if not found:
        return None
    extra = re.search(r"추가\s?작업|추적|장기|심층", facts.text) and not re.search(
        r"추가\s?작업\s?(?:은|이)?\s?(?:없|불필요)", facts.text
    )
    return judge_amount(found, facts, rule.figure("limit_extra" if extra else "limit"), "사례비")


def discount(facts: Facts, rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
    if not facts.of("discount") or not re.search(r"결제|대금|지급|정산|회전|이내|개월", facts.text):
        return None
    if facts.rate is None or facts.months is None:
        return unverified("할인율이나 결제 기간이 없습니다", "할인율과 결제 기간")
    allowed = float(rule.figures["rates"].get(str(facts.months), 0.0))
    if facts.rate > allowed + 1e-9:
        return violated(f"{facts.months}개월 결제의 할인율 {facts.rate:.1%}는 한도 {allowed:.1%}를 넘습니다")
    return passed(f"{facts.months}개월 결제의 할인율 {facts.rate:.1%}는 한도 {allowed:.1%} 이내입니다")


def expense_report(facts: Facts, _rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
    if not any(b.kind in {"meal", "souvenir", "sample", "conference", "post_marketing"} for b in facts.benefits):
        return None
    if facts.customer:
        return passed(f"받는 기관: {facts.customer}", 0.8)
    return unverified("받는 사람의 소속 기관이 적혀 있지 않습니다", "받는 기관")


def graft_meal(facts: Facts, rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
    meals = facts.of("meal")
    if not facts.public or not meals:
        return None
    if facts.setting in {"seminar", "visit"}:
        return passed("제품설명회 식음료는 약사법령이 허용하는 범위에서 예외입니다(제8조제3항제8호)", 0.8)
    return judge_amount(meals, facts, rule.figure("limit"), "음식물")


def graft_gift(facts: Facts, rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
    gifts = facts.of("gift")
    if not facts.public or not gifts:
        return None
    name = (
        "limit_farm_holiday"
        if facts.farm_produce and facts.holiday
        else "limit_farm"
        if facts.farm_produce
        else "limit"
    )
    return judge_amount(gifts, facts, rule.figure(name), "선물")


def graft_condolence(facts: Facts, rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
    given = facts.of("condolence")
    if not facts.public or not given:
        return None
    wreath = re.search(r"화환|조화", facts.text)
    return judge_amount(given, facts, rule.figure("limit_wreath" if wreath else "limit"), "경조사비")


def graft_total(facts: Facts, rule: Rule, ledger: Sequence[LedgerEntry], today: date) -> Verdict | None:
    kinds = {"cash", "gift", "entertainment", "goods", "condolence"}
    given = [b for b in facts.benefits if b.kind in kinds]
    if not facts.public or not given:
        return None
    amount = max((b.each or b.total or 0) for b in given)
    year = (facts.day or today).year
    before = sum(
        e.amount // max(1, e.people)
        for e in ledger
        if facts.customer and e.customer == facts.customer and e.day.year == year
    )
    if amount > rule.figure("limit"):
        return violated(f"1회 {_won(amount)}은 {_won(rule.figure('limit'))}을 넘습니다")
    if amount + before > rule.figure("per_year"):
        return violated(f"올해 합계 {_won(amount + before)}은 {_won(rule.figure('per_year'))}을 넘습니다")
    return (
        passed("총액 한도 이내이지만 직무와 관련되면 금액과 관계없이 금지됩니다(제8조제2항)", 0.6)
        if amount
        else unverified("금액이 없습니다", "금액")
    )


def fee(kind: str, label: str) -> Check:
    """Lecture and advisory fees: each time, and summed with what was paid before."""

    def check(facts: Facts, rule: Rule, ledger: Sequence[LedgerEntry], today: date) -> Verdict | None:
        found = facts.of(kind)
        if not found:
            return None
        amounts = [b.each or b.total for b in found if b.each or b.total]
        if not amounts:
            return unverified(f"{label} 금액이 없습니다", "금액")
        amount = max(a for a in amounts if a)
        hourly = amount / facts.hours if facts.hours and not re.search(r"시간당|1시간에", facts.text) else amount
        if hourly > rule.figure("limit"):
            return violated(f"{label} {_won(int(hourly))}은 한도 {_won(rule.figure('limit'))}을 넘습니다")
        if "per_day" in rule.figures and amount > rule.figure("per_day"):
            return violated(f"하루 {label} {_won(amount)}은 한도 {_won(rule.figure('per_day'))}을 넘습니다")
        year = (facts.day or today).year
        mine = [e for e in ledger if e.kind == kind and facts.customer and e.customer == facts.customer]
        total = amount + sum(e.amount for e in mine if e.day.year == year)
        if total > rule.figure("per_year"):
            return violated(f"올해 {label} 합계 {_won(total)}은 한도 {_won(rule.figure('per_year'))}을 넘습니다")
        return passed(f"{label} {_won(amount)}은 한도 이내입니다")

    return check


def venue(facts: Facts, _rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
    if facts.setting not in {"seminar", "conference"}:
        return None
    if facts.venue:
        return violated(f"행사 장소로 맞지 않습니다: {facts.venue}")
    return passed("오락·관광 장소라는 내용이 없습니다", 0.7)


def companion(facts: Facts, _rule: Rule, _ledger: Sequence[LedgerEntry], _today: date) -> Verdict | None:
    if facts.companion:
        return violated(f"동반자가 있습니다: {facts.companion}")
    return passed("동반자에 관한 내용이 없습니다", 0.7) if facts.setting in {"seminar", "conference"} else None


def prior_approval(facts: Facts, rule: Rule, _ledger: Sequence[LedgerEntry], today: date) -> Verdict | None:
    if facts.setting != "seminar":
        return None
    if facts.day is None:
        return unverified("행사일이 없습니다", "행사일")
    ahead = (facts.day - today).days
    if 0 <= ahead < rule.figure("days"):
        return violated(f"행사일까지 {ahead}일 남았습니다 ({rule.figure('days')}일 전 신청)")
    return passed(f"행사일 {facts.day.isoformat()}")


CHECKS: dict[str, Check] = {
    "rebate_law.inducement": inducement,
    "rebate_law.cash": prohibited("cash", "현금·상품권"),
    "rebate_law.entertainment": prohibited("entertainment", "향응·오락"),
    "rebate_law.other_benefit": other_benefit,
    "rebate_law.seminar_meal": within("meal", "식음료", ("seminar",)),
    "rebate_law.seminar_gift": within("souvenir", "기념품"),
    "rebate_law.visit_meal": visit_meal,
    "rebate_law.promo_item": within("promo_item", "판촉물"),
    "rebate_law.sample": sample,
    "rebate_law.conference": conference,
    "rebate_law.post_marketing": post_marketing,
    "rebate_law.discount": discount,
    "rebate_law.expense_report": expense_report,
    "anti_graft.meal": graft_meal,
    "anti_graft.gift": graft_gift,
    "anti_graft.condolence": graft_condolence,
    "anti_graft.total": graft_total,
    "fair_trade.lecture_fee": fee("lecture_fee", "강연료"),
    "fair_trade.advisory_fee": fee("advisory_fee", "자문료"),
    "fair_trade.venue": venue,
    "internal.companion": companion,
    "internal.prior_approval": prior_approval,
}
