"""Dates: when to give notice, when a termination takes effect, when a report is due."""

import calendar
from datetime import date, timedelta
from typing import Literal

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import Calculation, refuse

Kind = Literal["housing", "shop"]


def add_months(day: date, months: int) -> date:
    """The same day `months` later (or earlier), or that month's last day if it has none."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    if not date.min.year <= year < date.max.year:
        raise refuse("date", "날짜가 범위를 벗어났습니다")
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def notice_window(lease_end: date, *, today: date | None = None, kind: Kind = "housing") -> Calculation:
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


def termination_date(notified: date, *, kind: Kind = "housing") -> Calculation:
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


def report_deadline(signed: date, deposit: int, monthly_rent: int) -> Calculation:
    """Whether a lease must be reported and by when."""
    table = section("lease_report")
    due = signed + timedelta(days=int(table["days"]))
    needed = deposit > table["deposit_over"] or monthly_rent > table["rent_over"]
    return Calculation(
        calculator="lease_report",
        title="주택 임대차 신고",
        values={"required": needed, "due": due.isoformat() if needed else None},
        inputs={"signed": signed.isoformat(), "deposit": deposit, "monthly_rent": monthly_rent},
        formula="보증금 6천만원 초과 또는 월세 30만원 초과면 계약일부터 30일 안",
        explanation=(
            f"{signed.isoformat()} + 30일 = {due.isoformat()}" if needed else "기준 금액 이하라 신고 대상이 아닙니다",
        ),
        rules=(fact("임대차 신고", "6천만원·30만원 초과, 30일", "lease_report"),),
        notes=("금액 변동 없이 기간만 늘린 갱신과 도의 군 지역(경기도 제외)은 대상이 아닙니다.",),
    )


def _position(today: date, start: date, end: date) -> str:
    if today < start:
        return f"아직 통지 기간 전입니다 ({(start - today).days}일 뒤 시작)"
    if today > end:
        return f"통지 기간이 {(today - end).days}일 지났습니다"
    return f"지금 통지할 수 있고 {(end - today).days}일 남았습니다"
