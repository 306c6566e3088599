"""Every error Madang raises on purpose.

MadangError
├── InvalidInput                 what the caller gave is wrong
│   ├── InvalidState             fields of a state or an update, each named in `problems`
│   ├── InvalidName              an id that can't be used (path separators, too long, …)
│   ├── IllegalTransition        a status that can't follow the present one
│   ├── UnreadableFile           a file whose text can't be had; `reason` says why
│   ├── TooMuchText              a message that could not be read in time
│   └── InvalidAssistant         an assistant that doesn't hold together, found when it is built
├── NotFound                     session, run, checkpoint, document, step, field …
├── Conflict                     true now, may pass later
│   ├── SessionBusy              a turn is running
│   └── Fenced                   a write by a run that is gone or superseded
├── AccessDenied
│   └── Unauthenticated
├── RateLimited                  too many requests from one caller
├── AgentError                   an agent broke its declaration
│   ├── UndeclaredRead
│   └── UndeclaredWrite
├── StoredDataError              what is stored can't be used as it is
│   ├── UnknownSchemaVersion     written by a newer Madang
│   ├── SchemaOutdated           the database needs `madang db upgrade`
│   ├── ForeignTables            tables of the same name that aren't ours
│   ├── UnreadableData           corrupted, or of a type that isn't allowed
│   └── DecryptionFailed         wrong key, missing key or tampered text
├── ServiceUnavailable           a provider, a model or the database can't be reached
│   └── QuotaExceeded
└── ConfigurationError           a setting that can't work
    └── MissingExtra             a part of Madang that isn't installed

An error's `code` is stable and meant for programs; its message is meant for people. No HTTP here:
the server maps codes to statuses.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, ClassVar


@dataclass(frozen=True)
class FieldProblem:
    """One field that was refused: where, why, and what would be accepted."""

    field: str
    reason: str
    allowed: str | None = None

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}" + (f" ({self.allowed})" if self.allowed else "")

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class MadangError(Exception):
    """Something went wrong in Madang."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str | None = None, **details: Any) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())
        self.details = details

    @property
    def message(self) -> str:
        return str(self.args[0])


class InvalidInput(MadangError, ValueError):
    """The input is not valid."""

    code = "invalid_input"


class UnreadableFile(InvalidInput):
    """The file can't be read."""

    code = "unreadable_file"


class InvalidState(InvalidInput):
    """Fields of the state are not valid."""

    code = "invalid_state"

    def __init__(self, problems: Sequence[FieldProblem], message: str | None = None) -> None:
        super().__init__(message or "; ".join(map(str, problems)), problems=[p.as_dict() for p in problems])
        self.problems = tuple(problems)


class InvalidName(InvalidInput):
    """The name can't be used."""

    code = "invalid_name"


class IllegalTransition(InvalidInput):
    """This status can't follow the present one."""

    code = "illegal_transition"


class TooMuchText(InvalidInput):
    """The text could not be read in time."""

    code = "too_much_text"


class InvalidAssistant(InvalidInput):
    """The assistant does not hold together."""

    code = "invalid_assistant"


class NotFound(MadangError, LookupError):
    """It does not exist."""

    code = "not_found"


class Conflict(MadangError):
    """It can't be done in the present state."""

    code = "conflict"


class SessionBusy(Conflict):
    """A turn is running in this session."""

    code = "session_busy"


class Fenced(Conflict):
    """The run that wrote this is gone or has been superseded."""

    code = "fenced"


class AccessDenied(MadangError, PermissionError):
    """This is not allowed."""

    code = "access_denied"


class Unauthenticated(AccessDenied):
    """Credentials are missing or not valid."""

    code = "unauthenticated"


class RateLimited(MadangError):
    """Too many requests."""

    code = "rate_limited"


class AgentError(MadangError):
    """An agent broke its declaration."""

    code = "agent_error"


class UndeclaredRead(AgentError):
    """An agent read a field that it did not declare."""

    code = "undeclared_read"


class UndeclaredWrite(AgentError):
    """An agent wrote a field that it did not declare."""

    code = "undeclared_write"


class StoredDataError(MadangError):
    """What is stored can't be used as it is."""

    code = "stored_data"


class UnknownSchemaVersion(StoredDataError):
    """The stored state was written by a newer version."""

    code = "unknown_schema_version"


class SchemaOutdated(StoredDataError):
    """The database needs `madang db upgrade`."""

    code = "schema_outdated"


class ForeignTables(StoredDataError):
    """The database holds tables of the same name that are not Madang's; see `madang db adopt`."""

    code = "foreign_tables"


class UnreadableData(StoredDataError):
    """Stored data can't be read."""

    code = "unreadable_data"


class DecryptionFailed(StoredDataError):
    """Encrypted data can't be read with the keys that are configured."""

    code = "decryption_failed"


class ServiceUnavailable(MadangError):
    """A service can't be reached."""

    code = "service_unavailable"


class QuotaExceeded(ServiceUnavailable):
    """A service's quota is used up."""

    code = "quota_exceeded"


class ConfigurationError(MadangError):
    """A setting can't work."""

    code = "configuration"


class MissingExtra(ConfigurationError):
    """A part of Madang is not installed."""

    code = "missing_extra"

    def __init__(self, what: str, extra: str, package: str = "madang") -> None:
        super().__init__(f"{what} needs: pip install '{package}[{extra}]'", extra=extra)


@contextmanager
def needs_extra(extra: str, what: str) -> Iterator[None]:
    """What is imported inside comes with `madang[extra]`. Raises `MissingExtra` if it isn't installed."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "madang":
            raise
        raise MissingExtra(what, extra) from missing
