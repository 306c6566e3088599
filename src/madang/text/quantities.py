"""Measured things: 3km, 250 밀리리터, 섭씨 40도, 시속 100킬로미터, 8~10 피트."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from madang.text.data import load
from madang.text.money_words import Approx, approx_of
from madang.text.numbers import WRITTEN, plain
from madang.text.numerals import written_value
from madang.text.parsed import Parsed, make, on_folded, without_overlaps

Dimension = Literal["length", "mass", "volume", "area", "data", "power", "speed", "temperature"]


@dataclass(frozen=True)
class Quantity:
    """An amount in a unit (its English name). `upper` is set for a range, `approx` for about, under or over."""

    amount: float
    unit: str
    dimension: Dimension
    upper: float | None = None
    approx: Approx | None = None


_LOW = rf"(?:(?P<low>{WRITTEN})\s?(?:~|-|에서)\s?)?"
_SIGN = r"(?P<sign>마이너스\s?|영하\s?|(?<![\w가-힣])-)?"
_AFTER = r"(?![A-Za-z])"
_TEMPERATURE = re.compile(
    rf"(?P<scale>섭씨|화씨)\s?{_SIGN}(?P<number>\d{{1,4}}(?:\.\d{{1,3}})?)\s?(?:도|°)?"
    rf"|{_SIGN.replace('sign', 'sign2')}(?P<number2>\d{{1,4}}(?:\.\d{{1,3}})?)\s?"
    r"(?:°\s?(?P<letter>[CFcf])?|℃|℉|도(?![가-힣](?<![로를는입가씨인에])))"
)
_WARM = re.compile(r"온도|기온|영하|영상|도수|수온|체온|날씨|°|℃|℉|\.\d")


@lru_cache(maxsize=1)
def _units() -> tuple[re.Pattern[str], dict[str, tuple[str, Dimension]]]:
    groups: dict[str, tuple[str, Dimension]] = {}
    parts: list[tuple[int, str]] = []
    for dimension, units in load("units").items():
        for unit, words in units.items():
            name = f"u{len(groups)}"
            groups[name] = (unit, dimension)
            parts.append((max(map(len, words.split("|"))), f"(?P<{name}>{words})"))
    names = "|".join(part for _, part in sorted(parts, reverse=True))
    speed = r"(?P<speed>시속\s?)?"
    return re.compile(
        rf"{speed}{_LOW}(?P<number>{WRITTEN}|반)\s?(?:{names}){_AFTER}(?P<hour>/h|/시)?", re.IGNORECASE
    ), groups


def find_quantities(text: str) -> list[Parsed[Quantity]]:
    """Lengths, weights, volumes, areas, speeds and temperatures in order of appearance.

    A bare 도 is a temperature only where the words around it speak of one, or alone. 킬로 is a length with the weight
    as its second reading.
    """
    return on_folded(text, _find)


def _find(text: str) -> list[Parsed[Quantity]]:
    pattern, groups = _units()
    found = [item for match in pattern.finditer(text) if (item := _measured(text, match, groups))]
    found += [item for match in _TEMPERATURE.finditer(text) if (item := _temperature(text, match))]
    return without_overlaps(found)


def _measured(text: str, match: re.Match[str], groups: dict[str, tuple[str, Dimension]]) -> Parsed[Quantity] | None:
    name = next(group for group in groups if match[group])
    unit, dimension = groups[name]
    number = 0.5 if match["number"] == "반" else _value(match["number"])
    if number is None or (match[name].isascii() and not match["number"][-1].isdigit()):
        return None
    if match["speed"] or match["hour"]:
        unit, dimension = f"{unit} per hour", "speed"
    low = _value(match["low"]) if match["low"] else None
    approx = approx_of(text[max(0, match.start() - 6) : match.start()], text[match.end() : match.end() + 10])
    value = Quantity(number if low is None else low, unit, dimension, None if low is None else number, approx)
    readings: tuple[Quantity, ...] = ()
    if match[name] in {"킬로", "키로"}:
        readings = (value, Quantity(value.amount, "kilogram", "mass", value.upper, approx))
    return make(text, *match.span(), value, 0.9, readings)


def _temperature(text: str, match: re.Match[str]) -> Parsed[Quantity] | None:
    scale, letter = match["scale"], (match["letter"] or match.group()[-1]).upper()
    named = scale or letter in "CF℃℉"
    around = text[max(0, match.start() - 14) : match.end() + 4]
    if not named and not _WARM.search(around) and match.group().strip() != text.strip():
        return None
    unit = "celsius" if scale == "섭씨" or letter in "C℃" else "fahrenheit" if named else "degree"
    number = float(match["number"] or match["number2"])
    if match["sign"] or match["sign2"]:
        number = -number
    return make(text, *match.span(), Quantity(number, unit, "temperature"), 0.9 if named else 0.7)


def _value(words: str) -> float | None:
    value = written_value(words)
    return None if value is None else float(plain(value))
