"""Live offers in place of estimates. Without a key there is no provider and the estimates stand."""

from collections.abc import Awaitable
from dataclasses import replace

from madang.assistants.travel.tools.transport import SearchResult, T
from madang.errors import ServiceUnavailable


async def live_or_estimated(
    estimated: SearchResult[T], live: Awaitable[list[T]] | None, prices: str
) -> SearchResult[T]:
    """The live offers, if a provider has any; the estimates, with a note when its service fails."""
    if live is None:
        return estimated
    try:
        offers = await live
    except ServiceUnavailable as error:
        note = f"실시간 {prices} 가져오지 못해 추정값을 씁니다: {error}"
        return replace(estimated, analysis={**estimated.analysis, "notes": [note]})
    return replace(estimated, options=offers) if offers else estimated
