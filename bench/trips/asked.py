"""Random trips as a traveller would ask for them, with what the state must then say."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from madang.assistants.travel.data.cities import all_cities, load_city

TODAY = date(2026, 11, 16)
_STYLES = ("맛집", "관광", "쇼핑", "휴양", "자연", "문화", "카페")
_COUNTS = ("", "혼자", "둘이", "셋이", "넷이", "다섯이")
_NEARBY = (("오사카", "교토"), ("오사카", "나라"), ("도쿄", "오사카"), ("하노이", "다낭"), ("부산", "경주"),
           ("런던", "파리"), ("파리", "로마"), ("강릉", "속초"), ("홍콩", "타이베이"),
           ("로마", "바르셀로나"))  # fmt: skip
_HALF_KNOWN = (("도쿄", "요코하마"), ("다낭", "하이퐁"), ("런던", "에든버러"), ("부산", "통영"))
_UNKNOWN = ("라스베이거스", "시드니", "프라하")
_NEEDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("일정은 여유롭게", {"pace": "relaxed"}),
    ("일정은 빡빡하게", {"pace": "packed"}),
    ("숙소는 게스트하우스로", {"accommodation_preference": "guesthouse"}),
    ("숙소는 에어비앤비로", {"accommodation_preference": "airbnb"}),
    ("쇼핑은 빼고", {}),
    ("매일 1시부터 3시까지는 낮잠", {}),
    ("하루에 두 군데만", {}),
    ("휠체어로 다녀요", {}),
    ("채식이에요", {}),
    ("직항만", {}),
    ("첫날 밤 9시 도착", {}),
    ("부산에서 출발", {"origin": "부산"}),
    ("대한항공으로", {"preferred_airline": "대한항공"}),
)


@dataclass(frozen=True)
class Asked:
    """A message and the slots it sets."""

    text: str
    slots: dict[str, Any]

    def misheard(self, state: dict[str, Any]) -> list[str]:
        """What the state says otherwise."""
        return [
            f"{name}: {state.get(name)!r} for {value!r}"
            for name, value in self.slots.items()
            if (sorted(state[name]) if isinstance(state.get(name), list) else state.get(name)) != value
        ]


def random_trip(draw: Random) -> Asked:
    """Cities, nights, dates, party, style, budget and needs; two in three trips have a need or a must-visit."""
    cities = _cities(draw)
    known = [city for city in cities if city in all_cities()]
    domestic = bool(known) and all(load_city(city).domestic for city in known)
    nights = draw.choice((1, 2, 2, 3)) if domestic else draw.choice((2, 3, 3, 4, 4, 5, 6, 7))
    nights = max(nights, len(cities)) if draw.random() < 0.95 else draw.randint(8, 14)
    depart = TODAY + timedelta(days=draw.randint(7, 330))
    slots: dict[str, Any] = {"duration": nights, "depart_date": depart.isoformat()}
    slots |= {"destinations": sorted(cities)} if len(cities) > 1 else {"destination": cities[0]}
    parts = [f"{depart.year}년 {depart.month}월 {depart.day}일 출발", f"{_and(cities)} {nights}박{nights + 1}일"]
    for text, said in (_party(draw), _budget(draw), _styles(draw)):
        parts += [text] if text else []
        slots |= said
    if draw.random() < 0.4:
        possible = [need for need in _NEEDS if need[1].get("origin") not in cities]
        text, said = draw.choice([need for need in possible if "쇼핑" not in need[0] or "쇼핑" not in " ".join(parts)])
        parts.append(text)
        slots |= said
    if known and draw.random() < 0.35:
        must = draw.choice(load_city(known[0]).places).name
        parts.append(f"{must} 꼭 가고 싶어")
        slots["must_visit_places"] = [must]
    return Asked(", ".join(parts), slots)


def _and(names: Sequence[str]) -> str:
    """오사카랑 교토, 홍콩이랑 타이베이."""
    return "".join(f"{name}{'이랑' if (ord(name[-1]) - 0xAC00) % 28 else '랑'} " for name in names[:-1]) + names[-1]


def _cities(draw: Random) -> tuple[str, ...]:
    kind = draw.random()
    if kind < 0.17:
        return draw.choice(_NEARBY)
    if kind < 0.18:
        return draw.choice(_HALF_KNOWN)
    if kind < 0.21:
        return (draw.choice(_UNKNOWN),)
    return (draw.choice([city for city in sorted(all_cities()) if city != "서울"]),)


def _party(draw: Random) -> tuple[str, dict[str, Any]]:
    adults = draw.choice((1, 2, 2, 2, 3, 4, 5))
    kind = draw.random()
    if kind < 0.65:
        return _COUNTS[adults], {"num_people": adults}
    if kind < 0.85:
        children = draw.choice((1, 2))
        said = {"num_people": adults + children, "adults": adults, "children": children}
        return f"어른 {adults}명 초등학생 {children}명", said
    return f"어른 {adults}명 아기 1명", {"num_people": adults + 1}


def _budget(draw: Random) -> tuple[str, dict[str, Any]]:
    if draw.random() < 0.3:
        return "", {}
    amount = draw.choice((60, 100, 150, 200, 250, 300, 400, 500, 700, 1000))
    return f"총예산 {amount}만원", {"budget": amount * 10_000}


def _styles(draw: Random) -> tuple[str, dict[str, Any]]:
    styles = draw.sample(_STYLES, draw.choice((0, 1, 1, 2)))
    return (f"{_and(styles)} 위주로" if styles else ""), ({"travel_style": sorted(styles)} if styles else {})
