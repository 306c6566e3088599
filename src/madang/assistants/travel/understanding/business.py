"""Days of one's own after days of work: 11~13일 출장인데 토요일까지 남아서, 목금 출장인데 주말 붙여서."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from madang.graph.reading import Heard
from madang.text.clauses import Span

_WORK = re.compile(r"[^.?!\n]{0,16}(?:출장|회의|학회|세미나|워크숍|컨퍼런스|박람회)")
_STAYS = re.compile(
    r"(?P<day>[월화수목금토일])요일\s?까지\s?(?:더\s?)?(?:남|있|놀|묵|머)|(?P<weekend>주말)(?:까지)?\s?(?:붙|끼|껴|이어)"
)
_PAID = re.compile(r"\d\s?박\s?\([^)]{3,20}\)")
_DAYS = "월화수목금토일"


@dataclass(frozen=True)
class OwnDays:
    """The days after the work: what they change, the words each came from, and the words that are the work's."""

    changes: dict[str, Any]
    claims: tuple[tuple[Span, str, Any], ...]
    hidden: tuple[Span, ...]


def after_business(heard: Heard) -> OwnDays | None:
    """The stay after a business trip, if the message tells of one: from the last day of work."""
    text = heard.message.text
    work = next((one for one in heard.message.of("date") if _WORK.match(text, one.span[1])), None)
    stays = _STAYS.search(text, work.span[1]) if work else None
    if work is None or stays is None or not isinstance(work.value.end, date):
        return None
    last: date = work.value.end
    weekday = 6 if stays["weekend"] else _DAYS.index(stays["day"])
    nights = (weekday - last.weekday()) % 7 or 7
    home = last + timedelta(days=nights)
    changes = {
        "depart_date": last.isoformat(),
        "return_date": home.isoformat(),
        "duration": nights,
        "depart_window": None,
    }
    paid = tuple(match.span() for match in _PAID.finditer(text))
    days = [one.span for one in heard.message.of("date")]
    return OwnDays(
        changes,
        ((work.span, "aside", work.words), (stays.span(), "return_date", home.isoformat())),
        (work.span, *paid, *days, stays.span()),
    )
