"""The codes of districts: the first five digits of the administrative standard code."""

from collections.abc import Mapping
from functools import cache

from madang.assistants.homes import data
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
    return {name: rows for name, rows in data.load("district_codes.toml").items() if isinstance(rows, dict)}
