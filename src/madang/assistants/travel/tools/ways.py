"""How one gets from a town to another or to an airport, how long it takes and what a taxi costs."""

import re

from madang.assistants.travel.data.ways import source_of, table
from madang.assistants.travel.data.world import distance_km
from madang.text.particles import with_topic

Source = tuple[str, str]
_DETOUR = 1.28
_NEAR_KM = 25
_TAXI = (4_800, 1.6, 1_050)  # at the start, its kilometres, each further kilometre with tolls
_CLOCK = re.compile(r"(?P<part>오전|오후|밤|저녁|새벽|아침)?\s?(?P<hour>\d{1,2})\s?시\s?(?P<half>반|\d{1,2}\s?분)?")


def towns_in(text: str) -> list[str]:
    """Towns and airports of Korea in the order in which they are named; an airport is not also its town."""
    plain = text.replace(" ", "")
    found: list[tuple[int, int, str]] = []
    for name in sorted(table("ways")["towns"], key=len, reverse=True):
        at = plain.find(name)
        if at >= 0 and not any(at < end and start < at + len(name) for start, end, _ in found):
            found.append((at, at + len(name), name))
    return [name for _, _, name in sorted(found)]


def road(start: str, goal: str) -> tuple[int, int]:
    """Kilometres and minutes by car between two towns."""
    towns = table("ways")["towns"]
    km = distance_km(*towns[start], *towns[goal]) * _DETOUR
    kmh = 40 if km < _NEAR_KM else 68 if km < 120 else 80
    return round(km), 5 * round((km / kmh * 60 + 8) / 5)


def hours(minutes: int) -> str:
    whole, rest = divmod(minutes, 60)
    return (f"{whole}시간 {rest}분" if rest else f"{whole}시간") if whole else f"{rest}분"


def way_between(text: str, origin: str) -> tuple[str, Source] | None:
    """Car, and train where one runs from Seoul, between the towns that are named."""
    names = towns_in(text)
    known = table("ways")["towns"]
    if len(names) == 1 and origin in known and origin != names[0]:
        names = [origin, names[0]]
    if len(names) < 2:
        return None
    start, *goals = names[:3]
    said = []
    for goal in goals:
        km, minutes = road(start, goal)
        train = _train(start, goal)
        by_train = f", KTX로 {hours(train)}쯤" if train else ""
        said.append(f"{start}–{with_topic(goal)} 차로 약 {hours(minutes)}({km}km, 막히면 더){by_train}")
    nearest = ""
    if len(goals) > 1:
        best = min(goals, key=lambda goal: road(start, goal)[1])
        nearest = f" {best}이 더 가까워요."
    return f"{'; '.join(said)}이에요.{nearest}", source_of("ways")


def _train(start: str, goal: str) -> int | None:
    trains: dict[str, int] = table("ways")["train"]
    if start == "서울" or goal == "서울":
        return trains.get(goal if start == "서울" else start)
    return None


def taxi_cost(text: str, origin: str) -> tuple[str, Source] | None:
    """A rough fare by distance."""
    names = towns_in(text)
    if len(names) == 1 and origin in table("ways")["towns"] and origin != names[0]:
        names = [origin, names[0]]
    if len(names) < 2:
        return (
            "택시비는 국내에서 10km에 1만 3천~1만 5천 원, 50km에 6만~7만 원쯤이에요(밤 10시부터 20~40% 할증). "
            "어디에서 어디까지인지 알려 주시면 어림해 드릴게요.",
            source_of("ways"),
        )
    km, minutes = road(names[0], names[1])
    first, until, each = _TAXI
    fare = first + max(0.0, km - until) * each
    low, high = round(fare * 0.9 / 5000) * 5000, round(fare * 1.15 / 5000) * 5000
    return (
        f"{names[0]}에서 {names[1]}까지 택시는 약 {km}km, {hours(minutes)}쯤이고 {low:,}~{high:,}원쯤이에요(어림값). "
        "먼 길은 콜택시에 전화해 값을 미리 정하면 마음 편하고, 여럿이 나누면 갈아타는 것보다 나을 때가 많아요.",
        source_of("ways"),
    )


def to_airport(text: str, origin: str) -> tuple[str, Source] | None:
    """From home to Incheon airport."""
    named = [name for name in towns_in(text) if name not in {"인천", "인천공항"}]
    home = named[0] if named else origin
    known = table("ways")["towns"]
    if home not in known or home == "인천":
        return None
    minutes = table("ways")["airport_bus"].get(home) or road(home, "인천공항")[1] + 30
    train = table("ways")["train"].get(home)
    said = [f"{home}에서 인천공항까지 공항버스로 약 {hours(minutes)}(짐을 아래 칸에 실어 편해요)"]
    if train:
        said.append(f"KTX로 서울역까지 {hours(train)}쯤 + 공항철도 약 1시간(직통 43분, 갈아탈 때 짐을 옮겨야 해요)")
    said.append(f"차로 {hours(road(home, '인천공항')[1])}쯤(장기주차 하루 9천 원쯤)")
    early = ""
    if minutes >= 150:
        early = (
            " 국제선은 3시간 전에 닿아야 하니 오전 11시 전에 뜨는 편이면 전날 밤 올라와 공항 근처에서 자는 것을 권해요."
        )
    bags = " 큰 가방이 여럿이면 갈아타지 않는 버스가 가장 편해요." if "캐리어" in text or "짐" in text else ""
    return f"{'; '.join(said)}.{bags}{early}", source_of("ways")


def _time(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def leave_for_airport(text: str, cities: tuple[str, ...], way: str) -> tuple[str, Source]:
    """When to leave for a flight whose time is told."""
    clock = next((match for match in _CLOCK.finditer(text)), None)
    general = "국제선은 출발 3시간 전(국내선 1시간~1시간 30분 전)에 공항에 닿게 잡으세요"
    if clock is None:
        return f"{general}. 시내에서 공항까지 걸리는 시간에 30분을 더해 나서면 돼요. {way}".strip(), source_of("ways")
    hour = int(clock["hour"])
    if clock["part"] in {"오후", "밤", "저녁"} and hour < 12:
        hour += 12
    half = clock["half"] or ""
    minute = 30 if half == "반" else int(half.rstrip("분 ") or 0)
    leaves = hour % 24 * 60 + minute
    there, out = _time(leaves - 180), _time(leaves - 270)
    city = f"{cities[0]} " if cities else ""
    return (
        f"{_time(leaves)} 비행기면 **{there}까지 {city}공항**에 닿는 것이 좋고, 시내에서 1시간~1시간 10분을 잡아 "
        f"**{out}쯤 숙소를 나서세요.** 짐이 많으면 지하철보다 부르는 택시가 편하고, 주말·출퇴근 시간이면 30분 더 일찍 "
        f"나서세요. {way}".strip(),
        source_of("ways"),
    )
