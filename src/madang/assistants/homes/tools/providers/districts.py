"""The codes of districts: the first five digits of the administrative standard code."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from madang.assistants.homes.tools.regions import place_name
from madang.errors import NotFound


def codes_of(sido: str, district: str | None) -> tuple[str, ...]:
    """The codes of a district by its settled names, one for each ward of a city that has wards.

    Raises `NotFound` for one without a code and for a whole province, which has too many.
    """
    names = _table().get(sido, {})
    codes = names.get(district or sido)
    if codes is None:
        wanted = "시·군·구까지 말씀해 주셔야 합니다" if district is None else "지역 코드를 모릅니다"
        raise NotFound(f"{place_name(sido, district)}: {wanted}", sido=sido, district=district)
    return tuple(codes.split())


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    file = resources.files("madang.assistants.homes").joinpath("data/district_codes.toml")
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: rows for name, rows in table.items() if isinstance(rows, dict)}
