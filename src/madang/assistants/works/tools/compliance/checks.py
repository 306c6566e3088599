"""One function per rule: does it apply to the situation, and if so, what follows."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from madang.assistants.works.data.rules import Rule
from madang.assistants.works.tools.compliance.facts import (
    APPROVED,
    ATTENDEE,
    DIRECT,
    INSTITUTION_PAID,
    SPEAKER,
    THROUGH,
    UNAPPROVED,
    Benefit,
    Facts,
)
from madang.assistants.works.tools.compliance.verdict import (
    History,
    Verdict,
    nothing_said,
    passed,
    stated,
    unverified,
    violated,
)

Check = Callable[[Facts, Rule, History], Verdict | None]


def _won(amount: int) -> str:
    man, rest = divmod(amount, 10_000)
    return f"{man:,}만원" if man and not rest else f"{amount:,}원"


def prohibited(kind: str, label: str) -> Check:
    """A kind of benefit that is never allowed."""

    def check(facts: Facts, _rule: Rule, _history: History) -> Verdict:
        found = facts.of(kind)
        if found:
            return violated(f"{label}에 해당하는 내용이 있습니다: {found[0].text}", benefit=found)
        return nothing_said(f"{label}에 해당하는 내용이 없습니다", facts)

    return check


def inducement(facts: Facts, _rule: Rule, _history: History) -> Verdict:
    if facts.induced:
        return violated(f"판매촉진의 대가로 읽힙니다: {facts.induced}", purpose=facts.induced)
    return nothing_said("처방·거래의 대가라는 내용이 없습니다", facts)


def other_benefit(facts: Facts, _rule: Rule, _history: History) -> Verdict | None:
    if facts.unmatched:
        told = f"무엇을 제공하는 것인지 규칙의 유형과 맞춰 볼 수 없습니다: {facts.unmatched[0][:60]}"
        return unverified(told, "제공하는 것의 종류와 금액", benefit=None, recipient=facts.customer)
    goods, gifts = facts.of("goods"), facts.of("gift")
    if goods:
        return violated(f"허용되는 경제적 이익의 유형이 아닙니다: {goods[0].text}", benefit=goods)
    if gifts and not facts.public:
        return unverified(
            f"선물({gifts[0].text})은 허용 유형에 없습니다. 목적과 받는 사람을 확인해야 합니다",
            "제공 목적",
            benefit=gifts,
            purpose=None,
            recipient=facts.customer,
        )
    if facts.of("condolence") and not facts.public:
        return unverified(
            "경조사비는 받는 사람의 소속에 따라 다릅니다", "받는 사람의 소속", benefit=True, recipient=None
        )
    return None


def within(
    kind: str,
    label: str,
    settings: tuple[str, ...] = (),
    *,
    to_public: bool = False,
    figure: Callable[[Facts], str] = lambda _facts: "limit",
) -> Check:
    """A benefit with a limit per person, in some settings or to public servants only; `figure` names the limit."""

    def check(facts: Facts, rule: Rule, _history: History) -> Verdict | None:
        found = facts.of(kind)
        if not found or (settings and facts.setting not in settings) or (to_public and not facts.public):
            return None
        return judge_amount(found, facts, rule.figure(figure(facts)), label)

    return check


def judge_amount(found: Sequence[Benefit], facts: Facts, limit: int, label: str) -> Verdict:
    """Per-person amounts against a limit; what isn't known isn't passed."""
    for one in found:
        if one.each is not None and one.each > limit and facts.taxed and one.each / 1.1 <= limit:
            told = f"1인당 {label} {_won(one.each)}은 세금이 포함된 금액이라 뺀 금액을 확인해야 합니다"
            return unverified(told, "세금·봉사료를 뺀 금액", **_amount(one, facts))
        if one.each is not None and one.each > limit:
            return violated(f"1인당 {label} {_won(one.each)}은 한도 {_won(limit)}을 넘습니다", **_amount(one, facts))
    for one in found:
        known = _amount(one, facts)
        if one.each is None and one.total is None:
            return unverified(f"{label} 금액이 없습니다 (한도 1인당 {_won(limit)})", "1인당 금액", **known)
        if one.each is None and one.total is not None:
            if facts.people and one.total > limit * facts.people:
                told = f"{facts.people}명에 {_won(one.total)}이면 1인당 {_won(limit)}을 넘습니다"
                return violated(told, **known)
            if one.total <= limit:
                continue
            missing = "참석 인원" if not facts.people else "1인당 금액인지 총액인지"
            return unverified(f"{label} {_won(one.total)}의 1인당 금액을 알 수 없습니다", missing, **known)
    most = max(found, key=lambda one: one.each or 0)
    told = f"1인당 {label} {_won(most.each) if most.each else ''} 한도 {_won(limit)} 이내".replace("  ", " ")
    return passed(told, **_amount(most, facts))


def _amount(one: Benefit, facts: Facts) -> dict[str, bool]:
    """What an amount for each person rests on."""
    known = {"amount": one.each is not None or one.total is not None, "per_person": one.said}
    return known if one.each is not None else {**known, "people": facts.people is not None}


def visit_meal(facts: Facts, rule: Rule, history: History) -> Verdict | None:
    limit, most = rule.figure("limit"), rule.figure("per_month")
    meals = facts.of("meal")
    if not meals or facts.setting not in {"visit", "none"}:
        return None
    verdict = judge_amount(meals, facts, limit, "식음료")
    if verdict.status == "violation":
        return verdict
    day, each = history.day, max((m.each or 0) for m in meals)
    month = [e for e in history.entries if e.kind == "meal" and (e.day.year, e.day.month) == (day.year, day.month)]
    same_day = sum(e.amount for e in month if e.day == day) + each
    known = {**verdict.known, "customer": facts.customer, "day": facts.day}
    if facts.times_a_month and facts.times_a_month > most:
        return violated(f"월 {facts.times_a_month}회는 한도 {most}회를 넘습니다", times=True)
    if len(month) + 1 > most:
        return violated(f"{facts.customer}에 이번 달 이미 {len(month)}회 제공되어 한도 {most}회를 넘습니다", **known)
    if same_day > limit:
        return violated(f"같은 날 합계 {_won(same_day)}은 하루 한도 {_won(limit)}을 넘습니다", **known)
    if facts.setting == "none" and verdict.status == "pass" and each > 50_000:
        missing = "자리의 목적(제품설명회·방문)"
        return unverified("제품 설명을 위한 자리인지 알 수 없습니다", missing, **known, setting=None)
    return replace(verdict, known=stated(known))


def sample(facts: Facts, _rule: Rule, _history: History) -> Verdict | None:
    if not facts.of("sample"):
        return None
    text = facts.text
    if re.search(
        r"환자(?:에게|용|\s?처방|\s?투약)?|처방용|판매용|대량|\d{2}\s?(?:박스|통|개|병|갑)|\d\s?일분|[2-9]\s?(?:박스|통)",
        text,
    ):
        return violated("견본품은 제형 확인에 필요한 최소 수량만, 환자에게 쓰이지 않게 제공해야 합니다", quantity=True)
    least = re.search(r"최소\s?(?:포장|수량|단위)|1\s?(?:개|포|정|박스)|한\s?(?:개|포|박스)", text)
    marked = re.search(
        r"견본품\s?(?:표시|표기|이라고)|[\"']?(?:sample|샘플)[\"']?\s?(?:표시|표기)|표시", text, re.IGNORECASE
    )
    if least and marked:
        return passed("최소 포장단위이고 견본품 표시가 있습니다", quantity=least, label=marked)
    return unverified("수량과 견본품 표시를 확인해야 합니다", "수량과 견본품 표시", quantity=least, label=marked)


def conference(facts: Facts, _rule: Rule, _history: History) -> Verdict | None:
    if not facts.of("conference"):
        return None
    speaker, through = facts.says(SPEAKER), facts.says(THROUGH)
    if wrong := facts.says(ATTENDEE) or facts.says(DIRECT) or facts.companion:
        return violated("발표자·좌장·토론자가 아니거나 주최자를 통하지 않은 지원입니다", role=wrong)
    if speaker and through:
        return passed("발표자·좌장·토론자를 주최자를 통해 지원합니다", role=speaker, route=through)
    missing = "주최자를 통한 지원인지" if speaker else "참가자의 역할"
    return unverified("참가자의 역할과 지원 경로를 확인해야 합니다", missing, role=speaker, route=through)


def _post_marketing_limit(facts: Facts) -> str:
    extra = re.search(r"추가\s?작업|추적|장기|심층", facts.text)
    none = re.search(r"추가\s?작업\s?(?:은|이)?\s?(?:없|불필요)", facts.text)
    return "limit_extra" if extra and not none else "limit"


def discount(facts: Facts, rule: Rule, _history: History) -> Verdict | None:
    if not facts.of("discount") or not re.search(r"결제|대금|지급|정산|회전|이내|개월", facts.text):
        return None
    rate, months = facts.rate, facts.months
    if rate is None or months is None:
        told = "할인율이나 결제 기간이 없습니다"
        return unverified(told, "할인율과 결제 기간", rate=rate is not None, months=months)
    allowed = float(rule.figures["rates"].get(str(months), 0.0))
    compared = f"{months}개월 결제의 할인율 {rate:.1%}는 한도 {allowed:.1%}"
    if rate > allowed + 1e-9:
        return violated(f"{compared}를 넘습니다", rate=True, months=months)
    return passed(f"{compared} 이내입니다", rate=True, months=months)


def expense_report(facts: Facts, _rule: Rule, _history: History) -> Verdict | None:
    if not any(b.kind in {"meal", "souvenir", "sample", "conference", "post_marketing"} for b in facts.benefits):
        return None
    if facts.customer:
        return passed(f"받는 기관: {facts.customer}", customer=facts.customer, day=facts.day)
    return unverified("받는 사람의 소속 기관이 적혀 있지 않습니다", "받는 기관", customer=None, day=facts.day)


def graft_meal(facts: Facts, rule: Rule, history: History) -> Verdict | None:
    meals = facts.of("meal")
    if facts.public and meals and facts.setting in {"seminar", "visit"}:
        told = "제품설명회 식음료는 약사법령이 허용하는 범위에서 예외입니다(제8조제3항제8호)"
        return passed(told, setting=True, amount=meals[0].each)
    return within("meal", "음식물", to_public=True)(facts, rule, history)


def _gift_limit(facts: Facts) -> str:
    if not facts.farm_produce:
        return "limit"
    return "limit_farm_holiday" if facts.holiday else "limit_farm"


def _condolence_limit(facts: Facts) -> str:
    return "limit_wreath" if re.search(r"화환|조화", facts.text) else "limit"


def graft_total(facts: Facts, rule: Rule, history: History) -> Verdict | None:
    given = [b for b in facts.benefits if b.kind in {"cash", "gift", "entertainment", "goods", "condolence"}]
    if not facts.public or not given:
        return None
    amount, limit, per_year = (
        max((b.each or b.total or 0) for b in given),
        rule.figure("limit"),
        rule.figure("per_year"),
    )
    before = sum(e.amount // max(1, e.people) for e in history.entries if e.day.year == history.day.year)
    if amount > limit:
        return violated(f"1회 {_won(amount)}은 {_won(limit)}을 넘습니다", amount=amount)
    if amount + before > per_year:
        told = f"올해 합계 {_won(amount + before)}은 {_won(per_year)}을 넘습니다"
        return violated(told, amount=amount, customer=facts.customer)
    if not amount:
        return unverified("금액이 없습니다", "금액", amount=amount, customer=facts.customer)
    told = "총액 한도 이내이지만 직무와 관련되면 금액과 관계없이 금지됩니다(제8조제2항)"
    return passed(told, amount=amount, customer=facts.customer, purpose=None)


def fee(kind: str, label: str) -> Check:
    """Lecture and advisory fees: each time, and summed with what was paid before."""

    def check(facts: Facts, rule: Rule, history: History) -> Verdict | None:
        found = facts.of(kind)
        if not found:
            return None
        amount = max(b.each or b.total or 0 for b in found)
        known = {"amount": amount, "hours": facts.hours, "customer": facts.customer}
        if not amount:
            return unverified(f"{label} 금액이 없습니다", "금액", **known)
        hours = max(1.0, facts.hours or 1.0)
        hourly = amount if re.search(r"시간당|1시간에", facts.text) else amount / hours
        if hourly > rule.figure("limit"):
            return violated(f"{label} {_won(int(hourly))}은 한도 {_won(rule.figure('limit'))}을 넘습니다", **known)
        if "per_day" in rule.figures and amount > rule.figure("per_day"):
            return violated(f"하루 {label} {_won(amount)}은 한도 {_won(rule.figure('per_day'))}을 넘습니다", **known)
        year = [e for e in history.entries if e.kind == kind and e.day.year == history.day.year]
        total = amount + sum(e.amount for e in year)
        if total > rule.figure("per_year"):
            told = f"올해 {label} 합계 {_won(total)}은 한도 {_won(rule.figure('per_year'))}을 넘습니다"
            return violated(told, **known)
        return passed(f"{label} {_won(amount)}은 한도 이내입니다", **known)

    return check


def graft_lecture(facts: Facts, rule: Rule, _history: History) -> Verdict | None:
    """What may be paid for an hour to a public servant, and to a teacher of a school."""
    found = facts.of("lecture_fee")
    if not found or not (facts.servant or facts.teacher):
        return None
    amount, hours = max(b.each or b.total or 0 for b in found), max(1.0, facts.hours or 1.0)
    who = "공직자·공공기관 임직원" if facts.servant else "학교 교직원"
    limit = rule.figure("limit_servant" if facts.servant else "limit_teacher")
    # For more than an hour the whole is at most one and a half times the hourly limit.
    whole = limit if hours <= 1 else limit * 3 // 2 if facts.servant else int(limit * hours)
    if not amount:
        return unverified("강연료 금액이 없습니다", "금액", amount=None, recipient=True)
    if amount > whole:
        return violated(f"{who}의 강연료 {_won(amount)}은 상한 {_won(whole)}을 넘습니다", amount=amount, recipient=True)
    told = f"{who}의 강연료 상한 {_won(whole)} 이내입니다"
    if not facts.servant:
        told += f" (국공립·공공기관 임직원이면 시간당 {_won(rule.figure('limit_servant'))}입니다)"
    return passed(told, amount=amount, recipient=True, hours=facts.hours)


def audience(facts: Facts, rule: Rule, _history: History) -> Verdict | None:
    """A lecture needs listeners and time."""
    if not facts.of("lecture_fee") or (facts.people is None and facts.hours is None):
        return None
    if facts.people is not None and 1 < facts.people < rule.figure("least"):
        return violated(
            f"청중 {facts.people}명은 최소 {rule.figure('least')}명에 못 미칩니다", people=True, hours=facts.hours
        )
    if facts.hours is not None and round(facts.hours * 60) < rule.figure("minutes"):
        told = f"강연 {round(facts.hours * 60)}분은 최소 {rule.figure('minutes')}분에 못 미칩니다"
        return violated(told, people=facts.people, hours=True)
    return passed("청중과 강연 시간이 기준 안입니다", people=facts.people, hours=facts.hours)


def research(facts: Facts, _rule: Rule, _history: History) -> Verdict | None:
    if not facts.of("research"):
        return None
    approved, paid = facts.says(APPROVED), facts.says(INSTITUTION_PAID)
    if early := facts.says(UNAPPROVED) or facts.says(DIRECT):
        return violated("승인 전이거나 개인에게 지급한 연구비입니다", approval=early, route=early)
    if approved and paid:
        return passed("승인된 임상시험이고 기관과의 계약으로 지급합니다", approval=approved, route=paid)
    missing = "IRB·식약처 승인 여부" if not approved else "기관 계약과 지급 계좌"
    return unverified("승인과 지급 경로를 확인해야 합니다", missing, approval=approved, route=paid)


def sales_agency(facts: Facts, _rule: Rule, _history: History) -> Verdict | None:
    agency = re.search(r"CSO|판촉\s?영업자|영업\s?대행|위탁\s?영업", facts.text, re.IGNORECASE)
    if agency is None:
        return None
    if re.search(r"미신고|신고\s?(?:안|하지|없이|전)|무신고", facts.text):
        return violated("신고하지 않은 판촉영업자에게 맡길 수 없습니다", agency=agency, registered=True)
    if registered := re.search(r"신고(?:한|된|증|필|를\s?마)", facts.text):
        return passed("신고한 판촉영업자입니다", agency=agency, registered=registered)
    return unverified("판촉영업자 신고 여부를 확인해야 합니다", "판촉영업자 신고 여부", agency=agency, registered=None)


def retention(facts: Facts, rule: Rule, _history: History) -> Verdict | None:
    if not re.search(r"지출\s?보고서|증빙|영수증", facts.text) or not re.search(
        r"폐기|파기|버려|버리|삭제|없애", facts.text
    ):
        return None
    years = re.search(r"(?P<n>\d{1,2})\s?년", facts.text)
    if years and int(years["n"]) >= rule.figure("years"):
        return passed(f"{years['n']}년을 보관했습니다", years=True)
    if years:
        return violated(f"{years['n']}년만 보관하고 폐기할 수 없습니다 ({rule.figure('years')}년 보관)", years=True)
    return unverified("보관한 기간을 확인해야 합니다", "보관한 기간", years=None)


def unreadable(facts: Facts, _rule: Rule, _history: History) -> Verdict | None:
    if facts.unreadable is None:
        return None
    return unverified(f"읽지 못한 자료가 있습니다: {facts.unreadable}", "읽지 못한 자료의 내용", source=None)


def venue(facts: Facts, _rule: Rule, _history: History) -> Verdict | None:
    if facts.setting not in {"seminar", "conference"}:
        return None
    if facts.venue:
        return violated(f"행사 장소로 맞지 않습니다: {facts.venue}", place=facts.venue)
    return nothing_said("오락·관광 장소라는 내용이 없습니다", facts)


def companion(facts: Facts, _rule: Rule, _history: History) -> Verdict | None:
    if facts.companion:
        return violated(f"동반자가 있습니다: {facts.companion}", companion=facts.companion)
    if facts.setting in {"seminar", "conference"}:
        return nothing_said("동반자에 관한 내용이 없습니다", facts)
    return None


def prior_approval(facts: Facts, rule: Rule, history: History) -> Verdict | None:
    if facts.setting != "seminar":
        return None
    if facts.day is None:
        return unverified("행사일이 없습니다", "행사일", day=None)
    ahead = (facts.day - history.today).days
    if 0 <= ahead < rule.figure("days"):
        return violated(f"행사일까지 {ahead}일 남았습니다 ({rule.figure('days')}일 전 신청)", day=True)
    return passed(f"행사일 {facts.day.isoformat()}", day=True)


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
    "rebate_law.post_marketing": within("post_marketing", "사례비", figure=_post_marketing_limit),
    "rebate_law.discount": discount,
    "rebate_law.expense_report": expense_report,
    "anti_graft.meal": graft_meal,
    "anti_graft.gift": within("gift", "선물", to_public=True, figure=_gift_limit),
    "anti_graft.condolence": within("condolence", "경조사비", to_public=True, figure=_condolence_limit),
    "anti_graft.total": graft_total,
    "fair_trade.lecture_fee": fee("lecture_fee", "강연료"),
    "fair_trade.advisory_fee": fee("advisory_fee", "자문료"),
    "fair_trade.venue": venue,
    "internal.companion": companion,
    "internal.prior_approval": prior_approval,
    "rebate_law.clinical_trial": research,
    "rebate_law.sales_agency": sales_agency,
    "rebate_law.retention": retention,
    "anti_graft.lecture_fee": graft_lecture,
    "fair_trade.audience": audience,
    "internal.unreadable": unreadable,
}
