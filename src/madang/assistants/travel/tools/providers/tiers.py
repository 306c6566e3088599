"""From many live offers to one a tier."""

from collections.abc import Sequence

from madang.assistants.travel.state.results import TIERS, FlightOption, HotelOption

_FAIR = 1.4


def three_flights(options: Sequence[FlightOption]) -> list[FlightOption]:
    """The cheapest, the quickest for a fair price, and the quickest at any price."""
    ranked = sorted(options, key=lambda option: option["price"])
    if not ranked:
        return []
    fair = [option for option in ranked if option["price"] <= ranked[0]["price"] * _FAIR]
    chosen = [
        ranked[0],
        min(fair, key=_slowness),
        min(ranked, key=lambda option: (_slowness(option), -option["price"])),
    ]
    return [
        {**option, "type": tier}
        for tier, option in zip(TIERS, sorted(chosen, key=lambda option: option["price"]), strict=True)
    ]


def three_stays(options: Sequence[HotelOption]) -> list[HotelOption]:
    """The cheapest, the middle and one near the top of what is offered; an outlier at the very top is passed over."""
    ranked = sorted(options, key=lambda option: option["total_price"])
    if not ranked:
        return []
    places = (0, (len(ranked) - 1) // 2, (len(ranked) - 1) * 9 // 10)
    return [{**ranked[at], "type": tier} for tier, at in zip(TIERS, places, strict=True)]


def _slowness(option: FlightOption) -> tuple[int, int]:
    minutes = option["outbound"]["duration_minutes"] + option["inbound"]["duration_minutes"]
    return minutes, option["price"]
