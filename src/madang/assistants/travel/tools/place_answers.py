"""What our records say about a place, and where one eats in a city."""

from collections.abc import Sequence
from datetime import date

from madang.assistants.travel.data.cities import City, Eatery, Place
from madang.assistants.travel.data.estimates import in_won
from madang.assistants.travel.data.needs import need_words
from madang.assistants.travel.data.opening import closing_words
from madang.text.particles import with_direction, with_topic

_RESERVE = {"required": "예약해야 들어갈 수 있어요.", "advised": "줄이 길어 미리 예매하는 편이 좋아요."}
_ACCESS = {
    "easy": "휠체어·유모차로 다닐 만해요.",
    "partly": "휠체어·유모차로는 일부만 볼 수 있어요.",
    "hard": "계단이나 비탈이 많아 휠체어·유모차로는 어려워요.",
}
_MOST = 4
_ALSO_SUITS = {"비건": ("비건",), "채식": ("채식", "비건"), "할랄": ("할랄",)}


def about_place(place: Place, city: City, days: Sequence[date] = ()) -> str:
    """Hours, closing days (also of the trip), fee, booking, time, children, rain and access, as its record has them."""
    shut = [f"{day.month}월 {day.day}일" for day in days if place.closed_on(day)]
    always = place.closes - place.opens >= 1440
    open_hours = "언제나 열려 있고" if always else f"보통 {clock(place.opens)}~{clock(place.closes)}에 열고"
    won = in_won(place.fee, city.currency)
    fee = f"입장료는 어른 {won:,}원쯤이에요({city.as_of[:7]} 기준)" if place.fee else "입장료가 없어요"
    kids = "아이와 가기 좋고" if place.kids else "아이에게 특별히 맞춘 곳은 아니고"
    inside = "실내라 비가 와도 괜찮아요" if place.setting == "indoor" else "바깥이라 비가 오면 힘들어요"
    known = [
        closing_words(place.closed or (), place.months),
        f"여행하는 날 가운데 {', '.join(shut)}에는 닫혀 있어요." if shut else "",
        f"입장은 {clock(place.last_entry)}까지예요." if place.last_entry else "",
        _RESERVE[place.reserve] if place.reserve else "",
        _ACCESS[place.access] if place.access else "",
        place.note,
    ]
    unknown = [
        *(["쉬는 날"] if place.closed is None and not place.months and not always else []),
        *(["예약이 필요한지"] if place.reserve is None and place.fee else []),
    ]
    known.append(f"{with_topic('·'.join(unknown))} 자료에 없어 누리집에서 확인하세요." if unknown else "")
    said = f"{with_topic(place.name)} {open_hours} {fee}. {place.minutes}분쯤 걸리고 {kids} {inside}."
    return " ".join(part for part in (said, *known) if part)


def where_to_eat(city: City, words: str, diets: Sequence[str] = ()) -> str:
    """Restaurants and streets to eat of a city: for the diet, dish or part of town that the words name, if any."""
    plain = words.replace(" ", "").lower()
    wanted = [diet for diet in _ALSO_SUITS if _says(plain, diet) or diet in diets]
    found = [one for one in city.eateries if all({*_ALSO_SUITS[diet]} & {*one.diets} for diet in wanted)]
    if wanted and not found:
        return f"{city.name}에서 {with_direction('·'.join(wanted))} 먹을 만한 곳은 자료에 없어요."
    near = [one for one in found if one.area in words or any(dish in plain for dish in _dishes(one))] or found
    for_whom = f"{with_direction('·'.join(wanted))} 먹을 만한 곳은" if wanted else "먹을 곳은"
    names = "; ".join(_eatery(one) for one in near[:_MOST])
    check = "메뉴 표시와 원료는 가서 다시 물어보세요." if wanted else "값과 쉬는 날은 가기 전에 확인하세요."
    return f"자료에 있는 {city.name}의 {for_whom} {names}이에요. {check}"


def clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _says(plain: str, diet: str) -> bool:
    return any(word in plain for word in need_words()["diet"][diet])


def _dishes(one: Eatery) -> list[str]:
    return [word for word in one.dishes.replace(",", " ").split() if len(word) > 1]


def _eatery(one: Eatery) -> str:
    hours = f", {clock(one.opens)}~{clock(one.closes)}" if one.opens is not None and one.closes is not None else ""
    return f"{one.name}({one.area}, {one.dishes}{hours})"
