"""The dated constants of the estimates, read once from `estimates.toml`."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def estimates() -> dict[str, Any]:
    """All constants, as the file has them."""
    return tomllib.loads((files(__package__) / "estimates.toml").read_text("utf-8"))


def as_of() -> str:
    """The date the constants were written down."""
    return str(estimates()["as_of"])


def in_won(amount: float, currency: str) -> int:
    """An amount of another currency in won, rounded to 100 won."""
    rate = float(estimates()["exchange"].get(currency, 1.0))
    return rounded_won(amount * rate)


def rounded_won(amount: float) -> int:
    """To the nearest 100 won: an estimate shouldn't look exact."""
    return int(amount / 100 + 0.5) * 100
