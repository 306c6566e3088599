"""The climate of a usual month, city by city, and how long people stay."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

WARM, HOT, COOL = 24, 28, 12


@dataclass(frozen=True)
class Month:
    """One city's month: mean high and low, days with rain or snow, and whether people swim in the sea."""

    city: str
    month: int
    high: int
    low: int
    rain: int
    sea: bool

    def __str__(self) -> str:
        rain = "비가 잦은 때" if self.rain >= 14 else "비가 적은 때" if self.rain <= 6 else ""
        degrees = f"낮 {self.high}°C, 아침 {self.low}°C 안팎"
        said = f"{self.city} {self.month}월은 {degrees}이고 비나 눈 오는 날이 {self.rain}일쯤"
        return f"{said}({rain})" if rain else said


@lru_cache(maxsize=1)
def _climate() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "climate.toml").read_text("utf-8"))


def month_of(city: str, month: int) -> Month | None:
    """That month there, or None for a city whose climate we have not written down."""
    row = _climate()["city"].get(city)
    if row is None:
        return None
    at = month - 1
    return Month(city, month, row["high"][at], row["low"][at], row["rain"][at], month in row["sea"])


def usual_nights(city: str) -> tuple[int, int] | None:
    """How many nights a first visit usually lasts."""
    row = _climate()["city"].get(city)
    return tuple(row["nights"]) if row else None


def climate_source() -> tuple[str, str]:
    """What the figures are, and as of when."""
    return _climate()["source"], _climate()["as_of"]
