"""Topics of the guide as an answer: each in its words, with what it rests on, and with what can be counted in it."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from madang.assistants.works.tools.guide import Topic, english, in_english, terms_in
from madang.search.faq import Question
from madang.text.calendars import is_day_off
from madang.text.dates import find_dates
from madang.text.money import find_money

_LEAVE = re.compile(r"(?<!월)(?<![\d월]\s)(?<!\d)(?P<days>\d{1,2})\s?(?:일|개)(?![가-힣]*까지)")
NOTE = "법률 자문이 아닙니다. 회사 기준과 최신 규정은 준법(CP) 담당자에게 확인하세요."


def guide_text(topics: Sequence[Topic], text: str, today: date) -> str:
    """What the guide says to a message."""
    parts = []
    if terms := terms_in(text):
        parts.append("\n".join(f"- **{term}**: {meaning}" for term, meaning in terms.items()))
    for topic in topics:
        counted = _counted(topic, text, today)
        body = "\n\n".join(filter(None, (counted, topic.answer)))
        head = f"**{topic.title}**\n\n" if len(topics) > 1 or terms else ""
        parts.append(f"{head}{body}\n\n_근거: {topic.basis}_")
    if any("약사법" in topic.basis or "규약" in topic.basis for topic in topics):
        parts.append(NOTE)
    return "\n\n".join(parts)


def narrow_text(one: Question, *, english: bool = False) -> str:
    """A narrow question with its answer; a ready text is set apart, to be copied."""
    parts = [f"**{one.asked_in('en' if english else 'ko')}**\n{one.english if english else one.answer}"]
    if one.text:
        parts.append("\n".join(f"> {line}".rstrip() for line in one.text.splitlines()))
    if one.law:
        parts.append(f"_근거: {', '.join(one.law)}_")
    return "\n\n".join(parts)


LATIN = 0.8


def language_of(text: str) -> str:
    """The language of a message: English where nearly all its letters are Latin."""
    letters = [one for one in text if one.isalpha()]
    latin = sum(one.isascii() for one in letters)
    return "en" if letters and latin >= LATIN * len(letters) else "ko"


def english_text(topics: Sequence[Topic]) -> str:
    """What the guide says to an English message."""
    told = [found for topic in topics if (found := in_english(topic))]
    parts = [
        (f"**{one.title}**\n\n" if len(told) > 1 else "")
        + f"{one.answer}\n\n_{english('basis').format(basis=one.basis)}_"
        for one in told
    ]
    return "\n\n".join([*parts, english("note")] if parts else [])


def _counted(topic: Topic, text: str, today: date) -> str:
    if topic.computes == "withholding":
        return _withheld(text)
    return _days_left(text, today) if topic.computes == "weekdays_left" else ""


def _withheld(text: str) -> str:
    amounts = [item.value.won for item in find_money(text) if item.value.won]
    if not amounts:
        return ""
    fee = amounts[0]
    tax = fee * 88 // 1000
    return (
        f"{fee:,}원이면 기타소득으로 **{tax:,}원(8.8%)** 을 떼고 {fee - tax:,}원을 지급합니다. "
        f"사업소득이면 3.3%인 {fee * 33 // 1000:,}원입니다."
    )


def _days_left(text: str, today: date) -> str:
    """Working days from tomorrow to the last day, beside the days that are left of the leave."""
    ends = [item.value.end for item in find_dates(text, today) if item.value.end and item.value.end > today]
    if not ends and "말일" not in text:
        return ""
    last = ends[0] if ends else (today.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    days = [today + timedelta(days=n) for n in range(1, (last - today).days + 1)]
    working = [day for day in days if not is_day_off(day)]
    left = [int(match["days"]) for match in _LEAVE.finditer(text)]
    count = len(working)
    told = f"내일부터 {last.month}월 {last.day}일까지 근무일은 **{count}일**(오늘을 넣으면 {count + 1}일)입니다."
    if left:
        short = left[0] - len(working)
        told += (
            f" 남은 연차 {left[0]}일을 다 쓰기에는 {short}일 모자랍니다."
            if short > 0
            else f" 남은 연차 {left[0]}일을 다 쓸 수 있습니다."
        )
    return told
