"""Models: a call point asks a chat model and falls back to its deterministic twin."""

from madang.llm.accounting import Account, Accounting, Totals, merge_accounts, totals
from madang.llm.breaker import Breaker
from madang.llm.budgets import TurnBudget
from madang.llm.calls import call
from madang.llm.embeddings import Embedder, EmbeddingSettings, embedder
from madang.llm.evidence import Evidence, Fact
from madang.llm.failures import Reason
from madang.llm.models import Models, ModelSettings
from madang.llm.points import Budget, CallPoint, CallUpdate, Fallback, Inputs, Outcome
from madang.llm.prices import Prices, read_prices
from madang.llm.prompts import Prompt, parse_prompt, read_prompt
from madang.llm.streams import Restart, TextStream, stream
from madang.llm.tokens import estimate_tokens

__all__ = [
    "Account",
    "Accounting",
    "Breaker",
    "Budget",
    "CallPoint",
    "CallUpdate",
    "Embedder",
    "EmbeddingSettings",
    "Evidence",
    "Fact",
    "Fallback",
    "Inputs",
    "ModelSettings",
    "Models",
    "Outcome",
    "Prices",
    "Prompt",
    "Reason",
    "Restart",
    "TextStream",
    "Totals",
    "TurnBudget",
    "call",
    "embedder",
    "estimate_tokens",
    "merge_accounts",
    "parse_prompt",
    "read_prices",
    "read_prompt",
    "stream",
    "totals",
]
