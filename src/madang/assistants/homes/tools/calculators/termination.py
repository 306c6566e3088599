"""When a tenant's notice ends a renewed lease."""

import re
from datetime import date

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import Calculation
from madang.assistants.homes.tools.calculators.common_inputs import LEASE_KIND
from madang.assistants.homes.tools.calculators.notice import Leased
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs
from madang.assistants.homes.tools.figure_facts import Facts
from madang.text.calendars import add_months

_MOVE_OUT = (
    r"해지|나가|나간|나갈|이사|퇴거|방\s?(?:을\s?)?(?:빼|뺀|뺄)|통보|통지|중도|비우|비운|비울|떠나|옮기"
    r"|내용\s?증명|도달|도착|효력|종료일"
)
_RENEWED = (
    r"묵시|묵갱|자동\s?(?:으로\s?)?(?:갱신|연장)|(?:갱신|연장)(?:\s?계약)?(?:된|됐|되어|되고|돼서|하고|한(?!다)|했|해서|\s?중|\s?상태)"
    r"|갱신(?:요구|청구)?권?(?:을|를)?\s?(?:써서|쓰고|쓴(?!다)|썼|사용해서?|사용한|사용했|행사해서?|행사한(?!다)|행사했)"
)
_NOT_RENEWED = r"(?:묵시|자동)[^?]{0,12}(?:안\s?되|안\s?돼|막으|막을|피하|되지\s?않|되기\s?전|되는\s?거\s?막)"
_DEADLINE = r"기한|(?:언제|며칠)까지\s?(?:[가-힣]+\s){0,3}(?:통보|통지|말|알려|알리|얘기|해야)|늦어도"
_ENDS = re.compile(r"(?:이|에|가|자로)?\s?(?:만기|만료|종료|끝)")


def termination_date(notified: date, *, kind: Leased = "housing") -> Calculation:
    """When a tenant's notice ends a lease that was renewed tacitly or on demand."""
    months = int(section("notice", kind)["termination_months"])
    effective = add_months(notified, months)
    article = "주택임대차보호법 제6조의2" if kind == "housing" else "상가건물 임대차보호법 제10조제5항"
    return Calculation(
        calculator="termination",
        title="갱신된 임대차의 해지 효력일",
        values={"effective": effective.isoformat(), "notified": notified.isoformat(), "months": months},
        inputs={"notified": notified.isoformat()},
        formula=f"임대인이 통지를 받은 날 + {months}개월",
        explanation=(
            f"통지를 받은 날 {notified.isoformat()} + {months}개월 = {effective.isoformat()}이 지나면 효력이 생깁니다",
        ),
        rules=(fact(f"해지 통지({article})", f"{months}개월", "notice", kind),),
        notes=("묵시적 갱신이나 갱신요구로 갱신된 경우에 임차인만 할 수 있습니다.", "그때까지의 차임은 내야 합니다."),
    )


def _read(facts: Facts) -> Inputs:
    return {"notified": facts.told_day, "kind": "shop" if facts.is_shop else None}


def _is_meant(facts: Facts) -> bool:
    """Not where the day it ends anyway is told and the last day to say so is asked."""
    return not (facts.says(_DEADLINE) and any(_ENDS.match(facts.text, day.span[1]) for day in facts.days))


CALCULATOR = Calculator(
    name="termination",
    label="해지 효력일",
    subject="law",
    examples=("묵시적 갱신 중인데 11월 3일에 나간다고 통보했어요 언제 끝나요?",),
    cues=(Cue(rf"\A(?!.*(?:{_NOT_RENEWED}))(?=.*(?:{_RENEWED}))(?=.*(?:{_MOVE_OUT}))", 100, _is_meant),),
    inputs=(Input("notified", "date", question="해지 통지를 임대인이 받은 날이 언제인가요?"), LEASE_KIND),
    needed=("notified",),
    read=_read,
    run=termination_date,
    said=lambda values, _inputs: (
        f"통지를 받은 {values['notified']}부터 {values['months']}개월이 지난 {values['effective']}에 계약이 끝납니다."
    ),
    bounds={"months": (1, 12)},
    sources=("notice",),
    instead_of=frozenset({"notice"}),
    rule_suffices=True,
)
