"""How the nights are shared out among several cities: 오사카 2박 교토 1박, 교토를 하루 늘려줘."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from madang.assistants.travel.understanding.slots.city_names import Mention
from madang.assistants.travel.understanding.slots.masks import SUM, masked
from madang.assistants.travel.understanding.slots.slot_update import Draft
from madang.text.numbers import parse_number

_AFTER = r"\s?(?:에서만|에서는|에서도|에선|에서|에는|에다|에|은|는|을|를|도|만|이|가|쪽)?\s?(?:한\s)?"
_COUNT = r"(?P<count>\d{1,2}|[일이삼사오육칠팔]|한|두|세|네)"
_SHARE = re.compile(
    rf"{_AFTER}(?:{_COUNT}\s?(?:박(?:\s?\d{{1,2}}\s?일)?|밤)|(?P<days>하루|이틀|사흘))"
    r"(?P<to>\s?(?:으로|로))?(?:씩|정도|쯤|만|은|는|을|를)?"
    r"(?:\s?(?P<more>더|추가|늘려|늘리|늘릴|늘이)|\s?(?P<less>줄여|줄이|줄일|빼|덜|단축))?"
)
_REST = re.compile(
    r"(?:나머지|남은\s?(?:날|일정|기간|박)?|그\s?외)[가-힣]{0,8}\s?(?:은|는|을|를|엔|에는|전부|다|모두){0,3}\s?$"
)
_EACH = re.compile(
    r"(?:각각?|똑같이|둘\s?다|도시\s?(?:마다|별로?))\s?(?P<count>\d{1,2})\s?박|(?P<other>\d{1,2})\s?박\s?씩"
)
_NIGHTS = re.compile(r"(?P<count>\d{1,2})\s?박")
_DAY_TRIP = re.compile(r"\s?(?:은|는|도|만|에|로)?\s?당일\s?(?:치기|로)?")
_DAYS = {"하루": 1, "이틀": 2, "사흘": 3}
_SEVERAL = 2


@dataclass
class Shares:
    """Nights said for single cities, by how many nights cities are to grow, and the city that gets the rest."""

    nights: dict[str, int] = field(default_factory=dict)
    moved: dict[str, int] = field(default_factory=dict)
    rest: str | None = None

    def __bool__(self) -> bool:
        return bool(self.nights or self.moved)


def find_shares(text: str, draft: Draft, names: Sequence[Mention]) -> tuple[Shares, str]:
    """The nights a message gives to single cities of several, and the message without them: they aren't the trip's."""
    cities = draft.get("destinations") or []
    if len(cities) < _SEVERAL:
        return Shares(), text
    shares, rest = _read(text, [mention for mention in names if mention.kind == "city" and mention.name in cities])
    if shares or rest != text:
        return shares, rest
    listed = list(_NIGHTS.finditer(text))
    if len(listed) == len(cities):
        shares.nights = {city: int(match["count"]) for city, match in zip(cities, listed, strict=True)}
        return shares, masked(text, [match.span() for match in listed], SUM)
    if len(listed) == 1 and (each := _EACH.search(text)):
        shares.nights = dict.fromkeys(cities, int(each["count"] or each["other"]))
        return shares, masked(text, [each.span()], SUM)
    return shares, text


def settle_shares(draft: Draft, said: Shares) -> None:
    """Set city_nights. Once every city has its nights the trip is as long as their sum, unless its length was said."""
    cities, length = draft.get("destinations") or [], draft.get("duration")
    if not said:
        return
    known = draft.before.get("city_nights") or {}
    shares = {city: count for city, count in {**known, **said.nights}.items() if city in cities}
    said_whole = length is not None and length != draft.before.get("duration")
    for city, change in said.moved.items():
        if city in shares:
            shares[city] = max(0, shares[city] + change)
        elif length and not said_whole:
            draft.put_number("duration", draft.get("duration") + change)
    if said.rest in cities and said.rest not in shares and length:
        shares[said.rest] = max(0, length - sum(shares.values()))
    draft.set("city_nights", shares)
    if (all(city in shares for city in cities) and not said_whole) or not length:
        draft.put_number("duration", sum(shares.values()))


def keep_fitting_nights(draft: Draft) -> None:
    """Nights of cities that are gone, or that no longer fit the trip, are forgotten."""
    cities, nights = draft.get("destinations") or [], draft.get("duration")
    shares = {city: count for city, count in (draft.get("city_nights") or {}).items() if city in cities and count}
    open_cities = len(cities) - len(shares)
    left = nights - sum(shares.values()) if nights else open_cities
    fits = len(cities) >= _SEVERAL and shares and (left >= open_cities if open_cities else left == 0)
    draft.set("city_nights", shares if fits else None)


def _read(text: str, mentions: Sequence[Mention]) -> tuple[Shares, str]:
    said, left, side_trip = Shares(), text, False
    for mention in mentions:
        if _REST.search(text[: mention.start]):
            said.rest = mention.name
        if trip := _DAY_TRIP.match(text, mention.end):
            left = masked(left, [(mention.end, trip.end())], SUM)
        match = _SHARE.match(text, mention.end)
        if match:
            _take(said, mention.name, match)
            side_trip = side_trip or match["more"] == "추가"
            left = masked(left, [(mention.end, match.end())], SUM)
    return said, left if said or side_trip else text


def _take(said: Shares, city: str, match: re.Match[str]) -> None:
    """Note what a city gets; a day or two there, with no word of nights, is a part of the trip."""
    count = _DAYS[match["days"]] if match["days"] else int(parse_number(match["count"]) or 0)
    moves = (match["more"] or match["less"]) and not match["to"] and match["more"] != "추가"
    if moves:
        said.moved[city] = count if match["more"] else -count
    elif not match["days"]:
        said.nights[city] = count
