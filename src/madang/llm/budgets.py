"""One time budget for all model calls of a turn; after a service failure the rest of the turn is ours, at once."""

from dataclasses import dataclass

from madang.llm.failures import ModelFailure, Reason
from madang.llm.models import Models

SECONDS = 90.0


@dataclass
class TurnBudget:
    """What is left of a turn for its models. `failed` is why no more calls are made in it."""

    seconds: float = SECONDS
    spent: float = 0.0
    failed: Reason | None = None
    calls: int = 0

    def begin(self) -> None:
        """A new turn: nothing is spent and nothing has failed."""
        self.spent, self.failed, self.calls = 0.0, None, 0

    def admit(self, models: Models, timeout: float) -> float:
        """How long the next call may take. Raises `ModelFailure` when no time is left, or a call of the turn failed."""
        if self.failed is not None:
            raise ModelFailure(self.failed, "an earlier call of this turn failed")
        left = min(self.seconds, models.settings.turn_seconds) - self.spent
        if left <= 0:
            raise ModelFailure("turn_over", "the turn's time for models is used up")
        self.calls += 1
        return min(left, timeout, models.settings.timeout)

    def used(self, seconds: float, failure: ModelFailure | None = None) -> None:
        """Note what a call took, and how it failed."""
        self.spent += seconds
        if failure is not None and (failure.of_service or failure.reason in ("configuration", "turn_over")):
            self.failed = failure.reason
