"""A limit for the price of a night, said about a finished plan."""

from typing import Any

from madang.assistants.travel.answering.phrases import won
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import TIERS, HotelOption
from madang.assistants.travel.state.trip_facts import current_plan, of_tier
from madang.graph import Answer


def within_limit(state: MultiAgentTravelState, limit: int) -> dict[str, Any] | Answer:
    """The best stay that costs no more than `limit` a room and night: already taken, to be taken, or not to be had."""
    prices = {tier: _a_night(of_tier(state["hotel_options"], tier)) for tier in TIERS}
    now = current_plan(state)["hotel_type"]
    if prices[now] <= limit:
        return Answer(answer=f"지금 숙소는 1박 평균 {won(prices[now])}(추정)으로, 말씀하신 {won(limit)} 안이에요.")
    fitting = [tier for tier in TIERS if prices[tier] <= limit]
    if fitting:
        return {"hotel_tier": fitting[-1]}
    least = won(min(prices.values()))
    return Answer(
        answer=f"1박 {won(limit)} 이하인 숙소는 이 날짜에 없어요. 가장 저렴한 숙소가 1박 평균 {least}(추정)이에요. "
        "게스트하우스나 에어비앤비로 바꾸거나 날짜를 옮기면 더 낮출 수 있어요."
    )


def _a_night(option: HotelOption) -> int:
    return int(option["total_price"] / (option["nights"] * option["rooms"]))
