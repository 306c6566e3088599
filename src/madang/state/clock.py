"""The one clock of the state layer: ISO-8601 text with an offset."""

from datetime import UTC, datetime


def now_iso() -> str:
    """The present moment, such as `2026-01-02T03:04:05.678901+00:00`."""
    return datetime.now(UTC).isoformat()


def parse_time(value: str | datetime) -> datetime:
    """`value` as an aware datetime; one without an offset is taken as UTC. Raises `ValueError` if it isn't a time."""
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def seconds_between(start: str | datetime, end: str | datetime) -> float:
    """Seconds from `start` to `end`, never below zero (a clock may have been set back)."""
    return max(0.0, (parse_time(end) - parse_time(start)).total_seconds())


def seconds_until(moment: str | None) -> float:
    """How many seconds a moment is ahead; 0 if there is none."""
    return 0.0 if moment is None else (parse_time(moment) - datetime.now(UTC)).total_seconds()
