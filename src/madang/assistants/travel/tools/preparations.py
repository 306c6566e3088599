"""What is left to do before a trip leaves, by date."""

from datetime import date, timedelta

from madang.assistants.travel.data.ways import table

_TODAY = "지금"


def preparations(today: date, depart: date | None, traits: frozenset[str]) -> str:
    """A line for each day on which something is due, the days that have gone by as now. Without a departure the lines
    count weeks and days back from it."""
    lines: dict[str, list[str]] = {}
    for step in sorted(table("preparations")["step"], key=lambda one: -int(one["days"])):
        if step.get("if") and not traits & {*step["if"]}:
            continue
        lines.setdefault(_when(today, depart, int(step["days"])), []).append(str(step["say"]))
    return "\n".join(f"- **{when}**: {' / '.join(said)}" for when, said in lines.items())


def _when(today: date, depart: date | None, days: int) -> str:
    if depart is None:
        return "떠나는 날" if days == 0 else f"{days // 7}주 전" if days >= 14 else f"{days}일 전"
    due = depart - timedelta(days=days)
    if due <= today:
        return _TODAY
    return f"{due.month}월 {due.day}일({'월화수목금토일'[due.weekday()]})" + ("까지" if days > 1 else "")
