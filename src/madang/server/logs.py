"""Logs for people and for machines: one line a record, what identifies a person masked in every part of it."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Literal

from madang.state.redaction import redact, redact_text

LogFormat = Literal["text", "json"]
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName", "websocket"}


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """What was given beside the message, redacted."""
    extra = {key: value for key, value in vars(record).items() if key not in _OWN}
    return {key: _plain(value) for key, value in extra.items()}


def _plain(value: Any) -> Any:
    shown = redact(value) if isinstance(value, dict | list | str | int | float | bool | None) else str(value)
    return redact_text(shown) if isinstance(shown, str) else shown


class RedactingFormatter(logging.Formatter):
    """A line for people: time, level, logger, message, fields."""

    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(f"{key}={value}" for key, value in fields_of(record).items())
        line = f"{record.levelname.lower()} {record.name}: {redact_text(record.getMessage())}"
        return "\n".join([f"{line} {fields}".rstrip(), *self.trouble(record)])

    def trouble(self, record: logging.LogRecord) -> list[str]:
        """The exception of a record, redacted."""
        return [redact_text(self.formatException(record.exc_info))] if record.exc_info else []


class JsonFormatter(RedactingFormatter):
    """A JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        shown: dict[str, Any] = {
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redact_text(record.getMessage()),
            **fields_of(record),
        }
        for exception in self.trouble(record):
            shown["exception"] = exception
        return json.dumps(shown, ensure_ascii=False, default=str)


def configure_logging(level: str, log_format: LogFormat) -> None:
    """Send every log line of the process to stderr through one redacting handler."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format == "json" else RedactingFormatter())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
    # The edge logs each request itself, with its fields.
    logging.getLogger("uvicorn.access").disabled = True
    for name in ("uvicorn.error", "alembic", "httpx", "mcp"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
