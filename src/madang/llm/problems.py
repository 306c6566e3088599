"""What can be wrong with a sentence of a model."""

from typing import Literal

Problem = Literal[
    "figure", "sign", "subject", "unit", "citation", "party", "verdict", "language", "refusal", "address", "source"
]  # fmt: skip
