"""What a trip must respect, read from a message: times, rest, pace, transport, money for the night, what is booked,
diet, access, animals, and wishes that our data can't check."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from madang.assistants.travel.data.cues import cue
from madang.assistants.travel.data.needs import need_words
from madang.assistants.travel.data.words import patterns
from madang.assistants.travel.state.slots import LIST_NEEDS
from madang.assistants.travel.understanding.clock_times import ClockTime, afternoon, find_clock_times
from madang.assistants.travel.understanding.slots.city_roles import BEEN
from madang.assistants.travel.understanding.slots.side_prices import nightly_limit_at
from madang.assistants.travel.understanding.told import denied
from madang.graph.reading import By, Claim, Heard, overlap
from madang.text.clauses import Span
from madang.text.numbers import parse_number

Found = tuple[str, Any, Span]
_SURE = 0.6
_WISHED = 0.7
_REST = re.compile(r"낮잠|자야|재워|쉬어야|쉬는\s?시간|기도|화상회의|회의가?\s?있|충전")
_ARRIVES = re.compile(r"도착|입국|들어가|내리")
_LEAVES = re.compile(r"귀국|오는\s?편|돌아오는|돌아가는|출국|복귀|리턴|올라가는|나오는|마지막\s?날|비행기로\s?돌아")
_BY_AIR = re.compile(
    r"(?:비행|뱅기)[^.?!\n]{0,14}?(?P<hours>\d{1,2}|한|두|세|네|다섯|여섯|일곱|여덟)\s?시간\s?(?:반\s?)?[^.?!\n]{0,4}?(?:안|이내|이하|넘|미만|까지|내로)"
)
_OUTINGS = re.compile(
    r"하루에?\s?(?:최대\s?)?(?P<count>\d|한두|두세|한|두|세|네)\s?(?:군데|곳|개|코스|가지)|(?P<halves>오전\s?(?:에\s?)?하나\s?오후\s?(?:에\s?)?하나)"
)
_COUNTS = {"한": 1, "한두": 2, "두": 2, "두세": 3, "세": 3, "네": 4}
_AGE = re.compile(
    r"(?P<months>\d{1,2})\s?개월(?=\s?(?:된\s?|짜리\s?)?(?:아기|애기|아이|애|아들|딸|유아|영아|이고|이에요|이요|인|된|$))"
    r"|(?P<years>\d{1,2}|네|다섯|여섯|일곱|여덟|아홉|열)\s?(?:살|세)(?![가-힣]|\s?이상)"
)
_GROWN_MONTHS = 19 * 12
_PAID = re.compile(
    r"예약\s?(?:했|해\s?(?:놨|놓|뒀|둔)|완료|돼\s?있|되어\s?있)|예매\s?(?:했|해\s?[놨놓뒀둔])|끊었|끊어\s?[놨놓뒀]|샀어|샀습|샀는데|결제\s?(?:했|완료)|잡아\s?[놨놓뒀]|마일리지로"
    r"|회사에서[^.?!\n]{0,30}(?:나와|나옵|해\s?줘|내\s?줘|지원|부담|대\s?줘|제공)|already\s(?:paid|booked)"
)
_TICKET = re.compile(r"항공|비행기|뱅기|ktx|기차|왕복|flight", re.IGNORECASE)
_STAY = re.compile(r"호텔|숙소|숙박|리조트|펜션|에어비앤비|게스트하우스|민박|료칸|hotel", re.IGNORECASE)
_STILL_OPEN = re.compile(r"(?:숙소|숙박|호텔)\s?(?:비\s?)?포함")
_LEAVES_LATE = re.compile(r"(?P<night>밤)(?:에|\s)?[^.?!\n]{0,4}출발|(?:저녁에?|퇴근\s?(?:하고|후))[^.?!\n]{0,6}출발")
_OWN_STAY = re.compile(
    r"(?:숙박|숙소|호텔)\s?(?:이랑|이나|만|비|을|를)[^.?!\n]{0,14}(?:제\s?돈|계획|찾|짜|필요|구해|부탁)"
)
_ALLERGY = re.compile(r"(?P<what>[가-힣]{1,6})(?:\s?에|에는)?\s?(?:알레르기|알러지)")
_NOT_EATEN = re.compile(
    r"(?<![A-Za-z])(?P<what>[가-힣]{1,6}?)\s?(?:그거)?(?:은|는|을|를|도)?\s?(?:절대\s?)?(?:못|안)\s?(?:먹|드[시셔신십심])"
)
_NO_DISH = frozenset(
    [
        "욕",
        "약",
        "겁",
        "나이",
        "마음",
        "밥",
        "거",
        "것",
        "잘",
        "아무것",
        "많이",
        "술",
        "저",
        "나",
        "다",
        "도",
        "좀",
        "더",
        "또",
    ]
)
_IS_ONE = re.compile(
    r"\s?(?:이?(?:에요|예요|야|입니다|라서?|고|거든|니까|지만)|인데|인(?:\s|$)|식?(?:을|를)?\s?(?:해|하(?!는\s?(?:식당|데|곳))|만\s?먹)|주의자|식단)"
)
_NOT_SO = re.compile(r"(?:까지는?|까진|은|는|이|가)?\s?아니|[은는이가도]?\s?(?:괜찮|멀쩡|튼튼|안\s?아)")
_OF_A_KIND = re.compile(r"\s?(?:카페|마을|섬|박물관|공원|까페)")
_TAKEN_ALONG = re.compile(r"데려|데리|데꼬|같이|함께|태우|태워|맡기|두고|동반\s?(?:가능|해|하)")
_OF_AN_ANIMAL = re.compile(r"강아지|반려|애견|kg\s?면|수의사|동물병원")
_DRIVES = re.compile(
    r"운전(?:을|은|도)?\s?(?:합니다|해요|할\s?(?:거|게|수)|하려|하고|가능|은?\s?제가|은?\s?내가)|내가\s?다\s?운전"
)
_OTHERS = re.compile(r"\s?(?:은|는)?\s?(?:말고|빼고|제외하고)\s?(?:다른|딴|또|어디|없)")
_HAS_NONE = re.compile(r"(?:은|는|이|가)?\s?없")
_NO_WISH = re.compile(r"\d+\s?시간|.*(?:포함|다\s?해서|합쳐)(?:해서)?|.{0,2}")
_REFUSES = re.compile(r"말고|안\s?(?:타|탈|하|가|갈)|싫|없이|없어|업서|업어|못|반납|빼|무서|공포|ㄴㄴ|금지")
_TAKES = re.compile(r"로|타|몰|빌|으로|좋|이용|끌|만|$")


def read_needs(heard: Heard, before: Mapping[str, Any]) -> tuple[dict[str, Any], list[Claim]]:
    """The needs that a message changes, and the words each was read from. Lists grow; single values are replaced."""
    changed: dict[str, Any] = {}
    claims: list[Claim] = []
    for name, value, span in _apart(_found(heard)):
        if name in LIST_NEEDS:
            known = changed.get(name, list(before.get(name) or ()))
            changed[name] = known if value in known else [*known, value]
        else:
            changed[name] = value
        by: By = "examples" if any(overlap(role.span, span) for role in heard.roles) else "parser"
        claims.append(heard.claim(span, name, value, by))
    return {name: value for name, value in changed.items() if value != before.get(name)}, claims


def _apart(found: Iterable[Found]) -> Iterator[Found]:
    """Words that were taken already are no wish and no dish beside."""
    taken: list[tuple[str, Span]] = []
    for name, value, span in found:
        others = [
            other
            for known, other in taken
            if name == "wishes" or (name == known == "diet") or (name == "avoid" and known == "climate")
        ]
        if not any(overlap(span, other) for other in others):
            yield name, value, span
        taken.append((name, span))


def _found(heard: Heard) -> Iterator[Found]:
    yield from _times(heard)
    yield from _limits(heard.message.text)
    yield from _ages(heard.message.text)
    yield from _booked(heard)
    yield from _means(heard)
    yield from _listed(heard)
    yield from _eaten(heard)
    yield from _unwanted(heard)
    yield from _wishes(heard)


def _asked(heard: Heard, place: int) -> bool:
    """Whether a place of the message lies in a question: what is asked about is not yet wanted."""
    act = heard.act_at(place)
    return act is not None and heard.acts[act]["kind"].startswith("ask_")


def _asked_for(heard: Heard, name: str, span: Span) -> bool:
    """Whether a need is only what a question is about: 할랄 식당 있어? says nothing of who asks."""
    text = heard.message.text
    if name == "pets" and _OF_A_KIND.match(text, span[1]):
        return True
    clause = _clause(heard, span[0])
    if not _asked(heard, span[0]) and "?" not in clause:
        return False
    if name == "pets":
        return not _TAKEN_ALONG.search(clause)
    return name == "access" or not _IS_ONE.match(text, span[1])


def _clause(heard: Heard, place: int) -> str:
    span = next((one for one in heard.message.clauses if one[0] <= place < one[1]), (0, len(heard.message.text)))
    return heard.message.text[slice(*span)]


def _times(heard: Heard) -> Iterator[Found]:
    """Naps and other rests, and when one arrives and leaves."""
    arrived = False
    for time in find_clock_times(heard.message.text):
        if _asked(heard, time.span[0]):
            continue
        role, clause = heard.role_at(time.span), _clause(heard, time.span[0])
        beside = heard.message.text[time.span[1] : time.span[1] + 8]
        if (role and role.name == "rest_time") or _REST.search(clause):
            yield "rest_times", _rest(time), time.span
        elif "출발" in beside:
            if arrived or _LEAVES.search(clause):
                yield "leave_time", time.at, time.span
        elif "도착" in beside or (role and role.name == "arrive_time") or _ARRIVES.search(clause):
            arrived = True
            yield "arrive_time", time.at, time.span
        elif (role and role.name == "leave_time") or _LEAVES.search(clause):
            yield "leave_time", time.at if time.certain else afternoon(time.at), time.span


def _rest(time: ClockTime) -> str:
    start = time.at if time.certain else afternoon(time.at)
    if time.until:
        return f"{start}-{time.until if time.certain else afternoon(time.until)}"
    return f"{start}-{min(23, int(start[:2]) + 2):02d}{start[2:]}"


def _limits(text: str) -> Iterator[Found]:
    """The longest flight, how often one goes out a day, what a night may cost, a late start."""
    if (match := _LEAVES_LATE.search(text)) and not find_clock_times(text):
        yield "arrive_time", "23:30" if match["night"] else "21:30", match.span()
    if match := _BY_AIR.search(text):
        hours = parse_number(match["hours"])
        if hours:
            yield "max_flight", float(hours), match.span()
    if match := _OUTINGS.search(text):
        count = 2 if match["halves"] else _COUNTS.get(match["count"]) or int(match["count"])
        yield "outings_a_day", count, match.span()
    if limit := nightly_limit_at(text):
        yield "lodging_budget", *limit


def _ages(text: str) -> Iterator[Found]:
    """Ages of children in months: 26개월, 7살."""
    for match in _AGE.finditer(text):
        years = parse_number(match["years"]) if match["years"] else None
        months = int(match["months"]) if match["months"] else int(years or 0) * 12
        if 0 < months < _GROWN_MONTHS:
            yield "child_months", months, match.span()


def _booked(heard: Heard) -> Iterator[Found]:
    """What needs no money and no search any more. Lodging that is still looked for beside it is not among it."""
    for sentence in heard.message.sentences:
        words = heard.message.text[slice(*sentence)]
        if not _PAID.search(words):
            continue
        clauses = [one for one in heard.message.clauses if sentence[0] <= one[0] < sentence[1]]
        paid = " ".join(t for one in clauses if _PAID.search(t := heard.message.text[slice(*one)])) or words
        told = paid if _TICKET.search(paid) or _STAY.search(paid) else words
        if _TICKET.search(told):
            yield "booked", "flights", sentence
        if _STAY.search(told) and not _STILL_OPEN.search(told) and not _OWN_STAY.search(heard.message.text):
            yield "booked", "hotel", sentence


def _means(heard: Heard) -> Iterator[Found]:
    """By what one goes, and by what not."""
    seen = 0
    for mode, word, span in sorted(_words_of(heard, need_words()["transport"]), key=lambda found: found[2]):
        role, after = heard.role_at(span), heard.message.text[span[1] : span[1] + 12]
        refused = _REFUSES.match(after.lstrip("은는이가을를도 "))
        if (_asked(heard, span[0]) and not refused) or span[0] < seen:
            continue
        seen = span[1]
        drives = word == "운전" and _DRIVES.match(heard.message.text, span[0])
        if drives:
            yield "transport", mode, span
        elif (role and role.name == "no_transport") or refused:
            yield "no_transport", mode, span
        elif (word != "운전" and role and role.name == "transport" and role.sure >= _SURE) or (
            mode in {"train", "car"} and word not in {"운전", "렌터카", "렌트카"} and _TAKES.match(after.lstrip())
        ):
            yield "transport", mode, span


def _listed(heard: Heard) -> Iterator[Found]:
    for name in ("access", "pets", "diet"):
        for label, _, span in _words_of(heard, need_words()[name]):
            beside = name == "access" and _OF_AN_ANIMAL.search(heard.message.text)
            if not beside and not _asked_for(heard, name, span) and not _NOT_SO.match(heard.message.text, span[1]):
                yield name, label, span
    for label, _, span in _words_of(heard, need_words()["climate"]):
        if not _asked(heard, span[0]) or heard.role_at(span):
            yield "climate", label, span
    scopes = [(heard.message.text.find(word), word) for word in ("국내", "해외")]
    for at, word in sorted(found for found in scopes if found[0] >= 0)[:1]:
        yield "scope", word, (at, at + len(word))


def _eaten(heard: Heard) -> Iterator[Found]:
    for match in _ALLERGY.finditer(heard.message.text):
        eaten = (
            _names_something(heard, match.span("what")) and match["what"] not in need_words()["not_eaten"]["allergy"]
        )
        if eaten and not _HAS_NONE.match(heard.message.text, match.end()):
            yield "diet", f"{match['what']} 알레르기", match.span()
    for match in _NOT_EATEN.finditer(heard.message.text):
        known = match["what"] in _NO_DISH or match["what"].endswith("밖에")
        if not known and not _asked(heard, match.start()):
            yield "diet", f"{match['what']} 못 먹음", match.span()


def _names_something(heard: Heard, span: Span) -> bool:
    """Whether the words end in a noun: in 새우 못 먹는다 알레르기 what comes before the allergy is none."""
    inside = [one for one in heard.message.morphemes if span[0] <= one.start < span[1]]
    return not inside or inside[-1].tag.startswith(("N", "X", "S"))


def _unwanted(heard: Heard) -> Iterator[Found]:
    for city in heard.message.of("city"):
        if BEEN.match(heard.message.text, city.span[1]) or _OTHERS.match(heard.message.text, city.span[1]):
            yield "avoid", city.value.name, city.span
    for span in denied(heard):
        words = heard.message.text[slice(*span)]
        for pattern in patterns("styles").values():
            if match := pattern.search(words):
                yield "avoid", match.group(), (span[0] + match.start(), span[0] + match.end())
    for _, word, span in _words_of(heard, need_words()["avoid"]):
        if _REFUSES.match(heard.message.text[span[1] :].lstrip("은는이가을를도 ")):
            yield "avoid", word, span
    for role in heard.roles_of("avoid"):
        place = role.value is not None and role.value.kind in {"city", "region"}
        asked = _asked(heard, role.span[0]) or "?" in _clause(heard, role.span[0])
        if role.sure >= _SURE and not place and not asked and not cue("lodging").fullmatch(role.words):
            yield "avoid", role.value.value.name if role.value and role.value.kind == "sight" else role.words, role.span


def _wishes(heard: Heard) -> Iterator[Found]:
    taken: list[Span] = []
    for role in heard.roles_of("wish"):
        act = heard.act_at(role.span[0])
        exported = act is not None and heard.acts[act].get("task") == "export"
        plain = role.value is None and not find_clock_times(role.words) and not _NO_WISH.fullmatch(role.words)
        asked = _asked(heard, role.span[0])
        if role.sure >= _WISHED and plain and not exported and not asked:
            taken.append(role.span)
            yield "wishes", role.words, role.span
    for role in heard.roles_of("lodging"):
        known = any(pattern.search(role.words) for pattern in patterns("lodging").values())
        if role.sure >= _SURE and not known and not _asked(heard, role.span[0]):
            taken.append(role.span)
            yield "wishes", f"숙소 {role.words}", role.span
    squeezed = {**{word: [word] for word in need_words()["features"]}, **need_words()["named_wishes"]}
    for word, _, span in _words_of(heard, squeezed):
        if not _asked(heard, span[0]) and not any(overlap(span, other) for other in taken):
            yield "wishes", word, span


def _words_of(heard: Heard, table: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str, Span]]:
    """Every word of a table that stands in the message: its label, the word, and where."""
    plain, places = _without_blanks(heard.message.text)
    for label, words in table.items():
        for word in words:
            at = plain.find(word)
            while at >= 0:
                yield label, word, (places[at], places[at + len(word) - 1] + 1)
                at = plain.find(word, at + len(word))


def _without_blanks(text: str) -> tuple[str, list[int]]:
    kept = [(letter.lower(), place) for place, letter in enumerate(text) if not letter.isspace()]
    return "".join(letter[0] for letter, _ in kept), [place for _, place in kept]
