"""Styles, pace, lodging, airline and places one must see."""

import re

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.data.words import patterns
from madang.assistants.travel.understanding.slots.city_names import Mention
from madang.assistants.travel.understanding.slots.city_roles import current_cities
from madang.assistants.travel.understanding.slots.masks import NAME, masked
from madang.assistants.travel.understanding.slots.place_names import find_places
from madang.assistants.travel.understanding.slots.slot_update import Draft

_DROP = re.compile(
    r"[가-힣]{0,2}?\s?(?:은|는|도|이|가|을|를)?\s?(?:위주\s?)?(?:말고|말구|보다|빼|뺄|뺍|뺐|제외|됐|싫|별로|아니고|아니라|대신|관심\s?없|안\s?할|안\s?(?:가|갈|봐|볼|해|하|먹)|필요\s?없|패스|취소|없던|지워|삭제|안\s?좋아|만\s?아니면\s?(?:돼|되|됨|괜찮|상관|다\s?좋)|못\s?(?:가|타|먹|하|해))"
)
_ONLY = re.compile(r"만(?=$|[\s.!~]|요|할|하고|으로)(?!\s?(?:아니|빼|말고))")
_REPLACE = re.compile(r"(?:으로|로)\s?(?:바꿔|바꾸|변경|할게|할래|갈래|해줘|해주)")
_MONEY_ROOM = re.compile(
    r"(?:예산|만\s?원)[^.]{0,6}꽉|예산[가-힣]{0,8}\s?(?:타이트|빠듯|빡빡)|예산\s?[가-힣]{0,8}\s?여유|여유\s?(?:자금|있게\s?\d)|돈\s?여유|여유\s?있(?:어|습|으)"
)
_LODGING_FREE = re.compile(
    r"(?:숙소|숙박|호텔|잠자리)[가-힣]{0,8}\s?(?:은|는)?\s?(?:상관\s?없|아무|어디든|다\s?괜찮|안\s?가려)"
)
_DENIED = re.compile(
    r"[가-힣]{0,3}\s?[가-힣]{0,5}\s?(?:건|거|것|게)?[은는도]?\s?(?:싫|말고|않|안\s?좋아|별로|질색|하지\s?마)"
)
_ALSO_FINE = re.compile(r"(?:이?라)?도\s?(?:괜찮|상관|무방|되고|돼|좋)")
_OPPOSITE = {"packed": "relaxed", "relaxed": "packed"}
_OR_AFTER = re.compile(r"\s?(?:이나|나|또는|혹은|아니면|or|/)\s?")
# 야경 구경: what is looked at says the style
_SIGHT = re.compile(
    r"(?:꽃|자연|야경|바다|단풍|풍경|경치|시장|쇼핑|문화|유적|박물관|미술관|눈|호수|노을|카페)[을를이]?\s?$"
)
_ONLY_BETTER = re.compile(
    r"호텔(?:만|을|은|이|도)?\s?(?:좀\s?|조금\s?)?(?:더|다른|싼|저렴|좋은|비싼|업그레이드|바꿔|급)"
    r"|(?:다른|이|그|좋은|싼|저렴한|비싼)\s?호텔|호텔\s?(?:1박|얼마|추천|어디|없|위치|이름|비(?=용|\s|는|가)|예약|가격)"
)
_AIRLINE_FREE = re.compile(
    r"(?:아무|어느|어떤)\s?(?:항공|비행기)[가-힣]{0,8}\s?(?:괜찮|상관|좋|돼|되|ㄱㅊ|$)|(?:항공사?|비행기)[가-힣]{0,8}\s?(?:은|는|이|가)?\s?(?:아무|상관\s?없|어디든|다\s?괜찮|안\s?가려|무관)"
)
_MUST = re.compile(r"꼭|무조건|반드시|필수|빠지면\s?안|빼먹|필히|무적권|기필코")
_PLACE_DROP = re.compile(
    r"\s?(?:은|는|도|을|를|이|가)?\s?(?:굳이\s?|이제\s?|그냥\s?)?(?:안\s?가|안\s?봐|빼|뺄|뺍|뺐|됐|제외|말고|패스|필요\s?없|취소|스킵|관두|별로|삭제|없던|지워|없애|못\s?갈)"
)
_PLACE_SWAP = re.compile(r"\s?(?:으로|로)\s?(?:변경|바[꿔꾸꿀]|대체|교체)")
_PLACE_ASK = re.compile(r"뭐야|뭔가요|무슨\s?곳|얼마|몇\s?시|언제\s?(?:열|닫)|어떤\s?곳|비\s?오면|어때")
_LODGING_NEAR = re.compile(r"\s?(?:근처|인근|쪽|주변)")


def read_preferences(text: str, draft: Draft, names: list[Mention]) -> None:
    """travel_style, pace, accommodation_preference, preferred_airline and must_visit_places."""
    places = find_places(text, tuple(current_cities(draft)))
    _read_airline(text, draft, names)
    _read_places(text, draft, places, names)
    musts = draft.get("must_visit_places") or ()
    named = [name.span for name in (*names, *places) if not name.generic or name.name in musts]
    plain = masked(text, named, NAME)
    _read_styles(plain, draft)
    _read_pace(plain, draft)
    _read_lodging(plain, draft)


def sure_places(text: str, draft: Draft) -> list[Mention]:
    """Places of the trip's cities whose names are no ordinary words."""
    return [place for place in find_places(text, tuple(current_cities(draft))) if not place.generic]


def _read_styles(text: str, draft: Draft) -> None:
    current = list(draft.get("travel_style") or [])
    wanted: list[tuple[int, str]] = []
    dropped: set[str] = set()
    for style, pattern in patterns("styles").items():
        matches = list(pattern.finditer(text))
        kept = [match for match in matches if not _DROP.match(text, match.end())]
        kept = [match for match in kept if match.group() != "구경" or not _SIGHT.search(text[: match.start()])]
        if kept:
            wanted.append((kept[0].start(), style))
        elif matches:
            dropped.add(style)
    said = [style for _, style in sorted(wanted)]
    if dropped & set(current):
        draft.cues.add("removal")
    only = any(_ONLY.match(text, match.end()) for style in said for match in patterns("styles")[style].finditer(text))
    if said and current and (_REPLACE.search(text) or only) and not dropped:
        current = []
    merged = [style for style in current if style not in dropped]
    draft.set("travel_style", [*merged, *(style for style in said if style not in merged)])


def _read_pace(text: str, draft: Draft) -> None:
    if _MONEY_ROOM.search(text) or re.search(r"(?:첫|둘째|셋째|마지막|\d)\s?(?:째\s?)?날", text):
        return
    for pace, pattern in patterns("pace").items():
        if match := pattern.search(text):
            denied = _DENIED.match(text, match.end()) is not None
            draft.set("pace", _OPPOSITE.get(pace, pace) if denied else pace)
            return


def _read_lodging(text: str, draft: Draft) -> None:
    if _LODGING_FREE.search(text):
        draft.set("accommodation_preference", None)
        draft.cues.add("removal")
        return
    if _ONLY_BETTER.search(text):
        return
    said = [
        (match.start(), match.end(), kind)
        for kind, pattern in patterns("lodging").items()
        for match in pattern.finditer(text)
        if not (_DROP.match(text, match.end()) or _LODGING_NEAR.match(text, match.end()))
    ]
    if not said and _taken_back(text, draft.get("accommodation_preference")):
        draft.set("accommodation_preference", None)
        draft.cues.add("removal")
    if draft.get("accommodation_preference"):
        said = [item for item in said if not _ALSO_FINE.match(text, item[1])]
    if said:
        # 에어비앤비 불법이라며 그냥 호텔: the last one said, of two alternatives the first
        said.sort()
        either = len(said) > 1 and _OR_AFTER.match(text, said[0][1])
        draft.set("accommodation_preference", said[0 if either else -1][2])


def _taken_back(text: str, kind: str | None) -> bool:
    """게하는 취소, of the kind that is known."""
    pattern = patterns("lodging").get(kind or "")
    return pattern is not None and any(_DROP.match(text, match.end()) for match in pattern.finditer(text))


def _read_airline(text: str, draft: Draft, names: list[Mention]) -> None:
    if _AIRLINE_FREE.search(text):
        draft.set("preferred_airline", None)
        draft.cues.add("removal")
    said = [mention for mention in names if mention.kind == "airline"]
    kept = [mention for mention in said if not _DROP.match(text, mention.end)]
    if len(kept) > 1 and _OR_AFTER.match(text, kept[0].end):
        said = kept[:1]
    elif len(said) > 1 and _OR_AFTER.match(text, said[0].end):
        said = said[:1]
    for mention in said:
        if not _DROP.match(text, mention.end):
            draft.set("preferred_airline", mention.name)
        elif draft.get("preferred_airline") == mention.name:
            draft.set("preferred_airline", None)


def _read_places(text: str, draft: Draft, places: list[Mention], names: list[Mention]) -> None:
    current = list(draft.get("must_visit_places") or [])
    if len(current) == 1 and len(places) == 1 and _PLACE_SWAP.match(text, places[0].end):
        current = []
    for place in places:
        if any(m.kind == "city" and m.start <= place.start and place.end <= m.end for m in names):
            continue
        if _PLACE_DROP.match(text, place.end):
            if place.name in current:
                current.remove(place.name)
                draft.cues.add("removal")
            continue
        if place.generic and not _MUST.search(text):
            continue
        if _PLACE_ASK.search(text) and not _MUST.search(text):
            continue
        if _LODGING_NEAR.match(text, place.end) and re.search(r"숙소|호텔|근처면|근처였|근처로", text):
            continue
        if place.name not in current:
            current.append(place.name)
    left = [name for name in current if not _dropped_in_short(text, name)]
    if len(left) < len(current):
        draft.cues.add("removal")
    draft.set("must_visit_places", left)


def _dropped_in_short(text: str, name: str) -> bool:
    """시부야는 빼줘, of 시부야 스카이."""
    words = [word for word in name.split() if len(word) > 1 and word not in all_cities()]
    return len(words) > 1 and any(
        _PLACE_DROP.match(text, match.end()) for word in words for match in re.finditer(re.escape(word), text)
    )
