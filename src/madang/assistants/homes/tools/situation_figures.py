"""What a situation's answer works out from the days and sums that were told: a sentence, or nothing where they don't
say enough."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta

from madang.assistants.homes.tools.situation_sums import SUMS, nearest
from madang.text.calendars import add_months, is_day_off
from madang.text.message import Message, Value

_ENDS = ("만기", "끝", "만료", "종료", "까지")
_OVER = ("끝났", "끝난", "지났", "만료됐", "만료된", "종료됐", "종료된")
_DIED = ("돌아가", "사망", "별세", "죽", "떠나", "상속")
_NEAR = 14


def worked_out(names: Sequence[str], texts: Sequence[str], today: date) -> list[str]:
    """The sentences of these figures; `texts` are the user's messages, the newest last."""
    if not names or not texts:
        return []
    messages = [Message.read(text, today, context="housing") for text in texts]
    return [line for name in names if (line := {**FIGURES, **SUMS}[name](messages))]


def contract_end(texts: Sequence[str], today: date) -> str | None:
    """The day a contract ends as told in these messages, in ISO form."""
    messages = [Message.read(text, today, context="housing") for text in texts]
    over = _day_said(messages, _OVER)
    end = add_months(over, -12) if over and over > today else over or _day_said(messages, _ENDS[:-1])
    return end.isoformat() if end else None


def _three_months(messages: Sequence[Message]) -> str:
    today = messages[-1].today
    return f"오늘({_day(today)}) 통지가 닿으면 {_day(add_months(today, 3))}에 계약이 끝나요."


def _home_notice(messages: Sequence[Message]) -> str:
    today = messages[-1].today
    end = _day_said(messages, _ENDS)
    if end is None or end <= today:
        return ""
    last = add_months(end, -2) - timedelta(days=1)
    late = " 이미 지났으니 오늘 바로 알리고 협의하세요." if last < today else ""
    return f"만기가 {_day(end)}이면 {_day(add_months(end, -6))}부터 {_day(last)}까지 통지가 닿아야 해요.{late}"


def _shop_notice(messages: Sequence[Message]) -> str:
    today = messages[-1].today
    end = _day_said(messages, _ENDS)
    if end is None or end <= today:
        return ""
    last = add_months(end, -1) - timedelta(days=1)
    late = " 이미 지났으니 오늘 바로 보내고 상담하세요." if last < today else ""
    return f"만기가 {_day(end)}이면 갱신 요구는 {_day(last)}까지 닿아야 해요.{late}"


def _registration_day(messages: Sequence[Message]) -> str:
    end = _day_said(messages, ("만기", "끝", "만료", "종료"))
    return f"만기가 {_day(end)}이면 {_day(end + timedelta(days=1))}부터 신청할 수 있어요." if end else ""


def _days_left(messages: Sequence[Message]) -> str:
    today = messages[-1].today
    last = _day_said(messages, ("종기", "기한", "마감"))
    return f"{_day(last)}까지 오늘부터 {(last - today).days}일 남았어요." if last and last >= today else ""


def _inheritance(messages: Sequence[Message]) -> str:
    today = messages[-1].today
    died = _day_said(messages, _DIED, past=True)
    if died is None:
        return ""
    if died > today:
        died = add_months(died, -12)
    decide = _open_day(add_months(died, 3))
    filed = _open_day(add_months(died.replace(day=1), 7) - timedelta(days=1))
    past = " 이미 지났으니" if decide < today else ""
    late = f"{past} 빚이 더 많은 줄 몰랐던 사정(안 날부터 3개월의 한정승인)이 되는지 상담하세요." if past else ""
    return (
        f"{_day(died)}에 돌아가신 것을 그날 알았다면 포기·한정승인은 {_day(decide)}까지,"
        f" 상속세·취득세 신고는 {_day(filed)}까지예요(마지막 날이 쉬는 날이면 다음 날, 민법 제161조).{late}"
    )


def _filing_days(messages: Sequence[Message]) -> str:
    """The last days of what is to be filed after the days that were told."""
    words = {"계약": "signed", "잔금": "paid", "이사": "moved", "입주": "moved"}
    days = {name: value.value.start for name, value in nearest(messages, "date", words).items() if value.value.start}
    filed = (("signed", 30, "거래(전월세) 신고"), ("paid", 60, "취득세와 등기"), ("moved", 14, "전입신고"))
    told = [
        f"{what}는 {_day(_open_day(days[name] + timedelta(days=span)))}까지"
        for name, span, what in filed
        if name in days
    ]
    return f"말씀하신 날짜로는 {', '.join(told)}예요." if told else ""


def _open_day(day: date) -> date:
    """The day a period ends that would end on this one: the next that is no Saturday, Sunday or holiday."""
    while is_day_off(day):
        day += timedelta(days=1)
    return day


def _rank(messages: Sequence[Message]) -> str:
    """Which comes first, where both days are told: the mortgage's and one's own."""
    mine = _day_said(messages, ("확정일자", "전입", "들어", "입주", "계약은"), past=True)
    theirs = _day_said(messages, ("근저당", "을구", "채권", "설정"), past=True)
    if mine is None or theirs is None or mine == theirs:
        return ""
    first = "내 날짜가 먼저라 은행보다 앞서요" if mine < theirs else "근저당이 먼저라 은행 뒤예요"
    return f"말씀하신 날짜(나 {_day(mine)}, 근저당 {_day(theirs)})로 보면 {first}."


FIGURES: dict[str, Callable[[Sequence[Message]], str]] = {
    "three_months": _three_months,
    "home_notice": _home_notice,
    "shop_notice": _shop_notice,
    "registration_day": _registration_day,
    "days_left": _days_left,
    "inheritance": _inheritance,
    "rank": _rank,
    "filing_days": _filing_days,
}


def _day_said(messages: Sequence[Message], words: Sequence[str], *, past: bool = False) -> date | None:
    """The one day that stands next to one of these words, in the newest message that has it; None if there are two."""
    for message in reversed(messages):
        days = {
            (value.value.start if past else value.value.end)
            for value in message.of("date")
            if _beside(message.text, value, words) and value.value.start is not None
        }
        if days:
            return days.pop() if len(days) == 1 else None
    return None


def _beside(text: str, value: Value, words: Sequence[str]) -> bool:
    around = text[max(0, value.span[0] - _NEAR) : value.span[1] + _NEAR]
    return any(word in around for word in words)


def _day(day: date) -> str:
    return f"{day.year}년 {day.month}월 {day.day}일"
