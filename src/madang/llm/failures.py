"""The ways a model call goes wrong, each with one stable reason that is noted in state."""

import re
from typing import Literal

Reason = Literal[
    "no_model",
    "configuration",
    "circuit_open",
    "timeout",
    "connection",
    "disconnected",
    "rate_limited",
    "server_error",
    "rejected",
    "bad_json",
    "schema",
    "refusal",
    "empty",
    "tool_call",
    "truncated",
    "context",
    "key",
    "turn_over",
    "unsourced",
    "unexpected",
]

SERVICE_REASONS: frozenset[Reason] = frozenset(
    {"timeout", "connection", "disconnected", "rate_limited", "server_error", "key", "unexpected"}
)
_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|window|size)|too (?:long|many tokens)|maximum.{0,20}tokens", re.IGNORECASE
)
REPAIRABLE: frozenset[Reason] = frozenset({"bad_json", "schema", "tool_call"})


class ModelFailure(Exception):
    """A model call failed; caught inside this package, never seen by a caller."""

    def __init__(
        self, reason: Reason, detail: str = "", *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.retry_after = retry_after
        self.reason = reason
        self.detail = detail
        self.status = status

    @property
    def of_service(self) -> bool:
        """Whether it counts against the service's health; a bad answer does not."""
        return self.reason in SERVICE_REASONS


def failure_of(error: Exception, *, streaming: bool = False) -> ModelFailure:
    """Whatever a provider's client raised, as one of our reasons."""
    if isinstance(error, ModelFailure):
        return error
    # The whole chain tells more than its end: clients wrap a broken stream as a plain connection error.
    names = {cls.__name__ for link in _chain(error) for cls in type(link).__mro__}
    status = _status(error)
    if status is not None:
        reason = _by_status(status, str(error))
        return ModelFailure(reason, f"HTTP {status}", status=status, retry_after=_retry_after(error))
    if names & {"TimeoutError", "TimeoutException", "APITimeoutError"}:
        return ModelFailure("timeout", type(error).__name__)
    if names & {"RemoteProtocolError", "ReadError", "IncompleteRead"} or (streaming and "APIError" in names):
        return ModelFailure("disconnected", type(error).__name__)
    if names & {"ConnectionError", "ConnectError", "NetworkError", "APIConnectionError"}:
        return ModelFailure("connection", type(error).__name__)
    if names & {"LengthFinishReasonError"}:
        return ModelFailure("truncated", type(error).__name__)
    if names & {"ContentFilterFinishReasonError", "OpenAIRefusalError"}:
        return ModelFailure("refusal", type(error).__name__)
    return ModelFailure("unexpected", type(error).__name__)


def _chain(error: BaseException | None) -> list[BaseException]:
    links: list[BaseException] = []
    while error is not None and error not in links:
        links.append(error)
        error = error.__cause__ or error.__context__
    return links


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _retry_after(error: Exception) -> float | None:
    """How many seconds the service asks to be left alone, if it says so."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after") or "none"))
    except (TypeError, ValueError):
        return None


def _by_status(status: int, message: str) -> Reason:
    if status == 429:
        return "rate_limited"
    if status in (401, 403):
        return "key"
    if status == 413 or (status == 400 and _TOO_LONG.search(message)):
        return "context"
    return "server_error" if status >= 500 else "rejected"
