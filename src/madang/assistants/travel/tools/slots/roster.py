"""Everyone a message names, counted one by one: 남편이랑 7살 4살 아들 둘, 시부모님이랑 저희 부부."""

import re
from dataclasses import dataclass, replace

from madang.text.numbers import parse_number

ADULT_KIN = (
    r"처형|동서|시동생|시숙|아주버님|형님|영감님?|할멈|할아범|사돈|보살님|집사님|권사님|계원|처남댁|친정\s?식구|친정\s?엄마|친정\s?어머니|친정\s?아빠|시엄마|외할머니|외할아버지|어머니|아버지|어머님|아버님|엄마|아빠|장모님?|장인어른|장인"
    r"|시어머니|시아버지|시누이?|형부|형수님?|처제|처남|제부|매형|매제|올케|도련님|새언니|사촌|막내|여동생|남동생|동생|언니|오빠|누나|형|할머니"
    r"|할아버지|이모부|이모|고모부|고모|삼촌|숙모|남편|신랑|아내|와이프|집사람|마누라|여친|남친|여자\s?친구|남자\s?친구|애인|여사친|남사친"
    r"|룸메이트|룸메|절친|베프|직장\s?동료|회사\s?동료|동료|선배|후배|동기|친구|지인|상사|팀장님?|며느리|사위|예비\s?신랑|예비\s?신부"
)
CHILD_KIN = r"(?:큰|작은|막내|외동)?(?:딸내미|딸아이|아들내미|딸|아들)|조카|손자|손녀|손주"
_PEERS = re.compile(r"동료|선배|후배|동기|친구|지인|언니|오빠|형|누나|동생|사촌|이모|고모")
# one has only one of them: the number in 나랑 남친 둘 is the party's
_SINGLE = re.compile(
    r"남친|여친|남편|신랑|아내|와이프|집사람|마누라|애인|(?:여자|남자)\s?친구|엄마|아빠|어머니|아버지|장모님?|장인|시어머니|시아버지|예비\s?신[랑부]"
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
_STAND = r"하나|둘(?!째)|셋(?!째)|넷(?!째)|다섯|여섯|\d{1,2}(?!\s?만)"
_NOT_A_COUNT = r"(?!\d|\s?(?:살|세(?![가-힣])|박|일(?!행)|월|천|백|개월|학년|시(?![가-힣])|번|주|%|/\d|~\s?\d))"


def _counted(name: str) -> str:
    """A number after a noun: 둘, 2명, 두 명."""
    standing = rf"(?:{_STAND}){_NOT_A_COUNT}"
    before_counter = r"(?:한|두|세|네|다섯|여섯)(?=\s?(?:명|분))"
    return rf"(?:\s?(?P<{name}>{standing}|{before_counter})(?:\s?(?:명|분))?)?"


_AGE = (
    r"(?:만\s?)?(?:(?:\d{1,2}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두)\s?살(?!\s?(?:차이|연상|연하))|\d{1,2}\s?세(?![가-힣])"
    r"|\d{1,2}\s?개월)(?:\s?(?:짜리|배기|된|인))?"
)
_LEVEL = rf"(?:{_AGE}|{_SCHOOL})"
_SEP = r"(?:\s?[,/·&+]\s?|\s?(?:이랑|랑|하고|와|과)\s?|\s)"
_YOUNG = re.compile(
    rf"(?<![가-힣\d])(?P<levels>{_LEVEL}(?:{_SEP}{_LEVEL})*)\s?(?P<noun>{_CHILD_NOUN}|{_BABY_NOUN})?{_counted('n')}"
    rf"|(?<![가-힣])(?P<baby>{_BABY_NOUN}){_counted('b')}"
    rf"|(?:(?<![가-힣])|(?<=[둘셋넷]))(?P<child>{_CHILD_NOUN}){_counted('c')}"
)
_PAIR = 2
_WITH_ME = re.compile(r"(?<![가-힣])(?:저|나|제가|내가)(?:랑|하고|와)?\s?$")
_BIRTH_ORDER = re.compile(r"(?:첫째|둘째|셋째|막내|큰애|작은애|큰\s?아이|작은\s?아이)(?:는|은|가|이)?\s?$")
_NOT_YET = re.compile(r"\s?(?:이|가)?\s?(?:안|미만|전|아직)")
_PLURAL = ("아이들", "애들")
_AGES_FOLLOW = re.compile(rf"\s?[(:]\s?{_LEVEL}")
_ONE_LEVEL = re.compile(_LEVEL)
_GROWN = re.compile(
    rf"(?<![가-힣])(?:(?P<both>양가\s?부모님)|(?P<pair>시부모님|친정\s?부모님|조부모님|부모님|장인\s?장모님?|장인어른\s?장모님?)(?:\s?(?:두\s?분|2분|둘))?"
    rf"|(?P<theirs>(?:{ADULT_KIN}|아들|딸)(?:네|이?랑)?\s?(?:부부|커플))|(?P<ours>(?:저희|우리|저의)?\s?(?:신혼\s?)?부부)(?!\s?동반)"
    rf"|(?P<kin>{ADULT_KIN})(?P<many>들)?{_counted('k')}|(?P<clan>(?:처가|시댁|친정|외가|우리)?\s?(?:식구들?|가족들?|친척들?))(?=이?랑|하고|와|과|\s?모시고|\s?다\s?같이)|(?P<self>저희?|나|본인|제가|내가)(?=이?랑|하고|와|과|까지|도|포함|[\s,+&]|$|요|이요))"
)
_COMPANION = re.compile(
    r"님?(?:도\s?)?(?:(?:이랑|랑|하고|와|과)(?![가-힣])|(?:이랑|랑|하고)(?=[가-힣])|\s?[,+&/]|\s?(?:을|를)?\s?(?:모시고|데리고|데려|동반)|까지|\s?이렇게|(?:이랑|랑)?\s?(?:같이|함께)|이요|요$|에(?=\s(?:저희|우리|저|나|부부|초등|아이|애|손주|아기|유아|어린이|◇)))"
)
_LINK_BEFORE = re.compile(
    rf"(?:이랑|랑|하고|와|과|[+&(:]|모시고|데리고|그리고)\s?$|(?:{ADULT_KIN}|◇|나|저|명|하나|둘|셋|부부|부모님)\s?[,/]\s?$"
)
_NOT_ALONG = re.compile(
    r"(?:이|가|은|는)?\s?(?:빼고|없이|말고|제외|두고|맡기고)|(?:이|가|은|는)\s[^,.]{0,10}?(?:못|안)\s?[가간갈온올오]"
)
_TAKEN = re.compile(r"\s?(?:을|를)?\s?(?:데리고|데려|동반)")
_PARTY_ITSELF = re.compile(r"(?:이서|서\s|끼리|만(?![가-힣]*원))")


@dataclass(frozen=True)
class Roster:
    """Who was named. `others` are grown or of unknown age and don't count the speaker (nor a couple they are half of);
    `open` when someone of unknown number goes along (애들, 친구들); spans are the letters that named them."""

    others: int = 0
    children: int = 0
    infants: int = 0
    couple: bool = False
    open: bool = False
    speaker: bool = False
    parents: bool = False
    named: int = 0
    last_count: int = 0
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def young(self) -> int:
        return self.children + self.infants

    @property
    def grown(self) -> int:
        """The adults with the speaker, who always goes along; 0 when no adult was named."""
        if self.parents and self.young and self.others >= _PAIR and not self.speaker:
            return self.others
        with_speaker = self.others or self.couple or (self.speaker and self.young)
        return self.others + (2 if self.couple else 1) if with_speaker else 0


def call_roll(text: str, answering: bool) -> Roster:
    """The people named in a message; `answering` when the question was how many."""
    young = _young(text)
    grown = _grown(_hidden(text, young.spans), answering or bool(young.spans))
    if young.last_count and grown.speaker and young.last_count == grown.others + young.named + 1 > _PAIR:
        # 남편 나 딸 셋: the number closes the list
        start, end = young.spans[-1]
        noun_end = start + len(re.sub(r"[\s둘셋넷\d]+.*$|(?:다섯|여섯).*$", "", text[start:end]))
        young = replace(
            young,
            children=young.children - young.last_count,
            others=young.others + 1,
            spans=(*young.spans[:-1], (start, noun_end)),
        )
    return Roster(
        grown.others + young.others,
        young.children,
        young.infants,
        grown.couple,
        grown.open or young.open,
        grown.speaker,
        grown.parents,
        spans=young.spans + grown.spans,
    )


def _hidden(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    letters = list(text)
    for start, end in spans:
        letters[start:end] = "◇" * (end - start)
    return "".join(letters)


def hide(text: str, roster: Roster) -> str:
    """The message without those it names, so that the numbers left are of the whole party."""
    return _hidden(text, roster.spans)


def _count(word: str | None) -> int | None:
    return int(parse_number(word.strip()) or 0) or None if word else None


def _young(text: str) -> Roster:
    aged: list[bool] = []
    counted = babies = others = named = last = twins = 0
    unknown = False
    spans: list[tuple[int, int]] = []
    for match in _YOUNG.finditer(text):
        count, end = _count(match["n"] or match["b"] or match["c"]), match.end()
        theirs = match["child"] in _PLURAL and _WITH_ME.search(text[: match.start()])
        if count and _PARTY_ITSELF.match(text, end) and not theirs:
            count, end = None, max(match.end("levels"), match.end("noun"), match.end("baby"), match.end("child"))
        if match["levels"]:
            levels = [_is_infant(level) for level in _ONE_LEVEL.findall(match["levels"])]
            if None in levels or not _is_person(text, match, count):
                continue
            small = [bool(level) for level in levels]
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
            babies += count or (2 if text[: match.start()].rstrip().endswith("쌍둥이") else 1)
        elif match["child"] == "쌍둥이":
            twins = max(twins, count or _PAIR)
        elif count:
            counted += count
            last, named = count, named + 1
        elif match["child"] in _PLURAL:
            unknown = True
        elif end < match.end() or _COMPANION.match(text, match.end()):
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
    value = _count(number[1]) or 0
    if number[2] == "개월":
        return value < 24
    return None if value >= 19 else value < 2


def _is_person(text: str, match: re.Match[str], count: int | None) -> bool:
    """7살 하나, 초3 딸, 중학생 데리고: not 초등 alone in 초등학교 앞."""
    return bool(
        match["noun"]
        or count
        or _COMPANION.match(text, match.end())
        or _LINK_BEFORE.search(text[: match.start()])
        or (_BIRTH_ORDER.search(text[: match.start()]) and not _NOT_YET.match(text, match.end()))
        or re.match(r"\s?(?:이?에요|예요|입니다|이?고|있|이?[요.!]?$)", text[match.end() :])
    )


def _grown(text: str, listed: bool) -> Roster:
    found = [match for match in _GROWN.finditer(text) if not _NOT_ALONG.match(text, match.end())]
    others = 0
    couple = unknown = False
    spans: list[tuple[int, int]] = []
    for match in found:
        beside = _COMPANION.match(text, match.end()) or _LINK_BEFORE.search(text[: match.start()])
        near = _near_another(match, found)
        if match["ours"] is not None:
            couple = True
        elif not (beside or near or (listed and _ends(text, match))):
            continue
        elif match["clan"] or (match["many"] and not match["k"]):
            unknown = True
        elif not match["self"]:
            count = _count(match["k"]) if match["kin"] and not _SINGLE.fullmatch(match["kin"]) else None
            if count and _PEERS.search(match["kin"]) and (_PARTY_ITSELF.match(text, match.end()) or not beside):
                continue
            others += 4 if match["both"] else 2 if match["pair"] or match["theirs"] else count or 1
        counted = match["kin"] and not _SINGLE.fullmatch(match["kin"])
        spans.append(match.span() if counted or not match["kin"] else (match.start(), match.end("kin")))
    return Roster(
        others,
        couple=couple,
        open=unknown,
        speaker=any(match["self"] and match.span() in spans for match in found),
        parents={match["kin"] for match in found} >= {"엄마", "아빠"},
        spans=tuple(spans),
    )


def _near_another(match: re.Match[str], found: list[re.Match[str]]) -> bool:
    """엄마 아빠 나: names in a row need no particle."""
    return any(
        other is not match and (0 <= other.start() - match.end() <= 1 or 0 <= match.start() - other.end() <= 1)
        for other in found
    )


def _ends(text: str, match: re.Match[str]) -> bool:
    return re.fullmatch(r"님?(?:이요|요|이랑요?|랑요?)?[\s.!~]*", text[match.end() :]) is not None
