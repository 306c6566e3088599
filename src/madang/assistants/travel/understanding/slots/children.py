"""Children and infants a message names, with their ages: 7살 4살 아들 둘, 쌍둥이, 18개월 아기."""

import re

from madang.assistants.travel.understanding.slots.people_words import (
    CHILD_KIN,
    COMPANION,
    LINK_BEFORE,
    PAIR,
    PARTY_ITSELF,
    Roster,
    count_of,
    counted_as,
)

_SCHOOL = (
    r"초등학교\s?\d\s?학년|초등학생|초등생|초등|초딩|중학생|중딩|고등학생|고딩|유치원생|어린이집|유딩|미취학\s?아동|미취학"
    r"|청소년|(?<![가-힣])[초중고][1-6](?!\d)|\d\s?학년"
)
_TWINS = r"쌍둥이(?!\s?(?:아기|애기|유아|아들|딸|남매|자매|형제))"
_CHILD_NOUN = (
    rf"{CHILD_KIN}|{_TWINS}|아이들|아이|애들|애(?!인|매|월|기)|자녀|어린이|아동|소아|소인|꼬맹이|꼬마|미성년자?"
)
_BABY_NOUN = (
    r"갓난아기|갓난쟁이|갓난애기?|돌쟁이|돌\s?지난\s?(?:아기|애기|아이|애)|신생아|영유아|영아|유아|아기|애기|베이비"
)
_AGE = (
    r"(?:만\s?)?(?:(?:\d{1,2}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두)\s?살(?!\s?(?:차이|연상|연하))|\d{1,2}\s?세(?![가-힣])"
    r"|\d{1,2}\s?개월)(?:\s?(?:짜리|배기|된|인))?"
)
_LEVEL = rf"(?:{_AGE}|{_SCHOOL})"
_SEP = r"(?:\s?[,/·&+]\s?|\s?(?:이랑|랑|하고|와|과)\s?|\s)"
_YOUNG = re.compile(
    rf"(?<![가-힣\d])(?P<levels>{_LEVEL}(?:{_SEP}{_LEVEL})*)\s?(?P<noun>{_CHILD_NOUN}|{_BABY_NOUN})?{counted_as('n')}"
    rf"|(?<![가-힣])(?P<baby>{_BABY_NOUN}){counted_as('b')}"
    rf"|(?:(?<![가-힣])|(?<=[둘셋넷]))(?P<child>{_CHILD_NOUN}){counted_as('c')}"
)
_WITH_ME = re.compile(r"(?<![가-힣])(?:저|나|제가|내가)(?:랑|하고|와)?\s?$")
_BIRTH_ORDER = re.compile(r"(?:첫째|둘째|셋째|막내|큰애|작은애|큰\s?아이|작은\s?아이)(?:는|은|가|이)?\s?$")
_NOT_YET = re.compile(r"\s?(?:이|가)?\s?(?:안|미만|전|아직)")
_ANOTHER = re.compile(r"(?:이랑|랑|하고|와|과|,)\s?$")
_PLURAL = ("아이들", "애들")
_AGES_FOLLOW = re.compile(rf"\s?[(:]\s?{_LEVEL}")
_ONE_LEVEL = re.compile(_LEVEL)
_TAKEN = re.compile(r"\s?(?:을|를)?\s?(?:데리고|데려|동반)")


def named_children(text: str) -> Roster:  # noqa: PLR0912
    aged: list[bool] = []
    counted = babies = others = named = last = twins = 0
    unknown = False
    spans: list[tuple[int, int]] = []
    for match in _YOUNG.finditer(text):
        count, end = count_of(match["n"] or match["b"] or match["c"]), match.end()
        theirs = match["child"] in _PLURAL and _WITH_ME.search(text[: match.start()])
        if count and PARTY_ITSELF.match(text, end) and not theirs:
            count, end = None, max(match.end("levels"), match.end("noun"), match.end("baby"), match.end("child"))
        if match["levels"]:
            levels = [_is_infant(level) for level in _ONE_LEVEL.findall(match["levels"])]
            if None in levels or not _is_person(text, match, count):
                continue
            if match["noun"] == "쌍둥이" or text[match.end() :].lstrip().startswith("쌍둥이"):
                count = count or PAIR
            small = [bool(level) for level in levels]
            if not re.search(r"개월", match["levels"]):
                small = [one or bool(re.fullmatch(_BABY_NOUN, match["noun"] or "")) for one in small]
            if re.match(r"들(?![가-힣]?\s?(?:둘|셋|\d))", text[match.end() :]) or (
                match["noun"] in _PLURAL and len(small) == 1
            ):
                unknown = True
                spans.append((match.start(), end))
                continue
            aged += small + [small[-1]] * max(0, (count or 1) - len(small))
        elif match["baby"]:
            if count and _AGES_FOLLOW.match(text, match.end()):
                spans.append((match.start(), end))
                continue
            if not count and (aged or babies) and not _ANOTHER.search(text[: match.start()]):
                # 아기가 낮잠을 자서: the baby spoken of before
                spans.append((match.start(), end))
                continue
            babies += count or (2 if text[: match.start()].rstrip().endswith("쌍둥이") else 1)
        elif match["child"] == "쌍둥이":
            twins = max(twins, count or PAIR)
        elif count:
            counted += count
            last, named = count, named + 1
        elif match["child"] in _PLURAL:
            unknown = True
        elif end < match.end() or COMPANION.match(text, match.end()):
            of_age_unknown = re.fullmatch(CHILD_KIN, match["child"]) and not _TAKEN.match(text, match.end())
            others += 1 if of_age_unknown else 0
            counted += 0 if of_age_unknown else 1
        else:
            continue
        spans.append((match.start(), end))
    counted += twins
    infants = max(babies, sum(aged))
    # 애 둘, 7살 4살: the ages tell of the same children
    children = _merged(aged, counted, babies) if counted and aged else max(counted, len(aged) - sum(aged))
    return Roster(
        others,
        children,
        infants,
        open=unknown and not (children or infants),
        named=named,
        last_count=last,
        spans=tuple(spans),
    )


def _merged(aged: list[bool], counted: int, babies: int) -> int:
    infants = sum(aged)
    older = len(aged) - infants
    if counted >= len(aged):
        return counted - (infants if not babies else 0)
    return max(older, counted)


def _is_infant(level: str) -> bool | None:
    """Under two years; None when the age is a grown-up's."""
    number = re.match(r"(?:만\s?)?(\d{1,2}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열두|열한|열)\s?(살|세|개월)", level)
    if not number:
        return False
    value = count_of(number[1]) or 0
    if number[2] == "개월":
        return value < 24
    return None if value >= 19 else value < 2


def _is_person(text: str, match: re.Match[str], count: int | None) -> bool:
    """7살 하나, 초3 딸, 중학생 데리고: not 초등 alone in 초등학교 앞."""
    return bool(
        match["noun"]
        or count
        or COMPANION.match(text, match.end())
        or LINK_BEFORE.search(text[: match.start()])
        or (_BIRTH_ORDER.search(text[: match.start()]) and not _NOT_YET.match(text, match.end()))
        or re.match(r"\s?(?:이?에요|예요|입니다|이?고|있|이?[요.!]?$)", text[match.end() :])
    )
