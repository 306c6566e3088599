"""Answers to what travellers ask beside their plan, worked out from data: facts, climate, places, distances."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from madang.assistants.travel.data.cities import Place, all_cities, regions
from madang.assistants.travel.data.climate import Month, climate_source, month_of, usual_nights
from madang.assistants.travel.data.estimates import as_of, rounded_won
from madang.assistants.travel.data.facts import Topic, facts_source, topics
from madang.assistants.travel.data.sources import PLACES
from madang.assistants.travel.data.ways import alerts_for, source_of, table
from madang.assistants.travel.data.world import costs_of, distance_between, locate
from madang.assistants.travel.state.results import AskedQuestion, GuideAnswer
from madang.assistants.travel.state.trip import DEFAULT_ORIGIN, Party
from madang.assistants.travel.tools.cards import blank_form, consent_letter, emergency_page, food_card, packing_list
from madang.assistants.travel.tools.flights import adult_fare, flight_minutes
from madang.assistants.travel.tools.getaways import suggest_getaways, told
from madang.assistants.travel.tools.ground import overland, usual_way
from madang.assistants.travel.tools.hotels import rooms_for
from madang.assistants.travel.tools.itinerary.day_trips import is_outing
from madang.assistants.travel.tools.papers import agency_refund, child_papers
from madang.assistants.travel.tools.place_answers import about_place, where_to_eat
from madang.assistants.travel.tools.transport import MODE_LABELS
from madang.assistants.travel.tools.ways import leave_for_airport, taxi_cost, to_airport, way_between
from madang.errors import NotFound
from madang.text.particles import with_direction, with_subject, with_topic

Said = tuple[str, tuple[str, str]]
_COUNTRIES = {"괌": "괌", "사이판": "미국", "하와이": "미국"}
_TWO_YEARS = 24
_MONTH_OF_NIGHTS, _BY_THE_MONTH = 30, 0.55
_MONTH = re.compile(r"(?P<month>\d{1,2})\s?월")
_MOSQUITOES = frozenset(
    {"베트남", "태국", "필리핀", "인도네시아", "말레이시아", "캄보디아", "라오스", "싱가포르", "몰디브"}
)
_WATER = re.compile(r"물놀이|바다|수영|휴양|리조트|스노클|해변")
_CHEAPER = re.compile(r"더\s?(?:싸|쌈|저렴|쌀)|싼\s?(?:데|곳|쪽)|저렴")


@dataclass(frozen=True)
class Asker:
    """Who asks: where the trip goes, when, who travels, from where, and what is wished."""

    cities: tuple[str, ...] = ()
    month: int | None = None
    origin: str = DEFAULT_ORIGIN
    party: Party | None = None
    child_months: tuple[int, ...] = ()
    leave_time: str | None = None
    needs: Mapping[str, Any] = field(default_factory=dict)
    today: date = date.min
    depart: date | None = None
    nights: int | None = None

    @property
    def days(self) -> list[date]:
        """The days of the trip, when they are known."""
        return [self.depart + timedelta(days=at) for at in range((self.nights or 0) + 1)] if self.depart else []


def answers_to(questions: Sequence[AskedQuestion], asker: Asker) -> list[GuideAnswer]:
    """An answer for every topic of every question that we know something about."""
    found: list[GuideAnswer] = []
    for question in questions:
        for topic in question["topics"]:
            said = None if topic in FROM_PLAN else _answer(topic, question, asker)
            if said:
                text, (source, when) = said
                found.append(GuideAnswer(question=question["words"], answer=text, source=source, as_of=when))
    return found


def _answer(topic: str, question: AskedQuestion, asker: Asker) -> Said | None:
    cities = tuple(question["cities"]) or asker.cities
    if topic in _MADE:
        return _MADE[topic](cities, question, asker)
    about = topics()[topic]
    if about.made_from:
        return _MADE[about.made_from](cities, question, asker)
    text = about.en if about.en and is_english(question["words"]) else _written(about, cities, asker)
    if not text:
        return None
    if topic == "child_seat":
        text = f"{_own_seat(asker)}{text}"
    if topic == "luggage" and asker.leave_time:
        text = f"{text} {_last_day(asker.leave_time)}"
    return text, facts_source()


def is_english(words: str) -> bool:
    """Whether a question is written in Latin letters rather than Hangul."""
    hangul = sum("가" <= letter <= "힣" for letter in words)
    return sum(letter.isascii() and letter.isalpha() for letter in words) > 2 * hangul


def _written(about: Topic, cities: tuple[str, ...], asker: Asker) -> str:
    """What is written down for the cities asked about, else for every place."""
    goals = cities or asker.cities
    said = dict.fromkeys(about.answer(country_of(city), city) for city in goals)
    if len({country_of(city) for city in goals}) > 1:  # from 부산 to 상하이: home is where one leaves
        goals = tuple(city for city in goals if country_of(city) != "한국")
    own = [about.answer(country_of(city), city) for city in goals if {city, country_of(city)} & {*about.by}]
    own = own or [about.by["미국"] + "." for city in goals if country_of(city) == "괌" and "미국" in about.by]
    return " ".join(dict.fromkeys(own)) or next(iter(said), "") or about.answer(None)


def country_of(name: str) -> str:
    """The country of a city, or the name itself when it is one."""
    if name in _COUNTRIES:
        return _COUNTRIES[name]
    try:
        return locate(name).country
    except NotFound:
        return name


def _own_seat(asker: Asker) -> str:
    """The verdict for the children that travel, before the rule."""
    if asker.child_months:
        said = []
        for months in asker.child_months:
            age = f"{months}개월" if months < 48 else f"{months // 12}세"
            needs = "좌석을 따로 끊어야 해요" if months >= _TWO_YEARS else "좌석 없이 무릎에 앉혀 갈 수 있어요"
            said.append(f"{age}이면 {needs}.")
        return " ".join(dict.fromkeys(said)) + " "
    if asker.party and asker.party.infants and not asker.party.children:
        return "24개월이 안 됐다면 좌석 없이 무릎에 앉혀 갈 수 있어요. "
    return ""


def _last_day(clock: str) -> str:
    hour = max(0, int(clock[:2]) - 3)
    return (
        f"마지막 날은 {clock} 출발이니 {hour:02d}{clock[2:]}쯤까지 공항에 가면 되고, 그때까지는 짐 없이 다닐 수 있어요."
    )


def _climate(cities: tuple[str, ...], _question: AskedQuestion, asker: Asker) -> Said | None:
    said = _MONTH.search(_question["words"])
    month = int(said["month"]) if said and 1 <= int(said["month"]) <= 12 else asker.month
    months = [found for city in cities if (found := month_of(city, month) if month else None)]
    if not months:
        if not cities or month:
            return None
        return f"언제 가실지 알려 주시면 {cities[0]} 날씨를 알려 드릴게요.", climate_source()
    alerts = [text for one in months for text in alerts_for(one.city, country_of(one.city), one.month)]
    text = " ".join([*(f"{one}이에요. {_wear(one)}" for one in months), *dict.fromkeys(alerts)])
    return f"{text} 평년값이라 예보는 출발 며칠 전에 확인하세요.", climate_source()


def _wear(month: Month) -> str:
    if month.high >= 27:
        clothes = "반팔에 얇은 겉옷(실내 냉방)을 챙기세요"
    elif month.high >= 20:
        clothes = "긴팔과 얇은 겉옷이 좋고 물놀이는 선선해요"
    elif month.high >= 12:
        clothes = "니트와 재킷이 알맞아요"
    elif month.high >= 5:
        clothes = "코트나 경량 패딩이 필요해요"
    else:
        clothes = "두꺼운 패딩, 장갑과 미끄럽지 않은 신발이 필요해요"
    return f"{clothes}{', 우산도 챙기세요' if month.rain >= 10 else ''}."


def _sea(cities: tuple[str, ...], _question: AskedQuestion, asker: Asker) -> Said | None:
    found = [one for city in cities if asker.month and (one := month_of(city, asker.month))]
    if not found:
        return None
    said = [f"{one.city}에서 {one.month}월에는 {_swim(one)}" for one in found]
    return " ".join(said), climate_source()


def _swim(month: Month) -> str:
    if month.sea:
        return f"바다에 들어갈 만해요(낮 {month.high}°C)."
    return (
        f"바다에 들어가기 어려워요(낮 {month.high}°C). 온수풀이 있는 숙소를 찾으세요: "
        "온수인지는 우리 자료에 없어 예약 전에 물어봐야 해요."
    )


def way_there(city: str, origin: str) -> tuple[int, str] | None:
    """Minutes and the words for the way to a city: direct flight, or over land."""
    try:
        start, goal = locate(origin), locate(city)
    except NotFound:
        return None
    if overland(start, goal):
        mode, minutes = usual_way(start, goal)
        return minutes, f"{with_direction(MODE_LABELS[mode])} 약 {hours(minutes)}"
    minutes = flight_minutes(distance_between(start, goal))
    if not goal.domestic and city not in all_cities():
        return minutes, f"비행 약 {hours(minutes)}(직항이 있을 때 추정)"
    return minutes, f"직항 약 {hours(minutes)}(추정)"


def hours(minutes: int) -> str:
    """4시간 35분."""
    whole, rest = divmod(minutes, 60)
    return f"{whole}시간 {rest}분" if rest else f"{whole}시간"


def _flight_time(cities: tuple[str, ...], _question: AskedQuestion, asker: Asker) -> Said | None:
    ways = [(city, way) for city in cities if (way := way_there(city, asker.origin))]
    if not ways:
        return None
    return " ".join(f"{asker.origin}–{with_topic(city)} {way[1]}이에요." for city, way in ways), (PLACES, as_of())


def _stay_length(cities: tuple[str, ...], _question: AskedQuestion, _asker: Asker) -> Said | None:
    capitals = [regions()[city]["cities"][0] for city in cities if city in regions()]
    named = [city for city in cities if city not in regions()] or capitals
    known = [(city, nights) for city in named if (nights := usual_nights(city))]
    if not known:
        return None
    said = [f"{city} {low}박" if low == high else f"{city} {low}~{high}박" for city, (low, high) in known]
    low, high = sum(nights[0] for _, nights in known), sum(nights[1] for _, nights in known)
    far = any(
        not locate(city).domestic and flight_minutes(distance_between(locate("서울"), locate(city))) > 480
        for city, _ in known
    )
    whole = f"모두 {low}~{high}박" if len(known) > 1 else "그 정도"
    air = f"(오가는 비행까지 {low + 2}~{high + 2}일)" if far else ""
    best = [
        f"{with_topic(city)} {', '.join(place.name for place in _best(city))}"
        for city, _ in known
        if city in all_cities()
    ]
    return (
        f"처음이면 {', '.join(said)}, {whole}{air}이 알맞아요. 꼭 보는 곳만 해도 {'; '.join(best)} 등이 있어서예요.",
        climate_source(),
    )


def _best(city: str) -> list[Place]:
    places = [place for place in all_cities()[city].places if not is_outing(place)]
    return sorted(places, key=lambda place: (-place.appeal, place.name))[:3]


def _rooms(_cities: tuple[str, ...], _question: AskedQuestion, asker: Asker) -> Said | None:
    if asker.party is None:
        return None
    rooms = rooms_for(asker.party, "hotel")
    who = f"어른 {asker.party.adults}명" + (f", 아이 {asker.party.children}명" if asker.party.children else "")
    return (
        f"{who}이면 호텔은 보통 {rooms}개가 필요해요(한 방에 어른 둘과 아이 하나까지로 셈). "
        "홀수라 한 분이 남으면 트리플룸이나 엑스트라 베드를 예약할 때 신청하세요: 추가 요금은 숙소마다 달라요.",
        facts_source(),
    )


def _booking(cities: tuple[str, ...], _question: AskedQuestion, _asker: Asker) -> Said | None:
    home = bool(cities) and country_of(cities[0]) == "한국"
    papers = "이름과 생년월일" if home else "여권의 영문 이름, 생년월일, 여권 번호와 만료일"
    return (
        "예약과 결제는 제가 할 수 없어요. 직접 하실 때 필요한 것은 "
        f"{papers}, 연락처, 결제 카드예요. 항공은 항공사 누리집, 숙소는 숙소나 예약 사이트에서 "
        "위 계획의 날짜와 인원 그대로 찾으시면 돼요.",
        facts_source(),
    )


def _place(cities: tuple[str, ...], question: AskedQuestion, asker: Asker) -> Said | None:
    said = []
    for name in question["places"]:
        for city in dict.fromkeys((*cities, *asker.cities, *all_cities())):
            place = all_cities()[city].place(name) if city in all_cities() else None
            if place:
                said.append(about_place(place, all_cities()[city], asker.days))
                break
    return (" ".join(said), (PLACES, as_of())) if said else None


def _city(cities: tuple[str, ...], _question: AskedQuestion, asker: Asker) -> Said | None:
    said = [text for city in cities if (text := _portrait(city, asker))]
    return (" ".join(said), (PLACES, as_of())) if said else None


def _portrait(city: str, asker: Asker) -> str:
    way = way_there(city, asker.origin)
    parts = [f"{asker.origin}에서 {way[1]}"] if way else []
    month = month_of(city, asker.month) if asker.month else None
    if month:
        parts.append(f"{month.month}월 낮 {month.high}°C·비 {month.rain}일쯤")
    if city in all_cities():
        parts.append(f"볼 곳은 {', '.join(place.name for place in _best(city))}")
    return f"{with_topic(city)} {', '.join(parts)}이에요." if parts else ""


def _compare(cities: tuple[str, ...], question: AskedQuestion, asker: Asker) -> Said | None:
    lines = [f"- **{city}**: {'; '.join(_points(city, asker))}" for city in cities]
    if _CHEAPER.search(question["words"]):
        costs = {city: _a_day(city, asker) for city in cities}
        best = min(costs, key=lambda city: costs[city])
        gap = max(costs.values()) - costs[best]
        why = f"항공·숙소·식비를 1인 3박으로 나눈 하루 값이 {gap:,}원쯤 낮아요(추정)."
        return f"{with_subject(best)} 더 싸요. {why}\n\n" + "\n".join(lines), (PLACES, as_of())
    scored = [(_fit(city, asker) + _suits(city, question["words"], asker), city) for city in cities]
    best = max(scored, key=lambda pair: pair[0])[1]
    why = _why(best, [city for city in cities if city != best], asker)
    month = asker.month or 0
    lines += [f"- {city}: {text}" for city in cities for text in alerts_for(city, country_of(city), month)]
    pregnant = (
        "임신 중이면 모기 매개 감염이 적고 의료가 나은 쪽이 안심돼요." if _pregnant(question["words"], asker) else ""
    )
    head = f"{with_subject(best)} 더 맞아 보여요. {pregnant or why}".strip()
    return f"{head}\n\n" + "\n".join(lines), climate_source()


def _pregnant(words: str, asker: Asker) -> bool:
    return "임신" in words or "임신" in (asker.needs.get("access") or ())


def _suits(city: str, words: str, asker: Asker) -> float:
    """What the words of the question add: water that can be swum in, no mosquitoes for who is pregnant."""
    month = month_of(city, asker.month) if asker.month else None
    score = 4.0 if month and month.sea and _WATER.search(words) else 0.0
    return score - (8.0 if _pregnant(words, asker) and country_of(city) in _MOSQUITOES else 0.0)


def _a_day(city: str, asker: Asker) -> int:
    """One person's day on a trip of three nights: a third of the fare, half a room, food and transit."""
    costs, start, goal = costs_of(city), locate(asker.origin), locate(city)
    fare = 0.0 if overland(start, goal) else adult_fare(distance_between(start, goal), "standard") / 3
    return rounded_won(fare + costs.lodging["standard"] / 2 + costs.food + costs.transit)


def _points(city: str, asker: Asker) -> list[str]:
    points = []
    if way := way_there(city, asker.origin):
        points.append(way[1])
    if asker.month and (month := month_of(city, asker.month)):
        swim = "바다 수영 가능" if month.sea else "바다 수영은 어려움"
        points.append(f"{month.month}월 낮 {month.high}°C·아침 {month.low}°C, 비 {month.rain}일쯤, {swim}")
    if found := all_cities().get(city):
        points.append(f"4성급 1박 {found.lodging['standard']:,}원쯤(추정), 하루 식비 1인 {found.food_per_day:,}원쯤")
        if asker.party and (asker.party.children or asker.party.infants):
            points.append(f"아이와 갈 만한 곳 {sum(place.kids for place in found.places)}곳")
    return points


def _fit(city: str, asker: Asker) -> float:
    """How well a city fits what is wished: warmth, rain, the way there, cost."""
    score = 0.0
    month = month_of(city, asker.month) if asker.month else None
    if month:
        warmth = min(month.high, 29) - 15
        score += warmth * (1.0 if asker.needs.get("climate") == "warm" else 0.2) - month.rain * 0.5
        score -= (month.high - 15) * 0.8 if asker.needs.get("climate") == "cool" else 0
    if way := way_there(city, asker.origin):
        small = bool(asker.party and (asker.party.children or asker.party.infants))
        score -= way[0] / 60 * (1.5 if small else 0.8)
    costs = costs_of(city)
    return score - (costs.lodging["standard"] + costs.food) / 80_000


def _why(best: str, others: Sequence[str], asker: Asker) -> str:
    reasons = []
    ways = {city: way[0] for city in (best, *others) if (way := way_there(city, asker.origin))}
    if best in ways and all(ways[best] < ways.get(city, 10**6) for city in others):
        reasons.append("가는 길이 짧고")
    months = {city: found for city in (best, *others) if asker.month and (found := month_of(city, asker.month))}
    if best in months and all(months[best].high > months[city].high for city in others if city in months):
        reasons.append("더 따뜻하고" if asker.needs.get("climate") == "warm" else "기온이 더 높고")
    if best in months and all(months[best].rain < months[city].rain for city in others if city in months):
        reasons.append("비가 적고")
    costs = {city: all_cities()[city].lodging["standard"] for city in (best, *others) if city in all_cities()}
    if best in costs and all(costs[best] < costs[city] for city in others if city in costs):
        reasons.append("숙소 값이 낮고")
    if not reasons:
        return ""
    text = ", ".join(reasons)
    return {"고": f"{text[:-1]}기 때문이에요."}.get(text[-1], text)


def _here(cities: tuple[str, ...], asker: Asker) -> tuple[str | None, str | None]:
    """The city and its country that a question is about."""
    city = next(iter(cities or asker.cities), None)
    return city, country_of(city) if city else None


def _card(cities: tuple[str, ...], question: AskedQuestion, asker: Asker) -> Said | None:
    english = is_english(question["words"])
    told = " ".join([question["words"], *(asker.needs.get("diet") or ())])
    return food_card(told, _here(cities, asker)[1], english)


def _emergency(cities: tuple[str, ...], _question: AskedQuestion, asker: Asker) -> Said | None:
    city, country = _here(cities, asker)
    return emergency_page(country, city)


def _packing(cities: tuple[str, ...], _question: AskedQuestion, asker: Asker) -> Said | None:
    city, country = _here(cities, asker)
    month = month_of(city, asker.month) if city and asker.month else None
    access = asker.needs.get("access") or ()
    return packing_list(
        abroad=country not in {None, "한국"},
        high=month.high if month else None,
        swim=bool(month and month.sea),
        baby=bool(asker.party and asker.party.infants),
        elderly="오래 걷기 어려움" in access,
    )


def _letter(cities: tuple[str, ...], question: AskedQuestion, asker: Asker) -> Said | None:
    return consent_letter(question["words"], _here(cities, asker)[0], asker.depart, asker.nights)


def _form(_cities: tuple[str, ...], question: AskedQuestion, asker: Asker) -> Said | None:
    days = re.search(r"(?P<count>\d{1,2})\s?일", question["words"])
    return blank_form(asker.depart, min(14, int(days["count"])) if days else (asker.nights or 2) + 1)


def _airport_way(cities: tuple[str, ...], _question: AskedQuestion, asker: Asker) -> Said | None:
    ways = table("ways")["from_airport"]
    said = [ways[city] for city in cities or asker.cities if city in ways]
    return (". ".join(said) + ".", source_of("ways")) if said else None


def _leave(cities: tuple[str, ...], question: AskedQuestion, asker: Asker) -> Said | None:
    found = _airport_way(cities, question, asker)
    return leave_for_airport(question["words"], cities or asker.cities, found[0] if found else "")


def _area(cities: tuple[str, ...], _question: AskedQuestion, asker: Asker) -> Said | None:
    areas = table("ways")["area"]
    said = [f"{with_topic(city)} {areas[city]}." for city in cities or asker.cities if city in areas]
    return (" ".join(said), source_of("ways")) if said else None


def _way(cities: tuple[str, ...], question: AskedQuestion, asker: Asker) -> Said | None:
    return way_between(question["words"], asker.origin) or _flight_time(cities, question, asker)


def _direct(cities: tuple[str, ...], _question: AskedQuestion, asker: Asker) -> Said | None:
    """Whether one flies without a stop: known only for cities that we have data on."""
    goals = cities or asker.cities
    known = [city for city in goals if city in all_cities() and not all_cities()[city].domestic]
    if not known:
        names = "·".join(goals)
        return (
            (
                f"{with_topic(names)} 직항이 있는지 제 자료로 확인하지 못했어요. "
                "직항이 없으면 가까운 큰 공항에서 한 번 갈아타고, 한 예약으로 묶어 환승 2시간 30분~3시간을 두세요.",
                facts_source(),
            )
            if goals
            else None
        )
    ways = [f"인천–{city} 직항이 있어요({way[1]})." for city in known if (way := way_there(city, DEFAULT_ORIGIN))]
    return " ".join(ways) + " 지방 공항 직항은 요일에 따라 달라 항공사에서 확인하세요.", facts_source()


def _jetlag(cities: tuple[str, ...], _question: AskedQuestion, asker: Asker) -> Said | None:
    said = []
    for city in cities or asker.cities:
        try:
            zone = ZoneInfo(locate(city).timezone)
        except NotFound:
            continue
        when = datetime.combine(asker.depart or asker.today, time(12), ZoneInfo("Asia/Seoul"))
        gap = (when.astimezone(zone).utcoffset() or timedelta()) - (when.utcoffset() or timedelta())
        count = gap.total_seconds() / 3600
        if not count:
            said.append(f"{with_topic(city)} 한국과 시차가 없어요.")
        else:
            said.append(f"{with_topic(city)} 한국보다 {abs(count):g}시간 {'빨라요' if count > 0 else '느려요'}.")
    return (" ".join(said), (PLACES, as_of())) if said else None


def _getaway(_cities: tuple[str, ...], question: AskedQuestion, asker: Asker) -> Said | None:
    if asker.cities and not re.search(r"바꿔|바꾸|말고|대신", question["words"]):
        return None
    limit = re.search(r"(?P<hours>\d|한|두|세)\s?시간", question["words"])
    within = {"한": 60, "두": 120, "세": 180}.get(limit["hours"], 0) or int(limit["hours"]) * 60 if limit else None
    without = tuple(re.findall(r"([가-힣]{2,4})\s?말고", question["words"])) + asker.cities
    return told(suggest_getaways(question["words"], asker.origin, limit=within, without=without), asker.origin)


def _long_stay(cities: tuple[str, ...], _question: AskedQuestion, asker: Asker) -> Said | None:
    """A month somewhere: what it costs for one, the season, and how long one may stay."""
    city = next(iter(cities or asker.cities), None)
    if city is None:
        return None
    costs = costs_of(city)
    home = rounded_won(costs.lodging["budget"] * _MONTH_OF_NIGHTS * _BY_THE_MONTH)
    living = rounded_won((costs.food * 0.6 + costs.transit * 0.5) * _MONTH_OF_NIGHTS)
    season = _climate((city,), _question, asker) if asker.month else None
    visa = topics()["visa"].answer(country_of(city), city)
    text = (
        f"{city}에 길게 머무는 여행이네요. 하루하루 일정은 14박까지만 짤 수 있어 대신 필요한 것을 정리했어요. "
        f"한 달이면 1인 숙소(월세형·저렴한 곳) 약 {home:,}원, 식비·교통 약 {living:,}원이고 항공은 따로예요(추정)."
    )
    return " ".join(part for part in (text, season[0] if season else "", visa) if part), (PLACES, as_of())


def _day_trip(cities: tuple[str, ...], question: AskedQuestion, asker: Asker) -> Said | None:
    """Whether a place near the city can be done in a day."""
    plain = question["words"].replace(" ", "")
    for city in dict.fromkeys((*asker.cities, *cities)):
        for place, way in table("ways")["day_trip"].get(city, {}).items():
            if place in plain:
                hard = "어려" in way or "힘들" in way or "빠듯" in way or "권하지" in way
                verdict = "당일로는 권하지 않아요" if hard else "당일로 다녀올 수 있어요"
                rest = (
                    ""
                    if hard
                    else " 아침 8~9시에 나서 저녁에 돌아오고, 도착한 날과 떠나는 날은 피해 가운데 날에 넣으세요."
                )
                return f"{with_topic(place)} {city}에서 {verdict}: {way}.{rest}", source_of("ways")
    return None


def _restaurants(cities: tuple[str, ...], question: AskedQuestion, asker: Asker) -> Said | None:
    """Where to eat, by the diet, dish or part of town that was named."""
    city = next((city for city in (*asker.cities, *cities) if city in all_cities()), None)
    if city is None:
        return None
    return where_to_eat(all_cities()[city], question["words"], asker.needs.get("diet") or ()), (PLACES, as_of())


def _onsen(cities: tuple[str, ...], question: AskedQuestion, asker: Asker) -> Said | None:
    city = next(iter(cities or asker.cities), None)
    if said := table("ways")["onsen"].get(city):
        return f"{said} 정확한 시각은 그날 시간표에서 확인하세요.", source_of("ways")
    return _getaway(cities, question, asker)


FROM_PLAN = frozenset({"short_note", "per_person", "room_share", "return_day", "group_meal"})
"""Topics that are answered from the finished plan when the answer is put together."""

_MADE: dict[str, Callable[[tuple[str, ...], AskedQuestion, Asker], Said | None]] = {
    "long_stay": _long_stay,
    "day_trip": _day_trip,
    "restaurants": _restaurants,
    "agency_refund": lambda _cities, question, asker: agency_refund(question["words"], asker.today),
    "child_papers": lambda cities, _question, asker: child_papers(_here(cities, asker)[1]),
    "consent_letter": _letter,
    "food_card": _card,
    "emergency_page": _emergency,
    "blank_form": _form,
    "packing": _packing,
    "leave_for_airport": _leave,
    "airport_way": _airport_way,
    "to_airport": lambda _cities, question, asker: to_airport(question["words"], asker.origin),
    "way_between": _way,
    "taxi_cost": lambda _cities, question, asker: taxi_cost(question["words"], asker.origin),
    "direct_flight": _direct,
    "jetlag": _jetlag,
    "stay_area": _area,
    "onsen_day": _onsen,
    "getaway": _getaway,
    "climate": _climate,
    "sea": _sea,
    "flight_time": _flight_time,
    "stay_length": _stay_length,
    "rooms": _rooms,
    "booking": _booking,
    "place": _place,
    "city": _city,
    "compare": _compare,
}
