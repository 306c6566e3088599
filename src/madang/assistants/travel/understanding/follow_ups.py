"""What a message means once a plan is there: a change of slots, one expert again, an answer from state, or a choice."""

import re
from dataclasses import dataclass
from typing import Literal

from madang.assistants.travel.state.results import Pace, Tier
from madang.assistants.travel.understanding.slots.place_names import find_places
from madang.assistants.travel.understanding.slots.slot_update import SlotUpdate
from madang.text.normalise import normalise

FollowUpKind = Literal[
    "slots",            # the slots changed: whatever depends on them runs again
    "hotel_tier",       # the hotel expert again, a tier up or down
    "flight_tier",      # the flight expert again, a tier up or down
    "direct_only",      # the flight expert again, without stops
    "day_pace",         # the itinerary again, one day slower or fuller
    "avoid_place",      # the itinerary again, without a place
    "swap_day",         # the itinerary again, one day with other places
    "cheaper",          # everything a tier down: recommend the cheaper plan
    "better",           # everything a tier up
    "choose_plan",      # the user takes a plan
    "rain",             # answer: the rain alternative of a day
    "difference",       # answer: what sets the plans apart
    "show_day",         # answer: one day
    "show_plan",        # answer: one plan
    "other_hotels",     # answer: the other stays
    "why",              # answer: why this plan is recommended
    "cost",             # answer: the breakdown
    "export",           # a file of the trip
    "summary",          # answer: the days in short
    "restart",          # plan everything again
    "thanks",
    "unknown",
]  # fmt: skip
_RERUNS = frozenset({"hotel_tier", "flight_tier", "direct_only", "day_pace", "avoid_place", "swap_day"})


@dataclass(frozen=True)
class FollowUp:
    """One meaning. `step` is +1 for better and -1 for cheaper; `day` counts from 1, -1 is the last."""

    kind: FollowUpKind
    step: int = 0
    day: int | None = None
    pace: Pace | None = None
    plan: Tier | None = None
    place: str | None = None
    format: Literal["markdown", "ics", "map"] | None = None

    @property
    def reruns(self) -> bool:
        """Whether an expert works again; all else is answered from the state."""
        return self.kind in _RERUNS


_HOTEL = r"호텔|숙소|숙박|방(?=만|을|은|좀|\s?더)|잠자리"
_FLIGHT = r"항공권?|비행기|비행편|교통편|기차|표(?=만|를|는|\s?더)"
_BETTER = r"(?:더\s?)?(?:좋은|좋게|고급|편한|편하게|럭셔리|비싼|업그레이드|상향|올려|5성급?|높여|넓은)"
_CHEAPER = r"(?:더\s?|좀\s?|조금\s?){0,3}(?:싼|싸게|저렴|아껴|아낄|아끼|절약|낮춰|낮은|줄여|알뜰|가성비)"
_HOTEL_TIER = re.compile(rf"(?:{_HOTEL})[^.?!]{{0,14}}?(?:(?P<up>{_BETTER})|(?P<down>{_CHEAPER}))")
_HOTEL_TIER_BEFORE = re.compile(rf"(?:(?P<up>{_BETTER})|(?P<down>{_CHEAPER}))\s?(?:한\s?|인\s?)?(?:{_HOTEL})")
_OTHER_HOTELS = re.compile(r"다른\s?(?:호텔|숙소)|(?:호텔|숙소)[^.?!]{0,6}(?:다른|더\s?없|말고|목록|리스트|옵션)")
_SHOW_PLAN = re.compile(
    r"(?P<plan>[123]번|첫\s?번째|두\s?번째|세\s?번째|알뜰|표준|프리미엄)\s?(?:플랜|안|거|것|걸)?[^.?!]{0,8}(?:자세히|상세|설명|보여|알려|뭐야)"
)
_RESTART = re.compile(r"처음부터|다시\s?(?:짜|계획|만들|해\s?줘)|새로\s?(?:짜|계획)|리셋")
_SWAP = re.compile(r"바꿔|바꾸|변경|다른\s?(?:데|곳|걸|코스)|별로")
_FLIGHT_TIER = re.compile(
    rf"(?:{_FLIGHT})[^.?!]{{0,14}}?(?:(?P<up>{_BETTER})|(?P<down>{_CHEAPER}))|(?P<seat>비즈니스\s?(?:석|클래스)|프리미엄\s?이코노미)"
)
_DIRECT = re.compile(r"직항|경유\s?(?:없|말고|싫|안)|논스톱|바로\s?가는")
_RAIN = re.compile(
    r"비\s?(?:가\s?)?(?:오|온|올|와)|우산|우천|장마|소나기|날씨\s?(?:가\s?)?(?:안\s?좋|나쁘|흐리)|눈\s?오면|태풍"
)
_DIFFERENCE = re.compile(
    r"(?:플랜|안|옵션|세\s?(?:개|가지)|셋|것들)[^.?!]{0,8}(?:차이|비교|다른|뭐가\s?달)|차이가?\s?(?:뭐|뭔|무엇|알려)|비교해|뭐가\s?다(?:른|르)|어떻게\s?달"
)
_WHY = re.compile(
    r"왜[^.?!]{0,14}(?:추천|골|이\s?플랜|이걸|그\s?플랜|권)|추천\s?(?:이유|근거)|이유가?\s?(?:뭐|뭔)|(?:뭐|어떤\s?(?:게|플랜)|어느\s?(?:게|플랜))(?:가|이)?\s?(?:제일|가장|더)?\s?(?:나아|낫|좋아|좋을|괜찮)"
)
_COST = re.compile(
    r"(?:얼마|총액|총\s?비용|합계|내역|예산\s?(?:남|얼마)|남는\s?돈|비용(?:이|은)?\s?(?:내역|정리|알려|어떻게|어떤)|예산\s?(?:초과|넘|안에|부족|모자)|왜\s?(?:이렇게\s?|이리\s?)?비싸)"
)
_CHOOSE = re.compile(
    r"(?:(?:플랜|안|옵션)\s?(?P<number>[123]|[일이삼])\s?(?:번)?|(?P<order>첫\s?번째|첫째|두\s?번째|둘째|세\s?번째|셋째|[123]번)\s?(?:플랜|안|걸|거|것|옵션)?"
    r"|(?P<name>알뜰|가성비|저렴한|싼|표준|스탠다드|중간|기본|프리미엄|고급|비싼|가운데|제일\s?(?:싼|좋은|비싼))\s?(?:플랜|안|걸|거|것|쪽)?)"
    r"\s?(?:으)?로\s?(?:할|하|갈|가|정|해|결정|진행|예약|부탁|확정)"
)
_TAKE = re.compile(
    r"(?:확정|결정)(?:할게요?|해\s?줘|해\s?주세요|합니다|이요)?[\s.!~]*$|(?:이대로|그대로|추천(?:한|해\s?준)?\s?(?:걸|대로|플랜)(?:으?로)?|그걸로|이걸로)\s?(?:할|하|갈|가|진행|확정|예약|좋)"
)
_DAY = re.compile(
    r"(?P<last>마지막\s?(?:날|일)|막날|돌아오는\s?날)|(?P<first>첫\s?(?:째\s?)?날|도착하는\s?날|도착일)"
    r"|(?P<word>둘째|이튿|두\s?번째|셋째|사흘|세\s?번째|넷째|네\s?번째|다섯째|다섯\s?번째|여섯째)\s?(?:째\s?)?날|(?P<digit>\d{1,2})\s?일\s?(?:차|째)"
)
_DAY_WORDS = {"둘": 2, "이": 2, "두": 2, "셋": 3, "사": 3, "세": 3, "넷": 4, "네": 4, "다": 5, "여": 6}
_RELAX = re.compile(
    r"여유|천천|느긋|널널|쉬엄|빡빡하지\s?않|빡세지\s?않|일정\s?(?:좀\s?)?(?:줄|빼)|덜\s?빡|쉬는|쉬고|쉴래|쉴게|쉬자|느슨|아무것도\s?안"
)
_LESS_OF_IT = re.compile(r"빡[세센셀빡]|힘들|하나만?\s?(?:빼|뺄|줄)|반으로\s?줄")
_PACK = re.compile(r"빡세게|알차게|꽉\s?채|더\s?많이|빽빽|촘촘|부지런")
_SHOW = re.compile(r"먹|보여|알려|뭐\s?(?:해|하|있)|일정|어디\s?가|코스|뭐야")
_AVOID = re.compile(r"빼|제외|안\s?[가갈]|말고|삭제|취소|됐|싫|별로|바꿔")
_EXPORT = re.compile(
    r"(?P<ics>캘린더|달력|ics|아이캘|구글\s?일정)|(?P<map>지도)|(?P<markdown>마크다운|문서|파일|내보내|다운로드|저장해|pdf)",
    re.IGNORECASE,
)
_EXPORT_VERB = re.compile(r"내보내|저장|다운|받|추출|넣어|추가|보여|그려|만들|줘|주세요")
_OVERALL_CHEAPER = re.compile(rf"(?:{_CHEAPER}|너무\s?비싸|비싸(?:네|요|다)|가격\s?(?:좀\s?)?(?:내려|낮))")
_OVERALL_BETTER = re.compile(r"(?:전체적으로\s?|좀\s?|조금\s?)?(?:더\s?)(?:좋게|고급|럭셔리|비싸도)|업그레이드")
_THANKS = re.compile(
    r"^\s*(?:네|넵|응|좋아요?|좋네요?|굿|오케이|ok|감사(?:합니다|해요)?|고마워요?|고맙습니다|수고)[\s!.~]*$",
    re.IGNORECASE,
)
_PLANS: dict[str, Tier] = {
    "1": "budget", "일": "budget", "2": "standard", "이": "standard", "3": "premium", "삼": "premium",
    "첫": "budget", "두": "standard", "둘": "standard", "세": "premium", "셋": "premium",
    "알뜰": "budget", "가성비": "budget", "저렴한": "budget", "싼": "budget", "제일싼": "budget", "표준": "standard",
    "스탠다드": "standard", "중간": "standard", "기본": "standard", "프리미엄": "premium", "고급": "premium",
    "비싼": "premium", "제일좋은": "premium", "제일비싼": "premium", "가운데": "standard",
}  # fmt: skip


def follow_up(
    message: str, update: SlotUpdate, cities: tuple[str, ...] = (), recommended: Tier | None = None
) -> FollowUp:
    """What a message asks for after a plan. `update` is what `understand` made of it; `cities` are the trip's."""
    text = normalise(message)
    day = read_day(text)
    if found := _choice(text, day, recommended) or _question(text, day) or _one_expert(text, day):
        return found
    if update.changes or update.removals or update.problems or update.questions:
        return FollowUp("slots")
    return _the_rest(text, day, cities)


def read_day(text: str) -> int | None:
    """The day a message speaks of, from 1; -1 is the last."""
    match = _DAY.search(text)
    if not match:
        return None
    if match["last"]:
        return -1
    if match["first"]:
        return 1
    return int(match["digit"]) if match["digit"] else _DAY_WORDS[match["word"][0]]


def _choice(text: str, day: int | None, recommended: Tier | None) -> FollowUp | None:
    if day is None and (match := _CHOOSE.search(text)):
        word = (match["number"] or match["name"] or match["order"] or "").replace(" ", "")
        tier = _PLANS.get(word) or _PLANS.get(word[:1])
        return FollowUp("choose_plan", plan=tier) if tier else None
    if _TAKE.search(text):
        return FollowUp("choose_plan", plan=recommended)
    return None


def _question(text: str, day: int | None) -> FollowUp | None:
    if _RAIN.search(text) and not re.search(r"출발|예산", text):
        return FollowUp("rain", day=day)
    if day is None and _DIFFERENCE.search(text):
        return FollowUp("difference")
    if _WHY.search(text):
        return FollowUp("why")
    export = _EXPORT.search(text)
    if export and _EXPORT_VERB.search(text):
        kind: Literal["markdown", "ics", "map"] = "ics" if export["ics"] else "map" if export["map"] else "markdown"
        return FollowUp("export", format=kind)
    return None


def _one_expert(text: str, day: int | None) -> FollowUp | None:
    if match := _HOTEL_TIER.search(text) or _HOTEL_TIER_BEFORE.search(text):
        return FollowUp("hotel_tier", step=1 if match["up"] else -1)
    if _DIRECT.search(text):
        return FollowUp("direct_only")
    if match := _FLIGHT_TIER.search(text):
        return FollowUp("flight_tier", step=-1 if match["down"] else 1)
    if day is not None and (_RELAX.search(text) or _LESS_OF_IT.search(text)):
        return FollowUp("day_pace", day=day, pace="relaxed")
    if day is not None and _PACK.search(text):
        return FollowUp("day_pace", day=day, pace="packed")
    return FollowUp("other_hotels") if _OTHER_HOTELS.search(text) else None


def _the_rest(text: str, day: int | None, cities: tuple[str, ...]) -> FollowUp:
    places = find_places(text, cities)
    ends = [*(place.start for place in places[1:]), len(text)]
    for place, end in zip(places, ends, strict=False):
        if _AVOID.search(text, place.end, end):
            return FollowUp("avoid_place", place=place.name)
    if _RESTART.search(text):
        return FollowUp("restart")
    if day is not None and _SWAP.search(text):
        return FollowUp("swap_day", day=day)
    if day is not None and _SHOW.search(text):
        return FollowUp("show_day", day=day)
    if match := _SHOW_PLAN.search(text):
        word = match["plan"].replace(" ", "")
        return FollowUp("show_plan", plan=_PLANS.get(word) or _PLANS.get(word[:1]))
    if _COST.search(text):
        return FollowUp("cost")
    if _OVERALL_CHEAPER.search(text):
        return FollowUp("cheaper", step=-1)
    if _OVERALL_BETTER.search(text):
        return FollowUp("better", step=1)
    return FollowUp("thanks" if _THANKS.match(text) else "unknown")
