"""VTIMEZONE components from the zone database, for the years an export needs."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

_HOUR = timedelta(hours=1)


def vtimezone(name: str, first_year: int, last_year: int) -> list[str]:
    """The zone's offset at the start of the first year and every change until the end of the last."""
    zone = ZoneInfo(name)
    start = datetime(first_year, 1, 1, tzinfo=UTC)
    lines = ["BEGIN:VTIMEZONE", f"TZID:{name}"]
    lines += _observance(start.astimezone(zone), start.astimezone(zone))
    for moment in _changes(zone, start, datetime(last_year + 1, 1, 1, tzinfo=UTC)):
        lines += _observance((moment - _HOUR).astimezone(zone), moment.astimezone(zone))
    lines.append("END:VTIMEZONE")
    return lines


def _changes(zone: ZoneInfo, start: datetime, end: datetime) -> list[datetime]:
    """The hours at which the offset changes: days are scanned, then the day's hours."""
    found = []
    day = start
    while day < end:
        after = day + timedelta(days=1)
        if day.astimezone(zone).utcoffset() != after.astimezone(zone).utcoffset():
            hour = day
            while hour.astimezone(zone).utcoffset() == day.astimezone(zone).utcoffset():
                hour += _HOUR
            found.append(hour)
        day = after
    return found


def _observance(before: datetime, after: datetime) -> list[str]:
    kind = "DAYLIGHT" if after.dst() else "STANDARD"
    onset = (after - (after.utcoffset() or timedelta()) + (before.utcoffset() or timedelta())).strftime("%Y%m%dT%H%M%S")
    return [
        f"BEGIN:{kind}",
        f"DTSTART:{onset}",
        f"TZOFFSETFROM:{_offset(before)}",
        f"TZOFFSETTO:{_offset(after)}",
        f"TZNAME:{after.tzname() or 'LMT'}",
        f"END:{kind}",
    ]


def _offset(moment: datetime) -> str:
    return moment.strftime("%z")[:5]
