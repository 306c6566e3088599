"""Places as prices are known for them: a province, or a district in one; a ward belongs to its city."""

from collections.abc import Mapping, Sequence
from functools import cache

from madang.errors import NotFound
from madang.text.data import load
from madang.text.places import find_regions


def resolve_region(region: str) -> tuple[str, str | None]:
    """Province and district of a region's name. Raises `NotFound`."""
    found = find_regions(region, typos=False) or find_regions(region)
    if not found:
        raise NotFound(f"지역 {region!r}을(를) 찾지 못했습니다", region=region)
    place = next((item.value for item in reversed(found) if item.value.sigungu), found[0].value)
    return place.sido, place.sigungu


def place_name(sido: str, district: str | None) -> str:
    """A place as it is shown: a ward after its city."""
    return " ".join(name for name in (sido, city_of(district), district) if name)


def city_of(district: str | None) -> str | None:
    """The city that a ward belongs to, None for a district that isn't a ward of a city."""
    return _cities().get(district or "")


@cache
def _cities() -> Mapping[str, str]:
    wards: Mapping[str, Sequence[str]] = load("regions")["districts"]
    return {ward: city for city, names in wards.items() for ward in names}
