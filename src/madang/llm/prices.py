"""The price table: a dated file, so that a cost can always be traced to the prices it was made with."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from importlib.resources import files
from pathlib import Path

from madang.errors import ConfigurationError


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens."""

    prompt: Decimal
    completion: Decimal


@dataclass(frozen=True)
class Prices:
    """Prices by model, and the day they were written down."""

    as_of: str = ""
    models: Mapping[str, Price] = field(default_factory=dict)

    def cost_nano_usd(self, model: str, prompt_tokens: int, completion_tokens: int) -> int | None:
        """The cost in billionths of a dollar; `None` if the model has no price here."""
        price = self.models.get(model)
        if price is None:
            return None
        return int((prompt_tokens * price.prompt + completion_tokens * price.completion) * 1000)


def read_prices(path: Path | None = None) -> Prices:
    """The prices in `path`, or the ones that come with Madang. Raises `ConfigurationError` for any other file."""
    try:
        text = path.read_text("utf-8") if path else files("madang.llm").joinpath("prices.toml").read_text("utf-8")
        table = tomllib.loads(text, parse_float=Decimal)
        models = {
            name: Price(Decimal(entry["prompt"]), Decimal(entry["completion"]))
            for name, entry in table["models"].items()
        }
        return Prices(str(table["as_of"]), models)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as error:
        raise ConfigurationError(f"price table {path or 'prices.toml'} can't be read: {error}") from error
