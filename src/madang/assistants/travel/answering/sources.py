"""Where a trip's figures come from, by titles a traveller understands."""

from collections.abc import Mapping
from typing import Any

FARES = "마당 교통 요금 추정표"
LODGING = "마당 숙박 요금 추정표"
LIVE_FARES = "실시간 항공 운임"
LIVE_LODGING = "실시간 숙박 요금"
PLACES = "마당 도시별 명소 자료"
COSTS = "마당 여행 경비·환율 추정표"


def cited(provenance: Mapping[str, Mapping[str, Any]] | None) -> list[str]:
    """Each source once, with the date of its figures."""
    named = [_title(one) for one in (provenance or {}).values() if one.get("source")]
    return list(dict.fromkeys(named))


def _title(one: Mapping[str, Any]) -> str:
    return f"{one['source']} ({one['as_of']} 기준)" if one.get("as_of") else str(one["source"])
