"""When renewal can be asked for or refused."""

from datetime import date, timedelta
from typing import Literal

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import Calculation
from madang.assistants.homes.tools.calculators.common_inputs import LEASE_KIND
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs
from madang.assistants.homes.tools.figure_facts import Facts
from madang.text.calendars import add_months

_WHEN = (
    r"언제|까지(?!\s?(?:올|받|인상|가능|될|되|내))|기한|기간|며칠|몇\s?(?:일|월|개월|달)|늦어도|날짜|마지막\s?날|시점"
)
_HOW_MUCH = r"얼마|최대|상한|한도|몇\s?(?:프로|퍼센트|%)"
_LEASE_END = (
    r"만기|만료|종료|끝나|끝납|끝난|끝날|끝인|끝이|끝남|끝\b|(?:계약|전세|월세|임대차)[^?]{0,60}\d[^?]{0,4}까지(?!\s?(?:통보|말|얘기|알|해|하))"
    r"|계약\s?기간[^?]{0,12}\d|계약[^?]{0,40}~[^?]{0,6}\d"
    r"|(?:(?:\d|이)\s?년[^?]{0,4}계약|계약[^?]{0,30}(?:\d|이)\s?년(?:으로|간|짜리))(?=[^?]{0,80}(?:갱신|통보|통지|언제까지|기한|기간))"
)
_TELL = r"언제|통보|통지|기간|기한|까지|말해|말하|얘기|알려야|갱신|연장|재계약|나가|나간|나갈|며칠|마지막\s?날|늦어도"
_WORDS = (
    rf"(?:{_LEASE_END})[^?]{{0,80}}(?:{_TELL})|(?:언제|통보|통지|갱신|기한)[^?]{{0,80}}(?:{_LEASE_END})"
    r"|(?:갱신|연장|재계약)[^?]{0,16}(?:요구|청구|거절|통지|통보|의사)[^?]{0,24}(?:언제|기간|기한|며칠)"
)
Leased = Literal["housing", "shop"]


def notice_window(lease_end: date, *, today: date | None = None, kind: Leased = "housing") -> Calculation:
    """When renewal can be asked for or refused before a lease ends."""
    table = section("notice", kind)
    first, last = int(table["from_months"]), int(table["to_months"])
    start, end = add_months(lease_end, -first), add_months(lease_end, -last)
    safe = end - timedelta(days=1)
    lines = [
        f"만료일 {lease_end.isoformat()}의 {first}개월 전 = {start.isoformat()}, {last}개월 전 = {end.isoformat()}",
        f"통지는 상대방에게 도달해야 하므로 {safe.isoformat()}까지 도착하게 보내면 안전합니다",
    ]
    if today is not None:
        lines.append(_position(today, start, end))
    return Calculation(
        calculator="notice",
        title="갱신 요구·거절 통지 기간",
        values={
            "start": start.isoformat(),
            "end": end.isoformat(),
            "safe_end": safe.isoformat(),
            "lease_end": lease_end.isoformat(),
            "renewed_until": add_months(lease_end, 12 * int(table["renewal_years"])).isoformat(),
            "open": None if today is None else start <= today <= end,
        },
        inputs={"lease_end": lease_end.isoformat(), "today": None if today is None else today.isoformat()},
        formula=f"만료일 {first}개월 전부터 {last}개월 전까지",
        explanation=tuple(lines),
        rules=(fact("통지 기간", f"{first}개월 전 ~ {last}개월 전", "notice", kind),),
        notes=(
            "아무 말이 없으면 같은 조건으로 묵시적 갱신이 됩니다.",
            "문자·카카오톡도 되지만 내용증명처럼 도달을 증명할 수 있는 방법이 안전합니다.",
        ),
    )


def _position(today: date, start: date, end: date) -> str:
    if today < start:
        return f"아직 통지 기간 전입니다 ({(start - today).days}일 뒤 시작)"
    if today > end:
        return f"통지 기간이 {(today - end).days}일 지났습니다"
    return f"지금 통지할 수 있고 {(end - today).days}일 남았습니다"


def _read(facts: Facts) -> Inputs:
    return {"lease_end": facts.lease_end, "today": facts.today, "kind": "shop" if facts.is_shop else None}


def _is_meant(facts: Facts) -> bool:
    """Not in a story that tells its end and asks for a sum."""
    if not facts.sums:
        return True
    return facts.lease_end is not None and (not facts.says(_HOW_MUCH) or facts.says(_WHEN))


CALCULATOR = Calculator(
    name="notice",
    label="통지 기간",
    subject="law",
    examples=("2027년 3월 31일 만기인데 언제까지 통보해야 해요?",),
    cues=(Cue(_WORDS, 110, _is_meant),),
    inputs=(
        Input("lease_end", "date", question="계약 만료일이 언제인가요?", slot="contract_end"),
        Input("today", "today"),
        LEASE_KIND,
    ),
    needed=("lease_end",),
    read=_read,
    run=notice_window,
    said=lambda values, _inputs: f"{values['start']}부터 {values['safe_end']}까지 상대방에게 알려야 합니다.",
    bounds={},
    sources=("notice",),
    rule_suffices=True,
)
