"""Answers and texts with places to fill in: what is known of the trip is put there, the rest stays blank."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

from madang.assistants.travel.state.trip import Party
from madang.assistants.travel.tools.guide import Asker, country_of
from madang.assistants.travel.tools.preparations import preparations

_HOME = "한국"


def filled(text: str, asker: Asker, told: Mapping[str, str]) -> str:
    """The text with `{when}`, `{until}`, `{nights}`, `{days}`, `{who}`, `{where}`, `{each}` and `{todo}` filled in: of
    what was `told` last, else of the trip as it is known."""
    if "{" not in text:
        return text
    asker = _with_told(asker, told)
    last = asker.depart + timedelta(days=asker.nights) if asker.depart and asker.nights else None
    known = {
        "{when}": _day(asker.depart),
        "{until}": _day(last),
        "{nights}": f"{asker.nights}박" if asker.nights else "○박",
        "{days}": f"{asker.nights}박 {asker.nights + 1}일" if asker.nights else "○박 ○일",
        "{who}": f"{told['people']}명" if "people" in told else _party(asker.party) if asker.party else "○명",
        "{each}": f"{int(told['each']):,}" if "each" in told else "______",
        "{where}": "·".join(asker.cities[:3]) or "○○",
    }
    for name, value in known.items():
        text = text.replace(name, value)
    return text.replace("{todo}", preparations(asker.today, asker.depart, _traits(asker))) if "{todo}" in text else text


def _with_told(asker: Asker, told: Mapping[str, str]) -> Asker:
    return replace(
        asker,
        cities=tuple(told["cities"].split(",")) if "cities" in told else asker.cities,
        depart=date.fromisoformat(told["depart"]) if "depart" in told else asker.depart,
        nights=int(told["nights"]) if "nights" in told else asker.nights,
    )


def _day(day: date | None) -> str:
    return f"{day.month}월 {day.day}일({'월화수목금토일'[day.weekday()]})" if day else "○월 ○일"


def _party(party: Party) -> str:
    young = [f"{name} {count}명" for name, count in (("아이", party.children), ("아기", party.infants)) if count]
    return ", ".join([f"어른 {party.adults}명", *young]) if young else f"{party.adults}명"


def _traits(asker: Asker) -> frozenset[str]:
    """What of a trip decides what is to be done: where it goes, who comes, what they need. Without a place, abroad."""
    countries = {country_of(city) for city in asker.cities}
    abroad = bool(countries - {_HOME}) or not countries
    found = {"abroad" if abroad else "at_home", *countries}
    access = " ".join(asker.needs.get("access") or ())
    found |= {"wheelchair"} if "휠체어" in access else set()
    found |= {"medicine"} if access and "휠체어" not in access else set()
    found |= {"diet"} if asker.needs.get("diet") else set()
    found |= {"pet"} if asker.needs.get("pets") else set()
    if asker.party and asker.party.infants:
        found.add("baby")
    if abroad and asker.party and (asker.party.infants or asker.party.children):
        found.add("child")
    return frozenset(found)
